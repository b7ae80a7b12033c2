"""The lay-offs a player may make, with what wild cards may be said to stand for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from meldref.cards import ANY_SUIT, JOKER, Card, Played, natural, rank_of
from meldref.events import LayOff
from meldref.judge import Judge
from meldref.melds import MeldBook, Shape
from meldref.position.model import Position, TableMeld
from meldref.rules.meld import ways_to_extend
from meldref.simulate.reach import Naturals, mask_cards


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


class Table:
    """The melds on the table as they were when last looked at, and what could be laid off on them.

    `accepts` has a bit for each card that some meld takes as itself, and one for a joker that some meld takes as
    any card; `open` are the melds that could grow at all: number, shape, what it accepts, and every card that
    could come to lie on it.
    """

    def __init__(self, table: Naturals) -> None:
        self.accepts = 0
        self.open: list[tuple[int, Shape, int, int]] = []
        self._shapes: list[Shape | None] = []
        self._every: list[tuple[int, Shape, int, int] | None] = []
        self._naturals = table

    def look(self, melds: Sequence[TableMeld]) -> Table:
        """The table as it is now."""
        shapes = [meld.shape for meld in melds]
        if shapes != self._shapes:
            self._change(shapes)
        return self

    def _change(self, shapes: list[Shape | None]) -> None:
        before, every = self._shapes, self._every
        del every[len(shapes) :]
        for index, shape in enumerate(shapes):
            if index < len(every) and before[index] is shape:
                continue
            one = None
            if shape is not None and shape.accepts:
                one = index + 1, shape, shape.accepts, self._naturals.ends(shape)
            every[index : index + 1] = [one]
        self._shapes = shapes
        self.open = [one for one in every if one is not None]
        self.accepts = 0
        for _, _, accepts, _ in self.open:
            self.accepts |= accepts

    def reached(self, mask: int, wilds: int) -> int:
        """Cards that might be laid off on the table after others of these."""
        if not wilds and not self.accepts & mask:
            return self.accepts
        reach = 0
        for _, shape, accepts, _ in self.open:
            reach |= self._naturals.reach(shape, mask, wilds) if wilds or accepts & mask else accepts
        return reach

    def may_take(self, bit: int, mask: int, wilds: int) -> bool:
        """Whether a card might be laid off on some meld, perhaps after others of these."""
        for _, shape, accepts, ends in self.open:
            if ends & bit:
                if accepts & bit:
                    return True
                if (wilds or accepts & mask) and self._naturals.reach(shape, mask, wilds) & bit:
                    return True
        return False


class LayOffs:
    """Lay-offs for one hand; each that is given out has been put to the rules that can say anything of it.

    `silent` says that a natural card which extends a meld as itself may be laid off there by anybody who may lay
    cards at all, owes nothing, and does not play a call.
    """

    def __init__(self, judge: Judge, book: MeldBook, table: Table) -> None:
        rules = judge.ruleset
        self.silent = (
            rules.layoff.onto == "any"
            and rules.layoff.before_melding == "allowed"
            and rules.out.melding_all != "forbidden"
        )
        self.table = table
        self._violation = judge.violation
        self._book = book
        self._wild_bits = sum(1 << card for card in book.wilds.cards)
        self._natural: dict[tuple[Card, int], LayOff] = {}
        self._wilds: dict[tuple[Card, int, Shape], tuple[LayOff, ...]] = {}

    def all(self, position: Position, mask: int, *, judged: bool) -> list[LayOff]:
        """Those of all cards of a hand, a bit for each card.

        Without `judged`, those of natural cards that extend a meld, whatever the rules say of them.
        """
        found: list[LayOff] = []
        table = self.table.look(position.melds)
        if not table.accepts & mask and not mask & self._wild_bits:
            return found
        violation, known = self._violation, self._natural
        wild = mask & self._wild_bits
        natural = mask - wild
        for number, _, accepts, _ in table.open:
            fitting = accepts & natural
            while fitting:
                low = fitting & -fitting
                fitting -= low
                key = low.bit_length() - 1, number
                lay = known.get(key)
                if lay is None:
                    lay = known[key] = LayOff((Played(key[0]),), number)
                if not judged or violation(position, lay) is None:
                    found.append(lay)
            if wild:
                for card in mask_cards(wild):
                    found += self.on(position, number, card)
        return found

    def of(self, position: Position, card: Card) -> Iterator[LayOff]:
        """Those of one card, on any meld."""
        bit = 1 << card
        wild = bit & self._wild_bits
        for number, _, accepts, _ in self.table.look(position.melds).open:
            if wild or accepts & bit:
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
