"""The page about the questions of the service: each from the schema, each answer from the service itself.

`python docs/generate.py service` writes it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final

from meldref_service import Service
from meldref_service.described import FILE
from outputs import Schema, keys_of, shortened, written

INTRODUCTION: Final = """\
One service answers the page, editors, assistants, bots and programs in any language: all of them ask the same questions
and get the same answers. This page lists them. From Python, ask as [the library](library.md#ask-as-other-programs-do)
shows; from anywhere else, [`meldref serve`](programs.md#ask-from-any-language) takes a line of JSON for each.

What is wrong with a log, a move or rules is part of the answer, never an error. An error says that the question itself
cannot be asked like this. Keys may be added to answers; none is removed or changes its meaning. `meldref serve --schema`
prints all of this as JSON Schema, in one piece. In the examples, `"…"` stands for what was cut.

Nothing here opens a port. Without a `folder`, no file is read but the rules that ship, whatever a question names."""

SHARED: Final = """\
## Shared parts

What stands in more than one question."""

_UNLISTED: Final = {"log_text", "move_text", "most"}
"""Shared parts that are said where they are used."""


def page(mark: str) -> str:
    """The page, `mark` on top."""
    schema: Schema = json.loads(FILE.read_text(encoding="utf-8"))
    parts = schema["$defs"]
    said = [mark, "# Questions", INTRODUCTION]
    group, service = "", Service()
    for name, described in schema["questions"].items():
        if described["group"] != group:
            group = described["group"]
            said.append(f"## {group}")
        said += [f"### {name}", described["description"], *_example(service, name, described)]
        said += _part("Arguments", described["arguments"], parts, "may be left out")
        said += _part("Answer", described["answer"], parts, "not always there")
    said.append(SHARED)
    for name, part in parts.items():
        if name not in _UNLISTED:
            listed = keys_of(_in_full(part, parts))
            said += [f"### {name.replace('_', ' ')}", part.get("description", ""), *listed]
    return "\n\n".join(filter(None, said)) + "\n"


def _example(service: Service, name: str, described: Schema) -> Iterator[str]:
    """A message, and the answer to it."""
    given = described["example"]
    message = {"id": 1, "question": name, "arguments": given}
    yield f"```json\n{written(message)}\n```"
    yield f"```json\n{written(shortened(json.loads(json.dumps(service.ask(name, **given)))))}\n```"


def _part(title: str, part: Schema, parts: Schema, absent: str) -> Iterator[str]:
    """What a question takes or gives."""
    if "$ref" in part:
        name = part["$ref"].rpartition("/")[2]
        yield f"{title}: [{name.replace('_', ' ')}](#{name.replace('_', '-')})."
        return
    listed = [*keys_of(_in_full(part, parts), absent)]
    if "extends" in part:
        base = part["extends"]
        also = " and" if listed else ""
        yield f"{title}: the keys of [{base}](#{base}){also}"
    elif listed or "description" in part:
        yield f"{title}: {part.get('description', '')}".strip()
    else:
        yield f"{title}: none."
    yield from listed


def _in_full(part: Schema, parts: Schema) -> Schema:
    """A part with those put in its place that are said where they are used."""
    properties = dict(part.get("properties", {}))
    for key, one in properties.items():
        name = one.get("$ref", "").rpartition("/")[2]
        if name in _UNLISTED:
            properties[key] = parts[name]
        elif "description" not in one and "$ref" in one:
            properties[key] = {**one, "description": ""}
    return {**part, "properties": properties} if properties else part
