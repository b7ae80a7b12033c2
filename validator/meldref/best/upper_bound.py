"""The most that a hand can bring at all, and the choice of melds and lay-offs that would bring it.

As if melds did not bear on each other beyond the cards they take: a bound on every way to lay the hand down. What
opens the table (`melds.first_points`, `layoff.before_melding`) and the card to be kept for the discard
(`out.melding_all: forbidden`) are part of the choice.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from meldref.best.board import Board
from meldref.best.objective import SCALE, Terms
from meldref.best.options import NewMeld, Offer, Offers, OnSpot
from meldref.best.packing import Packed, Packing
from meldref.best.templates import Catalogue
from meldref.core.cards import each


@lru_cache(maxsize=64)
def catalogue(terms: Terms) -> Catalogue:
    """The forms that hands can fill under these terms; made once."""
    return Catalogue(terms)


class BestChoice:
    """The best choice for the cards left on a board, with a card kept where one has to be.

    `value` is what it brings, scaled, `offers` what is laid, `searched` how many parts of the hand were looked at.
    """

    def __init__(self, board: Board, catalogue: Catalogue) -> None:
        terms = board.terms
        self._must_open = not board.melded and (terms.first_points > 0 or terms.melds_first)
        asks_points = self._must_open and terms.first_points > 0
        made = self._made = Offers(terms, catalogue, board.rest, board.spots, board.barred, whole=asks_points)
        self._packing = made.packing()
        self._openers: Mapping[Packed, tuple[int, NewMeld]] = made.openers
        self._without: Packing | None = None
        if self._must_open and not terms.first_points:
            self._openers = {
                key: (made.worth[key], offer) for key, offer in made.offers.items() if isinstance(offer, NewMeld)
            }
        if self._must_open and not terms.melds_first:
            spots = {key: value for key, value in made.worth.items() if isinstance(made.offers[key], OnSpot)}
            self._without = made.packing(spots)
        self.value, self.offers = self._best_of(made.every | made.tables)
        if board.keeps and self.offers and self.value % SCALE == made.cards:
            parts = [made.every + made.tables - made.unit[card] for card in dict.fromkeys(each(board.rest))]
            self.value, self.offers = max(map(self._best_of, parts), key=lambda found: found[0], default=(0, ()))
        self.searched = self._packing.searched + (self._without.searched if self._without else 0)

    def _best_of(self, part: Packed) -> tuple[int, tuple[Offer, ...]]:
        """The best choice for a part of the hand."""
        value = self._packing.solve(part)
        chosen = self._packing.chosen(part)
        if not self._must_open or not chosen or any(key in self._openers for key in chosen):
            opener = next((key for key in chosen if key in self._openers), None)
            return value, self._offers(chosen, opener)
        best, best_chosen, opener = 0, [], None
        if self._without is not None:
            best, best_chosen = self._without.solve(part), self._without.chosen(part)
        for key, (gained, _) in sorted(self._openers.items(), key=lambda one: -one[1][0]):
            if self._made.contains(part, key):
                total = gained + self._packing.solve(part - key)
                if total > best:
                    best, best_chosen, opener = total, [key, *self._packing.chosen(part - key)], key
                    if best == value:
                        break
        return best, self._offers(best_chosen, opener)

    def _offers(self, chosen: list[Packed], opener: Packed | None) -> tuple[Offer, ...]:
        """What is laid, the player's first meld first."""
        offers = [self._made.offers[key] for key in chosen if key != opener]
        offers += [self._made.offers[key] for key in chosen if key == opener][1:]
        return tuple(offers) if opener is None else (self._openers[opener][1], *offers)
