"""Reads logs for finding rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, BinaryIO, Final, Protocol

from meldref.core.safe_files import why_not
from meldref.notation.hopeful import Hopeful
from meldref.notation.reader import Read, has_event, read_lines
from meldref.notation.scanner import decode_numbered
from meldref_evidence.inferring.corpus import Corpus, PlayedLog, log_of

if TYPE_CHECKING:
    from meldref_intake.source import Intake

MOST_LINES: Final = 200_000
"""Of more lines, all in all, the rest is not read: rules are found from far fewer."""


class LogSource(Protocol):
    """Where a log is, and what it is called."""

    @property
    def name(self) -> str:
        """What messages call it."""
        ...

    @property
    def intake(self) -> Intake | None:
        """What it was made of, if its file is no log."""
        ...

    def opened(self) -> AbstractContextManager[BinaryIO]:
        """Its bytes; OSError if they cannot be read."""
        ...


def lines_of(log: LogSource) -> Iterator[Read]:
    """The lines of a log; none of a file that is no log."""
    with log.opened() as stream:
        yield from Hopeful(read_lines(decode_numbered(stream)), has_event)


def read_corpus(logs: Sequence[LogSource]) -> tuple[Corpus, tuple[str, ...]]:
    """The logs that can be read and have turns, and what is wrong with each of the others."""
    played: list[PlayedLog] = []
    wrong: list[str] = []
    room = MOST_LINES
    for log in logs:
        if room <= 0:
            wrong.append(f"{log.name}: left out, since there are {MOST_LINES:,} lines before it")
            continue
        try:
            read = log_of(log.name, lines_of(log), log.intake)
        except OSError as error:
            wrong.append(f"{log.name}: {why_not(error)}")
            continue
        if read.why_not:
            wrong.append(f"{log.name}: {read.why_not}")
        else:
            played.append(read)
            room -= len(read.lines)
    return Corpus(tuple(played)), tuple(wrong)
