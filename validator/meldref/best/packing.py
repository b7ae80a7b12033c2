"""Chooses, of all that some cards can lay, what brings most together: exact, by cards from the lowest up.

What is left to lay is one integer that counts each card in a few bits, most significant what has no place in the
order: wild cards, and the melds on the table, each of which is built on once. The lowest card is not laid, or it
is laid with one of the offers in which it is the lowest; what that leaves is the same question again, and is
answered once. An offer is not followed where it, and the best of all later cards, with all melds of the table
and the wild cards that it leaves, bring no more than what is known. That best is an answer of the same kind, so
the bound costs little and proves much.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

Packed: TypeAlias = int
"""Cards, and melds of the table, counted in the bits that a packing gives each of them."""


class Packing:
    """The best choices among some offers, for as many rests of the cards as are asked for.

    `ordered` are the fields in the order of the search, as pairs of a unit and a count; the last `loose` of them
    are wild cards and melds on the table. `worth` has the value of each offer.
    """

    def __init__(
        self, fields: Iterable[tuple[int, int]], loose: int, tables: Packed, worth: Mapping[Packed, int]
    ) -> None:
        self._guard = 0
        self._field_of: list[int] = []
        self._masks: list[int] = []
        for unit, copies in fields:
            width = copies.bit_length() + 1
            self._field_of.extend([len(self._masks)] * width)
            self._masks.append(((1 << width) - 1) * unit)
            self._guard |= unit << (width - 1)
        ordered = len(self._masks) - loose
        self._loose = sum(self._masks[ordered:])
        self._tables = tables
        self._after: list[Packed] = []
        self._ordered = ordered
        offers: list[list[tuple[int, Packed, Packed]]] = [[] for _ in self._masks]
        field_of = self._field_of
        every = self._loose
        for cards, value in worth.items():
            offers[field_of[(cards & -cards).bit_length() - 1]].append((value, cards, cards & every))
        for some in offers:
            some.sort(reverse=True)
        self._offers = offers
        self._best: dict[Packed, int] = {0: 0}
        self._chosen: dict[Packed, Packed] = {}
        self.solve: Callable[[Packed], int] = self._solve

    @property
    def searched(self) -> int:
        """How many rests were looked at."""
        return len(self._best)

    def start(self, whole: Packed) -> None:
        """Fixes the cards that bounds are about: every rest asked for is part of them."""
        self._after = []
        later = whole
        for mask in self._masks[: self._ordered]:
            later &= ~mask
            self._after.append(later & ~self._loose)

    def _solve(self, rest: Packed) -> int:
        """The most that these cards can bring."""
        known = self._best.get(rest)
        if known is not None:
            return known
        field = self._field_of[(rest & -rest).bit_length() - 1]
        best = self._solve(rest & ~self._masks[field])
        chosen = 0
        guard = self._guard
        guarded = rest | guard
        if field < self._ordered:
            after, tables = self._after[field] | self._tables, self._tables
            loose = rest & self._loose & ~tables
            for value, cards, taken in self._offers[field]:
                if (guarded - cards) & guard == guard:
                    # Further copies of this card are among those the bound is about.
                    bound = (after | loose) - (taken & ~tables)
                    if self._masks[field] & (rest - cards):
                        bound |= self._masks[field] & (rest - cards)
                    if bound == rest - cards or value + self._solve(bound) > best:
                        total = value + self._solve(rest - cards)
                        if total > best:
                            best, chosen = total, cards
        else:
            for value, cards, _ in self._offers[field]:
                if (guarded - cards) & guard == guard:
                    total = value + self._solve(rest - cards)
                    if total > best:
                        best, chosen = total, cards
        self._best[rest] = best
        if chosen:
            self._chosen[rest] = chosen
        return best

    def chosen(self, rest: Packed) -> list[Packed]:
        """The offers that bring the most, for cards that were asked about."""
        found = []
        while rest:
            if rest not in self._best:
                self._solve(rest)
            cards = self._chosen.get(rest)
            if cards is None:
                rest &= ~self._masks[self._field_of[(rest & -rest).bit_length() - 1]]
            else:
                found.append(cards)
                rest -= cards
        return found
