"""The cookbook: every recipe does what it says, and without it the cases come out otherwise."""

from __future__ import annotations

import json

import pytest

from meldref import list_rulesets
from meldref.cases.run import read_cases
from meldref.core.resources import data_path
from meldref_evidence.explaining import RecordExplainer
from written import read_yaml_file

RECIPES = read_yaml_file(data_path("docs", "cookbook.yaml"))["recipes"]


def settings(recipe):
    rules = {recipe["id"]: recipe["rule"], **recipe.get("more", {})} if "rule" in recipe else {}
    return {**recipe.get("set", {}), **({"house_rules": rules} if rules else {})}


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    cases = []
    for recipe in RECIPES:
        without = recipe.get("base", recipe.get("set", {}) if "rule" in recipe else {})
        for which, over in (
            ("shows", settings(recipe)),
            ("leaves", settings(recipe)),
            ("shows", without),
            ("leaves", without),
        ):
            cases.append({"name": recipe["id"], "rules": "500-rummy", "set": over, **recipe[which]})
    path = tmp_path_factory.mktemp("cookbook") / "cases.yaml"
    path.write_text(json.dumps({"cases": cases}), encoding="utf-8")
    read, findings = read_cases(path, explainer=RecordExplainer())
    assert findings == ()
    return read


@pytest.mark.parametrize("index", range(len(RECIPES)), ids=[recipe["id"] for recipe in RECIPES])
@pytest.mark.sweep(every=3)
def test_a_recipe_changes_what_it_says_and_nothing_else(index, file):
    shown, left, before, after = map(file.run, range(4 * index, 4 * index + 4))
    assert shown.passed, (shown.failed, shown.got)
    assert left.passed, (left.failed, left.got)
    assert not before.passed, "it is so without the recipe"
    assert after.passed, (after.failed, after.got)
    if "rule" in RECIPES[index] and shown.expected["verdict"] == "illegal":
        assert {one.code for one in shown.findings} == {f"house.{RECIPES[index]['id']}"}


def test_there_are_sixty_recipes_with_a_name_each_and_ten_on_offer():
    assert len(RECIPES) >= 60
    assert len({recipe["id"] for recipe in RECIPES}) == len(RECIPES)
    assert sorted(recipe["offer"] for recipe in RECIPES if "offer" in recipe) == list(range(1, 11))


def test_a_recipe_can_be_copied_without_taking_the_name_of_what_ships():
    assert not {recipe["id"] for recipe in RECIPES} & {one.id for one in list_rulesets()}
