"""The line a finding is about, cut to a sensible width, with carets under the place."""

from __future__ import annotations

import unicodedata
from bisect import bisect_left, bisect_right
from itertools import accumulate
from typing import Final

from meldref.core.records import NamedTuple
from meldref.core.text import visible

WIDEST: Final = 100
"""How many columns an excerpt may take; longer lines are cut around the place."""

_LEAD: Final = 24
"""How many columns before the place stay in a line that is cut."""
_REACH: Final = 500
"""How many characters on either side of the place are looked at, in lines of a million."""
_TAB: Final = 4
_CUT: Final = "…"


class Excerpt(NamedTuple):
    """A line as it is printed, and the carets that go under it."""

    text: str
    carets: str


def excerpt(text: str, column: int, end_column: int, widest: int = WIDEST) -> Excerpt:
    """The text of a line with carets from `column` to `end_column`, counted in characters from 1.

    Tabs become blanks, and what is no text a mark, so that the carets stand under what they mean
    whatever the terminal does with either.
    """
    text = text.rstrip("\r\n")
    left_out = max(0, min(column - 1, len(text)) - _REACH)
    cells = [
        _cell(character, place)
        for place, character in enumerate(text[left_out : left_out + 2 * _REACH])
    ]
    begin = min(max(column - 1 - left_out, 0), len(cells))
    end = min(max(end_column - 1 - left_out, begin), len(cells))
    first, last = _window([width for _, width in cells], begin, end, widest)
    before = _CUT if first or left_out else ""
    after = _CUT if last < len(cells) or left_out + len(cells) < len(text) else ""
    shown = before + "".join(cell for cell, _ in cells[first:last]) + after
    lead = len(before) + sum(width for _, width in cells[first:begin])
    marked = sum(width for _, width in cells[begin : min(end, last)])
    return Excerpt(shown.rstrip(), " " * lead + "^" * max(marked, 1))


def plain(text: str) -> str:
    """A line as it can be printed, whatever stands in it."""
    return "".join(
        _cell(character, place)[0] for place, character in enumerate(text.rstrip("\r\n"))
    )


def _cell(character: str, place: int) -> tuple[str, int]:
    """A character as it is printed, and the columns it takes."""
    if " " <= character <= "~":
        return character, 1
    if character == "\t":
        return " " * _TAB, _TAB
    if visible(character) != character:
        return "\ufffd", 1
    if unicodedata.combining(character) or unicodedata.category(character) in {"Mn", "Me", "Cf"}:
        # A mark that belongs to the letter before it: at the beginning, that is the margin.
        return (character, 0) if place else ("\ufffd", 1)
    return character, 2 if unicodedata.east_asian_width(character) in {"W", "F"} else 1


def _window(widths: list[int], begin: int, end: int, widest: int) -> tuple[int, int]:
    """Which characters of a line are shown: all, or as many as fit around the place."""
    columns = [0, *accumulate(widths)]
    if columns[-1] <= widest:
        return 0, len(widths)
    lead = columns[begin] - min(_LEAD, widest // 2)
    first = 0 if columns[end] < widest else bisect_left(columns, lead)
    return first, bisect_right(columns, columns[first] + widest - 2) - 1
