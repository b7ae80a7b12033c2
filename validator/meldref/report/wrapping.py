"""Text in lines that are not too long."""

from __future__ import annotations

import textwrap
from typing import Final

WIDE: Final = 100
"""How many characters a line of a text has at the most."""


def wrapped(text: str, first: str = "", rest: str = "", *, width: int = WIDE) -> list[str]:
    """A text in lines: what stands before the first, and before the others. Words are not divided."""
    return textwrap.wrap(
        text, width, initial_indent=first, subsequent_indent=rest, break_long_words=False, break_on_hyphens=False
    )
