"""The schema is the one description of the questions: signatures, checks and answers keep to it."""

from __future__ import annotations

import inspect
import json

import jsonschema
import pytest

from meldref_service import BadQuestion, Service
from meldref_service.described import check, questions, whole_schema
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
        for value in (None, 3, -1, True, "", "x", [], {}, [3], {"x": 3}, {"text": 3}):
            given = {**example, key: value}
            fits = jsonschema.Draft202012Validator(schema).is_valid(given)
            assert is_taken(name, given) == fits, (key, value)


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
