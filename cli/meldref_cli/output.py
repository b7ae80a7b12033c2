"""Writing: results to standard output, notices and errors to standard error, and colours."""

from __future__ import annotations

import codecs
import json
import os
import re
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final, TextIO

from meldref.core.text import harmless, name_of_file
from meldref.report.style import WIDE, Style

_NARROW: Final = 40
"""How long lines of prose are on the narrowest of terminals."""
_COLOUR: Final = r"(\x1b\[[0-9;]*m)"
_PLAIN: Final = "meldref.plain"
_INSTEAD: Final = {
    "\u00b7": "|",
    "\u2026": "...",
    "\u2013": "-",
    "\u2212": "-",
    "\u00b1": "+/-",
    "\u2260": "!=",
}
"""What stands for the program's own signs where letters are ASCII or another small set."""


def write(text: str) -> None:
    """A line, or several, of the result."""
    sys.stdout.write(_harmless(text, sys.stdout) + "\n")


def write_all(lines: Iterable[str], end: str = "\n", together: int = 1) -> None:
    """Lines of the result, as they come; or pieces of one, where nothing ends them.

    `together`: how many are written in one go where nobody watches, since each write may be a
    system call.
    """
    most = 1 if is_terminal(sys.stdout) else together
    ready: list[str] = []
    try:
        for line in lines:
            ready.append(_harmless(line, sys.stdout) + end)
            if len(ready) >= most:
                sys.stdout.write("".join(ready))
                ready.clear()
    finally:
        sys.stdout.write("".join(ready))


def write_annotation(line: str) -> None:
    """A line that is a command to who runs a build, and the only one in it."""
    begin, mark, rest = line.partition("::")
    sys.stdout.write(begin + mark + harmless(f" {rest}", keep="")[1:] + "\n")


def show(format_: str, data: Callable[[], object], text: Callable[[], Iterable[str]]) -> None:
    """The result of a command: one object where the format is `json`, else lines."""
    if format_ == "json":
        write(json.dumps(data()))
    else:
        write_all(text())


def _harmless(text: str, stream: TextIO) -> str:
    """A text without what would steer the terminal, apart from the program's own colours.

    Names in files and names of files may hold anything.
    """
    if "\x1b" not in text or not has_colours(stream):
        return harmless(text)
    parts = re.split(_COLOUR, text)
    return "".join([part if place % 2 else harmless(part) for place, part in enumerate(parts)])


def width() -> int:
    """How long lines of prose are: as wide as a narrow terminal, else 100 characters."""
    if not is_terminal(sys.stdout):
        return WIDE
    from shutil import get_terminal_size

    return max(_NARROW, min(WIDE, get_terminal_size((WIDE, 24)).columns))


def notice(text: str) -> None:
    """A line that is no result, whatever names and values are in it."""
    notice_lines(name_of_file(text))


def notice_lines(text: str) -> None:
    """What is no result, in several lines."""
    sys.stdout.flush()
    with suppress(OSError):  # nobody can be told, and the exit status still says it
        sys.stderr.write(_harmless(text, sys.stderr) + "\n")


def error(text: str) -> None:
    """What cannot be used."""
    notice(f"meldref: error: {text}")


def internal_error(fault: BaseException) -> None:
    """A fault of the program's own, in one line and how to report it."""
    what = f"{type(fault).__name__}: {fault}" if str(fault) else type(fault).__name__
    first = what.splitlines()[0]
    notice(f"meldref: internal error: {first} ({_place(fault)})")
    notice("This is a bug in meldref: please report it with the command and its input.")


def _place(fault: BaseException) -> str:
    """Where a fault came up, which a report of it should say in any case."""
    from traceback import walk_tb

    steps = [
        f"{Path(frame.f_code.co_filename).name}:{line}"
        for frame, line in walk_tb(fault.__traceback__)
    ]
    return steps[-1] if steps else "no place is known"


def cannot_take(fault: OSError) -> bool:
    """Whether standard output is at fault, as on a full disk: it is asked again."""
    if fault.filename is not None:
        return False
    try:
        sys.stdout.flush()
        os.write(sys.stdout.fileno(), b"\n")
    except OSError as again:
        return again.errno == fault.errno
    return False


def _in_few_letters(wrong: UnicodeError) -> tuple[str, int]:
    """Codec error handler: replaces characters that the encoding lacks."""
    if not isinstance(wrong, UnicodeEncodeError):
        raise wrong
    signs = wrong.object[wrong.start : wrong.end]
    return "".join(_INSTEAD.get(sign) or ascii(sign)[1:-1] for sign in signs), wrong.end


def make_safe() -> None:
    """Keeps characters that an output cannot take, or a closed stream, from ending the program."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            stream = open(os.devnull, mode, encoding="utf-8")  # noqa: PTH123, SIM115  to the end
            setattr(sys, name, stream)
    codecs.register_error(_PLAIN, _in_few_letters)
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors=_PLAIN)


def style_for(stream: TextIO | None = None) -> Style:
    """Colours where a person looks at a terminal that has them, and did not ask for none."""
    return Style(on=has_colours(sys.stdout if stream is None else stream))


def has_colours(stream: TextIO) -> bool:
    """Whether a stream is a terminal that takes colours, and the environment allows them."""
    if os.environ.get("NO_COLOR") or os.environ.get("CI") or os.environ.get("TERM") == "dumb":
        return False
    return is_terminal(stream)


def can_step() -> bool:
    """Whether somebody sits at a terminal that can be drawn on."""
    return os.environ.get("TERM") != "dumb" and is_terminal(sys.stdin) and is_terminal(sys.stdout)


def is_terminal(stream: TextIO) -> bool:
    """Whether a stream is a terminal."""
    try:
        return stream.isatty()
    except ValueError:
        return False
