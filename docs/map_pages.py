"""The page of what a map may say, from its schema: `python docs/generate.py map-keys` writes it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from meldref_intake.events.map_checks import SCHEMA
from places import DOCS, MADE, cell

PAGE: Final[Path] = DOCS / "map-keys.md"
_INTRODUCTION: Final = (
    "Every key of a map, from `grammar/map.schema.json`. How one is written: "
    "[maps for events of programs](event-maps.md)."
)
_PARTS: Final = {
    "steps": "A value",
    "tests": "A test",
    "entry": "An entry of lines",
}


def page() -> str:
    """The page: the map, its sections, and what entries, values and tests may have."""
    root = SCHEMA.root
    parts = [MADE, "# What a map may say", _INTRODUCTION, "## The map", _table(root)]
    for name, node in root["properties"].items():
        inner = _object(node)
        if inner is not None and name not in {"fields", "tables"}:
            parts += [f"## {name}", _table(inner)]
            parts += list(_inner(name, inner))
    for name, title in _PARTS.items():
        node = root["$defs"][name]
        parts += [f"## {title}", str(node.get("description", "")), _table(node)]
        if name == "entry":
            parts += ["### What a line may be", _words(node["properties"]["line"])]
            parts += list(_inner("entry", node))
        if name == "steps":
            parts += list(_inner("value", node))
    return "\n\n".join(part for part in parts if part) + "\n"


def _inner(name: str, node: Any) -> Iterator[str]:
    """The tables of objects inside of a section."""
    for key, part in node["properties"].items():
        inner = _object(part)
        if inner is not None:
            yield f"### {name}: {key}"
            yield _table(inner)


def _object(node: Any) -> Any:
    """An object with keys of its own; None for anything else, such as a value or a condition."""
    node = SCHEMA.resolved(node)
    return node if node.get("properties") else None


def _table(node: Any) -> str:
    needed = set(node.get("required", ()))
    rows = ["| key | what it says |", "|---|---|"]
    for key, part in node["properties"].items():
        must = " Required." if key in needed else ""
        rows.append(f"| `{key}` | {cell(str(_described(part)))}{must} |")
    return "\n".join(rows)


def _described(part: Any) -> str:
    if "description" in part:
        return str(part["description"])
    return str(SCHEMA.resolved(part).get("description", SCHEMA.resolved(part).get("title", "")))


def _words(node: Any) -> str:
    rows = ["| line | what it takes |", "|---|---|"]
    words = zip(node["enum"], node["enumDescriptions"], strict=True)
    return "\n".join([*rows, *[f"| `{word}` | {cell(text)} |" for word, text in words]])
