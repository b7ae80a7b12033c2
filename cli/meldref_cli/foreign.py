"""Files that are no logs, at the door of commands that read logs: score sheets, and events."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from typing import TYPE_CHECKING, BinaryIO, Final, TypeAlias

from meldref.core.records import NamedTuple
from meldref.core.safe_files import Met, is_url, open_file
from meldref.core.text import name_of_file
from meldref_cli import output
from meldref_cli.errors import Unusable, naming
from meldref_cli.files import (
    STANDARD_INPUT,
    beginning_of,
    is_file,
    is_read_once,
    opened,
    read_bytes,
)
from meldref_cli.findings import tell

if TYPE_CHECKING:
    from meldref.core.diagnostics import Finding
    from meldref.replay.explainer import Explainer
    from meldref.replay.result import LogReport
    from meldref_archive.sources import Log
    from meldref_intake.events import Events
    from meldref_intake.source import Doubt, Intake

MOST_BYTES: Final = 100_000_000
"""The most bytes of a file that is read as a whole."""
_BEGINNING: Final = 1 << 14
"""How many bytes show what a file is."""
NO_SHEET: Final = "this is no score sheet: no table of names with numbers is in it"
_TOO_LARGE: Final = f"more than {MOST_BYTES:,} bytes, and nothing at its beginning shows a log"

Opened: TypeAlias = Callable[[], BinaryIO]
"""Opens a file from its beginning."""


class Asked(NamedTuple):
    """How a file is to be read: `readings` of a sheet, the rules to name in the log, and a map for events."""

    readings: Sequence[str] = ()
    rules: str | None = None
    map: str | None = None

    @classmethod
    def of(cls, sheet: Sequence[str] | None, rules: str | None, map_: str | None) -> Asked:
        """As the options of a command line say."""
        return cls(tuple(sheet or ()), rules, map_)


class NamedLog(NamedTuple):
    """A file that a command was given as a log, standard input, or a pipe.

    `intake` is what a file of another kind becomes. `kept` is all of standard input or a pipe, where
    its beginning did not show that it is a log.
    """

    path: str
    intake: Intake | None = None
    kept: bytes | None = None

    @property
    def text(self) -> bytes | None:
        """The log, where it is not the file itself."""
        if self.intake is None:
            return self.kept
        return self.intake.text.encode("utf-8", "replace")

    @property
    def is_sheet(self) -> bool:
        """Whether it is a score sheet, which tells nothing of the play."""
        return self.intake is not None and self.intake.arithmetic

    def explainer(self) -> Explainer | None:
        """What explains findings in it; in a sheet each is told as it is found."""
        from meldref_evidence.explaining import RecordExplainer

        return None if self.is_sheet else RecordExplainer()

    @contextmanager
    def opened(self) -> Iterator[BinaryIO]:
        """The log, to read bytes from."""
        text = self.text
        if text is not None:
            yield BytesIO(text)
            return
        with opened(self.path) as stream:
            yield stream

    def lines(self, longest: int | None = None) -> Iterator[str]:
        """The lines of the log as they come; of those beyond the longest, the beginning."""
        from meldref.notation.scanner import LONGEST, decode

        with self.opened() as stream:
            yield from decode(stream, longest or LONGEST)

    def line_at(self, number: int) -> int:
        """The line of the log that a line of the file is, or went into."""
        return number if self.intake is None else self.intake.line_at(number)

    def begun(self, number: int) -> str:
        """How much of its line of the log was there before a line of the file."""
        return "" if self.intake is None else self.intake.begun(number)

    def last_line(self, number: int) -> int:
        """The last line of the file, whose log has so many lines."""
        return number if self.intake is None else self.intake.last_line

    def line_of(self, number: int) -> int:
        """The line of the file that a line of the log comes from."""
        return number if self.intake is None else self.intake.line_of(number)

    def tell(self, report: LogReport) -> None:
        """Makes the audit of the log that of the file."""
        if self.intake is not None:
            self.intake.tell(report)

    def findings(self, findings: Iterable[Finding]) -> tuple[Finding, ...]:
        """Findings in the log, as those that the file shows, at their places in it."""
        if self.intake is None:
            return tuple(findings)
        return tuple(self.intake.moved(self.intake.judged(findings), self.path))


def named_log(path: str, asked: Asked, *, quiet: bool = False, json_too: bool = True) -> NamedLog:
    """What a command was given as a log; unless `quiet`, says what of another file is doubtful.

    Only what the user named is looked at, not what was met in a folder. Without `json_too`, JSON is
    taken for a program's events only if a map is for it.

    Raises:
        Unusable: it cannot be read.
    """
    intake, kept = None, None
    if not _is_surely_a_log(path, asked, json_too=json_too):
        read = reopened(path)
        intake = intake_of(path, read, asked)
        if intake is None and is_read_once(path):
            with read() as stream:
                kept = stream.read()
    if intake is not None and not quiet:
        say_doubts(path, intake)
    return NamedLog(path, intake, kept)


def as_log(log: Log, asked: Asked, *, quiet: bool) -> Log:
    """A log of an archive's reader; one of another kind that was named, as the log it becomes."""
    is_met = not log.any_kind or log.member is not None
    if is_met or log.text is not None or log.trouble:
        return log
    try:
        named = named_log(log.place, asked, quiet=quiet)
    except Unusable as wrong:
        return log._replace(trouble=str(wrong).removeprefix(f"{log.place}: "))
    text = named.text
    return log if text is None else log._replace(text=text, intake=named.intake)


def _is_surely_a_log(path: str, asked: Asked, *, json_too: bool) -> bool:
    """Whether nothing else is looked for in a file."""
    from meldref_intake.source import LOGS, kind_of

    if isinstance(path, Met) or is_url(path) or path.lower().endswith(LOGS):
        return True
    if not (is_read_once(path) or is_file(path)):
        return True
    if asked.map is not None:
        return False
    head = beginning_of(path, _BEGINNING)
    from meldref_intake.sheets import decoded, is_workbook

    if is_workbook(head):
        return False
    kind = kind_of(decoded(head), path)
    if kind == "events" and not json_too:
        from meldref_intake.events import is_foreign

        return not is_foreign(head)
    return kind == "log"


def intake_of(path: str, read: Opened, asked: Asked) -> Intake | None:
    """A file that is no log, as one; None if nothing in it can be read so."""
    events = events_of(path, read, asked)
    if events is not None:
        from meldref_intake.events import NoMap
        from meldref_intake.events import intake_of as intake_of_events

        try:
            return intake_of_events(events)
        except NoMap as wrong:
            raise Unusable(f"{path}: {wrong}") from wrong
    return sheet_of(path, read, asked)


def sheet_of(path: str, read: Opened, asked: Asked) -> Intake | None:
    """A score sheet as a log; None if it is none.

    Raises:
        Unusable: it cannot be read, or it holds events that no map is for.
    """
    from meldref_intake.sheets import Unreadable, is_workbook, read_sheet

    with read() as stream:
        data = stream.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise Unusable(f"{path}: {_TOO_LARGE}")
    try:
        made = read_sheet(data, asked.readings, asked.rules)
    except Unreadable as wrong:
        raise Unusable(f"{path}: {wrong}") from wrong
    if made is None:
        from meldref_intake.events import NO_MAP, form_at

        if form_at(data[:_BEGINNING]).startswith("json"):
            raise Unusable(f"{path}: {NO_MAP}")
        if is_workbook(data):
            raise Unusable(f"{path}: {NO_SHEET}")
    return made


def events_of(path: str, read: Opened, asked: Asked, *, explains: bool = False) -> Events | None:
    """The events of a program in a file or standard input; None if no map is for it, or named.

    Raises:
        Unusable: the map that was named cannot be used.
    """
    from meldref_intake.events import NoMap, open_events, open_known

    if asked.map is None:
        return open_known(read, asked.rules, explains=explains)
    try:
        return open_events(read, asked.map, asked.rules, explains=explains)
    except NoMap as wrong:
        tell(wrong.findings, to_errors=True)
        raise Unusable(str(wrong)) from wrong


def reopened(path: str) -> Opened:
    """What opens a file from its beginning, again and again; what is read once is kept for that.

    Raises:
        Unusable: that is too long to be kept.
    """
    if is_read_once(path):
        kept = read_bytes(path, MOST_BYTES)
        if len(kept) > MOST_BYTES:
            raise Unusable(f"{path}: {_TOO_LARGE}")
        return lambda: BytesIO(kept)

    def read() -> BinaryIO:
        with naming(path):
            return open_file(path, any_kind=not isinstance(path, Met))

    return read


def refuse_foreign(path: str) -> None:
    """Raises `Unusable` for a named file that a command writes in place, and that is no log."""
    if path == STANDARD_INPUT:
        return
    made = named_log(path, Asked(), quiet=True).intake
    if made is None:
        return
    what = "these are events of a program" if made.of_records else "this is a score sheet"
    raise Unusable(f"{path}: {what}; `meldref import` makes a log of it")


def say_doubts(path: str, intake: Intake, *, notes: bool = True) -> None:
    """Says on standard error what of a file is doubtful, and what was read in another form."""
    for doubt in (*intake.doubts, *(intake.notes if notes else ())):
        output.notice(f"{name_of_file(path)}:{_said(doubt, in_record=intake.of_records)}")


def say_doubts_of_events(path: str, events: Events) -> None:
    """Says on standard error what of a program's events is not in the log."""
    from meldref_intake.events import doubts

    for place, what in doubts(events):
        where = place.row or place.line
        output.notice(f"{name_of_file(path)}:{f'{where}:' if where else ''} {what}")


def _said(doubt: Doubt, *, in_record: bool) -> str:
    place = doubt.place
    otherwise = f"; {doubt.option} reads it so" if doubt.option else ""
    column = "" if in_record else f":{place.column}"
    return f"{place.line}{column}: {doubt.text}{otherwise}"
