"""What was meant where YAML cannot be read: what the reader asks, and of whom.

The reader knows what is wrong, and where. What somebody probably meant, and the edits that put it
right, are known to an adviser, who stands where rules files are explained. Without one the findings
are told as the parser tells them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

from meldref.core.annex import from_annex
from meldref.core.diagnostics import Edit
from meldref.core.records import record

_ADVISER: Final = ("meldref_authoring.rulefiles.syntax_fixes", "ADVISER")


@record
class SyntaxFix:
    """One mistake: the message, its place, and the edits that fix it where there is no doubt.

    Lines and columns count from 0, as the parser counts, ends exclusive.
    """

    message: str
    line: int
    column: int
    end: int | None = None
    edits: tuple[Edit, ...] = ()
    notes: tuple[str, ...] = ()


@record
class Stop:
    """Where and why a YAML parser stopped: the problem, the context, and their places."""

    problem: str
    context: str
    at: tuple[int, int]
    since: tuple[int, int]


class SyntaxAdviser:
    """Says what was meant where YAML cannot be read; this one knows only what the parser says."""

    def before_reading(self, lines: Sequence[str]) -> SyntaxFix | None:
        """A mistake that YAML would misread."""
        return None

    def explain(self, stop: Stop, lines: Sequence[str]) -> tuple[SyntaxFix, ...]:
        """What was probably meant where the parser stopped, there and on lines like it."""
        line, column = stop.at
        return (SyntaxFix(f"this is not YAML: {stop.problem}", line, column),)

    def without_anchor(self, lines: Sequence[str], line: int, mark: str) -> tuple[Edit, ...]:
        """The edit that takes an anchor out of a line."""
        return ()

    def quoted(self, text: str, line: int) -> tuple[Edit, ...]:
        """The edit that puts the value of a line in quotes."""
        return ()

    def one_section(self, lines: Sequence[str], first: int, second: int) -> tuple[Edit, ...]:
        """The edits that put the lines below a second key under the first one of that name."""
        return ()


@cache
def adviser() -> SyntaxAdviser:
    """Whoever knows what was meant."""
    return from_annex(*_ADVISER, SyntaxAdviser())


def replaced(line: int, start: int, end: int, text: str) -> Edit:
    """The edit that writes a text in place of a part of a line; all counts are from 0."""
    return Edit(line + 1, start + 1, line + 1, end + 1, text)


def line_with(text: str, line: int, edits: Sequence[Edit]) -> str:
    """A line as edits would make it.

    Empty where they change other lines, or nothing that can be seen.
    """
    if not edits or any(
        (edit.line, edit.end_line) != (line, line) or "\n" in edit.text for edit in edits
    ):
        return ""
    new = text
    for edit in sorted(edits, key=lambda edit: edit.column, reverse=True):
        new = new[: edit.column - 1] + edit.text + new[edit.end_column - 1 :]
    return "" if new.strip() == text.strip(" \t\u00a0\ufeff") else new.strip()
