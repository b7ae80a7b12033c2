"""The one driver: `python -m benchmarks.run [g1 g2 g3 g4 g5 g6 g7 g8] [--rounds 9]`.

Goes round all programs, ours and the peers', in rotation, and compares within each round, so that whatever else
the machine does falls on all alike. Prints the median of the rounds' ratios, and where the middle half lies.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
from dataclasses import replace
from statistics import median, quantiles

from benchmarks.best import g6
from benchmarks.cases import GROUPS as WHOLE_PROGRAM
from benchmarks.cases import Case, Size, Skipped
from benchmarks.measure import Program, Sample, WrongResult, by_python, says_compiled
from benchmarks.play import g3, g4

LEAST_ROUNDS = 9
GROUPS = dict(sorted({**WHOLE_PROGRAM, "g3": g3, "g4": g4, "g6": g6}.items()))

Round = dict[Program, Sample]


def main() -> int:
    """Check, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "groups", nargs="*", choices=[*GROUPS, []], metavar="group", help=f"of {', '.join(GROUPS)}"
    )
    parser.add_argument("--rounds", type=int, default=LEAST_ROUNDS, help=f"at least {LEAST_ROUNDS}")
    parser.add_argument("--hands", type=int, default=1000, help="hands in the corpora")
    parser.add_argument("--more-hands", type=int, default=3000, help="hands in the corpus for workers and memory")
    parser.add_argument(
        "--compiled", metavar="PYTHON", help="the python of an environment with the compiled wheel: both are shown"
    )
    arguments = parser.parse_args()
    rounds = max(arguments.rounds, LEAST_ROUNDS)

    cases: list[Case] = []
    for key in arguments.groups or GROUPS:
        try:
            cases += GROUPS[key](Size(arguments.hands, arguments.more_hands))
        except Skipped as why:
            print(f"{key} skipped: {why}", flush=True)
        except WrongResult as wrong:
            print(f"{key} skipped, as its results are wrong: {str(wrong)[:500]}", flush=True)
    if not cases:
        return 1
    if arguments.compiled:
        if not says_compiled(arguments.compiled):
            print(f"{arguments.compiled} does not run a compiled meldref")
            return 1
        cases = [one for case in cases for one in (case, compiled(case, arguments.compiled))]
    load = os.getloadavg()[0]
    print(
        f"Python {platform.python_version()}, {os.cpu_count()} cores, load {load:.1f}, {rounds} rounds", flush=True
    )
    try:
        taken = go_round(cases, rounds)
    except WrongResult as wrong:
        print(f"stopped, and nothing is reported: {wrong}", flush=True)
        return 1
    table(cases, taken)
    return 0


def compiled(case: Case, python: str) -> Case:
    """A case with our programs run by another python, and held to the same results."""
    return replace(
        case,
        title=f"{case.title}, compiled",
        goal="",
        ours=by_python(case.ours, python),
        peer=by_python(case.peer, python) if case.peer.is_ours else case.peer,
    )


def go_round(cases: list[Case], rounds: int) -> list[Round]:
    """Every program once a round, each round begun by another."""
    programs = list(dict.fromkeys(program for case in cases for program in (case.ours, case.peer)))
    taken = []
    for number in range(rounds):
        start = number % len(programs)
        taken.append({program: program.measure() for program in programs[start:] + programs[:start]})
        if sys.stderr.isatty():
            print(f"\rround {number + 1} of {rounds}", end="", file=sys.stderr, flush=True)
    if sys.stderr.isatty():
        print("\r", end="", file=sys.stderr)
    return taken


def table(cases: list[Case], rounds: list[Round]) -> None:
    """A line a case: ratios by processor time and by the clock, and what stands behind them."""
    print(f"{'':62} {'goal':>8}  {'processor':^20}  {'clock':^20}  ours / peer")
    for case in cases:
        ours, theirs = [one[case.ours] for one in rounds], [one[case.peer] for one in rounds]
        if case.memory:
            peaks = spread([mine.peak / other.peak for mine, other in zip(ours, theirs, strict=True)])
            behind = f"{ours[0].peak / 1024:.0f} / {theirs[0].peak / 1024:.0f} MiB"
            print(f"{case.key} {case.title:59} {case.goal:>8}  {peaks:20}  {'':20}  {behind}")
            continue
        cpu = spread([ratio(case, mine.cpu, other.cpu) for mine, other in zip(ours, theirs, strict=True)])
        wall = spread([ratio(case, mine.wall, other.wall) for mine, other in zip(ours, theirs, strict=True)])
        behind = f"{cost(case, case.ours, ours)} / {cost(case, case.peer, theirs)}"
        print(f"{case.key} {case.title:59} {case.goal:>8}  {cpu:20}  {wall:20}  {behind}")


def ratio(case: Case, mine: float, other: float) -> float:
    """Ours over the peer's, as the case compares: work in a second, or time of a run."""
    return (case.ours.units / mine) / (case.peer.units / other) if case.faster else mine / other


def spread(values: list[float]) -> str:
    """The median, and where the middle half of the values lies."""
    low, _, high = quantiles(values, n=4)
    return f"{median(values):.2f} ({low:.2f}-{high:.2f})"


def cost(case: Case, program: Program, samples: list[Sample]) -> str:
    """Units in a second of processor, or milliseconds of it."""
    seconds = median(sample.cpu for sample in samples)
    return f"{program.units / seconds:,.0f}/s" if case.faster else f"{seconds * 1000:.0f} ms"


if __name__ == "__main__":
    sys.exit(main())
