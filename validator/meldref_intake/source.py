"""A file that is no log, read as one: its lines, and from where in the file each of them comes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from meldref.core.diagnostics import Finding, Severity, Span
from meldref.core.records import changed, derived, fresh, record
from meldref.core.text import in_words
from meldref.replay.result import LogReport, Open

Kind: TypeAlias = Literal["log", "sheet", "events"]
"""What a file may be; an `events` file is one of a program, for which a map is needed."""

LOGS: Final = (".rgn", ".rgn.gz", ".rgn.zst", ".gz", ".zst", ".zip", ".parquet", ".ndjson")
"""Files that end so are logs, or hold logs, whatever is in them."""
_OF_LOGS: Final = re.compile(
    r"""^\s*\[(?:Rules|Players|Options|Set|View|Dealer|Date|X-[\w-]+)\b
    |^\s*Players\s*:\s*\S.*,
    |^\s*deal\s.*\s(?:[\dATJQK]{1,2}[cdhs\u2660-\u2667]|Jk|\?)(?:\s|$)
    |^\s*up\s+(?:[\dATJQK]{1,2}[cdhs\u2660-\u2667]|Jk|\?)\s*$
    |^\s*end\s+(?:out|stock|agreed)\b
    |^\s*score\s+[^\W\d_][^,;\t|]*\s[-+\u2212]?\d
    |^\s*(?:\d+\.\s*)?[^\W\d_][\w ]*:\s*(?:draw|take|meld|lay|discard|rummy)""",
    re.MULTILINE | re.VERBOSE | re.IGNORECASE,
)
"""Lines that only logs have."""
_OF_PROGRAMS: Final = re.compile(r"\s*[\[{]")


@record
class Place:
    """Where something stands in a file: row and columns from 1, the end exclusive, and its row.

    `path` leads to a record in a document of JSON, whose line may be the whole of it.
    """

    line: int = 1
    column: int = 1
    end_column: int = 1
    excerpt: str = ""
    path: str = ""

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


NOBODY: Final[Mapping[str, Place]] = MappingProxyType({})
"""The places of a line that is not said of players."""


class _InRow(Mapping[str, Place]):
    """Places in one row, kept in little room."""

    __slots__ = ("_columns", "_players", "_row")

    def __init__(self, row: Place, players: tuple[str, ...], columns: tuple[int, ...]) -> None:
        self._row, self._players, self._columns = row, players, columns

    def __getitem__(self, player: str) -> Place:
        try:
            at = 2 * self._players.index(player)
        except ValueError:
            raise KeyError(player) from None
        begin, end = self._columns[at : at + 2]
        return changed(self._row, column=begin, end_column=end)

    def __iter__(self) -> Iterator[str]:
        return iter(self._players)

    def __len__(self) -> int:
        return len(self._players)


def in_row(row: Place, places: Mapping[str, Place]) -> Mapping[str, Place]:
    """The places of players; where all are in one row, in less room."""
    if any(place.line != row.line or place.path != row.path for place in places.values()):
        return places
    columns = [at for place in places.values() for at in (place.column, place.end_column)]
    return _InRow(row, tuple(places), tuple(columns))


@record
class LogLine:
    """A line of the log that a file becomes.

    `place` is where it comes from, `by_player` where what it says of each player does, `by_column`
    where what begins at a column does.
    """

    text: str
    place: Place = fresh(default_factory=Place)
    by_player: Mapping[str, Place] = NOBODY
    by_column: Sequence[tuple[int, Place]] = ()

    @property
    def rows(self) -> set[int]:
        """The lines of the file that it comes from."""
        if isinstance(self.by_player, _InRow):
            return {self.place.line}
        return {self.place.line, *[place.line for place in self.by_player.values()]}


@record
class Intake:
    """A file as a log. `notes` are what was read in another form, and is not doubtful.

    `arithmetic`: only sums that are wrong are violations, since a sheet tells nothing of the play;
    `fair_results` are the lines, from 1, whose winners lead by the figures of the sheet.
    `of_records`: the lines were made of a program's records, and look like none of them.
    `ends_within`: the last line is a turn of which the file has only a part.
    """

    lines: Sequence[LogLine]
    doubts: Sequence[Doubt] = ()
    notes: Sequence[Doubt] = ()
    arithmetic: bool = False
    fair_results: frozenset[int] = frozenset()
    of_records: bool = False
    ends_within: bool = False
    is_one_line: bool = derived(lambda self: all(line.place.line <= 1 for line in self.lines))

    @property
    def text(self) -> str:
        """The log."""
        return "".join([f"{line.text}\n" for line in self.lines])

    def place(self, number: int, player: str | None = None, column: int = 1) -> Place:
        """Where a line of the log comes from.

        Of a line for several players it is what is said of one, of a turn what stands at a column.
        """
        if not 0 < number <= len(self.lines):
            return Place()
        line = self.lines[number - 1]
        if line.by_column:
            before = [place for begin, place in line.by_column if begin <= column]
            return before[-1] if before else line.place
        return line.by_player.get(player or "", line.place)

    def line_at(self, number: int) -> int:
        """The line of the log that a line of the file went into, or the last one before it.

        Of a file that is a single line, the line of the log of that number.
        """
        if self.is_one_line:
            return number
        last = self.last_line
        if number > last:
            return len(self.lines) + number - last
        after = (at for at, line in enumerate(self.lines) if line.place.line > number)
        here = self.lines[: next(after, len(self.lines))]
        return max((at for at, line in enumerate(here, 1) if line.text), default=1)

    @property
    def last_line(self) -> int:
        """The last line of the file that came into the log; of one that is a single line, of the log."""
        if self.is_one_line:
            return len(self.lines)
        return max(
            max([line.place.line, *[p.line for _, p in line.by_column]]) for line in self.lines
        )

    def begun(self, number: int) -> str:
        """How much of its line of the log was there before a line of the file."""
        at = self.line_at(number)
        if self.is_one_line or not 0 < at <= len(self.lines):
            return ""
        line = self.lines[at - 1]
        columns = line.by_column or ((1, line.place),)
        later = (column for column, place in columns if place.line >= number)
        return line.text[: next(later, len(line.text) + 1) - 1].rstrip("; ")

    def line_of(self, number: int) -> int:
        """The line of the file that a line of the log comes from; the other way round."""
        return number if self.is_one_line else self.place(number).line

    def tell(self, report: LogReport) -> None:
        """Makes the audit of the log that of the file: what is wrong in it, and at which place."""
        self.judge(report)
        there = self.in_source(report)
        report.findings, report.open = there.findings, there.open

    def judge(self, report: LogReport) -> None:
        """Leaves of the violations in the log those that the file can show."""
        for finding in report.findings:
            if untold := self._untold(finding):
                where = finding.span.line, untold, finding.game or 0, finding.hand or 0
                report.open += [question] if (question := Open(*where)) not in report.open else []
        report.findings = self.judged(report.findings)

    def in_source(self, report: LogReport) -> LogReport:
        """An audit of the log, its places those in the file that the log was made of."""
        return changed(
            report,
            findings=self.moved(report.findings, report.path),
            open=list(map(self._asked_there, report.open)),
        )

    def _asked_there(self, question: Open) -> Open:
        """What a log leaves open, as it is said of the file."""
        line = self.place(question.line).line
        return changed(question, line=line, what=self._retold(question.what))

    def judged(self, findings: Iterable[Finding]) -> list[Finding]:
        """Findings about the log, of which only those stay violations that the file can show."""
        if not self.arithmetic:
            return [finding for finding in findings if not self._untold(finding)]
        return [
            finding if self._is_arithmetic(finding) else changed(finding, severity=Severity.WARNING)
            for finding in findings
        ]

    def moved(self, findings: Iterable[Finding], path: str) -> list[Finding]:
        """Findings about the log at their places in the file that it was made of."""
        return [self._moved(finding) if finding.is_in(path) else finding for finding in findings]

    def _moved(self, finding: Finding) -> Finding:
        """A finding at the place that it is about, with what its record became; also what it names."""
        number = finding.span.line
        if not 0 < number <= len(self.lines):
            return finding
        place = self.place(number, finding.player, finding.span.column)
        became = (self._became(finding.span, place),) if self.of_records else ()
        return changed(
            finding,
            message=self._retold(finding.message),
            span=place.span,
            excerpt=place.excerpt,
            notes=(*map(self._retold, finding.notes), *became),
            lines=tuple(dict.fromkeys([self.place(line).line for line in finding.lines])),
            edits=(),
            repair=None,
        )

    def _became(self, span: Span, place: Place) -> str:
        text = self.lines[span.line - 1].text
        what = text if span.column <= 1 else text[span.column - 1 : span.end_column - 1]
        return f"{f'the record {place.path}' if place.path else 'the record'} became `{what}`"

    def _retold(self, text: str) -> str:
        """A sentence in which lines of the log are named as the records that they were made of."""

        def there(found: re.Match[str]) -> str:
            places = [self.place(int(number)) for number in re.findall(r"\d+", found[0])]
            if all(place.path for place in places):
                named = list(dict.fromkeys(place.path for place in places))
                return f"{'record' if len(named) == 1 else 'records'} {in_words(named, 'and')}"
            lines = list(dict.fromkeys(str(place.line) for place in places))
            return f"{'line' if len(lines) == 1 else 'lines'} {in_words(lines, 'and')}"

        return _LINES_NAMED.sub(there, text)

    def _untold(self, finding: Finding) -> str:
        """What a finding leaves open, since it is about what a program's records do not tell.

        They may not say which meld cards are laid on, and may end where something is still to be done.
        """
        if not self.of_records:
            return ""
        if finding.code == "layoff.unnamed":
            return _WHERE
        if finding.code == "end.late" and self._text(finding.span.line) == "gap":
            return _BEFORE_THE_END
        if finding.code == "layoff.fit" and self._is_behind_a_gap(finding.span.line):
            return _ON_WHAT
        is_last = self.ends_within and finding.span.line == len(self.lines)
        return _WITHIN if is_last and finding.code in _UNDONE else ""

    def _is_behind_a_gap(self, number: int) -> bool:
        """Whether turns of the hand are missing before a line."""
        before = takewhile(lambda at: not self._text(at).startswith("hand "), range(number, 0, -1))
        return any(self._text(at) == "gap" for at in before)

    def _text(self, number: int) -> str:
        """A line of the log; empty where there is none."""
        return self.lines[number - 1].text if 0 < number <= len(self.lines) else ""

    def _is_arithmetic(self, finding: Finding) -> bool:
        """Whether a finding on a sheet is about a sum, or about who has won by the sums."""
        number = finding.span.line
        if finding.code in _SUMS or not 0 < number <= len(self.lines):
            return finding.code in _SUMS
        is_result = self.lines[number - 1].text.startswith("result ")
        return is_result and number not in self.fair_results


_LINES_NAMED: Final = re.compile(r"\blines? \d+(?:, \d+)*(?: and \d+)?\b")
_WITHIN: Final = "the last turn: the file ends within it"
_BEFORE_THE_END: Final = "how the hand ended: something before its end could not be read"
_ON_WHAT: Final = "whether cards were laid on what they fit: turns before are missing"
_WHERE: Final = "which meld cards were laid on: the file does not tell it, and they fit several"
_UNDONE: Final = frozenset(
    {"turn.unfinished", "turn.points", "draw.deep.unused", "draw.top.unused"}
)
_SUMS: Final = frozenset({"score.hand", "score.total"})


def kind_of(text: str, name: str = "") -> Kind:
    """What the beginning of a file is by its content, or by a name that only logs have."""
    if name.lower().endswith(LOGS) or _OF_LOGS.search(text):
        return "log"
    return "events" if _OF_PROGRAMS.match(text) else "sheet"
