"""The log that a table writes: each line is on disk, whole, before the game goes on."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from io import BytesIO
from typing import Final

from meldref.core.safe_files import lock, why_not
from meldref_cli import output
from meldref_cli.errors import Unusable, naming

_CHUNK: Final = 1 << 16
"""How many bytes of a log are looked at in one go, from its end."""


class TableLog:
    """The log file; each line is completely on disk before the game continues.

    Nobody else should write it meanwhile: if somebody does, that is noticed before the next line.
    """

    def __init__(self, path: str, number: int) -> None:
        self._path, self._number = path, number
        self._size = os.fstat(number).st_size
        self._whole = self._size
        self._torn = ""

    @classmethod
    @contextmanager
    def open(cls, path: str) -> Iterator[TableLog]:
        """Opens a log for only one table; `Unusable` if another one is writing it."""
        with naming(path):
            number = os.open(
                path, os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o666
            )
        try:
            if not lock(number):
                raise Unusable(f"{path}: another table is writing this log")
            yield cls(path, number)
        finally:
            os.close(number)

    def lines(self) -> list[str]:
        """The whole lines of the log.

        A last one that was not written to its end is not among them.
        """
        from meldref.notation.reader import read_line
        from meldref.notation.scanner import LONGEST, decode

        with os.fdopen(os.dup(self._number), "rb") as stream:
            lines = list(decode(stream, LONGEST))
            if stream.tell() < self._size:
                raise Unusable(
                    f"{self._path}: this cannot be read to its end, so no table can go on with it"
                )
        end = self._end_of_lines()
        rest = os.pread(self._number, self._size - end, end) if end else b""
        last = list(decode(BytesIO(b"\n" + rest), LONGEST))[1:]
        if rest and last == lines[-1:] and read_line(lines[-1])[1]:
            self._torn = lines.pop()
            self._whole = end
        return lines

    def _end_of_lines(self) -> int:
        """Where the last line begins that has no end; the size of the log where each has one."""
        place = self._size
        while place:
            begin = max(0, place - _CHUNK)
            end = os.pread(self._number, place - begin, begin).rfind(b"\n")
            if end >= 0:
                return begin + end + 1
            place = begin
        return 0

    def mend(self) -> None:
        """Takes a torn last line off the log, and says so; ends one that only lacks its end."""
        if self._torn:
            self._look()
            os.ftruncate(self._number, self._whole)
            self._size = self._whole
            output.notice(f"the last line was incomplete and is left out: {self._torn}")
        elif self._size and os.pread(self._number, 1, self._size - 1) != b"\n":
            self._put(b"\n")

    def write(self, lines: Sequence[str]) -> None:
        """Adds lines, and returns once they are on the disk."""
        if lines:
            self._put("".join(f"{line}\n" for line in lines).encode())

    def _look(self) -> None:
        """Raises `Unusable` if the log is no longer as this table left it."""
        status = os.fstat(self._number)
        try:
            same = os.path.samestat(status, os.stat(self._path))  # noqa: PTH116  needs no path
        except OSError:
            same = False
        if not same or status.st_size != self._size:
            raise Unusable(
                f"{self._path}: somebody else has changed this log; nothing more is written to it"
            )

    def _put(self, data: bytes) -> None:
        self._look()
        left = data
        try:
            while left:
                left = left[os.write(self._number, left) :]
            os.fsync(self._number)
        except OSError as error:
            with suppress(OSError):
                os.ftruncate(self._number, self._size)
            raise Unusable(
                f"{self._path}: {why_not(error)}; the last line was not written"
            ) from error
        self._size += len(data)
