"""Text in lines that are not too long."""

from __future__ import annotations

import textwrap
from typing import Final

WIDE: Final = 100
"""How many characters a line of a text has at the most."""
_LEAST: Final = 13
"""How many characters there are at least for the text of a line, however much stands before it."""


def wrapped(text: str, first: str = "", rest: str = "", *, width: int = WIDE) -> list[str]:
    """A text in lines: what stands before the first, and before the others. Words are not divided."""
    return textwrap.wrap(
        text,
        max(width, len(rest) + _LEAST),
        initial_indent=first,
        subsequent_indent=rest,
        break_long_words=False,
        break_on_hyphens=False,
    )
