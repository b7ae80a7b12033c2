"""A sheet by the page, so that a long one takes no more room than a short one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final, NamedTuple

from meldref_intake.sheets.cells import Row
from meldref_intake.sheets.sums import sort_out
from meldref_intake.sheets.tables import Table, tables_of

ROWS: Final = 2_000
"""How many rows a page has."""
_KEPT: Final = 4
"""Whether a row is a head shows in the rows below: so many go to the next page."""


class Page(NamedTuple):
    """Some rows of a sheet, and their tables, of which the first may go on with the last before."""

    tables: list[Table]
    rows: list[Row]


def pages_of(rows: Iterable[Row], wanted: str = "") -> Iterator[Page]:
    """The pages of a sheet; one that is short, or cannot be cut, is a page.

    `wanted`: hands go `down` or `across`, if said. Cut is a table with a row for each hand.
    """
    rest = iter(rows)
    here, coming = list(islice(rest, ROWS)), list(islice(rest, ROWS))
    tables = tables_of(here, wanted) if coming else []
    if not tables or not tables[-1].columns or _has_pairs(tables[-1]):
        here += [*coming, *rest]
        yield Page(tables_of(here, wanted), here)
        return
    last: Table | None = None
    while here:
        kept = here[-_KEPT:] if coming else []
        here = here[: len(here) - len(kept)]
        tables = tables_of(here, wanted, last)
        yield Page(tables, here)
        last = tables[-1] if tables and tables[-1].columns else None
        here, coming = [*kept, *coming], list(islice(rest, ROWS)) if coming else []


def _has_pairs(table: Table) -> bool:
    """Whether hands and the standings after them take turns, so that no row stands alone."""
    before = len(table.entries)
    sort_out(table)
    return len(table.entries) < before
