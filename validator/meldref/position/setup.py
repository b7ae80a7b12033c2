"""Makes positions: the start of a hand from what was dealt."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from meldref.core.cards import EMPTY, ONE, UNKNOWN, Card, Cards, beside, count, counted, size
from meldref.melds import MeldIndex
from meldref.position.model import Position, TurnState


def empty_position(
    copies: tuple[int, ...],
    players: Sequence[str],
    book: MeldIndex,
    order: Sequence[int],
    wild_rank: int | None,
) -> Position:
    """A position with no cards anywhere yet: the whole deck is unknown stock.

    `order` is that of the turns.
    """
    number = len(players)
    return Position(
        players=tuple(players),
        book=book,
        copies=copies,
        hands=[0] * number,
        unknown=[0] * number,
        held=[0] * number,
        points=[0] * number,
        buys=(0,) * number,
        earlier_buys=(0,) * number,
        order=tuple(order),
        after=next_seats(tuple(order), number),
        stock_size=sum(copies),
        wild_rank=wild_rank,
    )


@cache
def next_seats(order: tuple[int, ...], players: int) -> tuple[int, ...]:
    """For each seat who plays after it.

    A seat that does not play is followed by the first that does.
    """
    after = [order[0]] * players
    for seat, following in zip(order, (*order[1:], order[0]), strict=True):
        after[seat] = following
    return tuple(after)


def known_of(cards: Sequence[Card]) -> Cards:
    """Those of some cards that are known, as a counted set."""
    return counted([card for card in cards if card != UNKNOWN] if UNKNOWN in cards else cards)


def put_hand(position: Position, seat: int, cards: Cards, held: int, unknown: int) -> None:
    """Deals a seat `held` cards: those known, and `unknown` others.

    Of a card that is named more often than any deck has it, as many are known as can be counted.
    """
    fits = beside(position.seen, cards)
    if fits != cards:
        unknown += size(cards) - size(fits)
        cards = fits
    position.hands[seat] = cards
    position.unknown[seat] = unknown
    position.held[seat] = held
    position.seen += cards
    position.stock_size -= held


def _as_counted(
    position: Position, cards: Sequence[Card], known_cards: Cards
) -> tuple[list[Card], Cards]:
    """A row of cards, some of them known.

    What cannot be counted beside the rest is taken for unknown.
    """
    fits = left = beside(position.seen, known_cards)
    if fits == known_cards:
        return [*cards], known_cards
    row: list[Card] = []
    for card in cards:
        there = card != UNKNOWN and count(left, card)
        left -= ONE[card] if there else EMPTY
        row.append(card if there else UNKNOWN)
    return row, fits


def put_pile(position: Position, cards: Sequence[Card]) -> None:
    """Lays cards on the pile, bottom to top."""
    position.pile, known_cards = _as_counted(position, cards, known_of(cards))
    position.seen += known_cards
    position.stock_size -= len(cards)


def put_stock(
    position: Position, cards: Sequence[Card], known_cards: Cards, *, whole: bool = False
) -> None:
    """Names the next cards of the stock, top first, of which some are known.

    `whole`: they are all of it.
    """
    position.stock, known_cards = _as_counted(position, cards, known_cards)
    position.stock.reverse()
    position.seen += known_cards
    if whole:
        position.stock_size = len(cards)


def first_to_move(position: Position, seat: int | None) -> None:
    """Sets whose turn it is; None if nobody knows."""
    position.turn = TurnState(seat if seat is not None else position.order[0])
    position.mover_known = seat is not None
    position.begins = True
