"""Chooses what brings most together of all that some cards can lay: exact, lowest cards first.

What is left to lay is one integer, in which each card, and each meld of the table that may be built
on, has a field of a few bits. Copies of a card are counted in one field, so that it makes no
difference which of them is laid. The highest bit of a field is never set: it is there to be
borrowed from, and shows with one subtraction whether all the cards of an offer are left.

>>> three_fives, one_six = Field.at(0, 3, most=5), Field.at(3, 1, most=6)
>>> bin(three_fives.mask), bin(three_fives.guard), bin(one_six.unit)
('0b111', '0b100', '0b1000')

The lowest card that is left is not laid, or it is laid with one of the offers in which it is the
lowest; what that leaves is the same question again, and is answered once. No more offers are tried
once the choice brings all that the cards could bring, each at its most.

>>> fives, six, wild = three_fives.unit, one_six.unit, Field.at(5, 1, most=15)
>>> worth = {3 * fives: 15, 2 * fives + wild.unit: 25, fives + six + wild.unit: 26}
>>> packing = Packing([three_fives, one_six, wild], worth)
>>> packing.solve(3 * fives + six + wild.unit)
26
>>> packing.chosen(3 * fives + six + wild.unit) == [fives + six + wild.unit]
True

Of choices that bring the same, the lowest card is rather kept, and otherwise laid with the offer
that brings more, and of offers that bring the same with the highest. So the choice does not depend
on what was asked before.

This is enough. Answers only up to a floor, a bound for each offer, and a second bound (the best of
the later cards, as if none of them had been taken) were tried: each looks at fewer parts of the
hand, and takes as long or longer up to 26 cards with two jokers. Only where nearly everything can
be laid did they pay: 26 cards of five ranks and four jokers take 14 ms instead of 4, all 52 cards
and four jokers 0.14 s instead of 0.01.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

Packed: TypeAlias = int
"""Cards, and melds of the table, counted in the bits that a packing gives each of them."""


class Field(NamedTuple):
    """What is counted in some bits: one unit, all bits, the guard, and the most a unit can bring."""

    unit: Packed
    mask: Packed
    guard: Packed
    most: int

    @classmethod
    def at(cls, shift: int, copies: int, *, most: int) -> Field:
        """The field for so many copies of a card that begins at a bit."""
        guard = 1 << (shift + copies.bit_length())
        unit = 1 << shift
        return cls(unit, 2 * guard - unit, guard, most)

    @property
    def end(self) -> int:
        """The bit at which the next field begins."""
        return self.guard.bit_length()


class Packing:
    """The best choices among some offers, for as many parts of a hand as are asked about.

    `fields` stand in the order of the search, without gaps; `worth` is what offers are worth.
    """

    def __init__(self, fields: Sequence[Field], worth: Mapping[Packed, int]) -> None:
        self._fields = fields
        self._guard = sum([field.guard for field in fields])
        self._field_of_bit: list[int] = []
        for index, field in enumerate(fields):
            self._field_of_bit.extend([index] * field.mask.bit_count())
        in_offers = 0
        for cards in worth:
            in_offers |= cards
        self._useful = sum([field.mask for field in fields if field.mask & in_offers])
        self._offers: list[list[tuple[int, Packed]]] = [[] for _ in fields]
        for cards, value in worth.items():
            self._offers[self._lowest(cards)].append((value, cards))
        for offers in self._offers:
            offers.sort(reverse=True)
        self._best: dict[Packed, int] = {0: 0}
        self._chosen: dict[Packed, Packed] = {}

    @property
    def searched(self) -> int:
        """How many parts of the hand were looked at."""
        return len(self._best)

    def solve(self, part: Packed) -> int:
        """The most that a part of the hand can bring."""
        part &= self._useful
        return self._solve(part, self._most(part))

    def chosen(self, part: Packed) -> list[Packed]:
        """The offers that bring the most, for a part of the hand."""
        chosen = []
        part &= self._useful
        while part:
            self.solve(part)
            cards = self._chosen.get(part)
            if cards is None:
                part &= ~self._fields[self._lowest(part)].mask
            else:
                chosen.append(cards)
                part -= cards
        return chosen

    def _lowest(self, cards: Packed) -> int:
        """The index of the lowest field that has a card."""
        return self._field_of_bit[(cards & -cards).bit_length() - 1]

    def _most(self, cards: Packed) -> int:
        """All these cards, at the most that each can bring."""
        most = 0
        while cards:
            field = self._fields[self._lowest(cards)]
            here = cards & field.mask
            most += here // field.unit * field.most
            cards -= here
        return most

    def _solve(self, rest: Packed, most: int) -> int:
        """The best that the rest can bring; `most` is what all its cards bring at most."""
        answer = self._best.get(rest)
        if answer is not None:
            return answer
        lowest = self._field_of_bit[(rest & -rest).bit_length() - 1]
        field = self._fields[lowest]
        here = rest & field.mask
        best = self._solve(rest - here, most - here // field.unit * field.most)
        chosen = 0
        guard = self._guard
        guarded = rest | guard
        for value, cards in self._offers[lowest]:
            if best >= most:
                break
            if (guarded - cards) & guard == guard:
                left = rest - cards
                total = self._best.get(left)
                if total is None:
                    total = self._solve(left, most - value)
                total += value
                if total > best:
                    best, chosen = total, cards
        self._best[rest] = best
        if chosen:
            self._chosen[rest] = chosen
        return best
