"""What holds for every log and its JSON Lines: nothing is lost, and the published schema knows every line."""

from __future__ import annotations

import json

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from meldref.core.resources import data_path
from meldref.notation import format_log, read_lines, write_line
from meldref.notation.grammar import parser
from meldref.notation.jsonlines import from_json, to_json
from meldref.notation.jsonlines.convert import read_object
from project_logs import LOGS
from random_lines import lines
from tiers import examples

parser()  # loaded here, lest it count as the time of the example that needs it first

SCHEMA = Draft202012Validator(
    json.loads(data_path("grammar", "events.schema.json").read_text(encoding="utf-8"))
)
MOST = 999_999_999

any_line = st.one_of(
    lines.map(write_line),
    st.sampled_from(
        [
            "",
            "  ",
            "\t# late",
            "# x",
            "{a} ?! draw # b",
            "{ a }",
            "?! log",
            "oops",
            "A: drwa; pass # x",
        ]
    ),
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n\r\ufeff"), max_size=12),
)
logs = st.lists(any_line, max_size=6).map("\n".join)


def as_json(text):
    return [one.text for one in to_json(read_lines(text))]


def as_log(json_texts):
    """The log that lines of JSON make, all of which have to be right."""
    made = list(from_json(json_texts))
    assert [finding for one in made for finding in one.findings] == []
    return "".join(one.text + "\n" for one in made)


def check(text):
    """The laws of a log that has no line beyond the longest."""
    written = as_json(text)
    assert all(line.isascii() for line in written)
    log = as_log(written)
    assert log == "".join(format_log(line for line, _ in read_lines(text)))
    assert as_json(log) == written
    return written


@pytest.mark.sweep
@given(logs)
@example("")
@example("\n\n# x\n\n\n\ngap\n\n")
@example("score Ann 1, Ann 2\ncut Ann 5h, Ann 5h")
def test_a_log_comes_back_in_its_canonical_form_and_json_as_it_was(text):
    check(text)


@given(logs)
@example('= pile\nend out ""\nadjust Ann 5 ""')
@settings(max_examples=examples(40))
def test_the_schema_knows_every_line_that_is_written(text):
    for line in as_json(text):
        SCHEMA.validate(json.loads(line))


@pytest.mark.parametrize("text", LOGS.values(), ids=LOGS)
def test_every_log_of_the_project_comes_back(text):
    if not any("\ud800" <= character <= "\udfff" for character in text):
        for line in {json.dumps(json.loads(line), sort_keys=True) for line in check(text)[:40]}:
            SCHEMA.validate(json.loads(line))


values = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 3),
    st.sampled_from([MOST, MOST + 1, -MOST - 1, 999, 1000, 0.5, 1e300]),
    st.sampled_from(
        [
            "",
            "Ann",
            "5h",
            "Jk=8c",
            "Jk=9",
            "?",
            "?*7",
            "10d",
            "out",
            "hand",
            "3",
            'a"b',
            "a\nb",
            "{",
            "x.y",
        ]
    ),
    st.lists(st.sampled_from(["5h", "?", "Jk=9", 5, "Ann"]), max_size=2),
    st.dictionaries(
        st.sampled_from(["Ann", "Bob", 'a"b']), st.sampled_from([5, "5h", None]), max_size=2
    ),
)
keys = st.sampled_from(
    [
        "player",
        "cards",
        "card",
        "meld",
        "number",
        "reason",
        "what",
        "event",
        "action",
        "comment",
        "x",
    ]
)


@st.composite
def nearly_right(draw):
    """What a line of JSON says, with a value changed, a key added or one taken away."""
    data = json.loads(as_json(write_line(draw(lines)) or "gap")[0])
    spoilt = data
    inner = data.get("actions")
    if inner and draw(st.booleans()):
        spoilt = inner[0]
    key = draw(st.sampled_from(sorted(spoilt)) | keys)
    if draw(st.booleans()) or key not in spoilt:
        spoilt[key] = draw(values)
    else:
        del spoilt[key]
    return data


@given(nearly_right())
@settings(max_examples=examples(300))
def test_what_is_taken_is_what_the_schema_allows(data):
    """Beyond the schema, only what becomes of it can be wrong: a line that is too long, or says something else."""
    line, findings = read_object(json.dumps(data))
    valid = SCHEMA.is_valid(data)
    if not findings:
        assert valid, data
        assert as_log([json.dumps(data)]) == line.text + "\n" or data == {"event": "blank"}
    elif valid:
        assert all(
            "only a comment" in one.message or "the notation" in one.message for one in findings
        ), findings


@given(st.text(max_size=30) | st.text('{}[]":,\\u0123eE+-. tfn', max_size=40))
def test_no_text_is_too_odd_to_be_told_about(text):
    for one in from_json(text.split("\n")):
        assert all(finding.span.column <= len(text) + 1 for finding in one.findings)
