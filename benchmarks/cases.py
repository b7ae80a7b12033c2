"""The cases: what of ours is measured against which peer, and how the results of both are checked first."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass, replace

from benchmarks import corpora
from benchmarks.measure import PYTHON, ROOT, Program, WrongResult, peer, script

MELDREF = script("meldref")
MOVE = "take 4c; meld 4c 4d 4h; discard 9h"
RULESET = ROOT / "rulesets" / "500-rummy.yaml"
SCHEMA = ROOT / "rulesets" / "ruleset.schema.json"


class Skipped(Exception):
    """A case that cannot be measured here, and why."""


@dataclass(frozen=True, slots=True)
class Case:
    """One of ours against one peer.

    `faster` cases compare work done in a second (ours over the peer's, more is better), the others the time of one
    run (ours over the peer's, less is better). `memory` cases compare peak memory.
    """

    key: str
    title: str
    goal: str
    ours: Program
    peer: Program
    faster: bool = False
    memory: bool = False


@dataclass(frozen=True, slots=True)
class Size:
    """How large the corpora are."""

    hands: int
    more_hands: int


def g1(size: Size) -> list[Case]:
    """Text to audited game, whole process, against python-chess reading as many half-moves."""
    if importlib.util.find_spec("chess") is None:
        raise Skipped("python-chess is not installed (pip install 'meldref[bench]')")
    cases = []
    logs = corpora.ordinary(size.hands)
    games = corpora.chess(logs.units)
    read = Program(
        "chess.pgn.read_game",
        (PYTHON, peer("read_pgn.py"), str(games.folder / "games.pgn")),
        rf"^{games.units} plies, 0 faults$",
        games.units,
    )
    read.run()
    for name, corpus in (("ordinary", logs), ("oddly spelt", corpora.spelled_oddly(size.hands))):
        ours = audit(f"meldref audit ({name})", corpus)
        cases.append(
            Case("g1", f"audit, {name}: turns/s over python-chess's plies/s", "1 → 1.5", ours, read, faster=True)
        )
    logs = corpora.house(size.hands)
    ours = audit("meldref audit (house rules)", logs)
    title = "audit, six houses' rules: the same"
    cases.append(Case("g1", title, "≥ 1", ours, read, faster=True))
    logs = corpora.spoilt_house(size.hands)
    ours = audit("meldref audit (house rules, spoilt)", logs, clean=False)
    title = "audit, six houses' rules, one line in twenty spoilt: the same"
    cases.append(Case("g1", title, "≥ 0.6", ours, read, faster=True))
    return cases


def g2(size: Size) -> list[Case]:
    """Text to audited game, whole process, against pgn-extract checking as many half-moves."""
    program = shutil.which("pgn-extract", path=os.pathsep.join([os.environ.get("PATH", ""), "/usr/games"]))
    if program is None:
        raise Skipped("pgn-extract is not installed (the package pgn-extract)")
    if importlib.util.find_spec("chess") is None:
        raise Skipped("python-chess, which makes the games, is not installed (pip install 'meldref[bench]')")
    logs = corpora.ordinary(size.hands)
    games = corpora.chess(logs.units)
    check = Program(
        "pgn-extract -r",
        (program, "-r", str(games.folder / "games.pgn")),
        r"^(\d+) games matched out of \1\.$",
        games.units,
    )
    check.run()
    title = "audit, ordinary: turns/s over pgn-extract's plies/s"
    return [Case("g2", title, "≥ 0.06", audit("meldref audit (ordinary)", logs), check, faster=True)]


def g5(size: Size) -> list[Case]:
    """Reading, against Lark alone."""
    cases = []
    for name, corpus, goal in (
        ("ordinary", corpora.ordinary(size.hands), "≥ 10"),
        ("oddly spelt", corpora.spelled_oddly(size.hands), ""),
        ("one line in twenty spoilt", corpora.corrupted(size.hands), ""),
    ):
        ways = [
            Program(
                f"{way} ({name})",
                (PYTHON, peer("reading.py"), way, str(corpus.folder)),
                r'"lines": [1-9]',
                corpus.units,
                inside=True,
            )
            for way in ("reader", "lark")
        ]
        # What both read must be the same, and stay so in every run.
        same = {json.dumps(_read(way)) for way in ways}
        if len(same) > 1:
            raise WrongResult(f"reading, {name}: the reader and Lark differ: {same}")
        ways = [replace(way, says=re.escape(same.copy().pop().strip("{}"))) for way in ways]
        cases.append(Case("g5", f"reading, {name}: over Lark alone", goal, ways[0], ways[1], faster=True))
    return cases


def _read(way: Program) -> dict[str, int]:
    said = json.loads(way.run().output.splitlines()[-1])
    return {key: said[key] for key in ("lines", "faults")}


def g7(_: Size) -> list[Case]:
    """One question from the command line, against the least a Typer program can be; and loading a ruleset."""
    least = Program("minimal Typer program", (PYTHON, peer("typer_program.py"), "draw"), "^draw$", times=5)
    least.run()
    questions: list[tuple[str, tuple[str, ...], str, str]] = [
        (
            "legal",
            ("legal", MOVE, "--hand", "4d 4h 9h 2c", "--pile", "6s 4c Qs 7h"),
            "^legal: A: take 4c",
            "≤ 1.5",
        ),
        ("melds", ("melds", "5h 6h 7h 8c 8d Jk"), "5h 6h 7h", "≤ 1.5"),
        ("--help", ("--help",), r"^Commands:(.|\n)*audit", "≤ 1.5"),
        ("explain", ("explain", "draw.deep.unused"), "^draw.deep.unused: ", "≤ 1.5"),
    ]
    cases = []
    for name, arguments, pattern, goal in questions:
        program = Program(f"meldref {name}", (MELDREF, *arguments), pattern, times=5)
        program.run()
        cases.append(Case("g7", f"one {name}: time over a minimal Typer program's", goal, program, least))
        if name in {"legal", "melds"}:
            cold = replace(program, name=f"{program.name}, cold", cold=True)
            cases.append(Case("g7", f"one {name}, no cache: the same", "", cold, least))
    times = 10
    loads = [
        Program(
            f"{way} (500-rummy.yaml)",
            (PYTHON, peer("loading.py"), way, str(RULESET), str(SCHEMA), str(times)),
            '"wall"',
            times,
            inside=True,
        )
        for way in ("loader", "safe")
    ]
    for load in loads:
        load.run()
    cold = replace(loads[0], name=f"{loads[0].name}, cold", cold=True)
    title = "speed over safe_load and validate"
    cases.append(Case("g7", f"loading a ruleset: {title}", "≥ 8", loads[0], loads[1], faster=True))
    cases.append(Case("g7", "loading a ruleset, no cache: the same", "", cold, loads[1], faster=True))
    return cases


def g8(size: Size) -> list[Case]:
    """Two workers against one, and memory against the length of a log."""
    corpus = corpora.ordinary(size.more_hands)
    programs = [audit(f"audit --jobs {jobs}", corpus, "--jobs", str(jobs)) for jobs in (2, 1)]
    few = corpora.ordinary(size.hands)
    small, large = audit("audit of fewer hands", few), audit("audit of many hands", corpus)
    return [
        Case("g8", "two workers: speed over one", "≥ 1.8", programs[0], programs[1], faster=True),
        Case("g8", f"peak memory, {corpus.hands} hands over {few.hands}", "1", large, small, memory=True),
    ]


def audit(name: str, corpus: corpora.Corpus, *options: str, clean: bool = True) -> Program:
    """An audit that has to find every log of a corpus clean, with all its hands; or what it found at first."""
    logs = len(list(corpus.folder.rglob("*.rgn")))
    if not clean:
        command = (MELDREF, "audit", *options, "--format", "json", str(corpus.folder))
        program = Program(name, command, r'"summary": ', corpus.units, code=1)
        summary = program.run().output.rpartition('"summary": ')[2]
        return replace(program, says=re.escape(f'"summary": {summary}'.strip()))
    program = Program(
        name,
        (MELDREF, "audit", *options, "--format", "json", str(corpus.folder)),
        rf'"summary": {{"logs": {logs}, "clean": {logs}, "violations": 0, ',
        corpus.units,
    )
    hands = sum(log["hands"] for log in json.loads(program.run().output)["logs"])
    if hands != corpus.hands:
        raise WrongResult(f"{name}: {hands} hands of {corpus.hands}")
    return program


GROUPS: dict[str, Callable[[Size], list[Case]]] = {"g1": g1, "g2": g2, "g5": g5, "g7": g7, "g8": g8}
