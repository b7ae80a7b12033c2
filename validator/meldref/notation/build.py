"""From the grammar's rules to events: what each rule makes of its parts, called while Lark parses.

Loaded together with Lark; use `meldref.notation.grammar`, which loads both when they are needed.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from types import SimpleNamespace
from typing import Any, Final

from lark import Token

from meldref.core import events
from meldref.core.cards import UNKNOWN
from meldref.notation import spelling
from meldref.notation.actions import BY_WORD
from meldref.notation.lines import LINES, LineForm
from meldref.notation.scanner import Head, ReadLine, Trailers
from meldref.notation.syntax import HEADER_KEYS

_KEYS: Final = {key.lower(): key for key in HEADER_KEYS}
_VALUES: Final[dict[str, Callable[[Any], object]]] = {
    **dict.fromkeys(("TEXT", "ANNOTATION"), lambda token: token[1:-1]),
    "COMMENT": lambda token: token[1:],
    "CODE": str.casefold,
    "RANK": spelling.rank,
    **dict.fromkeys(("CARD", "FACE", "UNSEEN"), spelling.face_of),
    "CARDS": lambda token: spelling.cards(spelling.words(token)),
    "PLAYS": lambda token: spelling.plays(spelling.words(token)),
    "FACES": lambda token: spelling.faces(spelling.words(token)),
    "TURN_NUMBER": lambda token: int(token.rstrip(".")),
    "NUMBER": spelling.amount,
    "SIGNED": spelling.amount,
    "UNREAD": lambda _: None,
    "ABSENT": lambda _: spelling.ABSENT,
    **dict.fromkeys(("MELD_NUMBER", "COUNT"), lambda token: int(token[1:])),
    **dict.fromkeys([word.upper() for word in BY_WORD], lambda token: token.type.lower()),
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


def _head(parts: list[Token | None]) -> Head:
    number, name = parts
    assert name is not None
    return Head(_value(number), _value(name), name.column or 1)


def _action(word: str, *values: Any) -> events.Action:
    form = BY_WORD[word]
    return form.make(UNKNOWN) if form.may_be_bare and values == (None,) else form.make(*values)


def _event(form: LineForm, *values: Any) -> events.Event:
    """The event of a line that is nothing but its parts, None for those that are left out."""
    fields = form.fields
    join = fields[-1].part.join if fields else None
    if join is not None:
        before = len(fields) - 1
        values = (*values[:before], join(values[before:]))
    pairs = zip(fields, values, strict=True)
    return form.make(*[field.missing if value is None else value for field, value in pairs])


_RULES: Final[dict[str, Callable[..., object]]] = {
    **{form.rule_name: partial(_event, form) for form in LINES},
    **dict.fromkeys((*BY_WORD, "decline"), _action),
    **dict.fromkeys(("cut_card", "amount", "layer"), lambda name, value: (name, value)),
    "line": _line,
    "annotation": lambda text: {"annotation": text},
    "expected": lambda *codes: {"expected": codes},
    "comment": lambda text: {"comment": text},
    "turn": lambda head, *actions: events.Turn(head.number, head.player, actions, head.column),
    "header": lambda key, text: events.Header(_KEYS.get(key.lower()) or key, text),
    "side": lambda *names: "+".join(names),
    "words": lambda *names: " ".join(names),
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
