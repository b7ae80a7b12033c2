"""Every meld in a hand: natural melds within reach, filled in all ways there are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, TypeAlias

from meldref.core.cards import ANY_SUIT, JOKER, ONE, Card, Cards, Played, bits_of, count, mask_of
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
    if must is not None and not count(cards, must):
        return
    wild_cards = tuple([card for card in sorted(wilds.cards) if count(cards, card)])
    wild_total = sum([count(cards, card) for card in wild_cards])
    natural_must = None if must in wilds.cards else must
    for place, fits in enumerate(kinds):
        filling: _Filling | None = None
        for roles in fits.within(cards, wild_total, natural_must, among):
            if filling is None:
                rivals = [index for index in kinds[:place] if _may_agree(index, fits)]
                filling = _Filling(fits, wilds, wild_cards, must=must, barred=barred, cached=cached)
            EFFORT.spent += 1
            if EFFORT.over:
                return
            if not rivals:
                yield from filling.of(roles, cards, wild_total)
                continue
            for meld in filling.of(roles, cards, wild_total):
                if not _is_listed(rivals, fits, wilds, meld, barred):
                    yield meld


def _is_listed(
    rivals: Sequence[KindIndex],
    fits: KindIndex,
    wilds: WildCards,
    meld: tuple[Played, ...],
    barred: int,
) -> bool:
    """Whether a kind before this one has the same meld, written the same way."""
    if not wilds.suits_stated and any(played.role is not None for played in meld):
        # Whether a wild card is written with a suit depends on the kind.
        opens = fits.pattern.leaves_suits_open
        rivals = [index for index in rivals if index.pattern.leaves_suits_open == opens]
    return bool(readings(rivals, wilds, meld, barred))


def _may_agree(index: KindIndex, other: KindIndex) -> bool:
    """Whether the same cards might be melds of both kinds, as far as a glance tells."""
    first, second = index.pattern, other.pattern
    if first.takes_plain_jokers and second.takes_plain_jokers:
        return True
    if 1 in first.sizes and 1 in second.sizes:
        return True
    if ("joker",) in (first.kind.only, second.kind.only):
        return False
    for pattern, rival in ((first, second), (second, first)):
        if pattern.leaves_suits_open and (rival.is_run or "distinct_ranks" in rival.kind.require):
            return False
        if "same_suit" in pattern.kind.require and "distinct_suits" in rival.kind.require:
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
        self._cached = cached
        self._only_jokers = not barred and must != JOKER and wild_cards in ((), (JOKER,))
        self._opens = fits.pattern.leaves_suits_open and not wilds.suits_stated
        self._wild_cards = wild_cards
        self._joker_itself = Played(JOKER, JOKER) if wilds.jokers else _ITSELF[JOKER]
        self._naturals = wilds.least_naturals
        self._wilds, self._same_colour = wilds, wilds.same_colour
        self._must = must
        self._barred = barred
        self._seen: set[tuple[Played, ...]] = set()

    def of(self, roles: Roles, cards: Cards, wilds: int) -> Iterable[tuple[Played, ...]]:
        """Every way, each once; with open suits, a way that another meld has shown is left out."""
        mask = bits_of(roles)
        has_joker = bool(mask >> JOKER)
        are_different = mask.bit_count() == len(roles)
        if self._only_jokers and wilds <= _MOST_JOKERS and are_different and not has_joker:
            return self._remembered(roles, mask, cards, wilds)
        return self._searched(roles, cards, wilds)

    def _searched(self, roles: Roles, cards: Cards, wilds: int) -> Iterator[tuple[Played, ...]]:
        """The ways, one by one."""
        absent = [0] * (len(roles) + 1)
        for place in range(len(roles) - 1, -1, -1):
            absent[place] = absent[place + 1] + (not count(cards, roles[place]))
        spare = len(roles) - self._naturals
        for laid in self._ways(roles, absent, (), cards, wilds, spare, self._must):
            EFFORT.spent += 1
            if EFFORT.over:
                return
            if not self._opens:
                yield laid
                continue
            meld = _naturals_first(laid)
            if meld not in self._seen:
                self._seen.add(meld)
                yield meld

    def _remembered(
        self, roles: Roles, mask: int, cards: Cards, wilds: int
    ) -> Iterable[tuple[Played, ...]]:
        """The ways of a meld of different natural cards if only jokers are wild.

        They depend on which of its cards are lacking, and on how many jokers there are.
        """
        lacking = mask & ~mask_of(cards)
        key = self._kind, roles, lacking, wilds
        ways: Sequence[tuple[Played, ...]] | None = self._cached.get(key)
        if ways is None:
            absent = [
                (lacking & bits_of(roles[place:])).bit_count() for place in range(len(roles) + 1)
            ]
            spare = len(roles) - self._naturals
            every_way = list(self._ways(roles, absent, (), cards, wilds, spare, None))
            if self._opens:
                every_way = list(map(_naturals_first, every_way))
            if len(self._cached) >= _MOST_FILLINGS:
                self._cached.clear()
            ways = self._cached[key] = tuple(every_way)
        if self._must is not None:
            itself = _ITSELF[self._must]
            ways = [way for way in ways if itself in way]
        if self._opens:
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
        if not least and count(cards, role):
            itself = self._joker_itself if role == JOKER else _ITSELF[role]
            still_owed = None if role == owed else owed
            # A wild card as itself is a natural one, but for a joker, and is wild no more.
            wilds_left = wilds - (role in self._wild_cards)
            spare_left = spare - (itself.role is not None)
            longer, rest = (*laid, itself), cards - ONE[role]
            yield from self._ways(roles, absent, longer, rest, wilds_left, spare_left, still_owed)
        if not wilds or spare < 1 or role == JOKER or self._barred >> role & 1:
            return
        is_last = place == len(roles) - 1
        stated = ANY_SUIT + role % 13 if self._opens else role
        for choice, card in enumerate(self._wild_cards, start=1):
            if choice < least or not count(cards, card):
                continue
            if (card == role and not self._opens) or (is_last and owed not in {None, card}):
                continue
            if self._same_colour and not self._wilds.may_be(card, stated):
                continue
            still_owed = None if card == owed else owed
            longer, rest = (*laid, Played(card, stated)), cards - ONE[card]
            yield from self._ways(
                roles, absent, longer, rest, wilds - 1, spare - 1, still_owed, least=choice
            )


def _naturals_first(laid: tuple[Played, ...]) -> tuple[Played, ...]:
    """The cards as a group with open suits is written."""
    return tuple(sorted(laid, key=lambda played: (played.role is not None, played.card)))
