"""Colours for a terminal, or none."""

from __future__ import annotations

from typing import Final

from meldref.core.records import record


@record
class Style:
    """Whether and how to colour; without `on` every text stays as it is."""

    on: bool = False

    def bold(self, text: str) -> str:
        """What matters most."""
        return self._paint("1", text)

    def red(self, text: str) -> str:
        """What is wrong."""
        return self._paint("1;31", text)

    def yellow(self, text: str) -> str:
        """What is doubtful."""
        return self._paint("33", text)

    def green(self, text: str) -> str:
        """What is well."""
        return self._paint("32", text)

    def dim(self, text: str) -> str:
        """What frames the rest."""
        return self._paint("2", text)

    def _paint(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.on and text else text


PLAIN: Final = Style()
