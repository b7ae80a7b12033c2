"""From JSON to events: which keys each kind of line has, and what is made of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final, TypeAlias

from meldref.core import events
from meldref.core.events import Action, Line
from meldref.core.records import record
from meldref.jsonlines import kinds
from meldref.jsonlines.kinds import Kind
from meldref.jsonlines.places import JsonError, Path
from meldref.notation import actions as action_forms
from meldref.notation import spelling
from meldref.notation.actions import ActionForm, Takes
from meldref.notation.syntax import meant

Make: TypeAlias = Callable[..., Any]


@record
class Shape:
    """The keys that an object must have and those that it may have, and what is made of their values."""

    make: Make
    required: Mapping[str, Kind]
    optional: Mapping[str, Kind]


def _shape(make: Make, optional: Mapping[str, Kind] | None = None, /, **required: Kind) -> Shape:
    return Shape(make, required, optional or {})


def _actions(value: object, path: Path, faults: list[JsonError]) -> tuple[Action, ...]:
    """The actions of a turn."""
    found = kinds.items(value, path, faults)
    return tuple([_object(one, "action", ACTIONS, (*path, at), faults) for at, one in enumerate(found)])


def _assert_hand(player: str, count: int | None = None, cards: tuple[int, ...] = ()) -> events.AssertHand:
    if count is not None:
        return events.AssertHand(player, count=count)
    return events.AssertHand(player, None, *spelling.known_and_unknown(cards))


def _assertion(fields: Mapping[str, Any], path: Path, faults: list[JsonError]) -> Any:
    made = _object(fields, "what", ASSERTIONS, path, faults, also=("event", *TRAILERS))
    if not faults and fields["what"] == "hand" and ("count" in fields) == ("cards" in fields):
        faults.append(JsonError((*path, "what"), "a hand is asserted by its count or by its cards: one of them"))
    return made


def _amounts(kind: str, points: tuple[tuple[str, int], ...]) -> events.Points:
    return events.Points(kind, points)


def _as_it_stands(text: str = "") -> str:
    return text


_text: Final = kinds.text
_cards: Final = kinds.cards
_laid: Final = kinds.laid
_row: Final[Kind] = partial(kinds.cards, least=0)
_known_amounts: Final[Kind] = partial(kinds.by_name, each=kinds.points)
_known_cards: Final[Kind] = partial(kinds.by_name, each=kinds.card)
_ends: Final[Kind] = partial(kinds.choice, among=("out", "stock", "agreed"))

_TAKES: Final[dict[Takes, dict[str, Kind]]] = {
    "nothing": {},
    "a face": {"card": kinds.face},
    "a card": {"card": kinds.card},
    "cards": {"cards": _cards},
    "plays": {"cards": _laid},
}
"""The cards of an action."""


def _action_shape(form: ActionForm) -> Shape:
    """What an action may hold as JSON, and the action it makes."""

    def make(**made: Any) -> Action:
        number = {form.number.field: made.pop(form.number.key)} if form.number and form.number.key in made else {}
        return form.make(**made, **number)

    return Shape(make, _TAKES[form.takes], {form.number.key: kinds.counter} if form.number else {})


ACTIONS: Final[dict[str, Shape]] = {form.word: _action_shape(form) for form in action_forms.ACTIONS}

ASSERTIONS: Final[dict[str, Shape]] = {
    "hand": _shape(_assert_hand, {"count": kinds.count, "cards": partial(kinds.faces, least=0)}, player=_text),
    "pile": _shape(events.AssertPile, cards=_row),
    "table": _shape(events.AssertTable, meld=kinds.counter, cards=_laid),
    "stock": _shape(events.AssertStock, count=kinds.count),
    "score": _shape(events.AssertScore, player=_text, points=kinds.points),
}

EVENTS: Final[dict[str, Shape]] = {
    "header": _shape(events.Header, key=kinds.key, value=_text),
    "cut": _shape(events.Cut, cards=_known_cards),
    "hand": _shape(events.HandStart, {"number": kinds.count, "dealer": _text}),
    "wild": _shape(events.WildRank, rank=kinds.rank),
    "deal": _shape(
        lambda player, cards: events.Deal(player, *spelling.known_and_unknown(cards)),
        player=_text,
        cards=kinds.faces,
    ),
    "up": _shape(events.UpCard, card=kinds.face),
    "stock": _shape(events.StockOrder, cards=kinds.faces),
    "turn": _shape(
        lambda player, actions, number=None: events.Turn(number, player, actions),
        {"number": kinds.count},
        player=_text,
        actions=_actions,
    ),
    "reshuffle": _shape(events.Reshuffle),
    "show": _shape(events.Show, player=_text, cards=_cards),
    "gap": _shape(events.Gap),
    "end": _shape(events.HandEnd, {"player": _text}, reason=_ends),
    "score": _shape(partial(_amounts, "score"), points=_known_amounts),
    "total": _shape(partial(_amounts, "total"), points=_known_amounts),
    "chips": _shape(partial(_amounts, "chips"), points=_known_amounts),
    "result": _shape(events.Result, players=kinds.texts),
    "void": _shape(events.Void, {"reason": _text}),
    "undo": _shape(events.Undo),
    "adjust": _shape(events.Adjust, {"reason": _text}, player=_text, points=kinds.points),
    "note": _shape(events.Note, text=_text),
}

TRAILERS: Final[dict[str, Kind]] = {
    "expected": kinds.codes,
    "annotation": kinds.annotation,
    "comment": kinds.comment,
}
"""What may stand on the line of any event."""

SILENT: Final[dict[str, Shape]] = {
    "blank": _shape(_as_it_stands),
    "comment": _shape(_as_it_stands, text=kinds.remark),
    "unreadable": _shape(_as_it_stands, text=kinds.verbatim),
}
"""Lines without an event."""

NAMES: Final = (*EVENTS, "assert", *SILENT)
"""Every `event`."""


def line_of(value: object, faults: list[JsonError]) -> Line:
    """The line of a log that an object stands for; of use only where there are no faults."""
    if not isinstance(value, dict):
        faults.append(JsonError((), f"an object is wanted here, not {kinds.named(value)}"))
        return Line(0, "", None)
    kind = value.get("event")
    if isinstance(kind, str) and kind in SILENT:
        made = _object(value, "event", SILENT, (), faults)
        return Line(0, made or "", None)
    trailers = {key: check(value[key], (key,), faults) for key, check in TRAILERS.items() if key in value}
    if kind == "assert":
        kinds.check_keys_once(value, (), faults)
        event = _assertion(value, (), faults)
    else:
        event = _object(value, "event", EVENTS, (), faults, also=tuple(TRAILERS), names=NAMES)
        if isinstance(event, events.HandEnd) and event.player is not None and event.reason != "out":
            faults.append(JsonError(("player",), "only who went `out` is named", of_key=True))
    return Line(0, "", event, **trailers)


def _object(
    value: object,
    by: str,
    shapes: Mapping[str, Shape],
    path: Path,
    faults: list[JsonError],
    *,
    also: tuple[str, ...] = (),
    names: tuple[str, ...] = (),
) -> Any:
    """What an object stands for, by the shape that its key `by` names; None, and why, where it has none.

    `also` are keys that somebody else looks at, `names` what to name where `by` names nothing that is there.
    """
    if not isinstance(value, dict):
        faults.append(JsonError(path, f"an object is wanted here, not {kinds.named(value)}"))
        return None
    if by != "what":
        kinds.check_keys_once(value, path, faults)
    if by not in value:
        near = next((key for key in value if meant(key, (by,))), None)
        hint = f"; `{near}` may be meant as it" if near else ""
        faults.append(JsonError(path, f"the key `{by}` is missing{hint}"))
        return None
    kind = value[by]
    if not isinstance(kind, str) or kind not in shapes:
        kinds.choice(kind, (*path, by), faults, among=names or tuple(shapes))
        return None
    shape = shapes[kind]
    before = len(faults)
    made: dict[str, Any] = {}
    for key, one in value.items():
        check = shape.required.get(key) or shape.optional.get(key)
        if check is not None:
            made[key] = check(one, (*path, key), faults)
        elif key != by and key not in also:
            known = (*shape.required, *shape.optional, *also)
            faults.append(JsonError((*path, key), _unknown_key(key, kind, known, made), of_key=True))
    missing = [key for key in shape.required if key not in value]
    if missing:
        faults.append(JsonError((*path, by), f"`{kind}` needs {_listed(missing)}"))
    return shape.make(**made) if len(faults) == before else None


def _unknown_key(key: str, kind: str, known: tuple[str, ...], made: Mapping[str, Any]) -> str:
    near = meant(key, [one for one in known if one not in made and one != "event"])
    hint = f"; did you mean `{near}`?" if near else ""
    shown = key if len(key) <= 20 else key[:20] + "…"
    return f"`{kind}` has no key `{shown}`{hint}"


def _listed(keys: list[str]) -> str:
    return " and ".join(f"`{key}`" for key in keys)
