"""Which map a file is for, by its beginning: so much of it is looked at, and never all."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from meldref.notation.jsonlines.data import SCHEMA
from meldref_intake.decoding import decoded
from meldref_intake.events import maps
from meldref_intake.events.partial import partial_value
from meldref_intake.events.records import BEGINNING, form_of, separator_of
from meldref_intake.events.values import Scope, condition, path_of

__all__ = ["BEGINNING", "OWN", "Fit", "fit_at", "fit_of", "form_at", "places_of", "recognize"]

OWN: Final = "meldref"
"""The name of our own JSON events, which need no map."""
_LINES: Final = 20
_OWN_KINDS: Final = frozenset(SCHEMA.root["properties"]["event"]["enum"])


class Fit(NamedTuple):
    """A map for a file: its name, and where in the file lie its records.

    `root` are the keys that lead to what the map calls the file, `at` the paths of records from
    there; without, they are those of the map. `documents`: the file is a list of what the map calls
    a file, or has one on each line, and each is a game of its own.
    """

    name: str
    root: tuple[str, ...] = ()
    at: tuple[str, ...] = ()
    documents: bool = False


class _Seen(NamedTuple):
    """The beginning of a file as a map may see it, and where its records are then."""

    values: Sequence[Any]
    root: tuple[str, ...] = ()
    at: tuple[str, ...] = ()
    documents: bool = False


def recognize(beginning: bytes) -> Fit | None:
    """The shipped map for a file that begins so, or our own events; None if there is none."""
    text = decoded(beginning)
    form = form_of(text)
    looked_at = _looked_at(text, form)
    own = looked_at[0] if form == "json" and isinstance(looked_at[0], list) else looked_at
    if form.startswith("json") and _are_own(own[:_LINES]):
        return Fit(OWN)
    for path in maps.shipped():
        loaded = maps.load_shipped(path.stem)
        fit = fit_of(loaded, form, looked_at)
        if fit is not None:
            return fit
    return None


def fit_of(loaded: maps.Map, form: str, looked_at: Sequence[Any]) -> Fit | None:
    """How a map fits a file of a form with such a beginning; None if it does not."""
    said = loaded.said.get("recognize", {})
    fits, has = condition(said.get("where")), [path_of(one) for one in said.get("has", ())]
    for seen in _as_seen(said.get("form"), places_of(loaded), form, looked_at):
        for value in seen.values:
            scope = Scope(value, (), value)
            if all(one.of(scope) is not None for one in has) and fits(scope):
                return Fit(loaded.id, seen.root, seen.at, seen.documents)
    return None


def fit_at(beginning: bytes, loaded: maps.Map) -> Fit | None:
    """How a map that was named fits a file that begins so; None if it says nothing of that."""
    text = decoded(beginning)
    form = form_of(text)
    return fit_of(loaded, form, _looked_at(text, form)) if "recognize" in loaded.said else None


def places_of(loaded: maps.Map) -> tuple[str, ...]:
    """The paths of the records, as a map says them."""
    said = loaded.said["records"].get("at", ".")
    return (said,) if isinstance(said, str) else tuple(said)


def _as_seen(
    made_for: str | None, at: tuple[str, ...], form: str, looked_at: Sequence[Any]
) -> Iterator[_Seen]:
    """What a map of one form sees of a file, also where its records lie in another way.

    Lines may stand in a list, the items of a list on lines or alone, all of a file under a key, several
    files in a list or on lines, and records without the key that the map has them under.
    """
    if made_for == form:
        yield _Seen(looked_at)
    value = looked_at[0] if looked_at else None
    listed = tuple("[*]" if one == "." else f"[*].{one}" for one in at)
    inner = tuple(one[3:].lstrip(".") or "." for one in at if one.startswith("[*]"))
    keyed = list(value.items()) if form == "json" and isinstance(value, dict) else []
    inside = [((key,), part) for key, part in keyed if isinstance(part, (dict, list))]
    if (made_for, form) == ("json-lines", "json"):
        for root, part in [((), value), *inside]:
            if isinstance(part, list):
                yield _Seen(part[:_LINES], root, listed)
                yield from _bare(at, part[:_LINES], root, ("[*]",))
    elif (made_for, form) == ("json", "json-lines") and len(inner) == len(at):
        yield _Seen([[one] for one in looked_at], (), inner)
    elif (made_for, form) == ("json", "json-lines") and len(at) == 1:
        yield _Seen(looked_at, (), at, documents=True)
    elif made_for == form == "json-lines":
        yield from _bare(at, looked_at, (), (".",))
    elif made_for == form == "json":
        for root, part in inside:
            yield _Seen([part], root, at)
        if len(inner) == len(at):
            for root, part in [((), value), *inside]:
                yield _Seen([[part]], root, inner)
        if len(at) == 1 and isinstance(value, list):
            yield _Seen(value[:_LINES], (), listed, documents=True)


def _bare(
    at: tuple[str, ...], lines: Sequence[Any], root: tuple[str, ...], places: tuple[str, ...]
) -> Iterator[_Seen]:
    """Records without the key that the map has them under."""
    if len(at) == 1 and at[0].isidentifier():
        yield _Seen([{at[0]: line} for line in lines], root, places)


def form_at(beginning: bytes) -> str:
    """The form of a file that begins so: json, json-lines or csv; empty if it is none of them."""
    return form_of(decoded(beginning))


def _are_own(lines: list[Any]) -> bool:
    objects = [line for line in lines if isinstance(line, dict)]
    return bool(objects) and all(
        isinstance(line.get("event"), str) and line["event"] in _OWN_KINDS for line in objects
    )


def _looked_at(text: str, form: str) -> list[Any]:
    """The first records of a text, or its beginning as far as that can be read."""
    text = text.removeprefix("\ufeff")
    if form == "json":
        return [partial_value(text)]
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
        try:
            rows = list(csv.reader(lines, delimiter=separator_of(lines[0])))
        except csv.Error:
            return [{}]
        names = [name.strip() for name in rows[0]] if rows else []
        return [dict.fromkeys(names, "")]
    return [None]
