"""Melds to choose from where nobody knows who holds what: of cards that go together, wild ones among them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

from meldref.core.cards import JOKER, Card, Played, counted
from meldref.melds import MeldIndex
from meldref.position.model import Position

Way: TypeAlias = tuple[Played, ...]
"""Cards of a meld as they are written."""
WILDS: Final = (0, 0, 1, 1, 2, 3)
"""How many wild cards are among those that melds are looked for in, each as likely as another."""
_MOST_KEPT: Final = 4_000
_MOST_MELDS: Final = 60


def melds_of(position: Position, card: Card, form: int, wilds: int, must: Card | None) -> Sequence[Way]:
    """Melds of cards that go together, as the ruleset has them; kept, since the same are asked for again.

    Args:
        position: the table.
        card: the card that the others go with.
        form: 0 for cards of its rank, 1 for those beside it in its suit, 2 for those of other suits too.
        wilds: how many wild cards are among them.
        must: a card that has to be in the meld.
    """
    book = position.book
    key = (book, position.copies, card, form, wilds, must)
    known = _MELDS.get(key)
    if known is None:
        if len(_MELDS) >= _MOST_KEPT:
            _MELDS.clear()
        together = counted(_together(position, card, form, wilds))
        known = _MELDS[key] = tuple(book.melds_in(together, must=must, limit=_MOST_MELDS))
    return known


_MELDS: Final[dict[tuple[MeldIndex, tuple[int, ...], Card, int, int, Card | None], tuple[Way, ...]]] = {}


def _together(position: Position, card: Card, form: int, wilds: int) -> Iterator[Card]:
    """Cards that go with one, each as often as the deck has it; see `melds_of`."""
    copies = position.copies
    rank, suit = card % 13, card // 13
    near = [JOKER] * wilds
    near += sorted(one for one in position.book.wilds.cards if one != JOKER)[:wilds]
    if form == 0:
        near += [other * 13 + rank for other in range(4)] + [card] * (copies[card] - 1)
    else:
        near += [suit * 13 + (rank + step) % 13 for step in range(-3, 4)]
    if form == 2:
        near += [(suit + step) % 4 * 13 + (rank + step) % 13 for step in (-2, -1, 1, 2)]
    return (one for place, one in enumerate(near) if near[:place].count(one) < copies[one])


def bits(mask: int) -> Iterator[Card]:
    """The cards whose bits are set."""
    return (card for card in range(JOKER + 1) if mask >> card & 1)
