"""Cases that were run.

One that failed as two verdicts: what it expects and what came out, what differs marked.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from meldref.core.diagnostics import Finding, Span
from meldref.core.text import name_of_file, one_line
from meldref.documents.reader import Value
from meldref.report.examined import Examined
from meldref.report.json import Data, facts
from meldref.report.style import PLAIN, Style

if TYPE_CHECKING:
    from meldref.cases.run import CaseResult

WIDTH: Final = 80
"""Columns within which the two stand side by side; what is wider stands one below the other."""
_BY_NAME: Final = ("points", "score", "hands", "table")
_NOTHING: Final = "-"
_UNDECIDED: Final = "undecided"
"""What came out if nobody can know it."""


class ComparedRow(NamedTuple):
    """One thing that is compared; `differs` says whether the case fails by it."""

    label: str
    expected: str
    got: str
    differs: bool


def case_text(
    path: str,
    result: CaseResult,
    style: Style = PLAIN,
    *,
    quiet: bool = False,
    verbose: bool = False,
) -> Iterator[str]:
    """A failing case with its two verdicts.

    `quiet`: only its place and name; `verbose`: one that passed, too.
    """
    place = style.bold(f"{name_of_file(path)}:{result.line}:")
    if not result.passed:
        yield f"{place} {style.red('failed')}: {_name(result)}"
        if not quiet:
            yield from verdict_lines(result, style)
            yield ""
    elif verbose:
        yield f"{place} {style.green('passed')}: {_name(result)}"


def case_data(path: str, result: CaseResult) -> dict[str, Data]:
    """A case for programs: what it expects and what came out."""
    data = {"file": path, **facts(result, "line", "id", "name", "passed", "expected", "got")}
    if result.open:
        data["open"] = list(result.open)
    return data


def _name(result: CaseResult) -> str:
    """A case's id and name, once where they are the same."""
    if result.id and result.id != result.name:
        return one_line(f"{result.id}: {result.name}")
    return one_line(result.name)


def verdict_lines(result: CaseResult, style: Style = PLAIN, *, width: int = WIDTH) -> Iterator[str]:
    """Both verdicts of a failed case, side by side or one below the other, then its findings.

    What differs has a ≠ before it and carets below the words that the other side does not have.
    """
    if result.got.get("verdict") == "unusable":
        yield f"  = the case cannot be used: {one_line(str(result.got.get('because')))}"
        return
    rows = compared(result)
    labels = max(len(row.label) for row in rows)
    left = max(len("expected"), *(len(row.expected) for row in rows))
    right = max(len("got"), *(len(row.got) for row in rows))
    if 8 + labels + left + right <= width:
        yield from _side_by_side(rows, labels, left, style)
    else:
        yield from _stacked(rows, labels, style)
    for line in _found_lines(result):
        yield f"  = {line}"
    for what in result.open:
        yield f"  = undecided: {one_line(what)}"


def examined_case(path: str, result: CaseResult) -> Examined:
    """A case as the reports for other programs see it.

    One that failed has one finding, `case`, at its line.
    """
    name = _name(result)
    if result.passed:
        return Examined(path, (), name)
    if result.got.get("verdict") == "unusable":
        message = f"the case cannot be used: {result.got.get('because')}"
    else:
        message = "; ".join(
            f"{row.label}: expected {row.expected}, got {row.got}"
            for row in compared(result)
            if row.differs
        )
    notes = [*_found_lines(result), *(f"undecided: {what}" for what in result.open)]
    failure = Finding("case", message, Span(result.line), file=path, notes=tuple(notes))
    return Examined(path, (failure,), name)


def _found_lines(result: CaseResult) -> Iterator[str]:
    """What was found when a case was played, a line each."""
    for finding in result.findings:
        yield f"line {finding.span.line}: {finding.message} [{finding.code}]"


def compared(result: CaseResult) -> list[ComparedRow]:
    """Everything the case asks about, and what was found where it should be legal."""
    expected, got, failed = result.expected, result.got, result.failed
    wrong_verdict = "verdict" in failed
    rows = [_row("verdict", expected, got, failed)]
    actual = {"at": _word(got.get("at")), "because": ", ".join(_first_codes(got)) or _NOTHING}
    for key, text in actual.items():
        if key in expected or got.get("verdict") == "illegal":
            differs = key in failed or (wrong_verdict and key in expected)
            rows.append(ComparedRow(key, _word(expected.get(key)), text, differs))
    for key in expected:
        if key in {"verdict", *actual} or wrong_verdict:  # where a wrong verdict leads is not asked
            continue
        if key in _BY_NAME and isinstance(expected[key], dict):
            rows += _rows_by_name(key, expected, got, failed)
        else:
            rows.append(_row(key, expected, got, failed))
    return rows


def _row(
    key: str, expected: Mapping[str, Value], got: Mapping[str, Value], failed: Sequence[str]
) -> ComparedRow:
    return ComparedRow(key, _word(expected.get(key)), _word(got.get(key)), key in failed)


def _rows_by_name(
    key: str, expected: Mapping[str, Value], got: Mapping[str, Value], failed: Sequence[str]
) -> Iterator[ComparedRow]:
    """A row for each player, side or meld; where all look alike, each may be what differs."""
    wanted, came_out = expected[key], got.get(key)
    assert isinstance(wanted, dict)
    if not isinstance(came_out, dict):
        came_out = dict.fromkeys(wanted, came_out)
    words = {name: (_word(value), _word(came_out.get(name))) for name, value in wanted.items()}
    unlike = {name for name, (first, second) in words.items() if _cards(first) != _cards(second)}
    for name, value in wanted.items():
        first, second = words[name]
        if key == "score" and came_out.get(name, value) is None:
            second = _UNDECIDED
        differs = key in failed and (name in unlike or not unlike)
        yield ComparedRow(f"{key} {one_line(name)}", first, second, differs)


def _first_codes(got: Mapping[str, Value]) -> list[str]:
    """The codes that were found at the first line with any."""
    by_line = got.get("because")
    if not isinstance(by_line, dict):
        return []
    codes = by_line.get(str(got.get("at")))
    return list(map(str, codes)) if isinstance(codes, list) else []


def _word(value: Value) -> str:
    """A value as a case file says it, without braces and quotes."""
    if value is None:
        return _NOTHING
    text = str(value)
    if isinstance(value, dict):
        text = ", ".join(f"{name} {_word(part)}" for name, part in value.items())
    return one_line(text) or _NOTHING


def _cards(text: str) -> list[str]:
    return sorted(text.replace(",", " ").split())


def _side_by_side(
    rows: Sequence[ComparedRow], labels: int, left: int, style: Style
) -> Iterator[str]:
    gap = " " * (left - len("expected"))
    yield f"    {'':<{labels}}  {style.dim('expected')}{gap}  {style.dim('got')}"
    for row in rows:
        yield f"  {_mark(row, style)} {row.label:<{labels}}  {row.expected:<{left}}  {row.got}"
        if row.differs:
            mine, theirs = _carets(row)
            gap = " " * (left - len(mine))
            yield f"    {'':<{labels}}  {style.green(mine)}{gap}  {style.red(theirs)}".rstrip()


def _stacked(rows: Sequence[ComparedRow], labels: int, style: Style) -> Iterator[str]:
    for row in rows:
        mine, theirs = _carets(row) if row.differs else ("", "")
        label = f"{_mark(row, style)} {row.label:<{labels}}"
        yield f"  {label}  {style.dim('expected')}  {row.expected}"
        if mine:
            yield f"    {'':<{labels}}            {style.green(mine)}"
        yield f"    {'':<{labels}}  {style.dim('got')}       {row.got}"
        if theirs:
            yield f"    {'':<{labels}}            {style.red(theirs)}"


def _mark(row: ComparedRow, style: Style) -> str:
    return style.red("≠") if row.differs else " "


def _carets(row: ComparedRow) -> tuple[str, str]:
    return _below(row.expected, row.got), _below(row.got, row.expected)


def _below(text: str, other: str) -> str:
    """Carets below the words of a text that the other one does not have."""
    if text == _NOTHING:
        return ""
    there = Counter(re.findall(r"[^\s.,]+", other))
    marks = [" "] * len(text)
    for word in re.finditer(r"[^\s.,]+", text):
        if there[word[0]] > 0:
            there[word[0]] -= 1
        else:
            marks[word.start() : word.end()] = "^" * len(word[0])
    return "".join(marks).rstrip()
