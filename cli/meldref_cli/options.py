"""The options that several commands have, under the same names everywhere."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, TypeAlias

import typer

from meldref_cli import completing


def to_file(path: str | None) -> str | None:
    """The file to write; None for standard output, which `-` stands for as it does for standard input."""
    return None if path == "-" else path


class Format(StrEnum):
    """How a command writes its result."""

    TEXT = "text"
    JSON = "json"


class ReportFormat(StrEnum):
    """How findings are reported."""

    TEXT = "text"
    JSON = "json"
    JSONL = "jsonl"
    GITHUB = "github"
    SARIF = "sarif"
    JUNIT = "junit"


def rules_for(help_: str) -> object:
    """What `--rules` is to a command, in the words of its help."""
    return typer.Option("--rules", metavar="ID|FILE", help=help_, autocompletion=completing.rulesets)


Rules: TypeAlias = Annotated[
    str | None, rules_for("The ruleset: the id of a shipped one, or a file; - for standard input.")
]
With: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--with",
        metavar="OPTION",
        help="An option laid over the ruleset; can be repeated.",
        autocompletion=completing.overlays,
    ),
]
Set: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="KEY=VALUE",
        help="A single setting on top of that; can be repeated.",
        autocompletion=completing.settings,
    ),
]
TrustPaths: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--trust-paths", help="Let logs name rules files anywhere, not only in or below their own folder."
    ),
]
AsFormat: TypeAlias = Annotated[Format, typer.Option("--format", help="How the result is written.")]
AsReport: TypeAlias = Annotated[ReportFormat, typer.Option("--format", help="How the report is written.")]
Expect: TypeAlias = Annotated[
    bool, typer.Option("--expect", help="Pass if exactly the violations occur that lines expect (?! CODE).")
]
Strict: TypeAlias = Annotated[
    bool, typer.Option("--strict", help="Also exit with 1 if something could not be decided.")
]
Quiet: TypeAlias = Annotated[bool, typer.Option("--quiet", "-q", help="Show only what is wrong, one line each.")]
Verbose: TypeAlias = Annotated[bool, typer.Option("--verbose", "-v", help="Show more detail.")]
Traceback: TypeAlias = Annotated[
    bool, typer.Option("--verbose", "-v", help="Also show the traceback if the program itself fails.")
]
"""Where a command has no more to tell than it does."""
NoNotices: TypeAlias = Annotated[bool, typer.Option("--quiet", "-q", help="Show only errors.")]
Output: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--output", "-o", metavar="FILE", help="The file to write; standard output if left out.", callback=to_file
    ),
]
Force: TypeAlias = Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")]
First: TypeAlias = Annotated[
    str,
    typer.Argument(
        metavar="A",
        help="A ruleset, with options after +: 500-rummy+floating+no-calls; - for standard input.",
        autocompletion=completing.combinations,
    ),
]
Second: TypeAlias = Annotated[
    str, typer.Argument(metavar="B", help="The other ruleset.", autocompletion=completing.combinations)
]
ExitZero: TypeAlias = Annotated[bool, typer.Option("--exit-zero", help="Exit with 0 instead of 1.")]
Wild: TypeAlias = Annotated[
    str | None,
    typer.Option("--wild", metavar="RANK", help="The rank named as wild for this hand, if the rules have one."),
]
Table: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--table", metavar="MELD", help='A meld: "m1: B 5h 6h 7h, A 8h"; can be repeated.'),
]
