"""Records of a file to import; and what comes out of it, as data: hands with their turns, ends and scores."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from meldref.core import events
from meldref.core.cards import UNKNOWN, card_text, played_text
from meldref.notation.reader import read_lines


def json_lines(*records: Any) -> str:
    """A file with a record on each line."""
    return "".join(f"{json.dumps(record)}\n" for record in records)


def summary(lines: Iterable[str]) -> dict[str, Any]:
    """The facts of a log, in the words of `expected.yaml` files."""
    game: dict[str, Any] = {"players": [], "rules": {}, "hands": [], "results": []}
    hand: dict[str, Any] = {}
    for line, findings in read_lines(lines):
        assert not findings, findings
        event = line.event
        if isinstance(event, events.Header):
            if event.key == "Players":
                game["players"] = [name.strip() for name in event.value.split(",")]
            elif event.key in {"Rules", "Options"}:
                game["rules"][event.key] = event.value
        elif isinstance(event, events.HandStart):
            hand = _new_hand(event)
            game["hands"].append(hand)
        elif isinstance(event, events.Turn):
            _turn(hand, event)
        else:
            _other(game, hand, event)
    return game


def _new_hand(event: events.HandStart) -> dict[str, Any]:
    return {
        "number": event.number,
        "dealer": event.dealer,
        "first": None,
        "turns": 0,
        "stock_draws": 0,
        "pile_takes": [],
        "melds": [],
        "laid": {},
        "discards": [],
        "swaps": 0,
        "deal": {},
        "up": None,
        "untold_takes": 0,
        "score": None,
        "total": None,
        "end": None,
        "_open": None,
        "_off": {},
        "_new": {},
    }


def _turn(hand: dict[str, Any], event: events.Turn) -> None:
    hand["first"] = hand["first"] or event.player
    breaks_in = isinstance(event.actions[0], events.Call)
    if not breaks_in and hand["_open"] != event.player:
        hand["turns"] += 1
    hand["_open"] = event.player
    for action in event.actions:
        if isinstance(action, events.Draw):
            hand["stock_draws"] += 1
        elif isinstance(action, events.Take):
            hand["pile_takes"].append(action.count)
            hand["untold_takes"] += action.card == UNKNOWN
        elif isinstance(action, (events.Meld, events.LayOff)):
            _lay(hand, event.player, action)
        elif isinstance(action, events.Swap):
            _swap(hand, event.player, action)
        elif isinstance(action, events.Discard):
            hand["discards"].append(card_text(action.card))
            hand["_open"] = None


def _lay(hand: dict[str, Any], player: str, action: events.Meld | events.LayOff) -> None:
    words = [played_text(played) for played in action.cards]
    hand["laid"].setdefault(player, []).extend(words)
    if isinstance(action, events.Meld):
        hand["melds"].append(list(words))
        hand["_new"].setdefault(player, []).append(list(words))
    else:
        hand["_off"].setdefault(player, []).extend(words)
        if action.target is not None:
            hand["melds"][action.target - 1].extend(words)


def _swap(hand: dict[str, Any], player: str, action: events.Swap) -> None:
    hand["swaps"] += 1
    card = card_text(action.card)
    meld = hand["melds"][(action.target or 0) - 1]
    joker = next(word for word in meld if word in {f"Jk={card}", f"Jk={card[0]}", "Jk"})
    meld[meld.index(joker)] = card
    for words in hand["laid"].values():
        if joker in words:
            words.remove(joker)
            break
    hand["laid"].setdefault(player, []).append(card)


def _other(game: dict[str, Any], hand: dict[str, Any], event: object) -> None:
    if isinstance(event, events.Deal):
        cards = [card_text(card) for card in event.cards]
        hand["deal"][event.player] = cards + ["?"] * event.unknown
    elif isinstance(event, events.UpCard):
        hand["up"] = card_text(event.card)
    elif isinstance(event, events.StockOrder):
        hand["stock_top_first"] = [card_text(card) for card in event.cards]
    elif isinstance(event, events.HandEnd):
        hand["end"] = {"how": event.reason, "who": event.player}
    elif isinstance(event, events.Points):
        hand[event.kind] = dict(event.amounts)
    elif isinstance(event, events.Result):
        game["results"].append(list(event.players))
