"""What would change in a file, as a patch."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator
from difflib import unified_diff
from itertools import groupby
from tempfile import SpooledTemporaryFile
from typing import Final, NamedTuple

from meldref.core.text import name_of_file

_MARK: Final = "\ufeff"
_CONTEXT: Final = 3
"""How many lines that stay stand before and after those that change."""
_AT_ONCE: Final = 1_000
"""How many lines that come wait in memory until those before them have gone."""
_IN_MEMORY: Final = 1 << 20
"""How many bytes of a hunk wait in memory for its length; more wait in a file."""


def patch_text(file: str, before: str, after: str, done: str) -> Iterator[str]:
    """The lines of a patch; `done` says what was done to the text after it, such as `formatted`."""
    old, new = (_lines(text.removeprefix(_MARK)) for text in (before, after))
    if before != after and old == new:
        yield only_ends(file)
    file = name_of_file(file)
    yield from unified_diff(old, new, file, f"{file} ({done})", n=_CONTEXT, lineterm="")


def _lines(text: str) -> list[str]:
    """The lines of a text without their ends, as every program that reads patches has them."""
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    return lines if lines[-1] else lines[:-1]


def patch_lines(file: str, steps: Iterable[tuple[str, str | None]], done: str) -> Iterator[str]:
    """Yields lines one by one, each with its replacement, which may be nothing."""
    lines = _hunks(_marked(steps))
    first = next(lines, None)
    if first is not None:
        file = name_of_file(file)
        yield from (f"--- {file}", f"+++ {file} ({done})", first)
        yield from lines


def only_ends(file: str) -> str:
    """That a patch would show nothing."""
    return f"{name_of_file(file)}: only line ends or a byte order mark differ"


class _Line(NamedTuple):
    """A line with its mark and number, and how many old and new lines precede it."""

    number: int
    old: int
    new: int
    mark: str
    text: str


def _hunks(marked: Iterable[tuple[str, str]]) -> Iterator[str]:
    """The hunks of a patch, each with its heading; a long one waits in a file for its length."""
    for _, hunk in groupby(
        enumerate(_shown(marked)), lambda numbered: numbered[1].number - numbered[0]
    ):
        first, counts = None, Counter[str]()
        with SpooledTemporaryFile(
            _IN_MEMORY, "w+", encoding="utf-8", errors="surrogatepass", newline=""
        ) as body:
            for _, line in hunk:
                first = first or line
                counts[line.mark] += 1
                body.write(f"{line.mark}{line.text}\n")
            assert first is not None
            old = _range(first.old, counts[" "] + counts["-"])
            new = _range(first.new, counts[" "] + counts["+"])
            yield f"@@ -{old} +{new} @@"
            body.seek(0)
            for text in body:
                yield text[:-1]


def _shown(marked: Iterable[tuple[str, str]]) -> Iterator[_Line]:
    """The lines that change, and those around them."""
    lead: deque[_Line] = deque(maxlen=_CONTEXT)
    old = new = 0
    changed = -_CONTEXT - 1
    for number, (mark, text) in enumerate(marked):
        line = _Line(number, old, new, mark, text)
        if mark != " ":
            yield from (*lead, line)
            lead.clear()
            changed = number
        elif number <= changed + _CONTEXT:
            yield line
        else:
            lead.append(line)
        old += mark != "+"
        new += mark != "-"


def _marked(steps: Iterable[tuple[str, str | None]]) -> Iterator[tuple[str, str]]:
    """Every line with its mark: it stays, goes, or comes.

    Of lines side by side, those that go first.
    """
    come: list[str] = []
    for before, after in steps:
        if before == after or len(come) >= _AT_ONCE:
            yield from (("+", text) for text in come)
            come.clear()
        yield " " if before == after else "-", before
        if after is not None and before != after:
            come.append(after)
    yield from (("+", text) for text in come)


def _range(before: int, count: int) -> str:
    """Which lines a hunk is about, as patches say it: of none, the one before."""
    if count == 1:
        return str(before + 1)
    return f"{before + bool(count)},{count}"
