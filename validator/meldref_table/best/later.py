"""A turn as it may be when it ends: what is certain of it, whatever is laid before."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Final

from meldref.conditions.types import ANY, MOST, Number, Row, Truth
from meldref.conditions.view import SeenMeld, Thrown, View
from meldref.core.cards import UNKNOWN, Card
from meldref.position.memory import Deeds
from meldref.position.model import OnTable, Position
from meldref.position.turn import FROM_PILE, Source

_LIKE: Final = frozenset(("same_rank", "same_suit"))


class Later(View):
    """A turn, once its player has laid what they want, with a card thrown, or about to be.

    `drawn`: the draw is over; else cards will be taken from the pile. Wild cards are not exchanged.
    `possible` are the melds that the player can lay (None: nobody knows), which bring as many
    points at `most`; `laying`: one of them is laid; `keeping`: the player keeps a card.
    """

    __slots__ = ("_deeds", "_may_fit", "drawn", "keeping", "laying", "most", "possible")

    possible: Sequence[SeenMeld] | None
    most: int
    keeping: bool
    _deeds: Deeds | None

    def look_later(self, position: Position, may_fit: Callable[[], int], *, drawn: bool) -> None:
        """Points at a discard later in the turn under way; its card is set apart.

        `may_fit` says which cards may come to fit a meld, a bit for each.
        """
        self.look(position, None)
        self.drawn, self._may_fit = drawn, cache(may_fit)
        self.possible, self.most, self._deeds = None, MOST, None
        self.laying = self.keeping = False

    def melding(self, seat: int) -> Number:
        """In how many turns and calls a player melded or laid off."""
        number, deeds = super().melding(seat), self.turn.deeds
        if seat != self.seat or (deeds is not None and (deeds.melds or deeds.lay_offs)):
            return number
        low, high = (number, number) if isinstance(number, int) else number
        return low, high + 1

    def lay_offs(self, seat: int, *, own: bool = False) -> Number:
        """How many cards a player laid off."""
        number = super().lay_offs(seat, own=own)
        if seat != self.seat:
            return number
        least = number if isinstance(number, int) else number[0]
        return least, MOST

    @property
    def deeds(self) -> Deeds:
        """What will have been done in the turn."""
        if self._deeds is None:
            self._deeds = self._later_deeds()
        return self._deeds

    def _later_deeds(self) -> Deeds:
        deeds = super().deeds
        more: Any = (deeds.lay_offs, MOST)
        points: Any = (deeds.points, deeds.points + self.most) if self.tools.grows else ANY
        return deeds._replace(lay_offs=more, points=points)

    @property
    def source(self) -> Source:
        """Where the draw came from."""
        return self.turn.source if self.drawn else FROM_PILE

    def points(self, seat: int) -> Number:
        """Points on the table that are a player's."""
        return ANY

    def floats(self, seat: int) -> Truth:
        """Whether a player floats."""
        return None if seat == self.seat else super().floats(seat)

    def goes_out(self, seat: int) -> Truth:
        """Whether a player goes out as the turn ends."""
        return None if seat == self.seat and not self.keeping else False

    def fits(self, card: Card) -> Truth:
        """Whether a card fits a meld."""
        return None if self._may_fit() >> card & 1 else False

    def hand(self, seat: int) -> Row:
        """A player's cards."""
        return Row((), more=True) if seat == self.seat else super().hand(seat)

    def held(self, seat: int) -> Number:
        """How many cards a player holds."""
        held = super().held(seat)
        if seat != self.seat:
            return held
        least = 1 if self.keeping else 0
        return (least, held) if self.drawn and isinstance(held, int) else (least, MOST)

    def can_meld(self, seat: int) -> Truth:
        """Whether a player could lay a meld."""
        return None

    def row(self, cards: Sequence[Thrown], *, more: bool = False) -> Row:
        """Cards of the pile, or taken from it: any may be, before the draw."""
        return super().row(cards, more=more) if self.drawn else Row((), more=True, of_pile=True)

    def top(self) -> Thrown | None:
        """The top card of the pile."""
        return super().top() if self.drawn else Thrown(UNKNOWN)

    def is_end(self, card: OnTable) -> Truth:
        """Whether a card lies at an end of its sequence, which may be longer by then."""
        return False if super().is_end(card) is False else None

    def was_taken(self, card: Card) -> Truth:
        """Whether a card was taken in this turn."""
        if self.drawn:
            return (
                None
                if self.tools.twin == "allowed" and card in self.taken()
                else super().was_taken(card)
            )
        return False if card == self.card and self.position.copies[card] == 1 else None

    def melds(self, seat: int | None = None, *, new: bool = False) -> Row:
        """The melds on the table, which may be more by then, and longer."""
        melds: list[SeenMeld] = []
        row = super().melds(seat, new=new)
        for meld in row.known:
            shape = meld.shape
            alike = shape is not None and _LIKE.intersection(shape.pattern.kind.require)
            melds.append(meld._replace(unseen=True, shape=shape if alike else None))
        if seat is not None and seat != self.seat:
            return row._replace(known=melds)
        if self.possible is None:
            if self.laying:
                melds.append(SeenMeld((), None, self.seat, is_new=True, unseen=True))
            return Row(melds, more=True)
        return row._replace(known=melds, maybe=[*row.maybe, *self.possible])

    def laid(self, seat: int) -> Row:
        """The cards that a player laid."""
        row = super().laid(seat)
        return row._replace(more=True) if seat == self.seat else row

    def has_melded(self, seat: int, *, before: bool = False) -> Truth:
        """Whether a player has laid a meld."""
        melded = super().has_melded(seat, before=before)
        if (
            melded is not False
            or before
            or seat != self.seat
            or (self.possible is not None and not self.possible)
        ):
            return melded
        return self.laying or None
