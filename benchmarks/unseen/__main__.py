"""Puts impossibilities into masked logs of legal games and says how many an audit finds, by whose view.

`python -m benchmarks.unseen [--seed N] [--games N] [--jobs N] [--show KIND] [--page PAGE]`. Every
plant cannot be, however the unknown cards were dealt; so each one that is not found is missed.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from multiprocessing import Pool
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Final

from benchmarks.measure import put
from benchmarks.slips.sheets import VIEWS, Table, game, seen, write
from benchmarks.unseen.plants import PLANTS, Game
from meldref.core.diagnostics import errors_in
from meldref.notation.reader import read_lines
from meldref.position.model import Position
from meldref.replay.log import Replay
from meldref.rules.points import Worth
from meldref_evidence.audit import audit_text

SEEN: Final = {"public": VIEWS[3], "one player's": VIEWS[2], "all but the stock": VIEWS[1]}
TABLES: Final = (
    Table("500-rummy", ("greedy", "greedy", "random")),
    Table("500-rummy", ("greedy", "greedy", "random"), ("no-jokers",)),
    Table("500-rummy", ("greedy",) * 4, ("floating",)),
    Table("500-rummy", ("greedy", "random"), ("no-jokers",)),
    Table(
        "500-rummy",
        ("greedy", "random", "random"),
        ("no-jokers",),
        ("deal.cards=16", "players.max=3"),
    ),
    Table("500-rummy", ("random", "random", "random"), ("reshuffle-stock", "no-calls")),
    Table(
        "500-rummy",
        ("random", "random", "random"),
        ("reshuffle-stock", "no-calls", "no-jokers"),
        ("deal.cards=14", "players.max=3"),
    ),
    Table("500-rummy", ("random", "random", "greedy"), ("no-calls",), ("deck.packs=2",)),
)
LARGE: Final = Table("500-rummy", ("random",) * 4, ("no-calls",))
Tried = tuple[str, str, str]
"""The kind, the view, and what came of it: found, elsewhere or missed."""


def main() -> int:
    """Try, count, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", type=int, default=140)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--show", metavar="KIND", help="print the logs of a kind that are missed")
    parser.add_argument("--page", type=Path, help="the page whose table is replaced")
    arguments = parser.parse_args()
    seeds = range(arguments.seed, arguments.seed + arguments.games)
    if arguments.show:
        for seed in seeds:
            for kind, view, came, text in tried(seed):
                if kind == arguments.show and came != "found":
                    print(f"# {view}: {came}\n{text}")
        return 0
    with Pool(arguments.jobs) as pool:
        counted = [one[:3] for some in pool.map(tried, seeds) for one in some]
    text = "\n".join([*_table(counted), "", _speed(arguments.seed)])
    print(text)
    if arguments.page:
        put(arguments.page, "unseen", text)
    return 0


def tried(seed: int) -> list[tuple[str, str, str, str]]:
    """What came of each kind in a game, in each view."""
    table = TABLES[seed % len(TABLES)]
    full = game(table, seed, 1)
    rows = []
    for view, sheet in SEEN.items():
        log = seen(full, sheet)
        end, seen_end = (_end(write([one.event for one in rows])) for rows in (full, log))
        if end is None or seen_end is None:
            continue
        for name, make in PLANTS.items():
            rng = Random(f"{seed} {view} {name}")
            planted = make(Game(full, log, end, seen_end, Worth(table.ruleset), rng))
            if planted is None:
                continue
            events, at = planted
            text = write(events)
            wrong = errors_in(audit_text(text).findings)
            lines = {number for one in wrong for number in (one.span.line, *one.lines)}
            came = "missed" if not wrong else "found" if at + 1 in lines else "elsewhere"
            rows.append((name, view, came, text))
    return rows


def _end(text: str) -> Position | None:
    """How a hand ended."""
    run = Replay("")
    run.feed(read_lines(text))
    hand = None if run.game is None else run.game.hand
    return None if hand is None else hand.position


def _table(tried: Sequence[Tried]) -> Iterator[str]:
    counted = Counter(tried)
    yield f"| what cannot be | {' | '.join(SEEN)} | missed |"
    yield f"|---|{'---|' * len(SEEN)}---|"
    for name in PLANTS:
        row = [
            (sum([counted[name, view, came] for came in ("found", "elsewhere", "missed")]), view)
            for view in SEEN
        ]
        if not any(number for number, _ in row):
            continue
        cells = [
            f"{number - counted[name, view, 'missed']} of {number}" if number else "–"
            for number, view in row
        ]
        missed = sum([counted[name, view, "missed"] for view in SEEN])
        yield f"| {name} | {' | '.join(cells)} | {missed or '–'} |"
    total, missed = len(tried), sum([came == "missed" for _, _, came in tried])
    elsewhere = sum([came == "elsewhere" for _, _, came in tried])
    yield ""
    yield (
        f"Of {total:,} in all, {total - missed:,} are found, {elsewhere} of them by a finding at other lines, "
        f"and {missed} are missed."
    )


def _speed(seed: int) -> str:
    """How long an audit of a masked log takes, beside one of the same log in full."""
    times: dict[bool, list[float]] = {False: [], True: []}
    draws = 0
    for number in range(seed, seed + 5):
        full = game(LARGE, number, 3)
        for masked, row in times.items():
            log = seen(full, SEEN["public"]) if masked else full
            text = write([one.event for one in log])
            row.append(min(_seconds(text) for _ in range(5)))
            draws += text.count("draw ?")
    ratio = sum(times[True]) / sum(times[False])
    return (
        f"The audit of a public log of four players with {draws // 5} unknown draws takes "
        f"{sum(times[True]) / 5:.3f} seconds, {ratio:.1f} times as long as that of the log in full."
    )


def _seconds(text: str) -> float:
    before = perf_counter()
    audit_text(text)
    return perf_counter() - before


if __name__ == "__main__":
    sys.exit(main())
