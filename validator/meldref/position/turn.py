"""What a turn is made of: the places of its actions, where the draw came from, and what is owed."""

from __future__ import annotations

from enum import IntEnum
from typing import Final

from meldref.core.cards import Card, Played
from meldref.core.diagnostics import Span
from meldref.core.events import Action, Line, Turn
from meldref.core.records import NamedTuple
from meldref.notation.columns import action_columns, asserted_columns


class Place(NamedTuple):
    """The place of an action: its line's number and text, its turn's number, and its step.

    `step` counts the actions of a line from 0; without an action, the line as a whole is meant, or
    a `part` of it between commas, counted from 0.
    """

    line: int
    text: str
    turn: int | None = None
    step: int = 0
    action: Action | None = None
    part: int | None = None

    @property
    def span(self) -> Span:
        """The columns of the action, or of the line without the blanks around it."""
        if self.action is not None:
            return Span(self.line, *action_columns(self.text, self.step))
        if self.part is not None:
            return Span(self.line, *asserted_columns(self.text, self.part))
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
    """A card that must be used, whether it was the deepest of several, and since which action.

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


class Made(NamedTuple):
    """A play that was made, and the wild card that an exchange brought, or moved within its meld."""

    action: Action
    gained: Card | None = None
    moved: Played | None = None


class Called(NamedTuple):
    """A call or purchase that was carried out: by whom, of which cards, where, and whose discard.

    `discarder` is None if a card was bought that was turned up at the deal, or whose discarder
    nobody knows.
    """

    seat: int
    cards: tuple[Card, ...]
    place: Place | None
    discarder: int | None
