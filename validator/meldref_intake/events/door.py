"""The door: a file of a program, by the map that was named or by what it looks like."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import Final, NamedTuple, Protocol

from meldref.core.diagnostics import Finding
from meldref.core.text import many
from meldref_intake.events import maps
from meldref_intake.events.hands import Row
from meldref_intake.events.importer import Importer, Said
from meldref_intake.events.own import OwnEvents
from meldref_intake.events.partial import mended
from meldref_intake.events.recognize import (
    OWN,
    Fit,
    fit_at,
    form_at,
    places_of,
    recognize,
)
from meldref_intake.events.records import BEGINNING, Opened, Place, Source, Unreads
from meldref_intake.events.values import path_of
from meldref_intake.source import Doubt, Intake, LogLine
from meldref_intake.source import Place as AtPlace

_MOST_NAMED: Final = 3
_MOST_MENDED: Final = 1 << 26
"""The most bytes of a document that is cut off at its beginning."""
_LOOKED_AT: Final = 20
"""How many of its records show whose it is."""
_NO_CARD: Final = " is no card"
NO_MAP: Final = (
    "no shipped map is for these events (meldref import --list names them); write one, as "
    "docs/event-maps.md shows, and name it with --map"
)


class Events(Protocol):
    """A file of events under way: its lines as they come, and then what became of its records."""

    unmapped: list[Said]
    left_out: int
    said: list[Said]
    ends_within: bool

    @property
    def unread(self) -> Unreads:
        """The parts of the file that are no records."""

    def rows(self) -> Iterator[Row]:
        """The lines of the log, each with the places of its records."""

    def why_nothing(self) -> str:
        """Why there are no lines but headers; the rows have to be read by then."""


class NoMap(Exception):
    """No map can be used for a file: the sentence that says why, and what is wrong with one."""

    def __init__(self, why: str, findings: tuple[Finding, ...] = ()) -> None:
        super().__init__(why)
        self.findings = findings


def open_events(
    opened: Opened, named: str | None = None, rules: str | None = None, *, explains: bool = False
) -> Events:
    """The events of a file, by a map's id or file, or by the shipped map that it looks made for.

    Raises:
        NoMap: there is no such map, it is wrong, or no map is for the file.
        OSError: the file cannot be read.
    """
    if named is None:
        events = open_known(opened, rules, explains=explains)
        if events is None:
            raise NoMap(NO_MAP)
        return events
    if named == OWN:
        return OwnEvents(opened)
    loaded = map_named(named)
    with opened() as stream:
        beginning = stream.read(BEGINNING)
    fit = fit_at(beginning, loaded) or _cut_fit(opened, beginning, [loaded])
    return _by(loaded, fit, opened, form_at(beginning), rules, explains=explains)


def open_known(
    opened: Opened, rules: str | None = None, *, explains: bool = False
) -> Events | None:
    """The events of a file by the shipped map that it looks made for; None if there is none.

    Raises:
        OSError: the file cannot be read.
    """
    with opened() as stream:
        beginning = stream.read(BEGINNING)
    fit = recognize(beginning) or _cut_fit(opened, beginning, map(_shipped, maps.shipped()))
    if fit is None:
        return None
    if fit.name == OWN:
        return OwnEvents(opened)
    loaded = maps.load_shipped(fit.name)
    return _by(loaded, fit, opened, form_at(beginning), rules, explains=explains)


def _by(
    loaded: maps.Map,
    fit: Fit | CutFit | None,
    opened: Opened,
    form: str,
    rules: str | None,
    *,
    explains: bool,
) -> Events:
    """The events of a file by a map."""
    if isinstance(fit, CutFit):
        return Importer(loaded.plan, fit.source, rules=rules, explains=explains)
    records = loaded.said["records"]
    if fit is None or not fit.at:
        form = loaded.form or form
    else:
        records = {**records, "at": list(fit.at)}
    if not form:
        raise NoMap("this is neither JSON nor JSON Lines nor CSV")
    source = Source(opened, form, records)
    if fit is not None:
        source = Source(opened, form, records, fit.root, documents=fit.documents)
    return Importer(loaded.plan, source, rules=rules, explains=explains)


class CutFit(NamedTuple):
    """A map for a document of JSON that is cut off at its beginning, which was mended for it."""

    name: str
    source: Source


def _cut_fit(opened: Opened, beginning: bytes, several: Iterable[maps.Map]) -> CutFit | None:
    """The map for a document that is cut off at its beginning: it knows what most records are."""
    if form_at(beginning).startswith("json") or b'"' not in beginning:
        return None
    with opened() as stream:
        data = stream.read(_MOST_MENDED + 1)
    text = data.decode("utf-8", "replace").rstrip()
    if len(data) > _MOST_MENDED or not text.endswith(("]", "}")):
        return None
    for loaded in several:
        places = places_of(loaded)
        steps = path_of(places[0]).steps
        if loaded.form != "json" or len(places) > 1 or None not in steps:
            continue
        levels = [step for step in steps if not isinstance(step, int)]
        for depth in range(len(levels), 0, -1):
            whole = mended(text, levels[:depth]) if levels[depth - 1] is None else ""
            source = Source(partial(BytesIO, whole.encode()), "json", loaded.said["records"])
            source.is_cut = depth == len(levels)
            if whole and Importer(loaded.plan, source).knows_most(_LOOKED_AT):
                return CutFit(loaded.id, source)
    return None


def lines_of_records(events: Events) -> Iterator[Row]:
    """The lines of the log, as they come.

    Raises:
        NoMap: there would be nothing but headers, and they are not our own events.
    """
    rows = events.rows()
    headers: list[Row] = []
    for row in rows:
        headers.append(row)
        if not row.text.startswith("["):
            break
    else:
        if not isinstance(events, OwnEvents):
            raise NoMap(events.why_nothing())
    yield from chain(headers, rows)


def intake_of(events: Events) -> Intake:
    """The log of a file of events as a whole, each line with the records that it was made of.

    Raises:
        NoMap: nothing came into it.
    """
    lines = [
        LogLine(row.text, _place(row.places[:1]), by_column=_placed(row.places))
        for row in lines_of_records(events)
    ]
    return Intake(
        lines, tuple(map(_doubt, doubts(events))), of_records=True, ends_within=events.ends_within
    )


def _placed(places: Sequence[tuple[int, Place]]) -> tuple[tuple[int, AtPlace], ...]:
    if len(places) < 2:
        return ()
    return tuple([(column, _at(place)) for column, place in places])


def _place(first: Sequence[tuple[int, Place]]) -> AtPlace:
    return _at(first[0][1]) if first else AtPlace()


def _at(place: Place) -> AtPlace:
    return AtPlace(place.row or place.line or 1, path=place.path if "[" in place.path else "")


def _doubt(said: tuple[Place, str]) -> Doubt:
    return Doubt(_at(said[0]), said[1])


def is_foreign(beginning: bytes) -> bool:
    """Whether a shipped map is for a file that begins so, and it is not one of our own events."""
    fit = recognize(beginning)
    return fit is not None and fit.name != OWN


def map_named(name: str) -> maps.Map:
    """The map of an id or a file.

    Raises:
        NoMap: there is none, or it is wrong.
    """
    try:
        loaded, findings = maps.load(maps.find(name))
    except OSError as wrong:
        raise NoMap(str(wrong) if wrong.filename is None else f"{name}: {wrong.strerror}") from None
    if loaded is None:
        raise NoMap(f"{name}: the map cannot be used", findings)
    return loaded


def listed() -> str:
    """The shipped maps, a line for each."""
    rows = [(OWN, "the JSON events of meldref itself, as convert writes them")]
    rows += [(loaded.id, loaded.title) for loaded in map(_shipped, maps.shipped())]
    width = max(len(name) for name, _ in rows)
    return "\n".join(f"{name:<{width}}  {title}" for name, title in rows)


def _shipped(path: Path) -> maps.Map:
    return maps.load_shipped(path.stem)


def explained(events: Events) -> Iterator[str]:
    """Which records became which lines, and which did not; the rows have to be read by then."""
    for said in events.said:
        if said.why:
            yield f"{said.place}: nothing ({said.why})"
            continue
        entry = f"entry {said.entry}" if said.entry > 0 else "at_end" if said.entry else "snapshot"
        yield f"{said.place}: {' · '.join(said.texts) or 'ignored'}   [{entry}]"
    for part in events.unread:
        yield f"{part.place}: not read ({part.why})"


def doubts(events: Events) -> Iterator[tuple[Place, str]]:
    """What of a file did not become lines: the first record of each kind, and how many there are."""
    for part in events.unread[:_MOST_NAMED]:
        yield part.place, f"not read: {part.why}"
    more = len(events.unread) + events.unread.left_out - _MOST_NAMED
    if more > 0:
        yield events.unread[_MOST_NAMED].place, f"{many(more, 'more part')} not read"
    by_reason: dict[str, list[Said]] = {}
    for said in events.unmapped:
        is_alike = said.why.endswith(_NO_CARD) and len(by_reason) >= _MOST_NAMED
        is_alike = is_alike and said.why not in by_reason
        by_reason.setdefault(_NO_CARD if is_alike else said.why, []).append(said)
    for several in by_reason.values():
        place, why = several[0].place, several[0].why
        where = f"{place.path}: " if place.path else ""
        tail = f" (and {many(len(several) - 1, 'more record')})" if len(several) > 1 else ""
        shown = f", such as {several[0].shown}" if tail and several[0].shown else ""
        yield place, f"{where}not in the log: {why}{tail}{shown}"
    if events.left_out:
        yield Place(), f"{many(events.left_out, 'more record')} not in the log"
