"""The schema is the one description of the questions: signatures, checks and answers keep to it."""

from __future__ import annotations

import inspect
import json

import jsonschema
import pytest

from meldref_service import BadQuestion, Service
from meldref_service.described import SCHEMA, check, questions, whole_schema
from meldref_service.service import ANSWERS

WHOLE = whole_schema()
NAMES = [*questions()]


def test_each_question_that_is_described_is_answered_and_no_other():
    assert set(ANSWERS) == set(questions())


@pytest.mark.parametrize("name", NAMES)
def test_an_answer_takes_the_arguments_that_the_schema_names(name):
    described = questions()[name]["arguments"]
    session, *parameters = inspect.signature(ANSWERS[name]).parameters.values()
    assert session.name == "session"
    assert {one.name for one in parameters} == set(described["properties"])
    needed = {one.name for one in parameters if one.default is inspect.Parameter.empty}
    assert needed == set(described.get("required", ()))


@pytest.mark.parametrize("name", NAMES)
def test_the_example_of_each_question_has_an_answer_of_the_shape_described(name):
    answer = json.loads(json.dumps(Service().ask(name, **questions()[name]["example"])))
    schema = {**WHOLE["questions"][name]["answer"], "$defs": WHOLE["$defs"]}
    jsonschema.Draft202012Validator(schema).validate(answer)
    assert set(answer) <= set(schema.get("properties", answer)) | ALSO.get(name, set())


ALSO = {
    "best": {"for", "plays", "points", "gain", "left", "bound", "searched"},
    "melds": {"melds", "complete"},
    "count": {"plays", "held", "sides"},
    "complete_log": {"from", "offers"},
    "complete_rules": {"from", "offers"},
    "explain": {"code", "title", "means", "why", "keys", "clauses", "illegal", "legal"},
    "diff": {"version", "apart"},
}
"""Keys that the pages on the JSON of commands describe."""


def test_the_whole_schema_is_one_and_needs_no_other_file():
    assert '"$ref": "#/' in json.dumps(WHOLE)
    assert "output.schema.json" not in json.dumps(WHOLE)
    for described in WHOLE["questions"].values():
        for part in ("arguments", "answer"):
            jsonschema.Draft202012Validator.check_schema(
                {**described[part], "$defs": WHOLE["$defs"]}
            )


def is_taken(name, arguments):
    """Whether a question takes these arguments, whatever it says to them."""
    try:
        check(name, arguments)
    except BadQuestion:
        return False
    return True


@pytest.mark.parametrize("name", NAMES)
def test_arguments_are_refused_exactly_if_they_do_not_fit_the_schema(name):
    example = questions()[name]["example"]
    schema = {**WHOLE["questions"][name]["arguments"], "$defs": WHOLE["$defs"]}
    for key in questions()[name]["arguments"]["properties"]:
        for value in (None, 3, 3.0, 2.5, -1, True, "", "x", [], {}, [3], {"x": 3}, {"text": 3}):
            given = {**example, key: value}
            fits = jsonschema.Draft202012Validator(schema).is_valid(given)
            assert is_taken(name, given) == fits, (key, value)


WITH_NUMBERS = [
    (name, key)
    for name in NAMES
    for key, node in questions()[name]["arguments"]["properties"].items()
    if SCHEMA.resolved(node).get("type") == "integer"
]


@pytest.mark.parametrize(("name", "key"), WITH_NUMBERS)
def test_a_whole_number_is_one_however_it_is_written(name, key):
    given = questions()[name]["example"]
    whole = Service().ask(name, **{**given, key: 2})
    assert Service().ask(name, **{**given, key: 2.0}) == whole


def test_numbers_inside_of_data_are_whole_however_they_are_written():
    position = {"hands": {"A": "4d 9h 2h"}, "points": {"A": 5}, "set": {"game.target": 300}}
    written = {**position, "points": {"A": 5.0}, "set": {"game.target": 3e2}}
    assert Service().ask("moves", position=written) == Service().ask("moves", position=position)
    half = {**position, "points": {"A": 5.5}}
    assert Service().ask("moves", position=half)["verdict"] == "unusable"


def test_data_that_is_nested_deeper_than_any_position_is_answered():
    deep = {}
    for _ in range(900):
        deep = {"a": deep}
    assert Service().ask("moves", position=deep)["verdict"] == "unusable"


@pytest.mark.parametrize(
    ("question", "arguments", "message", "path"),
    [
        ("legl", {}, "there is no question 'legl'; did you mean legal?", ("question",)),
        ("fmt", {}, "log must be given", ("arguments",)),
        ("fmt", {"log": 3}, "log is a text", ("arguments", "log")),
        ("fmt", {"log": "", "x": 1}, "there is no argument x", ("arguments", "x")),
        ("sit", {"lines": ["", 3], "seed": 1}, "entry 2 of lines is a text", ("arguments", "lines", 1)),
        ("best", {"position": {}, "goal": "x"}, "goal is score or points", ("arguments", "goal")),
        ("turns", {"position": {}, "most": 0}, "most is a number from 1 to 100000", ("arguments", "most")),
        ("begin", {"players": ["A"] * 21}, "players has at most 20 entries", ("arguments", "players")),
        ("score", {"log": "", "rules": 3}, "rules is a text or an object", ("arguments", "rules")),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_question_is_said_at_its_place(question, arguments, message, path):
    with pytest.raises(BadQuestion) as refused:
        Service().answer(question, arguments)
    assert (str(refused.value), refused.value.path) == (message, path)
