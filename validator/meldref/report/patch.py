"""What would change in a file, as a patch."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Collection, Iterable, Iterator
from difflib import SequenceMatcher
from tempfile import SpooledTemporaryFile
from typing import Final

from meldref.core.text import name_of_file

_MARK: Final = "\ufeff"
_CONTEXT: Final = 3
"""How many lines that stay stand before and after those that change."""
_AT_ONCE: Final = 1_000
"""After so many lines are compared at once, the next that stay end the stretch, or as many lines again."""
_IN_MEMORY: Final = 1 << 20
"""How many bytes of a hunk wait in memory for its length; more wait in a file."""


def patch_text(file: str, before: str, after: str, done: str) -> Iterator[str]:
    """The lines of a patch; `done` says what was done to the text after it, such as `formatted`."""
    old, new = (text.removeprefix(_MARK).splitlines() for text in (before, after))
    if before != after and old == new:
        yield only_ends(file)
    yield from _patch(file, [(old, new)], done)


def patch_lines(file: str, steps: Iterable[tuple[str, str | None]], done: str) -> Iterator[str]:
    """The same of lines one by one, each with what comes of it, which may be nothing."""
    return _patch(file, _segments(steps), done)


def only_ends(file: str) -> str:
    """That a patch would show nothing."""
    return f"{name_of_file(file)}: only line ends or a byte order mark differ"


def _segments(steps: Iterable[tuple[str, str | None]]) -> Iterator[tuple[list[str], list[str]]]:
    """Lines before and after by the stretch."""
    old: list[str] = []
    new: list[str] = []
    calm = 0
    for before, after in steps:
        old.append(before)
        if after is not None:
            new.append(after)
        calm = calm + 1 if before == after else 0
        if len(old) >= _AT_ONCE and ((before and calm > _CONTEXT) or len(old) >= 2 * _AT_ONCE):
            yield old, new
            old, new = [], []
    yield old, new


def _patch(file: str, segments: Iterable[tuple[list[str], list[str]]], done: str) -> Iterator[str]:
    lines = _hunks(segments)
    first = next(lines, None)
    if first is not None:
        file = name_of_file(file)
        yield from (f"--- {file}", f"+++ {file} ({done})", first)
        yield from lines


def _hunks(segments: Iterable[tuple[list[str], list[str]]]) -> Iterator[str]:
    lead: deque[str] = deque(maxlen=_CONTEXT)
    hunk: _Hunk | None = None
    old_at = new_at = 0
    for mark, text in _marked(segments):
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


def _marked(segments: Iterable[tuple[list[str], list[str]]]) -> Iterator[tuple[str, str]]:
    """Every line with its mark: it stays, goes, or comes."""
    for old, new in segments:
        if old == new:
            yield from ((" ", text) for text in old)
            continue
        for kind, begin, end, new_begin, new_end in SequenceMatcher(None, old, new).get_opcodes():
            if kind == "equal":
                yield from ((" ", text) for text in old[begin:end])
                continue
            yield from (("-", text) for text in old[begin:end])
            yield from (("+", text) for text in new[new_begin:new_end])


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
