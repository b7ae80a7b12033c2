"""What hands may hold of the cards that a viewer has not seen: what they must and cannot."""

from __future__ import annotations

from meldref.core.cards import EMPTY, ONE, Cards, count, difference, each, size
from meldref.core.records import record
from meldref.position.model import Position


@record
class Possible:
    """The cards that were not seen, by where they may be.

    `unseen` are all of them. For seats with unknown cards, `must` are those of them that only this
    hand can hold, `cannot` those that it cannot hold; seats of which neither is known are left out.
    """

    unseen: Cards
    must: dict[int, Cards]
    cannot: dict[int, Cards]


def possible(position: Position) -> Possible | None:
    """What hands may hold where a hand stands; None after turns that nobody wrote down."""
    if not position.can_be_dealt:
        return None
    unseen = position.unseen
    must: dict[int, Cards] = {}
    cannot: dict[int, Cards] = {}
    for seat in position.order:
        unknown = position.unknown[seat]
        if not unknown:
            continue
        among = position.among.get(seat, unseen)
        # So many of the cards that it may hold lie elsewhere; of a card with more copies, it has one.
        elsewhere = size(among) - unknown
        certain = EMPTY
        for card in set(each(among)):
            certain += max(0, count(among, card) - elsewhere) * ONE[card]
        if certain != EMPTY:
            must[seat] = certain
        excluded = difference(unseen, among)
        if excluded != EMPTY:
            cannot[seat] = excluded
    return Possible(unseen, must, cannot)
