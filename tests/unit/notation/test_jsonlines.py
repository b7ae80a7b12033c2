"""Events as JSON: the published schema and the shapes that are read say the same of every kind of line."""

from __future__ import annotations

import json

import pytest

from meldref.core.resources import data_path
from meldref.notation import read_line
from meldref.notation.actions import ACTIONS
from meldref.notation.jsonlines import line_data
from meldref.notation.jsonlines.convert import read_object
from meldref.notation.lines import LINE_WORDS

SCHEMA = json.loads(data_path("grammar", "events.schema.json").read_text(encoding="utf-8"))
NAMED = SCHEMA["$defs"]
EVENTS = [word for word in SCHEMA["properties"]["event"]["enum"] if word != "assert"]
ASSERTIONS = NAMED["event-assert"]["properties"]["what"]["enum"]
VERBS = NAMED["action"]["properties"]["action"]["enum"]
KINDS = [
    *(("event", word) for word in EVENTS),
    *(("assert", word) for word in ASSERTIONS),
    *(("action", word) for word in VERBS),
]
TRAILERS = {"expected", "annotation", "comment"}


def test_the_schema_names_every_event_and_every_action():
    assert {"blank", "comment", "unreadable", "header", "turn", *LINE_WORDS} == {
        "turn",
        *EVENTS,
    }
    assert [form.word for form in ACTIONS] == VERBS


@pytest.mark.parametrize(("family", "word"), KINDS, ids=lambda one: one)
def test_each_kind_of_line_is_described_with_examples_that_can_be_read(family, word):
    published = NAMED[f"{family}-{word}"]
    by = "what" if family == "assert" else family
    assert by in published["properties"]
    assert set(published["required"]) <= set(published["properties"])
    assert published["additionalProperties"] is False
    assert published["description"].endswith((".", "]"))
    silent = word in {"blank", "comment", "unreadable"} and family == "event"
    assert (set(published["properties"]) >= TRAILERS) == (family != "action" and not silent)
    for example in published["examples"]:
        assert example[by] == word
        line = (
            example
            if family != "action"
            else {"event": "turn", "player": "Ann", "actions": [example]}
        )
        assert read_object(json.dumps(line))[1] == ()


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("draw", {"event": "unreadable", "text": "draw"}),
        ("stock ? ? 5h ?", {"event": "stock", "cards": ["?*2", "5h", "?"]}),
        ("deal Ann ? 5h ?*6", {"event": "deal", "player": "Ann", "cards": ["5h", "?*7"]}),
        ("wild 10", {"event": "wild", "rank": "T"}),
        ("cut Ann 5h, Bob jk", {"event": "cut", "cards": {"Ann": "5h", "Bob": "Jk"}}),
        ("total N+S 5, E+W -3", {"event": "total", "points": {"N+S": 5, "E+W": -3}}),
        ("total Ann 5, Ann -3", {"event": "total", "points": [["Ann", 5], ["Ann", -3]]}),
        ("void", {"event": "void"}),
        (
            'adjust Ann -10 "late"',
            {"event": "adjust", "player": "Ann", "points": -10, "reason": "late"},
        ),
        ("end stock", {"event": "end", "reason": "stock"}),
        ("= hand Ann 5", {"event": "assert", "what": "hand", "player": "Ann", "count": 5}),
        ("= hand Ann", {"event": "assert", "what": "hand", "player": "Ann", "cards": []}),
        (
            "= table m1 5h Jk=6h 7h",
            {"event": "assert", "what": "table", "meld": 1, "cards": ["5h", "Jk=6h", "7h"]},
        ),
        (
            "gap {a=1} ?! draw, Log # x ",
            {"event": "gap", "expected": ["draw", "log"], "annotation": "a=1", "comment": " x"},
        ),
        ("  # x", {"event": "comment", "text": "  # x"}),
        ("  ", {"event": "blank"}),
    ],
)
def test_a_line_says_in_json_what_it_says_in_the_notation(text, data):
    line, findings = read_line(text)
    assert line_data(line, readable=not findings) == data
