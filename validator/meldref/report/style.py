"""Colours for a terminal, or none."""

from __future__ import annotations

from functools import partialmethod
from typing import Final

from meldref.core.records import record


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
