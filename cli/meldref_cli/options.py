"""What the options of several commands take; their names and their help are in `commands.json`."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from meldref.core.records import NamedTuple


def to_file(path: str | None) -> str | None:
    """The file to write; None for standard output, which `-` stands for as it does for standard input."""
    return None if path == "-" else path


class RulesOptions(NamedTuple):
    """The options that name a ruleset, as they were written."""

    rules: str | None = None
    with_: list[str] | None = None
    set_: list[str] | None = None


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


NO_RULES: Final = RulesOptions()
NO_POSITION: Final = PositionOptions()


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
