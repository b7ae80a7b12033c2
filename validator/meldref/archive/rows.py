"""What is known of an archive as rows of three tables: logs, findings, scores; `columns.txt` has the columns."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from meldref.archive.auditing import TaskResult, unreadable
from meldref.archive.sources import Log
from meldref.core.diagnostics import Finding
from meldref.replay.result import Scores
from meldref.report.json import facts

Row = dict[str, Any]


class Column(NamedTuple):
    """A column: its name, whether its values are `text` or `integer`, and what they say."""

    name: str
    type: str
    says: str


def _tables() -> dict[str, tuple[Column, ...]]:
    tables: dict[str, tuple[Column, ...]] = {}
    for part in Path(__file__).with_name("columns.txt").read_text("utf-8").split("# ")[1:]:
        name, *lines = part.strip().splitlines()
        tables[name] = tuple(Column(*[cell.strip() for cell in line.split("|", 2)]) for line in lines)
    return tables


TABLES: Final[Mapping[str, tuple[Column, ...]]] = _tables()
"""The tables with their columns, in order. What `logs` has beyond them is passed through."""


class Rows(NamedTuple):
    """Rows of the three tables; those of several chunks follow one another.

    `rules` are the rules files that were read, by path, each with a digest of its text.
    """

    logs: list[Row]
    findings: list[Row]
    scores: list[Row]
    rules: dict[str, str]

    def add(self, more: Rows) -> None:
        """Rows behind these."""
        self.logs.extend(more.logs)
        self.findings.extend(more.findings)
        self.scores.extend(more.scores)
        self.rules.update(more.rules)


def merged(parts: Iterable[Rows]) -> Rows:
    """The rows of all parts, one behind the other."""
    rows = Rows([], [], [], {})
    for part in parts:
        rows.add(part)
    return rows


GIVEN: Final = "given"
"""In a row of `logs`, the columns that are passed through, until it is known which all of them are."""


def rows_of(log: Log, result: TaskResult) -> Rows:
    """What an audit found, as rows."""
    audited, headers = result.audited, result.headers
    report = audited.report
    own = {key: value for key, value in headers.items() if key.startswith("X-")}
    row: Row = {
        "log": log.name,
        "verdict": report.verdict,
        "trouble": result.cause,
        "message": result.trouble or result.fault,
        "rules": headers.get("Rules"),
        "players": headers.get("Players"),
        "date": headers.get("Date"),
        "headers": json.dumps(own) if own else None,
        **facts(report, "games", "hands", "turns"),
        "errors": audited.errors if not result.cause else 0,
        "warnings": audited.warnings if not result.cause else 0,
        "hidden": audited.hidden,
        "undecided": len(report.open),
        "gave_up": audited.gave_up,
        GIVEN: dict(log.columns or {}),
    }
    found = () if result.cause else report.findings
    findings = [_clean(_finding_row(log, finding)) for finding in found]
    scores = [_clean(one) for hand in audited.scores for one in _score_rows(log, hand)]
    return Rows([_clean(row)], findings, scores, result.rules)


def stopped(log: Log, cause: str, why: str) -> Rows:
    """The row of a log whose audit came to no end."""
    return rows_of(log, unreadable(log.name, why, cause))


def _finding_row(log: Log, finding: Finding) -> Row:
    rule = finding.rule
    return {
        "log": log.name,
        **facts(finding, "game", "hand", "turn"),
        **facts(finding.span, "line", "column"),
        "code": finding.code,
        "severity": finding.severity.value,
        **facts(finding, "message", "player"),
        "rule": rule and rule.key,
        "value": rule and rule.value,
        "rule_file": rule and rule.file,
        "rule_line": rule and rule.line,
        "file": None if finding.is_in(log.name) else finding.file,
    }


def _score_rows(log: Log, hand: Scores) -> Iterator[Row]:
    recorded, computed = hand.recorded or {}, hand.computed or {}
    totals, stated, calls = hand.totals or {}, hand.stated or {}, hand.calls or {}
    for player in totals:
        yield {
            "log": log.name,
            **facts(hand, "game", "hand"),
            "player": player,
            "recorded": recorded.get(player),
            "computed": computed.get(player),
            "total_recorded": stated.get(player),
            "total": totals[player],
            "calls": calls.get(player, 0),
        }


def _clean(row: Row) -> Row:
    """A row whose texts are text, and none where there is nothing in them."""
    return {key: _text(value) if isinstance(value, str) else value for key, value in row.items()}


def _text(value: str) -> str | None:
    """A text in which halves of characters, which names of files can hold, are escapes; None where it is empty."""
    return (value if value.isascii() else value.encode("utf-8", "backslashreplace").decode()) or None


def note_given(row: Row, types: dict[str, set[str]]) -> None:
    """Notes the types of what a row of `logs` passes through, by key."""
    for key, value in row[GIVEN].items():
        found = types.setdefault(key, set())
        if value is not None:
            found.add(_type_of(value))


def given_columns(types: Mapping[str, set[str]]) -> list[Column]:
    """The columns that hold what is passed through; one with a name of meldref's own begins with `given_`."""
    taken = {column.name for column in TABLES["logs"]}
    columns = []
    for key, found in types.items():
        name = _text(key) or GIVEN
        while name.lower() in taken:  # databases do not tell `Log` from `log`
            name = f"given_{name}"
        taken.add(name.lower())
        type_ = "number" if found == {"integer", "number"} else min(found) if len(found) == 1 else "text"
        columns.append(Column(name, type_, key))
    return columns


def _type_of(value: object) -> str:
    if isinstance(value, int) and not -(1 << 63) <= value < 1 << 63:
        return "text"
    return {bool: "boolean", int: "integer", float: "number"}.get(type(value), "text")


def as_column(value: Any, type_: str) -> Any:
    """A value that is passed through, as a column of that type has it."""
    if value is None or type_ in {"integer", "boolean"}:
        return value
    if type_ == "number":
        return float(value)
    return _text(value) if isinstance(value, str) else json.dumps(value)
