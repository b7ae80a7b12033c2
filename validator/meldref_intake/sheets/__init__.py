"""Score sheets as people and apps keep them.

`decoding` makes a text of bytes; `read_sheet` is the door.
"""

from __future__ import annotations

from collections.abc import Sequence

from meldref_intake.sheets.decoding import decoded, is_workbook
from meldref_intake.source import Intake


class Unreadable(Exception):
    """A file is a sheet, and cannot be read; the sentence that says why."""


def read_sheet(
    data: bytes, name: str = "", readings: Sequence[str] = (), rules: str | None = None
) -> Intake | None:
    """A score sheet as a log; None if it is none."""
    return None


__all__ = ["Unreadable", "decoded", "is_workbook", "read_sheet"]
