"""An empty score sheet, to print and to fill in; what is written into it can be read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from meldref.core.text import in_csv

HANDS = 12
"""How many hands it has room for."""


def blank_sheet(players: Sequence[str]) -> Iterator[str]:
    """The lines of a sheet as CSV: a column for each player, and who dealt and who went out."""
    yield ",".join(["Hand", "Dealer", "Out", *map(in_csv, players)])
    for number in range(1, HANDS + 1):
        yield ",".join([str(number), "", "", *["" for _ in players]])
    yield ",".join(["Total", "", "", *["" for _ in players]])
