"""Chooses, of all that some cards can lay, what brings most together: exact, by cards from the lowest up.

What is left to lay is one integer that counts each card in a few bits, and highest of all what has no place in
the order: wild cards, and the melds of the table, each of which is built on once. The lowest card is not laid, or
it is laid with one of the offers in which it is the lowest; what that leaves is the same question again, and is
answered once. An offer is not followed where it brings no more than what is known, even if all later cards were
still there and all melds of the table. What those bring is an answer of the same kind, so that the bound costs
little and proves much.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

Packed: TypeAlias = int
"""Cards, and melds of the table, counted in the bits that a packing gives each of them."""


class Packing:
    """The best choices among some offers, for as many parts of a hand as are asked about.

    `fields` are units and most copies in the order of the search; the last `loose` of them are wild cards and
    melds of the table, `tables` are all of the latter. `every` are all cards, `worth` is what offers are worth.
    """

    def __init__(
        self,
        fields: Sequence[tuple[int, int]],
        loose: int,
        every: Packed,
        tables: Packed,
        worth: Mapping[Packed, int],
    ) -> None:
        self._ordered = len(fields) - loose
        self._tables = tables
        self._field_of: list[int] = []
        self._others: list[int] = []
        self._mask: list[int] = []
        self._guard = 0
        for index, (unit, copies) in enumerate(fields):
            width = copies.bit_length() + 1
            self._field_of.extend([index] * width)
            mask = ((1 << width) - 1) * unit
            self._mask.append(mask)
            self._others.append(~mask)
            self._guard |= unit << (width - 1)
        self._wilds = sum(self._mask[self._ordered :]) & ~sum(
            mask for mask in self._mask[self._ordered :] if mask & tables
        )
        self._after: list[Packed] = []
        later = every & ~self._wilds
        for mask in self._mask[: self._ordered]:
            later &= ~mask
            self._after.append(later | tables)
        self._offers: list[list[tuple[int, Packed, Packed]]] = [[] for _ in fields]
        for cards, value in worth.items():
            self._offers[self._field_of[(cards & -cards).bit_length() - 1]].append(
                (value, cards, cards & self._wilds)
            )
        for some in self._offers:
            some.sort(reverse=True)
        self._best: dict[Packed, int] = {0: 0}
        self._chosen: dict[Packed, Packed] = {}

    @property
    def searched(self) -> int:
        """How many parts of the hand were looked at."""
        return len(self._best)

    def solve(self, rest: Packed) -> int:
        """The most that a part of the hand can bring."""
        best_of = self._best
        best = best_of.get(rest)
        if best is not None:
            return best
        field = self._field_of[(rest & -rest).bit_length() - 1]
        skipped = rest & self._others[field]
        best = best_of.get(skipped)
        if best is None:
            best = self.solve(skipped)
        offers = self._offers[field]
        if offers:
            guard = self._guard
            guarded = rest | guard
            chosen = 0
            if field < self._ordered:
                mask = self._mask[field]
                after, wilds = self._after[field], rest & self._wilds
                for value, cards, taken in offers:
                    if (guarded - cards) & guard == guard:
                        left = rest - cards
                        bound = after | (wilds - taken) | (left & mask)
                        most = best_of.get(bound)
                        if most is None:
                            most = self.solve(bound)
                        if value + most > best:
                            total = best_of.get(left)
                            if total is None:
                                total = self.solve(left)
                            if value + total > best:
                                best, chosen = value + total, cards
            else:
                for value, cards, _ in offers:
                    if (guarded - cards) & guard == guard:
                        total = value + self.solve(rest - cards)
                        if total > best:
                            best, chosen = total, cards
            if chosen:
                self._chosen[rest] = chosen
        best_of[rest] = best
        return best

    def chosen(self, rest: Packed) -> list[Packed]:
        """The offers that bring the most, for a part of the hand."""
        found = []
        while rest:
            self.solve(rest)
            cards = self._chosen.get(rest)
            if cards is None:
                rest &= self._others[self._field_of[(rest & -rest).bit_length() - 1]]
            else:
                found.append(cards)
                rest -= cards
        return found
