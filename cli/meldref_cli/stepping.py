"""A log on a terminal, line by line: keys go on, back, to the next finding, and change views."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Generator, Iterator
from contextlib import closing
from typing import Final

import typer

from meldref.answers.known import line_known
from meldref.core.records import changed
from meldref.core.text import name_of_file
from meldref.report.excerpt import plain
from meldref.report.replayed import ReplayedLine
from meldref.report.table import table_lines
from meldref.report.text import finding_text
from meldref_cli import output

_CLEAR: Final = "\x1b[2J\x1b[H"
_ON: Final = ("\x1b[C", "\x1bOC", " ", "\r", "\n")
_BACK: Final = ("\x1b[D", "\x1bOD", "\x7f", "\x08")
_END: Final = ("q", "Q", "\x1b", "\x04")
_HELP: Final = "→ next  ← back  n next finding  p finding before  0 beginning  v whose view  q end"


def _keys() -> Generator[str, None, None]:
    """Keys as they are pressed, also those that are pressed while something is drawn."""
    try:
        import termios
        import tty
    except ImportError:  # no such terminal: one key at a time
        while True:
            yield typer.getchar()
    stream = sys.stdin.fileno()
    before = termios.tcgetattr(stream)
    try:
        tty.setcbreak(stream, termios.TCSADRAIN)
        while typed := os.read(stream, 64).decode(errors="replace"):
            yield from re.findall(r"\x1b[\[O][0-9;]*[A-Za-z~]|[\s\S]", typed)
    finally:
        termios.tcsetattr(stream, termios.TCSADRAIN, before)


class Stepper:
    """A log that is stepped through.

    Lines are replayed as they are wanted, and those gone by are kept.
    """

    def __init__(self, steps: Iterator[ReplayedLine], log: str) -> None:
        self._rest = steps
        self._gone: list[ReplayedLine] = []
        self._at = 0
        self._log = log
        self._view: int | None = None
        self._note = ""

    def run(self) -> None:
        """Shows a line and waits for a key, until there is no more or somebody has seen enough."""
        if not self._there(0):
            return
        self._show()
        with closing(_keys()) as keys:
            for key in keys:
                if key in _END:
                    return
                self._press(key)
                self._show()

    def _there(self, place: int) -> bool:
        """Whether there is a line of that number, from 0, replayed if need be."""
        while len(self._gone) <= place:
            step = next(self._rest, None)
            if step is None:
                return False
            position = None if step.position is None else step.position.copy()
            self._gone.append(changed(step, position=position))
        return place >= 0

    def _press(self, key: str) -> None:
        self._note = ""
        if key in _ON:
            self._go(self._at + 1, "this is the last line")
        elif key in _BACK:
            self._go(self._at - 1, "this is the first line")
        elif key == "0":
            self._at = 0
        elif key in {"n", "p"}:
            self._to_finding(1 if key == "n" else -1)
        elif key == "v":
            position = self._gone[self._at].position
            seats = sorted(position.order) if position is not None else []
            later = [seat for seat in seats if self._view is None or seat > self._view]
            self._view = later[0] if later else None

    def _go(self, place: int, otherwise: str) -> None:
        if self._there(place):
            self._at = place
        else:
            self._note = otherwise

    def _to_finding(self, by: int) -> None:
        place = self._at + by
        while self._there(place):
            if self._gone[place].findings:
                self._at = place
                return
            place += by
        self._note = "no finding after this line" if by > 0 else "no finding before this line"

    def _show(self) -> None:
        """The line, what was found at it, and the table after it."""
        step, style = self._gone[self._at], output.style_for()
        position, text = step.position, step.line.text
        seat, player = None, None
        if position is not None and self._view in position.order:
            seat, player = self._view, position.players[self._view]
            text = line_known(text, player, tuple(position.players))
        sys.stdout.write(_CLEAR)
        place = style.bold(f"{name_of_file(self._log)}:{step.line.number}:")
        output.write(f"{place} {plain(text.strip())}")
        for finding in step.findings:
            output.write(
                finding_text(finding, file=name_of_file(self._log), style=style, more=False)
            )
        if position is not None:
            output.write_all(table_lines(position, style, seat))
        view = "" if player is None else f"as {name_of_file(player)} sees it; "
        output.write(f"\n{style.dim(view + (self._note or _HELP))}")
        sys.stdout.flush()
