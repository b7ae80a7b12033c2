"""Every meld in a hand: natural melds within reach, filled in all ways there are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, TypeAlias

from meldref.core.cards import ANY_SUIT, JOKER, ONE, WIDTH, Card, Cards, Played, bits_of, mask_of
from meldref.core.effort import EFFORT
from meldref.melds.interpret import readings
from meldref.melds.kinds import Roles
from meldref.melds.lay_off_index import KindIndex
from meldref.melds.shapes import WildCards

_ITSELF: Final = tuple(Played(card) for card in range(JOKER + 1))


def melds_in(
    kinds: Sequence[KindIndex],
    wilds: WildCards,
    cards: Cards,
    *,
    must: Card | None,
    barred: int,
    among: int | None,
    cached: Fillings,
) -> Iterator[tuple[Played, ...]]:
    """Every meld that all or some of the cards can make, as `MeldIndex.melds_in` says.

    `cached` are fillings that belong to these kinds and wild cards; more are noted there. Where
    `EFFORT` is over before the end, those that are left are not listed.
    """
    if must is not None and not cards >> (WIDTH * must) & 31:
        return
    wild = [(card, cards >> (WIDTH * card) & 31) for card in sorted(wilds.cards)]
    wild_cards = tuple(card for card, held in wild if held)
    total = sum(held for _, held in wild)
    natural_must = None if must in wilds.cards else must
    for place, fits in enumerate(kinds):
        filling: _Filling | None = None
        for roles in fits.within(cards, total, natural_must, among):
            if filling is None:
                rivals = [index for index in kinds[:place] if _may_agree(index, fits)]
                filling = _Filling(fits, wilds, wild_cards, must=must, barred=barred, cached=cached)
            EFFORT.spent += 1
            if EFFORT.over:
                return
            if not rivals:
                yield from filling.of(roles, cards, total)
                continue
            for meld in filling.of(roles, cards, total):
                if not _listed(rivals, fits, wilds, meld, barred):
                    yield meld


def _listed(
    rivals: Sequence[KindIndex],
    fits: KindIndex,
    wilds: WildCards,
    meld: tuple[Played, ...],
    barred: int,
) -> bool:
    """Whether a kind before this one has the same meld, written the same way."""
    if any(played.role is not None for played in meld):
        opens = fits.pattern.leaves_suits_open
        rivals = [
            index
            for index in rivals
            if wilds.suits_stated or index.pattern.leaves_suits_open == opens
        ]
    return bool(readings(rivals, wilds, meld, barred))


def _may_agree(index: KindIndex, other: KindIndex) -> bool:
    """Whether the same cards might be melds of both kinds, as far as a glance tells."""
    first, second = index.pattern, other.pattern
    if (first.takes_plain_jokers and second.takes_plain_jokers) or (
        1 in first.sizes and 1 in second.sizes
    ):
        return True
    if {first.kind.only, second.kind.only} & {("joker",)}:
        return False
    for a, b in ((first, second), (second, first)):
        if a.leaves_suits_open and (b.is_run or "distinct_ranks" in b.kind.require):
            return False
        if "same_suit" in a.kind.require and "distinct_suits" in b.kind.require:
            return False
    return True


Fillings: TypeAlias = "dict[tuple[str, Roles, int, int], tuple[tuple[Played, ...], ...]]"
"""The ways to lay natural melds of different cards where only jokers are wild.

By kind, roles, the roles that are lacking as bits, and the number of jokers. In groups with open
suits the natural cards of each way come first.
"""
_MOST_FILLINGS: Final = 8192
_MOST_JOKERS: Final = 2
"""With more of them, there are too many ways to remember."""


class _Filling:
    """The ways to lay a natural meld with the cards of a hand, wild cards among them."""

    def __init__(
        self,
        fits: KindIndex,
        wilds: WildCards,
        wild_cards: tuple[Card, ...],
        *,
        must: Card | None,
        barred: int,
        cached: Fillings,
    ) -> None:
        self._kind = fits.pattern.kind.name
        self._known = cached
        self._plain = not barred and must != JOKER and wild_cards in ((), (JOKER,))
        self._open = fits.pattern.leaves_suits_open and not wilds.suits_stated
        self._wild_cards = wild_cards
        self._joker_itself = Played(JOKER, JOKER) if wilds.jokers else _ITSELF[JOKER]
        self._naturals = wilds.least_naturals
        self._must = must
        self._barred = barred
        self._seen: set[tuple[Played, ...]] = set()

    def of(self, roles: Roles, cards: Cards, wilds: int) -> Iterable[tuple[Played, ...]]:
        """Every way, each once; with open suits, a way that another meld has shown is left out."""
        mask = bits_of(roles)
        if (
            self._plain
            and wilds <= _MOST_JOKERS
            and not mask >> JOKER
            and mask.bit_count() == len(roles)
        ):
            return self._plainly(roles, mask, cards, wilds)
        return self._searched(roles, cards, wilds)

    def _searched(self, roles: Roles, cards: Cards, wilds: int) -> Iterator[tuple[Played, ...]]:
        absent = [0] * (len(roles) + 1)
        for place in range(len(roles) - 1, -1, -1):
            absent[place] = absent[place + 1] + (not cards >> (WIDTH * roles[place]) & 31)
        for laid in self._ways(
            roles, absent, (), cards, wilds, len(roles) - self._naturals, self._must
        ):
            EFFORT.spent += 1
            if EFFORT.over:
                return
            if self._open:
                meld = tuple(sorted(laid, key=_natural_first))
                if meld in self._seen:
                    continue
                self._seen.add(meld)
                yield meld
            else:
                yield laid

    def _plainly(
        self, roles: Roles, mask: int, cards: Cards, wilds: int
    ) -> Iterable[tuple[Played, ...]]:
        """Lists fillings of different natural cards if only jokers are wild."""
        lacking = mask & ~mask_of(cards)
        key = self._kind, roles, lacking, wilds
        ways: Sequence[tuple[Played, ...]] | None = self._known.get(key)
        if ways is None:
            if len(self._known) >= _MOST_FILLINGS:
                self._known.clear()
            absent = [
                (lacking & bits_of(roles[place:])).bit_count() for place in range(len(roles) + 1)
            ]
            every = self._ways(roles, absent, (), cards, wilds, len(roles) - self._naturals, None)
            ways = tuple(
                [tuple(sorted(laid, key=_natural_first)) for laid in every] if self._open else every
            )
            self._known[key] = ways
        if self._must is not None:
            itself = _ITSELF[self._must]
            ways = [way for way in ways if itself in way]
        if self._open:
            ways = [way for way in ways if way not in self._seen]
            self._seen.update(ways)
        return ways

    def _ways(
        self,
        roles: Roles,
        absent: list[int],
        laid: tuple[Played, ...],
        cards: Cards,
        wilds: int,
        spare: int,
        owed: Card | None,
        *,
        least: int = 0,
    ) -> Iterator[tuple[Played, ...]]:
        """Fills the places after those laid; equal roles are filled in one order only.

        `absent` counts, from each place on, the roles that no natural card of the hand can fill,
        `wilds` the wild cards left, `spare` how many more places may be theirs, `least` the choice
        that filled the place before: 0 a natural card, 1 the first wild one. A card that is `owed`
        has still to be among them.
        """
        place = len(laid)
        if place == len(roles):
            if owed is None and spare >= 0:
                yield laid
            return
        if absent[place] > wilds or absent[place] > spare:
            return
        if owed is not None and owed not in self._wild_cards and owed not in roles[place:]:
            return
        role = roles[place]
        if place and roles[place - 1] != role:
            least = 0
        if not least and cards >> (WIDTH * role) & 31:
            itself = self._joker_itself if role == JOKER else _ITSELF[role]
            left = wilds - (role in self._wild_cards)
            lacking = None if role == owed else owed
            taken = itself.role is not None
            yield from self._ways(
                roles, absent, (*laid, itself), cards - ONE[role], left, spare - taken, lacking
            )
        if not wilds or spare < 1 or role == JOKER or self._barred >> role & 1:
            return
        only = owed if place == len(roles) - 1 else None
        stated = ANY_SUIT + role % 13 if self._open else role
        for choice, card in enumerate(self._wild_cards, start=1):
            if only not in {None, card} or choice < least or (card == role and not self._open):
                continue
            if cards >> (WIDTH * card) & 31:
                lacking = None if card == owed else owed
                more = (*laid, Played(card, stated))
                yield from self._ways(
                    roles,
                    absent,
                    more,
                    cards - ONE[card],
                    wilds - 1,
                    spare - 1,
                    lacking,
                    least=choice,
                )


def _natural_first(played: Played) -> tuple[bool, int]:
    return played.role is not None, played.card
