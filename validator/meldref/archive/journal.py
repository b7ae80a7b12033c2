"""The folder of a run: who works in it, what is done so far, and how its tables come to be there all at once."""

from __future__ import annotations

import json
import os
import struct
import sys
import time
import zlib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import IO, Any, Final

from meldref.archive.rows import TABLES, WRITERS, Rows
from meldref.core.safe_files import read_file
from meldref.core.text import in_words, name_of_file

RUN: Final = "run.json"
UNFINISHED: Final = "unfinished"
"""The folder inside a run's folder that holds everything until the run is complete."""

_HEAD: Final = struct.Struct(">16sQI")
_SYNCED: Final = 1.0
"""Seconds after which what was written has to survive a loss of power; the end of the process harms nothing."""


class Refused(Exception):
    """The folder cannot be used: why, and what can be done."""


class Folder:
    """The folder of a run. Only one process works in it at a time."""

    def __init__(self, path: str) -> None:
        self.path = Path(path)
        self.work = self.path / UNFINISHED
        self.rules: dict[str, str] = {}
        """The rules files that were read so far, by path, each with a digest of its text."""
        self._lock: IO[bytes] | None = None

    @property
    def finished(self) -> bool:
        """Whether a run has ended there."""
        return (self.path / RUN).is_file()

    def enter(self, settings: Mapping[str, Any], *, resume: bool, force: bool) -> bool:
        """Makes the folder this run's own, or raises `Refused` or OSError; whether there is anything to do."""
        if self.path.exists() and not self.path.is_dir():
            raise Refused(f"{self.path}: this is not a folder")
        if self.work.is_symlink() or (self.work.is_dir() and any(map(Path.is_symlink, self.work.iterdir()))):
            raise Refused(f"{self.work}: there is a link in it, which no run creates; remove it")
        ours = self._ours()
        if ours and not (resume or force):
            hint = "--force starts over" if self.finished else "--resume continues it, --force starts over"
            raise Refused(f"{self.path}: there is already a run in this folder; {hint}")
        if ours and resume and not force:
            if not self.finished and not self.work.is_dir():
                raise Refused(f"{self.path}: there is {ours[0]}, but no run to resume; --force overwrites it")
            self._check(settings)
            if self.finished:
                if self.work.is_dir():  # the run was killed while it tidied up
                    self._take()
                    self.tidy()
                return False
        self.work.mkdir(parents=True, exist_ok=True)
        self._take()
        if force:
            for name in self._ours():
                if name != UNFINISHED:
                    (self.path / name).unlink()
            for path in self.work.iterdir():
                if path.name != "lock":
                    path.unlink()
        elif self.finished or (not resume and (self.work / "settings.json").exists()):
            raise Refused(f"{self.path}: another run started first")
        if not (self.work / "settings.json").exists():
            write_whole(self.work / "settings.json", json.dumps(settings))
        return True

    def _ours(self) -> list[str]:
        """What is in the folder of the names that runs use."""
        names = [RUN, UNFINISHED, *[f"{table}.{form}" for table in TABLES for form in WRITERS]]
        return [name for name in names if (self.path / name).exists()]

    def _check(self, settings: Mapping[str, Any]) -> None:
        """A run goes on as it began, or is refused."""
        try:
            if self.finished:
                run = json.loads((self.path / RUN).read_text("utf-8"))
                before, self.rules = run["settings"], dict(run.get("rules_files", {}))
            elif (self.work / "settings.json").exists():
                before = json.loads((self.work / "settings.json").read_text("utf-8"))
                self.rules = self._noted()
            else:
                return
            differ = [
                f"{name} {json.dumps(before.get(name))}, not {json.dumps(settings[name])}"
                for name in settings
                if before.get(name) != settings[name]
            ]
            changed = [path for path, digest in self.rules.items() if _digest(path) != digest]
        except (ValueError, KeyError, AttributeError, TypeError, RecursionError) as wrong:
            raise Refused(f"{self.path}: what it holds is not from a run; --force starts over") from wrong
        if differ:
            raise Refused(f"{self.path}: the run began with {'; '.join(differ)}; --force starts over")
        if changed:
            files = in_words([name_of_file(path) for path in changed])
            raise Refused(f"{self.path}: {files} changed since the run began; --force starts over")

    def _noted(self) -> dict[str, str]:
        """What an earlier part of the run noted of rules files; a line that was torn had no rows behind it."""
        rules: dict[str, str] = {}
        with suppress(FileNotFoundError):
            for line in (self.work / "rules").read_bytes().splitlines():
                with suppress(ValueError):
                    path, digest = json.loads(line)
                    rules[path] = digest
        return rules

    def note(self, rules: Mapping[str, str]) -> None:
        """Notes rules files, before the rows behind them are kept, unless the disk is full."""
        new = [(path, digest) for path, digest in rules.items() if self.rules.get(path) != digest]
        if new:
            self.rules.update(new)
            with (self.work / "rules").open("a+b") as stream:
                stream.write(b"".join(b"\n" + json.dumps(one).encode() for one in new))

    def _take(self) -> None:
        """Keeps other processes out, until this one ends in whatever way; `Refused` if another is at work."""
        place = self.work / "lock"
        lock = place.open("ab")
        try:
            _lock(lock)
            if not os.path.samestat(os.fstat(lock.fileno()), place.stat()):
                raise BlockingIOError
        except OSError as held:
            lock.close()
            raise Refused(f"{self.path}: another run is at work in this folder") from held
        self._lock = lock

    def publish(self, tables: list[str], run: Mapping[str, Any]) -> None:
        """Puts the tables in their places; once `run.json` exists, the run has ended."""
        for name in tables:
            (self.work / name).replace(self.path / name)
        write_whole(self.path / RUN, json.dumps(run, indent=2) + "\n")
        self.tidy()

    def tidy(self) -> None:
        """Takes away what is not needed any more."""
        for path in self.work.iterdir():
            path.unlink()
        self.leave()
        self.work.rmdir()

    def leave(self) -> None:
        """Lets others in."""
        if self._lock is not None:
            self._lock.close()
            self._lock = None


def _lock(stream: IO[bytes]) -> None:
    """Locks a file; OSError where somebody else has."""
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(stream.fileno(), msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _digest(path: str) -> str:
    """Of a rules file, as it is now; nothing where it cannot be read."""
    from meldref.documents.reader import MAX_BYTES

    try:
        return sha256(read_file(Path(path), MAX_BYTES)).hexdigest()
    except OSError:
        return ""


def write_whole(path: Path, text: str) -> None:
    """Puts a text in a file's place, all of it or nothing."""
    draft = path.with_name(f".{path.name}.draft")
    with draft.open("w", encoding="utf-8", newline="") as stream:
        stream.write(text)
        stream.flush()
        os.fsync(stream.fileno())
    draft.replace(path)


class Journal:
    """The rows of the chunks that are done, in the order in which they came, each with the digest of its logs.

    What is half written at the end, as where a disk was full, is cut off.
    """

    def __init__(self, path: Path) -> None:
        self._stream = path.open("a+b")
        self.before: dict[bytes, tuple[int, int]] = {}
        self._places: dict[int, tuple[int, int]] = {}
        self._synced = time.monotonic()
        self._end = self._scan()
        self._stream.truncate(self._end)

    def close(self) -> None:
        """Lets go of the file."""
        with suppress(OSError):  # a full disk has been reported; all that counts was written
            self._stream.close()

    def _scan(self) -> int:
        """Notes what an earlier run has done; where it ends."""
        end = 0
        self._stream.seek(0)
        while len(head := self._stream.read(_HEAD.size)) == _HEAD.size:
            digest, length, check = _HEAD.unpack(head)
            packed = self._stream.read(length) if length < 1 << 40 else b""
            if len(packed) < length or zlib.crc32(packed, zlib.crc32(digest)) != check:
                break
            end = self._stream.tell()
            self.before[digest] = end - length, length
        return end

    def take(self, number: int, digest: bytes) -> bool:
        """Whether an earlier run has done the chunk of that number, so that its rows are at hand."""
        if digest in self.before:
            self._places[number] = self.before[digest]
        return digest in self.before

    def add(self, number: int, digest: bytes, rows: Rows) -> None:
        """Adds the rows of one more chunk; OSError where they cannot be written, as on a full disk."""
        packed = zlib.compress(json.dumps(rows[:-1], separators=(",", ":")).encode(), 1)
        record = _HEAD.pack(digest, len(packed), zlib.crc32(packed, zlib.crc32(digest))) + packed
        self._stream.seek(0, os.SEEK_END)
        self._stream.write(record)
        self._stream.flush()
        if time.monotonic() - self._synced > _SYNCED:
            os.fsync(self._stream.fileno())
            self._synced = time.monotonic()
        self._end += len(record)
        self._places[number] = self._end - len(packed), len(packed)

    def rows(self) -> Iterator[Rows]:
        """The rows of every chunk, in the order of the logs."""
        for _, (place, length) in sorted(self._places.items()):
            self._stream.seek(place)
            logs, findings, scores = json.loads(zlib.decompress(self._stream.read(length)))
            yield Rows(logs, findings, scores, {})
