"""Events as JSON: the published schema and the shapes that are read say the same of every kind of line."""

from __future__ import annotations

import json

import pytest

from meldref.core.resources import data_path
from meldref.jsonlines import line_data
from meldref.jsonlines.shapes import ACTIONS, ASSERTIONS, EVENTS, NAMES, SILENT, TRAILERS
from meldref.notation import read_line

SCHEMA = json.loads(data_path("grammar", "events.schema.json").read_text(encoding="utf-8"))
NAMED = SCHEMA["$defs"]
KINDS = [
    *(("event", name, shape, tuple(TRAILERS)) for name, shape in EVENTS.items()),
    *(("event", name, shape, ()) for name, shape in SILENT.items()),
    *(("assert", name, shape, ("event", *TRAILERS)) for name, shape in ASSERTIONS.items()),
    *(("action", name, shape, ()) for name, shape in ACTIONS.items()),
]


def test_the_schema_names_every_event_and_every_action():
    assert SCHEMA["properties"]["event"]["enum"] == list(NAMES)
    assert NAMED["action"]["properties"]["action"]["enum"] == list(ACTIONS)
    assert NAMED["event-assert"]["properties"]["what"]["enum"] == list(ASSERTIONS)


@pytest.mark.parametrize(
    ("family", "name", "shape", "also"), KINDS, ids=lambda one: one if isinstance(one, str) else ""
)
def test_a_shape_has_the_keys_of_the_schema(family, name, shape, also):
    published = NAMED[f"{family}-{name}"]
    by = "what" if family == "assert" else family
    assert set(published["properties"]) == {by, *shape.required, *shape.optional, *also}
    assert set(published["required"]) == {by, *shape.required}
    assert published["additionalProperties"] is False
    assert published["description"].endswith((".", "]"))
    assert all(example[by] == name for example in published["examples"])


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
        ('adjust Ann -10 "late"', {"event": "adjust", "player": "Ann", "points": -10, "reason": "late"}),
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
