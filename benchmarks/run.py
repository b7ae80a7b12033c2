"""The one driver: `python -m benchmarks.run [G1 … G8] [--compiled PYTHON] [--minutes 13] [--page FILE]`.

Goes round all programs, ours and the peers', in rotation, and compares within each round, so that
whatever else the machine does falls on all alike. Writes a table of the median of the rounds'
ratios, with the middle half. `benchmarks.prepare` makes the environments and the corpora
beforehand.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from statistics import median, quantiles

from benchmarks.best import g6
from benchmarks.cases import GROUPS as WHOLE_PROGRAM
from benchmarks.cases import Case, Size, Skipped
from benchmarks.measure import Program, Sample, WrongResult, by_python, machine, put, says_compiled
from benchmarks.play import g3, g4

LEAST_ROUNDS = 3
GROUPS = dict(sorted({**WHOLE_PROGRAM, "G3": g3, "G4": g4, "G6": g6}.items()))

Round = dict[Program, Sample]


def main() -> int:
    """Check, measure, write."""
    started = time.monotonic()
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("groups", nargs="*", metavar="GROUP", help=f"of {', '.join(GROUPS)}")
    parser.add_argument("--rounds", type=int, default=9, help=f"at most; at least {LEAST_ROUNDS}")
    parser.add_argument(
        "--minutes", type=float, default=60, help="start no round that would end later"
    )
    parser.add_argument("--hands", type=int, default=1000, help="hands in the corpora")
    parser.add_argument("--more-hands", type=int, default=24000, help="hands in the large corpus")
    parser.add_argument(
        "--logs", type=Path, action="append", default=[], help="a folder of other programs' logs"
    )
    parser.add_argument(
        "--compiled", metavar="PYTHON", help="the python of an environment with the compiled wheel"
    )
    parser.add_argument("--page", type=Path, help="the page whose table is replaced")
    parser.add_argument(
        "--only-check", action="store_true", help="make the corpora and check each result once"
    )
    arguments = parser.parse_args()
    size = Size(arguments.hands, arguments.more_hands, tuple(arguments.logs))
    if arguments.compiled and not says_compiled(arguments.compiled):
        print(f"{arguments.compiled} does not run a compiled meldref")
        return 1
    notes: list[str] = []
    cases: list[Case] = []
    for key in arguments.groups or GROUPS:
        try:
            cases += GROUPS[key.upper()](size)
        except (Skipped, WrongResult) as why:
            notes.append(f"{key} skipped: {str(why)[:500]}")
            print(notes[-1], flush=True)
    pairs = [
        (case, compiled(case, arguments.compiled) if arguments.compiled else None) for case in cases
    ]
    print(f"checked in {time.monotonic() - started:.0f} s", flush=True)
    if arguments.only_check or not cases:
        return 0 if cases else 1
    try:
        taken = go_round(
            [case for pair in pairs for case in pair if case],
            arguments.rounds,
            started + arguments.minutes * 60,
        )
    except WrongResult as wrong:
        print(f"stopped, and nothing is reported: {wrong}", flush=True)
        return 1
    how = f"{machine()}; medians of {len(taken)} rounds, in brackets the middle half."
    text = "\n".join([how, "", *table(pairs, taken), *[f"\n{note}." for note in notes]])
    print(text)
    if arguments.page:
        put(arguments.page, "measured", text)
    return 0


def compiled(case: Case, python: str) -> Case:
    """A case with our programs run by another python, and held to the same results."""
    peer = by_python(case.peer, python) if case.peer.is_ours else case.peer
    return replace(case, ours=by_python(case.ours, python), peer=peer)


def go_round(cases: list[Case], most: int, until: float) -> list[Round]:
    """Every program once a round, each round begun by another, as long as there is time."""
    programs = list(dict.fromkeys(program for case in cases for program in (case.ours, case.peer)))
    taken: list[Round] = []
    longest = 0.0
    while len(taken) < LEAST_ROUNDS or (len(taken) < most and time.monotonic() + longest < until):
        began, start = time.monotonic(), len(taken) * 7 % len(programs)
        taken.append(
            {program: program.measure() for program in programs[start:] + programs[:start]}
        )
        longest = max(longest, time.monotonic() - began)
        print(f"round {len(taken)}: {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
    return taken


def table(pairs: list[tuple[Case, Case | None]], rounds: list[Round]) -> Iterator[str]:
    """A row a case: ratios of the pure and of the compiled program, their goals, and what is behind them."""
    yield "| | what | pure | goal | compiled | goal | pure · compiled · peer |"
    yield "|---|---|---|---|---|---|---|"
    for pure, native in pairs:
        both = [pure, native] if native else [pure]
        ratios = [_ratios(case, rounds) for case in both] + [[]] * (2 - len(both))
        cells = [
            cell
            for found, goal in zip(ratios, pure.goals, strict=True)
            for cell in (_spread(found, goal), goal)
        ]
        behind = [_cost(case, case.ours, rounds) for case in both] + [
            _cost(pure, pure.peer, rounds)
        ]
        yield f"| {pure.key} | {pure.title} | {' | '.join(cells)} | {' · '.join(behind)} |"


def _ratios(case: Case, rounds: list[Round]) -> list[float]:
    """Ours over the peer's, as the case compares: work in a second, time of a unit of work, or memory."""
    every = []
    for one in rounds:
        mine, other = one[case.ours], one[case.peer]
        if case.memory:
            every.append(mine.peak / other.peak)
            continue
        times = (mine.wall, other.wall) if case.clock else (mine.cpu, other.cpu)
        slower = (times[0] / case.ours.units) / (times[1] / case.peer.units)
        every.append(1 / slower if case.faster else slower)
    return every


def _spread(ratios: list[float], goal: str) -> str:
    """The median, bold where it reaches its goal, and where the middle half of the values lies."""
    if not ratios:
        return ""
    low, middle, high = quantiles(ratios, n=4)[0], median(ratios), quantiles(ratios, n=4)[2]
    words = goal.split()
    reached = bool(words) and (
        middle >= float(words[1]) if words[0] == "≥" else middle <= float(words[1])
    )
    shown = f"{middle:.3g}"
    return f"{f'**{shown}**' if reached else shown} ({low:.3g}-{high:.3g})"


def _cost(case: Case, program: Program, rounds: list[Round]) -> str:
    """Units a second, milliseconds of a run, or MiB."""
    samples = [one[program] for one in rounds]
    if case.memory:
        return f"{max(sample.peak for sample in samples) / 1024:.0f} MiB"
    seconds = median(sample.wall if case.clock else sample.cpu for sample in samples)
    return f"{program.units / seconds:,.0f}/s" if program.units > 1 else f"{seconds * 1000:.0f} ms"


if __name__ == "__main__":
    sys.exit(main())
