"""The questions as `questions.schema.json` describes them: arguments checked, all of it as data."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from meldref.core.json_schema import JsonSchema, Mismatch
from meldref.core.meant import did_you_mean
from meldref.core.text import in_words, one_line

FILE: Final = Path(__file__).with_name("questions.schema.json")
SCHEMA: Final = JsonSchema(str(FILE))
_KINDS: Final = {
    "object": "an object",
    "array": "a list",
    "string": "a text",
    "boolean": "true or false",
    "integer": "a whole number",
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


def check(question: object, arguments: object) -> None:
    """Raises `BadQuestion` unless there is such a question, and it takes these arguments."""
    if not isinstance(question, str) or question not in questions():
        known = [*questions()]
        meant = did_you_mean(question, known, "") if isinstance(question, str) else ""
        raise BadQuestion(f"there is no question {question!r}{meant}", ("question",))
    node = questions()[question]["arguments"]
    wrong = next(SCHEMA.mismatches(arguments, node), None)
    if wrong is not None:
        raise BadQuestion(_sentence(wrong), ("arguments", *wrong.path))


def _sentence(wrong: Mismatch) -> str:
    """What is wrong with an argument."""
    name = str(wrong.path[-1]) if wrong.path else "arguments"
    said, node = wrong.value, wrong.node
    match wrong.keyword:
        case "type" | "oneOf":
            return f"{name} is {_wanted(node)}"
        case "enum":
            return f"{name} is {in_words(node['enum'], 'or')}"
        case "required":
            missing = [key for key in node["required"] if key not in said]
            return f"{in_words(missing)} has to be given"
        case "additionalProperties":
            return f"there is no argument {name}"
        case "minimum":
            low, high = node.get("minimum"), node.get("maximum")
            return f"{name} is a number from {low}" + ("" if high is None else f" to {high}")
        case "maxItems":
            return f"{name} has at most {node['maxItems']} entries"
    return f"{name} cannot be {said!r}"


def _wanted(node: Mapping[str, Any]) -> str:
    """What can stand in a place, in words."""
    if "oneOf" in node:
        return in_words([_wanted(SCHEMA.resolved(part)) for part in node["oneOf"]], "or")
    kinds = node["type"] if isinstance(node["type"], list) else [node["type"]]
    return in_words([_KINDS[kind] for kind in kinds], "or")
