"""Playing at random from the list of legal moves, and replaying what was played, against other programs.

`python -m benchmarks.play random HANDS` plays 500 Rummy for two at random, with the list of legal
moves at every decision; `python -m benchmarks.play audit FOLDER` audits logs that are in memory.
Both report their own time, as the peers do, so that no start of an interpreter is in it. Decisions
of players are compared, and of replaying their actions; a card that chance deals is none of either.

Random play is `play_hands`, the library's own way to do it, from the deal to the score, and the
peers' loops to the end of a game. A decision is a player's choice from a list of all that is legal,
be there one thing in it or many; everything else is in the time and counts for nothing: the deal
here, chance's part of OpenSpiel's games, and finding out that nobody can call. No side writes text;
ours keeps what was played as events. Ours remembers what it worked out about melds, as it does for
everybody who plays many hands, so the hands are enough for the start not to be what is measured.
"""

from __future__ import annotations

import argparse
import gc
import importlib.util
import json
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from benchmarks import corpora
from benchmarks.cases import Case, Size, Skipped
from benchmarks.measure import PYTHON, Program, WrongResult, peer
from meldref.core.events import Turn
from meldref.notation.reader import read_lines
from meldref.rulefiles.load import load_ruleset
from meldref_evidence.audit import audit_text
from meldref_table.simulate import Seats, play_hands

SEED = 4
WARMING = 20
"""Hands played before the clock starts, so that a ruleset's melds are known; the peers are warmed alike."""
RULESET = "500-rummy"
PLAYED = 150
AT_RANDOM = 600
POKER = 400


def g3(size: Size) -> list[Case]:
    """Parsing and applying what was played, against PokerKit; applying it, against OpenSpiel."""
    logs = corpora.ordinary(size.hands)
    ours = _timed(
        "meldref, audit of logs in memory",
        (PYTHON, "-m", "benchmarks.play", "audit", str(logs.folder)),
    )
    cases = []
    if _there("pokerkit"):
        hands = corpora.poker(POKER)
        peers = _timed(
            "PokerKit, parse and apply", (PYTHON, peer("read_poker.py"), str(hands.folder))
        )
        cases.append(
            Case(
                "G3",
                "audit in memory, actions/s over PokerKit's",
                ("≥ 11", "≥ 25"),
                ours,
                peers,
                faster=True,
            )
        )
    if _there("pyspiel"):
        peers = _timed("OpenSpiel, replay", (PYTHON, peer("gin_rummy.py"), "replay", str(PLAYED)))
        cases.append(
            Case(
                "G3",
                "audit in memory, actions/s over OpenSpiel's replay",
                ("≥ 3.2", "≥ 8"),
                ours,
                peers,
                faster=True,
            )
        )
    if not cases:
        raise Skipped("neither PokerKit nor OpenSpiel is installed (pip install 'meldref[bench]')")
    return cases


def g4(_: Size) -> list[Case]:
    """Random play with the list of legal moves at every decision, against OpenSpiel and RLCard."""
    ours = _timed(
        "meldref, random play", (PYTHON, "-m", "benchmarks.play", "random", str(AT_RANDOM))
    )
    cases = []
    if _there("pyspiel"):
        peers = _timed(
            "OpenSpiel, random play", (PYTHON, peer("gin_rummy.py"), "random", str(AT_RANDOM))
        )
        cases.append(
            Case(
                "G4",
                "random play, decisions/s over OpenSpiel's",
                ("≥ 1.1", "≥ 3.2"),
                ours,
                peers,
                faster=True,
            )
        )
    if _there("rlcard"):
        peers = _timed("RLCard, random play", (PYTHON, peer("rlcard_play.py"), str(AT_RANDOM // 6)))
        cases.append(
            Case(
                "G4",
                "random play, decisions/s over RLCard's",
                ("≥ 3.7", "≥ 11"),
                ours,
                peers,
                faster=True,
            )
        )
    if not cases:
        raise Skipped(
            "neither OpenSpiel nor RLCard is installed (pip install 'meldref[bench]' rlcard)"
        )
    return cases


def _there(module: str) -> bool:
    return importlib.util.find_spec(module) is not None


def _timed(name: str, command: tuple[str, ...]) -> Program:
    """A program that reports its time and what it did, which has to be the same in every run."""
    program = Program(name, command, '"units": [1-9]', inside=True)
    units = json.loads(program.run().output.splitlines()[-1])["units"]
    return replace(program, units=units, says=f'"units": {units},')


# --- ours -----------------------------------------------------------------------------------------


def play_at_random(hands: str) -> tuple[int, float, float]:
    """Plays a number of hands; decisions, seconds on the clock, seconds of processor."""
    ruleset, findings = load_ruleset(RULESET)
    assert ruleset is not None, findings
    seats = Seats.of(["random", "random"])
    for _ in play_hands(ruleset, seats, SEED + 1, WARMING):
        pass
    wall, cpu = time.perf_counter(), time.process_time()
    decisions = sum(
        played.tally.decisions for played in play_hands(ruleset, seats, SEED, int(hands))
    )
    return decisions, time.perf_counter() - wall, time.process_time() - cpu


def audit_logs(folder: str) -> tuple[int, float, float]:
    """Reads and audits every log of a folder; actions, and the time it took."""
    texts = [path.read_text(encoding="utf-8") for path in sorted(Path(folder).glob("*.rgn"))]
    actions = sum(
        len(line.event.actions)
        for text in texts
        for line, _ in read_lines(text)
        if isinstance(line.event, Turn)
    )
    audit_text(texts[0])
    wall, cpu = time.perf_counter(), time.process_time()
    for text in texts:
        report = audit_text(text)
        if report.findings:
            raise WrongResult(str(report.findings[0]))
    return actions, time.perf_counter() - wall, time.process_time() - cpu


WAYS: dict[str, Callable[[str], tuple[int, float, float]]] = {
    "random": play_at_random,
    "audit": audit_logs,
}


def main() -> int:
    """Does one of them, and reports."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("way", choices=WAYS)
    parser.add_argument("what")
    arguments = parser.parse_args()
    gc.set_threshold(
        50_000, 20, 50
    )  # as the program `meldref` does; the peers' programs do the same here
    units, wall, cpu = WAYS[arguments.way](arguments.what)
    print(json.dumps({"units": units, "wall": wall, "cpu": cpu}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
