"""Standings over many games as text, CSV, JSON and a page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from meldref.core.text import in_csv, many, one_line
from meldref.core.version import __version__
from meldref.report.elements import Html, join, tag, text
from meldref.report.json import Data
from meldref.report.style import in_columns
from meldref_table.report.looks import looks
from meldref_table.standings import PlayerRecord, Standings

COLUMNS: Final = (
    *("player", "games", "wins", "hands", "points", "mean", "best", "calls", "evenings", "places"),
    "open",
)
_SELDOM: Final = ("places", "open")
"""Columns that text leaves out where nobody has anything in them."""
_STYLE: Final = (
    "body{background:var(--paper);color:var(--ink);font:1rem/1.5 var(--text)}"
    "main{margin:1rem auto;max-width:60rem;padding:0 1rem}"
    "h1,caption{font-family:var(--display)}"
    "table{border-collapse:collapse;width:100%}"
    "th,td{border-bottom:1px solid var(--hair);padding:.3rem .6rem;text-align:right}"
    "th:first-child{text-align:left}"
    ".wide{overflow-x:auto}"
    ".wide+.wide{margin-top:1.5rem}"
    "caption{font-weight:600;text-align:left}"
)


def standings_text(table: Standings) -> Iterator[str]:
    """The standings over all games.

    Below them those of each month and each ruleset, if there are several.
    """
    yield from _table(table.players)
    for groups in (table.months, table.houses):
        if len(groups) > 1:
            for name, players in groups.items():
                yield from ("", one_line(name))
                yield from _table(players)


def alike_text(table: Standings) -> Iterator[str]:
    """Names that may be those of one player."""
    for first, second in table.alike:
        yield f"{one_line(first)} and {one_line(second)} may be one player, spelled differently"


def _table(players: Sequence[PlayerRecord]) -> Iterator[str]:
    """The rows of a table, without the columns that nobody has anything in."""
    rows = [list(COLUMNS), *([one_line(cell) for cell in _cells(player)] for player in players)]
    columns = [
        column
        for column in zip(*rows, strict=True)
        if column[0] not in _SELDOM or set(column[1:]) - {"0"}
    ]
    return in_columns([list(row) for row in zip(*columns, strict=True)], rest=">")


def _cells(player: PlayerRecord) -> list[str]:
    mean = "" if player.mean is None else f"{player.mean:.1f}"
    best = "" if player.best is None else str(player.best)
    counts = map(str, (player.games, player.wins, player.hands, player.points))
    rest = map(str, (player.calls, player.evenings, player.for_places, player.open))
    return [player.name, *counts, mean, best, *rest]


def standings_data(table: Standings) -> dict[str, Data]:
    """Data for programs."""
    return {
        "players": list(map(_player_data, table.players)),
        "months": {
            name: list(map(_player_data, players)) for name, players in table.months.items()
        },
        "houses": {
            name: list(map(_player_data, players)) for name, players in table.houses.items()
        },
        "alike": [list(pair) for pair in table.alike],
    }


def _player_data(player: PlayerRecord) -> Data:
    mean = None if player.mean is None else round(player.mean, 2)
    counts = (
        player.name,
        player.games,
        player.wins,
        player.hands,
        player.points,
        mean,
        player.best,
        player.calls,
        player.evenings,
        player.for_places,
        player.open,
    )
    return dict(zip(COLUMNS, counts, strict=True))


def standings_csv(table: Standings) -> str:
    """The standings as CSV: a row for each player, over all, in each month and by each ruleset."""
    groups = [("all", {"": table.players}), ("month", table.months), ("house", table.houses)]
    rows = [
        (by, of, *_cells(player))
        for by, parts in groups
        for of, players in parts.items()
        for player in players
    ]
    return "".join([",".join(map(in_csv, row)) + "\n" for row in [("by", "of", *COLUMNS), *rows]])


def standings_page(table: Standings, games: int) -> str:
    """The standings as a page that needs nothing else."""
    tables = [_page_table("All games", table.players)]
    for groups in (table.months, table.houses):
        if len(groups) > 1:
            tables += [_page_table(name, players) for name, players in groups.items()]
    notes = [tag("li", note) for note in alike_text(table)]
    head = (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta name="generator" content="meldref {__version__}">\n'
        '<meta http-equiv="Content-Security-Policy" '
        "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        f"<title>Standings over {text(many(games, 'game'))}</title>\n"
        f"<style>{looks()}{_STYLE}</style>\n</head>\n<body>\n"
    )
    body = join(
        [
            tag("h1", f"Standings over {many(games, 'game')}"),
            *tables,
            tag("ul", notes) if notes else "",
        ]
    )
    return f"{head}<main>\n{body}\n</main>\n</body>\n</html>\n"


def _page_table(title: str, players: Sequence[PlayerRecord]) -> Html:
    names = tag("tr", [tag("th", name, scope="col") for name in COLUMNS])
    rows = [
        tag(
            "tr",
            tag("th", tag("bdi", cells[0]), scope="row"),
            [tag("td", cell) for cell in cells[1:]],
        )
        for cells in map(_cells, players)
    ]
    table = tag("table", tag("caption", title), tag("thead", names), tag("tbody", rows))
    return tag("div", table, class_="wide", role="region", tabindex=0, aria_label=title)
