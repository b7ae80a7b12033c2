"""Puts a clerk's slips into legal games and says how many are told once, at their place, and named.

`python -m benchmarks.slips [--seed N] [--logs N] [--jobs N] [--show KIND]`. Legal games of several
rulesets are simulated and written down in four views. One slip, or two or three in a hand, are put
in, of every kind as many, and the log is audited: each slip should have exactly one finding, at its
lines or, if something was left out, where that shows. Then games are played by looser rules than the log
names: no illegal move may be lost, with or without a slip in the log.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from multiprocessing import Pool
from pathlib import Path
from random import Random

from benchmarks.measure import put
from benchmarks.slips.moves import Told, told
from benchmarks.slips.trials import KINDS, Trial, trial

Task = tuple[tuple[str, ...], int, int]


def main() -> int:
    """Try, count, write."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--logs",
        type=int,
        default=710,
        help="how many logs with one slip; a quarter as many have two, an eighth three",
    )
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument(
        "--show", metavar="KIND", help="print the logs of a kind that are not told once"
    )
    parser.add_argument("--page", type=Path, help="the page whose table is replaced")
    arguments = parser.parse_args()
    if arguments.show is not None and arguments.show not in KINDS:
        parser.error(f"there is no kind {arguments.show!r}; there are: {', '.join(KINDS)}")
    singles = [
        ((name,), number, arguments.seed) for name, number in _spread(list(KINDS), arguments.logs)
    ]
    together = [
        (names, number, arguments.seed)
        for many, share in ((2, 4), (3, 8))
        for number, names in enumerate(_together(many, arguments.logs // share, arguments.seed))
    ]
    if arguments.show is not None:
        for one in filter(
            None, map(_tried, [task for task in singles if task[0] == (arguments.show,)])
        ):
            _show(one)
        return 0
    with Pool(arguments.jobs) as pool:
        tried = [
            one for one in pool.imap(_tried, [*singles, *together], chunksize=20) if one is not None
        ]
        moves = pool.map(
            _told, range(arguments.seed * 10, arguments.seed * 10 + max(1, arguments.logs // 100))
        )
    text = "\n".join(_table(tried, [move for some in moves for move in some]))
    print(text)
    if arguments.page:
        put(arguments.page, "slips", text)
    return 0


def _spread(names: Sequence[str], logs: int) -> Iterator[tuple[str, int]]:
    """Every kind as often as any other."""
    for number in range(logs):
        yield names[number % len(names)], number // len(names)


def _together(many: int, logs: int, seed: int) -> list[tuple[str, ...]]:
    """Some combinations of kinds that stay within a hand."""
    names = [name for name, kind in KINDS.items() if not kind.whole_game]
    every = list(combinations(names, many))
    return Random(seed).choices(every, k=logs)


def _tried(task: Task) -> Trial | None:
    return trial(*task)


def _told(seed: int) -> list[Told]:
    return list(told(seed))


def _show(one: Trial) -> None:
    """A log that is not told as it should be, and what is told of it."""
    if one.once and one.named:
        return
    print(f"--- {' and '.join(one.kinds)} · {one.view}\n{one.text}")
    for finding in one.findings:
        print(f"{finding.span.line} {finding.code}: {finding.message}")
    print()


def _table(tried: Iterable[Trial], moves: Sequence[Told]) -> Iterator[str]:
    """The counts in Markdown."""
    by_kind: dict[str, list[Trial]] = defaultdict(list)
    by_many: dict[int, list[Trial]] = defaultdict(list)
    for one in tried:
        by_many[len(one.kinds)].append(one)
        if len(one.kinds) == 1:
            by_kind[one.kinds[0]].append(one)
    yield "| slip | logs | told once | findings a log | named |"
    yield "|---|--:|--:|--:|--:|"
    for name in KINDS:
        yield _row(name, by_kind[name])
    yield _row("**all single slips**", by_many[1])
    yield _row("**two slips in a hand**", by_many[2])
    yield _row("**three slips in a hand**", by_many[3])
    yield ""
    yield "| illegal moves | moves | told |"
    yield "|---|--:|--:|"
    for slip in (False, True):
        some = [move for move in moves if move.slip is slip]
        yield f"| {'with a slip in the log' if slip else 'in logs without slips'} | {len(some)} | {_of(some)} |"


def _of(moves: Sequence[Told]) -> int:
    return sum(move.told for move in moves)


def _row(name: str, some: Sequence[Trial]) -> str:
    if not some:
        return f"| {name} | 0 | | | |"
    once, named = sum(one.once for one in some), sum(one.named for one in some)
    many = sum(len(one.findings) for one in some) / len(some)
    share = [
        f"{part / len(some):.0%}" if part in {0, len(some)} else f"{part / len(some):.1%}"
        for part in (once, named)
    ]
    return f"| {name} | {len(some)} | {share[0]} | {many:.2f} | {share[1]} |"


if __name__ == "__main__":
    sys.exit(main())
