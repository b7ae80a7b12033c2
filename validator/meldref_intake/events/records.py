"""The records of a file: JSON, JSON Lines or CSV, read as a stream, each with its place.

Of a document of JSON, the items of the outermost list are read one by one; what stands beside it is
kept, so that values may be looked up there. A file that is cut off at either end is read as far as
it goes.
"""

from __future__ import annotations

import codecs
import csv
import io
import json
import re
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain, groupby, islice
from typing import Any, BinaryIO, Final, NamedTuple

from meldref.core.text import in_words
from meldref_intake.decoding import decoded, encoding_of
from meldref_intake.events.partial import BLANKS, partial_value
from meldref_intake.events.values import Scope, Step, path_of, sort_key, walk

BEGINNING: Final = 1 << 19
"""How many bytes of a file show what it is, and its encoding."""
MOST_RECORD: Final = 1 << 25
"""The most characters of one record, or of what stands beside the records."""
_MOST_UNREAD: Final = 1_000
MOST_LINE: Final = 1 << 22
"""The most characters of a line of JSON Lines or CSV."""
_PIECE: Final = 1 << 16


class Place(NamedTuple):
    """Where a record stands in its file: its line (0: unknown), and its path there."""

    line: int = 0
    path: str = ""
    row: int = 0

    def __str__(self) -> str:
        where = f"line {self.line}" if self.line else ""
        if self.row:
            where = f"row {self.row}"
        return ", ".join(part for part in (where, self.path) if part) or "the file"


class Unread(NamedTuple):
    """A part of a file that is no record, and why.

    Without `breaks_off`, a record was read but for this part.
    """

    place: Place
    why: str
    breaks_off: bool = True


class Unreads(list[Unread]):
    """The parts of a file that are no records, the first of many; `left_out` are the others."""

    def __init__(self) -> None:
        super().__init__()
        self.left_out = 0
        self.breaks_off = False
        """Whether the file is not all there."""
        self._lines = array("Q")

    def between(self, before: int, after: int) -> bool:
        """Whether a record is missing between two lines, the first of which may stand below the other."""
        first, last = min(before, after), max(before, after)
        at = bisect_right(self._lines, first)
        return at < len(self._lines) and self._lines[at] < last

    def add(self, part: Unread) -> None:
        """Keeps a part, or counts it."""
        self.breaks_off = self.breaks_off or part.breaks_off
        if part.breaks_off:
            self._lines.append(part.place.line)
        if len(self) < _MOST_UNREAD:
            self.append(part)
        else:
            self.left_out += 1


class Record(NamedTuple):
    """A record: its scope, where it stands, and whether it is the last one of what it lies in."""

    scope: Scope
    place: Place
    last: bool = True


Opened = Callable[[], BinaryIO]
"""Opens the file from its beginning, as often as it is read."""


# --- text -----------------------------------------------------------------------------------------


def _western(wrong: UnicodeError) -> tuple[str, int]:
    """Bytes that are no UTF-8, behind a beginning in plain letters, as letters of Windows."""
    assert isinstance(wrong, UnicodeDecodeError)
    return wrong.object[wrong.start : wrong.end].decode("cp1252", "replace"), wrong.end


_WESTERN: Final = "meldref-western"
codecs.register_error(_WESTERN, _western)


def _text(stream: BinaryIO, encoding: str = "") -> io.TextIOWrapper:
    """A file as text, in an encoding or the one that its beginning shows."""
    beginning = stream.read(BEGINNING)
    encoding = encoding or encoding_of(beginning)
    errors = _WESTERN if encoding == "utf-8" and beginning.isascii() else "replace"
    rest = io.BufferedReader(_Joined(beginning, stream))
    return io.TextIOWrapper(rest, encoding=encoding, errors=errors, newline="")


class _Joined(io.RawIOBase):
    """Bytes that were read already, and the rest of their stream."""

    def __init__(self, beginning: bytes, rest: BinaryIO) -> None:
        self._beginning, self._rest = beginning, rest

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if self._beginning:
            piece = self._beginning[: len(buffer)]
            self._beginning = self._beginning[len(piece) :]
        else:
            piece = self._rest.read(len(buffer)) or b""
        buffer[: len(piece)] = piece
        return len(piece)


def lines_of(stream: BinaryIO, encoding: str = "") -> Iterator[tuple[int, str]]:
    """The lines of a file with their numbers, without their ends, up to `MOST_LINE` characters."""
    text = _text(stream, encoding)
    number = 0
    while line := text.readline(MOST_LINE):
        number += 1
        whole = line
        while not whole.endswith("\n") and (whole := text.readline(MOST_LINE)):
            pass
        yield number, line.rstrip("\r\n")


# --- JSON -----------------------------------------------------------------------------------------


class _Odd(Exception):
    """What comes is no JSON, or too much of it."""


_CUT_OFF: Final = "the file is cut off, or no JSON"


class _Window:
    """A text of JSON that is read piece by piece: what was decoded is let go of.

    Of a value that is cut off, what is complete is given, and lists and objects of so many `levels`.
    """

    def __init__(self, text: io.TextIOBase, levels: int) -> None:
        self._text = text
        self._levels = levels
        self._held = ""
        self._at = 0
        self._line = 1
        self._decode = json.JSONDecoder().raw_decode

    @property
    def line(self) -> int:
        """The line of the next character."""
        return self._line

    def _more(self) -> bool:
        piece = self._text.read(max(_PIECE, len(self._held) - self._at))
        self._held, self._at = self._held[self._at :] + piece, 0
        if len(self._held) > MOST_RECORD:
            raise _Odd(f"a record has more than {MOST_RECORD:,} characters")
        return bool(piece)

    def peek(self) -> str:
        """The next character that is no blank; empty at the end."""
        while True:
            while self._at < len(self._held):
                if self._held[self._at] not in BLANKS:
                    return self._held[self._at]
                self._line += self._held[self._at] == "\n"
                self._at += 1
            if not self._more():
                return ""

    def skip(self) -> None:
        """Leaves the next character behind."""
        self._at += 1

    def value(self) -> Any:
        """The next value."""
        self.peek()
        while True:
            try:
                value, end = self._decode(self._held, self._at)
            except RecursionError:
                raise _Odd("brackets nested far too deep") from None
            except ValueError:
                if self._more():
                    continue
                value = partial_value(self._held[self._at :], self._levels)
                if not value:
                    raise _Odd(_CUT_OFF) from None
                self._at = len(self._held)
                return value
            if end == len(self._held) and not isinstance(value, (dict, list, str)) and self._more():
                continue
            self._line += self._held.count("\n", self._at, end)
            self._at = end
            return value


class _Document:
    """A document of JSON in which the records lie under a path.

    `beside` is the document without the list that is read one by one, for what is looked up.
    """

    def __init__(self, opened: Opened, steps: Sequence[Step], encoding: str) -> None:
        self._opened, self._encoding = opened, encoding
        self._outer: list[Step] = []
        for step in steps:
            if not isinstance(step, str):
                break
            self._outer.append(step)
        self._is_list = len(steps) > len(self._outer) and steps[len(self._outer)] is None
        self._levels = len(steps) - len(self._outer) - self._is_list + 1
        self.beside: Any = {}
        self.fault: Unread | None = None

    @property
    def has_more(self) -> bool:
        """Whether other things stand beside the records."""
        return bool(self._outer)

    def items(self) -> Iterator[tuple[tuple[Step, ...], Any, int]]:
        """The items of the outermost list, each with its path and line; or the whole document."""
        with self._opened() as stream:
            window = _Window(_text(stream, self._encoding), self._levels)
            try:
                yield from self._at(window, ())
            except _Odd as wrong:
                self.fault = Unread(Place(window.line), str(wrong))

    def _at(
        self, window: _Window, path: tuple[Step, ...]
    ) -> Iterator[tuple[tuple[Step, ...], Any, int]]:
        first = window.peek()
        if len(path) == len(self._outer):
            if self._is_list and first == "[":
                window.skip()
                for number in _elements(window, "]"):
                    line = window.line
                    yield (*path, number), window.value(), line
                return
            line = window.line
            yield path, window.value(), line
            return
        if first != "{":
            yield path, window.value(), window.line
            return
        window.skip()
        for _ in _elements(window, "}"):
            key = window.value()
            if window.peek() != ":":
                raise _Odd("a key without a value")
            window.skip()
            if key == self._outer[len(path)]:
                yield from self._at(window, (*path, key))
            else:
                _put(self.beside, (*path, key), window.value())


def _elements(window: _Window, end: str) -> Iterator[int]:
    """Counts the elements up to a bracket, each of which is read before the next is asked for."""
    number = 0
    while (sign := window.peek()) != end:
        if not sign:
            raise _Odd(_CUT_OFF)
        yield number
        number += 1
        if window.peek() == ",":
            window.skip()
    window.skip()


def _put(inside: Any, path: Sequence[Any], value: Any) -> None:
    for step in path[:-1]:
        inside = inside.setdefault(step, {})
    inside[path[-1]] = value


# --- records --------------------------------------------------------------------------------------


class Source:
    """A file read as a map says: `form`, where its records lie (`at`), and in which order.

    `root` are the keys that lead to what the map calls the file. `documents`: each item of the list
    that the file is, or each of its lines, is what the map calls the file. `is_ordered`: there was
    something to order records by, where they are to be ordered.
    """

    def __init__(
        self,
        opened: Opened,
        form: str,
        said: Mapping[str, Any],
        root: Sequence[str] = (),
        *,
        documents: bool = False,
    ) -> None:
        self.form, self.documents = form, documents
        self.is_cut = False
        self._root = tuple(root)
        self.unread = Unreads()
        self._opened = opened
        self._said = said
        self._encoding: str = said.get("encoding", "")
        places = said.get("at", ".")
        self._paths = [
            path_of(place) for place in ([places] if isinstance(places, str) else places)
        ]
        self._orders = [path_of(one) for one in _list(said.get("sort"))]
        self.is_ordered = not self._orders

    def looks(self) -> str:
        """Where records are looked for, and what the file looks like, for whoever finds none."""
        with self._opened() as stream:
            seen = form_of(decoded(stream.read(BEGINNING)))
        at = in_words([f"`{place}`" for place in _list(self._said.get("at", "."))], "or")
        is_read = f"at {at}, in the file read as {_FORMS[self.form]}"
        return is_read if seen == self.form else f"{is_read}; it looks like {_FORMS[seen]}"

    def records(self) -> Iterator[Record]:
        """The records in the order of the file, or as `sort` says; those of a document together."""
        self.unread = Unreads()
        found = self._found()
        if not self._orders:
            return found

        def key(record: Record) -> list[Any]:
            found = [path.of(record.scope) for path in self._orders]
            self.is_ordered = self.is_ordered or any(one is not None for one in found)
            return list(map(sort_key, found))

        if self.documents:
            several = groupby(found, key=lambda record: id(record.scope.file))
            return (record for _, of_one in several for record in sorted(of_one, key=key))
        before: list[Any] | None = None
        for record in found:
            at = key(record)
            if before is not None and at < before:
                self.unread = Unreads()
                return iter(sorted(self._found(), key=key))
            before = at
        self.unread = Unreads()
        return self._found()

    def _found(self) -> Iterator[Record]:
        """The records in the order of the file."""
        if self.form == "json":
            return self._json()
        return self._csv() if self.form == "csv" else self._json_lines()

    def _json(self) -> Iterator[Record]:
        if len(self._paths) > 1:
            yield from self._whole()
            return
        whole = (*self._root, *self._paths[0].steps)
        document = _Document(self._opened, whole, self._encoding)
        if document.has_more:
            for _ in document.items():  # what stands behind the records may be looked up as well
                pass
        beside = document.beside
        document = _Document(self._opened, whole, self._encoding)
        for steps, item, line in document.items():
            file = walk(beside, self._root) if document.has_more else item
            around = (walk(beside, steps[:-2]),) if len(steps) > 1 else ()
            yield from _inside(Scope(item, around, file), whole[len(steps) :], steps, line)
        if document.fault is not None:
            self.unread.add(document.fault)

    def _whole(self) -> Iterator[Record]:
        """A document in which records lie in several places, one after the other."""
        document = _Document(self._opened, self._root, self._encoding)
        for steps, item, line in document.items():
            for path in self._paths:
                yield from _inside(Scope(item, (), item), path.steps, steps, line)
        if document.fault is not None:
            self.unread.add(document.fault)

    def _json_lines(self) -> Iterator[Record]:
        with self._opened() as stream:
            for number, text in lines_of(stream, self._encoding):
                if not text.strip():
                    continue
                try:
                    value = json.loads(text.strip().rstrip(","))
                except (ValueError, RecursionError):
                    if text.strip() not in {"[", "]"}:
                        self.unread.add(Unread(Place(number), "no JSON; perhaps cut off"))
                    continue
                file = value if self.documents else {}
                found = [
                    record
                    for path in self._paths
                    for record in _inside(Scope(value, (), file), path.steps, (), number)
                ]
                for at, record in enumerate(found):
                    yield record._replace(last=at == len(found) - 1)

    def _csv(self) -> Iterator[Record]:
        with self._opened() as stream:
            lines = (line + "\n" for _, line in lines_of(stream, self._encoding))
            beginning = list(islice(lines, _LINES_OF_FORM))
            separator = self._said.get("separator") or separator_of("".join(beginning[:1]))
            header = self._said.get("header")
            escape = "\\" if any(map(_BACKSLASHED.search, beginning)) else None
            rows = csv.reader(
                chain(beginning, lines),
                delimiter=separator,
                escapechar=escape,
                doublequote=escape is None,
            )
            names = header or [name.strip() for name in next(rows, [])]
            number = 0 if header else 1
            while True:
                try:
                    row = next(rows, None)
                except csv.Error as wrong:
                    self.unread.add(Unread(Place(row=number + 1), str(wrong)))
                    return
                if row is None:
                    return
                number += 1
                if not any(cell.strip() for cell in row):
                    continue
                if any(row[len(names) :]):
                    why = f"{len(row)} fields, and the header has {len(names)}"
                    self.unread.add(Unread(Place(row=number), why, breaks_off=False))
                record = {name: cell for name, cell in zip(names, row, strict=False) if cell != ""}
                for path in self._paths:
                    for found in _inside(Scope(record, (), {}), path.steps, (), 0):
                        yield found._replace(place=found.place._replace(row=number))


_FORMS: Final = {
    "json": "JSON",
    "json-lines": "JSON Lines",
    "csv": "CSV",
    "": "neither JSON nor CSV",
}


def _list(value: Any) -> list[Any]:
    return [] if value is None else value if isinstance(value, list) else [value]


_LINES_OF_FORM: Final = 100
"""How many lines show the form of a table."""
_BACKSLASHED: Final = re.compile(r"""[{\[:,]\s?\\\"(?!")""")
"""JSON in a field whose quotation marks have backslashes before them, and are not doubled."""


def separator_of(header: str) -> str:
    """What parts the fields of CSV, by its first line."""
    return max(",;\t|", key=header.count)


def _inside(
    scope: Scope, steps: Sequence[Step], path: Sequence[Step], line: int
) -> Iterator[Record]:
    """The records under a path: each `[*]` goes one level deeper."""
    if None not in steps:
        value = walk(scope.record, tuple(steps))
        if value is not None:
            inner = scope if not steps else scope._replace(record=value)
            yield Record(inner, Place(line, written((*path, *steps))))
        return
    at = list(steps).index(None)
    before = (*path, *steps[:at])
    listed = walk(scope.record, tuple(steps[:at]))
    if isinstance(listed, str):  # a field of CSV may hold JSON
        with suppress(ValueError, RecursionError):
            listed = json.loads(listed)
    items = listed if isinstance(listed, list) else ()
    entries = list(listed.items()) if isinstance(listed, dict) else list(enumerate(items))
    for number, (key, item) in enumerate(entries):
        for record in _inside(scope.inside(item), steps[at + 1 :], (*before, key), line):
            yield record._replace(last=record.last and number == len(entries) - 1)


def written(steps: Sequence[Step]) -> str:
    """A path as it is written."""
    text = ""
    for step in steps:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else str(step)
    return text


def form_of(beginning: str) -> str:
    """The form of a file by how it begins: one of `json`, `json-lines`, `csv`; empty if none."""
    text = beginning.lstrip(BLANKS + "\ufeff")
    if text[:1] == "[":
        return "json"
    if text[:1] == "{":
        first, _, rest = text.partition("\n")
        try:
            json.loads(first)
        except (ValueError, RecursionError):
            return "json"
        return "json-lines" if rest.strip() else "json"
    second = text.partition("\n")[2].lstrip()
    if second[:1] == "{" and '":' in second.partition("\n")[0]:
        return "json-lines"  # its first line is cut off
    return "csv" if separator_of(text.partition("\n")[0]) in text.partition("\n")[0] else ""
