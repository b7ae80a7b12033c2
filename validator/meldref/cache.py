"""What was worked out once, kept as plain data in the user's cache.

A file repeats the whole question it answers, behind a checksum: one that is missing, damaged, or answers another
question is none. Nothing here fails: a cache that cannot be read or written is as good as an empty one.
`MELDREF_CACHE` names another folder than the usual one, or says `off`.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final
from zlib import crc32

MOST: Final = 500
"""More files than that are not kept of one kind: the oldest go."""


def recall(name: str, question: object, hook: Callable[[dict[str, Any]], object] | None = None) -> Any:
    """The answer kept under a name, if it answers this question; None if there is none.

    Args:
        name: the file's name without its ending.
        question: all that the answer depends on, as JSON gives it back: lists, texts, numbers.
        hook: what becomes of each JSON object, as in `json.loads`.
    """
    file = file_of(name)
    if file is None:
        return None
    with suppress(OSError, ValueError, TypeError, LookupError, RecursionError):
        checksum, text = file.read_bytes().split(b"\n", 1)
        if int(checksum) == crc32(text):
            asked, answer = json.loads(text, object_hook=hook)
            if asked == question:
                return answer
    return None


def keep(name: str, question: object, answer: object) -> None:
    """Keeps an answer for the next time, if it can: a full or read-only disk is nobody's concern here."""
    file = file_of(name)
    if file is None:
        return
    text = json.dumps([question, answer], separators=(",", ":")).encode("ascii")
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        _make_room(file)
        draft = file.with_name(f"{file.name}.{os.getpid()}")
        draft.write_bytes(b"%d\n%b" % (crc32(text), text))
        draft.replace(file)


def file_of(name: str) -> Path | None:
    """Where the answer of a name is kept; None where nothing is to be kept."""
    chosen = os.environ.get("MELDREF_CACHE", "")
    if chosen == "off":
        return None
    try:
        if chosen:
            folder = Path(chosen)
        elif sys.platform == "win32":
            folder = (
                Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "meldref" / "cache"
            )
        else:
            folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "meldref"
    except RuntimeError:  # a user without a home, as in some containers
        return None
    return folder / f"{name}.json"


def _make_room(file: Path) -> None:
    """Takes the oldest files of a kind away where there are too many; its name begins with the kind."""
    kind = file.name.partition("-")[0]
    files = list(file.parent.glob(f"{kind}-*.json"))
    if len(files) > MOST:
        files.sort(key=lambda one: one.stat().st_mtime)
        for one in files[: len(files) // 2]:
            one.unlink(missing_ok=True)
