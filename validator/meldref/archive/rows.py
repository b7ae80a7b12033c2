"""What is known of an archive as rows of three tables: logs, findings, scores; `columns.txt` has the columns."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from meldref.archive.auditing import TaskResult, unreadable
from meldref.archive.sources import Log

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
        "games": report.games,
        "hands": report.hands,
        "turns": report.turns,
        "errors": audited.errors if not result.cause else 0,
        "warnings": audited.warnings if not result.cause else 0,
        "hidden": audited.hidden,
        "undecided": len(report.open),
        "gave_up": audited.gave_up,
        GIVEN: dict(log.columns or {}),
    }
    findings = [] if result.cause else _findings(log, result)
    return Rows([_clean(row)], findings, _scores(log, result), result.rules)


def stopped(log: Log, cause: str, why: str) -> Rows:
    """The row of a log whose audit came to no end."""
    return rows_of(log, unreadable(log.name, why, cause))


def _findings(log: Log, result: TaskResult) -> list[Row]:
    rows = []
    for finding in result.audited.report.findings:
        rule = finding.rule
        row: Row = {
            "log": log.name,
            "game": finding.game,
            "hand": finding.hand,
            "turn": finding.turn,
            "line": finding.span.line,
            "column": finding.span.column,
            "code": finding.code,
            "severity": finding.severity.value,
            "message": finding.message,
            "player": finding.player,
            "rule": rule and rule.key,
            "value": rule and rule.value,
            "rule_file": rule and rule.file,
            "rule_line": rule and rule.line,
            "file": None if finding.is_in(log.name) else finding.file,
        }
        rows.append(_clean(row))
    return rows


def _scores(log: Log, result: TaskResult) -> list[Row]:
    rows = []
    for hand in result.audited.report.scores:
        recorded, computed = hand.recorded or {}, hand.computed or {}
        totals, stated, calls = hand.totals or {}, hand.stated or {}, hand.calls or {}
        for player in totals:
            row: Row = {
                "log": log.name,
                "game": hand.game,
                "hand": hand.hand,
                "player": player,
                "recorded": recorded.get(player),
                "computed": computed.get(player),
                "total_recorded": stated.get(player),
                "total": totals[player],
                "calls": calls.get(player, 0),
            }
            rows.append(_clean(row))
    return rows


def _clean(row: Row) -> Row:
    """A row whose texts are text, and none where there is nothing in them."""
    return {key: _text(value) if isinstance(value, str) else value for key, value in row.items()}


def _text(value: str) -> str | None:
    """A text in which halves of characters, which names of files can hold, are escapes; None where it is empty."""
    return (value if value.isascii() else value.encode("utf-8", "backslashreplace").decode()) or None


class Given:
    """The columns that tables have beside the log, over all rows: names, and types that hold the values."""

    def __init__(self) -> None:
        self.types: dict[str, str] = {}

    def note(self, rows: Iterable[Row]) -> None:
        """Some more rows of `logs`."""
        for row in rows:
            for key, value in row[GIVEN].items():
                self.types[key] = _wider(self.types.get(key, ""), _type_of(value))

    def columns(self) -> tuple[tuple[Column, Callable[[Any], Any]], ...]:
        """Each with what makes its values the column's; one with a name of meldref's own begins with `given_`."""
        taken = {column.name for column in TABLES["logs"]}
        found = []
        for key, type_ in self.types.items():
            name = _text(key) or GIVEN
            while name.lower() in taken:  # databases do not tell `Log` from `log`
                name = f"given_{name}"
            taken.add(name.lower())
            found.append((Column(name, type_ or "text", key), _MAKERS[type_ or "text"]))
        return tuple(found)


def _type_of(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int):
        return "integer" if -(1 << 63) <= value < 1 << 63 else "text"
    return "number" if isinstance(value, float) else "text"


def _wider(one: str, other: str) -> str:
    """The type that holds the values of both."""
    if not one or not other or one == other:
        return one or other
    return "number" if {one, other} == {"integer", "number"} else "text"


def _as_text(value: Any) -> str | None:
    if value is None:
        return None
    return _text(value) if isinstance(value, str) else json.dumps(value)


_MAKERS: Final[Mapping[str, Callable[[Any], Any]]] = {
    "text": _as_text,
    **dict.fromkeys(("integer", "boolean"), lambda value: value),
    "number": lambda value: None if value is None else float(value),
}
