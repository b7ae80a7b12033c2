"""Which cards keep others from being a meld: the smallest sets without which the others could be in one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from meldref.core.cards import ANY_SUIT, ONE, UNKNOWN, Cards, Played, Role
from meldref.melds.interpret import Sorted
from meldref.melds.kinds import Roles
from meldref.melds.lay_off_index import KindIndex, Solved
from meldref.melds.shapes import WildCards

MOST_SETS: Final = 3
"""Where more sets would do, none of them is at fault more than the others."""


def minimal_conflict(
    kinds: Sequence[KindIndex], wilds: WildCards, cards: Sequence[Played]
) -> tuple[tuple[Played, ...], ...]:
    """The smallest sets of cards that are at fault: with others in their place, or none, the rest is in one meld.

    Those that only have to be left out go before those that have to be replaced. None where more than half of the
    cards would have to go, or too many sets would do.
    """
    if any(played.card == UNKNOWN for played in cards):
        return ()
    written = Sorted.of(cards, wilds)
    held: Cards = 0
    for _, card in written.natural:
        held += ONE[card]
    bare = len(cards) - len(written.natural)
    tabled = [one for one in kinds if not isinstance(one, Solved)]
    for size in range(1, len(cards) // 2 + 1):
        left_out: set[tuple[int, ...]] = set()
        replaced: set[tuple[int, ...]] = set()
        for roles in _melds_near(tabled, held, bare + size, len(cards)):
            wrong = _outside(written, roles)
            if len(wrong) == size:
                spare = len(roles) - (len(cards) - size)
                (replaced if spare else left_out).add(tuple(sorted(wrong)))
        found = dict.fromkeys(tuple([cards[at] for at in places]) for places in sorted(left_out or replaced))
        if found:
            return tuple(found) if len(found) <= MOST_SETS else ()
    return ()


def _melds_near(kinds: Sequence[KindIndex], held: Cards, absent: int, most: int) -> Iterator[Roles]:
    for one in kinds:
        for roles in one.within(held, absent):
            if len(roles) <= most:
                yield roles


def _outside(written: Sorted, roles: Roles) -> list[int]:
    """The places of the cards that are not in a natural meld, of wild ones that cannot be what is said, too."""
    free = list(roles)
    wrong: list[int] = []
    for place, card in written.natural:
        if card in free:
            free.remove(card)
        else:
            wrong.append(place)
    for place, role in written.bound:
        fitting = next((one for one in free if _is(one, role)), None)
        if fitting is None:
            wrong.append(place)
        else:
            free.remove(fitting)
    wrong += written.bare[len(free) :]
    return wrong


def _is(card: Role, role: Role) -> bool:
    return card == role or (role >= ANY_SUIT and card % 13 == role - ANY_SUIT)
