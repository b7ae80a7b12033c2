"""The schema of rules files: whether a file has the shape it describes, and its keys."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from meldref.core.json_schema import JsonSchema, Node

if TYPE_CHECKING:
    from meldref.documents.reader import Path

Schema = Node
SCHEMA: Final = JsonSchema("rulesets", "ruleset.schema.json")
resolved = SCHEMA.resolved
is_valid = SCHEMA.is_valid


def schema() -> Schema:
    """The schema of a rules file, as data."""
    return SCHEMA.root


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
    node = schema()
    for part in path:
        node = resolved(node).get("properties", {}).get(part)
        if node is None:
            return None
    return node
