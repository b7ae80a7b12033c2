"""Whether cards that nobody saw can be dealt to hands of known sizes, with sums that are on record.

Cards that are worth the same and may lie in the same hands are one class, of which only the number
matters. Each hand by itself is a matter of counting: which sums a number of cards of the later
classes can have, as bits of one integer. All hands together draw on the same cards: they are gone
through class by class, without going twice where nothing came of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Final

from meldref.core.cards import EMPTY, ONE, Card, Cards, count, size
from meldref.core.effort import EFFORT
from meldref.core.records import NamedTuple, record

MOST_STEPS: Final = 20_000
"""How many ways to share out one class of cards are looked at before a question is left open."""
LONGEST: Final = 400
"""No more cards are weighed than this: eight packs are fewer."""


@record
class Unseen:
    """Cards in hands that nobody saw: how many, and their possible worth (None: anything).

    `may_be` are the cards that can be among them, a bit each (None: all).
    """

    size: int
    sums: frozenset[int] | None = None
    may_be: int | None = None


class Dealt(NamedTuple):
    """Whether there is a way to deal (None: open), and the first one: the cards of each hand."""

    possible: bool | None
    hands: tuple[Cards, ...] = ()


class _Class(NamedTuple):
    """Cards worth the same that may lie in the same hands; `cards` are all its copies in a row."""

    worth: int
    fits: tuple[bool, ...]
    cards: tuple[Card, ...]


def deal(
    pool: Cards,
    worth: Sequence[int],
    hands: Sequence[Unseen],
    rng: Random | None = None,
    steps: int = MOST_STEPS,
) -> Dealt:
    """Deals cards of a pool to hands, so that each has its size and one of its sums.

    `worth` are the points of each card. With `rng`, any of the ways may be the first. Each way to
    share out a class is a step; after that number, the question is open.
    """
    number = sum([hand.size for hand in hands])
    if number > size(pool):
        return Dealt(possible=False)
    if number > LONGEST:
        return Dealt(possible=None)
    return _Dealing(pool, worth, hands, rng, steps).answer()


def sums_of(pool: Cards, worth: Sequence[int], hand: Unseen) -> frozenset[int]:
    """What a number of cards of a pool can be worth together, of those that may be in a hand."""
    lowest = min(worth)
    classes = _classes(pool, worth, [hand], lowest)
    reach = _reach(classes, hand.size, 0)[0][hand.size]
    return frozenset([bit + hand.size * lowest for bit in _bits(reach)])


class _Dealing:
    """One question, under way."""

    def __init__(
        self,
        pool: Cards,
        worth: Sequence[int],
        hands: Sequence[Unseen],
        rng: Random | None,
        steps: int,
    ) -> None:
        lowest = min(worth)  # points are counted from there, so that no sum is negative
        self._hands = hands
        self._classes = _classes(pool, worth, hands, lowest)
        self._rng = rng
        self._left = steps
        self._dead: set[tuple[int, tuple[int, ...], tuple[int, ...]]] = set()
        self._wanted = [
            None
            if hand.sums is None
            else sum([1 << at for total in hand.sums if (at := total - hand.size * lowest) >= 0])
            for hand in hands
        ]

    def _prepare(self) -> None:
        """Works out what each hand, and all of them as one, can come by from each class on."""
        self._reach = [
            _reach(self._classes, hand.size, index) for index, hand in enumerate(self._hands)
        ]
        self._fitting = [0] * (len(self._classes) + 1)
        for at in reversed(range(len(self._classes))):
            row = self._classes[at]
            self._fitting[at] = self._fitting[at + 1] + len(row.cards) * any(row.fits)
        self._together = self._sum_of_all()
        together = sum([hand.size for hand in self._hands])
        self._reach_of_all = (
            None if self._together is None else _reach(self._classes, together, None)
        )

    def _one_by_one(self) -> list[tuple[int, ...]] | None:
        """Deals to one hand after the other, a fair share of every class; None: in vain."""
        left = [len(row.cards) for row in self._classes]
        shares: list[list[int]] = [[0] * len(self._hands) for _ in left]
        for index in sorted(range(len(self._hands)), key=lambda hand: self._hands[hand].size):
            dealt = self._share_of(index, left)
            if dealt is None:
                return None
            for at, taken in enumerate(dealt):
                shares[at][index] = taken
                left[at] -= taken
        return [tuple(row) for row in shares]

    def _share_of(self, index: int, left: Sequence[int]) -> list[int] | None:
        """How many cards of each class a hand may get, of those that are left."""
        need, so_far, dealt = self._hands[index].size, 0, []
        rows = [
            (row.worth, number if row.fits[index] else 0)
            for row, number in zip(self._classes, left, strict=True)
        ]
        wanted, reach = self._wanted[index], _sums(rows, need)
        cards = sum([number for _, number in rows])
        for (worth, most), after in zip(rows, reach[1:], strict=True):
            fair, cards = round(need * most / max(1, cards)), cards - most
            for taken in sorted(range(min(most, need) + 1), key=lambda number: abs(number - fair)):
                sums = after[need - taken]
                if sums if wanted is None else sums & wanted >> so_far + worth * taken:
                    break
            else:
                return None
            dealt.append(taken)
            need, so_far = need - taken, so_far + worth * taken
        return None if need or not self._has_sum(index, so_far) else dealt

    def answer(self) -> Dealt:
        """The first way to deal, none, or open."""
        sizes = tuple([hand.size for hand in self._hands])
        shares = self._one_by_one() if self._rng is None else None
        if shares is None:
            self._prepare()
            shares = self._from(0, sizes, (0,) * len(sizes))
        if shares is None:
            return Dealt(possible=None if self._left < 0 else False)
        dealt = [EMPTY] * len(sizes)
        for row, share in zip(self._classes, shares, strict=False):
            cards = list(row.cards)
            if self._rng is not None:
                self._rng.shuffle(cards)
            for index, number in enumerate(share):
                for _ in range(number):
                    dealt[index] += ONE[cards.pop()]
        return Dealt(possible=True, hands=tuple(dealt))

    def _sum_of_all(self) -> int | None:
        """What all hands are worth together, where each has to be worth one certain sum."""
        sums = [wanted for wanted in self._wanted if wanted is not None and wanted.bit_count() == 1]
        if len(sums) < 2 or len(sums) < len(self._wanted):
            return None
        return sum([wanted.bit_length() - 1 for wanted in sums])

    def _from(
        self, at: int, sizes: tuple[int, ...], sums: tuple[int, ...]
    ) -> list[tuple[int, ...]] | None:
        """How the classes from one on go to hands that still need cards; None: not at all."""
        if not any(sizes):
            return [] if all(map(self._has_sum, range(len(sums)), sums)) else None
        if at == len(self._classes) or (at, sizes, sums) in self._dead:
            return None
        if self._can_go_on(at, sizes, sums):
            for share in self._shares(at, sizes):
                self._left -= 1
                EFFORT.spent += 1
                if self._left < 0:
                    return None
                worth = self._classes[at].worth
                more = self._from(
                    at + 1,
                    tuple([need - number for need, number in zip(sizes, share, strict=True)]),
                    tuple(
                        [
                            so_far + worth * number
                            for so_far, number in zip(sums, share, strict=True)
                        ]
                    ),
                )
                if more is not None:
                    return [share, *more]
        self._dead.add((at, sizes, sums))
        return None

    def _has_sum(self, index: int, so_far: int) -> bool:
        wanted = self._wanted[index]
        return wanted is None or bool(wanted >> so_far & 1)

    def _can_go_on(self, at: int, sizes: tuple[int, ...], sums: tuple[int, ...]) -> bool:
        """Whether each hand by itself, and all of them as one, can come by what they need."""
        if sum(sizes) > self._fitting[at]:
            return False
        for index, need in enumerate(sizes):
            reach, wanted = self._reach[index][at][need], self._wanted[index]
            if not (reach if wanted is None else reach & wanted >> sums[index]):
                return False
        if self._together is None or self._reach_of_all is None:
            return True
        rest = self._together - sum(sums)
        return rest >= 0 and bool(self._reach_of_all[at][sum(sizes)] >> rest & 1)

    def _shares(self, at: int, sizes: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        """The ways to share out a class, as many cards as possible first."""
        row = self._classes[at]
        most = [
            min(need, len(row.cards)) if fits else 0
            for need, fits in zip(sizes, row.fits, strict=True)
        ]
        shares: Iterator[tuple[int, ...]] = _shared(most, len(row.cards))
        if self._rng is None:
            return shares
        mixed = list(shares)
        self._rng.shuffle(mixed)
        return iter(mixed)


def _shared(most: Sequence[int], cards: int) -> Iterator[tuple[int, ...]]:
    """Numbers of cards for several hands, each within its own most, all within those there are."""
    if not most:
        yield ()
        return
    for number in range(min(most[0], cards), -1, -1):
        for rest in _shared(most[1:], cards - number):
            yield (number, *rest)


def _classes(
    pool: Cards, worth: Sequence[int], hands: Sequence[Unseen], lowest: int
) -> list[_Class]:
    """The cards of a pool by what they are worth and where they may lie, those worth most first."""
    rows: dict[tuple[int, tuple[bool, ...]], list[Card]] = {}
    for card in range(len(worth)):
        copies = count(pool, card)
        if copies:
            fits = tuple([hand.may_be is None or bool(hand.may_be >> card & 1) for hand in hands])
            rows.setdefault((worth[card] - lowest, fits), []).extend([card] * copies)
    ordered = sorted(rows.items(), key=lambda row: row[0], reverse=True)
    return [_Class(points, fits, tuple(cards)) for (points, fits), cards in ordered]


def _reach(classes: Sequence[_Class], number: int, hand: int | None) -> list[list[int]]:
    """The sums that so many cards of the classes from one on can have, a bit each.

    `hand` says whose cards they are (None: of all hands, as one).
    """
    fits = [any(row.fits) if hand is None else row.fits[hand] for row in classes]
    rows = [
        (row.worth, len(row.cards) if may else 0) for row, may in zip(classes, fits, strict=True)
    ]
    return _sums(rows, number)


def _sums(rows: Sequence[tuple[int, int]], number: int) -> list[list[int]]:
    """Sums of rows of cards: what each is worth, and how many there are."""
    reach = [[1] + [0] * number]
    for worth, most in reversed(rows):
        rest = reach[-1]
        sums = [*rest]
        for need in range(1, number + 1):
            for taken in range(1, min(most, need) + 1):
                sums[need] |= rest[need - taken] << worth * taken
        reach.append(sums)
    reach.reverse()
    return reach


def _bits(number: int) -> Iterator[int]:
    """The places of the bits that are set."""
    while number:
        lowest = number & -number
        yield lowest.bit_length() - 1
        number ^= lowest
