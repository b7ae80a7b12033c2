"""Where the parts of a line are: bytes to lines, a line to its turn's parts and its trailers.

The scanner knows quotes, comments and separators, and no more; what is between them is the
grammar's business.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from itertools import chain
from pathlib import Path
from typing import BinaryIO, Final, cast

from meldref.core.events import Event
from meldref.core.records import NamedTuple
from meldref.core.safe_files import open_file

LONGEST: Final = 8_192
"""The most characters a line may have."""

BLANKS: Final = " \t\u00a0"

UTF_16: Final = (chr(0xDCFF) + chr(0xDCFE), chr(0xDCFE) + chr(0xDCFF))
"""How a log begins that was saved as UTF-16, once its bytes are decoded as UTF-8."""

_CHUNK: Final = 1 << 16
_MANY_BLANK: Final = 1 << 12
ENDLESS: Final = 1 << 25
"""A line of this many bytes is not part of a log, and nothing after it is read: a device has no
end."""
_PARTS: Final = r'"[^"]*"|[:;#{]|\?!'
_NO_TEXT: Final = r"[\ud800-\udfff]"
_UNMARKED: Final = r"(?:\x00[^\x00]){2}|(?:[^\x00]\x00){2}"
"""How plain letters look that were saved as UTF-16 without its mark."""
_UNREADABLE: Final = r"[\x00-\x08\x0a-\x1f\x7f\ud800-\udfff]"


@cache
def pattern(text: str) -> re.Pattern[str]:
    """A pattern, compiled when it is first needed: plain lines and names need none."""
    return re.compile(text)


class TurnParts(NamedTuple):
    """Offsets into a line: the turn's `:` (-1: none), its `;`, and where trailers begin."""

    colon: int
    semicolons: tuple[int, ...]
    body_end: int


class Trailers(NamedTuple):
    """What may follow on any line: expected violations, a comment, an annotation."""

    expected: tuple[str, ...] = ()
    comment: str | None = None
    annotation: str | None = None


NO_TRAILERS: Final = Trailers()


class ReadLine(NamedTuple):
    """A whole line as the grammar reads it."""

    event: Event | None
    trailers: Trailers


class Head(NamedTuple):
    """What comes before the `:` of a turn; the column is the name's."""

    number: int | None
    player: str
    column: int


def split(text: str) -> TurnParts:
    """Find the separators of a line outside quotes, and the begin of its trailers."""
    if not ('"' in text or "#" in text or "{" in text or "?!" in text):
        cuts = (
            tuple([at for at, character in enumerate(text) if character == ";"])
            if ";" in text
            else ()
        )
        return TurnParts(text.find(":"), cuts, len(text))
    colon = -1
    semicolons: list[int] = []
    for match in pattern(_PARTS).finditer(text):
        mark = match[0]
        if mark == ";":
            semicolons.append(match.start())
        elif mark == ":":
            if colon < 0:
                colon = match.start()
        elif mark[0] != '"':
            return TurnParts(colon, tuple(semicolons), match.start())
    return TurnParts(colon, tuple(semicolons), len(text))


def unreadable(text: str) -> int | None:
    """The offset of the first character no line may have: control, or a byte that is not text."""
    if text.isprintable():
        return None
    match = pattern(_UNREADABLE).search(text)
    return match.start() if match else None


def windows_text(text: str) -> str | None:
    """What a line saved as Windows-1252 says, whose bytes are not UTF-8; None for any other line.

    A letter that is written in UTF-8 shows that the file was not.
    """
    if (
        text.isascii()
        or text.startswith(UTF_16)
        or any(0x7F < ord(character) < 0xD800 or ord(character) > 0xDFFF for character in text)
    ):
        return None
    try:
        read = text.encode("utf-8", "surrogateescape").decode("cp1252")
    except UnicodeError:
        return None
    return read if unreadable(read) is None else None


@lru_cache(maxsize=4)
def presentable(text: str) -> str:
    """The text with bytes that are not text replaced, so that it can be printed."""
    return text if text.isprintable() else pattern(_NO_TEXT).sub("\ufffd", text)


class _Lines(chain[str]):
    """Lines that are without their ends already, made from chunks of them."""


class NumberedLines(chain[tuple[int, str]]):
    """Lines without their ends, each with its number, from 1.

    Of many blank ones there are only the numbers.
    """


def decode(stream: BinaryIO, longest: int = LONGEST) -> Iterator[str]:
    """The lines of UTF-8 bytes, with or without a byte order mark, without their ends.

    Bytes that are not UTF-8 become lone surrogates, which the reader reports. Of a line that is far
    too long only the beginning is kept, and dots that make it longer than a line may be; one
    without an end is the last. UTF-16, with its mark or without, is one line, of a mark alone,
    since nothing after it can be read.
    """
    return _Lines.from_iterable(_decoded(stream, longest))


def decode_numbered(stream: BinaryIO) -> NumberedLines:
    """The lines of UTF-8 bytes, as with `decode`.

    Where thousands of them are blank, those are left out.
    """
    return cast("NumberedLines", NumberedLines.from_iterable(_numbered(_decoded(stream, LONGEST))))


def _numbered(chunks: Iterable[list[str]]) -> Iterator[Iterable[tuple[int, str]]]:
    """Lines with their numbers, by the chunk."""
    first = 1
    for lines in chunks:
        numbered = enumerate(lines, first)
        yield numbered if lines.count("") < _MANY_BLANK else [pair for pair in numbered if pair[1]]
        first += len(lines)


def _decoded(stream: BinaryIO, longest: int) -> Iterator[list[str]]:
    """Lines by the chunk."""
    decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
    rest = ""
    dropped = 0
    first = True
    while True:
        chunk = stream.read(_CHUNK)
        text = decoder.decode(chunk, final=not chunk)
        if first and text:
            if text.startswith(UTF_16) or pattern(_UNMARKED).match(text):
                yield [text[:2] if text.startswith(UTF_16) else UTF_16[0]]
                return
            text = text.removeprefix("\ufeff")
            first = False
        *lines, tail = text.split("\n")
        if lines:
            lines[0] = rest + lines[0]
            rest = ""
            yield lines if "\r" not in text and "\r" not in lines[0] else _without_ends(lines)
        if len(rest) <= longest + 1:
            rest += tail
            if len(rest) > longest + 1:
                rest = rest[:longest] + "……"
        dropped = 0 if lines else dropped + len(chunk)
        if not chunk or dropped > ENDLESS:
            break
    if rest:
        yield _without_ends([rest])


def _without_ends(lines: Iterable[str]) -> list[str]:
    return list(map(_without_end, lines))


def _without_end(line: str) -> str:
    return line.rstrip("\r\n")


def open_lines(
    path: Path | str, longest: int = LONGEST, *, any_kind: bool = False
) -> Iterator[str]:
    """The lines of a file, see `decode`.

    `any_kind`: of a pipe or a device, too; OSError if it cannot be read.
    """
    return _Lines.from_iterable(_opened(path, longest, any_kind=any_kind))


def _opened(path: Path | str, longest: int, *, any_kind: bool) -> Iterator[list[str]]:
    with open_file(path, any_kind=any_kind) as stream:
        yield from _decoded(stream, longest)


def lines_of(source: str | Iterable[str]) -> Iterator[str]:
    """The lines of a text, or of something that yields lines, without their ends."""
    if isinstance(source, _Lines):
        return source
    if isinstance(source, str):
        lines = source.removeprefix("\ufeff").split("\n")
        if not lines[-1]:
            lines.pop()
        return iter(_without_ends(lines) if "\r" in source else lines)
    return map(_without_end, source)
