"""Fixes a rules file: makes the edits that findings suggest, each only if it helps.

The text is changed at the places of the edits and nowhere else, so comments and layout stay. After
each edit the file is checked again: an edit is not kept unless there are fewer errors, and no new
one. Text that could not be read may hide errors; if those can be fixed as well, all edits are kept
together.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Container, Iterable, Sequence
from typing import Final, TypeAlias

from meldref.core.diagnostics import Edit, Finding, Severity, errors_in
from meldref.core.records import record
from meldref.core.text import alike

Look: TypeAlias = Callable[[bytes], tuple[Finding, ...]]
"""Checks a file with this content, and gives every finding."""

_MOST: Final = 200
_MOST_READ: Final = 3 << 20
"""The characters that are looked at again in all, of a few looks at a large file or many at a small
one."""
_LINE_END: Final = re.compile(r"\r\n|\r|\n")
_LINE: Final = re.compile(r"line [0-9]+")
_MARK: Final = "\ufeff"


@record
class Change:
    """One finding that was fixed, and its lines before and after."""

    finding: Finding
    before: tuple[str, ...]
    after: tuple[str, ...]


@record
class Fixed:
    """The text of a file after fixing, what was done, and what is still found in it."""

    text: str
    changes: tuple[Change, ...]
    rest: tuple[Finding, ...]


def fix(data: bytes, look: Look, file: str) -> Fixed | None:
    """Fix what can be fixed without doubt in a file with this content; None if it is not text.

    `look` says what is found in the file with some content, and `file` is its name as findings have
    it.
    """
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return None
    findings = look(data)
    fixer = _Fixer(look, file)
    changes: list[Change] = []
    tried: set[tuple[str, str]] = set()
    while finding := fixer.next(findings, tried):
        better = fixer.better(text, finding, findings)
        if better is None:
            tried.add(_gist(finding))
        else:
            text, findings = better.text, better.rest
            changes += better.changes
            tried.clear()
    return Fixed(text, tuple(changes), findings)


class _Fixer:
    """Tries edits on one file; each look at it counts, so that no file takes long."""

    def __init__(self, look: Look, file: str) -> None:
        self.look = look
        self.file = file
        self.looks = self.read = 0

    def next(
        self, findings: Iterable[Finding], tried: Container[tuple[str, str]]
    ) -> Finding | None:
        """The first finding that can be fixed and was not tried.

        None if the file was looked at often enough.
        """
        if self.looks >= _MOST or self.read >= _MOST_READ:
            return None
        fixable = (finding for finding in findings if finding.edits and finding.file == self.file)
        return next((finding for finding in fixable if _gist(finding) not in tried), None)

    def better(self, text: str, finding: Finding, findings: Sequence[Finding]) -> Fixed | None:
        """The text with one finding fixed, if that is better, and what that brought to light."""
        tried = set(map(_gist, findings))
        changes: list[Change] = []
        now = findings
        current: Finding | None = finding
        while current is not None:
            new = apply(text, current.edits)
            self.looks += 1
            self.read += len(new)
            after = self.look(new.encode())
            if _gist(current) in map(_gist, after):
                tried.add(_gist(current))
            else:
                changes.append(_change(current, text, new))
                text, now = new, after
                if _helps(finding, findings, now):
                    return Fixed(text, tuple(changes), tuple(now))
            if not changes or finding.severity is Severity.WARNING:
                return None
            current = self.next(now, tried)
        return None


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
    """Whether there are fewer findings than before, and no new one.

    Only errors count if an error is fixed.
    """
    if finding.severity is Severity.WARNING:
        return len(after) < len(before) and not Counter(map(_gist, after)) - Counter(
            map(_gist, before)
        )
    was, now = (Counter(map(_gist, errors_in(findings))) for findings in (before, after))
    return now.total() < was.total() and not now - was


def _gist(finding: Finding) -> tuple[str, str]:
    """What a finding says, whatever its line: that may have moved."""
    return finding.code, _LINE.sub("line", finding.message)


def _change(finding: Finding, before: str, after: str) -> Change:
    """The lines that differ."""
    old, new = _LINE_END.split(before), _LINE_END.split(after)
    start = alike(old, new)
    old, new = old[start:], new[start:]
    end = alike(old[::-1], new[::-1])
    return Change(finding, tuple(old[: len(old) - end]), tuple(new[: len(new) - end]))
