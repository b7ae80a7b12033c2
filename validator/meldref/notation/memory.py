"""Caches that the reader consults before the grammar.

Every table maps texts that the grammar takes, and no others, to what they mean: the grammar has
taken them, or they are canonical (`meldref.notation.canonical`). A line put together from such
parts is therefore one that the grammar takes, with the same meaning. A table that is full is
emptied, so that a log of any length needs no more room.
"""

from __future__ import annotations

from typing import Final, TypeVar

from meldref.core.diagnostics import Finding
from meldref.core.events import Action, Deal, Event, Points
from meldref.notation import canonical
from meldref.notation.canonical import Names, Sides
from meldref.notation.grammar import Misread, parse_action, parse_head, parse_line
from meldref.notation.parts import Naming
from meldref.notation.scanner import NO_TRAILERS, Head, ReadLine

_Value = TypeVar("_Value")

HEADS: Final = 20_000
ACTIONS: Final = 50_000
TURNS: Final = 50_000
LINES: Final = 5_000
OFTEN: Final = 2
"""Turns of more actions hardly come again."""
SHORT: Final = 200
"""Longer texts are not worth their room: they hardly come again."""


class Memory:
    """Heads of turns, actions, whole lines and names that have been read before."""

    def __init__(self) -> None:
        self.heads: dict[str, Head] = {}
        self.turns: dict[str, tuple[Action, ...]] = {}
        self.actions: dict[str, Action] = {}
        self.misread: dict[str, Misread] = {}
        self.unread: dict[str, Misread] = {}
        self.lines: dict[str, ReadLine] = {}
        self.faults: dict[str, Finding] = {}
        self.names = Names()
        self.sides = Sides()
        self.naming = Naming(self.names, self.sides)

    def head(self, text: str) -> Head | Misread:
        """What comes before the `:` of a turn."""
        cached = self.heads.get(text)
        if cached is not None:
            return cached
        head: Head | Misread | None = canonical.head(text, self.names)
        if head is None:
            head = parse_head(text)
            if isinstance(head, Head) and '"' not in text:
                self.names.keep(head.player, head.player)
        if isinstance(head, Head) and len(text) <= SHORT:
            _keep(self.heads, text, head, HEADS)
        return head

    def turn(self, text: str) -> tuple[Action, ...] | None:
        """What follows the `:` of a turn, to the end of its line.

        None where it has to be read part by part.
        """
        if len(text) > SHORT:
            return None
        actions: list[Action] = []
        for part in text.split(";"):
            action = self.actions.get(part) or self._canonical(part)
            if action is None:
                return None
            actions.append(action)
        turn = tuple(actions)
        if len(turn) <= OFTEN:
            _keep(self.turns, text, turn, TURNS)
        return turn

    def action(self, text: str) -> Action | Misread:
        """One action of a turn, with the blanks around it."""
        cached = self.actions.get(text) or self.misread.get(text)
        if cached is not None:
            return cached
        action = self._canonical(text)
        if action is not None:
            return action
        parsed = parse_action(text)
        if isinstance(parsed, Misread):
            _keep(self.misread, text, parsed, LINES)
        else:
            _keep(self.actions, text, parsed, ACTIONS)
        return parsed

    def _canonical(self, text: str) -> Action | None:
        """The line if it is canonical."""
        action = canonical.action(text)
        if action is not None:
            _keep(self.actions, text, action, ACTIONS)
        return action

    def line(self, text: str) -> ReadLine | Misread:
        """A line other than a turn, or what follows on one."""
        event = canonical.line(text, self.naming)
        if event is not None:
            return ReadLine(event, NO_TRAILERS)
        read = self.lines.get(text) or self.unread.get(text) or parse_line(text)
        if isinstance(read, ReadLine):
            if len(text) <= SHORT:
                _keep(self.lines, text, read, LINES)
            self._learn(text, read.event)
        elif len(text) <= SHORT:
            _keep(self.unread, text, read, LINES)
        return read

    def keep_fault(self, text: str, fault: Finding) -> None:
        """Remember what is wrong with a whole line that cannot be read."""
        if len(text) <= SHORT:
            _keep(self.faults, text, fault, LINES)

    def _learn(self, text: str, event: Event | None) -> None:
        """Remember the names that the grammar has taken without quotes."""
        if '"' in text:
            return
        if isinstance(event, Deal):
            self.names.keep(event.player, event.player)
        elif isinstance(event, Points):
            for name, _ in event.amounts:
                self.sides.keep(name, name)


def _keep(table: dict[str, _Value], text: str, value: _Value, most: int) -> None:
    if len(table) >= most:
        table.clear()
    table[text] = value
