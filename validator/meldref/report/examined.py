"""What reports for programs are about: a log, a rules file or a case, and its findings."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from meldref.core.diagnostics import Finding, errors_in
from meldref.core.records import record
from meldref.core.text import one_line
from meldref.replay.result import Open
from meldref.report.tally import Audited
from meldref.report.text import notes_of, shown_path

State = Literal["clean", "wrong", "undecided", "unusable"]


class FilePlace(NamedTuple):
    """Where in a file a finding is: all 0, not in a line of it; `column` 0, in the whole line."""

    line: int = 0
    column: int = 0
    end_column: int = 0


@record
class Examined:
    """Something examined: `path` is as the user gave it, `name` tells the cases of a file apart.

    `hidden` findings were counted and not kept. `fault` is one of the program's own, where there
    was one.
    """

    path: str
    findings: Sequence[Finding] = ()
    name: str = ""
    open: Sequence[Open] = ()
    hidden: int = 0
    usable: bool = True
    fault: str = ""

    @property
    def file(self) -> str:
        """The path, as it can be opened from the current folder."""
        return shown_path(self.path)

    @property
    def errors(self) -> int:
        """How many of the findings that were kept are errors."""
        return len(errors_in(self.findings))

    @property
    def warnings(self) -> int:
        """How many of the findings that were kept are warnings."""
        return len(self.findings) - self.errors

    @property
    def state(self) -> State:
        """What became of it."""
        if self.fault or not self.usable:
            return "unusable"
        if self.errors:
            return "wrong"
        return "undecided" if self.open else "clean"

    def message_of(self, finding: Finding) -> str:
        """A finding's sentence and notes, behind the name of what was examined."""
        message = "\n".join(
            [finding.message, *notes_of(finding, Path(self.path).parent, more=False)]
        )
        return f"{one_line(self.name)}: {message}" if self.name else message

    def file_of(self, finding: Finding) -> str:
        """The file that a finding is in, as it can be opened from the current folder."""
        if finding.is_in(self.path):
            return self.file
        return shown_path(finding.file, Path(self.path).parent)


def examined_log(audited: Audited, fault: str = "") -> Examined:
    """The audit of a log."""
    report = audited.report
    return Examined(
        report.path,
        report.findings,
        "",
        report.open,
        audited.hidden,
        usable=report.readable,
        fault=fault,
    )


def place_of(finding: Finding) -> FilePlace:
    """Where in its file a finding is."""
    span = finding.span
    if finding.excerpt:
        return FilePlace(span.line, span.column, max(span.column, span.end_column))
    return FilePlace(span.line) if span.line > 1 else FilePlace()
