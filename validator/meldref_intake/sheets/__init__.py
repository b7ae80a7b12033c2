"""Score sheets as people and apps keep them.

`read_sheet` is the door. Rows of cells come from text (`grids`), lines that tell hands (`told`) or
workbooks (`workbooks`); `cells` says what stands in one, `labels` what the words above and beside them
say. `tables` makes tables of rows, and `apps` of JSON; `paging` does so by the page, and `sums` finds out
which rows and figures are totals, and which hands do not count. `writing` makes a log of the tables, and
`leftovers` finds what of their numbers is in none of its lines. `blank` is an empty sheet to fill in.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from meldref_intake.decoding import decoded, is_workbook
from meldref_intake.sheets.apps import json_tables
from meldref_intake.sheets.grids import rows_of
from meldref_intake.sheets.paging import Page, pages_of
from meldref_intake.sheets.told import is_chat
from meldref_intake.sheets.workbooks import Damaged, sheets_of
from meldref_intake.sheets.writing import write_pages
from meldref_intake.source import Intake

READINGS: Final = ("scores", "totals", "rounds", "dates", "down", "across")
"""How a sheet may be read where that is doubtful."""


class Unreadable(Exception):
    """A file is a sheet, and cannot be read; the sentence that says why."""


def read_sheet(
    data: bytes, readings: Sequence[str] = (), rules: str | None = None
) -> Intake | None:
    """A score sheet as a log; None if it is none.

    `readings` are those chosen where a sheet may be read in several ways (`READINGS`), `rules` those
    that the log names.

    Raises:
        Unreadable: it is a sheet, and cannot be read.
    """
    wrong = [reading for reading in readings if reading not in READINGS]
    if wrong:
        raise Unreadable(f"--sheet {wrong[0]}: the readings are {', '.join(READINGS)}")
    direction = next((reading for reading in readings if reading in {"down", "across"}), "")
    try:
        return write_pages(_pages(data, direction), readings, rules)
    except Damaged as damage:
        raise Unreadable(str(damage)) from damage


def _pages(data: bytes, direction: str) -> Iterator[Page]:
    """The pages of all tables of a file."""
    if is_workbook(data):
        for rows in sheets_of(data):
            yield from pages_of(rows, direction)
        return
    text = decoded(data)
    if text.lstrip()[:1] in {"{", "["} and not is_chat(text):
        yield Page(json_tables(text), [])
    else:
        yield from pages_of(rows_of(text), direction)


__all__ = ["Unreadable", "decoded", "is_workbook", "read_sheet"]
