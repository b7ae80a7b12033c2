"""Whether a hand can be laid down to its last card: what bans on keeping cards make the question."""

from __future__ import annotations

from collections.abc import Iterator

from meldref.core.cards import EMPTY, ONE, Cards, each, holds, mask_of, size
from meldref.core.events import Meld
from meldref.engine.judge import Judge
from meldref_table.best.choice import catalogue
from meldref_table.best.objective import terms_for
from meldref_table.best.options import NewMeld, Offers
from meldref_table.best.packing import Packed, Packing
from meldref_table.best.templates import TooManyWays
from meldref_table.simulate.quick_moves.bounds import mask_cards


class Emptying:
    """How many cards of a hand new melds can take at most, asked of one hand and parts of it."""

    def __init__(self, judge: Judge, wild_rank: int | None) -> None:
        self._terms = terms_for(judge.ruleset, judge.binding.players, wild_rank, "cards")
        self._hand: Cards = EMPTY
        self._offers: Offers | None = None
        self._packing: Packing | None = None

    def may_leave_one(self, hand: Cards, *, laid_off: int = 0) -> bool:
        """Whether no more than one card of a hand may be left: False is certain.

        `laid_off` is how many cards at most are laid off.
        """
        return self._most_melded(hand) + laid_off >= size(hand) - 1

    def ways(self, hand: Cards) -> Iterator[list[Meld]]:
        """Melds that may leave no more than one card of a hand, for each card that may be left."""
        self.may_leave_one(hand)
        offers, packing = self._offers, self._packing
        if offers is None or packing is None:
            return
        all_but_one = [hand - ONE[card] for card in mask_cards(mask_of(hand))]
        for cards in [*all_but_one, hand]:
            part = self._packed(cards)
            if packing.solve(part) >= size(cards):
                chosen = [offers.offers[key] for key in packing.chosen(part)]
                yield [
                    Meld(new.played(self._terms)[0]) for new in chosen if isinstance(new, NewMeld)
                ]

    def _packed(self, hand: Cards) -> Packed:
        """A part of the hand that was looked at, as the packing has it."""
        assert self._offers is not None
        unit = self._offers.unit
        return sum([unit[card] for card in each(hand)])

    def _most_melded(self, hand: Cards) -> int:
        """How many cards of a hand melds take at most; all where that takes too long to tell."""
        if self._packing is None or not holds(self._hand, hand):
            self._look(hand)
        packing = self._packing
        if packing is None:
            return size(hand)
        return packing.solve(self._packed(hand))

    def _look(self, hand: Cards) -> None:
        """Lists what a hand can lay."""
        self._hand, self._offers, self._packing = hand, None, None
        try:
            offers = Offers(self._terms, catalogue(self._terms), hand, (), 0, whole=False)
        except TooManyWays:
            return
        self._offers, self._packing = offers, offers.packing()
