"""Logs of programs that play by rules of their own, and what the search for slips in writing costs there.

`python -m benchmarks.habits [--check]`. Nothing that is found in such a log is a slip of the pen: a program
plays, deals or counts otherwise, hand after hand. Games are simulated by other settings than their log names, or audited
by other rules, with and without the search. What counts is the ratio of the two sums of processor time; what the
search explains there is nothing but chance.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from time import process_time

from benchmarks.measure import ROOT
from meldref.core.diagnostics import errors_in
from meldref.notation.reader import read_lines
from meldref.replay.log import Overrides, Replay
from meldref.replay.result import LogReport
from meldref.rulefiles.load import load_ruleset
from meldref.rulefiles.shelf import RulesetCache
from meldref.ruleset.model import Ruleset
from meldref_evidence.explaining import WEIGHING, RecordExplainer
from meldref_table.simulate import LogSource, Seats, log_lines, play_hands

GOAL = 1.5
"""What the audits may cost with the search, over what they cost without."""
HANDS = 4
"""How many hands a simulated log has."""
ROUNDS = 3
"""How often each is audited; the quickest counts."""
OUTSIDE = ROOT / "tests" / "games" / "outside"
SHELF = RulesetCache()
"""Rules are loaded once, as they are for a folder of logs."""
SEATS = (
    "greedy,random",
    "greedy,greedy,random",
    "random,random,random",
    "greedy,random,greedy,greedy",
)

HABITS = {
    "melds of one suit": "melds: {kinds: {flush: {size: 3-13, require: [same_suit]}}}",
    "melds in a row of any suits": (
        "melds: {kinds: {row: {size: 3-13, require: [consecutive_ranks], ace: [low, high]}}}"
    ),
    "melds round the corner": "melds: {kinds: {sequence: {ace: [low, high, around]}}}",
    "pairs": "melds: {kinds: {pair: {size: 2, require: [same_rank, distinct_suits]}}}",
    "other values": "scoring: {values: {A: 1, T-K: 5}}",
    "a bonus": "out: {bonus: 25}",
    "hands not counted": "scoring: {hands: ignore}",
    "takes without duty": "draw: {deep: {must: nothing}, dead_end: allowed}",
    "takes of one card": "draw: {takes: that_card, deep: {must: nothing}, dead_end: allowed}",
    "discards of what was taken": "discard: {taken_top: allowed}\ndraw: {depth: top}",
    "other deals": "deal: {cards: {2: 10, 3: 10, 4: 9}, next_dealer: same}",
    "two packs": "deck: {packs: 2, jokers: 4}",
    "another direction": "players: {direction: counterclockwise}",
}
"""What a program does otherwise, and the settings by which it is simulated."""

OTHER_RULES = ("persian-rummy", "500-rum", "gilfoy-500-rummy")
"""By which rules logs of 500 Rummy are audited by mistake."""


@dataclass(frozen=True, slots=True)
class Audits:
    """What the audits of a log took in seconds of processor time, and what was found with the search."""

    plain: float
    searching: float
    found: int
    explained: int


def habits() -> Iterator[tuple[str, list[str], Overrides]]:
    """Each habit with the lines of a log that has it, and what it is audited with."""
    for number, (name, changes) in enumerate(HABITS.items()):
        for seats in SEATS[number % 2 :: 2]:
            yield name, simulated(changes, seats, seed=number), Overrides()
    for rules in OTHER_RULES:
        for seed, seats in enumerate(SEATS[:2]):
            yield "audited by other rules", simulated("", seats, seed), Overrides(rules)
    for log in sorted(OUTSIDE.rglob("*.rgn")):
        lines = log.read_text(encoding="utf-8").splitlines()
        yield "real programs", lines, Overrides(beside=log.parent, trust_paths=True)
        yield "real programs, other rules", lines, Overrides("500-rummy")


def simulated(changes: str, seats: str, seed: int) -> list[str]:
    """A log of hands that were played by changed rules, of which it says nothing."""
    hands = play_hands(_ruleset(changes), Seats.of(seats.split(",")), seed, HANDS)
    source = LogSource("500-rummy", (), (), seed)
    return "".join(log_lines([*hands], source, Seats.of(seats.split(",")))).splitlines()


@lru_cache
def _ruleset(changes: str) -> Ruleset:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "habit.yaml")
        file.write_text(f"id: habit\nextends: [500-rummy]\n{changes}\n", encoding="utf-8")
        ruleset, findings = load_ruleset(str(file))
    if ruleset is None:
        raise ValueError(findings)
    return ruleset


def audited(
    lines: Sequence[str], over: Overrides, explainer: RecordExplainer
) -> tuple[LogReport, float]:
    """What the audit of a log tells, and how many seconds of processor time it took."""
    run = Replay("", over, SHELF, explainer=explainer)
    began = process_time()
    for read in read_lines(lines):
        run.feed((read,))
    report = run.finish()
    return report, process_time() - began


def compared(lines: Sequence[str], over: Overrides) -> Audits:
    """The least that the audit of a log took, in a few rounds, with and without the search."""
    plain = min(audited(lines, over, WEIGHING)[1] for _ in range(ROUNDS))
    report, searching = audited(lines, over, RecordExplainer())
    searching = min(
        searching, *[audited(lines, over, RecordExplainer())[1] for _ in range(ROUNDS - 1)]
    )
    errors = errors_in(report.findings)
    explained = [error for error in errors if error.repair is not None]
    return Audits(plain, searching, len(errors), len(explained))


def main() -> int:
    """Audits, prints, and fails where the search costs too much."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true", help=f"fail above {GOAL} times")
    options = parser.parse_args()
    rows: dict[str, list[Audits]] = {}
    for name, lines, over in habits():
        rows.setdefault(name, []).append(compared(lines, over))
    print(
        "| what a program does | logs | found | explained | times the plain audit | dearest log |"
    )
    print("|---|--:|--:|--:|--:|--:|")
    for name, some in rows.items():
        print(_row(name, some))
    every = [audits for some in rows.values() for audits in some]
    print(_row("**all**", every))
    return 1 if options.check and _times(every) > GOAL else 0


def _row(name: str, some: Sequence[Audits]) -> str:
    found, explained = sum(one.found for one in some), sum(one.explained for one in some)
    dearest = max(_times([one]) for one in some)
    return f"| {name} | {len(some)} | {found} | {explained} | {_times(some):.2f} | {dearest:.2f} |"


def _times(some: Sequence[Audits]) -> float:
    """How many times the plain audits those with the search took."""
    return sum(one.searching for one in some) / sum(one.plain for one in some)


if __name__ == "__main__":
    sys.exit(main())
