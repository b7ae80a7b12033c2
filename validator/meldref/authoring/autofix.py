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


def fix(data: bytes, look: Look, file: str, most: int = _MOST) -> Fixed | None:
    """Fix what can be fixed without doubt in a file with this content; None if it is not text.

    `look` says what is found in the file with some content, and `file` is its name as findings have
    it. It is looked at `most` times at most: all edits are tried together, then fewer.
    """
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return None
    findings = look(data)
    fixer = _Fixer(look, file, most)
    changes: list[Change] = []
    tried: set[tuple[str, str]] = set()
    many = len(findings)
    while some := fixer.next(findings, tried)[:many]:
        if len(some) > 1:
            better = fixer.together(text, some, findings)
            many = many if better else len(some) // 2
        else:
            better = fixer.better(text, some[0], findings)
        if better is not None:
            text, findings = better.text, better.rest
            changes += better.changes
            tried.clear()
        elif len(some) == 1:
            tried.add(_gist(some[0]))
    return Fixed(text, tuple(changes), findings)


class _Fixer:
    """Tries edits on one file; each look at it counts, so that no file takes long."""

    def __init__(self, look: Look, file: str, most: int) -> None:
        self.look = look
        self.file = file
        self.most = most
        self.looks = self.read = 0

    def next(self, findings: Iterable[Finding], tried: Container[tuple[str, str]]) -> list[Finding]:
        """The findings that can be fixed and were not tried, the first one first.

        No line is edited for two of them. None if the file was looked at often enough.
        """
        if self.looks >= self.most or self.read >= _MOST_READ:
            return []
        fixable = [one for one in findings if one.edits and one.file == self.file]
        untried = [finding for finding in fixable if _gist(finding) not in tried]
        apart = untried[:1]
        for finding in untried[1:]:
            if all(_are_apart(finding, other) for other in apart):
                apart.append(finding)
        return apart

    def together(
        self, text: str, some: Sequence[Finding], findings: Sequence[Finding]
    ) -> Fixed | None:
        """The text with several findings fixed; None if one is left, or anything new is found."""
        new = text
        changes: list[Change] = []
        for finding in sorted(some, key=_lines, reverse=True):
            before, new = new, apply(new, finding.edits)
            changes.append(_change(finding, before, new))
        self.looks += 1
        self.read += len(new)
        after = tuple(self.look(new.encode()))
        was, now = (Counter(map(_gist, one)) for one in (findings, after))
        if now.total() > was.total() - len(some) or now - was:
            return None
        return Fixed(new, tuple(reversed(changes)), after)

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
            current = next(iter(self.next(now, tried)), None)
        return None


def _lines(finding: Finding) -> tuple[int, int]:
    """The first and the last line that a finding's edits change."""
    return (
        min(edit.line for edit in finding.edits),
        max(edit.end_line for edit in finding.edits),
    )


def _are_apart(finding: Finding, other: Finding) -> bool:
    """Whether two findings edit different lines."""
    (first, last), (begin, end) = _lines(finding), _lines(other)
    return last < begin or end < first


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
