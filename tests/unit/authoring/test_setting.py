"""Keys are changed in the text of a rules file, and the rest of it stays as it was written."""

from __future__ import annotations

import random

import pytest

from meldref.documents.reader import read_yaml
from meldref.rulefiles.files import Found
from meldref.rulefiles.load import load_ruleset
from meldref_authoring.cookbook import read_recipes
from meldref_authoring.setting import CannotChange, change_keys
from paths import ROOT

LAKE = (ROOT / "examples" / "our-house.yaml").read_text("utf-8")
SHIPPED = sorted((ROOT / "rulesets").rglob("*.yaml"))


def data(text):
    document, findings = read_yaml(text, "house.yaml")
    assert not findings
    return document.value


def changed_lines(before, after):
    """The lines that are only in one of two texts."""
    return set(before.splitlines()) ^ set(after.splitlines())


def test_a_value_is_changed_where_it_stands():
    after = change_keys(LAKE, {"game.target": 750})
    assert changed_lines(LAKE, after) == {"game: {target: 1000}", "game: {target: 750}"}


def test_a_value_keeps_the_comment_behind_it():
    text = "extends: [500-rummy]\ngame:\n  target: 1000  # as grandmother had it\n"
    assert change_keys(text, {"game.target": 300}) == text.replace("1000", "300")


def test_a_key_goes_into_the_section_that_is_there():
    after = change_keys(LAKE, {"melds.first_points": 30})
    assert changed_lines(LAKE, after) == {"  first_points: 30"}
    assert data(after)["melds"]["first_points"] == 30


def test_a_new_section_stands_before_house_rules_and_cases():
    after = change_keys(LAKE, {"draw.depth": "top"})
    assert after.index("draw:") < after.index("cases:")


def test_what_is_taken_away_leaves_no_empty_section():
    after = change_keys(LAKE, {"melds.kinds.sequence.size": None})
    assert changed_lines(LAKE, after) == {"  kinds:", "    sequence: {size: 4-13}"}
    assert "melds" not in data(
        change_keys(after, {"melds.wild.cards": None}),
    )


def test_what_is_not_there_cannot_be_taken_away():
    assert change_keys(LAKE, {"draw.depth": None}) == LAKE


def test_an_empty_text_becomes_a_file():
    text = change_keys("", {"extends": ["500-rummy"], "scoring.values.A": 25})
    assert data(text) == {"extends": ["500-rummy"], "scoring": {"values": {"A": 25}}}


@pytest.mark.parametrize("text", ["game: [", "- a list\n", "a text", "a: 1\na: 2\n"])
def test_what_is_no_table_of_keys_is_not_changed(text):
    with pytest.raises(CannotChange):
        change_keys(text, {"game.target": 300})


@pytest.mark.parametrize("recipe", read_recipes(), ids=lambda recipe: recipe.id)
def test_a_recipe_can_be_added_and_taken_away_again(recipe):
    writes = {key: value for key, value in recipe.writes.items() if key != "house_rules"}
    rules = recipe.writes.get("house_rules", {})
    writes |= {f"house_rules.{name}": rule for name, rule in rules.items()}
    text = "id: our-house\nextends: [500-rummy]  # as we learned it\n"
    added = change_keys(text, writes)
    assert data(added) == data(text) | nested(writes)
    assert change_keys(added, dict.fromkeys(writes)) == text


def nested(writes):
    """Keys by their paths as sections in sections."""
    tree = {}
    for path, value in writes.items():
        *sections, key = path.split(".")
        inner = tree
        for section in sections:
            inner = inner.setdefault(section, {})
        inner[key] = value
    return tree


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_any_key_of_a_shipped_file_can_be_changed_or_go_and_nothing_else_does(path):
    text = path.read_text("utf-8")
    before = data(text)
    dice = random.Random(path.stem)
    leaves = [key for key in leaf_paths(before) if key[0] != "needs"]  # which names other keys
    for key in dice.sample(leaves, min(12, len(leaves))):
        for value in ("other", [1, "two"], {"a": {"b": 3}}, None):
            after = change_keys(text, {".".join(key): value})
            assert data(after) == with_key(before, key, value)


def leaf_paths(value, path=()):
    for name, inner in value.items():
        if isinstance(inner, dict) and inner:
            yield from leaf_paths(inner, (*path, name))
        else:
            yield (*path, name)


def with_key(value, path, new):
    name, *rest = path
    changed = dict(value)
    inner = with_key(value[name], rest, new) if rest else new
    if inner is None or (rest and not inner):
        del changed[name]
    else:
        changed[name] = inner
    return changed


def test_what_is_written_can_be_played():
    text = change_keys("id: ours\nextends: [500-rummy]\n", {"melds.wild.cards": ["joker", 2]})
    ruleset, findings = load_ruleset(Found(ROOT / "ours.yaml", "ours.yaml", text=text.encode()))
    assert ruleset is not None
    assert not findings
