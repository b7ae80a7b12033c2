"""How things show themselves when they are printed and in notebooks.

What draws them stands far above them and is loaded only then; `meldref` says what it is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol


class Drawer(Protocol):
    """What puts things into words and pictures."""

    def text_of(self, one: object) -> str:
        """Some lines of text, without an end of line."""

    def html_of(self, one: object) -> str:
        """A fragment of HTML."""

    def svg_of(self, one: object) -> str | None:
        """A picture, where there is one."""


class Door:
    """Where the drawer is to be had."""

    open: Callable[[], Drawer]


class Shown:
    """A thing that prints as a few lines, and shows itself in a notebook."""

    __slots__ = ()

    def __str__(self) -> str:
        return Door.open().text_of(self)

    def _repr_html_(self) -> str:
        return Door.open().html_of(self)

    def _repr_svg_(self) -> str | None:
        return Door.open().svg_of(self)
