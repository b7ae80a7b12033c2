"""From JSON to events: what `grammar/events.schema.json` does not allow, and events of the rest."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from meldref.core.cards import card_text, played_text
from meldref.core.events import Action, Event, Line, Turn
from meldref.core.json_schema import Mismatch, Node
from meldref.core.meant import did_you_mean, nearest
from meldref.core.text import in_words
from meldref.notation import spelling
from meldref.notation.actions import BY_WORD
from meldref.notation.grammar import parse
from meldref.notation.jsonlines.data import SCHEMA
from meldref.notation.jsonlines.places import JsonError, Object, Odd, Path
from meldref.notation.lines import LINES, LineForm
from meldref.notation.parts import Part
from meldref.notation.reader import read_line

_TRAILERS: Final = ("expected", "annotation", "comment")
"""What may follow on the line of any event."""
_SILENT: Final = ("blank", "comment", "unreadable")
"""Lines without an event."""
_OF_CARDS: Final = ("card", "cards", "layers")
"""The keys whose values are cards, or lists of them."""
_KINDS: Final = ("what", "action", "event")
"""The keys that say what an object is; an assertion has two of them."""
_TYPES: Final = {"string": "a text", "array": "a list", "object": "an object"}


def line_of(value: Any, faults: list[JsonError]) -> Line:
    """The line of a log that an object stands for; of use only if no faults were added.

    Cards are read in any spelling that a log may have.
    """
    found = [*_faults(value)]
    if found and isinstance(value, dict) and _respell(value):
        found = [*_faults(value)]
    faults += found
    line = Line(0, "", None)
    if faults:
        return line
    if value["event"] in _SILENT:
        line = line._replace(text=value.get("text", ""))
        faults += _not_silent(value)
        return line
    try:
        event = _event(value)
    except _Unmade as wrong:
        faults += wrong.args
        return line
    trailers = {key: value[key] for key in _TRAILERS if key in value}
    if "expected" in trailers:
        trailers["expected"] = tuple(trailers["expected"])
    return Line(0, "", event, **trailers)


def _respell(data: dict[str, Any]) -> bool:
    """Puts the cards of an object, and of its actions, into canonical spelling; whether any was not."""
    before = json.dumps(data)
    actions = data.get("actions")
    for part in (data, *(actions if isinstance(actions, list) else ())):
        if isinstance(part, dict):
            part.update({key: _respelled(part[key]) for key in _OF_CARDS if key in part})
    return json.dumps(data) != before


def _respelled(value: Any) -> Any:
    if isinstance(value, list):
        return [_respelled(item) for item in value]
    if isinstance(value, dict):
        return type(value)([(key, _respelled(item)) for key, item in value.items()])
    if not isinstance(value, str):
        return value
    try:
        if "=" in value:
            return played_text(spelling.played(value))
        return card_text(spelling.face_of(value))
    except KeyError:
        return value


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
        what = in_words([f"`{part['required'][0]}`" for part in node["oneOf"]], "or")
        kind = node["properties"]["what"]["const"]
        return JsonError((*path, "what"), f"an assertion of the {kind} has either {what}")
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


def _event(data: Mapping[str, Any]) -> Event:
    """The event of an object that the schema allows."""
    if data["event"] == "turn":
        actions = [_action(item, ("actions", at)) for at, item in enumerate(data["actions"])]
        return Turn(data.get("number"), data["player"], tuple(actions))
    form = next(form for form in LINES if _is_form(form, data))
    values = [
        _value(field.part, data, field.json_key) if field.json_key in data else field.missing
        for field in form.fields
    ]
    return form.make(*values)


def _is_form(form: LineForm, data: Mapping[str, Any]) -> bool:
    """Whether an object is one of this form: of its kind, with all parts that have to be there."""
    needed = {field.json_key for field in form.fields if field.is_required}
    return form.json_keys.items() <= data.items() and needed <= data.keys()


def _action(data: Mapping[str, Any], path: Path) -> Action:
    form = BY_WORD[data["action"]]
    values: dict[str, Any] = {}
    if form.takes is not None:
        values[form.cards] = _value(form.takes, data, form.cards, path)
    if form.number is not None:
        values[form.number.field] = data.get(form.number.key)
    return form.make(**values)


def _value(part: Part, data: Mapping[str, Any], key: str, path: Path = ()) -> Any:
    """What an event holds of the value of a key."""
    try:
        return part.of_words(data[key])
    except spelling.TooMany as wrong:
        raise _Unmade(JsonError((*path, key), str(wrong))) from wrong
