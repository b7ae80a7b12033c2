"""What is known of an archive as rows of three tables: logs, findings, scores; `columns.txt` has the columns.

The tables are files of JSON Lines, CSV or Parquet: the same rows in each, and the same bytes for the same rows.
"""

from __future__ import annotations

import csv
import json
import os
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from meldref.archive.auditing import TaskResult, unreadable
from meldref.archive.sources import Log, needed
from meldref.core.diagnostics import Finding
from meldref.replay.result import Scores
from meldref.report.json import facts

Row = dict[str, Any]

_GROUP: Final = 50_000
"""How many rows of a Parquet file are in one group."""
_FORMULA: Final = r"[=@\t\r]|[+-](?![\d.,]*\Z)"


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


def fill_given(row: Row, columns: Iterable[Column]) -> None:
    """Puts what a row of `logs` passes through into its columns."""
    given = row.pop(GIVEN)
    row.update((column.name, _as_column(given.get(column.says), column.type)) for column in columns)


def _as_column(value: Any, type_: str) -> Any:
    """A value that is passed through, as a column of that type has it."""
    if value is None or type_ in {"integer", "boolean"}:
        return value
    if type_ == "number":
        return float(value)
    return _text(value) if isinstance(value, str) else json.dumps(value)


class Writer(ABC):
    """Writes the rows of a table as they come."""

    def __init__(self, path: Path, columns: Sequence[Column]) -> None:
        self._stream = path.open("w", encoding="utf-8", newline="")
        self._names = [column.name for column in columns]

    @abstractmethod
    def write(self, rows: Iterable[Row]) -> None:
        """Some more rows."""

    def close(self) -> None:
        """There are no more; they are on the disk."""
        self._stream.flush()
        os.fsync(self._stream.fileno())
        self._stream.close()


class _JsonLines(Writer):
    """An object a line, with every column in its place, in ASCII."""

    def write(self, rows: Iterable[Row]) -> None:
        self._stream.writelines(json.dumps({name: row[name] for name in self._names}) + "\n" for row in rows)


class _Csv(Writer):
    """A header, then a line for each row; a missing value is an empty cell."""

    def __init__(self, path: Path, columns: Sequence[Column]) -> None:
        super().__init__(path, columns)
        self._csv = csv.writer(self._stream, lineterminator="\n")
        self._csv.writerow(map(_in_csv, self._names))

    def write(self, rows: Iterable[Row]) -> None:
        self._csv.writerows([_in_csv(row[name]) for name in self._names] for row in rows)


def _in_csv(value: Any) -> Any:
    """A value as CSV has it; a text that spreadsheets would take for a formula begins with `'`."""
    if isinstance(value, str):
        return f"'{value}" if re.match(_FORMULA, value) else value
    return value if not isinstance(value, bool) else "true" if value else "false"


class _Parquet(Writer):
    """Columns by groups of rows."""

    def __init__(self, path: Path, columns: Sequence[Column]) -> None:
        super().__init__(path, columns)
        arrow = self._arrow = needed("pyarrow", "parquet", "--as parquet")
        types = {
            "text": arrow.string(),
            "integer": arrow.int64(),
            "boolean": arrow.bool_(),
            "number": arrow.float64(),
        }
        self._schema = arrow.schema([(column.name, types[column.type]) for column in columns])
        parquet = needed("pyarrow.parquet", "parquet", "--as parquet")
        self._writer = parquet.ParquetWriter(self._stream.buffer, self._schema, compression="zstd")
        self._rows: list[Row] = []

    def write(self, rows: Iterable[Row]) -> None:
        self._rows += rows
        while len(self._rows) >= _GROUP:
            self._put(self._rows[:_GROUP])
            del self._rows[:_GROUP]

    def _put(self, rows: list[Row]) -> None:
        self._writer.write_table(self._arrow.Table.from_pylist(rows, self._schema), row_group_size=_GROUP)

    def close(self) -> None:
        if self._rows:
            self._put(self._rows)
        self._writer.close()
        super().close()


WRITERS: Final[Mapping[str, type[Writer]]] = {"jsonl": _JsonLines, "csv": _Csv, "parquet": _Parquet}
"""What writes a table to a path, by the form, which is how its name ends."""
