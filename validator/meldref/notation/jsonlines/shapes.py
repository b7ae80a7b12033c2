"""From JSON to events: what `grammar/events.schema.json` does not allow, and events of the rest."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, Final

from meldref.core import events
from meldref.core.cards import RANKS, played_text
from meldref.core.events import Action, Line
from meldref.core.json_schema import Mismatch, Node
from meldref.core.meant import did_you_mean, nearest
from meldref.core.text import in_words
from meldref.notation import spelling
from meldref.notation.actions import BY_WORD
from meldref.notation.grammar import parse
from meldref.notation.jsonlines.data import KINDS, SCHEMA, parts
from meldref.notation.jsonlines.places import JsonError, Object, Odd, Path
from meldref.notation.reader import read_line

_TRAILERS: Final = ("expected", "annotation", "comment")
"""What may follow on the line of any event."""
_SILENT: Final = ("blank", "comment", "unreadable")
"""Lines without an event."""
_KINDS: Final = ("what", "action", "event")
"""The keys that say what an object is; an assertion has two of them."""
_TYPES: Final = {"string": "a text", "array": "a list", "object": "an object"}


def line_of(value: Any, faults: list[JsonError]) -> Line:
    """The line of a log that an object stands for; of use only if no faults were added."""
    faults += _faults(value)
    line = Line(0, "", None)
    if faults:
        return line
    if value["event"] in _SILENT:
        line = line._replace(text=value.get("text", ""))
        faults += _not_silent(value)
        return line
    by = "what" if value["event"] == "assert" else "event"
    try:
        made = _made(value, by)
    except _Unmade as wrong:
        faults += wrong.args
        return line
    trailers = {key: made.pop(key) for key in _TRAILERS if key in made}
    return Line(0, "", _MAKE[by, value[by]](**made), **trailers)


def _faults(value: Any) -> Iterator[JsonError]:
    """What the schema does not allow."""
    inside: list[tuple[Path, Any]] = [((), value)]
    if isinstance(value, dict):
        inside += [((key,), part) for key, part in value.items()]
        actions = value.get("actions")
        inside += [
            (("actions", at), action)
            for at, action in enumerate(actions if isinstance(actions, list) else ())
        ]
    for path, part in inside:
        for key in part.twice if isinstance(part, Object) else ():
            yield JsonError((*path, key), f"the key `{key}` appears twice", of_key=True)
    for mismatch in SCHEMA.mismatches(value, SCHEMA.root):
        yield _in_words(mismatch)


def _in_words(mismatch: Mismatch) -> JsonError:
    """A mismatch as a sentence."""
    keyword, path, value, node = mismatch
    if keyword == "required":
        by = next(kind for kind in _KINDS if kind in node["properties"])
        missing = [key for key in node["required"] if key not in value]
        if by not in missing:
            return JsonError(
                (*path, by), f"`{value[by]}` needs {in_words(f'`{key}`' for key in missing)}"
            )
        near = next((key for key in value if nearest(key, (by,))), None)
        return JsonError(
            path, f"the key `{by}` is missing" + (f"; is `{near}` a typo?" if near else "")
        )
    if keyword == "additionalProperties":
        return _unknown_key(path, node["properties"])
    if keyword == "propertyNames":
        return JsonError((*path, value), _what_is_odd(value, node["propertyNames"]), of_key=True)
    if keyword == "pattern" and "title" not in node:
        return JsonError(path, _what_is_odd(value, node))
    if keyword in ("minItems", "minProperties") and not value:
        return JsonError(path, f"the {'list' if keyword == 'minItems' else 'object'} is empty")
    if keyword in ("maxItems", "maxProperties"):
        return JsonError(path, "this is longer than a line of a log")
    if keyword == "oneOf" and "properties" in node:
        what = in_words([part["required"][0] for part in node["oneOf"]], "or")
        kind = node["properties"]["what"]["const"]
        return JsonError((*path, "what"), f"an assertion of the {kind} has one of {what}")
    hint = ""
    if keyword == "enum":
        expected = f"one of {', '.join(node['enum'])}"
        hint = did_you_mean(value, node["enum"], quote="`") if isinstance(value, str) else ""
    elif "prefixItems" in node:
        expected = "a name with its value"
    elif keyword == "oneOf":
        expected = "an object with a name for each key"
    elif "minimum" in node:
        expected = f"a whole number from {node['minimum']:,} to {node['maximum']:,}"
    else:
        expected = (
            node["title"]
            if node.get("type") == "string" and "title" in node
            else _TYPES[node["type"]]
        )
        hint = _canonical(value, node) if isinstance(value, str) and "card" in expected else ""
    return JsonError(path, f"expected {expected}, found {_shown(value)}{hint}")


def _unknown_key(path: Path, keys: Node) -> JsonError:
    key = str(path[-1])
    if key in keys:
        return JsonError(path, f"a {key} is named only with `out`", of_key=True)
    hint = did_you_mean(key, [name for name in keys if name not in _KINDS], quote="`")
    kind = next(keys[name]["const"] for name in _KINDS if name in keys)
    return JsonError(
        path,
        f"`{kind}` has no key `{key if len(key) <= 20 else key[:20] + '…'}`{hint}",
        of_key=True,
    )


def _what_is_odd(text: str, node: Node) -> str:
    """Which character a text cannot have here."""
    pattern = SCHEMA.resolved(node)["pattern"]
    odd = next(
        character for character in text if not re.search(pattern, character) or character == "\n"
    )
    shown = f"`{odd}`" if odd.isprintable() else f"U+{ord(odd):04X}"
    return f"the notation has no way to write {shown} here"


def _not_silent(value: Mapping[str, str]) -> Iterator[JsonError]:
    """What is wrong with a line without an event: a comment has to be one."""
    line, findings = read_line(value.get("text", ""))
    if value["event"] == "comment" and (findings or line.event is not None):
        yield JsonError(("text",), "expected a line that is only a comment, such as `# late`")


def _shown(value: object) -> str:
    """A value as messages show it."""
    if isinstance(value, (list, dict)):
        return "a list" if isinstance(value, list) else "an object"
    text = value.text if isinstance(value, Odd) else json.dumps(value, ensure_ascii=False)
    return f"`{text}`" if len(text) <= 22 else f"`{text[:20]}…`"


def _canonical(value: str, node: Node) -> str:
    """A hint for a card in another spelling: its canonical form."""
    row: object = parse(value, "plays") if 0 < len(value.strip()) <= 20 else None
    plays = spelling.plays(spelling.words(row)) if isinstance(row, str) else ()
    meant_as = played_text(plays[0]) if len(plays) == 1 else ""
    return f"; did you mean `{meant_as}`?" if re.search(node["pattern"], meant_as) else ""


class _Unmade(Exception):
    """A value that the schema allows and no deck does; what is wrong."""


def _made(data: Mapping[str, Any], by: str, path: Path = ()) -> dict[str, Any]:
    """What an event holds of an object that the schema allows."""
    made: dict[str, Any] = {}
    for key, value in data.items():
        read = _READ.get(parts(by, data[by])[key])
        if key == "actions":
            made[key] = tuple([_action(item, (key, at)) for at, item in enumerate(value)])
        elif key not in _KINDS:
            try:
                made[key] = value if read is None else read(value)
            except spelling.TooMany as wrong:
                raise _Unmade(JsonError((*path, key), str(wrong))) from wrong
    return made


def _action(data: Mapping[str, Any], path: Path) -> Action:
    form = BY_WORD[data["action"]]
    names = {form.number.key: form.number.field} if form.number else {}
    return form.make(
        **{names.get(key, key): value for key, value in _made(data, "action", path).items()}
    )


def _pairs(read: Callable[[Any], Any], value: Any) -> tuple[tuple[str, Any], ...]:
    return tuple(
        [(name, read(item)) for name, item in (value.items() if isinstance(value, dict) else value)]
    )


_READ: Final[dict[str, Callable[[Any], Any]]] = {
    "cards": spelling.cards,
    "anyCards": spelling.cards,
    "faces": spelling.faces,
    "anyFaces": spelling.faces,
    "plays": spelling.plays,
    "card": spelling.FACES.__getitem__,
    "face": spelling.FACES.__getitem__,
    "rank": RANKS.index,
    "cuts": partial(_pairs, spelling.FACES.__getitem__),
    "amounts": partial(_pairs, int),
    "figures": partial(_pairs, lambda points: None if points is None else int(points)),
    "layers": lambda value: spelling.layers(_pairs(spelling.plays, value)),
    "names": tuple,
    "expected": tuple,
}
"""What an event holds of a value, by its name in the schema; of any other, the value itself."""
_MAKE: Final[dict[tuple[str, str], Callable[..., Any]]] = {
    **{word: kind for kind, word in KINDS.items()},
    ("event", "deal"): lambda player, cards: events.Deal(
        player, *spelling.known_and_unknown(cards)
    ),
    ("event", "turn"): lambda player, actions, number=None: events.Turn(number, player, actions),
    **{
        ("event", word): lambda points, kind=word: events.Points(kind, points)
        for word in ("score", "total", "chips")
    },
    ("what", "table"): lambda meld, cards=(), layers=(): (
        events.AssertTable.of(meld, layers) if layers else events.AssertTable(meld, cards)
    ),
    ("what", "scores"): events.AssertScores.of,
    ("what", "hand"): lambda player, count=None, cards=(): events.AssertHand(
        player, count, *spelling.known_and_unknown(cards)
    ),
}
"""The event of an object, by the key that says what it is, and its word."""
