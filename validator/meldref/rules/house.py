"""House rules: bans and awards that a ruleset states itself, in the language of `meldref.conditions`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Final

from meldref.conditions.bind import answer
from meldref.conditions.quick import Quick
from meldref.conditions.types import END, NOTHING, Number, Truth
from meldref.conditions.view import Tools, View
from meldref.core.cards import JOKER, NATURALS_MASK, UNKNOWN, Card
from meldref.core.events import Action, LayOff, Meld, Take
from meldref.melds import Extension, Laid, MeldIndex, Reading
from meldref.notation.actions import BY_KIND
from meldref.position.memory import Earned
from meldref.position.model import OnTable, Position, TableMeld
from meldref.rules.base import Binding
from meldref.rules.calls import claim
from meldref.rules.draw import find_in_pile
from meldref.rules.forbidding import Bans, Bound, bound
from meldref.rules.layoff import may_build_on, stand_in
from meldref.rules.meld import barred_roles
from meldref.scoring.points import Worth

MOST_REMEMBERED: Final = 20_000
"""The most melds remembered as they will lie."""


class House:
    """The house rules of a ruleset, bound to a table."""

    def __init__(self, binding: Binding) -> None:
        self.binding = binding
        self.worth = Worth(binding.ruleset)
        self._as_read = lru_cache(MOST_REMEMBERED)(self._read)
        ruleset = binding.ruleset
        tools = Tools(
            fits=self.fits,
            partner=self.partner,
            lies=self.lies,
            takes=self.takes,
            held=ruleset.scoring.held,
            laid=lambda one: self.worth.laid(Laid(one.card, one.role, one.low_ace)),
            twin=ruleset.discard.twin,
            grows=min(ruleset.scoring.values) >= 0,
            buys=ruleset.buys.of != "none",
        )
        self.view = View(tools)
        rules = [bound(one) for one in binding.ruleset.house_rules]
        bans = [one for one in rules if one.points is None]
        self.bans = Bans(bans, tools, self.view, self._as_read)
        self.awards = [one for one in rules if one.points is not None]
        self.for_ends = [one for one in self.awards if END in one.said.at]
        self._at_scoring = [one for one in self.awards if not one.said.at]

    # --- awards --------------------------------------------------------------------------------------------------

    def awarded_for(self, kind: type[Action]) -> Callable[[Position, Action], tuple[Earned, ...]] | None:
        """What says what is earned by an action of a kind that is about to happen."""
        word = BY_KIND[kind].word if kind in BY_KIND else ""
        asked = [award for award in self.awards if word in award.said.at]
        if not asked:
            return None
        quick = Quick([(award.term, False) for award in asked], kind, self.view)

        def earned(position: Position, action: Action) -> tuple[Earned, ...]:
            places = quick.may_hold(position, action)
            if not places:
                return ()
            candidates = self.bans.candidates(position, action)
            self.view.look(position, action)
            return self.earned([asked[place] for place in places], candidates)

        return earned

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
                    earned += self.earned(self._at_scoring)
            found.append(earned)
        return found

    # --- what conditions ask of other rules ----------------------------------------------------------------------

    def partner(self, seat: int) -> int | None:
        """The other player of a side."""
        players = self.binding.players
        partners = [other for other in range(players) if other != seat and self.binding.partners(seat, other)]
        return partners[0] if partners else None

    def fits(self, position: Position, seat: int, card: Card) -> Truth:
        """Whether a card fits a meld that a player may build on."""
        if card == UNKNOWN:
            return None
        fitting = 1 << card
        if card != JOKER and position.book.is_wild(card):
            fitting = NATURALS_MASK
        for number, meld in enumerate(position.melds, start=1):
            accepts = 0 if meld.shape is None else meld.shape.accepts
            if accepts & fitting and may_build_on(self.binding, position, seat, number) is None:
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

    def lies(self, position: Position, action: Any) -> TableMeld:
        """The meld of an action, which is a new one or lies on the table, as it will lie."""
        barred = barred_roles(self.binding, position)
        seat, book = position.turn.seat, position.book
        if isinstance(action, Meld):
            return self._as_read(book, seat, action, barred)
        target: int = action.target
        after = position.melds[target - 1].copy()
        if isinstance(action, LayOff):
            for played in action.cards:
                extended = None if after.shape is None else book.extend(after.shape, played, barred)
                laid = Laid(played.card, played.card, low_ace=False)
                if isinstance(extended, Extension):
                    after.shape, laid = extended
                after.cards.append(self._on_table(laid, seat))
            return after
        index = stand_in(position, target, action.card)
        if index is not None:  # a meld's kind, rank and suit stay as they are
            after.cards[index] = self._on_table(Laid(action.card, action.card, after.cards[index].low_ace), seat)
        return after

    def _read(self, book: MeldIndex, seat: int, meld: Meld, barred: int = 0) -> TableMeld:
        """A meld of cards in hand as it will lie, where some roles are barred."""
        reading = book.read(meld.cards, barred)
        if not isinstance(reading, Reading):
            as_they_are = [Laid(one.card, one.card, low_ace=False) for one in meld.cards]
            return TableMeld(seat, None, [self._on_table(one, seat) for one in as_they_are])
        return TableMeld(seat, reading.shape, [self._on_table(one, seat) for one in reading.laid])

    def _on_table(self, laid: Laid, seat: int) -> OnTable:
        return OnTable(laid.card, laid.role, seat, self.worth.laid(laid), laid.low_ace)


def _points(award: Bound, view: View, candidates: Sequence[Card] = ()) -> int | None:
    """The points that an award brings now; None where that depends on cards nobody saw."""
    found: Truth = answer(award.ask, view, candidates) if candidates else award.ask(view)
    if found is False:
        return 0
    assert award.points is not None
    points = award.points(view)
    if points is NOTHING or points == 0:
        return 0
    return points if found and isinstance(points, int) else None
