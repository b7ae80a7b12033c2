"""From events to JSON: one object a line, what the notation says with its words as keys.

Cards are words of the notation (`5h`, `Jk=8c`, `?*7`), and so are ranks. Whatever is not written in a log has no
key. Where a list of names has a name twice, which no object can hold, it is a list of pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, TypeAlias

from meldref.core import events
from meldref.core.cards import RANKS, Card, Played, card_text, played_text
from meldref.core.events import Action, Event, Line
from meldref.notation.actions import BY_KIND, Takes
from meldref.notation.scanner import BLANKS
from meldref.notation.writer import order_words, unseen_runs, write_line

Named: TypeAlias = "dict[str, int] | dict[str, str] | list[list[str | int]]"
Fact: TypeAlias = "str | int | list[str]"
Data: TypeAlias = "dict[str, Fact | list[dict[str, Fact]] | Named]"


def line_data(line: Line, *, readable: bool = True) -> Data:
    """A line of a log as data.

    A line without an event is `blank`, or a `comment`, or `unreadable`; the latter two are kept as they stand.
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
    return _EVENTS[type(event)](event)


def action_data(action: Action) -> dict[str, Fact]:
    """An action as data: what it is, its cards, and the number it names."""
    form = BY_KIND[type(action)]
    number = {form.number.key: getattr(action, form.number.field)} if form.number else {}
    return {"action": form.word, **_TAKES[form.takes](action), **_given(**number)}


def _given(**facts: Fact | None) -> dict[str, Any]:
    return {key: fact for key, fact in facts.items() if fact is not None}


def _row(cards: Iterable[Card]) -> list[str]:
    return [card_text(card) for card in cards]


def _laid(cards: Iterable[Played]) -> list[str]:
    return [played_text(played) for played in cards]


_TAKES: Final[dict[Takes, Callable[[Any], dict[str, Fact]]]] = {
    "nothing": lambda _: {},
    "a face": lambda action: {"card": card_text(action.card)},
    "a card": lambda action: {"card": card_text(action.card)},
    "cards": lambda action: {"cards": _row(action.cards)},
    "plays": lambda action: {"cards": _laid(action.cards)},
}
"""The cards of an action."""


def _named(pairs: Sequence[tuple[str, Any]]) -> Any:
    named = dict(pairs)
    return named if len(named) == len(pairs) else [list(pair) for pair in pairs]


def _turn(event: events.Turn) -> Data:
    actions = [action_data(action) for action in event.actions]
    return {"event": "turn", **_given(number=event.number), "player": event.player, "actions": actions}


def _assert_hand(event: events.AssertHand) -> Data:
    data: Data = {"event": "assert", "what": "hand", "player": event.player}
    if event.count is not None:
        return {**data, "count": event.count}
    return {**data, "cards": [*_row(event.cards), *unseen_runs(event.unknown)]}


_EVENTS: Final[dict[type[Any], Callable[[Any], Data]]] = {
    events.Header: lambda event: {"event": "header", "key": event.key, "value": event.value},
    events.Cut: lambda event: {
        "event": "cut",
        "cards": _named([(name, card_text(card)) for name, card in event.cards]),
    },
    events.HandStart: lambda event: {"event": "hand", **_given(number=event.number, dealer=event.dealer)},
    events.WildRank: lambda event: {"event": "wild", "rank": RANKS[event.rank]},
    events.Deal: lambda event: {
        "event": "deal",
        "player": event.player,
        "cards": [*_row(event.cards), *unseen_runs(event.unknown)],
    },
    events.UpCard: lambda event: {"event": "up", "card": card_text(event.card)},
    events.StockOrder: lambda event: {"event": "stock", "cards": list(order_words(event.cards))},
    events.Turn: _turn,
    events.Reshuffle: lambda _: {"event": "reshuffle"},
    events.Show: lambda event: {"event": "show", "player": event.player, "cards": _row(event.cards)},
    events.Gap: lambda _: {"event": "gap"},
    events.HandEnd: lambda event: {"event": "end", "reason": event.reason, **_given(player=event.player)},
    events.Points: lambda event: {"event": event.kind, "points": _named(event.amounts)},
    events.Result: lambda event: {"event": "result", "players": list(event.players)},
    events.Void: lambda event: {"event": "void", **_given(reason=event.reason or None)},
    events.Undo: lambda _: {"event": "undo"},
    events.Adjust: lambda event: {
        "event": "adjust",
        "player": event.player,
        "points": event.points,
        **_given(reason=event.reason or None),
    },
    events.Note: lambda event: {"event": "note", "text": event.text},
    events.AssertHand: _assert_hand,
    events.AssertPile: lambda event: {"event": "assert", "what": "pile", "cards": _row(event.cards)},
    events.AssertTable: lambda event: {
        "event": "assert",
        "what": "table",
        "meld": event.meld,
        "cards": _laid(event.cards),
    },
    events.AssertStock: lambda event: {"event": "assert", "what": "stock", "count": event.count},
    events.AssertScore: lambda event: {
        "event": "assert",
        "what": "score",
        "player": event.player,
        "points": event.points,
    },
}
