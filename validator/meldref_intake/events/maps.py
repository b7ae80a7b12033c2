"""Maps: found, checked against their schema, and bound; what is wrong with one is told at its line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from meldref.core.diagnostics import Finding, Severity, Span
from meldref.core.json_schema import Mismatch, Node
from meldref.core.meant import nearest
from meldref.core.records import changed
from meldref.core.resources import data_path
from meldref.core.safe_files import MAX_BYTES, open_file
from meldref.core.text import in_words
from meldref.documents.reader import Document, read_yaml
from meldref_intake.events import map_checks
from meldref_intake.events.map_checks import ENTRY, SCHEMA, WRONG, Where
from meldref_intake.events.plan import Plan
from meldref_intake.events.values import path_of

_EMPTY: Final = "the map is empty; docs/event-maps.md shows how one begins"
_OF_RULES: Final = {"rules files are": "maps are", "a rules file": "a map"}
"""Words of what is said of YAML, which is mostly rules."""
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
    path = data_path("grammar", "maps", f"{name}.yaml")
    loaded, findings = read(path.read_bytes(), path.name, checks_rules=False)
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


def read(
    data: bytes | str, file: str, *, checks_rules: bool = True
) -> tuple[Map | None, tuple[Finding, ...]]:
    """The map of a text, or what is wrong with it; `file` is its name in messages.

    The rules that it names are not loaded without `checks_rules`.
    """
    document, findings = read_yaml(data, file)
    if document is None:
        return None, tuple(map(_of_map, findings))
    found = [*_faults(document), *(map_checks.rules_faults(document) if checks_rules else ())]
    found = found or [*map_checks.nobody(document)]
    wrong = tuple(sorted(found, key=lambda finding: (finding.span.line, finding.span.column)))
    if wrong:
        return None, wrong[:_MOST_FINDINGS]
    said: Any = document.value
    try:
        plan = Plan(said)
    except (ValueError, re.error, KeyError, TypeError) as error:
        message = f"the map cannot be used: {error}"
        return None, (Finding(WRONG, message, Span(1), Severity.ERROR, file=file),)
    return Map(said["map"], said.get("title", ""), said, plan), ()


def _of_map(finding: Finding) -> Finding:
    """What is wrong with YAML, as it is said of a map."""
    message = finding.message
    if message.startswith("the file is empty"):
        message = _EMPTY
    for words, instead in _OF_RULES.items():
        message = message.replace(words, instead)
    return changed(finding, message=message)


def _faults(document: Document) -> Iterator[Finding]:
    """What is wrong with a map: what its schema does not allow, what is no path or pattern, the rest."""
    for mismatch in SCHEMA.mismatches(document.value, SCHEMA.root):
        if _is_told_twice(mismatch):
            continue
        at_key = mismatch.keyword in {"additionalProperties", "propertyNames"}
        code, path = ("rules.key", _key_of(mismatch)) if at_key else (WRONG, mismatch.path)
        message = _of_line(mismatch) if _is_of_line(mismatch) else _message(mismatch)
        yield document.finding(code, message, path, at_key=at_key, severity=Severity.ERROR)
    for path, message in _unreadable(document.value, SCHEMA.root, ()):
        yield document.finding(WRONG, message, path, severity=Severity.ERROR)
    yield from map_checks.faults(document)


def _key_of(mismatch: Mismatch) -> Where:
    """The path of a key that is not allowed."""
    path = mismatch.path
    return (*path, mismatch.value) if mismatch.keyword == "propertyNames" else path


def _is_of_line(mismatch: Mismatch) -> bool:
    """Whether it is what one kind of line does not take, or needs."""
    _, kinds = ENTRY["kinds"]
    return any(mismatch.node is kind for kind in kinds.values())


def _is_told_twice(mismatch: Mismatch) -> bool:
    """Whether no line takes a key, so that it is told of the entry already."""
    is_key = mismatch.keyword == "propertyNames" and _is_of_line(mismatch)
    return is_key and mismatch.value not in ENTRY["properties"]


def _of_line(mismatch: Mismatch) -> str:
    """What a kind of line does not take, or needs."""
    keyword, path, value, node = mismatch
    if keyword == "propertyNames":
        of_all = SCHEMA.root["$defs"]["of-all-lines"]["enum"]
        taken = [key for key in ENTRY["properties"] if SCHEMA.is_valid(key, node["propertyNames"])]
        keys = [key for key in taken if key not in of_all]
        takes = f"it takes {in_words(keys, 'and')}" if keys else "it takes none"
        return f"the line of {_named(path)} takes no {value}; {takes}"
    several = [node] if keyword == "required" else node["anyOf"]
    words = in_words([in_words(one["required"], "and") for one in several], "or")
    return f"{_named(path)}: line: {value['line']} needs {words}"


def _named(path: Where) -> str:
    """A place in a map as messages name it: `card of entry 3`, entries counted from 1."""
    parts = list(path)
    if parts[:1] in (["lines"], ["at_end"]) and len(parts) > 1 and isinstance(parts[1], int):
        listed = "entry" if parts[0] == "lines" else "entry of at_end"
        parts[:2] = [f"{listed} {parts[1] + 1}"]
    words = [f"item {part + 1}" if isinstance(part, int) else part for part in parts]
    return " of ".join(words[::-1])


def _message(mismatch: Mismatch) -> str:
    """What does not fit the schema, in words."""
    keyword, path, value, node = mismatch
    name = _named(path) or "the map"
    if keyword == "anyOf":
        words = [in_words(one["required"], "and") for one in node["anyOf"]]
        return f"{name} needs {', or '.join(words)}"
    if keyword == "additionalProperties":
        keys = list(node.get("properties", ()))
        close = nearest(str(path[-1]), keys)
        where = _named(path[:-1])
        meant = f"; did you mean {close.text}?" if close else f"; it has {in_words(keys, 'and')}"
        return f"there is no key {path[-1]}{f' in {where}' if where else ''}{meant}"
    if keyword == "required":
        missing = [key for key in node["required"] if key not in value]
        return f"{name} has no {in_words(missing, 'and')}"
    if keyword == "enum":
        words = list(node["enum"])
        close = nearest(str(value), words)
        meant = f"; did you mean {close.text}?" if close else ""
        return f"{name} must be {in_words(words, 'or')}, not {_shown(value)}{meant}"
    if keyword in {"type", "oneOf"}:
        wanted = node.get("type") or [
            SCHEMA.resolved(part).get("type", "object") for part in node.get("oneOf", ())
        ]
        kinds = [wanted] if isinstance(wanted, str) else list(dict.fromkeys(wanted))
        kinds = [one for kind in kinds for one in ([kind] if isinstance(kind, str) else kind)]
        words = [_KINDS[kind] for kind in dict.fromkeys(kinds)]
        return f"{name} must be {in_words(words, 'or')}, not {_shown(value)}"
    if keyword in {"minItems", "minLength", "minProperties"}:
        return f"{name} is empty"
    return f"{name} cannot be {_shown(value)}"


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return "keys and values"
    if isinstance(value, list):
        return "a list"
    if value is None:
        return "empty"
    return str(value).lower() if isinstance(value, bool) else str(value)[:60]


def _unreadable(value: Any, node: Node, path: Where) -> Iterator[tuple[Where, str]]:
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
