"""The options that several commands have in common, and the words that some of them take."""

from __future__ import annotations

from enum import StrEnum
from math import isnan
from typing import Annotated, Final

import typer

from meldref.core.records import NamedTuple
from meldref_cli import completing


class Format(StrEnum):
    """How a command writes its result."""

    TEXT = "text"
    JSON = "json"


class To(StrEnum):
    """What a log is written in."""

    RGN = "rgn"
    JSON = "json"


LOG_ENDINGS: Final = {".rgn": To.RGN, ".json": To.JSON, ".jsonl": To.JSON, ".ndjson": To.JSON}


class ReportFormat(StrEnum):
    """How findings are reported."""

    TEXT = "text"
    JSON = "json"
    JSONL = "jsonl"
    GITHUB = "github"
    SARIF = "sarif"
    JUNIT = "junit"


def to_file(path: str | None) -> str | None:
    """The file to write; None for standard output, which `-` stands for."""
    return None if path == "-" else path


_LONGEST: Final = 1_000_000.0
"""As many seconds are as good as no limit; systems take no number that is much larger."""


def seconds(value: float | None) -> float | None:
    """A time that systems can wait for."""
    if value is None:
        return None
    if isnan(value):
        raise typer.BadParameter("give a number of seconds")
    return min(value, _LONGEST)


Rules = Annotated[
    str | None,
    typer.Option(
        "--rules",
        metavar="ID|FILE",
        autocompletion=completing.rulesets,
        help="The ruleset: the id of a shipped one, or a file; - for standard input.",
    ),
]
With = Annotated[
    list[str] | None,
    typer.Option(
        "--with",
        metavar="OPTION",
        autocompletion=completing.overlays,
        help="An option on top of the ruleset; can be repeated.",
    ),
]
Set = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="KEY=VALUE",
        autocompletion=completing.settings,
        help="A single setting on top of that; can be repeated.",
    ),
]
FirstRules = Annotated[
    str,
    typer.Argument(
        metavar="A",
        autocompletion=completing.combinations,
        help="A ruleset, with options after +: 500-rummy+floating+no-calls; - for standard input.",
    ),
]
SecondRules = Annotated[
    str,
    typer.Argument(metavar="B", autocompletion=completing.combinations, help="The other ruleset."),
]
TrustPaths = Annotated[
    bool,
    typer.Option(
        "--trust-paths",
        help="Let logs name rules files anywhere, not just in their own folder and its subfolders.",
    ),
]

Logs = Annotated[
    list[str],
    typer.Argument(
        metavar="LOG...",
        help="Logs, compressed or not; folders; patterns; - for standard input.",
    ),
]
Sheet = Annotated[
    list[str] | None,
    typer.Option(
        "--sheet",
        metavar="READING",
        help="How a score sheet is read, where that is doubtful: scores or totals, rounds or dates, "
        "down or across; can be repeated.",
    ),
]
Map = Annotated[
    str | None,
    typer.Option(
        "--map",
        metavar="MAP",
        help="How a program's events are read: a map's file, or the id of a shipped one.",
    ),
]
Expect = Annotated[
    bool,
    typer.Option(
        "--expect",
        help="Pass only if the violations are exactly those that the log expects (?! CODE).",
    ),
]
Strict = Annotated[
    bool, typer.Option("--strict", help="Also exit with 1 if something could not be decided.")
]
ExitZero = Annotated[bool, typer.Option("--exit-zero", help="Exit with 0 instead of 1.")]
Jobs = Annotated[
    int | None,
    typer.Option(
        "--jobs",
        "-j",
        metavar="N",
        min=0,
        help="The number of processes that share the logs; 0: one per core; if left out, as many "
        "cores as pay.",
    ),
]
LimitTime = Annotated[
    float | None,
    typer.Option(
        "--limit-time",
        metavar="SECONDS",
        min=0.001,
        callback=seconds,
        help="The longest time a log may take.",
    ),
]
LimitMemory = Annotated[
    str | None,
    typer.Option(
        "--limit-memory",
        metavar="SIZE",
        help="The most memory a log may use, such as 512M or 2G.",
    ),
]

Table = Annotated[
    list[str] | None,
    typer.Option(
        "--table", metavar="MELD", help='A meld: "m1: B 5h 6h 7h, A 8h"; can be repeated.'
    ),
]
Wild = Annotated[
    str | None,
    typer.Option(
        "--wild",
        metavar="RANK",
        help="The rank named as wild for this hand, if the rules have one.",
    ),
]
HandNumber = Annotated[
    int | None,
    typer.Option(
        "--hand-number",
        metavar="N",
        min=1,
        help="The number of the hand, if the rules differ from hand to hand.",
    ),
]
NumberOfPlayers = Annotated[
    int | None,
    typer.Option(
        "--players",
        metavar="N",
        min=1,
        help="The number of players; if left out, the fewest the game allows.",
    ),
]

Seats = Annotated[
    str | None,
    typer.Option(
        "--seats",
        metavar="KIND,KIND,...",
        help="What kind of player each is: random or greedy.",
    ),
]

FormatOption = Annotated[Format, typer.Option("--format", help="How the result is written.")]
ReportFormatOption = Annotated[
    ReportFormat, typer.Option("--format", help="How the report is written.")
]
Output = Annotated[
    str | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        callback=to_file,
        help="The file to write; standard output if left out.",
    ),
]
Force = Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")]
Quiet = Annotated[
    bool, typer.Option("--quiet", "-q", help="Show only what is wrong, one line each.")
]
QuietErrors = Annotated[bool, typer.Option("--quiet", "-q", help="Show only errors.")]
MoreDetail = Annotated[bool, typer.Option("--verbose", "-v", help="Show more detail.")]
Verbose = Annotated[
    bool,
    typer.Option("--verbose", "-v", help="Also show the traceback if the program itself fails."),
]


class PositionOptions(NamedTuple):
    """The options that describe a position, as they were written."""

    hand: list[str] | None = None
    pile: str | None = None
    table: list[str] | None = None
    stock: str | None = None
    players: str | None = None
    to_move: str | None = None
    turn: str | None = None
    discarded_by: str | None = None
    opening: bool = False
    floating: list[str] | None = None
    wild: str | None = None
    hand_number: int | None = None
    totals: str | None = None


NO_POSITION: Final = PositionOptions()
