"""What keys mean: every key and every word has its text in the schema, and the model knows the same ones."""

import re
from typing import Literal, get_args, get_origin, get_type_hints

import pytest

from meldref.conditions.facts import LISTS, SUBJECTS
from meldref.rulefiles.vocabulary import ANY_NAME, describe_key, key_paths, list_keys, schema
from meldref.ruleset import model

KEYS = {key.path: key for key in list_keys()}
WORDS = [(key.path, word) for key in KEYS.values() for word in key.words]
NOT_PLAYED = {"id", "name", "about", "source", "aliases", "options", "customs", "origins"}


def nodes(node, path=()):
    """Every part of the schema that is itself a schema, with its path."""
    if isinstance(node, dict):
        yield path, node
        for name, part in node.items():
            if name not in {"examples", "default", "enum", "const"}:
                yield from nodes(part, (*path, name))


def model_keys(record, prefix=""):
    """The keys that the model has, each with its type."""
    for name, kind in get_type_hints(record, vars(model)).items():
        path = f"{prefix}{name}"
        if not prefix and name in NOT_PLAYED:
            continue
        if (
            isinstance(kind, type)
            and kind.__module__ == model.__name__
            and kind is not model.ByPlayers
        ):
            yield from model_keys(kind, f"{path}.")
        else:
            yield path, kind


LINES = {"scoring.wild_cards", "scoring.wild_held"}
"""Fields of the model that are lines of tables."""
MODEL = {path: kind for path, kind in model_keys(model.Ruleset) if path not in LINES}


def words_of(kind):
    """The words that a type of the model takes, alone or in a tuple."""
    if get_origin(kind) is Literal:
        return set(get_args(kind))
    if get_origin(kind) is tuple and get_origin(get_args(kind)[0]) is Literal:
        return set(get_args(get_args(kind)[0]))
    return None


def is_text(text):
    """Whether it is one or more whole sentences in plain words."""
    return (
        bool(re.fullmatch(r"[A-Z][^`\n]*[^ .]\.", text)) and "  " not in text and "**" not in text
    )


def test_every_key_has_a_text_of_whole_sentences():
    assert [path for path, key in KEYS.items() if not is_text(key.text)] == []


def test_every_word_has_a_text_of_whole_sentences():
    assert len(WORDS) > 150
    assert [(path, word.value) for path, word in WORDS if not is_text(word.text)] == []


def test_wherever_the_schema_lists_words_it_says_what_each_means():
    listing = [(path, node) for path, node in nodes(schema()) if "enum" in node]
    assert len(listing) > 60
    for path, node in listing:
        texts = node.get("enumDescriptions", ())
        assert len(texts) == len(node["enum"]), path
        assert all(map(is_text, texts)), path


def test_the_words_of_one_key_mean_different_things():
    for key in KEYS.values():
        assert len({word.text for word in key.words}) == len(key.words), key.path


def test_wherever_the_schema_has_a_pattern_it_says_in_words_what_fits():
    patterns = [(path, node) for path, node in nodes(schema()) if "pattern" in node]
    assert patterns
    for path, node in patterns:
        assert is_text(node["patternErrorMessage"]), path
        if path[-1] == "propertyNames":
            assert is_text(node["description"]), path


def test_editors_show_every_key_under_its_path():
    def walk(node, shown):
        for name, part in node.get("properties", {}).items():
            assert part["title"] == f"{shown}{name}"
            walk(part, f"{shown}{name}.")

    walk(schema(), "")
    walk(schema()["$defs"]["kind"]["else"], f"melds.kinds.{ANY_NAME}.")
    walk(schema()["$defs"]["case"], f"cases.{ANY_NAME}.")


def test_no_key_of_the_vocabulary_is_missing():
    assert set(key_paths()) <= set(KEYS)
    assert set(MODEL) <= set(KEYS)
    played = {
        path
        for path in key_paths()
        if path.partition(".")[0] in {name.partition(".")[0] for name in MODEL}
    }
    assert played == set(MODEL)


def test_the_words_of_a_key_are_those_that_the_model_takes():
    listing = {path: words for path, kind in MODEL.items() if (words := words_of(kind))}
    assert len(listing) > 50
    assert {path: {word.value for word in KEYS[path].words} for path in listing} == listing


def test_the_words_of_a_kind_of_meld_are_those_that_the_model_takes():
    kind = get_type_hints(model.Kind, vars(model))
    for name in ("require", "ace"):
        words = {word.value for word in KEYS[f"melds.kinds.{ANY_NAME}.{name}"].words}
        assert words - {"only: […]"} == words_of(kind[name])


def test_a_key_is_described_by_its_path():
    assert {path: describe_key(path) for path in KEYS} == KEYS


def test_keys_under_a_name_of_the_rulesets_own_are_described_too():
    assert describe_key("melds.kinds.flush.size").text == KEYS[f"melds.kinds.{ANY_NAME}.size"].text
    assert [word.value for word in describe_key("melds.kinds.flush").words] == ["none"]
    assert describe_key("cases.0.expect.at").takes == "a whole number from 1"


@pytest.mark.parametrize(
    "path", ["", "draws", "draw.deep.must.be_used", "melds.kinds.group.sizes", "scoring.values.A"]
)
def test_what_is_no_key_is_not_described(path):
    assert describe_key(path) is None


def test_a_key_says_what_can_be_written_for_it():
    takes = {path: KEYS[path].takes for path in KEYS}
    assert takes["deck.jokers"] == "a whole number from 0 to 4"
    assert takes["calls.of"] == "one of these words"
    assert takes["draw.use"] == "a list of these words"
    assert takes[f"melds.kinds.{ANY_NAME}.size"] == "a number, or a range as in 3-4"
    assert takes["scoring.values"] == "a table, each value a number, or face"
    assert takes["melds.wild.cards"] == "a list, each joker, a rank from 2 to A, or named"


@pytest.mark.parametrize("key", ["when", "unless", "award"])
def test_editors_are_told_of_every_fact(key):
    said = schema()["$defs"]["house_rule"]["else"]["properties"][key]
    for facts, _, about in SUBJECTS.values():
        assert about in said["markdownDescription"]
        for fact in (*facts.values(), *LISTS.values()):
            assert fact.about in said["markdownDescription"], fact.name
    offered = {one["label"]: one["description"] for one in said.get("defaultSnippets", ())}
    assert key == "award" or {name: offered[name] for name in LISTS} == {
        n: fact.about for n, fact in LISTS.items()
    }
