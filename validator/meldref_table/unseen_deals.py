"""Deals the cards that nobody saw into the places of a position that they may have."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TypeAlias

from meldref.core.cards import EMPTY, UNKNOWN, Card, Cards, count, counted, each, holds, size
from meldref.core.records import NamedTuple, changed
from meldref.position.model import Position
from meldref.positions.build import Built
from meldref_table.simulate.rng import Dice

Change: TypeAlias = Callable[[Position], None]
"""What changes a position."""


def is_counted(position: Position) -> bool:
    """Whether it is known how many unknown cards there are, and where."""
    return position.table_known and position.is_counted


class UnseenPlace(NamedTuple):
    """A place with an unknown card: `at` cards above it in the stock, or below it in the pile."""

    at: int
    in_stock: bool

    def put(self, card: Card, position: Position) -> None:
        """Puts a card there."""
        if self.in_stock:
            missing = self.at + 1 - len(position.stock)
            position.stock[:0] = [UNKNOWN] * max(0, missing)
            position.stock[-1 - self.at] = card
        else:
            position.pile[self.at] = card
        position.reveal(card)


def deal_unseen(built: Built, dice: Dice, *, fitting: bool = False) -> Built | None:
    """A deal with every card in a place, all equally likely; None if it does not fit a hand.

    `fitting`: hands of which more is known are dealt cards that fit, so that some are likelier.
    """
    position = built.position
    cards = list(each(position.unseen))
    dice.shuffle(cards)
    changes: list[Change] = []
    for seat in sorted(range(len(position.unknown)), key=lambda seat: seat not in position.among):
        among = position.among.get(seat)
        if among is not None and fitting:
            cards.sort(key=lambda card: bool(count(among, card)))
        held = tuple([cards.pop() for _ in range(min(position.unknown[seat], len(cards)))])
        if among is not None and not holds(among, counted(held)):
            return None
        changes.append(partial(hold, seat, held, EMPTY))
    places = [*places_in_stock(position, position.stock_size), *places_in_pile(position)]
    for place, card in zip(places, reversed(cards), strict=False):
        changes.append(partial(place.put, card))
    return filled(built, *changes)


def hold(seat: int, cards: Sequence[Card], rest: Cards, position: Position) -> None:
    """Puts cards into a hand in place of unknown ones; the others there are among `rest`."""
    position.among = {other: cards for other, cards in position.among.items() if other != seat}
    for card in cards:
        position.learn(seat, card)
    unknown = position.unknown[seat]
    if unknown and size(rest) == unknown:
        for card in each(rest):
            position.learn(seat, card)
    elif unknown:
        position.among = {**position.among, seat: rest}


def places_in_stock(position: Position, number: int) -> Iterator[UnseenPlace]:
    """The places of those of the next cards of the stock that are unknown."""
    from_top = position.stock[::-1]
    for above in range(number):
        if above >= len(from_top) or from_top[above] == UNKNOWN:
            yield UnseenPlace(above, in_stock=True)


def places_in_pile(position: Position) -> Iterator[UnseenPlace]:
    """The places of the pile's unknown cards."""
    for at, card in enumerate(position.pile):
        if card == UNKNOWN:
            yield UnseenPlace(at, in_stock=False)


def filled(built: Built, *changes: Change) -> Built:
    """A position with cards in places that were empty, in whichever hand of the game it is."""
    position = built.position.copy()
    for change in changes:
        change(position)
    in_hands = [(name, filled(hand, *changes)) for name, hand in built.in_hands]
    return changed(built, position=position, in_hands=tuple(in_hands))
