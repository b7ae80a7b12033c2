"""The lay-offs a player may make, with what wild cards may be said to stand for."""

from __future__ import annotations

from collections.abc import Iterator

from meldref.cards import ANY_SUIT, JOKER, Card, Played, natural, rank_of
from meldref.events import LayOff
from meldref.judge import Judge
from meldref.melds import MeldBook, Shape
from meldref.position.model import Position
from meldref.rules.meld import ways_to_extend
from meldref.simulate.reach import mask_cards


def exchangeable(position: Position) -> int:
    """The natural cards that might be exchanged for a wild card on the table: a bit for each."""
    bits = 0
    for meld in position.melds:
        for laid in meld.cards:
            if laid.role >= ANY_SUIT:
                bits |= sum(1 << natural(rank_of(laid.role), suit) for suit in range(4))
            elif laid.role != laid.card:
                bits |= 1 << laid.role
    return bits


class LayOffs:
    """Lay-offs for one hand; each that is given out has been put to the judge."""

    def __init__(self, judge: Judge, book: MeldBook) -> None:
        self._violation = judge.violation
        self._book = book
        self._wild_bits = sum(1 << card for card in book.wilds.cards)
        self._natural: dict[tuple[Card, int], LayOff] = {}
        self._wilds: dict[tuple[Card, int, Shape], tuple[LayOff, ...]] = {}

    def all(self, position: Position, mask: int) -> list[LayOff]:
        """Those of all cards of a hand, a bit for each card."""
        violation = self._violation
        found: list[LayOff] = []
        known = self._natural
        wild = mask & self._wild_bits
        natural = mask - wild
        for number, meld in enumerate(position.melds, start=1):
            shape = meld.shape
            if shape is None:
                continue
            fitting = shape.accepts & natural
            while fitting:
                low = fitting & -fitting
                fitting -= low
                key = low.bit_length() - 1, number
                lay = known.get(key)
                if lay is None:
                    lay = known[key] = LayOff((Played(key[0]),), number)
                if violation(position, lay) is None:
                    found.append(lay)
            if wild:
                for card in mask_cards(wild):
                    found += self.on(position, number, card)
        return found

    def of(self, position: Position, card: Card) -> Iterator[LayOff]:
        """Those of one card, on any meld."""
        bit = 1 << card
        wild = bit & self._wild_bits
        for number, meld in enumerate(position.melds, start=1):
            if meld.shape is not None and (wild or meld.shape.accepts & bit):
                yield from self.on(position, number, card)

    def on(self, position: Position, number: int, card: Card) -> Iterator[LayOff]:
        """Those of one card on one meld."""
        shape = position.melds[number - 1].shape
        if shape is None:
            return
        key = card, number, shape
        ways = self._wilds.get(key)
        if ways is None:
            ways = self._wilds[key] = tuple(LayOff((played,), number) for played in self._ways(shape, card))
        for lay in ways:
            if self._violation(position, lay) is None:
                yield lay

    def _ways(self, shape: Shape, card: Card) -> Iterator[Played]:
        """What a card may be said to be on a meld: itself, or for a wild card what it may stand for."""
        if not 1 << card & self._wild_bits:
            if card in shape.growth:
                yield Played(card)
            return
        for _, laid in ways_to_extend(self._book, shape, card):
            yield Played(card, None if laid.role == card != JOKER else laid.role)
