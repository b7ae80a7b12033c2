"""The lay-offs a player may make, with what wild cards may be said to stand for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from meldref.core.cards import Card, bits_of
from meldref.core.events import LayOff
from meldref.engine.judge import Judge
from meldref.melds import MeldIndex, Shape
from meldref.moves.exhaustive import lay_off_as_itself, rows, ways_to_lay_off
from meldref.position.model import Position, TableMeld
from meldref_table.simulate.quick_moves.bounds import Naturals, mask_cards
from meldref_table.simulate.quick_moves.kept_rules import rules_asked


class OpenMelds:
    """The melds on the table as they were when last looked at, and what could be laid off on them.

    `accepts` has a bit for each card that some meld takes as itself, and one for a joker that some
    meld takes as any card; `open` are the melds that could grow at all: number, shape, what it
    accepts, and every card that could come to lie on it. `placed` are the lay-offs of cards, a bit
    for each, that were asked for.
    """

    def __init__(self, table: Naturals) -> None:
        self.accepts = 0
        self.open: list[tuple[int, Shape, int, int]] = []
        self.placed: dict[int, list[LayOff]] = {}
        self._melds: Sequence[TableMeld] = ()
        self._laid = 0
        self._shapes: list[Shape | None] = []
        self._every: list[tuple[int, Shape, int, int] | None] = []
        self._naturals = table

    def look(self, position: Position) -> OpenMelds:
        """The table as it is now."""
        if position.melds is not self._melds or position.laid != self._laid:
            self._melds, self._laid = position.melds, position.laid
            shapes = [meld.shape for meld in position.melds]
            if shapes != self._shapes:
                self._change(shapes)
        return self

    def _change(self, shapes: list[Shape | None]) -> None:
        before, every = self._shapes, self._every
        self.placed.clear()
        count = len(before)
        self._shapes = shapes
        if shapes[:count] == before:
            for number, shape in enumerate(shapes[count:], start=count + 1):
                opened = self._opened(number, shape)
                every.append(opened)
                if opened is not None:
                    self.open.append(opened)
                    self.accepts |= opened[2]
            return
        del every[len(shapes) :]
        for index, shape in enumerate(shapes):
            if index >= count or before[index] is not shape:
                every[index : index + 1] = [self._opened(index + 1, shape)]
        self.open = [opened for opened in every if opened is not None]
        accepts = 0
        for opened in self.open:
            accepts |= opened[2]
        self.accepts = accepts

    def _opened(self, number: int, shape: Shape | None) -> tuple[int, Shape, int, int] | None:
        """A meld that could grow; None for one that cannot."""
        if shape is None or not shape.accepts:
            return None
        return number, shape, shape.accepts, self._naturals.ends(shape)

    def reached(self, mask: int, wilds: int) -> int:
        """Cards that might be laid off on the table after others of these."""
        if not wilds and not self.accepts & mask:
            return self.accepts
        reach = 0
        for _, shape, accepts, _ in self.open:
            reach |= (
                self._naturals.reach(shape, mask, wilds) if wilds or accepts & mask else accepts
            )
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

    def reaching(self, bit: int, mask: int) -> int:
        """Every card that could come to lie on a meld by laying off, perhaps after others of these.

        All as bits, of cards as themselves, of each of which there is one; 0 if there is no such
        meld.
        """
        for _, shape, accepts, ends in self.open:
            if ends & bit and (
                accepts & bit or (accepts & mask and self._naturals.reach(shape, mask, 0) & bit)
            ):
                return ends
        return 0


class LayOffs:
    """Lay-offs for one hand.

    `silent` says that a natural card which extends a meld as itself may be laid off there by
    anybody who may lay cards at all and owes nothing; `wild_silent` says the same of a wild card,
    as whatever it may stand for there.
    """

    def __init__(self, judge: Judge, book: MeldIndex, table: OpenMelds) -> None:
        self.silent = not rules_asked(judge, LayOff, wild=False)
        self.wild_silent = not rules_asked(judge, LayOff, wild=True)
        self.table = table
        self._judge, self._violation = judge, judge.violation
        self._book = book
        self._wild_bits = bits_of(book.wilds.cards)

    def all(self, position: Position, mask: int) -> list[LayOff]:
        """Those of all cards of a hand, a bit for each, whatever the rules say.

        The list is not to be changed.
        """
        table = self.table.look(position)
        laid = mask & (table.accepts | self._wild_bits)
        if not laid:
            return []
        placed = table.placed.get(laid)
        if placed is None:
            placed = table.placed[laid] = self._place(table, laid)
        return placed

    def _place(self, table: OpenMelds, laid: int) -> list[LayOff]:
        wild = laid & self._wild_bits
        if not wild and not laid & laid - 1:
            card = laid.bit_length() - 1
            return [lay_off_as_itself(card, row[0]) for row in table.open if row[2] & laid]
        lay_offs: list[LayOff] = []
        for number, shape, accepts, _ in table.open:
            lay_offs += [
                lay_off_as_itself(card, number) for card in mask_cards(accepts & laid & ~wild)
            ]
            for card in mask_cards(wild):
                lay_offs += ways_to_lay_off(self._book, shape, card, number)
        return lay_offs

    def of(self, position: Position, card: Card) -> Iterator[LayOff]:
        """Those of one card, on any meld."""
        bit = 1 << card
        wild = bit & self._wild_bits
        for number, _, accepts, _ in self.table.look(position).open:
            if wild or accepts & bit:
                yield from self.on(position, number, card)

    def on(self, position: Position, number: int, card: Card) -> Iterator[LayOff]:
        """Those of one card on one meld."""
        shape = position.melds[number - 1].shape
        if shape is None:
            return
        alone: list[LayOff] = []
        for lay in ways_to_lay_off(self._book, shape, card, number):
            if self._violation(position, lay) is None:
                yield lay
            else:
                alone.append(lay)
        if self._judge.lays_together:
            yield from rows(self._judge, position, alone)
