"""Files that hold several logs: archives, and tables with a column of logs."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from importlib import import_module
from math import isfinite
from pathlib import PurePosixPath
from typing import Any, BinaryIO, Final

from meldref.notation.hopeful import HOPELESS
from meldref_archive.sources import (
    LOGS,
    TABLES,
    TOO_DENSE,
    Log,
    archive_at,
    as_os_errors,
    check_packages,
    ends_in,
    needed,
    raw_bytes,
    size_of,
    too_dense,
    unpacked,
)

COLUMN: Final = "log"
"""The column of a table that holds the logs, unless another one is named."""

_LONGEST_ROW: Final = 1 << 26
_ROWS: Final = 64
_ROW: Final = 100
"""How many bytes are counted for a row of a Parquet file, in which next to nothing may stand for
millions."""
_TOO_DEEP: Final = "the row is nested too deeply"


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
    any_log = False
    archive = archive_at(whole.place, any_kind=whole.any_kind)
    size, total = size_of(archive), 0
    for number, info in enumerate(archive.infolist()):
        hidden = any(
            part.startswith(".") and part != ".." for part in PurePosixPath(info.filename).parts
        )
        if info.filename.endswith("/") or hidden:  # `is_dir` fails if there is no name
            continue
        name = f"{whole.name}/{info.filename}"
        if ends_in(info.filename, LOGS[:-1]):
            any_log = True
            check_packages([info.filename])
            total += info.file_size  # no more is unpacked, whatever is packed
            trouble = TOO_DENSE if too_dense(total, size) else ""
            yield whole._replace(name=name, member=number, trouble=trouble)
        else:
            left_out.append(name)
    if not any_log:
        raise OSError("there is no *.rgn in this archive")


def _table(whole: Log, column: str) -> Iterator[Log]:
    """The logs in the rows of a table, as long as there is hope that one row has one."""
    rows = _parquet(whole, column) if ends_in(whole.place, (".parquet",)) else _json_lines(whole)
    hope = HOPELESS
    for number, row in rows:
        log = _log_of(whole._replace(name=f"{whole.name}:{number}"), row, column)
        yield log
        hope = hope - 1 if log.trouble and hope > 0 else -1
        if not hope:
            why = f"none of the first {HOPELESS:,} rows has a log; the rest was not read"
            yield whole._replace(name=f"{whole.name}:{number + 1}", trouble=why)
            return


def _log_of(log: Log, row: dict[str, Any] | str, column: str) -> Log:
    """The log in a row of a table, or why there is none."""
    if isinstance(row, str):
        return log._replace(trouble=row)
    text = row.pop(column, None)
    try:
        cells = {key: _cell(value) for key, value in row.items()}
    except RecursionError:
        return log._replace(trouble=_TOO_DEEP)
    if isinstance(text, str):
        return log._replace(text=text.encode("utf-8", "replace"), columns=cells)
    return log._replace(trouble=f"the row has no text in the column {column}", columns=cells)


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
        row = json.loads(
            line.decode("utf-8-sig"), parse_constant=refuse_number, parse_float=_number
        )
    except ValueError as wrong:
        return f"the row is not JSON: {wrong}"
    except RecursionError:
        return _TOO_DEEP
    return row if isinstance(row, dict) else "the row is not a JSON object"


def _cell(value: Any) -> Any:
    """A value as a table passes it through: what is nested as its JSON."""
    return json.dumps(value) if isinstance(value, dict | list) else value


def refuse_number(word: str) -> None:
    """`ValueError` for `NaN` and `Infinity`, which `json` would read."""
    raise ValueError(f"{word} is not a number in JSON")


def _number(text: str) -> float | str:
    """A number; its text where it is larger than any that can be written again."""
    number = float(text)
    return number if isfinite(number) else text


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
    """The rows of a Parquet file by number, with values as JSON has them.

    A text that many rows share lies in the file once, and is unpacked for each row when its turn
    comes.
    """
    parquet = needed("pyarrow.parquet", "parquet", whole.name)
    arrow = needed("pyarrow", "parquet", whole.name)
    number = total = 0
    try:
        with raw_bytes(whole.place, any_kind=whole.any_kind) as raw:
            size = raw.seek(0, os.SEEK_END)
            with parquet.ParquetFile(raw) as table:
                names = table.schema_arrow.names
                shared = _checked(table, column, size)
            with parquet.ParquetFile(raw, read_dictionary=shared, pre_buffer=False) as table:
                for batch in table.iter_batches(_ROWS):
                    total += _ROW * batch.num_rows + sum(map(_bytes_of, batch.columns))
                    if too_dense(total, size):
                        raise OSError(TOO_DENSE)
                    for place in range(batch.num_rows):
                        number += 1
                        yield number, {key: _value(batch[key][place]) for key in names}
    except arrow.ArrowException as wrong:
        raise OSError(f"it is not a Parquet file, or it is damaged: {wrong}") from wrong


def _checked(table: Any, column: str, size: int) -> list[str]:
    """The columns of a Parquet file whose texts rows may share.

    OSError if it cannot be a table of logs.
    """
    names = table.schema_arrow.names
    if column not in names:
        shown = ", ".join(names)
        raise OSError(f"the table has no column {column}; it has {shown}: name one with --column")
    if len(set(names)) < len(names):
        raise OSError("two columns of the table have the same name")
    metadata = table.metadata
    groups = [metadata.row_group(number) for number in range(metadata.num_row_groups)]
    chunks = [group.column(number) for group in groups for number in range(metadata.num_columns)]
    widths = {leaf.path: leaf.length for leaf in table.schema}  # of values of one width
    wide = [chunk.num_values * widths[chunk.path_in_schema] for chunk in chunks]
    total = sum(map(max, wide, [chunk.total_uncompressed_size for chunk in chunks]))
    if too_dense(total, size):
        raise OSError(TOO_DENSE)
    return [leaf.path for leaf in table.schema if leaf.physical_type == "BYTE_ARRAY"]


def _bytes_of(array: Any) -> int:
    """The bytes of a column's values, where texts stored once are counted for each row."""
    kind = array.type
    types, compute = import_module("pyarrow.types"), import_module("pyarrow.compute")
    if types.is_dictionary(kind):
        lengths = compute.binary_length(array.dictionary)
        return compute.sum(lengths.take(array.indices.drop_null())).as_py() or 0
    if types.is_map(kind):
        return _bytes_of(array.keys) + _bytes_of(array.items)
    if types.is_struct(kind):
        return sum(map(_bytes_of, array.flatten()))
    return _bytes_of(array.flatten()) if types.is_nested(kind) else int(array.nbytes)


def _value(scalar: Any) -> Any:
    """A value of a Parquet file as JSON has it; a time too far away for Python as its number."""
    try:
        return _plain(scalar.as_py())
    except UnicodeDecodeError:
        raise
    except (ValueError, OverflowError):
        return getattr(scalar, "value", None)


def _plain(value: Any) -> Any:
    """A value as JSON has it: a time as ISO 8601, nested data as it is, anything else in words."""
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, float) and not isfinite(value):
        return None
    if value is None or isinstance(value, (str, int, float)):
        return value
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return value.isoformat() if hasattr(value, "isoformat") else str(value)
