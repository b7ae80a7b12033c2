"""A text of JSON that ends, or begins, somewhere within: what of it can be read."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final

_DEEPEST: Final = 60
BLANKS: Final = " \t\r\n"
"""What JSON may have between its signs."""
_SIGN: Final = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}]', re.DOTALL)
_BETWEEN: Final = re.compile(r"[\s,:0-9.eE+\-truefalsn]*")
_LOOKED_AT: Final = 200
"""In how many texts it shows which signs stand in quotes."""


def partial_value(text: str, keep: int = _DEEPEST) -> Any:
    """The value of the beginning of a text: what was read until it ends.

    Of what is not complete, lists and objects are kept down to `keep` levels; a deeper one is a
    record that is not all there.
    """
    found: list[Any] = []
    with suppress(_Cut):
        _value(text, 0, found, 0, keep)
    return found[0] if found else None


def mended(text: str, levels: Sequence[str | None]) -> str:
    """A text that begins somewhere within, with what has to stand before it; empty if nothing helps.

    `levels` are the keys that lead to its records, None for a list: brackets of so many are closed
    in it, and not opened.
    """
    whole = "".join("[" if key is None else f"{{{json.dumps(key)}:" for key in levels)
    for begin in (0, *[found.end() for found in re.finditer('"', text[:_LOOKED_AT])][:1]):
        rest = text[begin:]
        if not _is_outside(rest):
            continue
        ends = _unopened(rest)
        if len(ends) < len(levels):
            continue
        skipped = ends[: len(ends) - len(levels)]
        at = skipped[-1] + 1 if skipped else _next_item(rest)
        tail = rest[at:].lstrip(BLANKS + ",")
        return whole + tail
    return ""


def _is_outside(text: str) -> bool:
    """Whether the first sign of a text stands in no quotes: between texts is nothing but JSON."""
    at = 0
    for number, found in enumerate(_SIGN.finditer(text)):
        if not _BETWEEN.fullmatch(text, at, found.start()) and number:
            return False
        at = found.end()
        if number >= _LOOKED_AT:
            break
    return at > 0


def _unopened(text: str) -> list[int]:
    """Where brackets are closed that were not opened."""
    open_, ends = 0, []
    for found in _SIGN.finditer(text):
        if found[0] in "[{":
            open_ += 1
        elif found[0] in "]}":
            if open_:
                open_ -= 1
            else:
                ends.append(found.start())
    return ends


def _next_item(text: str) -> int:
    """Where the next item of a list begins that is there as a whole."""
    for found in _SIGN.finditer(text):
        before = text[: found.start()].rstrip(BLANKS)
        if found[0] not in "]}" and before.endswith(","):
            return found.start()
        if found[0] in "]}":
            return found.start()
    return 0


class _Cut(Exception):
    """The text ends here."""


_DECODER: Final = json.JSONDecoder()


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at] in BLANKS:
        at += 1
    if at >= len(text):
        raise _Cut
    return at


def _value(text: str, at: int, into: list[Any], depth: int, keep: int) -> int:
    """Reads a value and adds it to a list at once, so that it is there if the text ends within it."""
    at = _skip(text, at)
    if depth > _DEEPEST:
        raise _Cut
    if text[at] not in "[{":
        return _scalar(text, at, into)
    is_object = text[at] == "{"
    inside: Any = {} if is_object else []
    if depth < keep:
        into.append(inside)
    at = _skip(text, at + 1)
    while text[at] not in "]}":
        held: list[Any] = [] if is_object else inside
        key = ""
        if is_object:
            keys: list[Any] = []
            at = _skip(text, _scalar(text, at, keys))
            key = str(keys[0])
            if text[at] != ":":
                raise _Cut
            at += 1
        try:
            at = _value(text, at, held, depth + 1, keep)
        finally:
            if is_object and held:
                inside[key] = held[0]
        at = _skip(text, at)
        if text[at] == ",":
            at = _skip(text, at + 1)
    if depth >= keep:
        into.append(inside)
    return at + 1


def _scalar(text: str, at: int, into: list[Any]) -> int:
    try:
        value, end = _DECODER.raw_decode(text, at)
    except (ValueError, RecursionError):
        raise _Cut from None
    into.append(value)
    return end
