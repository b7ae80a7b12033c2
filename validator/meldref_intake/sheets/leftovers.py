"""Numbers of a sheet that came into no line of its log: none is lost without a word."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from meldref_intake.sheets.cells import Cell, Row
from meldref_intake.source import Doubt, LogLine, Place

_DIGITS: Final = re.compile(r"\d{2,}")
_GROUPED: Final = 3
"""How many digits stand together in a number with groups, as in 1.250."""
_HEADERS: Final = "["


def left_over(
    rows: Iterable[Row], lines: Sequence[LogLine], said: Iterable[Doubt]
) -> Iterator[Cell]:
    """The cells with a number of two or more digits that is not in what comes from their row.

    Where it is in none of the cells, the whole row.
    """
    kept: dict[int, set[str]] = {}
    everywhere: set[str] = set()
    for line in lines:
        numbers = _numbers(line.text)
        if line.text.startswith(_HEADERS):
            everywhere |= numbers
        if numbers:
            for at in line.rows:
                kept.setdefault(at, set()).update(numbers)
    for doubt in said:
        kept.setdefault(doubt.place.line, set()).update(_numbers(doubt.text))
    for row in rows:
        there = kept.get(row.line, set()) | everywhere
        if _numbers(row.text) <= there and '"' not in row.text:
            continue
        missing = {number for number in _numbers(row.text) if not _is_kept(number, there)}
        for cell in row.cells:
            numbers = _numbers(cell.text)
            if any(not _is_kept(number, there) for number in numbers):
                missing -= numbers
                yield cell
        if missing:
            text = row.text.strip()
            yield Cell(text, Place(row.line, 1, len(row.text) + 1, row.text))


def _numbers(text: str) -> set[str]:
    """The digits of a text that stand together, two or more, without zeros before them."""
    found = {digits.lstrip("0") for digits in _DIGITS.findall(text)}
    return {digits for digits in found if len(digits) > 1}


def _is_kept(number: str, kept: set[str]) -> bool:
    """Whether a number is there, or is part of a larger one that was written in groups."""
    return number in kept or any(
        other.startswith(number) or other.endswith(number)
        for other in kept
        if len(other) > _GROUPED
    )
