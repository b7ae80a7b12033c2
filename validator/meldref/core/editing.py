"""Edits carried out in a text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from meldref.core.diagnostics import Edit

LINE_END: Final = re.compile(r"\r\n|\r|\n")
_MARK: Final = "\ufeff"


def apply(text: str, edits: Iterable[Edit]) -> str:
    """A text with edits carried out; their lines end as the text's do."""
    starts = [0, *(end.end() for end in LINE_END.finditer(text))]
    mark = text.startswith(_MARK)
    line_end = "\r\n" if "\r\n" in text else "\n"

    def offset(line: int, column: int) -> int:
        if line > len(starts):
            return len(text)
        return min(starts[line - 1] + column - 1 + (mark and line == 1), len(text))

    for edit in sorted(edits, key=lambda edit: (edit.line, edit.column), reverse=True):
        start, end = offset(edit.line, edit.column), offset(edit.end_line, edit.end_column)
        new = edit.text.replace("\n", line_end)
        if start == end == len(text) and text and not text.endswith(("\n", "\r")) and new:
            new = line_end + new
        text = text[:start] + new + text[end:]
    return text
