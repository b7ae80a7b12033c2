"""Edits that take an entry or an item out of a rules file, and leave its comments alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import reduce
from operator import getitem
from typing import Any, Final

from meldref.core.diagnostics import Edit
from meldref.documents.reader import Document, Path

_LONGEST: Final = 200
"""The author of a longer list has to look through it anyway."""


def take_entry_out(document: Document, path: Path) -> tuple[Edit, ...]:
    """The edits that take out a key with its value, and what would then be empty; none if there is a comment."""
    around = _at(document.value, path[:-1])
    while len(path) > 1 and isinstance(around, dict) and len(around) == 1:
        path = path[:-1]
        around = _at(document.value, path[:-1])
    key = document.key_place(path)
    text = document.excerpt(key.line)
    if text[: key.column - 1].strip():
        keys = [(*path[:-1], name) for name in around] if isinstance(around, dict) else []
        return _out_of_braces(document, keys, keys.index(path)) if path in keys else ()
    last = _last_line(document.lines, key.line)
    block = document.lines[key.line - 1 : last]
    if any(re.search(r"(^|\s)#", line) for line in block):
        return ()
    before = document.lines[: key.line - 1]
    after = document.lines[last:]
    if after and not after[0].strip() and (not before or not before[-1].strip()):
        last += 1
    return (Edit(key.line, 1, last + 1, 1, ""),)


def take_item_out(document: Document, path: Path) -> tuple[Edit, ...]:
    """The edits that take an item out of a list in brackets on one line, or out of lines with dashes."""
    items = _at(document.value, path[:-1])
    if not isinstance(items, list) or not 2 <= len(items) <= _LONGEST:
        return ()
    place = document.place(path)
    text = document.excerpt(place.line)
    if re.fullmatch(r"\s*-\s+", text[: place.column - 1]):
        rest = text[place.end_column - 1 :].strip()
        return () if rest else (Edit(place.line, 1, place.line + 1, 1, ""),)
    items_paths = [(*path[:-1], number) for number in range(len(items))]
    return _out_of_braces(document, items_paths, items_paths.index(path))


def _out_of_braces(document: Document, paths: Sequence[Path], number: int) -> tuple[Edit, ...]:
    """The edit that takes out one of several parts that are on one line with commas between them."""
    starts = [document.key_place(path) for path in paths]
    ends = [document.place(path) for path in paths]
    if len({span.line for span in (*starts, *ends)}) > 1:
        return ()
    line = starts[number].line
    if number + 1 < len(paths):
        return (Edit(line, starts[number].column, line, starts[number + 1].column, ""),)
    return (Edit(line, ends[number - 1].end_column, line, ends[number].end_column, ""),)


def _last_line(lines: Sequence[str], first: int) -> int:
    """The last line of the block that begins at a line, both counted from 1."""
    indent = len(lines[first - 1]) - len(lines[first - 1].lstrip())
    last = first
    for number in range(first, len(lines)):
        text = lines[number]
        if text.strip() and len(text) - len(text.lstrip()) <= indent:
            break
        if text.strip():
            last = number + 1
    return last


def _at(value: Any, path: Path) -> Any:
    """What is at a path, which is one of the value's."""
    return reduce(getitem, path, value)
