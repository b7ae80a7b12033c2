"""The notation: reading what somebody wrote, and writing it in its canonical form."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from meldref.notation.reader import (
        Read,
        read_actions,
        read_card_counts,
        read_card_row,
        read_cards,
        read_line,
        read_lines,
        read_turn,
    )
    from meldref.notation.scanner import decode, open_lines
    from meldref.notation.writer import format_log, write_action, write_event, write_line, write_name

__all__ = [
    "Read",
    "decode",
    "format_log",
    "open_lines",
    "read_actions",
    "read_card_counts",
    "read_card_row",
    "read_cards",
    "read_line",
    "read_lines",
    "read_turn",
    "write_action",
    "write_event",
    "write_line",
    "write_name",
]

_SCANNER = ("decode", "open_lines")
_WRITER = ("format_log", "write_action", "write_event", "write_line", "write_name")


def __getattr__(name: str) -> object:
    """What is asked of the package comes from its module, which is loaded then."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = "scanner" if name in _SCANNER else "writer" if name in _WRITER else "reader"
    return getattr(import_module(f"{__name__}.{home}"), name)
