"""Whole logs as JSON Lines, and back, a line at a time."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from meldref.core.diagnostics import Finding
from meldref.core.events import Event, Line, Turn
from meldref.core.text import without_commands
from meldref.notation.jsonlines.data import event_data, line_data
from meldref.notation.jsonlines.places import Broken, JsonError, parse, place_of
from meldref.notation.jsonlines.shapes import line_of
from meldref.notation.messages import bad_character, saved_as_windows, syntax_error
from meldref.notation.reader import Read, read_line
from meldref.notation.scanner import BLANKS, LONGEST, windows_text
from meldref.notation.writer import spaced, write_line

LONGEST_JSON: Final = 1 << 17
"""The most characters of a line of JSON; no line of a log needs more."""
_HALF_CHARACTER: Final = re.compile("[\ud800-\udfff]")
_JSON_BLANKS: Final = " \t\r\n"
_TOO_LONG: Final = f"a line of JSON has at most {LONGEST_JSON:,} characters"


class Converted(NamedTuple):
    """A line of the other format, without its end, and the findings about its source."""

    text: str
    findings: tuple[Finding, ...] = ()


def json_lines(log: Iterable[Event | None]) -> Iterator[str]:
    """Events as lines of JSON, each with its end; None is left out."""
    for event in log:
        if event is not None:
            yield _json(event_data(event)) + "\n"


def to_json(reads: Iterable[Read]) -> Iterator[Converted]:
    """The lines of a log as JSON, each with its findings; blank lines as the formatter leaves them.

    A line that cannot be read is kept as it is.
    """
    return _converted(
        reads,
        lambda line, findings: without_commands(json.dumps(line_data(line, readable=not findings))),
    )


def from_json(texts: Iterable[str]) -> Iterator[Converted]:
    """The lines of a log in canonical form, from JSON; a line with findings has no meaningful text.

    Blank lines are as the formatter leaves them; those between the objects are ignored.
    """
    return _converted(_read_objects(texts), lambda line, _: line.text)


def from_json_numbered(texts: Iterable[str]) -> Iterator[tuple[int, Converted]]:
    """As `from_json`, each line with the number of the one that it was read from."""
    for line, findings in _read_objects(texts):
        yield line.number, Converted(line.text, findings)


def _json(data: object) -> str:
    """Data as a line of JSON."""
    return without_commands(json.dumps(data))


def _converted(
    reads: Iterable[Read], write: Callable[[Line, Sequence[Finding]], str]
) -> Iterator[Converted]:
    """The lines that stay, as they are written in the other format, each with its findings."""
    wrong: dict[int, tuple[Finding, ...]] = {}

    def lines() -> Iterator[Line]:
        for line, findings in reads:
            if findings:
                wrong[line.number] = findings
            yield line

    for line in spaced(lines()):
        findings = wrong.pop(line.number, ())
        yield Converted(write(line, findings), findings)


def _read_objects(texts: Iterable[str]) -> Iterator[Read]:
    """The lines that objects stand for; what was saved in another encoding is reported once."""
    reported = False
    for number, whole in enumerate(texts, 1):
        text = whole.rstrip("\r\n")
        if not text.strip(_JSON_BLANKS):
            continue
        windows = None if text.isascii() else windows_text(text)
        line, findings = read_object(windows or text, number)
        if windows and not reported:
            findings = (saved_as_windows(number, text, windows),)
            reported = True
        yield line, findings


def read_object(text: str, number: int = 1) -> tuple[Line, tuple[Finding, ...]]:
    """The canonical line of a log that a line of JSON stands for, and the findings about it."""
    nothing = Line(number, "?", None)
    if len(text) > LONGEST_JSON:
        return nothing, (syntax_error(number, text[:80] + "…", 0, 1, _TOO_LONG),)
    half = _HALF_CHARACTER.search(text)
    if half is not None:
        return nothing, (bad_character(number, text, half.start()),)
    value = parse(text)
    if isinstance(value, Broken):
        return nothing, (
            syntax_error(number, text, value.offset, value.offset, f"not JSON: {value.message}"),
        )
    if "\\ud" in text.lower() and (
        half := _HALF_CHARACTER.search(json.dumps(value, ensure_ascii=False))
    ):
        at = text.lower().find(f"\\u{ord(half[0]):04x}")
        return nothing, (
            syntax_error(number, text, at, at + 6, "half a character, whose other half is missing"),
        )
    faults: list[JsonError] = []
    line = line_of(value, faults)
    written = "" if faults else _written(line, faults)
    if faults:
        placed = sorted([(*place_of(text, fault), fault.message) for fault in faults])
        return nothing, tuple([syntax_error(number, text, *place) for place in placed])
    return line._replace(number=number, text=written), ()


def _written(line: Line, faults: list[JsonError]) -> str:
    """The line as the notation writes it; it is read again to see whether it says the same."""
    try:
        text = write_line(line)
    except ValueError as error:
        faults.append(JsonError((), str(error)))
        return ""
    if len(text) > LONGEST:
        faults.append(
            JsonError(
                (),
                f"as a line of a log, this has {len(text):,} characters; at most {LONGEST:,} fit",
            )
        )
    elif line.event is not None and _facts(read_line(text)[0]) != _facts(line):
        faults.append(
            JsonError((), f"the notation has no way to write this: `{text}` says something else")
        )
    return text


def _facts(line: Line) -> tuple[object, ...]:
    """What a line says, without its columns."""
    event: object = line.event
    if isinstance(event, Turn):
        event = event.number, event.player, event.actions
    comment = None if line.comment is None else line.comment.rstrip(BLANKS)
    return event, line.expected, line.annotation, comment
