"""Where logs are, and reading their bytes: files, packed or not, members of archives, URLs."""

from __future__ import annotations

import atexit
import os
import struct
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager, suppress
from gzip import BadGzipFile, GzipFile
from hashlib import blake2b
from importlib import import_module
from io import BytesIO
from pathlib import Path
from shutil import copyfileobj
from typing import TYPE_CHECKING, Any, BinaryIO, Final, NamedTuple, cast
from zipfile import BadZipFile, LargeZipFile, ZipFile

from meldref.core.diagnostics import WrongPackage
from meldref.core.safe_files import Met, is_url, open_file
from meldref.core.safe_writing import create
from meldref_archive.members import opened_member

if TYPE_CHECKING:
    import zstandard

    from meldref_intake.source import Intake

STANDARD_INPUT: Final = "-"
LOGS: Final = (".rgn", ".rgn.gz", ".rgn.zst", ".zip")
"""How files end that stand for logs wherever they are met."""
_PACKED: Final = (".gz", ".zst")
TABLES: Final = (
    *[kind + packed for kind in (".jsonl", ".ndjson") for packed in ("", *_PACKED)],
    ".parquet",
)
"""How tables end, one of whose columns holds logs."""

_LARGE: Final = 1 << 22
_DENSE: Final = 30
"""A log that unpacks to more than `_LARGE` bytes and this many times its own size is not read."""
_PIECE: Final = 256
"""How many bytes of .zst are unpacked at once: at most a few megabytes come of them."""
_WINDOW: Final = 1 << 27


class Log(NamedTuple):
    """A log and where it is: in a file or at a URL (`place`), or `text` itself.

    `name` is what reports call it; `member` is its number in an archive. `any_kind`: the user named
    it, so that it may be a pipe. `columns` are those of its row in a table; `trouble` is why that
    row has no log. `intake` is what a file of another kind became, whose log is `text`.
    """

    name: str
    place: str = ""
    member: int | None = None
    any_kind: bool = False
    text: bytes | None = None
    columns: Mapping[str, Any] | None = None
    trouble: str = ""
    intake: Intake | None = None

    @classmethod
    def of(cls, path: str) -> Log:
        """The log in a file, or in standard input."""
        return cls(path, path, any_kind=not isinstance(path, Met))

    @property
    def beside(self) -> Path | None:
        """The folder in which rules files lie that it names; None: the current one."""
        return (
            None if self.name == STANDARD_INPUT or is_url(self.place) else Path(self.place).parent
        )

    @property
    def size(self) -> int:
        """How many bytes it has, as far as that can be told at once."""
        if self.text is not None or self.trouble:
            return len(self.text or b"")
        if self.member is None:
            with suppress(OSError, ValueError):
                return os.stat(self.place).st_size  # noqa: PTH116  there may be many logs
        return 0

    @contextmanager
    def opened(self) -> Iterator[BinaryIO]:
        """Its bytes, unpacked.

        OSError if it cannot be read, or is not what its name says.
        """
        with ExitStack() as stack:
            with as_os_errors():
                stream = _stream(self, stack)
            yield stream

    def digest(self) -> bytes:
        """Sixteen bytes that differ if the log may be another one."""
        stamp: tuple[int, ...] = ()
        with suppress(OSError, ValueError):
            if self.text is None and not self.trouble:
                status = Path(self.place).stat()
                stamp = status.st_size, status.st_mtime_ns
        told = self._replace(intake=None)
        return blake2b(repr((*told, stamp)).encode("utf-8", "replace"), digest_size=16).digest()


def keep_input(log: Log, place: Path) -> Log:
    """The log of standard input, copied to a file that other processes can read."""
    with create(place) as stream:
        copyfileobj(sys.stdin.buffer, stream)
    return log._replace(place=str(place.absolute()), any_kind=False)


def ends_in(name: str, endings: Iterable[str]) -> bool:
    """Whether a name has one of the endings, in letters of any size."""
    return name.lower().endswith(tuple(endings))


def check_packages(names: Iterable[str]) -> None:
    """Raises `WrongPackage` if something is not installed that files of these names need."""
    for name in names:
        if is_url(name):
            needed("fsspec", "url", name)
        if ends_in(name, (".zst",)):
            needed("zstandard", "zst", name)
        if ends_in(name, (".parquet",)):
            needed("pyarrow.parquet", "parquet", name)


def needed(module: str, extra: str, what: str) -> Any:
    """A module that an extra brings; `WrongPackage` if it is not installed."""
    try:
        return import_module(module)
    except ImportError as missing:
        package = module.partition(".")[0]
        raise WrongPackage(
            f"{what} needs the package {package}: pip install 'meldref[{extra}]'"
        ) from missing


def _stream(log: Log, stack: ExitStack) -> BinaryIO:
    """The bytes of a log, unpacked, as long as what is on the stack is open."""
    if log.trouble:
        raise OSError(log.trouble)
    if log.text is not None:
        return BytesIO(log.text)
    if log.member is not None:
        archive = archive_at(log.place, any_kind=log.any_kind)
        info = archive.infolist()[log.member]
        read = stack.enter_context(closing(opened_member(archive, info))).read
        guarded = _Guarded(read, lambda: info.compress_size)
        return unpacked(info.filename, guarded, lambda: info.compress_size)
    return unpacked(log.place, stack.enter_context(raw_bytes(log.place, any_kind=log.any_kind)))


@contextmanager
def raw_bytes(place: str, *, any_kind: bool) -> Iterator[BinaryIO]:
    """The bytes at a place as they are; standard input stays open."""
    if place == STANDARD_INPUT:
        yield sys.stdin.buffer
    elif is_url(place):
        with needed("fsspec", "url", place).open(place, "rb", compression=None) as stream:
            yield stream
    else:
        with open_file(place, any_kind=any_kind) as stream:
            yield stream


@contextmanager
def as_os_errors() -> Iterator[None]:
    """Whatever goes wrong in unpacking is an OSError, in words for people."""
    try:
        yield
    except _of_damage() as wrong:
        raise OSError(f"it is damaged: {wrong}") from wrong
    except EOFError as wrong:
        raise OSError("it is cut off: part of it is missing") from wrong
    except (NotImplementedError, RuntimeError) as wrong:  # zipfile's own, of what it cannot unpack
        raise OSError(f"it cannot be unpacked: {wrong}") from wrong


def _of_damage() -> tuple[type[Exception], ...]:
    """What is raised if packed data are damaged."""
    lzma = sys.modules.get(
        "lzma"
    )  # not every Python has it, and `zipfile` loads it if there is one
    of_lzma = () if lzma is None else (lzma.LZMAError,)
    of_files = (BadGzipFile, BadZipFile, LargeZipFile)
    return (zlib.error, struct.error, ValueError, LookupError, OverflowError, *of_files, *of_lzma)


def too_dense(unpacked: int, packed: int) -> bool:
    """Whether a log of this packed size cannot come to that number of bytes."""
    return unpacked > _LARGE and unpacked > _DENSE * packed


TOO_DENSE: Final = f"it unpacks to more than {_DENSE} times its size, which no log does"


class _Guarded(BytesIO):
    """What is unpacked, as far as it is in proportion to what was read."""

    def __init__(self, take: Callable[[int], bytes], packed: Callable[[], int]) -> None:
        super().__init__()
        self._take, self._packed = take, packed
        self._unpacked = 0

    def read(self, size: int | None = -1, /) -> bytes:
        """At most `size` bytes; OSError if what was read is far too dense."""
        with as_os_errors():
            taken = self._take(1 << 16 if size is None or size < 0 else size)
        self._unpacked += len(taken)
        if too_dense(self._unpacked, self._packed()):
            raise OSError(TOO_DENSE)
        return taken


class _Counted:
    """A stream that may be a pipe, and how much was read of it."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._count = 0

    def read(self, size: int = -1) -> bytes:
        """At most `size` bytes."""
        taken = self._stream.read(size)
        self._count += len(taken)
        return taken

    def count(self) -> int:
        """How many bytes were read."""
        return self._count


def unpacked(name: str, stream: BinaryIO, packed: Callable[[], int] | None = None) -> BinaryIO:
    """What a stream holds, by the ending of its name.

    No more is read than suits what is `packed`.
    """
    if not ends_in(name, _PACKED):
        return stream
    counted = _Counted(stream)
    if ends_in(name, (".zst",)):
        return _Guarded(_Zst(counted, name).read, packed or counted.count)
    file = GzipFile(fileobj=cast("BinaryIO", counted), mode="rb")
    return _Guarded(file.read, packed or counted.count)


class _Zst:
    """Unpacks .zst a piece at a time, so that it cannot fill the memory, and notices the end."""

    def __init__(self, stream: _Counted, name: str) -> None:
        self._stream = stream
        self._zstd: Any = needed("zstandard", "zst", name)
        self._frame: zstandard.ZstdDecompressionObj | None = None
        self._rest = b""
        self._ready = b""

    def read(self, size: int) -> bytes:
        """At most `size` bytes, none at the end.

        OSError if it is damaged, EOFError if it is cut off.
        """
        while not self._ready:
            piece = self._rest[:_PIECE] or self._stream.read(_PIECE)
            self._rest = self._rest[_PIECE:]
            if not piece:
                if self._frame is not None:
                    raise EOFError
                return b""
            frame = (
                self._frame or self._zstd.ZstdDecompressor(max_window_size=_WINDOW).decompressobj()
            )
            try:
                self._ready = frame.decompress(piece)
            except self._zstd.ZstdError as wrong:
                raise OSError(f"it is damaged: {wrong}") from wrong
            self._frame = None if frame.eof else frame
            self._rest = frame.unused_data + self._rest if frame.eof else self._rest
        taken, self._ready = self._ready[:size], self._ready[size:]
        return taken


_open: dict[tuple[object, ...], tuple[ExitStack, ZipFile]] = {}
"""The archive that was read last: its members are read one after another."""


def archive_at(place: str, *, any_kind: bool) -> ZipFile:
    """An archive, opened once as long as no other one is read.

    OSError if it cannot be opened.
    """
    key: tuple[object, ...] = (place,)
    if not is_url(place):
        status = Path(place).stat()
        key = status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns
    if key not in _open:
        _close()
        with ExitStack() as stack:
            archive = ZipFile(stack.enter_context(raw_bytes(place, any_kind=any_kind)))
            _open[key] = stack.pop_all(), archive
    return _open[key][1]


def size_of(archive: ZipFile) -> int:
    """How many bytes an archive has, all in all."""
    stream = archive.fp
    return 0 if stream is None else stream.seek(0, os.SEEK_END)


@atexit.register
def _close() -> None:
    for stack, _ in _open.values():
        stack.close()
    _open.clear()


if hasattr(os, "register_at_fork"):
    # A copy of this process would share the place up to which an archive is read.
    os.register_at_fork(after_in_child=_close)
