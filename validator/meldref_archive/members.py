"""Members of a .zip, unpacked a little at a time, however they are packed.

`zipfile` bounds what comes of deflated members. Of members packed by bzip2 or LZMA it unpacks four
kilobytes at once, of which hundreds of megabytes can come.
"""

from __future__ import annotations

from copy import copy
from importlib import import_module
from struct import unpack
from typing import IO, TYPE_CHECKING, Any, Final, Protocol
from zlib import crc32

if TYPE_CHECKING:
    from zipfile import ZipFile, ZipInfo

_BZIP2: Final = 12
_LZMA: Final = 14
_STORED: Final = 0
_PIECE: Final = 1 << 12
_WINDOW: Final = 1 << 27
"""No log needs to look further back; what an archive asks for is taken from the memory at once."""
_LEAST_WINDOW: Final = 1 << 12


class Member(Protocol):
    """What is in a member."""

    def read(self, size: int, /) -> bytes:
        """At most `size` bytes, none at the end."""

    def close(self) -> None:
        """Nothing more is read."""


def opened_member(archive: ZipFile, info: ZipInfo) -> Member:
    """A member of an archive, unpacked as it is read.

    See `zipfile` for what is raised of damage.
    """
    if info.compress_type not in {_BZIP2, _LZMA}:
        return archive.open(info)
    as_it_lies = copy(info)
    as_it_lies.compress_type, as_it_lies.file_size = _STORED, info.compress_size
    del as_it_lies.CRC  # it is that of what is unpacked
    return _Tight(archive.open(as_it_lies), info)


class _Tight:
    """A member whose packed bytes are unpacked only as far as they are asked for."""

    def __init__(self, packed: IO[bytes], info: ZipInfo) -> None:
        self._packed, self._info = packed, info
        self._left = info.file_size
        self._checksum = 0
        self._unpacking: Any = None

    def read(self, size: int, /) -> bytes:
        """At most `size` bytes, none at the end.

        `ValueError` if it is damaged, `EOFError` if it is cut off.
        """
        unpacking = self._unpacking = self._unpacking or self._started()
        taken = b""
        while not taken and self._left and not unpacking.eof:
            more = self._packed.read(_PIECE) if unpacking.needs_input else b""
            if unpacking.needs_input and not more:
                raise EOFError
            try:
                taken = unpacking.decompress(more, min(size, self._left))
            except OSError as wrong:  # bzip2's own
                raise ValueError(str(wrong)) from wrong
        self._left -= len(taken)
        self._checksum = crc32(taken, self._checksum)
        if (unpacking.eof or not self._left) and self._checksum != self._info.CRC:
            raise ValueError(
                f"its checksum is {self._checksum:08x} instead of {self._info.CRC:08x}"
            )
        return taken

    def close(self) -> None:
        """Nothing more is read."""
        self._packed.close()

    def _started(self) -> Any:
        """What unpacks the rest, after the few bytes that say how."""
        try:
            module: Any = import_module("bz2" if self._info.compress_type == _BZIP2 else "lzma")
        except ImportError as missing:
            raise NotImplementedError(f"this Python lacks {missing.name}") from missing
        if self._info.compress_type == _BZIP2:
            return module.BZ2Decompressor()
        _, length = unpack("<HH", self._packed.read(4))
        properties, window = unpack("<BI", self._packed.read(length)[:5])
        rest, lc = divmod(properties, 9)
        pb, lp = divmod(rest, 5)
        largest = max(_LEAST_WINDOW, min(window, _WINDOW, self._info.file_size))
        layers = [{"id": module.FILTER_LZMA1, "lc": lc, "lp": lp, "pb": pb, "dict_size": largest}]
        return module.LZMADecompressor(module.FORMAT_RAW, filters=layers)
