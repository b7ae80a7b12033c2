"""How text looks: its colours on a terminal, or none, and lines that are not too long."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from functools import partialmethod
from typing import Final

from meldref.core.records import record

WIDE: Final = 100
"""How many characters a line of a text has at the most."""
_LEAST: Final = 13
"""How many characters there are at least for the text of a line, however much stands before it."""


@record
class Style:
    """Whether and how to colour; without `on` every text stays as it is."""

    on: bool = False

    def _paint(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.on and text else text

    bold = partialmethod(_paint, "1")
    """What matters most."""
    red = partialmethod(_paint, "1;31")
    """What is wrong."""
    yellow = partialmethod(_paint, "33")
    """What is doubtful."""
    green = partialmethod(_paint, "32")
    """What is well."""
    dim = partialmethod(_paint, "2")
    """What frames the rest."""


PLAIN: Final = Style()


def in_columns(rows: Iterable[Sequence[str]], rest: str = "<") -> Iterator[str]:
    """Rows as columns: the first flush left, the `rest` flush left (`<`) or right (`>`)."""
    rows = list(rows)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [f"{cell:{rest}{width}}" for cell, width in zip(row[1:], widths[1:], strict=True)]
        yield "  ".join([f"{row[0]:<{widths[0]}}", *cells]).rstrip()


def wrapped(text: str, first: str = "", rest: str = "", *, width: int = WIDE) -> list[str]:
    """A text in lines: what stands before the first, and before the others.

    Words are not divided.
    """
    return textwrap.wrap(
        text,
        max(width, len(rest) + _LEAST),
        initial_indent=first,
        subsequent_indent=rest,
        break_long_words=False,
        break_on_hyphens=False,
    )
