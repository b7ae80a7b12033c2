"""A file that is no log, read as one: its lines, and from where in the file each of them comes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Literal, TypeAlias

from meldref.core.diagnostics import Finding, Severity, Span
from meldref.core.records import changed, fresh, record
from meldref.replay.result import LogReport

Kind: TypeAlias = Literal["log", "sheet", "events"]
"""What a file may be; an `events` file is one of a program, for which a map is needed."""

LOGS: Final = (".rgn", ".rgn.gz", ".rgn.zst", ".gz", ".zst", ".zip", ".parquet", ".ndjson")
"""Files that end so are logs, or hold logs, whatever is in them."""
_OF_LOGS: Final = re.compile(
    r"""^\s*\[(?:Rules|Players|Options|Set|View|Dealer|Date|X-[\w-]+)\b
    |^\s*Players\s*:\s*\S.*,
    |^\s*(?:deal|up|end)\s+\S
    |^\s*score\s+[^\W\d_][^,;\t|]*\s[-+\u2212]?\d
    |^\s*(?:\d+\.\s*)?[^\W\d_][\w ]*:\s*(?:draw|take|meld|lay|discard|rummy)""",
    re.MULTILINE | re.VERBOSE | re.IGNORECASE,
)
"""Lines that only logs have."""
_OF_PROGRAMS: Final = re.compile(r"\s*[\[{]")


@record
class Place:
    """Where something stands in a file: row and columns from 1, the end exclusive, and its row."""

    line: int = 1
    column: int = 1
    end_column: int = 1
    excerpt: str = ""

    @property
    def span(self) -> Span:
        """The place as findings have it."""
        return Span(self.line, self.column, max(self.column, self.end_column))


@record
class Doubt:
    """Something of a file that is not certain, or not understood.

    `text` says what, where it can be read in another way as a question. `option` gives the other
    reading; it is empty where there is none.
    """

    place: Place
    text: str
    option: str = ""


@record
class LogLine:
    """A line of the log that a file becomes.

    `place` is where it comes from, `by_player` where what it says of each player does.
    """

    text: str
    place: Place = fresh(default_factory=Place)
    by_player: Mapping[str, Place] = fresh(default_factory=dict)


@record
class Intake:
    """A file as a log. `notes` are what was read in another form, and is not doubtful.

    `arithmetic`: only sums that are wrong are violations, since a sheet tells nothing of the play;
    `fair_results` are the lines, from 1, whose winners lead by the figures of the sheet.
    """

    lines: Sequence[LogLine]
    doubts: Sequence[Doubt] = ()
    notes: Sequence[Doubt] = ()
    arithmetic: bool = False
    fair_results: frozenset[int] = frozenset()

    @property
    def text(self) -> str:
        """The log."""
        return "".join([f"{line.text}\n" for line in self.lines])

    def place(self, number: int, player: str | None = None) -> Place:
        """Where a line of the log comes from; of a line for several players, what is said of one."""
        if not 0 < number <= len(self.lines):
            return Place()
        line = self.lines[number - 1]
        return line.by_player.get(player or "", line.place)

    def tell(self, report: LogReport, *, in_source: bool = True) -> None:
        """Makes the audit of the log that of the file: what is wrong in it, and at which place.

        Without `in_source`, the places stay those in the log.
        """
        report.findings = self.judged(report.findings)
        if in_source:
            report.findings = self.in_source(report.findings, report.path)
            report.open = [
                changed(question, line=self.place(question.line).line) for question in report.open
            ]

    def judged(self, findings: Iterable[Finding]) -> list[Finding]:
        """Findings about the log, of which only those stay violations that the file can show."""
        if not self.arithmetic:
            return list(findings)
        return [
            finding if self._is_arithmetic(finding) else changed(finding, severity=Severity.WARNING)
            for finding in findings
        ]

    def in_source(self, findings: Iterable[Finding], path: str) -> list[Finding]:
        """Findings about the log at their places in the file that it was made of."""
        return [self._moved(finding) if finding.is_in(path) else finding for finding in findings]

    def _moved(self, finding: Finding) -> Finding:
        place = self.place(finding.span.line, finding.player)
        lines = tuple(dict.fromkeys([self.place(line).line for line in finding.lines]))
        there = {"span": place.span, "excerpt": place.excerpt, "lines": lines}
        return changed(finding, **there, edits=(), repair=None)

    def _is_arithmetic(self, finding: Finding) -> bool:
        """Whether a finding on a sheet is about a sum, or about who has won by the sums."""
        number = finding.span.line
        if finding.code in _SUMS or not 0 < number <= len(self.lines):
            return finding.code in _SUMS
        is_result = self.lines[number - 1].text.startswith("result ")
        return is_result and number not in self.fair_results


_SUMS: Final = frozenset({"score.hand", "score.total"})


def kind_of(text: str, name: str = "") -> Kind:
    """What the beginning of a file is by its content, or by a name that only logs have."""
    if name.lower().endswith(LOGS) or _OF_LOGS.search(text):
        return "log"
    return "events" if _OF_PROGRAMS.match(text) else "sheet"
