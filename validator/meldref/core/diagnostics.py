"""Findings: the one shape of every message about what a user wrote or played.

Users' mistakes are values. A function that reads or judges returns findings and never raises for
them; the three exceptions at the end are for callers of a single move.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path
from typing import Final

from meldref.core.records import changed, passed, record
from meldref.core.shown import html_of, text_of
from meldref.core.text import one_line

ENOUGH: Final = 1_000
"""How many findings of a log people are shown."""
MOST: Final = 10_000
"""How many findings of a log programs are given."""
FEW: Final = 5
"""How many findings show people that a file is no log."""


def _each_on_one_line(texts: tuple[str, ...]) -> tuple[str, ...]:
    return tuple([one_line(text) for text in texts]) if texts else texts


class Severity(StrEnum):
    """How much a finding weighs: only errors change a verdict."""

    ERROR = "error"
    WARNING = "warning"


@record
class Span:
    """A place in a text: a line and columns, counted in characters from 1, the end exclusive."""

    line: int
    column: int = 1
    end_column: int = 1


@record
class Edit:
    """A change of a text: what is between two places becomes `text`.

    Lines and columns count from 1, the end exclusive; the beginning of the line behind the last is
    an end, too.
    """

    line: int
    column: int
    end_line: int
    end_column: int
    text: str


@record
class Origin:
    """Who set a key: the file, its line, and the value as written there, on one line."""

    key: str = passed(one_line)
    value: str = passed(one_line)
    file: str
    line: int


@record
class Follows:
    """Something that would be found, too, but follows from what was found before it."""

    line: int
    code: str
    message: str = passed(one_line)


@record
class Repair:
    """A mistake in writing that explains a finding: what probably happened instead.

    `edit` is its kind, `line` where it is, `text` the sentence that says it; the log is followed as
    if it were so. `follows` would be found as well if it were not. `edits` are the changes of the
    log that put it right. `others` are sentences about other mistakes that explain it about as
    well, if they were asked for.
    """

    edit: str
    line: int
    text: str = passed(one_line)
    follows: tuple[Follows, ...] = ()
    edits: tuple[Edit, ...] = ()
    others: tuple[str, ...] = ()


@record
class Finding:
    """One thing that is wrong, where, by which rule, and what would have been right.

    `file` and `excerpt` (the text of the line) are what reports quote. `game`, `hand` and `turn`
    count from 1 (0: not in one). `notes` are facts behind the sentence, `help` moves that would
    have been legal. `edits` are the changes of the file that fix it, if there is no doubt
    which. `rules` are the settings that had a part in a score, where it is one that is wrong.
    `repair` is the mistake in writing that explains it, if any. `lines` are the other lines that,
    together with this one, cannot all be true, if no line by itself is wrong.

    The message, notes and help are on one line each, whatever values are in them; `file` and
    `excerpt` are as they are, since they have to be found again, and are made so where they are
    shown.
    """

    code: str
    message: str = passed(one_line)
    span: Span
    severity: Severity = Severity.ERROR
    file: str = ""
    excerpt: str = ""
    game: int = 0
    hand: int = 0
    turn: int | None = None
    player: str | None = None
    rule: Origin | None = None
    clauses: tuple[str, ...] = ()
    notes: tuple[str, ...] = passed(_each_on_one_line, default=())
    help: tuple[str, ...] = passed(_each_on_one_line, default=())
    edits: tuple[Edit, ...] = ()
    rules: tuple[Origin, ...] = ()
    repair: Repair | None = None
    lines: tuple[int, ...] = ()

    __str__ = text_of
    _repr_html_ = html_of

    def at(self, span: Span, excerpt: str = "") -> Finding:
        """This finding at another place."""
        return changed(self, span=span, excerpt=excerpt)

    def is_in(self, path: str) -> bool:
        """Whether it is in the file of that path itself, not in another one, such as a ruleset."""
        return self.file in {path, "", Path(path).name}


def following(findings: Iterable[Finding]) -> tuple[Follows, ...]:
    """Findings as what follows from another one."""
    return tuple(
        [Follows(finding.span.line, finding.code, finding.message) for finding in findings]
    )


def errors_in(findings: Iterable[Finding]) -> list[Finding]:
    """Those of the findings that are errors."""
    return [finding for finding in findings if finding.severity is Severity.ERROR]


def is_among(code: str, families: Iterable[str]) -> bool:
    """Whether a code is one of these, or begins with one."""
    return any(f"{code}.".startswith(f"{family}.") for family in families)


class WrongPackage(ImportError):
    """A package that meldref needs is not installed, or another one takes its place.

    The sentence that says so.
    """


class MeldrefError(Exception):
    """Something is wrong with a single move; carries its finding."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.message)
        self.finding = finding

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.finding,)


class InvalidNotation(MeldrefError):
    """The move cannot be read."""


class IllegalMove(MeldrefError):
    """The move breaks a rule."""


class AmbiguousMove(MeldrefError):
    """The move can be meant in several ways."""
