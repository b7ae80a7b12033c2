"""What does not fit the schema of rules files: why, in words, and what to write instead."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, cast

from meldref.core.json_schema import Mismatch
from meldref.core.meant import nearest, synonym_of
from meldref.core.records import changed
from meldref.core.text import in_words
from meldref.documents.reader import MAX_FINDINGS, Path, Value, quote_text, scalar
from meldref.rulefiles.advice import adviser
from meldref.rulefiles.house_rules import HOUSE_RULES
from meldref.rulefiles.merge import Problem, flow
from meldref.rulefiles.vocabulary import (
    SCHEMA,
    Schema,
    form_of,
    is_valid,
    key_paths,
    schema,
    takes,
    words_of,
)

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError
    from jsonschema.protocols import Validator

_MISSING: Final = {
    "expect": "expect: {verdict: legal} or another verdict",
    "moves": 'moves: ["A: draw; discard 2c"]',
}
"""How a key is written that has to be there."""
_IN_WORDS: Final = {
    "allow": "what is not forbidden is allowed, so write forbid, and unless for what is allowed",
    "must": "write forbid for what is left when it is not done, such as forbid: end with unless",
    "penalty": "write award with points below nought, such as award: -10",
}
"""What to say of words that mean no single key of a house rule."""
_GOING_OUT: Final = {
    "for": "leave for out, and write when: player.went_out",
    "forbid": "write forbid: end with when: player.goes_out",
}
"""What to say of going out where a house rule names an action, which it is none of."""
_NO_KEY: Final = (
    "house_rules or customs may cover what no key does: see `meldref rules explain house_rules`"
)


def find_schema_errors(value: Value) -> tuple[Problem, ...]:
    """What the schema does not allow in a file: everything, or `MAX_FINDINGS` errors plus one."""
    if is_valid(value, schema()):
        return ()
    problems: dict[tuple[Path, str], Problem] = {}
    for mismatch in chain.from_iterable(map(_mismatches, _validator().iter_errors(value))):
        problem = _problem(mismatch)
        problems.setdefault((problem.path, problem.code), problem)
        if len(problems) > MAX_FINDINGS:
            break
    return tuple(problems.values())


def _validator() -> Validator:
    from jsonschema import Draft202012Validator, validators  # noqa: PLC0415  78 ms

    extend: Any = validators.extend  # it has no types
    validator: Validator = extend(Draft202012Validator, {"uniqueItems": _duplicates})(schema())
    return validator


def _duplicates(
    _validator: object,
    wanted: bool,  # noqa: FBT001
    value: Value,
    _node: object,
) -> Iterator[ValidationError]:
    """A list with a duplicate.

    Where items are no words, jsonschema compares each with all others.
    """
    from jsonschema.exceptions import ValidationError  # noqa: PLC0415

    if wanted and not is_valid(value, {"uniqueItems": True}):
        yield ValidationError("has a duplicate")


def _mismatches(error: ValidationError) -> Iterator[Mismatch]:
    """An error of the validator with the whole schema of its place; one for each unknown key."""
    path: Path = tuple(error.absolute_path)
    keyword, value = str(error.validator), cast("Value", error.instance)
    node = cast("Schema", error.schema)
    if keyword == "additionalProperties" and isinstance(value, dict):
        unknown = (key for key in value if key not in node.get("properties", ()))
        yield from (Mismatch(keyword, (*path, key), value[key], node) for key in unknown)
    elif "propertyNames" in error.absolute_schema_path:
        yield Mismatch("propertyNames", path, value, node)
    elif keyword in {"minimum", "maximum", "required"}:
        yield Mismatch(keyword, path, value, node)
    else:
        *where, _ = error.absolute_schema_path
        while where[-1:] in (["then"], ["else"]) and where[-2:-1] != ["properties"]:
            where.pop()  # a branch says only a part of what fits
        whole: Any = schema()
        for part in where:
            branch: Any = SCHEMA.resolved(whole)
            whole = branch[part]
        yield Mismatch(keyword, path, value, SCHEMA.resolved(whole))


def shown_key(path: Path) -> str:
    """A path as messages name it: an item by its list's name, cases by their number."""
    case = ""
    if path[:1] == ("cases",) and len(path) > 1:
        case = f"case {int(path[1]) + 1}"
        path = path[2:]
    names = ".".join([part for part in path if isinstance(part, str)])
    return ", ".join(filter(None, (case, names))) or "the file"


def _problem(mismatch: Mismatch) -> Problem:
    """A mismatch in our words."""
    keyword, path = mismatch.keyword, mismatch.path
    value, node = mismatch.value, mismatch.node
    key = shown_key(path)
    if _lacks_name(path, value):
        message = "a house rule has a name, and its keys stand below that: "
        return Problem((HOUSE_RULES,), f"{message}write house_rules: {{my-rule: {{…}}}}")
    if keyword == "additionalProperties":
        return _unknown_key(path[:-1], str(path[-1]), node.get("properties", {}), value)
    if keyword == "propertyNames":
        return wrong_value((*path, value), value, node, is_name=True)
    if keyword in {"maxProperties", "maxItems"}:
        message = f"{key} belongs to an option (type: option), not to a game"
        return Problem(path, message, "rules.key", at_key=True)
    if keyword in {"minimum", "maximum"}:
        low, high = node.get("minimum"), node.get("maximum")
        bounds = f"at least {low}" if high is None else f"{low} to {high}"
        return Problem(path, f"{key} is {value}, but it can only be {bounds}")
    if keyword == "required":
        missing = next(name for name in node["required"] if name not in value)
        example = f": write {_MISSING[missing]}" if missing in _MISSING else ""
        return Problem(path, f"{key} has no {missing}{example}")
    if keyword == "minItems":
        return Problem(path, f"{key} is empty")
    if keyword == "uniqueItems":
        return Problem(path, f"{key} has a duplicate")
    return wrong_value(path, value, node)


def _lacks_name(path: Path, value: Value) -> bool:
    """Whether the keys of a house rule stand where its name should, or in a list."""
    if path == (HOUSE_RULES,):
        return isinstance(value, list)
    keys = schema()["$defs"]["house_rule"]["else"]["properties"]
    return path[:1] == (HOUSE_RULES,) and len(path) == 2 and path[1] in keys


def wrong_value(path: Path, value: Value, node: Schema, *, is_name: bool = False) -> Problem:
    """A value that its key does not take, or a name that its table does not."""
    key = shown_key(path)
    code = "rules.key" if is_name else "rules.value"
    if value is None:
        return Problem(path, f"{key} has no value; it must be {_wanted(node)}", code)
    shown = _shown_value(value, is_name=is_name)
    advice = ""
    sentence = str(node.get("patternErrorMessage", ""))
    if sentence.startswith("This"):  # as in "This is not the number of a hand; write 4 or 5-7."
        fault, _, advice = sentence.removeprefix("This").removesuffix(".").partition("; ")
        message = f"{shown}{fault}"
    else:
        verb = "must hold" if path and isinstance(path[-1], int) else "must be"
        message = f"{key} {verb} {_wanted(node)}, not {shown}"
    if path[:1] == (HOUSE_RULES,) and isinstance(value, str) and synonym_of(value) == "out":
        advice = _GOING_OUT.get(str(path[2]), advice) if len(path) > 2 else advice
    meant = adviser().rewriting(value, node, is_name=is_name)
    if meant is None:
        message = f"{message}; {advice}" if advice else message
        return Problem(path, message, code, at_key=is_name)
    if meant.sure:
        message = f"{meant.why or message}; write {meant.text}"
        return Problem(path, message, code, at_key=is_name, instead=meant.text)
    offers = in_words([meant.text, *meant.others], "or")
    message = f"{meant.why or message}; did you mean {offers}?"
    return Problem(path, message, code, at_key=is_name)


def _shown_value(value: Value, *, is_name: bool) -> str:
    """A value as messages name it."""
    if isinstance(value, dict):
        return "keys and values"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, str):
        return value if is_name or scalar(value) == value else quote_text(value)
    return flow(value)


def _wanted(node: Schema) -> str:
    """What can be written for a key, with the words that it takes."""
    if isinstance(node.get("additionalProperties"), dict):
        return takes(node)
    form = form_of(node)
    words = in_words([word.value for word in words_of(node)], "or")
    if form or not words:
        return form or takes(node)
    return f"a list of {words}" if "items" in node else words


def _unknown_key(path: Path, name: str, names: Mapping[str, Schema], value: Value) -> Problem:
    """A key that is not one of those that the vocabulary has in this place."""
    where = shown_key(path) if path else ""
    full_name = f"{where}.{name}" if path else name
    message = f"there is no key {full_name}"

    def problem(message: str, instead: str | None = None, *, margin: bool = False) -> Problem:
        return Problem((*path, name), message, "rules.key", True, instead, margin)

    def offering(
        meant: Sequence[str], below: Path = (), instead: str | None = None, otherwise: str = ""
    ) -> Problem:
        """The problem with keys that stand below a path, which may have been meant."""
        full_names = tuple([".".join(map(str, (*below, one))) for one in meant])
        offer = f"{message}; did you mean {' or '.join(meant)}? {otherwise}".rstrip()
        return changed(problem(offer, instead), meant=full_names)

    entry = adviser().entry_in(name, names) if value is None else None
    if entry is not None:
        return problem(f"{entry.why}; write {entry.text}", entry.text)
    other_words = _IN_WORDS if path[:1] == (HOUSE_RULES,) and len(path) == 2 else {}
    close = nearest(name, [*names, *other_words])
    if close is not None and close.text in other_words:
        return problem(f"{message}: {other_words[close.text]}")
    if path and name in schema()["properties"] and isinstance(value, dict):
        by_hand = name == HOUSE_RULES  # at the margin, a rule is one of all hands
        how = "hand.number in the condition" if by_hand else "no spaces before it"
        advice = f"write it at the margin, with {how}"
        message = f"{name} does not belong under {where}: {advice}"
        return problem(message, margin=not by_hand)
    if close is not None and close.sure and _fits(value, names[close.text]):
        return offering([close.text], path, close.text)
    places = [] if path and name in {"min", "max"} else list(_places(name, inside=not path))
    fitting = [full for full, node in places if is_valid(value, node)]
    if fitting:
        nested = fitting[0].replace(".", ": {")
        instead = nested if not path and len(fitting) == 1 else None
        if fitting[0] == name:
            braces = "}" * name.count(".")
            message = f"{name} is written as nested keys, as in {nested}: …{braces}"
            return problem(message, instead)
        return offering(fitting, instead=instead)
    pointer = "" if path[:1] in {("cases",), (HOUSE_RULES,)} else _NO_KEY
    if close is not None:
        is_likely = not path or is_valid(value, names[close.text])
        return offering([close.text], path, otherwise="" if is_likely else pointer)
    if places and not path:
        return offering([full for full, _ in places])
    if names:
        message += f"; {where or 'a rules file'} has {', '.join(names)}"
    return problem("; ".join(filter(None, (message, pointer))))


def _fits(value: Value, node: Schema) -> bool:
    """Whether a value was meant for a key, even if it is not written as the key wants it."""
    return (
        isinstance(value, dict)
        or is_valid(value, node)
        or adviser().rewriting(value, node) is not None
    )


def _places(name: str, *, inside: bool) -> Iterator[tuple[str, Schema]]:
    """The keys that have a name, or whose section has it, with their schemas."""
    for full, node in key_paths().items():
        *_, section, last = ("", *full.split("."))
        if name in {full, last} or (inside and name == section):
            yield full, node
