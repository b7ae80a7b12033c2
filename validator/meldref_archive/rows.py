"""What is known of an archive as rows of three tables: logs, findings, scores (`columns.txt`).

The tables are files of JSON Lines, CSV or Parquet: the same rows in each, and the same bytes for
the same rows.
"""

from __future__ import annotations

import json
import os
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple, get_args

from meldref.core.diagnostics import Finding
from meldref.core.safe_writing import create_text
from meldref.core.text import in_csv
from meldref.replay.result import Scores, Verdict
from meldref.report.json import facts
from meldref_archive.auditing import TaskResult, unreadable
from meldref_archive.sources import Log, needed

Row = dict[str, Any]

_GROUP: Final = 50_000
"""How many rows of a Parquet file are in one group."""
_BLANKS: Final = "\0\t\n\v\f\r\x1c\x1d\x1e\x85\u200b\u2028\u2029\u2060\ufeff"
"""What cannot be seen, and stays in a cell: it steers no terminal, and is in quotes if it ends one."""
_LEAST_ROW: Final = 60
"""How many bytes are counted for a row that is given, and for a cell that has nothing in it."""
_CELL: Final = 8
_SELDOM: Final = 50
"""A value that fewer than one row in this number has is rare."""
_SPREAD: Final = 20
"""How many times all that is given empty cells may take."""


class Column(NamedTuple):
    """A column: its name, whether its values are `text` or `integer`, and what they say."""

    name: str
    type: str
    says: str


def _tables() -> dict[str, tuple[Column, ...]]:
    tables: dict[str, tuple[Column, ...]] = {}
    for part in Path(__file__).with_name("columns.txt").read_text("utf-8").split("# ")[1:]:
        name, *lines = part.strip().splitlines()
        tables[name] = tuple(
            Column(*[cell.strip() for cell in line.split("|", 2)]) for line in lines
        )
    return tables


TABLES: Final[Mapping[str, tuple[Column, ...]]] = _tables()
"""The tables with their columns, in order. What `logs` has beyond them is passed through."""


GIVEN: Final = "given"
"""In a row of `logs`, the columns that are passed through, until it is known which all of them
are."""
COUNTED: Final = ("hands", "turns", "errors", "warnings")
"""In a row of `logs`, the columns that are added up."""


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
    reported = () if result.cause else report.findings
    findings = [_clean(_finding_row(log, finding)) for finding in reported]
    scores = [_clean(row) for hand in audited.scores for row in _score_rows(log, hand)]
    return Rows([_clean(row)], findings, scores, result.rules)


def check_rows(data: Any) -> None:
    """Raises `ValueError` or its like if what was written is not rows of the three tables."""
    logs, findings, scores = data
    for row in logs:
        columns = row[GIVEN]
        if row["verdict"] not in get_args(Verdict) or not all(
            type(row[name]) is int for name in COUNTED
        ):
            raise ValueError("no audit counts so")
        if not isinstance(columns, dict) or any(
            isinstance(value, dict | list) for value in columns.values()
        ):
            raise ValueError("no table has such cells")
    for name, table in (("logs", logs), ("findings", findings), ("scores", scores)):
        extra = (GIVEN,) if name == "logs" else ()
        for row in table:
            if list(row) != [*(column.name for column in TABLES[name]), *extra]:
                raise ValueError("no audit has such columns")
            if not all(_fits(row[column.name], column.type) for column in TABLES[name]):
                raise ValueError("no audit has such values")


def _fits(value: object, type_: str) -> bool:
    """Whether a value of a table is of its column's type, or missing."""
    return value is None or (
        isinstance(value, str) if type_ == "text" else _type_of(value) == type_
    )


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
    """A row whose texts are text, and none if there is nothing in them."""
    return {key: _text(value) if isinstance(value, str) else value for key, value in row.items()}


def _text(value: str) -> str | None:
    """A text in which halves of characters, which names of files can hold, are escapes.

    None if it is empty.
    """
    return (
        value if value.isascii() else value.encode("utf-8", "backslashreplace").decode()
    ) or None


class Given:
    """What the rows of `logs` pass through: of which types it is, and which columns hold it."""

    def __init__(self) -> None:
        self._types: dict[str, set[str]] = {}
        self._filled = Counter[str]()
        self._rows = self._size = 0
        self._rest: frozenset[str] = frozenset()
        self.columns: list[Column] = []

    def note(self, row: Row) -> None:
        """Notes what a row has."""
        self._rows += 1
        self._size += _LEAST_ROW
        for key, value in row[GIVEN].items():
            types = self._types.setdefault(key, set())
            self._filled[key] += 1
            self._size += len(key) + len(value if isinstance(value, str) else repr(value))
            if value is not None:
                types.add(_type_of(value))

    def settle(self) -> None:
        """Makes the columns, once all rows are noted. `given_` sets them apart from meldref's own.

        A column takes room in every row. Where what hardly any row has would take far more than all
        that is given, it shares one column, as JSON.
        """
        room = _SPREAD * self._size
        rest: set[str] = set()
        for key, filled in self._filled.most_common():
            takes = self._rows * (len(key) + _CELL)
            if filled * _SELDOM < self._rows and takes > room:
                rest.add(key)
            elif filled * _SELDOM < self._rows:
                room -= takes
        taken = {column.name for column in TABLES["logs"]}
        for key, types in self._types.items():
            if key not in rest:
                type_ = min(types) if len(types) == 1 else "text"
                if types == {"integer", "number"}:
                    type_ = "number"
                self.columns.append(Column(_free(_text(key) or GIVEN, taken), type_, key))
        if rest:
            self._rest = frozenset(rest)
            self.columns.append(Column(_free(GIVEN, taken), "text", ""))

    def fill(self, row: Row) -> None:
        """Puts what a row passes through into its columns."""
        columns = row.pop(GIVEN)
        own = self.columns[:-1] if self._rest else self.columns
        row.update(
            (column.name, _as_column(columns.get(column.says), column.type)) for column in own
        )
        if self._rest:
            shared = {key: value for key, value in columns.items() if key in self._rest}
            row[self.columns[-1].name] = json.dumps(shared) if shared else None


def _free(name: str, taken: set[str]) -> str:
    """A name of a column that no other one has, and takes it.

    Databases do not tell `Log` from `log`.
    """
    while name.lower() in taken:
        name = f"given_{name}"
    taken.add(name.lower())
    return name


def _type_of(value: object) -> str:
    if isinstance(value, int) and not -(1 << 63) <= value < 1 << 63:
        return "text"
    return {bool: "boolean", int: "integer", float: "number"}.get(type(value), "text")


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
        self._stream = create_text(path)
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
        self._stream.writelines(
            json.dumps({name: row[name] for name in self._names}) + "\n" for row in rows
        )


class _Csv(Writer):
    """A header, then a line for each row; a missing value is an empty cell."""

    def __init__(self, path: Path, columns: Sequence[Column]) -> None:
        super().__init__(path, columns)
        self._put(self._names)

    def write(self, rows: Iterable[Row]) -> None:
        for row in rows:
            self._put(row[name] for name in self._names)

    def _put(self, cells: Iterable[Any]) -> None:
        self._stream.write(",".join(map(_in_csv, cells)) + "\n")


def _in_csv(value: Any) -> str:
    """A value of a table, whose blanks and ends of lines are those of the other forms."""
    return in_csv(value, _BLANKS)


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
        self._writer.write_table(
            self._arrow.Table.from_pylist(rows, self._schema), row_group_size=_GROUP
        )

    def close(self) -> None:
        if self._rows:
            self._put(self._rows)
        self._writer.close()
        super().close()


WRITERS: Final[Mapping[str, type[Writer]]] = {"jsonl": _JsonLines, "csv": _Csv, "parquet": _Parquet}
"""What writes a table to a path, by the form, which is how its name ends."""
