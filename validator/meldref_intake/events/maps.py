"""Maps: found, checked against their schema, and bound; what is wrong with one is told at its line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from meldref.core.diagnostics import Finding, Severity, Span
from meldref.core.json_schema import JsonSchema, Mismatch, Node
from meldref.core.meant import nearest
from meldref.core.resources import data_path
from meldref.core.safe_files import MAX_BYTES, open_file
from meldref.core.text import in_words
from meldref.documents.reader import Document, read_yaml
from meldref_intake.events.plan import Plan
from meldref_intake.events.values import path_of

SCHEMA: Final = JsonSchema("grammar", "map.schema.json")
_WRONG: Final = "rules.value"
_MOST_FINDINGS: Final = 20
_KINDS: Final = {
    "string": "a text",
    "object": "keys and values",
    "array": "a list",
    "integer": "a whole number",
    "boolean": "true or false",
    "null": "null",
}


class Map(NamedTuple):
    """A map that can be used: its id, what it reads, what it says, and that bound."""

    id: str
    title: str
    said: dict[str, Any]
    plan: Plan

    @property
    def form(self) -> str:
        """The form of its files; empty where their beginning has to tell it."""
        records = self.said["records"]
        return str(records.get("form") or self.said.get("recognize", {}).get("form", ""))


def shipped() -> tuple[Path, ...]:
    """The files of the shipped maps, by name."""
    return tuple(sorted(data_path("grammar", "maps").glob("*.yaml")))


def find(name: str) -> Path:
    """The file of a shipped map's id, or a map's file by its name.

    Raises:
        FileNotFoundError: there is neither.
    """
    for path in shipped():
        if path.stem == name:
            return path
    path = Path(name)
    if path.is_file():
        return path
    known = in_words([one.stem for one in shipped()], "or")
    raise FileNotFoundError(
        f"{name}: there is no such file, and no shipped map of that id: {known}"
    )


@cache
def load_shipped(name: str) -> Map:
    """A shipped map."""
    loaded, findings = load(data_path("grammar", "maps", f"{name}.yaml"))
    assert loaded is not None, findings
    return loaded


def load(path: Path) -> tuple[Map | None, tuple[Finding, ...]]:
    """The map of a file, or what is wrong with it, each at its line.

    Raises:
        OSError: the file cannot be read.
    """
    with open_file(path, any_kind=True) as stream:
        data = stream.read(MAX_BYTES + 1)
    return read(data, str(path))


def read(data: bytes | str, file: str) -> tuple[Map | None, tuple[Finding, ...]]:
    """The map of a text, or what is wrong with it; `file` is its name in messages."""
    document, findings = read_yaml(data, file)
    if document is None:
        return None, findings
    wrong = tuple(sorted(_faults(document), key=lambda finding: finding.span.line))
    if wrong:
        return None, wrong[:_MOST_FINDINGS]
    said: Any = document.value
    try:
        plan = Plan(said)
    except (ValueError, re.error, KeyError, TypeError) as error:
        message = f"the map cannot be used: {error}"
        return None, (Finding(_WRONG, message, Span(1), Severity.ERROR, file=file),)
    return Map(said["map"], said.get("title", ""), said, plan), ()


def _faults(document: Document) -> Iterator[Finding]:
    """What is wrong with a map: what its schema does not allow, then what is no path or pattern."""
    mismatches = list(SCHEMA.mismatches(document.value, SCHEMA.root))
    for mismatch in mismatches:
        message, at_key = _message(mismatch)
        code = "rules.key" if at_key else _WRONG
        yield document.finding(code, message, mismatch.path, at_key=at_key, severity=Severity.ERROR)
    for path, message in _unreadable(document.value, SCHEMA.root, ()):
        yield document.finding(_WRONG, message, path, severity=Severity.ERROR)
    said: Any = document.value
    if not isinstance(said, dict):
        return
    if said.get("mode") == "snapshots" and "snapshot" not in said:
        message = "mode: snapshots needs `snapshot`, which says what a state shows"
        yield document.finding(_WRONG, message, ("mode",), severity=Severity.ERROR)
    if said.get("mode") != "snapshots" and not said.get("lines"):
        message = "the map has no `lines`: it says of no record what it becomes"
        yield document.finding(_WRONG, message, (), severity=Severity.ERROR)
    for path, text in _texts(said.get("rules"), ("rules",)):
        if text.startswith(("$.", "^.")):
            message = f"{_named(path)} is the text {text}; a value of the file is {{path: {text}}}"
            yield document.finding(_WRONG, message, path, severity=Severity.ERROR)
    for name, path in _lookups(said, ()):
        if name not in (said.get("tables") or {}):
            message = f"there is no table {name} among the map's `tables`"
            yield document.finding(_WRONG, message, path, severity=Severity.ERROR)


def _named(path: tuple[str | int, ...]) -> str:
    """A place in a map as messages name it: `card of entry 3`, entries counted from 1."""
    parts = list(path)
    if parts[:1] in (["lines"], ["at_end"]) and len(parts) > 1 and isinstance(parts[1], int):
        listed = "entry" if parts[0] == "lines" else "entry of at_end"
        parts[:2] = [f"{listed} {parts[1] + 1}"]
    words = [f"item {part + 1}" if isinstance(part, int) else part for part in parts]
    return " of ".join(words[::-1])


def _message(mismatch: Mismatch) -> tuple[str, bool]:
    """What does not fit the schema, in words; and whether that is said of the key."""
    keyword, path, value, node = mismatch
    name = _named(path) or "the map"
    if keyword == "additionalProperties":
        keys = list(node.get("properties", ()))
        close = nearest(str(path[-1]), keys)
        where = _named(path[:-1])
        meant = f"; did you mean {close.text}?" if close else f"; it has {in_words(keys, 'and')}"
        return f"there is no key {path[-1]}{f' in {where}' if where else ''}{meant}", True
    if keyword == "required":
        missing = [key for key in node["required"] if key not in value]
        return f"{name} has no {in_words(missing, 'and')}", False
    if keyword == "enum":
        words = list(node["enum"])
        close = nearest(str(value), words)
        meant = f"; did you mean {close.text}?" if close else ""
        return f"{name} must be {in_words(words, 'or')}, not {_shown(value)}{meant}", False
    if keyword in {"type", "oneOf"}:
        wanted = node.get("type") or [
            SCHEMA.resolved(part).get("type", "object") for part in node.get("oneOf", ())
        ]
        kinds = [wanted] if isinstance(wanted, str) else list(dict.fromkeys(wanted))
        kinds = [one for kind in kinds for one in ([kind] if isinstance(kind, str) else kind)]
        words = [_KINDS[kind] for kind in dict.fromkeys(kinds)]
        return f"{name} must be {in_words(words, 'or')}, not {_shown(value)}", False
    if keyword in {"minItems", "minLength", "minProperties"}:
        return f"{name} is empty", False
    return f"{name} cannot be {_shown(value)}", False


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return "keys and values"
    if isinstance(value, list):
        return "a list"
    if value is None:
        return "empty"
    return str(value).lower() if isinstance(value, bool) else str(value)[:60]


def _unreadable(
    value: Any, node: Node, path: tuple[str | int, ...]
) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """The texts of a map that should be paths or patterns, and are none."""
    node = SCHEMA.resolved(node)
    for part in node.get("oneOf", ()):
        if SCHEMA.is_valid(value, part):
            yield from _unreadable(value, part, path)
    form = node.get("format")
    if form is not None and isinstance(value, str):
        wrong = _why_not(value, form)
        if wrong:
            yield path, wrong
    if isinstance(value, dict):
        rest = node.get("additionalProperties")
        for key, item in value.items():
            if "propertyNames" in node:
                yield from _unreadable(key, node["propertyNames"], (*path, key))
            inner = node.get("properties", {}).get(key, rest)
            if isinstance(inner, dict) or (inner is not None and not isinstance(inner, bool)):
                yield from _unreadable(item, inner, (*path, key))
    elif isinstance(value, list) and "items" in node:
        for number, item in enumerate(value):
            yield from _unreadable(item, node["items"], (*path, number))


def _why_not(text: str, form: str) -> str:
    try:
        if form == "path":
            path_of(text)
        else:
            re.compile(text)
    except ValueError as wrong:
        return f"{wrong}; a path is such as player.id, cards[0] or ^.round"
    except re.error as wrong:
        return f"{text} is no regular expression: {wrong}"
    except RecursionError:
        return "the expression is nested far too deep"
    return ""


def _texts(said: Any, path: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """The texts of the game, the options and the settings of a map that are no values of the file."""
    if isinstance(said, str):
        yield path, said
    elif isinstance(said, list):
        for number, item in enumerate(said):
            yield from _texts(item, (*path, number))
    elif isinstance(said, dict) and not said.keys() & {"path", "value", "first_of"}:
        for key, item in said.items():
            yield from _texts(item, (*path, key))


def _lookups(said: Any, path: tuple[str | int, ...]) -> Iterator[tuple[str, tuple[str | int, ...]]]:
    """The names of tables that lookups of a map name, with their places."""
    if isinstance(said, dict):
        lookup = said.get("lookup")
        if isinstance(lookup, dict) and isinstance(lookup.get("table"), str):
            yield lookup["table"], (*path, "lookup", "table")
        for key, item in said.items():
            yield from _lookups(item, (*path, key))
    elif isinstance(said, list):
        for number, item in enumerate(said):
            yield from _lookups(item, (*path, number))
