"""Merging and reading, on whatever comes."""

import jsonschema
from hypothesis import given, settings
from hypothesis import strategies as st

from meldref.documents.reader import read_yaml
from meldref.rulefiles.merge import Flattener, flow, merge
from meldref.rulefiles.schema_errors import find_schema_errors
from meldref.rulefiles.vocabulary import is_valid, schema
from tiers import examples

NUMBERS = st.sampled_from(["2", "3", "2-4", "5-8", "3-8"])
RANKS = st.sampled_from(["A", "2-9", "5", "T-K", "Q", "Qs", "joker"])
KINDS = st.one_of(
    st.just("none"),
    st.fixed_dictionaries(
        {},
        optional={"size": st.sampled_from(["3-4", "4-13", 5]), "require": st.just(["same_rank"])},
    ),
)
OVERLAYS = st.fixed_dictionaries(
    {},
    optional={
        "players": st.fixed_dictionaries({}, optional={"max": st.integers(2, 8)}),
        "deal": st.fixed_dictionaries(
            {},
            optional={
                "cards": st.integers(1, 13)
                | st.dictionaries(NUMBERS, st.integers(1, 13), max_size=3),
                "up_card": st.sampled_from(["turned", "none"]),
            },
        ),
        "melds": st.fixed_dictionaries(
            {},
            optional={"kinds": st.dictionaries(st.sampled_from(["group", "sequence", "x"]), KINDS)},
        ),
        "draw": st.fixed_dictionaries(
            {}, optional={"use": st.lists(st.sampled_from(["meld", "swap"]), unique=True)}
        ),
        "scoring": st.fixed_dictionaries(
            {}, optional={"values": st.dictionaries(RANKS, st.integers(0, 20), max_size=3)}
        ),
    },
)


def leaves(overlay, file):
    flattener = Flattener(file, {})
    flattener.flatten(overlay)
    return flattener.leaves


@given(OVERLAYS, OVERLAYS, OVERLAYS)
def test_merging_is_associative(one, two, three):
    a, b, c = leaves(one, "one"), leaves(two, "two"), leaves(three, "three")
    assert merge(merge(a, b), c) == merge(a, merge(b, c))


@given(OVERLAYS, OVERLAYS)
def test_the_later_wins_and_the_rest_stays(one, two):
    below, above = leaves(one, "one"), leaves(two, "two")
    merged = merge(below, above)
    assert all(merged[key] is leaf for key, leaf in above.items())
    assert all(below[key] is leaf for key, leaf in merged.items() if key not in above)


@given(OVERLAYS)
def test_merging_with_nothing_or_with_itself_changes_nothing(one):
    a = leaves(one, "one")
    assert merge(a, {}) == merge({}, a) == merge(a, a) == a


@given(OVERLAYS)
def test_a_value_on_one_line_is_read_as_itself(overlay):
    if overlay:
        document, findings = read_yaml(flow(overlay), "f")
        assert findings == ()
        assert document.value == overlay


@given(st.binary(max_size=200))
def test_reading_never_raises_on_bytes(data):
    document, findings = read_yaml(data, "f")
    assert (document is None) == bool(findings)


@given(st.text(alphabet="ab: -[]{}\n\t'\"#&*!|>%@`,?~1\\é\r<.", max_size=60))
@settings(max_examples=examples(400))
def test_reading_never_raises_on_text_and_places_lie_in_it(text):
    document, findings = read_yaml(text, "f")
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for finding in findings:
        assert 1 <= finding.span.line <= len(lines)
        assert 1 <= finding.span.column <= len(lines[finding.span.line - 1]) + 1
        assert finding.span.end_column >= finding.span.column
    if document is not None:
        assert document.place(("nothing", "like", "it")).line <= len(lines)


ODD = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-5, 2000)
    | st.just(2.0)
    | st.just(0.5)
    | st.sampled_from(["any", "none", "same", "face", "3-4", "3 - 4", "joker", "option", "meld"]),
    lambda part: (
        st.lists(part, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["only", "must", "size", "require", "cards", "2-4", "A", "9-2x", "max", "hand", "x"]
            ),
            part,
            max_size=3,
        )
    ),
    max_leaves=5,
)
SECTIONS = st.sampled_from([*schema()["properties"], "odd"])
VALIDATOR = jsonschema.Draft202012Validator(schema())


@given(st.data())
@settings(max_examples=examples(300))
def test_what_fits_the_schema_is_what_jsonschema_says_fits_it(data):
    section = data.draw(SECTIONS)
    inner = list(schema()["properties"].get(section, {}).get("properties", {})) or ["odd"]
    value = {
        **data.draw(
            st.fixed_dictionaries(
                {}, optional={"type": st.sampled_from(["game", "option"]), "needs": ODD}
            )
        ),
        section: data.draw(ODD | st.dictionaries(st.sampled_from(inner), ODD, max_size=2)),
    }
    assert is_valid(value, schema()) == VALIDATOR.is_valid(value)
    assert bool(find_schema_errors(value)) != is_valid(value, schema())
