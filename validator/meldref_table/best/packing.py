"""Chooses what brings most together of all that some cards can lay: exact, lowest cards first.

What is left to lay is one integer that counts each card in a few bits, and highest of all what has
no place in the order: wild cards, and the melds of the table, each of which is built on once. The
lowest card is not laid, or it is laid with one of the offers in which it is the lowest; what that
leaves is the same question again, and is answered once. An offer is not followed where two bounds
say that it brings no more than what is known: all cards left at the most each can bring, and the
best of the later cards as if all of them, and all melds of the table, were still there. The latter
is an answer of the same kind, so that it costs little and proves much. And no question is answered
further than it takes to see that its answer is too small.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

Packed: TypeAlias = int
"""Cards, and melds of the table, counted in the bits that a packing gives each of them."""

_NOTHING_KNOWN: Final = -1
"""Laying nothing brings 0, so that every answer is above this."""


class Field(NamedTuple):
    """What is counted in some bits: one unit, the most units, and the most that one can bring."""

    unit: Packed
    copies: int
    most: int


class Packing:
    """The best choices among some offers, for as many parts of a hand as are asked about.

    `fields` stand in the order of the search; the last `loose` of them are wild cards and melds of
    the table, `tables` are all of the latter. `every` are all cards, `worth` is what offers are
    worth.
    """

    def __init__(
        self,
        fields: Sequence[Field],
        loose: int,
        every: Packed,
        tables: Packed,
        worth: Mapping[Packed, int],
    ) -> None:
        self._fields = fields
        self._field_of: list[int] = []
        self._masks: list[int] = []
        self._guard = 0
        for index, field in enumerate(fields):
            width = field.copies.bit_length() + 1
            self._field_of.extend([index] * width)
            self._masks.append(((1 << width) - 1) * field.unit)
            self._guard |= field.unit << (width - 1)
        self._wilds = sum(
            [mask for mask in self._masks[len(fields) - loose :] if not mask & tables]
        )
        some_offer = 0
        for cards in worth:
            some_offer |= cards
        self._useful = sum([mask for mask in self._masks if mask & some_offer])
        every &= self._useful
        self._most_of: dict[Packed, int] = {0: 0}
        self._after: list[Packed] = [tables] * len(fields)
        self._most_after: list[int] = [0] * len(fields)
        later, most = tables, 0
        for index in range(len(fields) - loose - 1, -1, -1):
            self._after[index], self._most_after[index] = later, most
            here = every & self._masks[index]
            later |= here
            most += here // fields[index].unit * fields[index].most
        self._offers: list[list[tuple[int, Packed, Packed]]] = [[] for _ in fields]
        for cards, value in worth.items():
            some = self._offers[self._field_of[(cards & -cards).bit_length() - 1]]
            some.append((value, cards, cards & self._wilds))
        for some in self._offers:
            some.sort(reverse=True)
        self._best: dict[Packed, int] = {0: 0}
        self._at_most: dict[Packed, int] = {}
        self._chosen: dict[Packed, Packed] = {}

    @property
    def searched(self) -> int:
        """How many parts of the hand were looked at."""
        return len(self._best) + len(self._at_most)

    def solve(self, part: Packed) -> int:
        """The most that a part of the hand can bring."""
        part &= self._useful
        return self._solve(part, self._most(part), _NOTHING_KNOWN)

    def _most(self, part: Packed) -> int:
        """All cards of a part, at the most that each can bring."""
        most = 0
        while part:
            field = self._field_of[(part & -part).bit_length() - 1]
            mask = self._masks[field]
            unit, _, each = self._fields[field]
            most += (part & mask) // unit * each
            part &= ~mask
        return most

    def _solve(self, rest: Packed, most: int, floor: int) -> int:
        """The best that the rest can bring if that is above the floor; else a bound below it."""
        best_of = self._best
        cached = best_of.get(rest)
        if cached is not None:
            return cached
        if most <= floor:
            return most
        at_most = self._at_most.get(rest)
        if at_most is not None and at_most <= floor:
            return at_most
        field = self._field_of[(rest & -rest).bit_length() - 1]
        mask = self._masks[field]
        here = rest & mask
        unit, _, each = self._fields[field]
        skipped = rest - here
        highest = best_of.get(skipped)
        if highest is None:
            highest = self._solve(skipped, most - here // unit * each, floor)
        best, highest, chosen = self._offered(rest, field, most, max(floor, highest), highest)
        if best > floor:
            best_of[rest] = best
            if chosen:
                self._chosen[rest] = chosen
        else:
            self._at_most[rest] = highest
        return highest

    def _offered(
        self, rest: Packed, field: int, most: int, best: int, highest: int
    ) -> tuple[int, int, Packed]:
        """The best with an offer in which the lowest card is laid.

        The highest bound of all; and that offer.
        """
        best_of, most_of = self._best, self._most_of
        guard = self._guard
        guarded = rest | guard
        mask, wilds = self._masks[field], rest & self._wilds
        after, most_after = self._after[field], self._most_after[field]
        chosen = 0
        for value, cards, taken in self._offers[field]:
            if (guarded - cards) & guard != guard:
                continue
            # The cards of an offer could bring what it brings, or more: the others bring no more
            # than this.
            total = most - value
            if value + total > best:
                left = rest - cards
                cached = best_of.get(left)
                if cached is None:
                    apart = (wilds - taken) | (left & mask)
                    total = best_of.get(after | apart, _NOTHING_KNOWN)
                    if total == _NOTHING_KNOWN:
                        most_apart = most_of.get(apart)
                        if most_apart is None:
                            most_apart = most_of[apart] = self._most(apart)
                        total = self._solve(after | apart, most_after + most_apart, best - value)
                    if value + total > best and left != after | apart:
                        total = self._solve(left, most - value, best - value)
                else:
                    total = cached
            total += value
            if total > highest:
                highest = total
                if total > best:
                    best, chosen = total, cards
        return best, highest, chosen

    def chosen(self, part: Packed) -> list[Packed]:
        """The offers that bring the most, for a part of the hand."""
        packed = []
        part &= self._useful
        while part:
            self.solve(part)
            cards = self._chosen.get(part)
            if cards is None:
                part &= ~self._masks[self._field_of[(part & -part).bit_length() - 1]]
            else:
                packed.append(cards)
                part -= cards
        return packed
