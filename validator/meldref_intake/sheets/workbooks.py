"""Workbooks, .xlsx and .ods: their tables as rows of cells, formulas by the values saved with them.

A packed file of strangers is looked at before it is unpacked, and its XML may have no entities.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date, datetime
from importlib import import_module
from io import BytesIO
from itertools import zip_longest
from typing import Any, Final
from zipfile import BadZipFile, ZipFile

from meldref.core.diagnostics import WrongPackage
from meldref_intake.decoding import OLD_WORKBOOK
from meldref_intake.sheets.cells import MOST_CELLS, Cell, Row
from meldref_intake.source import Place

_MOST_UNPACKED: Final = 64 << 20
_MOST_ROWS: Final = 100_000
_FORMULA: Final = re.compile(rb"<f[ >]")
_OFFICE: Final = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_TABLE: Final = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"


class Damaged(Exception):
    """A workbook cannot be unpacked; the sentence that says why."""


def sheets_of(data: bytes) -> Iterator[list[Row]]:
    """The rows of each sheet of a workbook.

    Raises:
        Damaged: it is no workbook, or unpacks to too much.
        WrongPackage: what reads it is not installed.
    """
    if data.startswith(OLD_WORKBOOK):
        raise Damaged("it is an old workbook, which is not read; save it as .xlsx or as .csv")
    try:
        archive = ZipFile(BytesIO(data))
        names = set(archive.namelist())
    except (BadZipFile, ValueError, OSError) as wrong:
        raise Damaged(f"it is damaged: {wrong}") from wrong
    if sum(info.file_size for info in archive.infolist()) > _MOST_UNPACKED:
        raise Damaged(f"it unpacks to more than {_MOST_UNPACKED >> 20} MB")
    if "content.xml" in names:
        yield from _of_ods(archive)
    elif "xl/workbook.xml" in names:
        yield from _of_xlsx(data, archive)
    else:
        raise Damaged("it is packed, and no workbook is in it: neither .xlsx nor .ods")


def _needed(module: str) -> Any:
    try:
        return import_module(module)
    except ImportError as missing:
        package = module.partition(".")[0]
        raise WrongPackage(
            f"a workbook needs the package {package}: pip install 'meldref[sheets]'"
        ) from missing


def _has_formulas(archive: ZipFile) -> bool:
    """Whether a cell of a sheet has a formula."""
    names = [name for name in archive.namelist() if name.startswith("xl/worksheets/")]
    return any(_FORMULA.search(archive.read(name)) for name in names)


def _with_formulas(values: Sequence[object], written: Sequence[object] = ()) -> list[object]:
    """The values of a row; of a formula whose value was not saved, what is written."""
    return [
        text if value is None and str(text or "").startswith("=") else value
        for value, text in zip_longest(values, written)
    ]


def _of_xlsx(data: bytes, archive: ZipFile) -> Iterator[list[Row]]:
    _needed("defusedxml")  # openpyxl reads XML by it where it is installed
    openpyxl = _needed("openpyxl")
    try:
        books = [openpyxl.load_workbook(BytesIO(data), read_only=True, data_only=True)]
        if _has_formulas(archive):
            books.append(openpyxl.load_workbook(BytesIO(data), read_only=True))
        for sheets in zip(*[book.worksheets for book in books], strict=True):
            rows = [
                sheet.iter_rows(max_row=_MOST_ROWS, max_col=MOST_CELLS, values_only=True)
                for sheet in sheets
            ]
            yield [
                _row(_with_formulas(*values), number)
                for number, values in enumerate(zip(*rows, strict=False), 1)
            ]
    except Exception as wrong:  # what the package raises of damaged files has no common kind
        raise Damaged(f"it is damaged: {wrong}") from wrong


def _of_ods(archive: ZipFile) -> Iterator[list[Row]]:
    tree = _needed("defusedxml.ElementTree")
    try:
        root = tree.fromstring(archive.read("content.xml"), forbid_dtd=True)
    except Exception as wrong:  # as above: damaged, or with entities
        raise Damaged(f"it is damaged: {type(wrong).__name__}") from wrong
    for table in root.iter(f"{_TABLE}table"):
        rows: list[Row] = []
        for row in table.iter(f"{_TABLE}table-row"):
            values = _values_of(row)
            again = _repeated(row, "rows") if any(values) else 1
            for _ in range(min(again, _MOST_ROWS - len(rows))):
                rows.append(_row(values, len(rows) + 1))
        yield rows


def _values_of(row: Any) -> list[object]:
    values: list[object] = []
    for cell in row:
        if cell.tag not in {f"{_TABLE}table-cell", f"{_TABLE}covered-table-cell"}:
            continue
        value: object = cell.get(f"{_OFFICE}value") or (cell.get(f"{_OFFICE}date-value") or "")[:10]
        if not value:
            value = " ".join("".join(part.itertext()) for part in cell)
        again = min(_repeated(cell, "columns"), MOST_CELLS - len(values))
        values += [value] * again
    while values and not values[-1]:
        values.pop()
    return values


def _repeated(element: Any, what: str) -> int:
    written = element.get(f"{_TABLE}number-{what}-repeated") or "1"
    return int(written) if written.isdigit() else 1


def _row(values: Any, number: int) -> Row:
    texts = [_text(value) for value in values]
    line = "\t".join(texts).rstrip("\t")
    cells: list[Cell] = []
    for at, text in enumerate(texts):
        cells.append(Cell(text.strip(), Place(number, at + 1, at + 2, line)))
    return Row(tuple(cells), number, line)


def _text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, datetime | date):
        return value.strftime("%Y-%m-%d")
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return " ".join(str(value).split())
