"""Writes logs: events in the one canonical form, which the reader reads as the same events.

What the notation cannot hold (a double quote within a text, an empty meld, a number of ten digits)
raises `ValueError`: no event that was read from a log has it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from meldref.core.events import Action, Event, Line
from meldref.notation.actions import BY_KIND
from meldref.notation.lines import form_of
from meldref.notation.scanner import BLANKS


def write_action(action: Action) -> str:
    """An action: `meld 5h 6h 7h`, `take 4c x6`, `draw ?`.

    Raises:
        ValueError: the notation has no way to write it.
    """
    return BY_KIND[type(action)].written(action)


def write_event(event: Event) -> str:
    """The line of an event, without what may follow on it: `12. Ann: draw 5c; discard 9h`.

    Raises:
        ValueError: the notation has no way to write it.
    """
    return form_of(event).written(event)


def write_line(line: Line) -> str:
    """A line of a log in canonical form, with its annotation, expected violations and comment.

    A line without an event (blank, a comment, or one that could not be read) stays as it is, but
    for blanks at its end.
    """
    if line.event is None:
        return line.text.rstrip(BLANKS + "\r")
    parts = [write_event(line.event)]
    if line.annotation is not None:
        parts.append("{" + line.annotation + "}")
    if line.expected:
        parts.append("?! " + ", ".join(line.expected))
    if line.comment is not None:
        parts.append("#" + line.comment)
    return " ".join(parts).rstrip(BLANKS)


def format_log(lines: Iterable[Line]) -> Iterator[str]:
    """The lines of a log in canonical form, each with its end.

    Blank ones as `spaced` leaves them.
    """
    for line in spaced(lines):
        yield write_line(line) + "\n"


def spaced(lines: Iterable[Line]) -> Iterator[Line]:
    """The lines with single blank ones between them, and none at the beginning and the end."""
    return (line for line, stays in sifted(lines) if stays)


def sifted(lines: Iterable[Line]) -> Iterator[tuple[Line, bool]]:
    """Every line, and whether it stays: of blank ones in a row only the last, between lines."""
    begun = False
    blank: Line | None = None
    for line in lines:
        if line.event is None and not line.text.strip(BLANKS + "\r"):
            if not begun:
                yield line, False
                continue
            if blank is not None:
                yield blank, False
            blank = line
            continue
        if blank is not None:
            yield blank, True
        blank, begun = None, True
        yield line, True
    if blank is not None:
        yield blank, False
