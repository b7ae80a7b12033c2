"""The notation: reading what somebody wrote, and writing it in its canonical form."""

from __future__ import annotations

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
