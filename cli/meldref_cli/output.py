"""Writing: results to standard output, notices and errors to standard error, colours only on a terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from meldref.report.style import Style


def write(text: str) -> None:
    """A line, or several, of the result."""
    sys.stdout.write(text + "\n")


def write_all(lines: Iterable[str]) -> None:
    """Lines of the result, as they come."""
    for line in lines:
        sys.stdout.write(line + "\n")


def notice(text: str) -> None:
    """A line that is no result."""
    sys.stdout.flush()
    sys.stderr.write(text + "\n")


def error(text: str) -> None:
    """What cannot be used."""
    notice(f"meldref: error: {text}")


def internal_error(fault: BaseException, doing: str = "") -> None:
    """A fault of the program's own, in one line and how to report it."""
    what = f"{type(fault).__name__}: {fault}" if str(fault) else type(fault).__name__
    first = what.splitlines()[0]
    notice(f"meldref: internal error: {first}{f' ({doing})' if doing else ''}")
    notice("This is a fault of meldref, not yours: please report it with the command and its input;")
    notice("with --verbose, the report says where it happened.")


def make_safe() -> None:
    """Lets no character that the terminal or pipe cannot take end the program."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def style_for(stream: TextIO | None = None) -> Style:
    """Colours where a person looks at a terminal that has them, and did not ask for none."""
    from meldref.report.style import Style

    return Style(on=has_colours(sys.stdout if stream is None else stream))


def has_colours(stream: TextIO) -> bool:
    """Whether a stream is a terminal that takes colours, and nothing in the environment speaks against it."""
    if os.environ.get("NO_COLOR") or os.environ.get("CI") or os.environ.get("TERM") == "dumb":
        return False
    return is_terminal(stream)


def is_terminal(stream: TextIO) -> bool:
    """Whether a stream is a terminal."""
    try:
        return stream.isatty()
    except ValueError:
        return False
