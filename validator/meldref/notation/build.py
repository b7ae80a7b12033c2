"""From the grammar's rules to events: what each rule makes of its parts, called while Lark parses.

Loaded together with Lark; use `meldref.notation.grammar`, which loads both when they are needed.
"""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, Final

from lark import Token

from meldref.core import events
from meldref.core.cards import UNKNOWN
from meldref.notation import spelling
from meldref.notation.actions import BY_WORD
from meldref.notation.scanner import Head, ReadLine, Trailers
from meldref.notation.syntax import HEADER_KEYS

_KEYS: Final = {key.lower(): key for key in HEADER_KEYS}
_VALUES: Final[dict[str, Callable[[Any], object]]] = {
    **dict.fromkeys(("TEXT", "ANNOTATION"), lambda token: token[1:-1]),
    "COMMENT": lambda token: token[1:],
    "CODE": str.casefold,
    "RANK": spelling.rank,
    "CARD": spelling.FACES.__getitem__,
    "FACE": spelling.FACES.__getitem__,
    "CARDS": lambda token: spelling.cards(spelling.words(token)),
    "PLAYS": lambda token: spelling.plays(spelling.words(token)),
    "FACES": lambda token: spelling.faces(spelling.words(token)),
    "TURN_NUMBER": lambda token: int(token.rstrip(".")),
    "NUMBER": spelling.amount,
    "SIGNED": spelling.amount,
    "UNREAD": lambda _: None,
    **dict.fromkeys(("MELD_NUMBER", "COUNT"), lambda token: int(token[1:])),
    **dict.fromkeys(
        [word.upper() for word in (*BY_WORD, "score", "total", "chips")],
        lambda token: token.type.lower(),
    ),
}
"""What the terminals mean; of any other one, its text."""


def _value(part: object) -> Any:
    return _VALUES.get(part.type, str)(part) if isinstance(part, Token) else part


def _of_values(make: Callable[..., object]) -> Callable[[list[object]], object]:
    return lambda parts: make(*map(_value, parts))


def _line(*parts: Any) -> ReadLine:
    """The event, if there is one, and the trailers."""
    event: events.Event | None = None
    trailers: dict[str, Any] = {}
    for part in parts:
        if isinstance(part, dict):
            trailers |= part
        else:
            event = part
    return ReadLine(event, Trailers(**trailers))


def _head(parts: list[Token]) -> Head:
    *number, name = parts
    return Head(_value(number[0]) if number else None, _value(name), name.column or 1)


def _action(word: str, *values: Any) -> events.Action:
    form = BY_WORD[word]
    return form.make(UNKNOWN) if form.may_be_bare and not values else form.make(*values)


def _hand(*parts: int | str) -> events.HandStart:
    """Its number and its dealer, either of which may be missing."""
    number = next((part for part in parts if isinstance(part, int)), None)
    return events.HandStart(number, next((part for part in parts if isinstance(part, str)), None))


_RULES: Final[dict[str, Callable[..., object]]] = {
    "line": _line,
    "annotation": lambda text: {"annotation": text},
    "expected": lambda *codes: {"expected": codes},
    "comment": lambda text: {"comment": text},
    "turn": lambda head, *actions: events.Turn(head.number, head.player, actions, head.column),
    **dict.fromkeys((*BY_WORD, "decline"), _action),
    "header": lambda key, text: events.Header(_KEYS.get(key.lower()) or key, text),
    "hand": _hand,
    "deal": lambda name, faces: events.Deal(name, *spelling.known_and_unknown(faces)),
    "up": events.UpCard,
    "stock": events.StockOrder,
    "cut": lambda *drawn: events.Cut(drawn),
    "cut_card": lambda name, card: (name, card),
    "wild": events.WildRank,
    "reshuffle": events.Reshuffle,
    "show": events.Show,
    "gap": events.Gap,
    "end_out": lambda *name: events.HandEnd("out", *name),
    "end_stock": lambda: events.HandEnd("stock"),
    "end_agreed": lambda: events.HandEnd("agreed"),
    "points": lambda kind, *amounts: events.Points(kind, amounts),
    "amount": lambda side, points: (side, points),
    "side": lambda *names: "+".join(names),
    "result": lambda *sides: events.Result(sides),
    "void": lambda *words: events.Void(" ".join(words)),
    "undo": events.Undo,
    "adjust": events.Adjust,
    "note": events.Note,
    "assert_count": events.AssertHand,
    "assert_hand": lambda name, faces=(): events.AssertHand(
        name, None, *spelling.known_and_unknown(faces)
    ),
    "assert_pile": lambda cards=(): events.AssertPile(cards),
    "assert_table": events.AssertTable,
    "assert_layers": lambda meld, *layers: events.AssertTable.of(meld, spelling.layers(layers)),
    "layer": lambda name, cards: (name, cards),
    "assert_stock": events.AssertStock,
    "assert_scores": lambda _word, *amounts: events.AssertScores.of(amounts),
}
"""What the rules make of the values of their parts."""

BUILD: Final = SimpleNamespace(
    **{rule: _of_values(make) for rule, make in _RULES.items()},
    head=_head,
    plays=lambda parts: str(parts[0]),
    faces=lambda parts: str(parts[0]),
)
"""What Lark calls with the parts of each rule; a row of cards by itself is handed back as
written."""
