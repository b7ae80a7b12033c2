"""What a condition looks at: a position with the action that is about to happen, or has happened, in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias

from meldref.conditions.types import MOST, Number, Row, Truth
from meldref.core.cards import EMPTY, ONE, UNKNOWN, Card, Cards, count, each
from meldref.core.events import Action, LayOff, Meld
from meldref.core.records import record
from meldref.melds import Shape
from meldref.position.memory import Deeds, Memory
from meldref.position.model import OnTable, Position, TableMeld, uncounted
from meldref.position.turn import Source, TurnState, is_one_taken

SeenCard: TypeAlias = "Card | OnTable"
"""A card that a condition looks at, with how it lies where it lies on the table."""
_NO_DEEDS = Deeds(-1)


class SeenMeld(NamedTuple):
    """A meld as a condition looks at it; `number` counts from 0, `unseen`: it may be longer by now."""

    cards: Sequence[OnTable]
    shape: Shape | None
    seat: int
    is_new: bool
    unseen: bool = False
    owned: bool = True


@record
class Tools:
    """What the rules know that conditions ask about, bound to a ruleset.

    `fits`: whether a player may lay a card off; `partner` of a seat; `lies`: a meld as it will lie after a play;
    `takes`: what an action takes from the pile; `held` and `laid`: points of cards in hand, and as they lie.
    `twin` is how equal cards count that were held already (`discard.twin`), `grows` says that what is laid never
    costs points, `buys` that cards can be bought.
    """

    fits: Callable[[Position, int, Card], Truth]
    partner: Callable[[int], int | None]
    lies: Callable[[Position, Any], TableMeld]
    takes: Callable[[Position, Any], Sequence[Card] | None]
    held: Sequence[int]
    laid: Callable[[OnTable], int]
    twin: str
    grows: bool = True
    buys: bool = True


class View:
    """A position and an action, as the conditions of house rules look at them.

    One is kept and pointed at one thing after another. `seat` is whose deed it is, or whose score; `it` what a
    list's condition looks at; `card` is that of the action; `thrown` a card that is on the pile already, though
    the position has it in hand; `over`: the hand is over; `scores` are those of the hand, by seat.
    """

    __slots__ = ("_meld", "action", "card", "it", "over", "position", "scores", "seat", "thrown", "tools", "turn")

    position: Position
    turn: TurnState
    action: Any

    def __init__(self, tools: Tools) -> None:
        self.tools = tools
        self.seat = 0
        self.action = None
        self.card: Card = UNKNOWN
        self.it: Any = None
        self.thrown: Card | None = None
        self.over = False
        self.scores: Sequence[Number] = ()
        self._meld: SeenMeld | None = None

    def look(self, position: Position, action: Action | None) -> View:
        """Points at an action that is about to happen in a position; gives itself."""
        self.card = getattr(action, "card", UNKNOWN)
        self.position, self.turn, self.action = position, position.turn, action
        self.seat = position.turn.seat
        self.thrown = self._meld = None
        self.over = False
        return self

    def look_at_end(self, position: Position, turn: TurnState, thrown: Card | None) -> View:
        """Points at a turn or call that ends, in the position after it but for a card thrown; gives itself."""
        self.position, self.turn, self.seat, self.thrown = position, turn, turn.seat, thrown
        self.action = self._meld = None
        self.over = False
        return self

    def look_at_score(self, position: Position, seat: int, scores: Sequence[Number]) -> None:
        """Points at a player when the hand is over."""
        self.look(position, None)
        self.seat, self.over, self.scores = seat, True, scores

    @property
    def memory(self) -> Memory:
        """What is remembered of the hand."""
        memory = self.position.memory
        assert memory is not None
        return memory

    @property
    def deeds(self) -> Deeds:
        """What was done in this turn or call; when the hand is over, in its last one."""
        return (self.memory.latest if self.over else self.turn.deeds) or _NO_DEEDS

    @property
    def source(self) -> Source:
        """Where the draw of this turn came from."""
        return self.turn.source

    def points(self, seat: int) -> Number:
        """Points on the table that are a player's."""
        return self.position.points[seat]

    def melding(self, seat: int) -> Number:
        """In how many turns and calls of the hand a player melded or laid off."""
        return self.memory.melding[seat]

    def floats(self, seat: int) -> Truth:
        """Whether a player floats."""
        return seat in self.position.floating

    def fits(self, card: Card) -> Truth:
        """Whether a card fits a meld that the player may build on."""
        return self.tools.fits(self.position, self.seat, card)

    def unseen_pool(self) -> Cards:
        """The cards that have no known place, a counted set."""
        left = self.position.left
        return sum([min(max(left(card), 0), 15) * one for card, one in enumerate(ONE)])

    def hand(self, seat: int) -> Row:
        """A player's cards."""
        position = self.position
        known, unseen = position.hands[seat], position.unknown[seat]
        if uncounted(position.held[seat]):
            return Row(tuple(each(known)), 0, EMPTY, more=True)
        if self.thrown is not None and seat == self.seat:
            if self.thrown != UNKNOWN and count(known, self.thrown):
                known -= ONE[self.thrown]
            elif unseen:
                unseen -= 1
        if not unseen:
            return Row(tuple(each(known)))
        return Row(tuple(each(known)), unseen, position.among.get(seat) or self.unseen_pool())

    def held(self, seat: int) -> Number:
        """How many cards a player holds."""
        held = self.position.held[seat]
        if uncounted(held):
            return (0, MOST)
        return held - 1 if self.thrown is not None and seat == self.seat else held

    def pile(self) -> Row:
        """The pile."""
        position = self.position
        cards = position.pile if self.thrown is None else [*position.pile, self.thrown]
        return self.row(cards, more=not position.pile_known)

    def row(self, cards: Sequence[Card], *, more: bool = False) -> Row:
        """Cards of which nobody may have seen some."""
        if UNKNOWN not in cards:
            return Row(cards, 0, EMPTY, more)
        known = [card for card in cards if card != UNKNOWN]
        return Row(known, len(cards) - len(known), self.unseen_pool(), more)

    def taken(self) -> Sequence[Card]:
        """The cards taken from the pile in this turn or call."""
        return self.turn.taken or self.deeds.taken

    def was_taken(self, card: Card) -> Truth:
        """Whether a card is one of them; equal cards as in `discard.twin`."""
        taken = self.taken()
        if card not in taken:
            return None if UNKNOWN in taken and self.position.left(card) > 0 else False
        return is_one_taken(self.position, self.turn, card, self.tools.twin)

    def melds(self, seat: int | None = None, *, new: bool = False) -> Row:
        """The melds on the table: all, or those that a player laid, or those laid in this turn or call."""
        position, fresh = self.position, self.deeds.melds if not self.over else ()
        found: list[SeenMeld] = []
        more = not position.pile_known and not new
        for number, meld in enumerate(position.melds):
            if new and number not in fresh:
                continue
            if seat is not None and (not meld.owned or meld.seat != seat):
                continue
            if meld.cards:
                found.append(self.seen(meld, is_new=number in fresh))
        return Row(found, more=more)

    @staticmethod
    def seen(meld: TableMeld, *, is_new: bool) -> SeenMeld:
        """A meld on the table as conditions look at it."""
        return SeenMeld(meld.cards, meld.shape, meld.seat, is_new, meld.unseen, meld.owned)

    def target(self) -> SeenMeld | None:
        """The meld of the action before it, without cards where it is new; None where nobody knows it."""
        if isinstance(self.action, Meld):
            return SeenMeld((), None, self.seat, is_new=True)
        number, melds = self.action.target, self.position.melds
        if number is None or not 0 < number <= len(melds) or not melds[number - 1].cards:
            return None
        return self.seen(melds[number - 1], is_new=number - 1 in self.deeds.melds)

    def meld(self) -> SeenMeld | None:
        """The meld of the action, as it will lie; None where nobody knows it."""
        before = self.target() if self._meld is None else None
        if before is not None:
            self._meld = self.seen(self.tools.lies(self.position, self.action), is_new=before.is_new)
        return self._meld

    def cards(self) -> Row:
        """All cards of the action."""
        action = self.action
        if not isinstance(action, (Meld, LayOff)):
            taken = self.tools.takes(self.position, action)
            return Row((), more=True) if taken is None else self.row(taken)
        meld = self.meld()
        if meld is None:
            return Row([one.card for one in action.cards])
        return Row(list(meld.cards)[-len(action.cards) :])

    def laid(self, seat: int) -> Row:
        """The cards that a player laid."""
        return Row([card for card, by in self._laid() if by == seat], more=not self.position.pile_known)

    def _laid(self) -> Iterator[tuple[OnTable, int]]:
        layers = self.memory.layers
        for number, meld in enumerate(self.position.melds):
            for place, card in enumerate(meld.cards):
                by = layers.get((number, place), card.seat) if layers else card.seat
                if meld.owned or by != meld.seat:  # else nobody knows who laid it
                    yield card, by

    def has_melded(self, seat: int, *, before: bool = False) -> Truth:
        """Whether a player has laid a meld; before this turn or call, where that is asked."""
        position = self.position
        deeds = self.deeds
        fresh = deeds.melds if before and deeds.seat == seat else ()
        open_ = not position.pile_known
        for number, meld in enumerate(position.melds):
            if not meld.owned:
                open_ = True
            elif meld.seat == seat:
                if meld.cards and number not in fresh:
                    return True
                open_ = open_ or not meld.cards
        return None if open_ else False

    def turns(self, seat: int) -> Number:
        """How many turns of a player have begun, the one about to begin included."""
        position, number = self.position, self.memory.turns[seat]
        due = position.begins and position.turn is self.turn and self.turn.broken is None
        if not due or self.over or seat != self.seat:
            return number
        return number + 1 if isinstance(number, int) else (number[0] + 1, number[1])
