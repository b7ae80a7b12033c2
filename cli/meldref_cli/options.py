"""What the options of several commands take; their names and their help are in `commands.json`."""

from __future__ import annotations

from enum import StrEnum
from typing import TypeAlias


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


Rules: TypeAlias = str | None
Wild: TypeAlias = str | None
Output: TypeAlias = str | None
With: TypeAlias = list[str] | None
Set: TypeAlias = list[str] | None
TrustPaths: TypeAlias = bool
Expect: TypeAlias = bool
Strict: TypeAlias = bool
Quiet: TypeAlias = bool
Verbose: TypeAlias = bool
Traceback: TypeAlias = bool
NoNotices: TypeAlias = bool
Force: TypeAlias = bool
ExitZero: TypeAlias = bool
AsFormat: TypeAlias = Format
AsReport: TypeAlias = ReportFormat
