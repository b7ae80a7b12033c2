"""Every numbered statement of the rules is carried by keys and checked by cases, or it is said why not."""

from __future__ import annotations

import importlib.util
import sys
from collections import Counter

import pytest

from case_checks import run_file
from meldref.rulefiles.load import load_ruleset
from meldref_authoring.explaining import parameters
from meldref_authoring.rulefiles.show import merged_values
from paths import ROOT
from written import read_yaml_file

CASES = ROOT / "tests" / "cases"


def _traceability():
    """The module that makes the page; docs is no package."""
    spec = importlib.util.spec_from_file_location("traceability", ROOT / "docs" / "traceability.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


traceability = _traceability()
CLAUSES = traceability.clauses()


def read(*path):
    return read_yaml_file(ROOT.joinpath(*path))


def test_the_pages_are_up_to_date():
    """`python docs/generate.py traceability` writes them anew."""
    for page, text in traceability.pages().items():
        assert page.read_text(encoding="utf-8") == text


def test_every_statement_is_listed_on_a_page_of_its_source():
    pages = traceability.pages()
    for clause in CLAUSES:
        assert f"\n| {clause.id} | " in pages[traceability.source_page(clause.seed)], clause.id
    assert len(pages) == 1 + len({clause.seed for clause in CLAUSES})  # and the hub


def test_every_statement_that_can_be_tested_is():
    assert [one.id for one in CLAUSES if not (one.reason or one.cases or one.summed)] == []


def test_what_is_said_to_be_untestable_is_not_tested():
    assert [one.id for one in CLAUSES if one.reason and (one.cases or one.summed)] == []


def test_cases_name_statements_that_are_there():
    named = set(traceability.cases_by_clause())
    assert named - {clause["id"] for clause in read("docs", "clauses.yaml")} == set()


def test_what_is_said_of_statements_is_said_of_some_that_are_there():
    said = read("docs", "clause-keys.yaml")
    ids = {one.id for one in CLAUSES}
    assert {*said["clauses"], *said["sums"], *said["untestable"]} <= ids


def test_every_parameter_that_leads_to_keys_is_one_of_a_statement():
    used = {part for one in read("docs", "clauses.yaml") for part in parameters(one["parameter"])}
    assert set(read("docs", "clause-keys.yaml")["parameters"]) <= used


def test_keys_that_carry_statements_are_keys_of_rulesets():
    ruleset, _ = load_ruleset("500-rummy")
    known = {key for key, _, _ in merged_values(ruleset)} | {"scoring.held", "hands", "house_rules"}
    known |= {".".join(key.split(".")[:depth]) for key in known for depth in range(2, 4)}
    assert {key for one in CLAUSES for key in one.keys} <= known


def test_no_two_cases_have_one_id():
    cases = [case for file in CASES.glob("*.yaml") for case in read(file).get("cases", ())]
    ids = Counter(case["id"] for case in cases if "id" in case)
    assert [name for name, times in ids.items() if times > 1] == []


def test_the_added_cases_come_out_as_they_say():
    results, findings = run_file(CASES / "added.yaml")
    assert findings == ()
    assert [(result.id, result.failed) for result in results if not result.passed] == []


@pytest.mark.parametrize(
    ("rules", "options", "players", "points"),
    [
        pytest.param("500-rummy", ["no-jokers"], 2, 396, id="P-VAL-06, 52 cards"),
        pytest.param("500-rummy", [], 2, 426, id="P-VAL-06, 54 cards"),
        pytest.param("500-rummy", [], 5, 852, id="P-VAL-06, 108 cards"),
        pytest.param("500-rum", [], 2, 396, id="W-VAL-05, 52 cards"),
        pytest.param("500-rum", [], 5, 792, id="W-VAL-05, 104 cards"),
        pytest.param("500-rum", ["low-cards-5"], 2, 380, id="W-MOD-12, aces at 15"),
        pytest.param("500-rum", ["low-cards-5", "aces-25"], 2, 420, id="W-MOD-12, aces at 25"),
        pytest.param("500-rum", ["low-cards-5", "divide-by-five"], 2, 76, id="W-MOD-12, divided"),
        pytest.param(
            "500-rum",
            ["low-cards-5", "aces-25", "divide-by-five"],
            2,
            84,
            id="W-MOD-12, aces divided",
        ),
        pytest.param("persian-rummy", [], 4, 476, id="W-PER-17"),
        pytest.param("gilfoy-500-rummy", [], 2, 380, id="G-VAL-04"),
    ],
)
def test_a_whole_deck_is_worth_what_the_rules_say(rules, options, players, points):
    ruleset, findings = load_ruleset(rules, options)
    assert ruleset is not None, findings
    worth = sum(ruleset.copies(card, players) * ruleset.scoring.values[card] for card in range(53))
    assert worth // ruleset.scoring.divide_by == points
