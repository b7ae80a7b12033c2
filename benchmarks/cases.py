"""The cases: what of ours is measured against which peer, and how the results of both are checked first."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

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
    """One of ours against one peer, with the goals of the pure and of the compiled program.

    `faster` cases compare work done in a second (ours over the peer's, more is better), the others
    the time of one run or unit (ours over the peer's, less is better). `memory` cases compare peak
    memory, `clock` cases time by the clock instead of the processor's.
    """

    key: str
    title: str
    goals: tuple[str, str]
    ours: Program
    peer: Program
    faster: bool = False
    memory: bool = False
    clock: bool = False


@dataclass(frozen=True, slots=True)
class Size:
    """How large the corpora are, and folders of logs that other programs wrote."""

    hands: int
    more_hands: int
    logs: tuple[Path, ...] = ()


def g1(size: Size) -> list[Case]:
    """Text to audited game, whole process, against python-chess reading as many half-moves."""
    if importlib.util.find_spec("chess") is None:
        raise Skipped("python-chess is not installed (pip install 'meldref[bench]')")
    few, many = corpora.ordinary(size.hands), corpora.ordinary(size.more_hands)
    replayed = corpora.commented(size.more_hands)
    read, read_more = _python_chess(few), _python_chess(many)
    house, spoilt = corpora.house(size.hands), corpora.spoilt_house(size.hands)
    rows = [
        (f"audit of {few.hands} clean hands", few, True, read, ("≥ 1.1", "≥ 2.5")),
        (f"audit of {many.hands} clean hands", many, True, read_more, ("≥ 1.2", "≥ 3")),
        (f"audit of {many.hands} clean hands, with comments", replayed, True, read_more, ("", "")),
        (
            "audit of oddly spelt logs",
            corpora.spelled_oddly(size.hands),
            True,
            read,
            ("≥ 0.6", "≥ 1"),
        ),
        ("audit by six houses' rules", house, True, read, ("", "")),
        (
            "audit by six houses' rules, one line in twenty spoilt",
            spoilt,
            False,
            read,
            ("≥ 0.6", "≥ 1.3"),
        ),
    ]
    for folder in size.logs:
        logs = corpora.copied(folder)
        number = len(list(logs.folder.rglob("*.rgn")))
        title = (
            f"audit of {number} logs of other programs ({folder.parent.name}/{folder.name}, copied)"
        )
        rows.append((title, logs, False, read, ("≥ 0.9", "≥ 1.6")))
    return [
        Case(
            "G1",
            f"{title}, turns/s over python-chess's plies/s",
            goals,
            _audit(corpus, clean=clean),
            peer,
            faster=True,
        )
        for title, corpus, clean, peer, goals in rows
    ]


def _python_chess(logs: corpora.Corpus) -> Program:
    games = corpora.chess(logs.units)
    command = (PYTHON, peer("read_pgn.py"), str(games.folder / "games.pgn"))
    read = Program("chess.pgn.read_game", command, rf"^{games.units} plies, 0 faults$", games.units)
    read.run()
    return read


def g2(size: Size) -> list[Case]:
    """Text to audited game, whole process, against pgn-extract checking as many half-moves."""
    program = shutil.which(
        "pgn-extract", path=os.pathsep.join([os.environ.get("PATH", ""), "/usr/games"])
    )
    if program is None:
        raise Skipped("pgn-extract is not installed (the package pgn-extract)")
    if importlib.util.find_spec("chess") is None:
        raise Skipped(
            "python-chess, which makes the games, is not installed (pip install 'meldref[bench]')"
        )
    logs = corpora.ordinary(size.more_hands)
    games = corpora.chess(logs.units)
    command = (program, "-r", str(games.folder / "games.pgn"))
    check = Program("pgn-extract -r", command, r"^(\d+) games matched out of \1\.$", games.units)
    check.run()
    title = f"audit of {logs.hands} clean hands, time of a turn over pgn-extract's of a ply"
    return [Case("G2", title, ("≤ 20", "≤ 8"), _audit(logs), check)]


def g5(size: Size) -> list[Case]:
    """Reading, against Lark alone."""
    cases = []
    for name, corpus, goals in (
        ("ordinary lines", corpora.ordinary(size.hands), ("≥ 25", "≥ 40")),
        ("oddly spelt lines", corpora.spelled_oddly(size.hands), ("", "")),
        ("lines, one in twenty spoilt", corpora.corrupted(size.hands), ("", "")),
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
        # Both go through the same lines; the reader forgives some that the grammar does not take.
        reader, lark = map(_read, ways)
        forgives = reader["lines"] - lark["lines"]
        if forgives < 0 or lark["faults"] - reader["faults"] != forgives:
            raise WrongResult(f"reading, {name}: the reader and Lark differ: {reader}, {lark}")
        ways = [
            replace(way, says=re.escape(json.dumps(read).strip("{}")))
            for way, read in zip(ways, (reader, lark), strict=True)
        ]
        cases.append(
            Case(
                "G5",
                f"reading {name}, lines/s over Lark's alone",
                goals,
                ways[0],
                ways[1],
                faster=True,
            )
        )
    return cases


def _read(way: Program) -> dict[str, int]:
    said = json.loads(way.run().output.splitlines()[-1])
    return {key: said[key] for key in ("lines", "faults")}


def g7(_: Size) -> list[Case]:
    """One question from the command line, against the least a Typer program can be; and loading a ruleset."""
    least = Program(
        "minimal Typer program", (PYTHON, peer("typer_program.py"), "draw"), "^draw$", times=5
    )
    least.run()
    questions: list[tuple[str, tuple[str, ...], str, tuple[str, str]]] = [
        (
            "legal",
            ("legal", MOVE, "--hand", "4d 4h 9h 2c", "--pile", "6s 4c Qs 7h"),
            "^legal: A: take 4c",
            ("≤ 1.4", "≤ 1.2"),
        ),
        ("melds", ("melds", "5h 6h 7h 8c 8d Jk"), "5h 6h 7h", ("≤ 1.4", "≤ 1.2")),
        ("--help", ("--help",), r"^Commands:(.|\n)*audit", ("≤ 1.4", "≤ 1.2")),
        ("explain", ("explain", "draw.deep.unused"), "^draw.deep.unused: ", ("≤ 1.4", "≤ 1.2")),
    ]
    cases = []
    for name, arguments, pattern, goals in questions:
        program = Program(f"meldref {name}", (MELDREF, *arguments), pattern, times=5)
        program.run()
        cases.append(
            Case("G7", f"one `{name}`, time over a minimal Typer program's", goals, program, least)
        )
        if name in {"legal", "melds"}:
            cold = replace(program, name=f"{program.name}, cold", cold=True)
            cases.append(
                Case("G7", f"one `{name}` without a cache, the same", ("", ""), cold, least)
            )
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
    title = "loading a ruleset, speed over PyYAML and jsonschema"
    cases.append(Case("G7", title, ("≥ 8", "≥ 8"), loads[0], loads[1], faster=True))
    cases.append(Case("G7", f"{title}, without a cache", ("", ""), cold, loads[1], faster=True))
    return cases


def g8(size: Size) -> list[Case]:
    """Two workers against one, and memory against the length of a log."""
    few, many = corpora.ordinary(size.hands), corpora.ordinary(size.more_hands)
    one, two = _audit(many, "--jobs", "1"), _audit(many, "--jobs", "2")
    small = _audit(few)
    title = f"two workers on {many.hands} hands, speed by the clock over one"
    memory = f"peak memory of {many.hands} hands over that of {few.hands}"
    return [
        Case("G8", title, ("≥ 1.8", "≥ 1.8"), two, one, faster=True, clock=True),
        Case("G8", memory, ("≤ 1.1", "≤ 1.1"), one, small, memory=True),
    ]


@cache
def _audit(corpus: corpora.Corpus, *options: str, clean: bool = True) -> Program:
    """An audit that has to find every log of a corpus clean, with all its hands; or what it found at first."""
    name = " ".join(["meldref audit", *options, corpus.folder.name])
    command = (MELDREF, "audit", "--exit-zero", *options, "--format", "json", str(corpus.folder))
    if not clean:
        program = Program(name, command, r'"summary": ', corpus.units, codes=(0, 2))
        summary = program.run().output.rpartition('"summary": ')[2]
        return replace(program, says=re.escape(f'"summary": {summary}'.strip()))
    logs = len(list(corpus.folder.rglob("*.rgn")))
    says = rf'"summary": {{"logs": {logs}, "clean": {logs}, "violations": 0, '
    program = Program(name, command, says, corpus.units)
    said = program.run().output
    hands = sum(log["hands"] for log in json.loads(said[said.index("{") :])["logs"])
    if hands != corpus.hands:
        raise WrongResult(f"{name}: {hands} hands of {corpus.hands}")
    return program


GROUPS: dict[str, Callable[[Size], list[Case]]] = {"G1": g1, "G2": g2, "G5": g5, "G7": g7, "G8": g8}
