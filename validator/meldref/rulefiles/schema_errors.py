"""What does not fit the schema of rules files: why, in words, and what was probably meant."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, cast

from meldref.core.json_schema import Mismatch
from meldref.documents.reader import MAX_FINDINGS, Path, Value, scalar
from meldref.rulefiles.merge import HANDS, Fix, Problem, flow
from meldref.rulefiles.suggestions import (
    Meant,
    entry_for,
    list_for,
    moves_for,
    name_for,
    number_for,
    range_for,
    rank_for,
    slug_for,
    word_for,
    words_for,
)
from meldref.rulefiles.vocabulary import Schema, is_valid, key_paths, node_of, schema

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError
    from jsonschema.protocols import Validator

_WORDS = {
    "object": "keys and values",
    "array": "a list",
    "string": "a word",
    "integer": "a whole number",
}
_MISSING = {
    "expect": "expect: {verdict: legal} or another verdict",
    "moves": 'moves: ["A: draw; discard 2c"]',
}
"""How a key is written that has to be there."""


def find_schema_errors(value: Value) -> tuple[Problem, ...]:
    """What the schema does not allow in a file: everything, or `MAX_FINDINGS` errors plus one."""
    if is_valid(value, schema()):
        return ()
    problems: dict[tuple[Path, str], Problem] = {}
    for mismatch in chain.from_iterable(map(_mismatches, _validator().iter_errors(value))):
        problem = _schema_error(mismatch)
        key = problem.path, problem.code
        if key not in problems or mismatch.keyword == "type":  # of two reasons the plainer one
            problems[key] = problem
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
    """An error of the validator; an unknown key is a mismatch each."""
    path: Path = tuple(error.absolute_path)
    keyword, value, node = (
        str(error.validator),
        cast("Value", error.instance),
        cast("Schema", error.schema),
    )
    if keyword == "additionalProperties" and isinstance(value, dict):
        unknown = (key for key in value if key not in node.get("properties", ()))
        yield from (Mismatch(keyword, (*path, key), value[key], node) for key in unknown)
    elif "propertyNames" in error.absolute_schema_path:
        yield Mismatch("propertyNames", path, value, node)
    else:
        yield Mismatch("minimum" if keyword == "maximum" else keyword, path, value, node)


def shown_key(path: Path) -> str:
    """A path as messages name it: an item by its list's name, cases by their number."""
    if path[:1] == ("cases",) and len(path) > 1:
        number = f"case {int(path[1]) + 1}"
        rest = ".".join(str(part) for part in path[2:] if not isinstance(part, int))
        return f"{number}, {rest}" if rest else number
    return ".".join(str(part) for part in path if not isinstance(part, int)) or "the file"


def _schema_error(mismatch: Mismatch) -> Problem:
    """A mismatch in our words."""
    keyword, path, value, node = mismatch
    key = shown_key(path)
    if (
        path[:1] == ("house_rules",)
        and len(path) == 2
        and path[1] in _OF_RULES
        and keyword in {"enum", "type"}
    ):
        message = "a house rule has a name, and its keys stand below that: "
        message += "write house_rules: {my-rule: {…}}"
        return _wrong(("house_rules",), message)
    if keyword == "additionalProperties":
        return _unknown(path[:-1], str(path[-1]), list(node.get("properties", ())), value)
    if keyword == "propertyNames":
        return _bad_entry(path, value)
    if keyword == "enum":
        return _bad_word(path, value, node)
    if keyword == "type":
        return _bad_type(path, value, node)
    if keyword == "pattern":
        return _bad_text(path, value)
    if keyword in ("maxProperties", "maxItems"):
        message = f"{key} belongs to an option (type: option), not to a game"
        return Problem(path, message, "rules.key", at_key=True)
    if keyword == "minimum":
        low, high = node.get("minimum"), node.get("maximum")
        message = f"{key} is {value}, but it can only be " + (
            f"at least {low}" if high is None else f"{low} to {high}"
        )
    elif keyword == "required":
        missing = next(name for name in node["required"] if name not in value)
        example = _MISSING.get(missing, "")
        message = f"{key} has no {missing}{example and f': write {example}'}"
    else:
        message = f"{key} {'is empty' if keyword == 'minItems' else 'has a duplicate'}"
    return _wrong(path, message)


def _wrong(path: Path, message: str, fix: Fix | Meant | None = None) -> Problem:
    """A value that its key does not take.

    What was meant is written instead where there is no doubt.
    """
    if isinstance(fix, Meant):
        fix = Fix(value=fix.text) if fix.sure else None
    return Problem(path, message, fix=fix)


def _rewritten(path: Path, problem: str, meant: Meant) -> Problem:
    """A value that is to be written in another way."""
    return _wrong(path, f"{problem}: write {meant.text}", meant)


def _unknown(path: Path, name: str, names: Sequence[str], value: Value) -> Problem:
    """A key that the vocabulary does not have in this place."""
    here = (*path, name)

    def problem(message: str, fix: Fix | None = None) -> Problem:
        return Problem(here, message, "rules.key", at_key=True, fix=fix)

    where, no_key = shown_key(path) if path else "", "" if path[:1] in _NO_RULES else NO_KEY
    message = f"there is no key {f'{where}.' if where else ''}{name}"
    entry = entry_for(name, names) if value is None else None
    if entry is not None:
        return problem(f"{entry[0]}: write {entry[1]}", Fix(key=entry[1]))
    hint = _HINTS.get(name.lower()) if path[:1] == ("house_rules",) and len(path) == 2 else None
    if hint is not None:
        fix = Fix(key=hint) if hint in names else None
        return problem(f"{message}: {_IN_WORDS.get(hint, f'write {hint}')}", fix)
    if path[:1] == (HANDS,) and len(path) == 2 and name == "house_rules":
        number = "is" if str(path[1]).isdigit() else "in"
        numbers = path[1] if number == "is" else f"[{path[1]}]"
        return problem(
            f"house rules are those of all hands: write them at the margin, with "
            f"hand.number {number} {numbers} in the condition"
        )
    if path and name in schema()["properties"] and isinstance(value, dict):
        return problem(
            f"{name} does not belong under {where}: "
            "write it at the margin, with no spaces before it",
            Fix(margin=True),
        )
    if not path and "." in name and (node := node_of(tuple(name.split(".")))) is not None:
        fix = _under(name)
        written = f"{fix.key}: {value if isinstance(value, (str, int)) else '…'}{fix.behind}"
        message = f"{name} is written as nested keys: write {written}"
        return problem(message, fix if is_valid(value, node) else None)
    close = name_for(name, names)
    if close is not None and close.sure:
        section = any(full.startswith(f"{shown_key((*path, close.text))}.") for full in key_paths())
        pointer = no_key if section and isinstance(value, (int, str)) else ""
        return problem(f"{message}; did you mean {close.text}?{pointer}", Fix(key=close.text))
    bound = path and name in {"min", "max"}  # which mean nothing without the section they are in
    elsewhere = [full for full in key_paths() if full.rpartition(".")[2] == name and not bound]
    inside = [full for full in key_paths() if not path and full.split(".")[-2:-1] == [name]]
    fitting = [
        full
        for full in (*elsewhere, *inside)
        if is_valid(value, node_of(tuple(full.split("."))) or {})
    ]
    if fitting:
        sure = not path and len(fitting) == 1
        meant = f"{message}; did you mean {' or '.join(fitting)}?{no_key if path else ''}"
        return problem(meant, _under(fitting[0]) if sure else None)
    if close is not None:
        return problem(f"{message}; did you mean {close.text}?{no_key}")
    if elsewhere and not path:
        return problem(f"{message}; did you mean {' or '.join(elsewhere)}?")
    has = f"; {where or 'a rules file'} has {', '.join(names)}" if names else ""
    return problem(f"{message}{has}{no_key}")


_OF_RULES: Final = frozenset(
    ("forbid", "award", "for", "to", "when", "unless", "says", "why", "source")
)
"""The keys of a house rule."""
_HINTS: Final = {
    word: hint
    for hint, words in {
        "when": "if condition where while",
        "unless": "except besides",
        "forbid": "ban deny prohibit disallow forbids forbidden",
        "for": "on at each",
        "says": "text sentence message description about title rule",
        "why": "reason because",
        "source": "from",
        "to": "gets receiver whom",
        "allow": "allow allows allowed permit permits may",
        "must": "must require requires require_that need needs",
        "penalty": "penalty fine malus costs minus",
        "award": "bonus points awards reward prize gives",
    }.items()
    for word in words.split()
}
"""What people write for the keys of a house rule, by the key or what has to be said of it."""
_IN_WORDS: Final = {
    "allow": "what is not forbidden is allowed, so write forbid, and unless for what is allowed",
    "must": "write forbid for what is left when it is not done, such as forbid: end with unless",
    "penalty": "write award with points below nought, such as award: -10",
}
"""What to say of words that mean no single key."""
_NO_RULES: Final = (("cases",), ("house_rules",))
"""Sections in which no rule of play is missing when a key is."""
NO_KEY: Final = (
    "; house_rules (docs/house-rules.md) or customs (docs/limits.md) may cover what no key does"
)


def _under(full: str) -> Fix:
    """The fix that puts a value at the margin under the section it belongs to."""
    above, _, last = full.rpartition(".")
    opening = "".join(f"{part}: {{" for part in above.split("."))
    return Fix(key=f"{opening}{last}", behind="}" * len(above.split(".")))


def _bad_entry(path: Path, name: str) -> Problem:
    """A key of a table that names none of what the table is by."""
    key = shown_key(path)
    meant: Meant | None = None
    if key in ("scoring.values", "scoring.held"):
        message, meant = rank_for(name)
    elif key == HANDS:
        meant = range_for(name)
        message = f"{name} is not the number of a hand: write 4 or 5-7"
    elif key == "melds.kinds":
        message = f"{name} is not a name for a kind of meld: use small letters, digits, - and _"
    elif key == "house_rules":
        meant = slug_for(name)
        write = f": write {meant.text}" if meant else ": use small letters, digits and hyphens"
        message = f"{name} is not a name for a house rule{write}"
    else:
        meant = range_for(name)
        message = f"{name} is not a number of players: write {meant.text if meant else '4 or 5-8'}"
    fix = Fix(key=meant.text) if meant else None
    return Problem((*path, name), message, "rules.key", at_key=True, fix=fix)


def _bad_word(path: Path, value: Value, node: Schema) -> Problem:
    """A word that is none of those that a key takes."""
    key = shown_key(path)
    if path[:2] == ("melds", "kinds") and len(path) == 3 and isinstance(value, str):
        return _kind_in_short(path, value)
    wanted: Sequence[str] = node["enum"]
    several = words_for(value, wanted)
    if several is not None and path and isinstance(path[-1], int):
        return _rewritten(path, f"{key} cannot have {value}: a comma is missing", several)
    if several is not None and "a list" in _said(node):
        written = Meant(f"[{several.text}]", sure=True)
        return _rewritten(path, f"{key} cannot be {value}: a list has square brackets", written)
    text = value if isinstance(value, str) else json.dumps(value)
    what = _said(node) or (" or " if len(wanted) < 3 else ", ").join(wanted)
    if _said(node) and isinstance(value, str):
        _, number = number_for(value)
        if number is not None and word_for(value, wanted) is None:
            return _number(path, value, node)
        span = range_for(value)
        if span is not None:
            return _bad_text(path, value)
    message = f"{key} cannot be `{text}`: expected {what}"
    if path and isinstance(path[-1], int):
        message = f"{key} cannot have {text}: it can have {what}"
    meant = word_for(value, wanted)
    if meant is not None and "#" in meant.text:
        message = f"{key} cannot be {text}: a comment after the word begins with #"
    elif meant is not None:
        message += f"; did you mean {meant.text}?"
    return _wrong(path, message, meant)


def _kind_in_short(path: Path, value: str) -> Problem:
    """A kind of meld that is said in one word, where only `none` is."""
    key, size = shown_key(path), range_for(value)
    if size is not None:
        written = f"{{size: {size.text}}}"
        return _wrong(path, f"{key} has keys: write {path[-1]}: {written}", Fix(value=written))
    example = "{size: 3-4, require: [same_rank]}"
    message = f"{key} cannot be {value}: it has keys, as in {example}, or the value none"
    return _wrong(path, message, word_for(value, ["none"]))


def _number(path: Path, value: Value, node: Schema) -> Problem:
    """What should be a whole number and is none."""
    reason, meant = number_for(value)
    what = _said(node) or _WORDS["integer"]
    write = "" if meant is None else f": write {meant.text}"
    return _wrong(path, f"{shown_key(path)} is {what}, {reason}{write}", meant)


def _bad_type(path: Path, value: Value, node: Schema) -> Problem:
    """A value of another sort than the key takes."""
    key = shown_key(path)
    wanted = node["type"]
    names: list[str] = [wanted] if isinstance(wanted, str) else wanted
    what = _said(node) or " or ".join(_WORDS.get(name, name) for name in names)
    fix: Fix | None = None
    if path[:1] == ("cases",) and path[2:3] == ("moves",):
        return _unquoted_moves(path, value)
    if value is None:
        message = f"{key} has no value; it is {what}"
        if names == ["object"]:
            message = f"{key} is empty: write its keys indented below it, or leave it out"
    elif names == ["integer"]:
        return _number(path, value, node)
    elif names == ["string"] and "enum" in node:
        return _bad_word(path, value, node)
    elif names == ["array"] and isinstance(value, str) and value.startswith("-"):
        message, fix = f"{key}: a space is missing after the dash", Fix(dashes=True)
    elif names == ["array"] and (items := list_for(value)) is not None:
        return _bare_list(path, items, node.get("items", {}).get("enum", ()))
    elif names == ["object"] and isinstance(value, (str, int)) and not isinstance(value, bool):
        return _text_for_section(path, str(value), node)
    else:
        text = json.dumps(value, ensure_ascii=False)
        if isinstance(value, (dict, list)):
            text = "a list" if isinstance(value, list) else "keys and values"
        message = f"{key} must be {what}, not {text}"
    return _wrong(path, message, fix)


def _bare_list(path: Path, items: Meant, names: Sequence[str]) -> Problem:
    """A list without its brackets; where only some words can stand in it, they are named."""
    key = shown_key(path)
    words = items.text.strip("[]").split(", ")
    if names and not all(word in names for word in words):
        meant = [(intended.text if (intended := name_for(word, names)) else word) for word in words]
        message = f"{key} is a list of {', '.join(names)}: write [{', '.join(meant)}]"
        if not all(word in names for word in meant):
            message = f"{key} is a list of {', '.join(names)}, not {', '.join(words)}"
        return _wrong(path, message)
    return _rewritten(path, f"{key} is a list", Meant(items.text, sure=True))


def _unquoted_moves(path: Path, value: Value) -> Problem:
    """Moves that are no list of texts: without quotes their colon makes keys and values of them."""
    key, meant = shown_key(path), moves_for(value)
    if len(path) == 3:
        return _rewritten(path, f"{key} is a list, with quotes around each move", meant)
    move = Meant(meant.text[1:-1], meant.sure)
    return _rewritten(path, f"{key}: a move has a colon in it, so it needs quotes", move)


def _text_for_section(path: Path, value: str, node: Schema) -> Problem:
    """A text where keys and values belong: a wrong colon, or a range of players."""
    key, names = shown_key(path), list(node.get("properties", ()))

    def section(written: str) -> Problem:
        message = f"{key} is a section, not a single value: write {key}: {written}"
        return _wrong(path, message, Fix(value=written))

    numbers = range_for(value) or (Meant(f"{value}-{value}") if value.isdecimal() else None)
    if numbers is not None and {"min", "max"} <= set(names):
        low, _, high = numbers.text.partition("-")
        return section(f"{{min: {low}, max: {high}}}")
    entry = entry_for(value, names)
    if entry is not None:
        return _wrong(path, f"{entry[0]}: write {entry[1]}", Fix(value=entry[1], entry=True))
    fitting = [
        name for name, part in node.get("properties", {}).items() if is_valid(scalar(value), part)
    ]
    if len(fitting) == 1:
        return section(f"{{{fitting[0]}: {value}}}")
    example = node.get("properties", {}).get(value, {}).get("examples")
    if example:
        written = f"{key}: {{{value}: {flow(example[0])}}}"
        return _wrong(path, f"{value} is a key of {key} and has a value: write {written}")
    switch = names[0] if names else ""
    if (
        switch
        and "none" in node["properties"][switch].get("enum", ())
        and word_for(value, ["none"])
    ):
        return _wrong(path, f"{key} has keys: write {key}: {{{switch}: none}}")
    end = "; is a colon missing?" if " " in value else ""
    return _wrong(path, f"{key} is keys and values, not the text “{value}”{end}")


def _said(node: Schema) -> str:
    """What a key takes that takes more than one thing, in the words that editors show.

    Nothing for any other.
    """
    return str(node.get("errorMessage", "")).removeprefix("Write ").removesuffix(".")


def _bad_text(path: Path, value: str) -> Problem:
    """A text that is not written as its key wants it."""
    key = shown_key(path)
    span = range_for(value)
    if span is not None:
        return _rewritten(
            path, f"{key} cannot be {value}: a range has a hyphen and no spaces", span
        )
    if key == "id":
        plain = re.sub(r"[^a-z0-9]+", "-", value.lower()).strip("-")
        example = plain and f", as in {plain}"
        message = f"{value} is not an id: use small letters, digits and hyphens{example}"
        return _wrong(path, message, Meant(plain, sure=bool(plain) and value.isascii()))
    wanted = "a number, or two with a hyphen, as in 3-4"
    if path[-2:-1] == ("contract",):
        wanted = "a kind of meld, with a smallest size if you like, as in group or sequence 7"
    return _wrong(path, f"{key} cannot be {value}: it is {wanted}")
