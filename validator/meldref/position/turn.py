"""A turn under way: where its actions stand, what was drawn and played, and what is owed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from enum import IntEnum
from typing import TYPE_CHECKING, Final

from meldref.core.cards import EMPTY, Card, Cards, count
from meldref.core.diagnostics import Span
from meldref.core.events import Action, Line, Turn
from meldref.core.records import NamedTuple, changed, copied, record
from meldref.notation.scanner import action_columns
from meldref.position.memory import Deeds

if TYPE_CHECKING:
    from meldref.position.model import Position


class Place(NamedTuple):
    """The place of an action: its line's number and text, the number of its turn, and which action it is.

    `step` counts the actions of a line from 0; without an action, the line as a whole is meant.
    """

    line: int
    text: str
    turn: int | None = None
    step: int = 0
    action: Action | None = None

    @property
    def span(self) -> Span:
        """The columns of the action, or of the line without the blanks around it."""
        if self.action is not None:
            return Span(self.line, *action_columns(self.text, self.step))
        start = len(self.text) - len(self.text.lstrip()) + 1
        return Span(self.line, start, max(start, len(self.text.rstrip()) + 1))


def actions_of(line: Line | None) -> tuple[Action, ...]:
    """All actions of a line."""
    return line.event.actions if line is not None and isinstance(line.event, Turn) else ()


def place_of(line: Line | None, step: int, turn: int | None) -> Place | None:
    """An action of a line as a place."""
    if line is None:
        return None
    actions = actions_of(line)
    action = actions[step] if step < len(actions) else None
    return Place(line.number, line.text, turn, step, action)


class Source(IntEnum):
    """Where a turn's draw came from."""

    NONE = 0
    STOCK = 1
    PILE = 2


NOT_DRAWN: Final = Source.NONE
FROM_STOCK: Final = Source.STOCK
FROM_PILE: Final = Source.PILE


class Duty(NamedTuple):
    """A card that has to be used: which, whether it was the deepest of several, and the action that made it.

    `line`, `step` and `turn` say where that is. `certain` is False where nobody knows how many
    cards were taken with it.
    """

    card: Card
    deep: bool
    line: Line | None
    step: int
    turn: int | None
    certain: bool = True

    @property
    def place(self) -> Place | None:
        """Where the card was taken."""
        return place_of(self.line, self.step, self.turn)


def is_one_taken(position: Position, turn: TurnState, card: Card, twin: str) -> bool | None:
    """Whether a card that the player has is the copy that was taken, by `discard.twin` (P-DISC-05); None: open."""
    if twin == "forbidden":
        return True
    if twin == "allowed":
        has_both, guesses = count(position.hands[turn.seat], card) > 1, position.unknown[turn.seat]
    else:
        has_both, guesses = count(turn.held_before, card) > 0, turn.guesses_before
    if has_both:
        return False
    return None if guesses > 0 and position.left(card) > 0 else True


class Made(NamedTuple):
    """A play that was made, and the wild card it brought where it was an exchange."""

    action: Action
    gained: Card | None = None


@record(frozen=False)
class CallState:
    """A call under way.

    `wanted` are the cards that still have to be laid, `from_pile` those taken and not laid yet;
    `begun` says that the call was made, `named` on which cards; `excused` that the call itself was
    found wrong; `resume` is the turn it broke into; `unseen` says that it took cards nobody saw.
    """

    wanted: Cards = EMPTY
    from_pile: Cards = EMPTY
    begun: bool = False
    excused: bool = False
    named: tuple[Card, ...] = ()
    resume: TurnState | None = None
    resume_begins: bool = True
    place: Place | None = None
    unseen: bool = False


@record(frozen=False, quick=True)
class TurnState:
    """One turn: who, what was drawn, what was played so far, what is owed.

    `plain` says that it began with a card of the stock, and that nothing in it can be owed: nothing
    was taken, called or exchanged. `inside` says that the cards taken were not the top card alone.
    `held_before` and `guesses_before` are the known and the number of unknown cards held before the
    draw; `plays` are those made while a card is owed, `before` is the position before them, not to
    be changed, `swapped` wild cards taken in exchange and not laid yet; `first_meld` is the index
    of the first meld that may be laid in it, None where nobody knows, `broken` the turn that a
    purchase breaks into; `excused` says that a missing draw was found already, `line` and `step`
    say where its last line stands, and where on it the turn continues. `deeds` is what was done in
    it, for house rules.
    """

    seat: int
    source: Source = NOT_DRAWN
    plain: bool = False
    taken: tuple[Card, ...] = ()
    inside: bool = False
    held_before: Cards = EMPTY
    guesses_before: int = 0
    duty: Duty | None = None
    plays: tuple[Made, ...] = ()
    before: Position | None = None
    call: CallState | None = None
    swapped: Cards = EMPTY
    floater: bool = False
    opening: bool = False
    excused: bool = False
    deeds: Deeds | None = None
    first_meld: int | None = None
    broken: TurnState | None = None
    line: Line | None = None
    step: int = 0

    def copy(self) -> TurnState:
        """An independent copy."""
        other = copied(self)
        if self.call is not None:
            resume = self.call.resume
            other.call = changed(self.call, resume=None if resume is None else resume.copy())
        if self.broken is not None:
            other.broken = self.broken.copy()
        return other


@contextmanager
def on_turn(position: Position, seat: int, turn: TurnState | None = None) -> Iterator[None]:
    """A position in which it is a player's turn: a given one, the one under way, or what is known of it."""
    under_way, begins = position.turn, position.begins
    if turn is None:
        turn = under_way if under_way.seat == seat else _turn_of(position, seat)
    if turn is not under_way:
        position.turn, position.begins = turn, False
    try:
        yield
    finally:
        position.turn, position.begins = under_way, begins


def _turn_of(position: Position, seat: int) -> TurnState:
    """The turn of a player who is not on turn: the one that ended last, if it is theirs."""
    ended = position.ended
    if ended is not None and ended.seat == seat:
        return ended
    return TurnState(seat, floater=seat in position.floating)


class Called(NamedTuple):
    """A call or purchase that was carried out: by whom, of which cards, where it stands, and whose discard it was.

    `discarder` is None where a card was bought that was turned up at the deal, or whose discarder
    nobody knows.
    """

    seat: int
    cards: tuple[Card, ...]
    place: Place | None
    discarder: int | None
