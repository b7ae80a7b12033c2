"""Whether a rules file has the shape that `ruleset.schema.json` describes, and if not, where and why.

`fits` says yes for a file that is fine, without any validator; only what does not fit is put to jsonschema, which
knows every reason. The suite compares the two.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from typing import TYPE_CHECKING, Any, cast

from meldref.data import data_path

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

    from meldref.source import Path, Value

Schema = Mapping[str, Any]

_TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "boolean": (bool,),
    "integer": (int,),
}
_WORDS = {"object": "keys and values", "array": "a list", "string": "a word", "integer": "a whole number"}


class Misfit:
    """One thing that the schema does not allow: its code, its path, what to say, whether the key is meant."""

    __slots__ = ("at_key", "code", "message", "path")

    def __init__(self, code: str, path: Path, message: str, *, at_key: bool = False) -> None:
        self.code = code
        self.path = path
        self.message = message
        self.at_key = at_key


@cache
def schema() -> Schema:
    """The schema of a rules file, as data."""
    return cast("Schema", json.loads(data_path("rulesets", "ruleset.schema.json").read_text(encoding="utf-8")))


def check_shape(value: Value) -> tuple[Misfit, ...]:
    """Everything in a rules file that the schema does not know or allow."""
    if fits(value, schema()):
        return ()
    from jsonschema import Draft202012Validator  # noqa: PLC0415  78 ms that a good file does not pay

    misfits: dict[tuple[Path, str], Misfit] = {}
    for error in Draft202012Validator(schema()).iter_errors(value):
        for misfit in _misfits(error):
            key = (misfit.path, misfit.code)
            if key not in misfits or error.validator == "type":  # of two reasons the plainer one
                misfits[key] = misfit
    return tuple(misfits.values())


def fits(value: Value, node: Schema) -> bool:
    """Whether a value has the shape of a schema node; knows the keywords that our schema uses."""
    if "$ref" in node:
        node = schema()["$defs"][node["$ref"].rpartition("/")[2]]
    wanted = node.get("type")
    if wanted is not None and not any(
        _is(value, name) for name in ([wanted] if isinstance(wanted, str) else wanted)
    ):
        return False
    if "enum" in node and not (isinstance(value, str) and value in node["enum"]):
        return False
    if "const" in node and value != node["const"]:
        return False
    if "if" in node:
        branch = node.get("then" if fits(value, node["if"]) else "else")
        if branch is not None and not fits(value, branch):
            return False
    if isinstance(value, dict):
        return _mapping_fits(value, node)
    if isinstance(value, list):
        return _list_fits(value, node)
    if isinstance(value, str):
        return "pattern" not in node or re.search(node["pattern"], value) is not None
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return bool(node.get("minimum", value) <= value <= node.get("maximum", value))
    return True


def _is(value: Value, name: str) -> bool:
    if isinstance(value, bool):
        return name == "boolean"
    return isinstance(value, _TYPES[name]) or (
        name == "integer" and isinstance(value, float) and value.is_integer()
    )


def _mapping_fits(value: Mapping[str, Value], node: Schema) -> bool:
    properties: Schema = node.get("properties", {})
    rest = node.get("additionalProperties", True)
    if any(key not in value for key in node.get("required", ())) or len(value) > node.get(
        "maxProperties", len(value)
    ):
        return False
    for key, item in value.items():
        if "propertyNames" in node and not fits(key, node["propertyNames"]):
            return False
        part = properties.get(key, rest)
        if part is False or (part is not True and not fits(item, part)):
            return False
    return True


def _list_fits(value: Sequence[Value], node: Schema) -> bool:
    if not node.get("minItems", 0) <= len(value) <= node.get("maxItems", len(value)):
        return False
    if node.get("uniqueItems") and any(item in value[:place] for place, item in enumerate(value)):
        return False
    return "items" not in node or all(fits(item, node["items"]) for item in value)


def key_paths() -> tuple[str, ...]:
    """Every key of the vocabulary that can be set by its path, in the order of the schema."""
    return tuple(_paths("", schema()))


def _paths(prefix: str, node: Schema) -> Iterator[str]:
    for key, part in node.get("properties", {}).items():
        path = f"{prefix}{key}"
        if "properties" in part:
            yield from _paths(f"{path}.", part)
        else:
            yield path


def _misfits(error: ValidationError) -> Iterator[Misfit]:
    """One validator error in our words; an unknown key is one misfit each."""
    path: Path = tuple(error.absolute_path)
    key = ".".join(map(str, path)) or "the file"
    node = cast("Schema", error.schema)
    kind, wanted, value = str(error.validator), error.validator_value, cast("Value", error.instance)
    if kind == "additionalProperties" and isinstance(value, dict):
        known = list(node.get("properties", ()))
        for name in value:
            if name not in known:
                yield Misfit("rules.key", (*path, name), _unknown(path, name, known), at_key=True)
    elif kind == "pattern" and path == () and "propertyNames" in error.absolute_schema_path:
        yield Misfit("rules.key", path, f"{value} is no key here")
    elif "propertyNames" in error.absolute_schema_path:
        yield Misfit("rules.key", (*path, str(value)), _bad_entry(key, str(value)), at_key=True)
    elif kind == "enum":
        yield Misfit(
            "rules.value", path, _bad_word(key, value, [str(word) for word in cast("list[Value]", wanted)], node)
        )
    elif kind == "type":
        yield Misfit("rules.value", path, _bad_type(key, value, wanted, node))
    elif kind in ("minimum", "maximum"):
        bounds = f"{node.get('minimum', '')} to {node.get('maximum', '')}".strip()
        yield Misfit("rules.value", path, f"{key} is {value}, which is out of range: {bounds}")
    elif kind == "pattern":
        yield Misfit("rules.value", path, _bad_text(key, str(value)))
    elif kind == "required" and isinstance(value, dict):
        lacking = [name for name in cast("list[str]", wanted) if name not in value]
        if error.message.startswith(repr(lacking[0]) if lacking else ""):
            yield Misfit("rules.value", path, f"{key} has no {lacking[0]}")
        else:
            yield Misfit("rules.value", path, f"{key}: {error.message}")
    elif kind == "uniqueItems":
        yield Misfit("rules.value", path, f"{key} names something twice")
    elif kind == "minItems":
        yield Misfit("rules.value", path, f"{key} names nothing")
    elif kind in ("maxProperties", "maxItems"):
        yield Misfit("rules.key", path, f"{key} belongs to an option (type: option), not to a game", at_key=True)
    else:
        yield Misfit("rules.value", path, f"{key}: {error.message}")


def _unknown(path: Path, name: str, known: Sequence[str]) -> str:
    where = ".".join(map(str, path))
    full = f"{where}.{name}" if where else name
    message = f"there is no key {full}"
    if close := get_close_matches(name, known, 1, 0.6):
        return f"{message}; did you mean {close[0]}?"
    elsewhere = [key for key in key_paths() if key.rpartition(".")[2] == name]
    if elsewhere:
        return f"{message}; did you mean {' or '.join(elsewhere)}?"
    return f"{message}; {where or 'a rules file'} has {', '.join(known)}" if known else message


def _bad_entry(key: str, name: str) -> str:
    if key in ("scoring.values", "scoring.held"):
        return f"{name} is no rank, range of ranks, card or joker; write 5, 2-9, T-K, A, Qs or joker"
    if key == "melds.kinds":
        return f"{name} is no name for a kind of meld: small letters, digits, - and _"
    return f"{name} is no number of players; write 4 or 5-8"


def _bad_word(key: str, value: Value, wanted: Sequence[str], node: Schema) -> str:
    said = value if isinstance(value, str) else json.dumps(value)
    what = _said(node) or (" or " if len(wanted) < 3 else ", ").join(wanted)
    message = f"{key} cannot be {said}: it is {what}"
    close = get_close_matches(str(said), wanted, 1, 0.6)
    return f"{message}; did you mean {close[0]}?" if close else message


def _bad_type(key: str, value: Value, wanted: object, node: Schema) -> str:
    names = [wanted] if isinstance(wanted, str) else cast("list[str]", wanted)
    what = _said(node) or " or ".join(_WORDS.get(name, name) for name in names)
    if value is None:
        return f"{key} has no value; it is {what}"
    if isinstance(value, str) and names == ["object"] and " " in value:
        return f"{key} is {what}, not the text “{value}”; is a colon missing?"
    if isinstance(value, str) and names == ["integer"] and re.fullmatch(r"[-+0-9_xob.:]+", value):
        return f"{key} is {what}; {value} is text: numbers are written in plain digits, without a leading 0"
    if isinstance(value, str) and names == ["array"]:
        return f"{key} is {what}: write [{value}]"
    if isinstance(value, dict):
        said = "keys and values"
    else:
        said = "a list" if isinstance(value, list) else json.dumps(value, ensure_ascii=False)
    return f"{key} is {what}, not {said}"


def _said(node: Schema) -> str:
    """What a key takes that takes more than one thing, in the words that editors show; nothing for any other."""
    return str(node.get("errorMessage", "")).removeprefix("Write ").removesuffix(".")


def _bad_text(key: str, value: str) -> str:
    if re.fullmatch(r"[0-9]+(\s*-\s*|–|\.\.|\s+to\s+)[0-9]+", value):
        return f"{key} cannot be {value}: a range is written without spaces, as in 3-4"
    if key == "id":
        return f"{value} is no id: small letters, digits and hyphens"
    return f"{key} cannot be {value}: it is a number, or two with a hyphen, as in 3-4"
