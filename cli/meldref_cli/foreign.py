"""Files that are no logs, at the door of commands that read logs: score sheets, and events."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from io import BytesIO
from typing import TYPE_CHECKING, BinaryIO, Final, TypeAlias

from meldref.core.records import NamedTuple
from meldref.core.safe_files import Met, is_url, open_file
from meldref.core.text import name_of_file
from meldref_cli import output
from meldref_cli.errors import Unusable, naming
from meldref_cli.files import STANDARD_INPUT, is_file, read_bytes
from meldref_cli.findings import tell

if TYPE_CHECKING:
    from meldref_intake.events import Events
    from meldref_intake.source import Doubt, Intake

MOST_BYTES: Final = 100_000_000
"""The most bytes of a file that is read as a whole."""
_BEGINNING: Final = 1 << 14
"""How many bytes show what a file is."""


Opened: TypeAlias = Callable[[], BinaryIO]
"""Opens a file from its beginning."""


class Asked(NamedTuple):
    """How a file is to be read: `readings` of a sheet, the rules to name in the log, and a map for events."""

    readings: Sequence[str] = ()
    rules: str | None = None
    map: str | None = None


def read_foreign(path: str, asked: Asked) -> Intake | None:
    """A named file that is no log, as one; None if it is a log, or nothing shows what it is.

    Only what the user named is looked at, not what was met in a folder.

    Raises:
        Unusable: it cannot be read.
    """
    from meldref_intake.source import LOGS, kind_of

    if isinstance(path, Met) or is_url(path) or path.lower().endswith(LOGS) or not is_file(path):
        return None
    if asked.map is not None:
        return intake_of(path, asked)
    head = read_bytes(path, _BEGINNING)
    from meldref_intake.sheets import decoded, is_workbook

    if not is_workbook(head) and kind_of(decoded(head), path) == "log":
        return None
    return intake_of(path, asked)


def intake_of(path: str, asked: Asked) -> Intake | None:
    """A named file that is no log, as one; None if nothing in it can be read so."""
    opened = reopened(path)
    events = events_of(path, opened, asked)
    if events is not None:
        from meldref_intake.events import intake_of as intake_of_events

        return intake_of_events(events)
    return sheet_of(path, opened, asked)


def sheet_of(path: str, opened: Opened, asked: Asked) -> Intake | None:
    """A score sheet as a log; None if it is none.

    Raises:
        Unusable: it cannot be read, or it holds events that no map is for.
    """
    with opened() as stream:
        data = stream.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise Unusable(f"{path}: more than {MOST_BYTES:,} bytes, which no sheet needs")
    name = "" if path == STANDARD_INPUT else path
    made = next((made for read in _READERS if (made := read(data, name, asked))), None)
    if made is None:
        from meldref_intake.events import NO_MAP, form_at

        if form_at(data[:_BEGINNING]).startswith("json"):
            raise Unusable(f"{path}: {NO_MAP}")
    return made


def events_of(path: str, opened: Opened, asked: Asked, *, explains: bool = False) -> Events | None:
    """The events of a program in a file or standard input; None if no map is for it, or named.

    Raises:
        Unusable: the map that was named cannot be used.
    """
    from meldref_intake.events import BEGINNING, NoMap, is_known, open_events

    with opened() as stream:
        if asked.map is None and not is_known(stream.read(BEGINNING)):
            return None
    try:
        return open_events(opened, asked.map, asked.rules, explains=explains)
    except NoMap as wrong:
        tell(wrong.findings, to_errors=True)
        raise Unusable(str(wrong)) from wrong


def reopened(path: str) -> Opened:
    """What opens a file from its beginning, again and again; standard input is kept for that."""
    if path == STANDARD_INPUT:
        kept = read_bytes(path, MOST_BYTES)
        return lambda: BytesIO(kept)

    def opened() -> BinaryIO:
        with naming(path):
            return open_file(path, any_kind=not isinstance(path, Met))

    return opened


def _as_sheet(data: bytes, name: str, asked: Asked) -> Intake | None:
    from meldref_intake.sheets import Unreadable, read_sheet

    try:
        return read_sheet(data, name, asked.readings, asked.rules)
    except Unreadable as wrong:
        raise Unusable(f"{name}: {wrong}") from wrong


_READERS: Final[Sequence[Callable[[bytes, str, Asked], Intake | None]]] = (_as_sheet,)
"""What reads files of each kind; the first that can is taken."""


def refuse_foreign(path: str) -> None:
    """Raises `Unusable` for a named file that a command writes in place, and that is no log."""
    made = read_foreign(path, Asked())
    if made is None:
        return
    what = "these are events of a program" if made.of_records else "this is a score sheet"
    raise Unusable(f"{path}: {what}; `meldref import` makes a log of it")


def say_doubts(path: str, intake: Intake, *, notes: bool = True) -> None:
    """Says on standard error what of a file is doubtful, and what was read in another form."""
    for doubt in (*intake.doubts, *(intake.notes if notes else ())):
        output.notice(f"{name_of_file(path)}:{_said(doubt)}")


def say_doubts_of_events(path: str, events: Events) -> None:
    """Says on standard error what of a program's events is not in the log."""
    from meldref_intake.events import doubts

    for place, what in doubts(events):
        where = place.row or place.line
        output.notice(f"{name_of_file(path)}:{f'{where}:' if where else ''} {what}")


def _said(doubt: Doubt) -> str:
    place = doubt.place
    otherwise = f"; {doubt.option} reads it so" if doubt.option else ""
    return f"{place.line}:{place.column}: {doubt.text}{otherwise}"
