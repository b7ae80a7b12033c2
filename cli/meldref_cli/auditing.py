"""What `audit` and `report` are asked: how logs are audited, and which tables are written."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum
from typing import Final

from meldref.core.records import NamedTuple
from meldref.core.text import many
from meldref_cli import output
from meldref_cli.errors import Unusable

_SHOWN: Final = 5
_LEAST: Final = 1 << 24
"""With less memory no audit gets under way."""
_SIZE: Final = r"(\d{1,9})([kmgt]?)(?:i?b)?"


class As(StrEnum):
    """How tables are written."""

    JSONL = "jsonl"
    CSV = "csv"
    PARQUET = "parquet"


class On(StrEnum):
    """What drives the audits of an archive."""

    LOCAL = "local"
    RAY = "ray"


class AuditOptions(NamedTuple):
    """The options that say how logs are audited, as they were written."""

    trust_paths: bool
    expect: bool
    strict: bool
    jobs: int | None
    limit_time: float | None
    limit_memory: str | None
    twice: bool = False


class TableOptions(NamedTuple):
    """The options that say which tables are written, and where the audits run, as given."""

    into: str | None
    as_: As | None
    column: str | None
    resume: bool
    force: bool
    engine: On | None
    address: str | None


def bytes_of(text: str | None) -> int:
    """A number of bytes as people write it: `512M`, `2G`; 0 if none is given."""
    if text is None:
        return 0
    match = re.fullmatch(_SIZE, text.strip().lower())
    if match is None:
        raise Unusable(f"--limit-memory {text}: a number of bytes is written as 512M or 2G")
    size = int(match[1]) << (10 * " kmgt".index(match[2] or " "))
    if size < _LEAST:
        raise Unusable(f"--limit-memory {text}: it is at least {_LEAST >> 20}M")
    try:
        import resource  # noqa: F401  whether there is one
    except ImportError as missing:
        raise Unusable("--limit-memory: this system limits no memory") from missing
    return size


def say_what_was_left_out(names: Sequence[str]) -> None:
    """Of folders and archives: what in them is not taken for a log."""
    if names:
        more = f" and {len(names) - _SHOWN:,} more" if len(names) > _SHOWN else ""
        files = many(len(names), "file")
        shown = ", ".join(names[:_SHOWN])
        output.notice(f"meldref: {files} left out, which do not end as logs do: {shown}{more}")
