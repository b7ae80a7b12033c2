"""Lays cards on the table: melds, lay-offs, exchanges, and the points they bring."""

from __future__ import annotations

from typing import TypeAlias

from meldref.core.cards import ONE, UNKNOWN, Card, Played
from meldref.core.events import LayOff, Meld, Swap
from meldref.melds import Extension, Fault, Laid, MeldIndex, Reading, Shape, ace_place_of
from meldref.position.model import OnTable, Position, TableMeld
from meldref.position.moved import HAND, MELD
from meldref.position.turn import Made
from meldref.rules.at_once import uses
from meldref.rules.base import Binding
from meldref.rules.layoff import moved_to, stand_in, swap_targets, targets
from meldref.rules.points import Worth
from meldref.rules.unseen import grown_for, grown_with

Melded: TypeAlias = "tuple[Shape | None, tuple[OnTable, ...], int]"
"""A meld as a player lays it: its shape, its cards on the table, all points."""

MOST_MELDS = 50_000
_new = tuple.__new__


class Laying:
    """Lays cards on the table under a ruleset; hands are not touched, but by a swap."""

    def __init__(self, binding: Binding, worth: Worth) -> None:
        ruleset = binding.ruleset
        self.binding = binding
        self.worth = worth
        self._book: MeldIndex | None = None
        self._known: dict[tuple[int, tuple[Played, ...]], Melded] = {}
        self._melder_scores = ruleset.layoff.counts_for == "melder"
        self._melding_uses = "meld" in ruleset.draw.use
        self._swapping_uses = "swap" in ruleset.draw.use
        self._moves_to_end = ruleset.melds.wild.swapped == "to_end"
        self._four_aces = ruleset.scoring.four_aces is not None

    def meld(self, position: Position, action: Meld) -> None:
        """Lays a new meld on the table."""
        turn = position.turn
        seat = turn.seat
        if action.number is not None and position.unseen_meld(action.number):
            position.fill_up(action.number - 1)
        duty = turn.duty
        owed = duty is not None and not (self._melding_uses and uses(action, duty.card))
        if owed and turn.before is None:
            turn.before = position.copy()
        shape, cards, total = self._read_meld(position, seat, action.cards)
        meld = TableMeld(seat, shape, [*cards], at_once=(len(cards), len(cards)))
        if action.number is None and not position.table_known:
            meld.numbered = False
        if position.history is not None:
            for place, card in enumerate(cards):
                position.note(card.card, HAND, MELD, seat, place, len(position.melds))
        position.melds.append(meld)
        position.laid += 1
        position.points[seat] += total
        if owed:
            as_laid = Meld(tuple([Played(laid.card, laid.role) for laid in cards]))
            turn.plays = (*turn.plays, Made(as_laid))
        if self._four_aces:
            self._count_four_aces(position, meld)

    def _read_meld(self, position: Position, seat: int, cards: tuple[Played, ...]) -> Melded:
        """How a player's cards lie when they are laid as a meld; as themselves where they are none.

        It is remembered, as long as the same book of melds is asked.
        """
        if position.book is not self._book:
            self._book = position.book
            self._known.clear()
        cached = self._known.get((seat, cards))
        if cached is None:
            reading = position.book.read(cards)
            if isinstance(reading, Reading):
                shape: Shape | None = reading.shape
                factor = self.worth.factor(len(cards))
                worth = self.worth.laid
                table = [
                    OnTable(laid.card, laid.role, seat, factor * worth(laid), laid.ace_place)
                    for laid in reading.laid
                ]
            else:
                shape = None
                table = [
                    OnTable(played.card, played.card, seat, self.worth.own(played.card))
                    for played in cards
                ]
            cached = shape, tuple(table), sum([laid.points for laid in table])
            if len(self._known) > MOST_MELDS:
                self._known.clear()
            self._known[seat, cards] = cached
        return cached

    def lay_off(self, position: Position, action: LayOff) -> bool:
        """Lays cards off, on the first meld they fit where none is named, or one that was not laid.

        False where they fit none.
        """
        turn = position.turn
        seat = turn.seat
        number = action.target
        table_known = position.table_known
        if number is None or (table_known and not position.melds[number - 1].cards):
            number = next(iter(targets(self.binding, position, seat, action.cards)), None)
            if number is None:
                return False
        if not table_known and position.unseen_meld(number):
            position.fill_up(number)
        meld = position.melds[number - 1]
        if meld.unseen:
            meld.shape = grown_for(self.binding, position, number, action.cards) or meld.shape
        position.laid += 1
        turn.grown += (number,) * len(action.cards)
        # What lies there was laid at once at most; the cards laid off now were not.
        least, most = meld.at_once
        meld.at_once = (least, min(most, max(least, len(meld.cards))))
        scorer = meld.seat if self._melder_scores else seat
        owed = turn.duty is not None and not uses(action, turn.duty.card)
        if owed and turn.before is None:
            turn.before = position.copy()
        for played in action.cards:
            laid = self._extend(position, meld, played)
            points = self.worth.laid(laid)
            if position.history is not None:
                position.note(laid.card, HAND, MELD, seat, len(meld.cards), number - 1)
            meld.cards.append(_new(OnTable, (laid.card, laid.role, scorer, points, laid.ace_place)))
            position.points[scorer] += points
            if owed:
                as_laid = LayOff((Played(laid.card, laid.role),), number)
                turn.plays = (*turn.plays, Made(as_laid))
        if meld.shape is not None:
            self._turn_aces(position, meld, meld.shape, number)
        if self._four_aces:
            self._count_four_aces(position, meld)
        return True

    def _turn_aces(self, position: Position, meld: TableMeld, shape: Shape, number: int) -> None:
        """The ace of a run beyond which a card was laid counts as it lies now."""
        for place, ace in self.worth.turned(shape, meld.cards):
            before = meld.cards[place].points
            position.points[ace.seat] += ace.points - before
            position.note(ace.card, MELD, MELD, ace.seat, place, number - 1, before)
            meld.cards[place] = ace

    def _extend(self, position: Position, meld: TableMeld, played: Played) -> Laid:
        """Adds a card to a meld's shape; if it does not fit, it lies there as itself."""
        if meld.shape is not None:
            extended = position.book.extend(meld.shape, played)
            if isinstance(extended, Fault) and extended.readings:
                extended = position.book.extend(meld.shape, extended.readings[0][-1])
            if not isinstance(extended, Fault):
                meld.shape = extended.shape
                return extended.laid
        return Laid(played.card, played.card)

    def _count_four_aces(self, position: Position, meld: TableMeld) -> None:
        """Four aces have a worth of their own, which the first of them carries."""
        worth = self.worth.four_aces(meld.cards)
        if worth is None:
            return
        seat = meld.cards[0].seat
        position.points[seat] += worth - sum(card.points for card in meld.cards)
        meld.cards[:] = [card._replace(points=0) for card in meld.cards]
        meld.cards[0] = meld.cards[0]._replace(points=worth)

    def swap(self, position: Position, action: Swap) -> None:
        """Puts a natural card in the place of the wild card that stands for it (O-JOK-02)."""
        turn = position.turn
        seat = turn.seat
        number = action.target
        if number is None:
            possible = swap_targets(self.binding, position, action.card)
            if not possible:
                return
            number = possible[0]
        if position.unseen_meld(number):
            position.fill_up(number)
        index = stand_in(position, number, action.card)
        moved = None
        if self._moves_to_end and index is not None:
            moved = moved_to(self.binding, position, number, index)
        if turn.duty is not None:
            turn.before = turn.before or position.copy()
            gained = None if index is None else position.melds[number - 1].cards[index].card
            made = Made(Swap(action.card, number), gained)
            if moved is not None:
                made = Made(made.action, None, moved.laid.said)
            turn.plays = (*turn.plays, made)
        if turn.duty is not None and turn.duty.card == action.card and self._swapping_uses:
            turn.duty = None
        meld = position.melds[number - 1]
        if index is None:
            self._swap_unseen(position, meld, action.card, number)
            return
        position.laid += 1
        old = meld.cards[index]
        assert meld.shape is not None
        meld.shape = position.book.replace(meld.shape, old.role, action.card) or meld.shape
        points = self.worth.laid(Laid(action.card, action.card, old.ace_place))
        scorer = meld.seat if self._melder_scores else seat
        meld.cards[index] = OnTable(action.card, action.card, scorer, points, old.ace_place)
        position.points[old.seat] -= old.points
        position.points[scorer] += points
        position.take_from_hand(seat, ONE[action.card])
        position.note(action.card, HAND, MELD, seat, index, number - 1)
        if moved is not None:
            self._move_to_end(position, meld, number, old, moved)
            return
        position.give(seat, old.card)
        position.note(old.card, MELD, HAND, seat, index, number - 1, old.points)
        turn.swapped += ONE[old.card]
        turn.plain = False

    def _move_to_end(
        self, position: Position, meld: TableMeld, number: int, old: OnTable, moved: Extension
    ) -> None:
        """Lays a wild card whose place was taken at an end of its run, where it counts as before.

        `old` is how it lay, and its points are gone from whoever had them.
        """
        shape, (card, role, ace_place) = moved
        points = self.worth.laid(moved.laid)
        least, most = meld.at_once
        meld.at_once = (least, min(most, max(least, len(meld.cards))))
        meld.shape = shape
        position.note(card, MELD, MELD, old.seat, len(meld.cards), number - 1, old.points)
        meld.cards.append(OnTable(card, role, old.seat, points, ace_place))
        position.points[old.seat] += points
        self._turn_aces(position, meld, shape, number)

    def _swap_unseen(self, position: Position, meld: TableMeld, card: Card, number: int) -> None:
        """Exchanges a wild card that somebody may have laid off unseen, where that can be."""
        shape = grown_with(position, number, card) if meld.unseen else None
        if shape is None:
            return
        seat = position.turn.seat
        meld.shape = shape
        position.laid += 1
        scorer = meld.seat if self._melder_scores else seat
        laid = Laid(card, card, ace_place_of(shape, card))
        points = self.worth.laid(laid)
        position.note(card, HAND, MELD, seat, len(meld.cards), number - 1)
        meld.cards.append(OnTable(card, card, scorer, points, laid.ace_place))
        position.points[scorer] += points
        position.take_from_hand(seat, ONE[card])
        if self._moves_to_end:
            return
        position.give(seat, UNKNOWN)
        position.note(UNKNOWN, MELD, HAND, seat, -1, number - 1)
