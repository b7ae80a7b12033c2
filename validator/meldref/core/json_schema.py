"""A quick look at whether a value fits a JSON Schema, for the keywords that our schemas use.

What is wrong with a rules file is for `jsonschema` to say, which takes longer to import than a
ruleset to read. Lines of JSON are checked only here, since there may be a million of them. The
suite compares the two.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import cached_property, lru_cache
from typing import Any, Final, NamedTuple, TypeAlias, cast

from meldref.core.resources import data_path

Node: TypeAlias = Mapping[str, Any]
"""A schema, or a part of one."""

_TYPES: Final[Mapping[str, type]] = {
    "object": dict,
    "array": list,
    "string": str,
    "boolean": bool,
    "integer": int,
    "null": type(None),
}
_MOST_KNOWN: Final = 2_000


class Mismatch(NamedTuple):
    """A keyword of a schema that a value does not meet, its place, and what the schema says there.

    `additionalProperties` has the path of the key that is not allowed, `propertyNames` the key as
    its value.
    """

    keyword: str
    path: tuple[str | int, ...]
    value: Any
    node: Node


class JsonSchema:
    """A schema that ships as a file."""

    def __init__(self, *file: str) -> None:
        self.file = file
        self._known: set[tuple[str, str]] = set()

    @cached_property
    def root(self) -> Node:
        """The whole schema, as data."""
        root: Node = json.loads(
            data_path(*self.file).read_text(encoding="utf-8"), object_hook=_with_kinds
        )
        return root

    def resolved(self, node: Node) -> Node:
        """What a node of the schema refers to, or the node itself."""
        return self._of_reference(node["$ref"]) if "$ref" in node else node

    @lru_cache(maxsize=128)  # noqa: B019  there are two schemas, and they stay
    def _of_reference(self, reference: str) -> Node:
        node: Any = self.root
        for name in reference.removeprefix("#/").split("/"):
            node = node[name]
        return cast("Node", node)

    def is_valid(self, value: Any, node: Node) -> bool:
        """Whether a value fits a node of the schema."""
        return next(self.mismatches(value, node), None) is None

    def mismatches(
        self, value: Any, node: Node, path: tuple[str | int, ...] = ()
    ) -> Iterator[Mismatch]:
        """What in a value does not fit a node of the schema."""
        node = self.resolved(node)
        wanted = node.get("type")
        if wanted is not None and not _is_of_type(value, wanted):
            yield Mismatch("type", path, value, node)
        if "enum" in node and not (isinstance(value, str) and value in node["enum"]):
            yield Mismatch("enum", path, value, node)
        if "const" in node and value != node["const"]:
            yield Mismatch("const", path, value, node)
        if "if" in node:
            branch = node.get("then" if self.is_valid(value, node["if"]) else "else")
            if branch is not None:
                yield from self.mismatches(value, branch, path)
        if "oneOf" in node and sum(self.is_valid(value, part) for part in node["oneOf"]) != 1:
            parts = map(self.resolved, node["oneOf"])
            alike = [part for part in parts if _is_of_type(value, part.get("type", ()))]
            yield from (
                self.mismatches(value, alike[0], path)
                if alike
                else [Mismatch("oneOf", path, value, node)]
            )
        if "anyOf" in node and not any(self.is_valid(value, part) for part in node["anyOf"]):
            yield Mismatch("anyOf", path, value, node)
        if isinstance(value, dict):
            yield from self._in_object(value, node, path)
        elif isinstance(value, list):
            yield from self._in_list(value, node, path)
        elif isinstance(value, str):
            ends_a_line = value.endswith("\n")  # before which Python's `$` matches, too
            if "pattern" in node and (ends_a_line or re.search(node["pattern"], value) is None):
                yield Mismatch("pattern", path, value, node)
        elif type(value) in {int, float} and not node.get("minimum", value) <= value <= node.get(
            "maximum", value
        ):
            yield Mismatch("minimum", path, value, node)

    def _is_known(self, value: Any, node: Node) -> bool:
        """Whether a text is valid: that is remembered, since logs repeat few names and cards."""
        if type(value) is not str or "$ref" not in node:
            return node == {"const": value}
        key = node["$ref"], value
        if key not in self._known and self.is_valid(value, node):
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            self._known.add(key)
        return key in self._known

    def _in_object(
        self, value: dict[str, Any], node: Node, path: tuple[str | int, ...]
    ) -> Iterator[Mismatch]:
        if not value.keys() >= set(node.get("required", ())):
            yield Mismatch("required", path, value, node)
        if len(value) < node.get("minProperties", 0):
            yield Mismatch("minProperties", path, value, node)
        if len(value) > node.get("maxProperties", len(value)):
            yield Mismatch("maxProperties", path, value, node)
            return
        if "kinds" in node:
            by, kinds = node["kinds"]
            if isinstance(value.get(by), str) and value[by] in kinds:
                yield from self.mismatches(value, kinds[value[by]], path)
        properties: Node = node.get("properties", {})
        rest = node.get("additionalProperties", True)
        for key, item in value.items():
            if "propertyNames" in node and not self.is_valid(key, node["propertyNames"]):
                yield Mismatch("propertyNames", path, key, node)
            part = properties.get(key, rest)
            if part is False:
                yield Mismatch("additionalProperties", (*path, key), item, node)
            elif part is not True and not self._is_known(item, part):
                yield from self.mismatches(item, part, (*path, key))

    def _in_list(
        self, value: list[Any], node: Node, path: tuple[str | int, ...]
    ) -> Iterator[Mismatch]:
        if len(value) < node.get("minItems", 0):
            yield Mismatch("minItems", path, value, node)
        if len(value) > node.get("maxItems", len(value)):
            yield Mismatch("maxItems", path, value, node)
            return
        if node.get("uniqueItems") and len(
            {json.dumps(item, sort_keys=True) for item in value}
        ) < len(value):
            yield Mismatch("uniqueItems", path, value, node)
        first = node.get("prefixItems", ())
        for place, item in enumerate(value):
            part = first[place] if place < len(first) else node.get("items", True)
            if part is False:
                yield Mismatch("items", path, value, node)
                return
            if part is not True and not self._is_known(item, part):
                yield from self.mismatches(item, part, (*path, place))


def _with_kinds(node: dict[str, Any]) -> dict[str, Any]:
    """A node with what is said of each kind of object, by the word that a key of it has."""
    if "allOf" in node:
        conditions = [(part["if"]["properties"], part["then"]) for part in node["allOf"]]
        (by,) = conditions[0][0]
        node["kinds"] = by, {condition[by]["const"]: then for condition, then in conditions}
    return node


def _is_of_type(value: Any, names: str | list[str]) -> bool:
    if isinstance(names, list):
        return any(_is_of_type(value, name) for name in names)
    if isinstance(value, bool):
        return names == "boolean"
    if names == "integer" and isinstance(value, float):
        return value.is_integer()
    return names in _TYPES and isinstance(value, _TYPES[names])
