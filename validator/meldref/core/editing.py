"""Edits carried out in a text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from meldref.core.diagnostics import Edit

LINE_END: Final = re.compile(r"\r\n|\r|\n")
LOG_LINE_END: Final = re.compile(r"\r*\n")
"""What ends a line of a log: nothing else does, whatever other programs break lines at."""
_MARK: Final = "\ufeff"


def apply(text: str, edits: Iterable[Edit], line_end: re.Pattern[str] = LINE_END) -> str:
    """A text with edits carried out; their lines end as the text's do.

    `line_end` is what ends lines, as the edits count them.
    """
    starts = [0, *(end.end() for end in line_end.finditer(text))]
    mark = text.startswith(_MARK)
    new_line = "\r\n" if "\r\n" in text else "\n"

    def offset(line: int, column: int) -> int:
        if line > len(starts):
            return len(text)
        return min(starts[line - 1] + column - 1 + (mark and line == 1), len(text))

    for edit in sorted(edits, key=lambda edit: (edit.line, edit.column), reverse=True):
        start, end = offset(edit.line, edit.column), offset(edit.end_line, edit.end_column)
        new = edit.text.replace("\n", new_line)
        if start == end == len(text) and text and not text.endswith(("\n", "\r")) and new:
            new = new_line + new
        text = text[:start] + new + text[end:]
    return text
