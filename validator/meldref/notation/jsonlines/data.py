"""From events to JSON: one object per line, with the words of the notation as keys.

Cards and ranks are words of the notation (`5h`, `Jk=8c`, `?*7`). What is not written in a log has
no key. A list of names with a name in it twice, which no object can hold, becomes a list of pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Final, TypeAlias

from meldref.core import events
from meldref.core.cards import RANKS, UNKNOWN, Card, Played, card_text, played_text
from meldref.core.events import Action, Event, Line
from meldref.core.json_schema import JsonSchema
from meldref.notation.actions import BY_KIND
from meldref.notation.scanner import BLANKS
from meldref.notation.writer import order_words, unseen_runs, write_line

Data: TypeAlias = dict[str, Any]

SCHEMA: Final = JsonSchema("grammar", "events.schema.json")
KINDS: Final[dict[type[Any], tuple[str, str]]] = {
    events.Header: ("event", "header"),
    events.Cut: ("event", "cut"),
    events.HandStart: ("event", "hand"),
    events.WildRank: ("event", "wild"),
    events.Deal: ("event", "deal"),
    events.UpCard: ("event", "up"),
    events.StockOrder: ("event", "stock"),
    events.Turn: ("event", "turn"),
    events.Reshuffle: ("event", "reshuffle"),
    events.Show: ("event", "show"),
    events.Gap: ("event", "gap"),
    events.HandEnd: ("event", "end"),
    events.Result: ("event", "result"),
    events.Void: ("event", "void"),
    events.Undo: ("event", "undo"),
    events.Adjust: ("event", "adjust"),
    events.Note: ("event", "note"),
    events.AssertHand: ("what", "hand"),
    events.AssertPile: ("what", "pile"),
    events.AssertTable: ("what", "table"),
    events.AssertStock: ("what", "stock"),
    events.AssertScore: ("what", "score"),
    events.AssertScores: ("what", "scores"),
}
"""The key that says what an object is, and its word, for each event; those of `Points` are its
kind."""


def line_data(line: Line, *, readable: bool = True) -> Data:
    """A line of a log as data.

    A line without an event is `blank`, or a `comment`, or `unreadable`; the latter two are kept as
    they stand.
    """
    if line.event is None:
        text = write_line(line)
        if not text.strip(BLANKS):
            return {"event": "blank"}
        return {"event": "comment" if readable else "unreadable", "text": text}
    data = event_data(line.event)
    if line.expected:
        data["expected"] = list(line.expected)
    if line.annotation is not None:
        data["annotation"] = line.annotation
    if line.comment is not None:
        data["comment"] = line.comment.rstrip(BLANKS)
    return data


def event_data(event: Event) -> Data:
    """An event as data."""
    if isinstance(event, events.Points):
        return {"event": event.kind, "points": _named(event.amounts)}
    by, word = KINDS[type(event)]
    data: Data = {"event": word} if by == "event" else {"event": "assert", "what": word}
    data |= _given(event, by, word)
    if isinstance(event, (events.Deal, events.AssertHand)):
        data["cards"] += unseen_runs(event.unknown)
    if "count" in data and "cards" in data:
        del data["cards"]  # a hand that is asserted by its count
    if isinstance(event, events.AssertScores):
        data["points"] = _named(event.amounts)
    if isinstance(event, events.AssertTable):
        del data["cards" if event.layers else "layers"]
    return data


def action_data(action: Action) -> Data:
    """An action as data: what it is, its cards, and the number it names."""
    form = BY_KIND[type(action)]
    data: Data = {"action": form.word, **_given(action, "action", form.word)}
    if form.number is not None and (number := getattr(action, form.number.field)) is not None:
        data[form.number.key] = number
    return data


@cache
def parts(by: str, word: str) -> dict[str, str]:
    """The keys of an object, each with the name of what the schema says of it."""
    node = SCHEMA.root["$defs"][f"{'assert' if by == 'what' else by}-{word}"]
    return {
        key: part.get("$ref", "").rpartition("/")[2] for key, part in node["properties"].items()
    }


def _given(item: Event | Action, by: str, word: str) -> Data:
    """What an event or action says, by the keys of the schema."""
    data: Data = {}
    for key, write in _writers(by, word):
        value = getattr(item, key, None)
        if value is not None and (value or key != "reason"):
            data[key] = value if write is None else write(value)
    return data


@cache
def _writers(by: str, word: str) -> tuple[tuple[str, Callable[[Any], Any] | None], ...]:
    """The keys of an object beside its word and the common ones, and how values are changed."""
    others = {by, "event", "expected", "annotation", "comment"}
    return tuple(
        (key, _WRITE.get(name)) for key, name in parts(by, word).items() if key not in others
    )


def _row(cards: Sequence[Card]) -> list[str]:
    return list(order_words(cards)) if UNKNOWN in cards else [card_text(card) for card in cards]


def _laid(cards: Sequence[Played]) -> list[str]:
    return [played_text(played) for played in cards]


def _named(pairs: Sequence[tuple[str, Any]]) -> Any:
    named = dict(pairs)
    return named if len(named) == len(pairs) else [list(pair) for pair in pairs]


_WRITE: Final[dict[str, Callable[[Any], Any]]] = {
    "card": card_text,
    "face": card_text,
    "rank": RANKS.__getitem__,
    **dict.fromkeys(("cards", "anyCards", "faces", "anyFaces"), _row),
    "plays": _laid,
    "cuts": lambda cards: _named([(name, card_text(card)) for name, card in cards]),
    "actions": lambda actions: [action_data(action) for action in actions],
    "layers": lambda layers: _named([(name, _laid(cards)) for name, cards in layers]),
    "names": list,
}
"""A value of an event as JSON has it, by its name in the schema; any other is the same in both."""
