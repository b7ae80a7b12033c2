"""The melds of one kind, ready to be looked up: which ones contain given cards, which ones a hand can make.

`Table` holds all natural melds of a kind, found once by the solver; `Solved` asks the solver each time, and
remembers, where there are too many of them for a table. Both answer alike, which the tests check against a
search without either.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Final, Protocol

from meldref.core.cards import (
    ANY_SUIT,
    GUARD,
    JOKER,
    NATURALS_MASK,
    ONE,
    WIDTH,
    Card,
    Cards,
    Role,
    bits_of,
    mask_of,
)
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

    def within(
        self, held: Cards, wilds: int, must: Role | None = None, among: int | None = None
    ) -> Iterator[Roles]:
        """The natural melds of which all roles but `wilds` are held.

        With `must`, that have that role; with `among`, a bit for each role, that have no others.
        """


def missing(held: Cards, roles: Roles) -> int:
    """How many of these roles are not among the cards held."""
    absent = 0
    for place, role in enumerate(roles):
        if roles.index(role) == place:
            absent += max(0, roles.count(role) - (held >> (WIDTH * role) & 31))
    return absent


class NaturalMelds:
    """All natural melds of a kind, the smaller ones first, by size and by card."""

    def __init__(self, pattern: Pattern, melds: Sequence[Roles]) -> None:
        self.pattern = pattern
        self._by_card: dict[tuple[int, Role], list[tuple[Cards, Roles]]] = {}
        self._by_size: dict[int, list[Roles]] = {}
        self._masks: list[tuple[int, Roles]] = []
        self._masks_by_card: dict[Role, list[tuple[int, Roles]]] = {}
        self._masks_among: dict[int, list[tuple[int, Roles]]] = {}
        for roles in sorted(melds, key=len):
            cards = 0
            mask = 0
            for role in roles:
                cards += ONE[role]
                mask |= 1 << role
            self._by_size.setdefault(len(roles), []).append(roles)
            self._masks.append((mask, roles))
            for role in dict.fromkeys(roles):
                self._by_card.setdefault((len(roles), role), []).append((cards, roles))
                self._masks_by_card.setdefault(role, []).append((mask, roles))

    def containing(self, size: int, wanted: Roles) -> Sequence[Roles]:
        """See `Fits`."""
        if not wanted:
            return self._by_size.get(size, ())
        cards = 0
        for role in wanted:
            cards += ONE[role]
        return [
            roles
            for all_of_it, roles in self._by_card.get((size, wanted[0]), ())
            if ((all_of_it | GUARD) - cards) & GUARD == GUARD
        ]

    def within(
        self, held: Cards, wilds: int, must: Role | None = None, among: int | None = None
    ) -> Iterator[Roles]:
        """See `Fits`."""
        there = mask_of(held)
        if among is not None:
            masks = self._among(among)
            there &= among
        else:
            masks = self._masks if must is None else self._masks_by_card.get(must, [])
        most = (there & NATURALS_MASK).bit_count() * self.pattern.packs + wilds
        if there >> JOKER & 1:
            most += self.pattern.jokers
        absent = ~there
        for mask, roles in [one for one in masks[: _up_to(masks, most)] if (one[0] & absent).bit_count() <= wilds]:
            if must is not None and not mask >> must & 1:
                continue
            if mask.bit_count() == len(roles) or missing(held, roles) <= wilds:
                yield roles

    def _among(self, among: int) -> list[tuple[int, Roles]]:
        known = self._masks_among.get(among)
        if known is None:
            if len(self._masks_among) >= _MOST_PARTS:
                self._masks_among.clear()
            known = self._masks_among[among] = [one for one in self._masks if not one[0] & ~among]
        return known


def _up_to(masks: Sequence[tuple[int, Roles]], size: int) -> int:
    """How many of some melds, the smaller ones first, are not larger than that."""
    return bisect_right(masks, size, key=lambda one: len(one[1]))


class Solved:
    """The melds of a kind that has too many for a table: solved when asked, and remembered."""

    def __init__(self, pattern: Pattern) -> None:
        self.pattern = pattern
        self._memo: dict[tuple[int, Roles], Sequence[Roles]] = {}

    def containing(self, size: int, wanted: Roles) -> Sequence[Roles]:
        """See `Fits`. Where no role is left open there is nothing to solve, only to check."""
        if len(wanted) == size:
            return self.pattern.arranged(wanted)
        key = size, tuple(sorted(wanted))
        known = self._memo.get(key)
        if known is None:
            known = self._solve(*key)
            if len(self._memo) >= _MEMO_LIMIT:
                self._memo.clear()
            self._memo[key] = known
        return known

    def _solve(self, size: int, wanted: Roles) -> Sequence[Roles]:
        if next(self.pattern.frames(size, wanted), None) is None:
            return ()
        from meldref.melds import solver  # noqa: PLC0415  costs more than most questions

        return tuple(solver.melds(self.pattern, size, wanted))

    def within(
        self, held: Cards, wilds: int, must: Role | None = None, among: int | None = None
    ) -> Iterator[Roles]:
        """See `Fits`."""
        from meldref.melds import solver  # noqa: PLC0415  costs more than most questions

        for size in self.pattern.sizes:
            for roles in solver.melds_from(self.pattern, size, held, wilds):
                if (must is None or must in roles) and (among is None or not bits_of(roles) & ~among):
                    yield roles


def lay_off_index(pattern: Pattern, *, limit: int = TABLE_LIMIT) -> KindIndex:
    """The melds of a kind: in a table if there are not more than `limit`, else solved when asked."""
    if pattern.bound(limit) > limit:
        return Solved(pattern)
    return NaturalMelds(pattern, tables.natural_melds(pattern))


def left_over(roles: Roles, taken: Sequence[Role]) -> list[Role]:
    """The roles of a meld that given ones leave to others."""
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
