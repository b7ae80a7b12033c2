"""From JSON to events: an object is checked against `grammar/events.schema.json`, and an event made of it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial
from typing import Any, Final, TypeAlias

from meldref.core import events
from meldref.core.cards import RANKS, played_text
from meldref.core.events import Action, Line
from meldref.core.resources import data_path
from meldref.core.text import in_words
from meldref.jsonlines.places import JsonError, Object, Odd, Path
from meldref.notation import spelling
from meldref.notation.actions import BY_WORD
from meldref.notation.grammar import parse_cards
from meldref.notation.reader import read_line
from meldref.notation.scanner import BLANKS
from meldref.notation.syntax import meant

Schema: TypeAlias = Mapping[str, Any]

_TRAILERS: Final = ("expected", "annotation", "comment")
"""What may follow on the line of any event."""
_SILENT: Final = ("blank", "comment", "unreadable")
"""Lines without an event."""
_FAMILIES: Final = {"event": "event", "action": "action", "what": "assert"}
"""The key that says what an object is, and how the schema's names for such objects begin."""
_EXPECTED: Final = {
    "card": "a card",
    "face": "a card or ?",
    "faceRun": "a card or ?*7",
    "play": "a card as it is laid",
    "rank": f"a rank (one of {RANKS})",
    "key": "a header's key, such as Players",
    "code": "the code of a violation",
}
"""What a text with a form of its own is, by its name in the schema."""
_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def line_of(value: object, faults: list[JsonError]) -> Line:
    """The line of a log that an object stands for; of use only if no faults were added."""
    _Checker(faults).check_object(value, "event", ())
    if faults:
        return Line(0, "", None)
    data: Any = value
    kind = data["event"]
    if kind in _SILENT:
        return Line(0, data.get("text", ""), None)
    by = "what" if kind == "assert" else "event"
    made = _made(data, by)
    trailers = {key: made.pop(key) for key in _TRAILERS if key in made}
    return Line(0, "", _MAKE[_FAMILIES[by], data[by]](**made), **trailers)


@cache
def _schema() -> Schema:
    schema: Schema = json.loads(data_path("grammar", "events.schema.json").read_text(encoding="utf-8"))
    return schema


@cache
def _words(by: str) -> Sequence[str]:
    """The words that a key can have that says what an object is."""
    node = {"event": _schema(), "action": _node("action"), "what": _node("event-assert")}[by]
    words: Sequence[str] = node["properties"][by]["enum"]
    return words


def _node(name: str) -> Schema:
    """What the schema says under a name."""
    node: Schema = _schema()["$defs"][name]
    return node


def _name(part: Schema) -> str:
    """The name that a part of the schema refers to; empty for a part that says itself what it allows."""
    return str(part.get("$ref", "")).rpartition("/")[2]


@cache
def _parts(name: str) -> dict[str, str]:
    """The keys of an object, each with the name of what the schema allows for it."""
    return {key: _name(part) for key, part in _node(name)["properties"].items()}


@cache
def _pattern(name: str) -> re.Pattern[str]:
    return re.compile(_node(name)["pattern"])


class _Checker:
    """Notes what the schema does not allow, in words."""

    def __init__(self, faults: list[JsonError]) -> None:
        self.faults = faults

    def fault(self, path: Path, message: str, *, of_key: bool = False) -> None:
        self.faults.append(JsonError(path, message, of_key))

    def check_object(self, value: object, by: str, path: Path) -> None:
        """An object has the keys that belong to what its key `by` names."""
        if not isinstance(value, dict):
            self.fault(path, f"expected an object, found {_shown(value)}")
            return
        if by != "what":
            self.check_keys_once(value, path)
        if by not in value:
            near = next((key for key in value if meant(key, (by,))), None)
            self.fault(path, f"the key `{by}` is missing" + (f"; is `{near}` a typo?" if near else ""))
        elif value[by] == "assert" and by == "event":
            self.check_object(value, "what", path)
        elif self.check_word(value[by], _words(by), (*path, by)):
            self.check_keys(value, by, path)

    def check_keys(self, value: dict[str, Any], by: str, path: Path) -> None:
        kind = value[by]
        node = _node(f"{_FAMILIES[by]}-{kind}")
        parts = _parts(f"{_FAMILIES[by]}-{kind}")
        for key, one in value.items():
            if key not in parts:
                near = meant(key, [name for name in parts if name not in value and name != "event"])
                hint = f"; did you mean `{near}`?" if near else ""
                shown = key if len(key) <= 20 else f"{key[:20]}…"
                self.fault((*path, key), f"`{kind}` has no key `{shown}`{hint}", of_key=True)
            elif parts[key]:
                self.check(one, parts[key], (*path, key))
        if missing := [f"`{key}`" for key in node["required"] if key not in value]:
            self.fault((*path, by), f"`{kind}` needs {in_words(missing)}")
        elif not self.faults:
            self.check_together(value)

    def check_together(self, value: dict[str, Any]) -> None:
        """What the keys of an object say goes together."""
        kind = value.get("event")
        if kind == "end" and "player" in value and value["reason"] != "out":
            self.fault(("player",), "a player is named only with `out`", of_key=True)
        elif kind == "assert" and value["what"] == "hand" and ("count" in value) == ("cards" in value):
            self.fault(("what",), "a hand is asserted either by its count or by its cards")
        elif kind == "comment":
            line, findings = read_line(value["text"])
            if findings or line.event is not None:
                self.fault(("text",), "expected a line that is only a comment, such as `# late`")

    def check(self, value: Any, name: str, path: Path, *, of_key: bool = False) -> None:
        """A value is what the schema allows under a name."""
        node = _node(name)
        kind = node.get("type")
        if "oneOf" in node:
            self.check_named(value, node["oneOf"], path)
        elif kind == "object":
            self.check_object(value, name, path)
        elif kind == "array":
            for at, one in enumerate(self.items(value, node, path)):
                self.check(one, _name(node["items"]), (*path, at))
            if name in _ROWS and not self.faults:
                try:
                    _ROWS[name](value)
                except spelling.TooMany as wrong:
                    self.fault(path, str(wrong))
        elif kind == "integer":
            is_number = isinstance(value, int) and not isinstance(value, bool)
            if not is_number or not node["minimum"] <= value <= node["maximum"]:
                bounds = f" from {node['minimum']:,} to {node['maximum']:,}"
                bounds = bounds if is_number or isinstance(value, Odd) else ""
                self.fault(path, f"expected a whole number{bounds}, found {_shown(value)}")
        elif "enum" in node:
            self.check_word(value, node["enum"], path)
        elif not isinstance(value, str) or (name in _EXPECTED and not _pattern(name).fullmatch(value)):
            hint = _canonical(value, name) if isinstance(value, str) else ""
            self.fault(path, f"expected {_EXPECTED.get(name, 'a text')}, found {_shown(value)}{hint}")
        elif _SURROGATE.search(value) or not _pattern(name).fullmatch(value):
            for message in _what_is_odd(value, name):
                self.fault(path, message, of_key=of_key)

    def items(self, value: object, node: Schema, path: Path) -> list[Any]:
        """The items of a list that has neither too few nor too many; otherwise none."""
        if not isinstance(value, list):
            self.fault(path, f"expected a list, found {_shown(value)}")
        elif len(value) < node.get("minItems", 0):
            self.fault(path, "the list is empty")
        elif len(value) > node["maxItems"]:
            self.fault(path, "the list is longer than a line of a log")
        else:
            return value
        return []

    def check_named(self, value: object, forms: Sequence[Schema], path: Path) -> None:
        """Names with something each: an object, or a list of pairs."""
        each = _name(forms[0]["additionalProperties"])
        if isinstance(value, dict):
            self.check_keys_once(value, path)
            if not value:
                self.fault(path, "the object is empty")
            elif len(value) > forms[0]["maxProperties"]:
                self.fault(path, "the object is longer than a line of a log")
                return
            for name, one in value.items():
                self.check(name, "name", (*path, name), of_key=True)
                self.check(one, each, (*path, name))
        elif not isinstance(value, list):
            self.fault(path, f"expected an object with a name for each key, found {_shown(value)}")
        else:
            for at, pair in enumerate(self.items(value, forms[1], path)):
                if not isinstance(pair, list) or len(pair) != 2:
                    self.fault((*path, at), f"expected a name with its value, found {_shown(pair)}")
                    continue
                self.check(pair[0], "name", (*path, at, 0))
                self.check(pair[1], each, (*path, at, 1))

    def check_word(self, value: object, words: Sequence[str], path: Path) -> bool:
        """A value is one of a few words."""
        if isinstance(value, str) and value in words:
            return True
        near = meant(value, words) if isinstance(value, str) else None
        hint = f"; did you mean `{near}`?" if near else ""
        self.fault(path, f"expected one of {', '.join(words)}, found {_shown(value)}{hint}")
        return False

    def check_keys_once(self, value: object, path: Path) -> None:
        if isinstance(value, Object):
            for key in value.twice:
                self.fault((*path, key), f"the key `{key}` is here twice", of_key=True)


def _what_is_odd(text: str, name: str) -> Iterable[str]:
    """Which characters a text cannot have here, or that it is not one line."""
    if name == "line":
        is_blank = not text.strip(BLANKS)
        return [
            'a blank line is {"event": "blank"}' if is_blank else "expected one line of a log, without its end"
        ]
    odd = [one for one in dict.fromkeys(text) if _SURROGATE.match(one) or not _pattern(name).fullmatch(one)]
    return [
        f"the notation has no way to write {f'`{one}`' if one.isprintable() else f'U+{ord(one):04X}'} here"
        for one in odd
    ]


def _shown(value: object) -> str:
    """A value as messages show it."""
    if isinstance(value, (list, dict)):
        return "a list" if isinstance(value, list) else "an object"
    text = value.text if isinstance(value, Odd) else json.dumps(value, ensure_ascii=False)
    return f"`{text}`" if len(text) <= 22 else f"`{text[:20]}…`"


def _canonical(value: str, name: str) -> str:
    """A hint for a card in another spelling: its canonical form."""
    if "card" not in _EXPECTED.get(name, "") or not 0 < len(value.strip()) <= 20:
        return ""
    row = parse_cards(value, "plays")
    if not isinstance(row, str):
        return ""
    plays = spelling.plays(row)
    meant_as = played_text(plays[0])
    return f"; did you mean `{meant_as}`?" if len(plays) == 1 and _pattern(name).fullmatch(meant_as) else ""


def _made(data: Mapping[str, Any], by: str) -> dict[str, Any]:
    """What an event holds of an object that the schema allows."""
    parts = _parts(f"{_FAMILIES[by]}-{data[by]}")
    kept = [(key, value) for key, value in data.items() if key not in {by, "event"}]
    return {key: _READ[parts[key]](value) if parts[key] in _READ else value for key, value in kept}


def _pairs(read: Callable[[Any], Any], value: Any) -> tuple[tuple[str, Any], ...]:
    return tuple([(name, read(one)) for name, one in (value.items() if isinstance(value, dict) else value)])


def _row(read: Callable[[str], Any], words: Iterable[str]) -> Any:
    return read(" ".join(words))


def _action(data: Mapping[str, Any]) -> Action:
    form = BY_WORD[data["action"]]
    names = {form.number.key: form.number.field} if form.number else {}
    return form.make(**{names.get(key, key): value for key, value in _made(data, "action").items()})


def _assert_hand(player: str, count: int | None = None, cards: tuple[int, ...] = ()) -> events.AssertHand:
    return events.AssertHand(player, count, *spelling.known_and_unknown(cards))


_ROWS: Final[dict[str, Callable[[Any], Any]]] = {
    "cards": partial(_row, spelling.cards),
    "anyCards": partial(_row, spelling.cards),
    "faces": partial(_row, spelling.faces),
    "anyFaces": partial(_row, spelling.faces),
    "plays": partial(_row, spelling.plays),
}
"""The cards of a list, by its name in the schema."""
_READ: Final[dict[str, Callable[[Any], Any]]] = {
    **_ROWS,
    "card": spelling.card,
    "face": spelling.card,
    "rank": RANKS.index,
    "cuts": partial(_pairs, spelling.card),
    "amounts": partial(_pairs, int),
    "actions": lambda value: tuple([_action(one) for one in value]),
    "names": tuple,
    "expected": tuple,
}
"""What an event holds of a value, by its name in the schema; of any other, the value itself."""
_MAKE: Final[dict[tuple[str, str], Callable[..., Any]]] = {
    ("event", "header"): events.Header,
    ("event", "cut"): events.Cut,
    ("event", "hand"): events.HandStart,
    ("event", "wild"): events.WildRank,
    ("event", "deal"): lambda player, cards: events.Deal(player, *spelling.known_and_unknown(cards)),
    ("event", "up"): events.UpCard,
    ("event", "stock"): events.StockOrder,
    ("event", "turn"): lambda player, actions, number=None: events.Turn(number, player, actions),
    ("event", "reshuffle"): events.Reshuffle,
    ("event", "show"): events.Show,
    ("event", "gap"): events.Gap,
    ("event", "end"): events.HandEnd,
    ("event", "score"): lambda points: events.Points("score", points),
    ("event", "total"): lambda points: events.Points("total", points),
    ("event", "chips"): lambda points: events.Points("chips", points),
    ("event", "result"): events.Result,
    ("event", "void"): events.Void,
    ("event", "undo"): events.Undo,
    ("event", "adjust"): events.Adjust,
    ("event", "note"): events.Note,
    ("assert", "hand"): _assert_hand,
    ("assert", "pile"): events.AssertPile,
    ("assert", "table"): events.AssertTable,
    ("assert", "stock"): events.AssertStock,
    ("assert", "score"): events.AssertScore,
}
"""The event of an object, by its family and word."""
