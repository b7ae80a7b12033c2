"""What the grammar makes of a line, whoever read it: the event, what follows it, and what comes before a turn."""

from __future__ import annotations

from typing import Final

from meldref.core.events import Event
from meldref.core.records import NamedTuple


class Trailers(NamedTuple):
    """What may follow on any line: expected violations, a comment, an annotation."""

    expected: tuple[str, ...] = ()
    comment: str | None = None
    annotation: str | None = None


NO_TRAILERS: Final = Trailers()


class ReadLine(NamedTuple):
    """A whole line as the grammar reads it."""

    event: Event | None
    trailers: Trailers


class Head(NamedTuple):
    """What comes before the `:` of a turn; the column is the name's."""

    number: int | None
    player: str
    column: int
