"""All natural melds of a kind: found by the solver once, then kept as plain data in the user's cache.

Importing the solver and solving take some sixty milliseconds, reading the file takes two, and a question from
the command line should answer at once. The file's name is the whole question (constraints, sizes, aces,
packs), and the file repeats it with a checksum; one that is missing, damaged or of another make is solved
again. `MELDREF_CACHE` names another folder, or says `off`.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final
from zlib import crc32

from meldref.melds.kinds import Pattern, Roles

FORMAT: Final = 1
"""Grows whenever the same question may get another answer."""

_solved: dict[str, tuple[Roles, ...]] = {}


def natural_melds(pattern: Pattern) -> Sequence[Roles]:
    """Every natural meld of a kind, by size and in ascending order."""
    question = _question(pattern)
    known = _solved.get(question)
    if known is None:
        file = _file(question)
        known = _read(file, question) if file else None
        if known is None:
            known = _solve(pattern)
            if file:
                _write(file, question, known)
        _solved[question] = known
    return known


def _solve(pattern: Pattern) -> tuple[Roles, ...]:
    from meldref.melds import solver  # noqa: PLC0415  costs more than most questions

    return tuple(roles for size in pattern.sizes for roles in sorted(solver.melds(pattern, size)))


def _question(pattern: Pattern) -> str:
    """All that the melds of a kind depend on; its name is not among it."""
    kind = pattern.kind
    sizes = pattern.sizes
    parts = [
        ".".join(sorted(kind.require)) or "any",
        f"{sizes.start}-{sizes.stop - 1}",
        f"packs.{pattern.packs}",
    ]
    if pattern.is_run:
        parts.append("ace." + ("-".join(sorted(kind.ace)) or "none"))
    if kind.only is not None:
        parts.append("only." + "-".join(sorted(kind.only)))
    if pattern.takes_plain_jokers:
        parts.append(f"jokers.{pattern.jokers}")
    return "_".join(parts)


def _file(question: str) -> Path | None:
    chosen = os.environ.get("MELDREF_CACHE", "")
    if chosen == "off":
        return None
    if chosen:
        folder = Path(chosen)
    elif sys.platform == "win32":
        folder = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "meldref" / "cache"
    else:
        folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "meldref"
    return folder / f"melds-{FORMAT}_{question}.json"


def _text(question: str, melds: Sequence[Roles]) -> str:
    return json.dumps([question, melds], separators=(",", ":"))


def _read(file: Path, question: str) -> tuple[Roles, ...] | None:
    with suppress(OSError, ValueError, TypeError, LookupError):
        checksum, text = file.read_text("ascii").split("\n", 1)
        if int(checksum) == crc32(text.encode("ascii")):
            asked, melds = json.loads(text)
            if asked == question:
                return tuple(map(tuple, melds))
    return None


def _write(file: Path, question: str, melds: Sequence[Roles]) -> None:
    """Keeps melds for the next time, if it can: a full or read-only disk is nobody's concern here."""
    text = _text(question, melds)
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        draft = file.with_name(f"{file.name}.{os.getpid()}")
        draft.write_text(f"{crc32(text.encode('ascii'))}\n{text}", "ascii")
        draft.replace(file)
