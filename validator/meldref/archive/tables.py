"""Files that hold several logs: archives, and tables with a column of logs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any, BinaryIO, Final

from meldref.archive.sources import (
    LOGS,
    TABLES,
    Log,
    archive_at,
    as_os_errors,
    check_packages,
    ends_in,
    needed,
    raw_bytes,
    unpacked,
)

COLUMN: Final = "log"
"""The column of a table that holds the logs, unless another one is named."""

_LONGEST_ROW: Final = 1 << 26
_ROWS: Final = 64


def logs_of(path: str, column: str = COLUMN, left_out: list[str] | None = None) -> Iterator[Log]:
    """The logs in a file: itself, the members of an archive, the rows of a table.

    One that cannot be read is a log with that trouble, so that nothing is lost.

    Args:
        path: the file as it was given.
        column: which column of a table holds logs.
        left_out: gathers the members of archives that are no logs.
    """
    whole = Log.of(path)
    if ends_in(path, (".zip",)):
        logs = _members(whole, left_out if left_out is not None else [])
    else:
        logs = _table(whole, column) if ends_in(path, TABLES) else iter((whole,))
    try:
        with as_os_errors():
            yield from logs
    except OSError as error:
        yield whole._replace(trouble=f"{error.strerror or error}")


def _members(whole: Log, left_out: list[str]) -> Iterator[Log]:
    """The logs of a .zip, in its order; no file of it is ever written anywhere."""
    found = False
    for number, info in enumerate(archive_at(whole.place, any_kind=whole.any_kind).infolist()):
        hidden = any(part.startswith(".") and part != ".." for part in PurePosixPath(info.filename).parts)
        if info.filename.endswith("/") or hidden:  # `is_dir` fails where there is no name
            continue
        name = f"{whole.name}/{info.filename}"
        if ends_in(info.filename, LOGS[:-1]):
            found = True
            check_packages([info.filename])
            yield whole._replace(name=name, member=number)
        else:
            left_out.append(name)
    if not found:
        raise OSError("there is no *.rgn in this archive")


def _table(whole: Log, column: str) -> Iterator[Log]:
    rows = _parquet(whole, column) if ends_in(whole.place, (".parquet",)) else _json_lines(whole)
    for number, row in rows:
        log = whole._replace(name=f"{whole.name}:{number}")
        if isinstance(row, str):
            yield log._replace(trouble=row)
            continue
        text = row.pop(column, None)
        if isinstance(text, str):
            yield log._replace(text=text.encode("utf-8", "replace"), columns=row)
        else:
            lacks = f"the row has no text in the column {column}"
            yield log._replace(trouble=lacks, columns=row)


def _json_lines(whole: Log) -> Iterator[tuple[int, dict[str, Any] | str]]:
    """The rows of JSON Lines by number, or what is wrong with each."""
    with raw_bytes(whole.place, any_kind=whole.any_kind) as raw:
        for number, line in enumerate(_lines(unpacked(whole.place, raw)), start=1):
            if line is None:
                yield number, f"the row has more than {_LONGEST_ROW >> 20} MiB"
            elif line.strip():
                yield number, _json_row(line)


def _json_row(line: bytes) -> dict[str, Any] | str:
    try:
        row = json.loads(line.decode("utf-8-sig"), parse_constant=_refuse)
    except ValueError as wrong:
        return f"the row is not JSON: {wrong}"
    except RecursionError:
        return "the row is nested too deeply"
    return row if isinstance(row, dict) else "the row is not a JSON object"


def _refuse(word: str) -> None:
    raise ValueError(f"{word} is not a number in JSON")


def _lines(stream: BinaryIO) -> Iterator[bytes | None]:
    """The lines of a stream; None for one that is far too long, which is passed over."""
    parts: list[bytes] = []
    size = 0
    while chunk := stream.read(1 << 16):
        *ended, rest = chunk.split(b"\n")
        for line in ended:
            yield None if size > _LONGEST_ROW else b"".join((*parts, line))
            parts, size = [], 0
        size += len(rest)
        parts = [*parts, rest] if not parts or size <= _LONGEST_ROW else parts[:1]
    if size:
        yield None if size > _LONGEST_ROW else b"".join(parts)


def _parquet(whole: Log, column: str) -> Iterator[tuple[int, dict[str, Any] | str]]:
    """The rows of a Parquet file by number, with values as JSON has them."""
    parquet = needed("pyarrow.parquet", "parquet", whole.name)
    arrow = needed("pyarrow", "parquet", whole.name)
    number = 0
    try:
        with raw_bytes(whole.place, any_kind=whole.any_kind) as raw, parquet.ParquetFile(raw) as table:
            names = table.schema_arrow.names
            if column not in names:
                shown = ", ".join(names)
                raise OSError(f"the table has no column {column}; it has {shown}: name one with --column")
            if len(set(names)) < len(names):
                raise OSError("two columns of the table have the same name")
            for batch in table.iter_batches(_ROWS):
                for row in batch.to_pylist():
                    number += 1
                    yield number, {key: _plain(value) for key, value in row.items()}
    except arrow.ArrowException as wrong:
        raise OSError(f"it is not a Parquet file, or it is damaged: {wrong}") from wrong


def _plain(value: Any) -> Any:
    """A value as JSON has it: a time as ISO 8601, what is nested as it is, anything else in words."""
    if isinstance(value, dict):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    if isinstance(value, float) and (value != value or value in {float("inf"), float("-inf")}):  # noqa: PLR0124  NaN
        return None
    if value is None or isinstance(value, (str, int, float)):
        return value
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return value.isoformat() if hasattr(value, "isoformat") else str(value)
