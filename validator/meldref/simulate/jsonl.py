"""Events as JSON Lines: one object a line, what the notation says with its words as keys."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, TypeAlias

from meldref import events
from meldref.cards import RANKS, UNKNOWN, Card, Played, card_text, played_text
from meldref.events import Action, Event

Fact: TypeAlias = "str | int | list[str]"
Data: TypeAlias = "dict[str, Fact | list[dict[str, Fact]] | dict[str, int] | dict[str, str]]"


def json_lines(log: Iterable[Event | None]) -> Iterator[str]:
    """The lines of a log as JSON, each with its end; what is no event has none."""
    for event in log:
        if event is not None:
            yield json.dumps(event_data(event)) + "\n"


def event_data(event: Event) -> Data:
    """An event as data; cards are written as in the notation.

    Raises:
        ValueError: no simulated game has such an event.
    """
    make = _EVENTS.get(type(event))
    if make is None:
        raise ValueError(f"a simulated game has no {type(event).__name__}")
    return make(event)


def action_data(action: Action) -> dict[str, Fact]:
    """An action as data: what it is, its cards, and the number it names."""
    match action:
        case events.Draw(card) | events.Discard(card):
            return {"action": "draw" if isinstance(action, events.Draw) else "discard", "card": card_text(card)}
        case events.Take(card, count):
            return {"action": "take", "card": card_text(card), **({} if count is None else {"count": count})}
        case events.Meld(cards, number):
            return {"action": "meld", "cards": _laid(cards), **({} if number is None else {"meld": number})}
        case events.LayOff(cards, target):
            return {"action": "lay", "cards": _laid(cards), **({} if target is None else {"meld": target})}
        case events.Swap(card, target):
            return {"action": "swap", "card": card_text(card), **({} if target is None else {"meld": target})}
        case events.Call(cards):
            return {"action": "rummy", "cards": _row(cards)}
        case events.Challenge():
            return {"action": "challenge"}
        case events.Pass():
            return {"action": "pass"}


def _row(cards: Iterable[Card]) -> list[str]:
    return [card_text(card) for card in cards]


def _laid(cards: Iterable[Played]) -> list[str]:
    return [played_text(played) for played in cards]


def _turn(event: events.Turn) -> Data:
    actions = [action_data(action) for action in event.actions]
    number: Data = {} if event.number is None else {"number": event.number}
    return {"event": "turn", **number, "player": event.player, "actions": actions}


def _hand(event: events.HandStart) -> Data:
    data: Data = {"event": "hand"}
    if event.number is not None:
        data["number"] = event.number
    if event.dealer is not None:
        data["dealer"] = event.dealer
    return data


def _end(event: events.HandEnd) -> Data:
    return {"event": "end", "reason": event.reason, **({} if event.player is None else {"player": event.player})}


def _deal(event: events.Deal) -> Data:
    return {
        "event": "deal",
        "player": event.player,
        "cards": [*_row(event.cards), *_row([UNKNOWN] * event.unknown)],
    }


_EVENTS: Final[dict[type[Any], Callable[[Any], Data]]] = {
    events.Header: lambda event: {"event": "header", "key": event.key, "value": event.value},
    events.Cut: lambda event: {"event": "cut", "cards": {name: card_text(card) for name, card in event.cards}},
    events.HandStart: _hand,
    events.WildRank: lambda event: {"event": "wild", "rank": RANKS[event.rank]},
    events.Deal: _deal,
    events.UpCard: lambda event: {"event": "up", "card": card_text(event.card)},
    events.StockOrder: lambda event: {"event": "stock", "cards": _row(event.cards)},
    events.Turn: _turn,
    events.Reshuffle: lambda event: {"event": "reshuffle"},
    events.HandEnd: _end,
    events.Void: lambda event: {"event": "void", "reason": event.reason},
    events.Points: lambda event: {"event": event.kind, "points": dict(event.amounts)},
    events.Result: lambda event: {"event": "result", "players": list(event.players)},
}
