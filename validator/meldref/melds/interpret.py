"""What cards laid together can be: every legal reading, and the one that counts.

A reading is a natural meld that contains the cards taken as themselves and those that wild cards
are said to stand for; what is left of it is what the other wild cards stand for. Identical jokers
are interchangeable.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from meldref.core.cards import ANY_SUIT, JOKER, Card, Played, Role, rank_of
from meldref.core.records import NamedTuple
from meldref.melds.kinds import Pattern, Roles
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
        low_ace = self.pattern.low_ace(self.order)
        return tuple(
            [
                Laid(played.card, role, role == low_ace)
                for played, role in zip(cards, self.roles, strict=True)
            ]
        )

    def spelled(self, cards: Sequence[Played]) -> tuple[Played, ...]:
        """The cards with what each wild card stands for, in the order of the meld."""
        explicit = [
            Played(played.card, None if role == played.card != JOKER else role)
            for played, role in zip(cards, self.roles, strict=True)
        ]
        place_of = {role: place for place, role in enumerate(self.order)}
        return tuple(
            sorted(
                explicit,
                key=lambda played: place_of[played.card if played.role is None else played.role],
            )
        )


class Sorted(NamedTuple):
    """Cards as written, sorted by what is said about them: pairs of a place and a card or role."""

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

    def naturals(self, wilds: WildCards) -> int:
        """How many are natural cards: a wild joker is none, whatever it stands for."""
        if not wilds.jokers:
            return len(self.natural)
        return len([card for _, card in self.natural if card != JOKER])


def readings(
    kinds: Sequence[KindIndex], wilds: WildCards, cards: Sequence[Played], barred: int = 0
) -> list[Possible]:
    """Every legal reading of the cards as one meld; `barred` are cards no wild card may stand for.

    The same roles are one reading: of two kinds that allow it, the first in the ruleset's order
    counts.
    """
    written = Sorted.of(cards, wilds)
    readings: dict[tuple[Roles, Roles], Possible] = {}
    for fits in kinds:
        if len(cards) not in fits.pattern.sizes or not _are_in_the_deck(fits.pattern, written):
            continue
        opens = (
            fits.pattern.leaves_suits_open
            and not wilds.suits_stated
            and len(written.natural) < len(cards)
        )
        for key, possible in (_open if opens else _closed)(
            fits, wilds, written, len(cards), barred
        ):
            readings.setdefault(key, possible)
    return list(readings.values())


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


def _open(
    fits: KindIndex, wilds: WildCards, written: Sorted, size: int, barred: int
) -> Iterator[tuple[tuple[Roles, Roles], Possible]]:
    """Readings whose wild cards stand for a rank while suits are left for it (P-JOK-09, -11)."""
    wanted = tuple(card for _, card in written.natural)
    bound_ranks = {rank_of(role) for _, role in written.bound}
    if written.naturals(wilds) < wilds.least_naturals or len(bound_ranks) > 1:
        return
    if any(role == JOKER for _, role in written.bound):
        return
    ranks: dict[int, None] = {}
    for meld in fits.containing(size, wanted):
        rank = meld[0] % 13
        if (
            rank not in ranks
            and (not bound_ranks or rank in bound_ranks)
            and not (barred and any(barred >> role & 1 for role in left_over(meld, wanted)))
        ):
            ranks[rank] = None
    for rank in ranks:
        role = ANY_SUIT + rank
        roles = [role] * size
        for place, card in written.natural:
            roles[place] = card
        yield (
            ((), (role,)),
            Possible(fits.pattern, tuple(sorted(roles)), tuple(roles), as_written=False),
        )


def _closed(
    fits: KindIndex, wilds: WildCards, written: Sorted, size: int, barred: int
) -> Iterator[tuple[tuple[Roles, Roles], Possible]]:
    """Readings in which every wild card stands for one card."""
    if written.naturals(wilds) < wilds.least_naturals:
        return
    full = [(place, role) for place, role in written.bound if role < ANY_SUIT]
    ranked = [(place, role) for place, role in written.bound if role >= ANY_SUIT]
    if full and any(role == JOKER or barred >> role & 1 for _, role in full):
        return
    fixed = written.natural + full
    wanted = tuple([role for _, role in fixed])
    whole = fits.containing(size, wanted)
    orders: dict[tuple[Roles, Roles], list[Roles]] = {}
    if len(wanted) == size and whole:
        orders[(), ()] = [*whole]  # every card is there: nothing is left to be divided
    elif whole:
        for meld in whole:
            for suited, free in _splits(
                left_over(meld, wanted), [rank_of(role) for _, role in ranked]
            ):
                if not (
                    barred
                    and any(role != JOKER and barred >> role & 1 for role in (*suited, *free))
                ):
                    orders.setdefault((suited, free), []).append(meld)
    for (suited, free), melds in orders.items():
        roles = [-1] * size
        for place, role in fixed:
            roles[place] = role
        for (place, _), role in zip(ranked, suited, strict=True):
            roles[place] = role
        if not fits.pattern.is_run:
            for place, role in zip(written.bare, free, strict=True):
                roles[place] = role
            possible = Possible(fits.pattern, melds[0], tuple(roles), as_written=False)
        else:
            possible = _run(fits.pattern, melds, roles, written, free)
        yield (tuple(sorted(suited)), free), possible


def _splits(rest: list[Role], ranks: list[int]) -> Iterator[tuple[Roles, Roles]]:
    """The ways to give a role of its rank to each card bound by rank.

    The others go to bare wild cards.
    """
    if not ranks:
        yield (), tuple(sorted(rest))
        return
    for role in dict.fromkeys(rest):
        if role != JOKER and role % 13 == ranks[0]:
            for suited, free in _splits(left_over(tuple(rest), (role,)), ranks[1:]):
                yield (role, *suited), free


def _run(
    pattern: Pattern, orders: list[Roles], fixed: list[Role], written: Sorted, free: Roles
) -> Possible:
    """A run with its bare jokers where they are written, if that is its order, up or down."""
    bare = written.bare
    for order in orders:
        upwards = _filled(fixed, bare, tuple(role for role in order if role in free))
        downwards = _filled(fixed, bare, tuple(role for role in reversed(order) if role in free))
        if upwards == order or downwards == order[::-1]:
            return Possible(
                pattern, order, upwards if upwards == order else downwards, as_written=True
            )
    low = min(
        orders, key=lambda order: order[0] % 13
    )  # of thirteen cards in no order, the ace is low
    return Possible(pattern, low, _filled(fixed, bare, free), as_written=False)


def _filled(fixed: list[Role], bare: list[int], free: Roles) -> Roles:
    roles = list(fixed)
    for place, role in zip(bare, free, strict=True):
        roles[place] = role
    return tuple(roles)
