"""Mends a rules file: carries out the edits that findings bring along, each only where it helps.

The text is changed at the places of the edits and nowhere else, so comments and layout stay. After each edit the
file is looked at again: one that does not do away with its finding, or makes new ones, is not kept.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Final, TypeAlias

from meldref.diagnostics import Edit, Finding, Severity, errors_in
from meldref.records import record

Look: TypeAlias = Callable[[bytes], tuple[Finding, ...]]
"""Says everything that is found in a file with this content."""

_MOST: Final = 200
_MOST_READ: Final = 3 << 20
"""So many characters are looked at again in all, be it few large files or many small ones."""
_LINE_END: Final = re.compile(r"\r\n|\r|\n")
_MARK: Final = "\ufeff"


@record
class Change:
    """One finding that was mended, and its lines before and after."""

    finding: Finding
    before: tuple[str, ...]
    after: tuple[str, ...]


@record
class Mended:
    """The text of a file after mending, what was done, and what is still found in it."""

    text: str
    changes: tuple[Change, ...]
    rest: tuple[Finding, ...]


def mend(data: bytes, look: Look, file: str) -> Mended | None:
    """Mend what can be mended without doubt; None where the file is no text.

    Args:
        data: the file's content.
        look: what is found in the file with some content.
        file: the file's name as findings have it.
    """
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return None
    found = look(data)
    changes: list[Change] = []
    tried: set[tuple[str, str]] = set()
    read = 0
    while len(changes) < _MOST and read < _MOST_READ:
        finding = next(
            (one for one in found if one.edits and one.file == file and (one.code, one.message) not in tried), None
        )
        if finding is None:
            break
        new = apply(text, finding.edits)
        after = look(new.encode())
        read += len(new)
        if _helps(finding, found, after):
            changes.append(_change(finding, text, new))
            text, found = new, after
            tried.clear()
        else:
            tried.add((finding.code, finding.message))
    return Mended(text, tuple(changes), found)


def apply(text: str, edits: Iterable[Edit]) -> str:
    """A text with edits carried out; their lines end as the text's do."""
    starts = [0, *(end.end() for end in _LINE_END.finditer(text))]
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


def _helps(finding: Finding, before: Sequence[Finding], after: Sequence[Finding]) -> bool:
    """Whether a finding is gone, and nothing new came in its place."""
    if _count(after, finding) >= _count(before, finding):
        return False
    if finding.severity is Severity.WARNING:
        return len(after) < len(before)
    errors = errors_in(after)
    if len(errors) < len(errors_in(before)):
        return True
    # What could not be read hid what is below it, or all of the file, which may have errors of its own.
    where = _lines_of if finding.code == "rules.yaml" else _places_of
    touched = {place for edit in finding.edits for place in where(edit)}
    return not any(
        touched & {one.span.line, (one.span.line, one.span.column)} for one in errors if one.file == finding.file
    )


def _lines_of(edit: Edit) -> Iterable[object]:
    """The lines that an edit makes."""
    return range(edit.line, edit.end_line + edit.text.count("\n") + 1)


def _places_of(edit: Edit) -> Iterable[object]:
    """The places, line and column, at which what an edit writes begins; its lines where it writes several."""
    if edit.line != edit.end_line or "\n" in edit.text:
        return _lines_of(edit)
    return [(edit.line, edit.column + place) for place in range(len(edit.text) + 1)]


def _count(findings: Sequence[Finding], one: Finding) -> int:
    return sum((other.code, other.message, other.file) == (one.code, one.message, one.file) for other in findings)


def _change(finding: Finding, before: str, after: str) -> Change:
    """The lines that differ."""
    old, new = _LINE_END.split(before), _LINE_END.split(after)
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    return Change(finding, tuple(old[start : len(old) - end]), tuple(new[start : len(new) - end]))
