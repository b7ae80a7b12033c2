"""Fixes a rules file: makes the edits that findings suggest, each only if it helps.

The text is changed at the places of the edits and nowhere else, so comments and layout stay. After
each edit the file is checked again: an edit is not kept unless there are fewer errors, and no new
one. Text that could not be read may hide errors: an edit with which it can be read is kept, unless
an error is on a line that the edit made say something else.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable, Container, Iterable, Sequence
from typing import Final, TypeAlias

from meldref.core.diagnostics import Edit, Finding, Severity, errors_in
from meldref.core.editing import LINE_END, apply
from meldref.core.effort import EFFORT
from meldref.core.records import changed, record
from meldref.core.text import alike

Look: TypeAlias = Callable[[bytes], tuple[Finding, ...]]
"""Checks a file with this content, and gives every finding."""

_MOST: Final = 200
_MOST_READ: Final = 3 << 20
"""The characters that are looked at again in all, of a few looks at a large file or many at a small
one."""
_LINE: Final = re.compile(r"line [0-9]+")
_UNREAD: Final = "rules.yaml"
"""The code of what keeps text from being read, and so may hide errors."""


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


def fix(
    data: bytes,
    look: Look,
    file: str,
    most: int = _MOST,
    line_end: re.Pattern[str] = LINE_END,
    effort: int = sys.maxsize,
) -> Fixed | None:
    """Fix what can be fixed without doubt in a file with this content; None if it is not text.

    `look` says what is found in the file with some content, and `file` is its name as findings have
    it. It is looked at `most` times at most: all edits are tried together, then fewer. `line_end`
    is what ends lines, as findings count them. No more looks follow once they took so much `effort`.
    """
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return None
    fixer = _Fixer(look, file, most, line_end, EFFORT.spent + effort)
    findings = look(data)
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

    def __init__(
        self, look: Look, file: str, most: int, line_end: re.Pattern[str], effort: int
    ) -> None:
        self.look = look
        self.file = file
        self.most = most
        self.line_end = line_end
        self.effort = effort
        self.looks = self.read = 0

    def next(self, findings: Iterable[Finding], tried: Container[tuple[str, str]]) -> list[Finding]:
        """The findings that can be fixed and were not tried, the first one first.

        No line is edited for two of them. None if the file was looked at often enough.
        """
        is_over = self.looks >= self.most or self.read >= _MOST_READ
        if is_over or EFFORT.spent >= self.effort:
            return []
        apart: list[Finding] = []
        edited: set[int] = set()
        for finding in findings:
            if not finding.edits or finding.file != self.file or _gist(finding) in tried:
                continue
            first, last = _lines(finding)
            lines = range(first, last + 1)
            if edited.isdisjoint(lines):
                edited.update(lines)
                apart.append(finding)
        return apart

    def together(
        self, text: str, some: Sequence[Finding], findings: Sequence[Finding]
    ) -> Fixed | None:
        """The text with several findings fixed; None if one is left, or anything new is found."""
        edits: list[Edit] = []
        for finding in some:
            edits += finding.edits
        new = apply(text, edits, self.line_end)
        self.looks += 1
        self.read += len(new)
        after = tuple(self.look(new.encode()))
        was, now = Counter(map(_gist, findings)), Counter(map(_gist, after))
        if now.total() > was.total() - len(some) or now - was:
            return None
        lines = self.line_end.split(text)
        changes = [self._change_of_lines(finding, lines) for finding in some]
        return Fixed(new, tuple(changes), after)

    def better(self, text: str, finding: Finding, findings: Sequence[Finding]) -> Fixed | None:
        """The text with one finding fixed, if that is better, and what that brought to light."""
        tried = set(map(_gist, findings))
        changes: list[Change] = []
        now = findings
        current: Finding | None = finding
        while current is not None:
            new = apply(text, current.edits, self.line_end)
            self.looks += 1
            self.read += len(new)
            after = self.look(new.encode())
            if _gist(current) in map(_gist, after):
                tried.add(_gist(current))
            else:
                changes.append(self._change(current, text, new))
                text, now = new, after
                fixed = Fixed(text, tuple(changes), tuple(now))
                if _helps(finding, findings, now) or self._uncovers(findings, fixed):
                    return fixed
            if not changes or finding.severity is Severity.WARNING:
                return None
            current = next(iter(self.next(now, tried)), None)
        return None

    def _uncovers(self, before: Sequence[Finding], fixed: Fixed) -> bool:
        """Whether more can be read than before, and new errors were only hidden by what was not."""
        new = Counter(map(_gist, errors_in(fixed.rest))) - Counter(map(_gist, errors_in(before)))
        unread = [sum(one.code == _UNREAD for one in some) for some in (before, fixed.rest)]
        if unread[1] >= unread[0] or any(code == _UNREAD for code, _ in new):
            return False
        lines = self.line_end.split(fixed.text)
        rewritten: set[str] = set()
        for change in fixed.changes:
            if _letters(change.before) != _letters(change.after):
                rewritten.update(change.after)
        return not any(
            _gist(finding) in new and lines[finding.span.line - 1] in rewritten
            for finding in errors_in(fixed.rest)
            if finding.file == self.file
        )

    def _change(self, finding: Finding, before: str, after: str) -> Change:
        """The lines that differ."""
        old, new = self.line_end.split(before), self.line_end.split(after)
        start = alike(old, new)
        old, new = old[start:], new[start:]
        end = alike(old[::-1], new[::-1])
        return Change(finding, tuple(old[: len(old) - end]), tuple(new[: len(new) - end]))

    def _change_of_lines(self, finding: Finding, lines: Sequence[str]) -> Change:
        """A finding's change, of the lines of the text that it edits alone."""
        first, last = _lines(finding)
        before = "\n".join(lines[first - 1 : last])
        edits = [
            changed(edit, line=edit.line - first + 1, end_line=edit.end_line - first + 1)
            for edit in finding.edits
        ]
        return self._change(finding, before, apply(before, edits, self.line_end))


def _lines(finding: Finding) -> tuple[int, int]:
    """The first and the last line that a finding's edits change."""
    return (
        min(edit.line for edit in finding.edits),
        max(edit.end_line for edit in finding.edits),
    )


def _helps(finding: Finding, before: Sequence[Finding], after: Sequence[Finding]) -> bool:
    """Whether there are fewer findings than before, and no new one.

    Only errors count if an error is fixed.
    """
    if finding.severity is not Severity.WARNING:
        before, after = errors_in(before), errors_in(after)
    was, now = Counter(map(_gist, before)), Counter(map(_gist, after))
    return now.total() < was.total() and not now - was


def _letters(lines: Sequence[str]) -> str:
    """What lines say, however it is spaced."""
    return "".join("".join(lines).split())


def count_gone(before: Iterable[Finding], after: Iterable[Finding]) -> int:
    """How many of some findings are none any more."""
    return (Counter(map(_gist, before)) - Counter(map(_gist, after))).total()


def _gist(finding: Finding) -> tuple[str, str]:
    """What a finding says, whatever its line: that may have moved."""
    return finding.code, _LINE.sub("line", finding.message)
