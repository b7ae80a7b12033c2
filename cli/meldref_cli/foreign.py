"""Files that are no logs, at the door of commands that read logs: score sheets, and events."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from meldref.core.records import NamedTuple
from meldref.core.safe_files import Met, is_url
from meldref.core.text import name_of_file
from meldref_cli import output
from meldref_cli.errors import Unusable
from meldref_cli.files import STANDARD_INPUT, is_file, read_bytes

if TYPE_CHECKING:
    from meldref_intake.source import Doubt, Intake

MOST_BYTES: Final = 100_000_000
"""The most bytes of a file that is read as a whole."""
_BEGINNING: Final = 1 << 14
"""How many bytes show what a file is."""


class Asked(NamedTuple):
    """How a file is to be read: `readings` of a sheet, and the rules to name in the log."""

    readings: Sequence[str] = ()
    rules: str | None = None


def read_foreign(path: str, asked: Asked) -> Intake | None:
    """A named file that is no log, as one; None if it is a log, or nothing shows what it is.

    Only what the user named is looked at, not what was met in a folder.

    Raises:
        Unusable: it cannot be read.
    """
    from meldref_intake.source import LOGS, kind_of

    if isinstance(path, Met) or is_url(path) or path.lower().endswith(LOGS) or not is_file(path):
        return None
    head = read_bytes(path, _BEGINNING)
    from meldref_intake.sheets import decoded, is_workbook

    if not is_workbook(head) and kind_of(decoded(head), path) == "log":
        return None
    return intake_of(path, asked)


def intake_of(path: str, asked: Asked) -> Intake | None:
    """A file or standard input that is no log, as one; None if nothing in it can be read so."""
    data = read_bytes(path, MOST_BYTES)
    if len(data) > MOST_BYTES:
        raise Unusable(f"{path}: more than {MOST_BYTES:,} bytes, which no sheet needs")
    name = "" if path == STANDARD_INPUT else path
    return next((made for read in _READERS if (made := read(data, name, asked))), None)


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
    if read_foreign(path, Asked()) is not None:
        raise Unusable(f"{path}: this is a score sheet; `meldref import` makes a log of it")


def say_doubts(path: str, intake: Intake, *, notes: bool = True) -> None:
    """Says on standard error what of a file is doubtful, and what was read in another form."""
    for doubt in (*intake.doubts, *(intake.notes if notes else ())):
        output.notice(f"{name_of_file(path)}:{_said(doubt)}")


def _said(doubt: Doubt) -> str:
    place = doubt.place
    otherwise = f"; {doubt.option} reads it so" if doubt.option else ""
    return f"{place.line}:{place.column}: {doubt.text}{otherwise}"
