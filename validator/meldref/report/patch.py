"""What would change in a file, as a patch."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Collection, Iterable, Iterator
from difflib import unified_diff
from tempfile import SpooledTemporaryFile
from typing import Final

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
    old, new = (text.removeprefix(_MARK).splitlines() for text in (before, after))
    if before != after and old == new:
        yield only_ends(file)
    file = name_of_file(file)
    yield from unified_diff(old, new, file, f"{file} ({done})", n=_CONTEXT, lineterm="")


def patch_lines(file: str, steps: Iterable[tuple[str, str | None]], done: str) -> Iterator[str]:
    """The same of lines one by one, each with what comes of it, which may be nothing."""
    lines = _hunks(_marked(steps))
    first = next(lines, None)
    if first is not None:
        file = name_of_file(file)
        yield from (f"--- {file}", f"+++ {file} ({done})", first)
        yield from lines


def only_ends(file: str) -> str:
    """That a patch would show nothing."""
    return f"{name_of_file(file)}: only line ends or a byte order mark differ"


def _hunks(marked: Iterable[tuple[str, str]]) -> Iterator[str]:
    lead: deque[str] = deque(maxlen=_CONTEXT)
    hunk: _Hunk | None = None
    old_at = new_at = 0
    for mark, text in marked:
        if mark != " ":
            if hunk is None:
                hunk = _Hunk(old_at, new_at, lead)
                lead.clear()
            hunk.change(mark, text)
        elif hunk is None:
            lead.append(text)
        else:
            hunk.calm.append(text)
            if len(hunk.calm) > 2 * _CONTEXT:
                yield from hunk.lines()
                lead.extend(hunk.calm)
                hunk = None
        old_at += mark != "+"
        new_at += mark != "-"
    if hunk is not None:
        yield from hunk.lines()


def _marked(steps: Iterable[tuple[str, str | None]]) -> Iterator[tuple[str, str]]:
    """Every line with its mark: it stays, goes, or comes; of lines side by side, those that go first."""
    come: list[str] = []
    for before, after in steps:
        if before == after or len(come) >= _AT_ONCE:
            yield from (("+", text) for text in come)
            come.clear()
        yield " " if before == after else "-", before
        if after is not None and before != after:
            come.append(after)
    yield from (("+", text) for text in come)


class _Hunk:
    """Lines that change, with some around them; `calm` are those behind the last change."""

    def __init__(self, old_at: int, new_at: int, lead: Collection[str]) -> None:
        self.calm: list[str] = []
        self._from = (old_at - len(lead), new_at - len(lead))
        self._counts = Counter[str]()
        self._body = SpooledTemporaryFile(  # noqa: SIM115  `lines` closes it
            _IN_MEMORY, "w+", encoding="utf-8", errors="surrogatepass", newline=""
        )
        self._stay(lead)

    def change(self, mark: str, text: str) -> None:
        """One more line that goes or comes."""
        self._stay(self.calm)
        self.calm.clear()
        self._put(mark, text)

    def lines(self) -> Iterator[str]:
        """The hunk, with its heading."""
        self._stay(self.calm[:_CONTEXT])
        counts = self._counts
        old = _range(self._from[0], counts[" "] + counts["-"])
        new = _range(self._from[1], counts[" "] + counts["+"])
        yield f"@@ -{old} +{new} @@"
        with self._body:
            self._body.seek(0)
            for line in self._body:
                yield line[:-1]

    def _stay(self, texts: Iterable[str]) -> None:
        for text in texts:
            self._put(" ", text)

    def _put(self, mark: str, text: str) -> None:
        self._counts[mark] += 1
        self._body.write(f"{mark}{text}\n")


def _range(before: int, count: int) -> str:
    """Which lines a hunk is about, as patches say it: of none, the one before."""
    if count == 1:
        return str(before + 1)
    return f"{before + bool(count)},{count}"
