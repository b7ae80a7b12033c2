"""House rules: bans and awards that a ruleset states itself, in the language of `meldref.conditions`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

from meldref.conditions.bind import Ask, answer, bind
from meldref.conditions.check import Checked, Term, check
from meldref.conditions.facts import LISTS, PLAYER
from meldref.conditions.types import ACTIONS, END, HAND, NOTHING, Number, Sort, Truth
from meldref.conditions.view import Tools, View
from meldref.core.cards import UNKNOWN, Card, each
from meldref.core.events import Action, Discard, LayOff, Meld, Pass, Swap, Take
from meldref.melds import Laid, Reading
from meldref.notation.actions import BY_WORD
from meldref.position.memory import Earned
from meldref.position.model import OnTable, Position, TableMeld, TurnState
from meldref.rules.base import Binding, Check, Undecided, Violation
from meldref.rules.calls import claim
from meldref.rules.draw import find_in_pile
from meldref.rules.layoff import may_build_on, stand_in
from meldref.rules.meld import barred_roles, extends
from meldref.ruleset.model import HouseRule
from meldref.scoring.points import Worth

_OF_CARDS: Final = (PLAYER["hand"], PLAYER["cards"], PLAYER["held"], LISTS["pile"])
ENDING: Final[tuple[type[Action], ...]] = (Discard, Meld, LayOff, Pass)
"""The actions with which a turn or call may end."""


class Bound(NamedTuple):
    """A house rule, what says whether it applies, and the points of an award."""

    said: HouseRule
    ask: Ask
    points: Ask | None = None
    hangs_on_card: bool = False
    """Whether of two discards it may forbid one."""

    def applies(self, view: View, candidates: Sequence[Card] = ()) -> Truth:
        """Whether its condition holds; `candidates` are what an action's card may be that nobody saw."""
        found: Truth = answer(self.ask, view, candidates) if candidates else self.ask(view)
        return found


class House:
    """The house rules of a ruleset, bound to a table.

    `carry_out` does an action on a copy of a position; it is given by what carries actions out.
    """

    def __init__(self, binding: Binding) -> None:
        self.binding = binding
        self.worth = Worth(binding.ruleset)
        self.carry_out: Callable[[Position, Action], Position] | None = None
        self.view = View(self._tools())
        bound = [_bound(one) for one in binding.ruleset.house_rules]
        self._bans = [one for one in bound if one.points is None]
        awards = [one for one in bound if one.points is not None]
        self._awards = {word: [one for one in awards if word in one.said.at] for word in (*ACTIONS, END)}
        self.at_scoring = [one for one in awards if not one.said.at]
        self._checks: dict[type[Action], Check[Any] | None] = {}

    def _tools(self) -> Tools:
        binding = self.binding
        ruleset = binding.ruleset
        return Tools(
            fits=self.fits,
            partner=self.partner,
            lies=self.lies,
            takes=self.takes,
            held=ruleset.scoring.held,
            laid=lambda one: self.worth.laid(Laid(one.card, one.role, one.low_ace)),
            twin=ruleset.discard.twin,
        )

    # --- bans ----------------------------------------------------------------------------------------------------

    def check(self, kind: type[Action]) -> Check[Any] | None:
        """What the bans on a kind of action say, and on the ends of turns that it may be."""
        if kind not in self._checks:
            self._checks[kind] = self._bans_on(kind, self._bans)
        return self._checks[kind]

    def of_discards(self) -> tuple[Check[Any] | None, Check[Any] | None, Check[Any] | None]:
        """What the bans on discards say; then those of them that say the same of all cards, and the others."""
        alike = [one for one in self._bans if not one.hangs_on_card]
        apart = [one for one in self._bans if one.hangs_on_card]
        return self.check(Discard), self._bans_on(Discard, alike), self._bans_on(Discard, apart)

    def _bans_on(self, kind: type[Action], bans: Sequence[Bound]) -> Check[Any] | None:
        word = next((form.word for form in BY_WORD.values() if form.kind is kind), "")
        words = {word, END} if kind in ENDING else {word}
        bans = [one for one in bans if not words.isdisjoint(one.said.forbid)]
        if not bans:
            return None
        view = self.view
        ends = kind in ENDING and any(END in one.said.forbid for one in bans)
        asked = [
            (one.said, one.ask, at_end)
            for one in bans
            for at_end in (False, True)
            if (ends and END in one.said.forbid if at_end else word in one.said.forbid)
        ]

        def check(position: Position, action: Action) -> Violation | Undecided | None:
            undecided: Undecided | None = None
            over = self._ends(position, action) if ends else None
            candidates = self.candidates(position, action) if getattr(action, "card", 0) == UNKNOWN else ()
            looked: bool | None = None
            for said, ask, at_end in asked:
                if at_end is not looked:
                    if not at_end:
                        view.look(position, action)
                    elif over is None:
                        continue
                    else:
                        view.look_at_end(*over)
                    looked = at_end
                found = answer(ask, view, candidates) if candidates and not at_end else ask(view)
                if found is False:
                    continue
                if found:
                    return _violation(said)
                undecided = undecided or _undecided(said)
            return undecided

        return check

    def stops(self, position: Position) -> Violation | Undecided | None:
        """Whether a call may be left as it is, without a discard."""
        undecided: Undecided | None = None
        for ban in self._bans:
            if END not in ban.said.forbid:
                continue
            self.view.look_at_end(position, position.turn, None)
            found = ban.applies(self.view)
            if found:
                return _violation(ban.said)
            if found is None and undecided is None:
                undecided = _undecided(ban.said)
        return undecided

    def keeps_open(self, position: Position) -> bool:
        """Whether a turn or call may not end as it is, whatever is thrown."""
        self.view.look_at_end(position, position.turn, None)
        return any(
            END in ban.said.forbid and not ban.hangs_on_card and ban.applies(self.view) for ban in self._bans
        )

    def _ends(self, position: Position, action: Action) -> tuple[Position, TurnState, Card | None] | None:
        """The position after an action that ends its turn or call, which turn, and the card thrown; else None."""
        turn = position.turn
        if isinstance(action, Discard):
            return position, turn, action.card
        if isinstance(action, Pass):
            return position, turn, None
        assert isinstance(action, (Meld, LayOff))
        if turn.call is None and position.held[turn.seat] > len(action.cards):
            return None
        assert self.carry_out is not None
        before = position.copy()
        turn = before.turn
        after = self.carry_out(before, action)
        return None if after.turn is turn and not after.begins else (after, turn, None)

    # --- awards --------------------------------------------------------------------------------------------------

    def awarded_for(self, kind: type[Action]) -> list[Bound]:
        """The awards for a kind of action."""
        return [one for word, form in BY_WORD.items() if form.kind is kind for one in self._awards.get(word, ())]

    @property
    def for_ends(self) -> list[Bound]:
        """The awards for ends of turns."""
        return self._awards[END]

    def earned(self, awards: Sequence[Bound], candidates: Sequence[Card] = ()) -> tuple[Earned, ...]:
        """What the one that the view looks at earns by these awards."""
        found = [(award, _points(award, self.view, candidates)) for award in awards]
        return tuple([Earned(award.said.name, self.view.seat, points) for award, points in found if points != 0])

    def at_end(
        self, position: Position, sides: Sequence[Sequence[int]], scores: Sequence[int | None]
    ) -> list[list[Earned]]:
        """What each side earned in a hand that is over, given its scores without that."""
        memory = position.memory
        assert memory is not None
        by_seat: list[Number] = [0] * len(position.players)
        for side, score in zip(sides, scores, strict=True):
            for seat in side:
                by_seat[seat] = (-1_000_000_000, 1_000_000_000) if score is None else score
        found: list[list[Earned]] = []
        for side in sides:
            earned = [one for one in memory.earned if one.seat in side]
            for seat in side:
                if seat in position.order:
                    self.view.look_at_score(position, seat, by_seat)
                    earned += self.earned(self.at_scoring)
            found.append(earned)
        return found

    # --- what conditions ask of other rules ----------------------------------------------------------------------

    def candidates(self, position: Position, action: Action) -> Sequence[Card]:
        """What the card of an action may be that nobody saw; nothing where it is known, or there is none."""
        if getattr(action, "card", None) != UNKNOWN or not isinstance(action, (Discard, Take, Swap)):
            return ()
        self.view.look(position, action)
        row = self.view.hand(position.turn.seat)
        return tuple(dict.fromkeys([*row.known, *(each(row.pool) if row.unseen else ())]))

    def partner(self, seat: int) -> int | None:
        """The other player of a side."""
        players = self.binding.players
        partners = [other for other in range(players) if other != seat and self.binding.partners(seat, other)]
        return partners[0] if partners else None

    def fits(self, position: Position, seat: int, card: Card) -> Truth:
        """Whether a card fits a meld that a player may build on."""
        if card == UNKNOWN:
            return None
        for number, meld in enumerate(position.melds, start=1):
            if meld.shape is None or not extends(position.book, meld.shape, card):
                continue
            if may_build_on(self.binding, position, seat, number) is None:
                return True
        return False if position.pile_known else None

    def takes(self, position: Position, action: Any) -> Sequence[Card] | None:
        """The cards that a take or a call takes from the pile; None where nobody knows how many."""
        pile = position.pile
        if isinstance(action, Take):
            index = find_in_pile(position, action)
            if index is None:
                return None
            takes = self.binding.ruleset.draw.takes
            if takes == "that_card":
                return (action.card,)
            if takes == "whole_pile":
                return [*pile[:index], action.card, *pile[index + 1 :]]
            return (action.card, *pile[index + 1 :])
        taken = claim(self.binding, position, getattr(action, "cards", ()))
        if taken is None:
            return None
        named = dict(taken.unseen)
        return [
            *[card for index, card in taken.unseen if index < 0],
            *[named.get(i, pile[i]) for i in taken.indices],
        ]

    def lies(self, position: Position, action: Any) -> TableMeld | None:
        """The meld of an action, as it will lie; None where it is not known how it lies now."""
        barred = barred_roles(self.binding, position)
        seat, book = position.turn.seat, position.book
        if isinstance(action, Meld):
            reading = book.read(action.cards, barred)
            if not isinstance(reading, Reading):
                return TableMeld(seat, None, [OnTable(one.card, one.card, seat, 0) for one in action.cards])
            return TableMeld(seat, reading.shape, [self._on_table(one, seat) for one in reading.laid])
        target = action.target
        if target is None or not 0 < target <= len(position.melds) or not position.melds[target - 1].cards:
            return None
        after: TableMeld = position.melds[target - 1].copy()
        if isinstance(action, LayOff):
            for played in action.cards:
                extended = None if after.shape is None else book.extend(after.shape, played, barred)
                laid = Laid(played.card, played.card, low_ace=False)
                if isinstance(extended, tuple):
                    after.shape, laid = extended
                after.cards.append(self._on_table(laid, seat))
            return after
        index = stand_in(position, target, action.card)
        if index is not None and after.shape is not None:
            old = after.cards[index]
            after.shape = book.replace(after.shape, old.role, action.card) or after.shape
            after.cards[index] = self._on_table(Laid(action.card, action.card, old.low_ace), seat)
        return after

    def _on_table(self, laid: Laid, seat: int) -> OnTable:
        return OnTable(laid.card, laid.role, seat, self.worth.laid(laid), laid.low_ace)


def _points(award: Bound, view: View, candidates: Sequence[Card] = ()) -> int | None:
    """The points that an award brings now; None where that hangs on cards nobody saw."""
    found = award.applies(view, candidates)
    if found is False:
        return 0
    assert award.points is not None
    points = award.points(view)
    if points is NOTHING or points == 0:
        return 0
    return points if found and isinstance(points, int) else None


def _bound(said: HouseRule) -> Bound:
    """A house rule whose condition was checked when its file was read."""
    contexts = contexts_of(said)
    term = Term("constant", Sort.YES_NO, value=True)
    if said.when or said.unless:
        condition = check(said.when or said.unless, contexts)
        assert isinstance(condition, Checked), condition
        term = Term("not", Sort.YES_NO, (condition.term,)) if said.unless else condition.term
    if said.award is None:
        return Bound(said, bind(term), hangs_on_card=_hangs_on_card(term))
    reckoned = check(said.award, contexts, Sort.NUMBER)
    assert isinstance(reckoned, Checked), reckoned
    return Bound(said, bind(term), bind(reckoned.term))


def _hangs_on_card(term: Term) -> bool:
    """Whether a condition may differ between discards, which move a card from the hand to the pile."""
    if term.op == "fact" and (term.subject == "card" or term.value in _OF_CARDS):
        return True
    return any(map(_hangs_on_card, term.parts))


def contexts_of(said: HouseRule) -> tuple[str, ...]:
    """Where a house rule is asked: words of actions, `end`, or `hand`."""
    return said.forbid or said.at or (HAND,)


def _violation(said: HouseRule) -> Violation:
    return Violation(f"house.{said.name}", said.says, key=f"house_rules.{said.name}")


def _undecided(said: HouseRule) -> Undecided:
    return Undecided(f"whether the house rule {said.name} forbids this: it hangs on cards or turns nobody saw")
