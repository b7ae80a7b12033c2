"""When to stop reading what is not a log: a device has no end, and nobody reads a million errors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final, Generic, TypeVar

from meldref.core.diagnostics import Finding

HOPELESS: Final = 1_000
"""After how many lines that cannot be read, with none that can, the rest is not tried."""

_T = TypeVar("_T", bound=tuple[object, tuple[Finding, ...]])


class Hopeful(Generic[_T]):
    """Lines as they are read, each with what is wrong with it, while there is hope that one of them can be read.

    `gave_up` is the number of lines after which reading stopped, 0 if all were read.
    """

    def __init__(self, reads: Iterable[_T], says_anything: Callable[[_T], bool]) -> None:
        self.gave_up = 0
        self._reads = reads
        self._says_anything = says_anything

    def __iter__(self) -> Iterator[_T]:
        """The lines; after the first that says something, the rest follows unwatched."""
        reads = iter(self._reads)
        wrong = 0
        for number, read in enumerate(reads, 1):
            yield read
            if self._says_anything(read):
                break
            wrong += bool(read[1])
            if wrong == HOPELESS:
                self.gave_up = number
                return
        yield from reads


def not_tried(gave_up: int) -> str:
    """What is said of a file that was given up."""
    return f"none of the first {gave_up:,} lines can be read; the rest was not tried"
