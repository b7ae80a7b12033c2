"""What the reader remembers, in front of the grammar.

Every table maps texts that the grammar has taken, and no others, to what they mean. A line put together from
remembered parts is therefore one that the grammar takes, with the same meaning. A table that is full is
emptied, so that a log of any length needs no more room.
"""

from __future__ import annotations

from typing import Final, TypeAlias, TypeVar

from meldref.events import Action, Deal, Event, Points, StockOrder
from meldref.notation.grammar import NO_TRAILERS, Head, Misread, ReadLine, parse_action, parse_head, parse_line
from meldref.notation.spelling import CARDS, FACES

Remembered: TypeAlias = tuple[Action, int, int]
"""An action, and its columns within the text between two semicolons."""

_Value = TypeVar("_Value")

HEADS: Final = 20_000
ACTIONS: Final = 50_000
LINES: Final = 5_000
NAMES: Final = 10_000
SHORT: Final = 200
"""Longer lines are not worth their room: they hardly come again."""
DIGITS: Final = 9
"""The most digits of a number, as in the grammar."""

_POINTS: Final = frozenset({"score", "total", "chips"})


class Memory:
    """Heads of turns, actions, whole lines and names that have been read before."""

    def __init__(self) -> None:
        self.heads: dict[str, Head] = {}
        self.actions: dict[str, Remembered] = {}
        self.misread: dict[str, Misread] = {}
        self.unread: dict[str, Misread] = {}
        self.lines: dict[str, ReadLine] = {}
        self.names: dict[str, str] = {}
        self.sides: dict[str, str] = {}

    def head(self, text: str) -> Head | Misread:
        """What stands before the `:` of a turn."""
        known = self.heads.get(text)
        if known is not None:
            return known
        number, _, name = text.partition(". ")
        player = self.names.get(name)
        if player is not None and _is_number(number):
            known = Head(int(number), player, len(number) + 3)
            _keep(self.heads, text, known, HEADS)
            return known
        head = parse_head(text)
        if isinstance(head, Head):
            _keep(self.heads, text, head, HEADS)
            if '"' not in text:
                _keep(self.names, head.player, head.player, NAMES)
        return head

    def action(self, text: str) -> Remembered | Misread:
        """One action of a turn, with the blanks around it."""
        known = self.actions.get(text) or self.misread.get(text)
        if known is not None:
            return known
        placed = parse_action(text)
        if isinstance(placed, Misread):
            _keep(self.misread, text, placed, LINES)
            return placed
        remembered = (placed.action, placed.column, placed.end_column)
        _keep(self.actions, text, remembered, ACTIONS)
        return remembered

    def line(self, text: str) -> ReadLine | Misread:
        """A whole line that is no turn."""
        known = self.lines.get(text)
        if known is not None:
            return known
        event = self._plain(text)
        if event is not None:
            return ReadLine(event, NO_TRAILERS)
        read = self.unread.get(text) or parse_line(text)
        if isinstance(read, ReadLine):
            if len(text) <= SHORT:
                _keep(self.lines, text, read, LINES)
            self._learn(text, read.event)
        elif len(text) <= SHORT:
            _keep(self.unread, text, read, LINES)
        return read

    def _learn(self, text: str, event: Event | None) -> None:
        """Remember the names that the grammar has taken without quotes."""
        if '"' in text:
            return
        if isinstance(event, Deal):
            _keep(self.names, event.player, event.player, NAMES)
        elif isinstance(event, Points):
            for name, _ in event.amounts:
                _keep(self.sides, name, name, NAMES)

    def _plain(self, text: str) -> Event | None:
        """The event of a plain `deal`, `stock` or points line: known names and cards, one space between."""
        word, _, rest = text.partition(" ")
        try:
            if word == "deal":
                name, *cards = rest.split(" ")
                return Deal(self.names[name], tuple([CARDS[card] for card in cards])) if cards else None
            if word == "stock":
                return StockOrder(tuple([FACES[card] for card in rest.split(" ")]))
            if word in _POINTS:
                sides = self.sides
                amounts: list[tuple[str, int]] = []
                for part in rest.split(", "):
                    name, _, points = part.partition(" ")
                    if not _is_number(points.removeprefix("-")):
                        return None
                    amounts.append((sides[name], int(points)))
                return Points(word, tuple(amounts))
        except KeyError:
            return None
        return None


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= DIGITS


def _keep(table: dict[str, _Value], text: str, value: _Value, most: int) -> None:
    if len(table) >= most:
        table.clear()
    table[text] = value
