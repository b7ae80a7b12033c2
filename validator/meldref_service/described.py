"""The questions as `questions.schema.json` describes them: arguments checked, all of it as data."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from meldref.core.json_schema import JsonSchema, Mismatch
from meldref.core.meant import did_you_mean
from meldref.core.resources import data_path
from meldref.core.text import in_words, one_line
from meldref.documents.reader import MAX_DEPTH

FILE: Final = Path(__file__).with_name("questions.schema.json")
SCHEMA: Final = JsonSchema(str(FILE))
_LONG: Final = 60
"""How much of what was given is shown."""
_KINDS: Final = {
    "object": "an object",
    "array": "a list",
    "string": "a text",
    "boolean": "true or false",
    "integer": "a whole number",
    "null": "null",
}


class BadQuestion(ValueError):
    """A question that cannot be asked like this: the sentence that says why, and where."""

    def __init__(self, message: str, path: tuple[str | int, ...] = ()) -> None:
        super().__init__(one_line(message))
        self.path = path


@cache
def questions() -> Mapping[str, Mapping[str, Any]]:
    """Every question by its name: what it does, its arguments, its answer."""
    described: Mapping[str, Mapping[str, Any]] = SCHEMA.root["questions"]
    return described


def whole_schema() -> dict[str, Any]:
    """The schema as one that needs no other file: what answers share with commands is in it."""
    outputs = json.loads(data_path("docs", "output.schema.json").read_text(encoding="utf-8"))
    own = json.loads(FILE.read_text(encoding="utf-8").replace("output.schema.json#/", "#/"))
    for described in own["questions"].values():
        described["answer"] = _extended(described["answer"], own["$defs"])
    for name, node in outputs["$defs"].items():
        own["$defs"].setdefault(name, node)
    whole: dict[str, Any] = own
    return whole


def _extended(answer: dict[str, Any], shared: Mapping[str, Any]) -> dict[str, Any]:
    """An answer with the keys of the shared part that it extends."""
    if "extends" not in answer:
        return answer
    base = shared[answer["extends"]]
    required = answer.get("required", base.get("required", []))
    properties = {**answer.get("properties", {}), **base["properties"]}
    return {"type": "object", "properties": properties, "required": required}


def check(question: object, arguments: object) -> None:
    """Raises `BadQuestion` unless there is such a question, and it takes these arguments."""
    if not isinstance(question, str) or question not in questions():
        known = [*questions()]
        meant = did_you_mean(question, known, "") if isinstance(question, str) else ""
        raise BadQuestion(f"there is no question {_shown(question)}{meant}", ("question",))
    node = questions()[question]["arguments"]
    wrong = next(SCHEMA.mismatches(arguments, node), None)
    if wrong is not None:
        raise BadQuestion(sentence(wrong), ("arguments", *wrong.path))


def with_whole_numbers(given: Any, levels: int = MAX_DEPTH) -> Any:
    """Arguments with `2.0` and `1e3` as the whole numbers that they are: JSON has one kind of number.

    Nothing that a question takes is nested in more levels.
    """
    if isinstance(given, float) and given.is_integer():
        return int(given)
    if levels and isinstance(given, dict):
        return {key: with_whole_numbers(part, levels - 1) for key, part in given.items()}
    if levels and isinstance(given, list):
        return [with_whole_numbers(part, levels - 1) for part in given]
    return given


def sentence(wrong: Mismatch) -> str:
    """What is wrong with a message or an argument."""
    name = _place(wrong.path)
    said, node = wrong.value, wrong.node
    match wrong.keyword:
        case "type" | "oneOf":
            return f"{name} is {_wanted(node)}"
        case "enum":
            return f"{name} is {in_words(node['enum'], 'or')}"
        case "required":
            missing = [key for key in node["required"] if key not in said]
            return f"{in_words(missing)} must be given"
        case "additionalProperties":
            return f"there is no argument {name}"
        case "minimum":
            low, high = node.get("minimum"), node.get("maximum")
            return f"{name} is a number from {low}" + ("" if high is None else f" to {high}")
        case "maxItems":
            return f"{name} has at most {node['maxItems']} entries"
    return f"{name} cannot be {_shown(said)}"


def _shown(said: object) -> str:
    """What was given, as a message shows it."""
    text = repr(said)
    return text if len(text) <= _LONG else f"{text[:_LONG]}…"


def _place(path: tuple[str | int, ...]) -> str:
    """A place in a message, as a sentence names it."""
    if not path:
        return "arguments"
    *before, last = path
    return str(last) if isinstance(last, str) else f"entry {last + 1} of {_place(tuple(before))}"


def _wanted(node: Mapping[str, Any]) -> str:
    """What can stand in a place, in words."""
    if "oneOf" in node:
        return in_words([_wanted(SCHEMA.resolved(part)) for part in node["oneOf"]], "or")
    kinds = node["type"] if isinstance(node["type"], list) else [node["type"]]
    return in_words([_KINDS[kind] for kind in kinds], "or")
