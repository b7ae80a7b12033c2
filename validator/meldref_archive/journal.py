"""The folder of a run: who works in it, what is done, and how its tables appear all at once."""

from __future__ import annotations

import json
import os
import struct
import time
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import IO, Any, Final

from meldref.core.safe_files import MAX_BYTES, read_file
from meldref.core.safe_files import lock as lock_alone
from meldref.core.safe_writing import kind_at, open_to_append, replace_whole
from meldref.core.text import in_words, name_of_file
from meldref_archive.rows import TABLES, WRITERS, Rows, check_rows
from meldref_archive.tables import refuse_number

RUN: Final = "run.json"
UNFINISHED: Final = "unfinished"
"""The folder inside a run's folder that holds everything until the run is complete."""

_SETTINGS: Final = "settings.json"
_LOCK: Final = "lock"
_RULES: Final = "rules"
_JOURNAL: Final = "journal"
_INPUT: Final = "stdin"
_TABLE_FILES: Final = tuple(f"{table}.{form}" for table in TABLES for form in WRITERS)
_LARGEST: Final = 1 << 26
"""A file with more bytes does not say what a run was."""
_LARGEST_RECORD: Final = 1 << 28
"""The rows of one chunk take fewer bytes, packed or not."""
_MOST_RULES: Final = 1 << 30
"""How many bytes of rules files are looked at to see whether they changed."""
_BEGIN: Final = b"meldref journal 1\n"
_HEAD: Final = struct.Struct(">16sQI")
_SYNCED: Final = 1.0
"""Seconds after which what was written has to survive a loss of power; the end of the process harms
nothing."""


class Refused(Exception):
    """The folder cannot be used: why, and what can be done."""


class Folder:
    """The folder of a run. Only one process works in it at a time.

    Others may have filled it. What is in the way of a run and cannot be of one is refused, and what
    a run would have written is taken only if it looks like that.
    """

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
        """Makes the folder this run's own, or raises `Refused` or OSError.

        Whether there is anything to do.
        """
        if self.path.exists() and not self.path.is_dir():
            raise Refused(f"{self.path}: this is not a folder")
        self._check_kinds()
        ours = self._ours()
        if ours and not (resume or force):
            hint = (
                "--force starts over"
                if self.finished
                else "--resume continues it, --force starts over"
            )
            raise Refused(f"{self.path}: there is already a run in this folder; {hint}")
        if ours and resume and not force:
            if not self.finished and not self.work.is_dir():
                raise Refused(
                    f"{self.path}: there is {ours[0]}, but no run to resume; --force overwrites it"
                )
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
                if path.name != _LOCK:
                    path.unlink()
        elif self.finished or (not resume and (self.work / _SETTINGS).exists()):
            raise Refused(f"{self.path}: another run started first")
        if not (self.work / _SETTINGS).exists():
            write_whole(self.work / _SETTINGS, json.dumps(settings))
        return True

    def _check_kinds(self) -> None:
        """Raises `Refused` where something is of a kind, or has a name, that no run gives it."""
        for name in (RUN, _draft_of(RUN), *_TABLE_FILES, UNFINISHED):
            self._refuse(
                name, kind_at(self.path / name), "a folder" if name == UNFINISHED else "a file"
            )
        if kind_at(self.work):
            own = {_SETTINGS, _draft_of(_SETTINGS), _LOCK, _RULES, _JOURNAL, _INPUT, *_TABLE_FILES}
            for path in sorted(self.work.iterdir()):
                self._refuse(
                    f"{UNFINISHED}/{path.name}", kind_at(path), "a file", of_a_run=path.name in own
                )

    def _refuse(self, name: str, kind: str, expected: str, *, of_a_run: bool = True) -> None:
        if kind and (kind != expected or not of_a_run):
            why = f"there is {kind} in it that no run creates, {name}"
            raise Refused(f"{self.path}: {why}; move it away, or name another folder")

    def _ours(self) -> list[str]:
        """What is in the folder of the names that runs use."""
        names = [RUN, UNFINISHED, *_TABLE_FILES]
        return [name for name in names if (self.path / name).exists()]

    def _check(self, settings: Mapping[str, Any]) -> None:
        """Continues a run as it began; anything else is refused."""
        with as_of_a_run(self.path):
            if self.finished:
                run = self.record()
                before, self.rules = run["settings"], run["rules_files"]
            elif (self.work / _SETTINGS).exists():
                before = _read_json(self.work / _SETTINGS)
                self.rules = self._noted()
            else:
                return
            differ = [
                f"{name} {json.dumps(before.get(name))}, not {json.dumps(settings[name])}"
                for name in settings
                if before.get(name) != settings[name]
            ]
            changed = _changed(self.rules)
        if differ:
            raise Refused(
                f"{self.path}: the run began with {'; '.join(differ)}; --force starts over"
            )
        if changed:
            files = in_words([name_of_file(path) for path in changed])
            raise Refused(f"{self.path}: {files} changed since the run began; --force starts over")

    def _noted(self) -> dict[str, str]:
        """What an earlier part of the run noted of rules files.

        A line that was torn had no rows behind it.
        """
        rules: dict[str, str] = {}
        with suppress(FileNotFoundError):
            for line in _read_whole(self.work / _RULES).splitlines():
                with suppress(ValueError):
                    path, digest = json.loads(line)
                    rules[path] = digest
        return rules

    def note(self, rules: Mapping[str, str]) -> None:
        """Notes rules files, before the rows behind them are kept, unless the disk is full."""
        new = [(path, digest) for path, digest in rules.items() if self.rules.get(path) != digest]
        if new:
            self.rules.update(new)
            with open_to_append(self.work / _RULES) as stream:
                stream.write(b"".join(b"\n" + json.dumps(row).encode() for row in new))

    def _take(self) -> None:
        """Keeps other processes out, until this one ends in whatever way.

        `Refused` if another is at work.
        """
        place = self.work / _LOCK
        lock = open_to_append(place)
        try:
            if not lock_alone(lock.fileno()) or not os.path.samestat(
                os.fstat(lock.fileno()), place.stat()
            ):
                raise BlockingIOError
        except OSError as held:
            lock.close()
            raise Refused(f"{self.path}: another run is at work in this folder") from held
        self._lock = lock

    def record(self) -> dict[str, Any]:
        """What a run that has ended said of itself, as `publish` wrote it.

        `Refused` where none wrote that.
        """
        with as_of_a_run(self.path):
            run = _read_json(self.path / RUN)
            objects = [run[key] for key in ("settings", "result", "rules_files")]
            texts = [*run["unusable"], *run["rules_files"].values()]
            if not (
                isinstance(run["unusable"], list)
                and all(isinstance(part, dict) for part in objects)
                and all(isinstance(text, str) for text in texts)
            ):
                raise TypeError("no run says so")
        return run

    def journal(self) -> Journal:
        """The rows that are there so far; `Refused` where they are not those of a run."""
        with as_of_a_run(self.path):
            return Journal(self.work / _JOURNAL)

    def place_of_input(self) -> Path:
        """Where standard input is kept."""
        return self.work / _INPUT

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


@contextmanager
def as_of_a_run(folder: Path) -> Iterator[None]:
    """What goes wrong in reading what a run wrote shows that somebody else did: `Refused`."""
    try:
        yield
    except (ValueError, LookupError, AttributeError, TypeError, RecursionError) as wrong:
        raise Refused(f"{folder}: what it holds is not from a run; --force starts over") from wrong


def _read_whole(path: Path) -> bytes:
    """What a run wrote; `ValueError` where it is too much for that."""
    content = read_file(path, _LARGEST, links=False)
    if len(content) > _LARGEST:
        raise ValueError("no run writes so much")
    return content


def _read_json(path: Path) -> dict[str, Any]:
    """An object that a run wrote."""
    data = json.loads(_read_whole(path))
    if not isinstance(data, dict):
        raise TypeError("not an object")
    return data


def _changed(rules: Mapping[str, str]) -> list[str]:
    """The rules files that are not as they were.

    `ValueError` where they are too many to look at.
    """
    changed, read = [], 0
    for path, digest in rules.items():
        try:
            content = read_file(path, MAX_BYTES)
        except OSError:
            content = b""
        read += len(content)
        if read > _MOST_RULES:
            raise ValueError("no run reads so much")
        if sha256(content).hexdigest() != digest:
            changed.append(path)
    return changed


def _draft_of(name: str) -> str:
    return f".{name}.draft"


def write_whole(path: Path, text: str) -> None:
    """Puts a text in a file's place, all of it or nothing, whatever happens."""
    replace_whole(path, path.with_name(_draft_of(path.name)), text.encode(), sync=True)


class Journal:
    """The rows of the chunks that are done, as they came, each with the digest of its logs.

    What is half written at the end, as where a disk was full, is cut off. `ValueError` and its like
    where it is not the journal of a run.
    """

    def __init__(self, path: Path) -> None:
        self._stream = open_to_append(path)
        self.before: dict[bytes, tuple[int, int]] = {}
        self._places: dict[int, tuple[int, int]] = {}
        self._synced = time.monotonic()
        try:
            self._end = self._scan()
        except BaseException:
            self.close()
            raise
        self._stream.truncate(self._end)
        if not self._end:
            self._end = self._stream.write(_BEGIN)
            self._stream.flush()

    def close(self) -> None:
        """Lets go of the file."""
        with suppress(OSError):  # a full disk has been reported; all that counts was written
            self._stream.close()

    def _scan(self) -> int:
        """Notes what an earlier run has done; where it ends."""
        self._stream.seek(0)
        begin = self._stream.read(len(_BEGIN))
        if begin != _BEGIN:
            if not _BEGIN.startswith(begin.rstrip(b"\0")):
                raise ValueError("a journal begins otherwise")
            return 0
        end = len(_BEGIN)
        while len(head := self._stream.read(_HEAD.size)) == _HEAD.size:
            digest, length, check = _HEAD.unpack(head)
            packed = self._stream.read(length) if length <= _LARGEST_RECORD else b""
            if len(packed) < length or zlib.crc32(packed, zlib.crc32(digest)) != check:
                break
            check_rows(_unpacked(packed))
            end = self._stream.tell()
            self.before[digest] = end - length, length
        return end

    def take(self, number: int, digest: bytes) -> bool:
        """Whether an earlier run has done the chunk of that number and left its rows."""
        if digest in self.before:
            self._places[number] = self.before[digest]
        return digest in self.before

    def add(self, number: int, digest: bytes, rows: Rows) -> None:
        """Adds the rows of one more chunk.

        OSError if they cannot be written, as on a full disk.
        """
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
            logs, findings, scores = _unpacked(self._stream.read(length))
            yield Rows(logs, findings, scores, {})


def _unpacked(packed: bytes) -> Any:
    """What was written of a chunk; `ValueError` and its like if no run did so."""
    unpacking = zlib.decompressobj()
    try:
        text = unpacking.decompress(packed, _LARGEST_RECORD)
    except zlib.error as wrong:
        raise ValueError("not packed by a run") from wrong
    if not unpacking.eof:
        raise ValueError("no run writes so much")
    return json.loads(text, parse_constant=refuse_number)
