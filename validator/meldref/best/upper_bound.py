"""The most that a hand can bring at all, and the choice of melds and lay-offs that would bring it.

As if melds did not bear on each other beyond the cards they take: a bound on every way to lay the hand down. What
opens the table (`melds.first_points`, `layoff.before_melding`) and the card to be kept for the discard
(`out.melding_all: forbidden`) are part of the choice.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from meldref.best.board import Board
from meldref.best.objective import SCALE, Terms
from meldref.best.options import NewMeld, Offer, Offers, OnSpot
from meldref.best.packing import Packed, Packing
from meldref.best.templates import Catalogue
from meldref.core.cards import each


class Relaxed(NamedTuple):
    """A choice: its scaled value, what is laid, and how many parts of the hand were looked at."""

    value: int
    offers: tuple[Offer, ...]
    searched: int


@lru_cache(maxsize=64)
def catalogue(terms: Terms) -> Catalogue:
    """The forms that hands can fill under these terms; made once."""
    return Catalogue(terms)


def relaxed(board: Board, catalogue: Catalogue) -> Relaxed:
    """The best choice for the cards left on a board."""
    return _Choosing(board, catalogue).best()


class _Choosing:
    def __init__(self, board: Board, catalogue: Catalogue) -> None:
        terms = board.terms
        self.board = board
        self.must_open = board.must_open
        self.made = Offers(
            terms,
            catalogue,
            board.rest,
            board.spots,
            board.barred,
            whole=self.must_open and terms.first_points > 0,
        )
        self.packing = self.made.packing()
        self.openers: Mapping[Packed, tuple[int, NewMeld]] = {}
        self.without: Packing | None = None
        if self.must_open:
            self._look_for_openers()

    def _look_for_openers(self) -> None:
        made, terms = self.made, self.board.terms
        self.openers = made.openers
        if not terms.first_points:
            self.openers = {
                key: (made.worth[key], offer) for key, offer in made.offers.items() if isinstance(offer, NewMeld)
            }
        if not terms.melds_first:
            spots = {key: value for key, value in made.worth.items() if isinstance(made.offers[key], OnSpot)}
            self.without = made.packing(spots)

    def best(self) -> Relaxed:
        """The best choice, with a card kept where one has to be."""
        made = self.made
        value, offers = self._best_of(made.every | made.tables)
        if self.board.keeps and offers and value % SCALE == made.cards:
            parts = [made.every + made.tables - made.unit(card) for card in dict.fromkeys(each(self.board.rest))]
            value, offers = max(map(self._best_of, parts), key=lambda found: found[0], default=(0, ()))
        searched = self.packing.searched + (self.without.searched if self.without else 0)
        return Relaxed(value, offers, searched)

    def _best_of(self, part: Packed) -> tuple[int, tuple[Offer, ...]]:
        """The best choice for a part of the hand."""
        value = self.packing.solve(part)
        chosen = self.packing.chosen(part)
        if not self.must_open or not chosen or any(key in self.openers for key in chosen):
            opener = next((key for key in chosen if key in self.openers), None)
            return value, self._offers(chosen, opener)
        best, best_chosen, opener = 0, [], None
        if self.without is not None:
            best, best_chosen = self.without.solve(part), self.without.chosen(part)
        for key, (gained, _) in sorted(self.openers.items(), key=lambda one: -one[1][0]):
            if self.made.contains(part, key):
                total = gained + self.packing.solve(part - key)
                if total > best:
                    best, best_chosen, opener = total, [key, *self.packing.chosen(part - key)], key
                    if best == value:
                        break
        return best, self._offers(best_chosen, opener)

    def _offers(self, chosen: list[Packed], opener: Packed | None) -> tuple[Offer, ...]:
        """What is laid, the player's first meld first."""
        offers = [self.made.offers[key] for key in chosen if key != opener]
        offers += [self.made.offers[key] for key in chosen if key == opener][1:]
        return tuple(offers) if opener is None else (self.openers[opener][1], *offers)
