"""The melds of one kind, to be looked up by the cards they contain or the hand that can make them.

`NaturalMelds` holds all natural melds of a kind, found once by the solver; `Solved` asks the solver
each time, and remembers, if there are too many of them for a table. Both answer alike, which the
tests check against a search without either.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, Protocol

from meldref.core.cards import (
    ANY_SUIT,
    JOKER,
    NATURALS_MASK,
    Card,
    Cards,
    Role,
    bits_of,
    count,
    mask_of,
)
from meldref.core.records import NamedTuple
from meldref.melds import tables
from meldref.melds.kinds import Pattern, Roles

TABLE_LIMIT: Final = 4096
"""The most natural melds a kind may have to be tabled."""
_MEMO_LIMIT: Final = 20_000
_MOST_PARTS: Final = 64


class KindIndex(Protocol):
    """What one kind of meld has to offer."""

    @property
    def pattern(self) -> Pattern:
        """The kind, for one deck."""

    def containing(self, size: int, wanted: Roles) -> Sequence[Roles]:
        """The natural melds of a size that contain the wanted roles, each in its order.

        A run of all thirteen is there twice where its ace may be low or high.
        """

    def growing(self, size: int, wanted: Roles) -> Sequence[Roles]:
        """Those of `containing` that a meld with the wanted roles may grow into."""

    def within(
        self, held: Cards, wilds: int, must: Role | None = None, among: int | None = None
    ) -> Iterator[Roles]:
        """The natural melds of which all roles but `wilds` are held.

        With `must`, that have that role; with `among`, a bit for each role, that have no others.
        """


class _Natural(NamedTuple):
    """A natural meld: its roles as bits, the roles, and how often it has those it has repeatedly.

    >>> _Natural.of((0, 0, 13)) == _Natural(mask=0b10000000000001, roles=(0, 0, 13), several=((0, 2),))
    True
    """

    mask: int
    roles: Roles
    several: tuple[tuple[Role, int], ...]

    @classmethod
    def of(cls, roles: Roles) -> _Natural:
        """The meld of these roles."""
        return cls(bits_of(roles), roles, _several(roles))

    def lacking(self, held: Cards, absent: int) -> int:
        """How many of its roles are not held; `absent` are, as bits, those of which there is none."""
        lacking = (self.mask & absent).bit_count()
        for role, needed in self.several:
            lacking += max(0, needed - max(1, count(held, role)))
        return lacking


class NaturalMelds:
    """All natural melds of a kind, the smaller ones first, by size and by card."""

    def __init__(self, pattern: Pattern, melds: Sequence[Roles]) -> None:
        self.pattern = pattern
        self._by_card: dict[tuple[int, Role], list[_Natural]] = {}
        self._by_size: dict[int, list[Roles]] = {}
        self._melds: list[_Natural] = []
        self._melds_among: dict[int, list[_Natural]] = {}
        for roles in sorted(melds, key=len):
            size, natural = len(roles), _Natural.of(roles)
            self._by_size.setdefault(size, []).append(roles)
            self._melds.append(natural)
            for role in set(roles):
                self._by_card.setdefault((size, role), []).append(natural)

    def containing(self, size: int, wanted: Roles) -> Sequence[Roles]:
        """See `KindIndex`."""
        if not wanted:
            return self._by_size.get(size, ())
        mask = bits_of(wanted)
        melds = [
            meld.roles for meld in self._by_card.get((size, wanted[0]), ()) if not mask & ~meld.mask
        ]
        for role, needed in _several(wanted):
            melds = [roles for roles in melds if roles.count(role) >= needed]
        return melds

    def growing(self, size: int, wanted: Roles) -> Sequence[Roles]:
        """See `KindIndex`."""
        return self.containing(size, wanted)

    def within(
        self, held: Cards, wilds: int, must: Role | None = None, among: int | None = None
    ) -> Iterator[Roles]:
        """See `KindIndex`."""
        there = mask_of(held)
        if among is not None:
            melds = self._among(among)
            there &= among
        elif must is not None:
            melds = []
            for size in self._by_size:
                melds += self._by_card.get((size, must), ())
        else:
            melds = self._melds
        most = (there & NATURALS_MASK).bit_count() * self.pattern.packs + wilds
        if there >> JOKER & 1:
            most += self.pattern.jokers
        absent = ~there
        small = melds[: bisect_right(melds, most, key=_size)]
        # Most melds go here, in the shortest loop there is; copies of a role are looked at after it.
        for meld in [meld for meld in small if (meld.mask & absent).bit_count() <= wilds]:
            if must is not None and not meld.mask >> must & 1:
                continue
            if not meld.several or meld.lacking(held, absent) <= wilds:
                yield meld.roles

    def _among(self, among: int) -> list[_Natural]:
        melds = self._melds_among.get(among)
        if melds is None:
            if len(self._melds_among) >= _MOST_PARTS:
                self._melds_among.clear()
            melds = self._melds_among[among] = [
                meld for meld in self._melds if not meld.mask & ~among
            ]
        return melds


def _several(roles: Roles) -> tuple[tuple[Role, int], ...]:
    """Those of which there are several, and how many.

    >>> _several((4, 4, 17, 30)), _several((4, 17, 30))
    (((4, 2),), ())
    """
    if len({*roles}) == len(roles):
        return ()
    return tuple([(role, copies) for role, copies in Counter(roles).items() if copies > 1])


def _size(meld: _Natural) -> int:
    return len(meld.roles)


class Solved:
    """The melds of a kind that has too many for a table: solved when asked, and remembered."""

    def __init__(self, pattern: Pattern) -> None:
        self.pattern = pattern
        self._memo: dict[tuple[int, Roles], Sequence[Roles]] = {}

    def containing(self, size: int, wanted: Roles) -> Sequence[Roles]:
        """See `KindIndex`. Where no role is left open there is nothing to solve, only to check."""
        if len(wanted) == size:
            return self.pattern.arranged(wanted)
        key = size, tuple(sorted(wanted))
        cached = self._memo.get(key)
        if cached is None:
            cached = self._solve(*key)
            if len(self._memo) >= _MEMO_LIMIT:
                self._memo.clear()
            self._memo[key] = cached
        return cached

    def _solve(self, size: int, wanted: Roles) -> Sequence[Roles]:
        if next(self.pattern.frames(size, wanted), None) is None:
            return ()
        return tuple(tables.solve(self.pattern, size, wanted))

    def growing(self, size: int, wanted: Roles) -> Sequence[Roles]:
        """See `KindIndex`."""
        return self.containing(size, wanted)

    def within(
        self, held: Cards, wilds: int, must: Role | None = None, among: int | None = None
    ) -> Iterator[Roles]:
        """See `KindIndex`."""
        for roles in self.of_sizes(self.pattern.sizes, held, wilds, among):
            if must is None or must in roles:
                yield roles

    def of_sizes(
        self, sizes: range, held: Cards, wilds: int, among: int | None = None
    ) -> Iterator[Roles]:
        """The natural melds of some sizes of which all roles but `wilds` are held."""
        from meldref.melds import solver  # noqa: PLC0415

        for size in sizes:
            yield from solver.melds_from(self.pattern, size, held, wilds, among)


@lru_cache(maxsize=1024)
def is_tabled(pattern: Pattern, limit: int = TABLE_LIMIT) -> bool:
    """Whether a kind has at most `limit` natural melds, by a bound: the same answer each time."""
    return pattern.bound(limit) <= limit


def lay_off_index(pattern: Pattern, *, limit: int = TABLE_LIMIT) -> KindIndex:
    """The melds of a kind: from a table up to `limit`, above that solved when asked."""
    if is_tabled(pattern, limit):
        return NaturalMelds(pattern, tables.natural_melds(pattern))
    return Solved(pattern)


def left_over(roles: Roles, taken: Sequence[Role]) -> list[Role]:
    """The roles of a meld that are left when some of them are taken.

    >>> left_over((4, 4, 17), (4,))
    [4, 17]
    """
    rest = list(roles)
    for role in taken:
        rest.remove(role)
    return rest


def is_open(role: Role) -> bool:
    """Whether a role is a rank without a suit."""
    return role >= ANY_SUIT


def specific(roles: Sequence[Role]) -> tuple[Card, ...]:
    """The roles of a meld that are whole cards."""
    return tuple(role for role in roles if role < ANY_SUIT)
