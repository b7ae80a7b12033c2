"""Which map a file is for, by its beginning: so much of it is looked at, and never all."""

from __future__ import annotations

import csv
import json
from contextlib import suppress
from typing import Any, Final

from meldref.notation.jsonlines.data import SCHEMA
from meldref_intake.events import maps
from meldref_intake.events.records import encoding_of, form_of
from meldref_intake.events.values import Scope, condition, path_of

BEGINNING: Final = 1 << 19
"""How many bytes of a file are looked at."""
OWN: Final = "meldref"
"""The name of our own JSON events, which need no map."""
_LINES: Final = 20
_DEEPEST: Final = 60
_BLANKS: Final = " \t\r\n"
_OWN_KINDS: Final = frozenset(SCHEMA.root["properties"]["event"]["enum"])


def recognize(beginning: bytes) -> str | None:
    """The id of the shipped map for a file that begins so; None if there is none.

    Our own events are `meldref`.
    """
    text = beginning.decode(encoding_of(beginning), "replace")
    form = form_of(text)
    looked_at = _looked_at(text, form)
    if form == "json-lines" and _are_own(looked_at):
        return OWN
    if form == "json" and _are_own([looked_at[0]]) and looked_at[0]:
        return OWN  # a single line
    for path in maps.shipped():
        loaded = maps.load_shipped(path.stem)
        said = loaded.said.get("recognize", {})
        fits, has = condition(said.get("where")), [path_of(one) for one in said.get("has", ())]
        for value in _looked_at_as(said.get("form"), form, looked_at):
            scope = Scope(value, (), value)
            if all(one.of(scope) is not None for one in has) and fits(scope):
                return loaded.id
    return None


def _looked_at_as(made_for: str | None, form: str, looked_at: list[Any]) -> list[Any]:
    """What a map of one form sees of a file of another: lines may stand in a list, items on lines."""
    if made_for == form:
        return looked_at
    if (made_for, form) == ("json-lines", "json") and isinstance(looked_at[0], list):
        return looked_at[0][:_LINES]
    if (made_for, form) == ("json", "json-lines"):
        return [[value] for value in looked_at]
    return []


def form_at(beginning: bytes) -> str:
    """The form of a file that begins so: json, json-lines or csv; empty if it is none of them."""
    return form_of(beginning.decode(encoding_of(beginning), "replace"))


def _are_own(lines: list[Any]) -> bool:
    objects = [line for line in lines if isinstance(line, dict)]
    return bool(objects) and all(
        isinstance(line.get("event"), str) and line["event"] in _OWN_KINDS for line in objects
    )


def _looked_at(text: str, form: str) -> list[Any]:
    """The first records of a text, or its beginning as far as that can be read."""
    text = text.removeprefix("\ufeff")
    if form == "json":
        return [_partial(text)]
    if form == "json-lines":
        found = []
        for line in text.split("\n")[:_LINES]:
            try:
                found.append(json.loads(line))
            except (ValueError, RecursionError):
                continue
        return found
    if form == "csv":
        lines = text.split("\n")[:2]
        separator = max(",;\t|", key=lines[0].count)
        try:
            rows = list(csv.reader(lines, delimiter=separator))
        except csv.Error:
            return [{}]
        names = [name.strip() for name in rows[0]] if rows else []
        return [dict.fromkeys(names, "")]
    return [None]


class _Cut(Exception):
    """The text ends here."""


def _partial(text: str) -> Any:
    """The value of the beginning of a text of JSON: what was read until it ends."""
    found: list[Any] = []
    with suppress(_Cut):
        _value(text, 0, found, 0)
    return found[0] if found else None


_DECODER: Final = json.JSONDecoder()


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at] in _BLANKS:
        at += 1
    if at >= len(text):
        raise _Cut
    return at


def _value(text: str, at: int, into: list[Any], depth: int) -> int:
    """Reads a value and adds it to a list at once, so that it is there if the text ends within it."""
    at = _skip(text, at)
    if depth > _DEEPEST:
        raise _Cut
    if text[at] not in "[{":
        return _scalar(text, at, into)
    is_object = text[at] == "{"
    inside: Any = {} if is_object else []
    into.append(inside)
    at = _skip(text, at + 1)
    while text[at] not in "]}":
        held: list[Any] = inside if not is_object else []
        key = ""
        if is_object:
            keys: list[Any] = []
            at = _skip(text, _scalar(text, at, keys))
            key = str(keys[0])
            if text[at] != ":":
                raise _Cut
            at += 1
        try:
            at = _value(text, at, held, depth + 1)
        finally:
            if is_object and held:
                inside[key] = held[0]
        at = _skip(text, at)
        if text[at] == ",":
            at = _skip(text, at + 1)
    return at + 1


def _scalar(text: str, at: int, into: list[Any]) -> int:
    try:
        value, end = _DECODER.raw_decode(text, at)
    except (ValueError, RecursionError):
        raise _Cut from None
    into.append(value)
    return end
