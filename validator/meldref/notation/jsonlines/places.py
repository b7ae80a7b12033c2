"""A line of JSON, read strictly: its value, or what is wrong with it, and the columns of its parts.

Python's reader accepts duplicate keys, numbers of any size and `NaN`. Here they are marked, so that
they can be reported at their place.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from itertools import count
from typing import Any, Final, NamedTuple, TypeAlias

Path: TypeAlias = tuple[str | int, ...]
"""The keys and indices that lead to a value."""

_SPACE: Final = re.compile(r"[ \t\r\n]*")
_DIGITS: Final = 15
"""The most digits of a number that is read as one."""


class JsonError(NamedTuple):
    """What is wrong, and where: at the value the path leads to, or at its key (`of_key`)."""

    path: Path
    message: str
    of_key: bool = False


class Broken(NamedTuple):
    """A text that is not JSON: what is wrong, and at which offset."""

    message: str
    offset: int


class Object(dict[str, Any]):
    """An object, and the keys it has more than once."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        self.twice: tuple[str, ...] = ()
        if len(self) < len(pairs):
            self.twice = tuple(
                [key for key, times in Counter(key for key, _ in pairs).items() if times > 1]
            )


class Odd(NamedTuple):
    """A number that no log can hold, as it is written."""

    text: str


def _whole(text: str) -> int | Odd:
    return int(text) if len(text) <= _DIGITS else Odd(text)


_DECODER: Final = json.JSONDecoder(
    object_pairs_hook=Object, parse_int=_whole, parse_float=Odd, parse_constant=Odd
)


def parse(text: str) -> object:
    """The value of a line of JSON, or why there is none."""
    try:
        return _DECODER.decode(text)
    except json.JSONDecodeError as error:
        return Broken(_in_words(error.msg), error.pos)
    except RecursionError:
        return Broken("brackets nested far too deep", 0)


def _in_words(message: str) -> str:
    """The message of Python's reader, as part of a sentence."""
    text = message.split(": ", maxsplit=1)[0].removesuffix(" at").removesuffix(" starting")
    return text[:1].lower() + text[1:]


def place_of(text: str, fault: JsonError) -> tuple[int, int]:
    """The offsets in a line of JSON, begin and end, of what a fault is about."""
    begin = _space(text, 0)
    key = (begin, _end_of(text, begin))
    for at, wanted in enumerate(fault.path, 1):
        matching = [(key, value) for step, key, value in _items(text, begin) if step == wanted]
        if not matching:
            break
        key, begin = matching[
            -1 if fault.of_key and at == len(fault.path) else 0
        ]  # of a duplicate key, the second one
    return key if fault.of_key else (begin, _end_of(text, begin))


def _end_of(text: str, begin: int) -> int:
    return _DECODER.raw_decode(text, begin)[1]


def _items(text: str, begin: int) -> Iterator[tuple[str | int, tuple[int, int], int]]:
    """The keys or indices of what begins there, with their offsets, and where its value begins."""
    inside = text[begin] == "{"
    at = begin + 1
    for number in count():
        at = _space(text, at)
        if text[at] in "]}":
            return
        step: str | int = number
        key = (at, at)
        if inside:
            step, end = _DECODER.raw_decode(text, at)
            key = (at, end)
            at = _space(text, _space(text, end) + 1)
        yield step, key, at
        at = _space(text, _end_of(text, at))
        at += text[at] == ","


def _space(text: str, at: int) -> int:
    return _SPACE.match(text, at).end()  # type: ignore[union-attr]
