"""House rules: bans and awards that a ruleset states in the language of `meldref.conditions`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Final

from meldref.conditions.bind import answer, facts_of
from meldref.conditions.facts import CARD
from meldref.conditions.types import END, NOTHING, Number, Truth
from meldref.conditions.view import SeenMeld, Tools, View
from meldref.core.cards import ONE, UNKNOWN, Card, count
from meldref.core.effort import EFFORT
from meldref.core.events import Action, Buy, Challenge, LayOff, Meld, Swap, Take
from meldref.core.records import changed
from meldref.melds import Extension, Laid, MeldIndex, Reading
from meldref.notation.actions import BY_KIND
from meldref.position.memory import TURNED_UP, Earned
from meldref.position.model import OnTable, Position, TableMeld, TurnState, on_turn
from meldref.rules.base import Binding, Check
from meldref.rules.bound import Bound, bound
from meldref.rules.calls import claim
from meldref.rules.declare import Stage
from meldref.rules.draw import find_in_pile
from meldref.rules.forbidding import Bans, unsaid
from meldref.rules.layoff import fits_a_meld, stand_in
from meldref.rules.meld import barred_roles, makes_a_meld, may_meld
from meldref.rules.opening import Opened, slots, unfilled
from meldref.rules.out import Emptied, emptied
from meldref.rules.points import Worth
from meldref.ruleset.changes import is_last_hand, keys_of_hands

MOST_REMEMBERED: Final = 20_000
"""The most melds remembered as they will lie."""


class House:
    """The house rules of a ruleset, bound to a table."""

    def __init__(self, binding: Binding) -> None:
        self.binding = changed(binding, bans=self)
        self.worth = Worth(binding.ruleset)
        self._emptied = emptied(binding)
        self._may_meld = may_meld(self.binding, tuple(Stage))
        self.as_read = lru_cache(MOST_REMEMBERED)(self._read)
        ruleset = binding.ruleset
        self._contract = slots(ruleset)
        tools = Tools(
            fits=self.fits,
            partner=self.partner,
            lies=self.lies,
            lifts=self.lifts,
            goes_out=self.goes_out,
            can_meld=self.can_meld,
            held=ruleset.scoring.held,
            laid=lambda card: self.worth.laid(Laid(card.card, card.role, card.ace_place)),
            twin=ruleset.discard.twin,
            grows=min(ruleset.scoring.values) >= 0,
            buys=ruleset.buys.of != "none",
            contract=len(self._contract),
            first_points=ruleset.melds.first_points,
            varying=keys_of_hands(ruleset),
            is_last=lambda number: is_last_hand(ruleset, number),
            fills=self._fills,
        )
        self.tools: Final = tools
        self.view = View(tools)
        rules = [bound(rule) for rule in ruleset.house_rules if not rule.for_game]
        bans = [rule for rule in rules if rule.points is None]
        self.bans = Bans(bans, tools, self.view)
        self.awards = [rule for rule in rules if rule.points is not None]
        terms = [term for rule in rules for term in rule.terms]
        self.asks_who_threw = any(CARD["discarded_by"] in facts_of(term) for term in terms) or any(
            award.rule.to == "discarder" for award in self.awards
        )
        """Whether any of them depends on who discarded a card, which is remembered only then."""
        self.for_ends = [award for award in self.awards if END in award.rule.at]
        self._at_scoring = [award for award in self.awards if not award.rule.at]

    def _fills(self, melds: Sequence[SeenMeld]) -> bool:
        """Whether the contract is among melds; False where there is none."""
        laid = [
            Opened(meld.shape.kind, len(meld.cards), 0) for meld in melds if meld.shape is not None
        ]
        return bool(self._contract) and not unfilled(self._contract, laid)

    # --- awards -----------------------------------------------------------------------------------

    def awarded_for(
        self, kind: type[Action]
    ) -> Callable[[Position, Action], tuple[Earned, ...]] | None:
        """What says what is earned by an action of a kind that is about to happen."""
        word = BY_KIND[kind].word if kind in BY_KIND else ""
        awards = [award for award in self.awards if word in award.rule.at]
        if not awards:
            return None

        def earned(position: Position, action: Action) -> tuple[Earned, ...]:
            if EFFORT.house.over:
                return ()
            candidates = self.bans.candidates(position, action)
            self.view.look(position, action)
            return self.earned(awards, candidates)

        return earned

    def earned(
        self, awards: Sequence[Bound], candidates: Sequence[Card] = ()
    ) -> tuple[Earned, ...]:
        """What the one that the view looks at earns by these awards."""
        earned: list[Earned] = []
        for award in awards:
            points = _points(award, self.view, candidates if award.of_card else ())
            if points == 0:
                continue
            seats = self._receivers(award.rule.to)
            if seats is None:  # any of them may get the points
                seats, points = self.view.position.order, None
            earned += [Earned(award.rule.name, seat, points) for seat in seats]
        return tuple(earned)

    def _receivers(self, to: str) -> Sequence[int] | None:
        """Who gets the points of an award for the one that the view looks at; None if unknown."""
        view, seat = self.view, self.view.seat
        if to == "partner":
            partner = self.partner(seat)
            return () if partner is None else (partner,)
        if to == "opponents":
            partners = self.binding.partners
            order = view.position.order
            return [other for other in order if other != seat and not partners(seat, other)]
        if to == "owner":
            meld = view.target()
            return (meld.seat,) if meld is not None and meld.owned else None
        if to == "discarder":
            thrower = view.thrower()
            if thrower is None:
                return None
            return () if thrower == TURNED_UP else (thrower,)
        return (seat,)

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
        earned = list(memory.earned)
        for seat in (seat for side in sides for seat in side if seat in position.order):
            self.view.look_at_score(position, seat, by_seat)
            earned += self.earned(self._at_scoring)
        return [[award for award in earned if award.seat in side] for side in sides]

    def awards_depend_on(self, position: Position) -> str:
        """What awards depend on that nobody said, and how it is said; empty: nothing."""
        return unsaid([term for award in self.awards for term in award.terms], position)

    # --- what conditions ask of other rules -------------------------------------------------------

    def can_meld(
        self,
        position: Position,
        seat: int,
        thrown: Card | None = None,
        turn: TurnState | None = None,
    ) -> Truth:
        """Whether a player could lay some cards in hand as a new meld; `thrown` has left it."""
        hand, unseen = position.hands[seat], position.unknown[seat]
        if thrown is not None and thrown != UNKNOWN and count(hand, thrown):
            hand -= ONE[thrown]
        elif thrown is not None:
            unseen -= 1
        with on_turn(position, seat, turn):
            some = makes_a_meld(self._may_meld, position, hand)
        return None if unseen and not some else some

    def check(self, kind: type[Action]) -> Check[Any] | None:
        """The check of the bans on a kind of action, if there are any."""
        return self.bans.check(kind)

    def carry_out(self, position: Position, action: Action) -> Position:
        """A position that plays are tried on, after an action."""
        return self.bans.carried_out(position, action)

    def bans_on(self, *kinds: type[Action]) -> bool:
        """Whether there are bans on some kinds of play."""
        return self.bans.supposed.any_on(*kinds)

    def forbids(
        self,
        position: Position,
        seat: int,
        play: Meld | LayOff | Swap,
        turn: TurnState | None = None,
    ) -> Truth:
        """Whether a ban forbids a play that is supposed, as `Supposed.forbids` says."""
        return self.bans.supposed.forbids(position, seat, play, turn)

    def partner(self, seat: int) -> int | None:
        """The other player of a side."""
        players = self.binding.players
        partners = [
            other
            for other in range(players)
            if other != seat and self.binding.partners(seat, other)
        ]
        return partners[0] if partners else None

    def fits(
        self, position: Position, seat: int, card: Card, turn: TurnState | None = None
    ) -> Truth:
        """Whether a player could lay a card off on some meld, in this turn or in another."""
        fits = None if card == UNKNOWN else fits_a_meld(self.binding, position, seat, card, turn)
        return fits if fits is not False or position.table_known else None

    def goes_out(self, discarded: bool) -> bool:  # noqa: FBT001  the one thing that is asked
        """Whether a player without cards after a discard or meld goes out instead of floating."""
        return self._emptied(discarded) not in {Emptied.FLOATS, Emptied.GOES_ON}

    def lifts(self, position: Position, action: Any) -> Sequence[tuple[int, Card]] | None:
        """The cards that an action takes from the pile, with their places, the one named first.

        A negative place is one that nobody knows. None if nobody knows how many they are.
        """
        pile = position.pile
        if isinstance(action, Take):
            index = find_in_pile(position, action)
            if index is None:
                return None
            takes = self.binding.ruleset.draw.takes
            above = range(index + 1, 0 if takes == "that_card" else len(pile))
            below = range(index if takes == "whole_pile" else 0)
            return [(index, action.card), *[(place, pile[place]) for place in (*above, *below)]]
        if isinstance(action, (Buy, Challenge)):
            top = len(pile) - 1
            return [(top, getattr(action, "card", pile[top]))] if pile else None
        taken = claim(self.binding, position, getattr(action, "cards", ()))
        if taken is None:
            return None
        named = dict(taken.unseen)
        return [
            *[(index, card) for index, card in taken.unseen if index < 0],
            *[(index, named.get(index, pile[index])) for index in taken.indices],
        ]

    def lies(self, position: Position, action: Any) -> TableMeld:
        """The meld of an action, which is a new one or lies on the table, as it will lie."""
        barred = barred_roles(self.binding, position)
        seat, book = position.turn.seat, position.book
        if isinstance(action, Meld):
            return self.as_read(book, seat, action, barred)
        target: int = action.target
        after = position.melds[target - 1].copy()
        if isinstance(action, LayOff):
            for played in action.cards:
                extended = None if after.shape is None else book.extend(after.shape, played, barred)
                laid = Laid(played.card, played.card)
                if isinstance(extended, Extension):
                    after.shape, laid = extended
                after.cards.append(self._on_table(laid, seat))
            if after.shape is not None:
                for place, ace in self.worth.turned(after.shape, after.cards):
                    after.cards[place] = ace
            return after
        index = stand_in(position, target, action.card)
        if index is not None:  # a meld's kind, rank and suit stay as they are
            after.cards[index] = self._on_table(
                Laid(action.card, action.card, after.cards[index].ace_place), seat
            )
        return after

    def _read(self, book: MeldIndex, seat: int, meld: Meld, barred: int = 0) -> TableMeld:
        """A meld of cards in hand as it will lie, where some roles are barred."""
        reading = book.read(meld.cards, barred)
        if not isinstance(reading, Reading):
            shape, cards = None, [Laid(card, card) for card, _ in meld.cards]
        else:
            shape, cards = reading.shape, list(reading.laid)
        return TableMeld(seat, shape, [self._on_table(laid, seat) for laid in cards])

    def _on_table(self, laid: Laid, seat: int) -> OnTable:
        return OnTable(laid.card, laid.role, seat, self.worth.laid(laid), laid.ace_place)


def _points(award: Bound, view: View, candidates: Sequence[Card] = ()) -> int | None:
    """The points that an award brings now; None if that depends on cards nobody saw."""
    applies: Truth = answer(award.ask, view, candidates) if candidates else award.ask(view)
    if applies is False:
        return 0
    assert award.points is not None
    points = award.points(view)
    if points is NOTHING or points == 0:
        return 0
    return points if applies and isinstance(points, int) else None
