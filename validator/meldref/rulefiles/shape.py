"""Whether a rules file has the shape that `ruleset.schema.json` describes, asked without any validator.

What does not fit is put to jsonschema, in `schema_errors`, which knows every reason. The suite compares the two.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, cast

from meldref.core.resources import data_path

if TYPE_CHECKING:
    from meldref.documents.reader import Path, Value

Schema = Mapping[str, Any]

_TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "boolean": (bool,),
    "integer": (int,),
}


@cache
def schema() -> Schema:
    """The schema of a rules file, as data."""
    return cast("Schema", json.loads(data_path("rulesets", "ruleset.schema.json").read_text(encoding="utf-8")))


def resolved(node: Schema) -> Schema:
    """What a node of the schema refers to, or the node itself."""
    if "$ref" not in node:
        return node
    found: Any = schema()
    for name in node["$ref"].removeprefix("#/").split("/"):
        found = found[name]
    return cast("Schema", found)


def is_valid(value: Value, node: Schema) -> bool:
    """Whether a value has the shape of a schema node; knows the keywords that our schema uses."""
    node = resolved(node)
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
        branch = node.get("then" if is_valid(value, node["if"]) else "else")
        if branch is not None and not is_valid(value, branch):
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
        if "propertyNames" in node and not is_valid(key, node["propertyNames"]):
            return False
        part = properties.get(key, rest)
        if part is False or (part is not True and not is_valid(item, part)):
            return False
    return True


def _list_fits(value: Sequence[Value], node: Schema) -> bool:
    if not node.get("minItems", 0) <= len(value) <= node.get("maxItems", len(value)):
        return False
    if node.get("uniqueItems") and not is_unique(value):
        return False
    return "items" not in node or all(is_valid(item, node["items"]) for item in value)


def is_unique(value: Sequence[Value]) -> bool:
    """Whether nothing in a list is there twice."""
    return len({json.dumps(item, sort_keys=True) for item in value}) == len(value)


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


def node_of(path: Path) -> Schema | None:
    """What the schema says of a key path; None where it has no such key."""
    node: Schema = schema()
    for part in path:
        node = resolved(node)
        node = node.get("properties", {}).get(part)
        if node is None:
            return None
    return node
