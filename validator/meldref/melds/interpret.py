"""What cards laid together can be: every legal reading, and the one that counts.

A reading is a natural meld that contains the cards taken as themselves and those that wild cards
are said to stand for; what is left of it is what the other wild cards stand for. Identical jokers
are interchangeable.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from meldref.core.cards import ACE, ANY_SUIT, JOKER, Card, Played, Role, rank_of
from meldref.core.records import NamedTuple
from meldref.melds.kinds import UNPLACED, Pattern, Roles
from meldref.melds.lay_off_index import KindIndex, left_over
from meldref.melds.shapes import Laid, WildCards


class Possible(NamedTuple):
    """A legal reading: the meld in order, the role of each card as written, and if those agree."""

    pattern: Pattern
    order: Roles
    roles: Roles
    as_written: bool

    def laid(self, cards: Sequence[Played]) -> tuple[Laid, ...]:
        """The cards as they lie on the table."""
        ace_place = self.pattern.ace_place(self.order)
        laid = []
        for played, role in zip(cards, self.roles, strict=True):
            is_ace_of_run = ace_place != UNPLACED and role % 13 == ACE
            laid.append(Laid(played.card, role, ace_place if is_ace_of_run else UNPLACED))
        return tuple(laid)

    def other_colour(self, cards: Sequence[Played], wilds: WildCards) -> Played | None:
        """A wild card that stands for one of the other colour where it may not, if there is one."""
        pairs = zip(cards, self.roles, strict=True)
        wrong = (Laid(card, role).said for (card, _), role in pairs if not wilds.may_be(card, role))
        return next(wrong, None)

    def spelled(self, cards: Sequence[Played]) -> tuple[Played, ...]:
        """The cards with what each wild card stands for, in the order of the meld."""
        place_of = {role: place for place, role in enumerate(self.order)}
        pairs = zip(cards, self.roles, strict=True)
        in_order = sorted(pairs, key=lambda pair: place_of[pair[1]])
        return tuple([Laid(played.card, role).said for played, role in in_order])


class Sorted(NamedTuple):
    """Cards as written, sorted by what is said about them: pairs of a place and a card or role.

    Nothing is said of `bare` ones, of which there are only places.

    >>> sevens = WildCards(frozenset((JOKER, 6)))
    >>> Sorted.of([Played(5), Played(JOKER), Played(6, 7), Played(JOKER, 8)], sevens)
    Sorted(natural=[(0, 5)], bound=[(2, 7), (3, 8)], bare=[1])
    """

    natural: list[tuple[int, Card]]
    bound: list[tuple[int, Role]]
    bare: list[int]

    @classmethod
    def of(cls, cards: Sequence[Played], wilds: WildCards) -> Sorted:
        """A card is itself unless another role is named or it is a joker (P-JOK-03, G-VAR-03)."""
        natural: list[tuple[int, Card]] = []
        bound: list[tuple[int, Role]] = []
        bare: list[int] = []
        jokers = wilds.jokers
        for place, (card, role) in enumerate(cards):
            if role is None and card == JOKER and jokers:
                bare.append(place)
            elif role is None or role == card:
                natural.append((place, card))
            else:
                bound.append((place, role))
        return cls(natural, bound, bare)

    def has_enough_naturals(self, wilds: WildCards) -> bool:
        """Whether there are natural cards enough: a wild joker is none, even as itself."""
        naturals = len(self.natural)
        if wilds.jokers:
            naturals = len([card for _, card in self.natural if card != JOKER])
        return naturals >= wilds.least_naturals


_ReadingKey: TypeAlias = tuple[Roles, Roles]
"""What tells readings apart: what cards said to have a rank stand for, and what bare ones do."""


def readings(
    kinds: Sequence[KindIndex], wilds: WildCards, cards: Sequence[Played], barred: int = 0
) -> list[Possible]:
    """Every legal reading of the cards as one meld; `barred` are cards no wild card may stand for.

    The same roles are one reading: of two kinds that allow it, the first in the ruleset's order
    counts.
    """
    written = Sorted.of(cards, wilds)
    if not written.has_enough_naturals(wilds):
        return []
    size = len(cards)
    by_roles: dict[_ReadingKey, Possible] = {}
    for fits in kinds:
        if size not in fits.pattern.sizes or not _are_in_the_deck(fits.pattern, written):
            continue
        has_wild_cards = len(written.natural) < size
        if has_wild_cards and fits.pattern.leaves_suits_open and not wilds.suits_stated:
            of_kind = _with_open_suits(fits, written, size, barred)
        else:
            of_kind = _with_whole_cards(fits, written, size, barred)
        for key, possible in of_kind:
            if not wilds.same_colour or possible.other_colour(cards, wilds) is None:
                by_roles.setdefault(key, possible)
    return list(by_roles.values())


def _are_in_the_deck(pattern: Pattern, written: Sorted) -> bool:
    """Whether the deck has as many copies of each natural card as are laid (P-JOK-12)."""
    cards = [card for _, card in written.natural]
    if len({*cards}) == len(cards):
        return True
    return all(cards.count(card) <= pattern.copies(card) for card in cards)


def chosen(possible: Sequence[Possible]) -> Possible | None:
    """The reading that counts: the only one, or the only one in the written order (P-JOK-05)."""
    if len(possible) == 1:
        return possible[0]
    if all(reading.pattern.is_run for reading in possible):
        as_written = [reading for reading in possible if reading.as_written]
        if len(as_written) == 1:
            return as_written[0]
    return None


def _is_barred(roles: Iterable[Role], barred: int) -> bool:
    """Whether one of these is a natural card that no wild card may stand for."""
    return any(role != JOKER and barred >> role & 1 for role in roles)


def _with_open_suits(
    fits: KindIndex, written: Sorted, size: int, barred: int
) -> Iterator[tuple[_ReadingKey, Possible]]:
    """Readings whose wild cards stand for a rank while suits are left for it (P-JOK-09, -11)."""
    wanted = tuple([card for _, card in written.natural])
    if any(role == JOKER for _, role in written.bound):
        return
    bound_ranks = {rank_of(role) for _, role in written.bound}
    if len(bound_ranks) > 1:
        return
    ranks: list[int] = []
    for meld in fits.containing(size, wanted):
        rank = meld[0] % 13
        if rank in ranks or (bound_ranks and rank not in bound_ranks):
            continue
        if not barred or not _is_barred(left_over(meld, wanted), barred):
            ranks.append(rank)
    for rank in ranks:
        role = ANY_SUIT + rank
        roles = [role] * size
        for place, card in written.natural:
            roles[place] = card
        order = tuple(sorted(roles))
        yield ((), (role,)), Possible(fits.pattern, order, tuple(roles), as_written=False)


def _with_whole_cards(
    fits: KindIndex, written: Sorted, size: int, barred: int
) -> Iterator[tuple[_ReadingKey, Possible]]:
    """Readings in which every wild card stands for one card."""
    whole_cards: list[tuple[int, Role]] = []
    ranks: list[tuple[int, int]] = []
    for place, role in written.bound:
        if role >= ANY_SUIT:
            ranks.append((place, rank_of(role)))
        elif role == JOKER or barred >> role & 1:
            return
        else:
            whole_cards.append((place, role))
    fixed = written.natural + whole_cards
    wanted = tuple([role for _, role in fixed])
    melds = fits.containing(size, wanted)
    if not melds:
        return
    melds_of: dict[_ReadingKey, list[Roles]] = {}
    if len(wanted) == size:
        melds_of[(), ()] = [*melds]
    else:
        for meld in melds:
            for of_ranks, free in _splits(left_over(meld, wanted), [rank for _, rank in ranks]):
                if not barred or not _is_barred((*of_ranks, *free), barred):
                    melds_of.setdefault((of_ranks, free), []).append(meld)
    for (of_ranks, free), orders in melds_of.items():
        roles = [-1] * size
        for place, role in fixed:
            roles[place] = role
        for (place, _), role in zip(ranks, of_ranks, strict=True):
            roles[place] = role
        if fits.pattern.is_run:
            possible = _run(fits.pattern, orders, roles, written.bare, free)
        else:
            filled = _filled(roles, written.bare, free)
            possible = Possible(fits.pattern, orders[0], filled, as_written=False)
        yield (tuple(sorted(of_ranks)), free), possible


def _splits(rest: list[Role], ranks: list[int]) -> Iterator[tuple[Roles, Roles]]:
    """The ways to give a role of its rank to each card bound by rank; the others are left free.

    >>> seven_of_clubs, seven_of_diamonds, eight_of_clubs = 6, 19, 7
    >>> list(_splits([seven_of_clubs, seven_of_diamonds, eight_of_clubs], [6]))
    [((6,), (7, 19)), ((19,), (6, 7))]
    """
    if not ranks:
        yield (), tuple(sorted(rest))
        return
    for role in dict.fromkeys(rest):
        if role != JOKER and role % 13 == ranks[0]:
            for of_ranks, free in _splits(left_over(tuple(rest), (role,)), ranks[1:]):
                yield (role, *of_ranks), free


def _run(
    pattern: Pattern, orders: list[Roles], fixed: list[Role], bare: list[int], free: Roles
) -> Possible:
    """A run with its bare jokers where they are written, if that is its order, up or down."""
    for order in orders:
        free_upwards = tuple([role for role in order if role in free])
        upwards = _filled(fixed, bare, free_upwards)
        if upwards == order:
            return Possible(pattern, order, upwards, as_written=True)
        downwards = _filled(fixed, bare, free_upwards[::-1])
        if downwards == order[::-1]:
            return Possible(pattern, order, downwards, as_written=True)
    # Of thirteen cards in no order, the ace is low.
    low = min(orders, key=lambda order: order[0] % 13)
    return Possible(pattern, low, _filled(fixed, bare, free), as_written=False)


def _filled(fixed: list[Role], bare: list[int], free: Roles) -> Roles:
    """The roles with what is free at the places of bare wild cards, one after the other."""
    roles = list(fixed)
    for place, role in zip(bare, free, strict=True):
        roles[place] = role
    return tuple(roles)
