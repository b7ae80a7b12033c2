"""How long a file is read on in which lines cannot be read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final, Generic, TypeVar

from meldref.core.diagnostics import Finding

HOPELESS: Final = 1_000
"""After how many lines that cannot be read, with none that can, the rest is not tried: nobody reads
them all."""
MOST_UNREAD: Final = 50_000
"""The most faulty lines if some lines can be read."""

_T = TypeVar("_T", bound=tuple[object, tuple[Finding, ...]])


class Hopeful(Generic[_T]):
    """Yields lines with their findings, but stops if none of many was readable.

    After `HOPELESS` faulty lines the file is probably not a log; `gave_up` is the number of lines
    after which reading stopped, 0 if all were read. `has_hope`: it is known to be a log.
    """

    def __init__(self, reads: Iterable[_T], says_anything: Callable[[_T], bool]) -> None:
        self.gave_up = 0
        self.has_hope = False
        self._reads = reads
        self._says_anything = says_anything

    def __iter__(self) -> Iterator[_T]:
        """The lines.

        Once one says something, many more may be wrong before the rest is given up.
        """
        reads = iter(self._reads)
        wrong = 0
        for number, read in enumerate(reads, 1):
            yield read
            self.has_hope = self.has_hope or self._says_anything(read)
            if read[1]:
                wrong += 1
                if wrong == (MOST_UNREAD if self.has_hope else HOPELESS):
                    self.gave_up = getattr(
                        read[0], "number", number
                    )  # lines may have been left out
                    return


def not_tried(gave_up: int, *, some: bool) -> str:
    """What is said of a file that was given up; `some` of its lines could be read."""
    if some and gave_up >= MOST_UNREAD:
        return (
            f"{MOST_UNREAD:,} of the first {gave_up:,} lines cannot be read; the rest was not tried"
        )
    return f"none of the first {gave_up:,} lines can be read; the rest was not tried"
