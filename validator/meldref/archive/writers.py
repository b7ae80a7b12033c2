"""Tables as files: JSON Lines, CSV, Parquet. The same rows in each, and the same bytes for the same rows."""

from __future__ import annotations

import csv
import json
import os
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from meldref.archive.rows import Column, Row
from meldref.archive.sources import needed

_GROUP: Final = 50_000
"""How many rows of a Parquet file are in one group."""
_FORMULA: Final = r"[=@\t\r]|[+-](?![\d.,]*\Z)"


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
