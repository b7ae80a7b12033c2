"""What strict YAML accepts, and what it says about the rest, with places."""

import json

import pytest

from meldref.core.diagnostics import Span
from meldref.core.safe_files import MAX_BYTES
from meldref.documents.reader import read_yaml, scalar


def read(text):
    """The value of a text that must be fine."""
    document, findings = read_yaml(text, "house.yaml")
    assert findings == ()
    assert document is not None
    return document.value


def places(text):
    """Line and column of every finding of a text that must not be fine."""
    document, findings = read_yaml(text, "house.yaml")
    assert document is None
    assert all(
        finding.code == "rules.yaml" and finding.file == "house.yaml" for finding in findings
    )
    return [(finding.span.line, finding.span.column) for finding in findings]


@pytest.mark.parametrize(
    "word", ["no", "off", "on", "yes", "N", "y", "012", "1_0", "0x1F", "0o7", "12:30", "3-4", "10d"]
)
def test_words_that_other_readers_take_for_something_else_are_text(word):
    assert read(f"key: {word}") == {"key": word}


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("0", 0),
        ("12", 12),
        ("-3", -3),
        ("1.5", 1.5),
        ("1e3", 1000.0),
        ("true", True),
        ("false", False),
        ("~", None),
    ],
)
def test_numbers_and_truth_are_those_of_the_core_schema(word, value):
    assert scalar(word) == value
    assert read(f'key: "{word}"') == {"key": word}


def test_an_endless_row_of_digits_is_text():
    assert scalar("9" * 5000) == "9" * 5000


def test_keys_keep_their_text():
    assert read("{2: 13, 3-8: 7, true: 1, 012: 2}") == {"2": 13, "3-8": 7, "true": 1, "012": 2}


def test_json_is_read_by_the_same_door():
    value = {"a": [1, {"b": "text with: a colon"}], "c": None, "d": True}
    assert read(json.dumps(value)) == value
    assert read(json.dumps(value, indent=2)) == value


def test_every_value_and_key_knows_its_place():
    document, _ = read_yaml(
        'draw:\n  deep: {must: be_used}\ncases:\n  - name: x\n    moves: [a, "b c"]\n', "f"
    )
    assert document.place(("draw", "deep", "must")) == Span(2, 16, 23)
    assert document.key_place(("draw", "deep", "must")) == Span(2, 10, 14)
    assert document.place(("cases", 0, "moves", 1)) == Span(5, 16, 21)
    assert document.key_place(("cases", 0, "moves", 1)) == Span(5, 16, 21)
    assert document.excerpt(5) == '    moves: [a, "b c"]'


def test_a_path_that_is_not_there_stands_at_what_is_around_it():
    document, _ = read_yaml("draw:\n  deep: {must: be_used}\n", "f")
    assert document.place(("draw", "deep", "when")) == document.place(("draw", "deep"))


def test_a_byte_order_mark_is_no_part_of_the_text():
    document, _ = read_yaml(b"\xef\xbb\xbfid: x\r\nname: y\r\n", "f")
    assert document.value == {"id": "x", "name": "y"}
    assert document.key_place(("id",)) == Span(1, 1, 3)
    assert document.key_place(("name",)) == Span(2, 1, 5)


def test_all_that_can_be_read_on_is_reported_in_one_run():
    text = "a: 1\na: 2\nb: &x 3\nc: !!int 5\nd: *x\n<<: {a: 1}\n"
    assert places(text) == [(2, 1), (3, 4), (4, 4), (5, 4), (6, 1)]


def test_a_key_that_stands_twice_names_the_first_line():
    _, findings = read_yaml(
        "draw:\n  depth: any\nout:\n  bonus: 1\ndraw:\n  takes: all_above\n", "f"
    )
    assert [(finding.span, "line 1" in finding.message) for finding in findings] == [
        (Span(5, 1, 5), True)
    ]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("deck:\n\tpacks: 1", (2, 1)),
        ("deck:\n  jokers 2\n  packs: 1\n", (2, 3)),
        ("deck:\n  packs: 1\n  jokers 2\n", (3, 3)),
        ("a: 1\n b: 2", (2, 2)),
        ("a: b: c", (1, 5)),
        ("a: [1, 2\nb: 3", (1, 4)),
        ("b: 1\na: 'x", (2, 4)),
        ("a: @x", (1, 4)),
        ("a: 1\n---\nb: 2\n", (2, 1)),
        ("? [a]\n: 1", (1, 3)),
        (": 1", (1, 1)),
        ("- 1\nx: 2", (2, 1)),
        ("a: &\n", (1, 5)),
        ("*a : 1", (1, 1)),
        ("{*a, b}", (1, 2)),
        ("key: [a, b]]", (1, 12)),
        ("", (1, 1)),
        ("# only a comment\n", (1, 1)),
        ("a: 1\nb: \0", (2, 4)),
        ("a: 1\u2028b: 2", (1, 5)),
    ],
)
def test_what_cannot_be_read_is_reported_where_it_has_to_be_mended(text, place):
    assert places(text) == [place]


def test_latin_1_is_reported_at_its_byte():
    document, findings = read_yaml("id: x\nname: Café\n".encode("latin-1"), "f")
    assert document is None
    assert [(finding.span.line, finding.span.column) for finding in findings] == [(2, 10)]


def test_other_encodings_are_named():
    _, findings = read_yaml("id: x\n".encode("utf-16"), "f")
    assert "UTF-16" in findings[0].message


@pytest.mark.parametrize(
    "text", ["[" * 30_000, "{a: " * 30_000, "- " * 30_000, "[" * 30_000 + "]" * 30_000]
)
def test_deep_nesting_is_refused_and_not_followed(text):
    assert len(places(text)) == 1


def test_thirty_two_levels_are_fine_and_one_more_is_not():
    assert read("[" * 32 + "]" * 32) is not None
    assert places("[" * 33 + "]" * 33) == [(1, 33)]


def test_a_file_that_is_too_large_is_refused_unread():
    assert places("# " + "x" * MAX_BYTES) == [(1, 1)]
    assert places(b"# " + b"x" * MAX_BYTES) == [(1, 1)]
    assert places("é" * (MAX_BYTES // 2 + 1)) == [(1, 1)]


def test_aliases_are_not_followed():
    bomb = "a: &a [x, x]\n" + "".join(
        f"{new}: &{new} [*{old}, *{old}]\n" for old, new in zip("abcdef", "bcdefg", strict=True)
    )
    assert len(places(bomb)) == 19


def test_findings_end_somewhere():
    assert len(places("a: 1\n" * 1000)) == 100


def test_the_code_is_the_callers():
    _, findings = read_yaml("a: [", "position.yaml", code="log.syntax")
    assert [finding.code for finding in findings] == ["log.syntax"]
