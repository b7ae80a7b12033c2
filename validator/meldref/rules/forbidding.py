"""Bans of house rules: asked only where they can apply, by the card of the action and by how the turn went."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from meldref.conditions.assume import assuming, greatest, in_turn
from meldref.conditions.bind import Ask, answer, bind
from meldref.conditions.check import Checked, check
from meldref.conditions.facts import CARD, LISTS, MELD, PLAYER
from meldref.conditions.later import Later
from meldref.conditions.types import END, HAND, Fact, Sort, Term, Truth
from meldref.conditions.view import SeenMeld, Tools, View
from meldref.core.cards import UNKNOWN, Card, each
from meldref.core.events import Action, Discard, LayOff, Meld, Pass, Swap, Take
from meldref.melds import MeldIndex
from meldref.notation.actions import BY_KIND
from meldref.position.model import Position, TableMeld
from meldref.position.turn import TurnState
from meldref.rules.base import Check, Undecided, Violation
from meldref.ruleset.model import HouseRule

_OF_CARDS: Final = (PLAYER["hand"], PLAYER["cards"], PLAYER["held"], LISTS["pile"], *CARD.values())
_WITH_CARD: Final = (Discard, Take, Swap)
ENDING: Final[tuple[type[Action], ...]] = (Discard, Meld, LayOff, Pass)
"""The actions with which a turn or call may end."""
_OF_PLACE: Final = {"owner", "is_new"}
"""Facts of a meld that do not follow from its cards."""
MOST_REMEMBERED: Final = 20_000
"""The most actions of which it is remembered which bans can apply."""
ENOUGH: Final = 6
"""Where this many cards may be thrown, no more are looked for."""
Asked: TypeAlias = "tuple[tuple[Bound, bool], ...]"
"""House rules to be asked in order, each with whether it is about the end of the turn."""


class Bound(NamedTuple):
    """A house rule, its condition, what says whether that holds, and the points of an award."""

    said: HouseRule
    term: Term
    ask: Ask
    points: Ask | None = None

    def applies(self, view: View, candidates: Sequence[Card] = ()) -> Truth:
        """Whether its condition holds; `candidates` are what an action's card may be that nobody saw."""
        found: Truth = answer(self.ask, view, candidates) if candidates else self.ask(view)
        return found


def bound(said: HouseRule) -> Bound:
    """A house rule whose condition was checked when its file was read."""
    contexts = contexts_of(said)
    term = Term("constant", Sort.YES_NO, value=True)
    if said.when or said.unless:
        term = _checked(said.when or said.unless, contexts)
        if said.unless:
            term = Term("not", Sort.YES_NO, (term,))
    points = None if said.award is None else bind(_checked(said.award, contexts, Sort.NUMBER))
    return Bound(said, term, bind(term), points)


def _checked(text: str, contexts: Sequence[str], sort: Sort = Sort.YES_NO) -> Term:
    found = check(text, contexts, sort)
    assert isinstance(found, Checked), found
    return found.term


def contexts_of(said: HouseRule) -> tuple[str, ...]:
    """Where a house rule is asked: words of actions, `end`, or `hand`."""
    return said.forbid or said.at or (HAND,)


class Sleepers:
    """House rules about a kind of action, and which of them can apply, by its cards and by how its turn went.

    `asked` are they in order, each with whether it is about the end of the turn; `twins`: what wild cards stand
    for may depend on the whole table. Most rules cannot apply, most of the time: for another card or meld, or as
    nothing was laid or taken in the turn.
    """

    def __init__(
        self, asked: Sequence[tuple[Bound, bool]], kind: type[Action], view: View, *, twins: bool
    ) -> None:
        self.asked = asked
        numbers = [greatest(rule.term, PLAYER["turns"]) for rule, _ in asked]
        self._turns = max([number for number in numbers if number is not None], default=0)
        """The greatest number of turns that they tell from others."""
        self._counted = [number is not None for number in numbers]
        self._lays, self._twins = kind in {Meld, LayOff}, twins
        self._of_meld = set(MELD) - _OF_PLACE if kind is LayOff else MELD if kind is Meld else ()
        self._view = view
        self._part: dict[tuple[int, bool, bool], list[Ask]] = {}
        self._known: dict[object, Asked] = {}
        self._book: object = None

    def awake(self, position: Position, action: Any, *, idle: bool) -> Asked:
        """The rules that can apply to an action; `idle`: nothing was laid in the turn."""
        if position.book is not self._book or len(self._known) > MOST_REMEMBERED:
            self._known, self._book = {}, position.book
        turn = position.turn
        turns: Any = None
        if self._turns and position.memory is not None:
            turns = position.memory.turns[turn.seat]
            if type(turns) is int:
                due = position.begins and turn.broken is None
                turns = min(turns + due, self._turns + 1)
        cards = self._cards(position, action)
        key = turn.plain, idle, turns, cards
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = tuple(
                [
                    one
                    for place, one in enumerate(self.asked)
                    if cards is None or self._can(place, position, action, plain=turn.plain, idle=idle)
                ]
            )
        return found

    def _cards(self, position: Position, action: Any) -> object:
        """What tells the cards of an action from others; None where nobody saw them, or how they will lie."""
        if not self._lays:
            card = getattr(action, "card", 0)
            return None if card == UNKNOWN else card
        wilds = position.book.wilds.cards
        if self._twins and wilds and any(played.card in wilds for played in action.cards):
            return None
        if type(action) is Meld:
            return action.cards
        target = action.target
        if target is None or not 0 < target <= len(position.melds):
            return None
        meld = position.melds[target - 1]
        if meld.shape is None or meld.unseen:
            return None
        lies = tuple([one.card for one in meld.cards]) if wilds else None
        return meld.shape, action.cards, lies

    def _can(self, place: int, position: Position, action: Action, *, plain: bool, idle: bool) -> bool:
        asks = self._part.get((place, plain, idle))
        if asks is None:
            rule, at_end = self.asked[place]
            after = at_end and self._lays
            turns = self._counted[place] and not after
            left = [
                assuming(rule.term, in_turn(plain=plain, melded=melded, of_meld=self._of_meld, turns=turns))
                for melded in ((False, True) if idle and not after else (None,))
            ]
            asks = self._part[place, plain, idle] = [bind(term) for term in left if term.value is not False]
        if not asks:
            return False
        self._view.look(position, action)
        return any(ask(self._view) is not False for ask in asks)


class Bans:
    """The bans of a ruleset. `carry_out` does an action on a copy of a position.

    `twins`: what wild cards stand for may depend on the whole table.
    """

    def __init__(
        self,
        bans: Sequence[Bound],
        tools: Tools,
        view: View,
        new_meld: Callable[[MeldIndex, int, Meld], TableMeld],
        *,
        twins: bool,
    ) -> None:
        self._new_meld, self._twins = new_meld, twins
        self.carry_out: Callable[[Position, Action], Position] | None = None
        self.of_ends = [ban for ban in bans if END in ban.said.forbid]
        self._bans, self._view, self._later = bans, view, Later(tools)
        self._checks: dict[type[Action], Check[Any] | None] = {}
        self._throws = self._sleepers(Discard, bans)
        self._alike = {ban.said.name for ban in bans if not _asks(ban.term, _OF_CARDS)}
        """Bans that say the same of all discards, which move a card from the hand to the pile."""
        self.of_all_ends = [ban for ban in self.of_ends if ban.said.name in self._alike]
        """Those on ends: they say the same too where there is no discard."""

    def check(self, kind: type[Action]) -> Check[Any] | None:
        """What the bans on a kind of action say, and on the ends of turns that it may be."""
        if kind not in self._checks:
            self._checks[kind] = self._on(kind, self._bans)
        return self._checks[kind]

    def of_discards(self) -> tuple[Check[Any] | None, Check[Any] | None]:
        """What the bans on discards say that say the same of all cards, and the others."""
        alike, apart = (
            [ban for ban in self._bans if (ban.said.name in self._alike) is same] for same in (True, False)
        )
        return self._on(Discard, alike), self._on(Discard, apart)

    def _sleepers(self, kind: type[Action], bans: Sequence[Bound]) -> Sleepers:
        words = (BY_KIND[kind].word, END) if kind in ENDING else (BY_KIND[kind].word,)
        asked = [(ban, word is END) for ban in bans for word in words if word in ban.said.forbid]
        return Sleepers(asked, kind, self._view, twins=self._twins)

    def _on(self, kind: type[Action], bans: Sequence[Bound]) -> Check[Any] | None:
        asleep = self._sleepers(kind, bans)
        if not asleep.asked:
            return None
        with_card = kind in _WITH_CARD
        view = self._view

        def check(position: Position, action: Any) -> Violation | Undecided | None:
            asked = asleep.awake(position, action, idle=position.turn.deeds is None)
            if not asked:
                return None
            return _ruling(applied(asked, position, action))

        def applied(asked: Asked, position: Position, action: Any) -> Iterator[tuple[HouseRule, Truth]]:
            candidates = self.candidates(position, action) if with_card and action.card == UNKNOWN else ()
            looked: bool | None = None
            over: tuple[Position, TurnState, Card | None] | None = None
            first = True
            for ban, at_end in asked:
                if at_end is not looked:
                    if not at_end:
                        view.look(position, action)
                    else:
                        over, first = self._ends(position, action) if first else over, False
                        if over is None:
                            continue
                        view.look_at_end(*over)
                    looked = at_end
                yield ban.said, ban.applies(view, () if at_end else candidates)

        return check

    def candidates(self, position: Position, action: Action) -> Sequence[Card]:
        """What the card of an action may be that nobody saw; nothing where it is known, or there is none."""
        if getattr(action, "card", None) != UNKNOWN or not isinstance(action, _WITH_CARD):
            return ()
        self._view.look(position, action)
        row = self._view.hand(position.turn.seat)
        return tuple(dict.fromkeys([*row.known, *(each(row.pool) if row.unseen else ())]))

    def stops(self, position: Position) -> Violation | Undecided | None:
        """Whether a call may be left as it is, without a discard."""
        self._view.look_at_end(position, position.turn, None)
        return _ruling((ban.said, ban.applies(self._view)) for ban in self.of_ends)

    def keeps_open(self, position: Position) -> bool:
        """Whether a turn or call may not end as it is, whatever is thrown."""
        self._view.look_at_end(position, position.turn, None)
        return any(ban.applies(self._view) for ban in self.of_all_ends)

    def never_forbidden(self, position: Position, cards: int, fitting: Callable[[], int], *, drawn: bool) -> int:
        """Of some cards, a bit for each, enough that no ban keeps from being thrown, whatever is laid before.

        `fitting` says which cards may come to fit a meld; `drawn`: the draw is over, else the pile is taken.
        """
        later = self._later
        later.look_later(position, fitting, drawn=drawn)
        free, never = 0, dict[str, bool]()
        left = ENOUGH
        while cards and left:
            bit = cards & -cards
            cards -= bit
            later.card = bit.bit_length() - 1
            for ban, at_end in self._throws.awake(position, Discard(later.card), idle=False):
                name = ban.said.name
                found = never.get(name)
                if found is None:
                    later.thrown = later.card if at_end else None
                    found = ban.ask(later) is False
                    if name in self._alike:
                        if not found:
                            return 0
                        never[name] = found
                if not found:
                    break
            else:
                free |= bit
                left -= 1
        return free

    def never_ends(
        self, position: Position, melds: Sequence[Meld], most: int, *, laying: bool, drawn: bool
    ) -> bool:
        """Whether it is certain that some ban forbids every end of the turn, whatever of these melds is laid.

        They and all lay-offs bring as many points at `most`; `laying`: one of them is laid; `drawn`: the draw is
        over, else the pile is taken.
        """
        seat, later = position.turn.seat, self._later
        later.look_later(position, lambda: -1, drawn=drawn)
        later.laying, later.most = laying, most
        laid = [self._new_meld(position.book, seat, meld) for meld in melds]
        later.possible = [SeenMeld(one.cards, one.shape, seat, is_new=True, unseen=True) for one in laid]
        return any(ban.ask(later) is True for ban in self.of_all_ends)

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


def _asks(term: Term, facts: Collection[Fact]) -> bool:
    """Whether a condition asks one of some facts."""
    return (term.op == "fact" and term.value in facts) or any(_asks(part, facts) for part in term.parts)


def _ruling(asked: Iterable[tuple[HouseRule, Truth]]) -> Violation | Undecided | None:
    """What the first of some bans says that applies; where none does, the first of which that is open."""
    undecided: Undecided | None = None
    for said, applies in asked:
        if applies:
            return Violation(f"house.{said.name}", said.says, key=f"house_rules.{said.name}")
        if applies is None and undecided is None:
            what = f"whether the house rule {said.name} forbids this: it hangs on cards or turns nobody saw"
            undecided = Undecided(what)
    return undecided
