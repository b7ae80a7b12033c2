"""Findings as annotations of GitHub Actions: commands that mark places in a pull request."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath
from typing import Final

from meldref.core.diagnostics import Severity
from meldref.core.text import many, name_of_file
from meldref.report.examined import Examined, FilePlace, place_of

_IN_MESSAGES: Final = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_IN_PROPERTIES: Final = _IN_MESSAGES | str.maketrans({":": "%3A", ",": "%2C"})


def annotate(examined: Examined, *, strict: bool = False, quiet: bool = False) -> Iterator[str]:
    """The annotations of what was examined.

    `strict`: what could not be decided is an error; `quiet`: only errors.
    """
    for finding in examined.findings:
        is_error = finding.severity is Severity.ERROR
        if is_error or not quiet:
            level = "error" if is_error else "warning"
            file, message = examined.file_of(finding), examined.message_of(finding)
            yield annotation(level, file, place_of(finding), finding.code, message)
    for question in examined.open:
        if strict or not quiet:
            level = "error" if strict else "notice"
            place = FilePlace(question.line)
            yield annotation(level, examined.file, place, "undecided", question.what)
    if examined.hidden and not quiet:
        more = f"{many(examined.hidden, 'more finding')} in this file"
        yield annotation("notice", examined.file, FilePlace(), "not shown", more)
    if examined.fault:
        yield annotation("error", examined.file, FilePlace(), "internal error", examined.fault)


def annotation(level: str, file: str, place: FilePlace, title: str, message: str) -> str:
    """One annotation; of what is in no file, the message says where."""
    fields: dict[str, str | int] = {}
    if file and not file.startswith("-"):  # neither standard input nor an option
        fields["file"] = PurePath(file).as_posix()
        if place.line:
            fields["line"] = place.line
        if place.column:
            fields["col"] = place.column
            fields["endColumn"] = place.end_column
    elif file:
        where = name_of_file(f"{file}:{place.line}" if place.line else file)
        message = f"{where}: {message}"
    if title:
        fields["title"] = title
    properties = [f"{key}={str(value).translate(_IN_PROPERTIES)}" for key, value in fields.items()]
    before = f"{level} {','.join(properties)}" if properties else level
    return f"::{before}::{message.translate(_IN_MESSAGES)}"
