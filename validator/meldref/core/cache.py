"""What was worked out once, kept as plain data in the user's cache.

A file repeats the whole question it answers, behind a checksum: one that is missing, damaged, or
answers another question is none. Nothing here fails: a cache that cannot be read or written is as
good as an empty one. `MELDREF_CACHE` names another folder than the usual one, by its full path, or
says `off`. Nothing is kept or taken where others can write.
"""

from __future__ import annotations

import errno
import json
import os
import stat
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final
from zlib import crc32

from meldref.core.safe_files import read_file
from meldref.core.safe_writing import replace_whole

MOST: Final = 500
"""More files than that are not kept of one kind: the oldest go."""
LARGEST: Final = 1 << 26
"""A file with more bytes is none of ours."""
INSTALLATION: Final = f"{crc32(os.fsencode(__file__)):08x}"
"""What names files whose answers hold for this installation only: two of them would take turns."""


def recall(
    name: str, question: object, hook: Callable[[dict[str, Any]], object] | None = None
) -> Any:
    """The answer kept under a name, if it answers this question; None if there is none.

    `question` is all that the answer depends on, as JSON gives it back; `hook` is that of
    `json.loads`.
    """
    file = file_of(name)
    if file is None:
        return None
    with suppress(OSError, ValueError, TypeError, LookupError, AttributeError, RecursionError):
        _check_own(file.parent)
        _check_own(file, 0)
        checksum, text = read_file(file, LARGEST, links=False).split(b"\n", 1)
        if int(checksum) == crc32(text):
            stored, answer = json.loads(text, object_hook=hook)
            if stored == question:
                return answer
    return None


def keep(name: str, question: object, answer: object) -> None:
    """Caches an answer if it can: a full or read-only disk is nobody's concern here."""
    file = file_of(name)
    if file is None:
        return
    text = json.dumps([question, answer], separators=(",", ":")).encode("ascii")
    with suppress(OSError):
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        _check_own(file.parent)
        _make_room(file)
        draft = file.with_name(f"{file.name}.{os.getpid()}")
        replace_whole(file, draft, b"%d\n%b" % (crc32(text), text))


def file_of(name: str) -> Path | None:
    """Where the answer of a name is kept.

    None if nothing is to be, or where its path is no full one.
    """
    chosen = os.environ.get("MELDREF_CACHE", "")
    if chosen == "off":
        return None
    try:
        if chosen:
            folder = Path(chosen)
        elif sys.platform == "win32":
            folder = (
                Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
                / "meldref"
                / "cache"
            )
        else:
            wanted = Path(os.environ.get("XDG_CACHE_HOME", ""))
            folder = (wanted if wanted.is_absolute() else Path.home() / ".cache") / "meldref"
    except RuntimeError:  # a user without a home, as in some containers
        return None
    return folder / f"{name}.json" if folder.is_absolute() else None


def _check_own(path: Path, others: int = stat.S_IWGRP | stat.S_IWOTH) -> None:
    """Raises OSError if a folder or file is not the user's own, or `others` may write there."""
    if sys.platform == "win32":
        return
    status = path.stat()
    if status.st_uid != os.geteuid() or status.st_mode & others:
        raise PermissionError(errno.EPERM, "others can write here", str(path))


def _make_room(file: Path) -> None:
    """Takes the oldest files of a kind away if there are too many.

    Its name begins with the kind.
    """
    kind = file.name.partition("-")[0]
    files = list(file.parent.glob(f"{kind}-*.json"))
    if len(files) > MOST:
        files.sort(key=lambda file: file.stat().st_mtime)
        for old in files[: len(files) // 2]:
            old.unlink(missing_ok=True)
