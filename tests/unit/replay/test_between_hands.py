"""Between hands a mistake is found once: the cases of `between.yaml`, with all that is found and open."""

from __future__ import annotations

import pytest

from audits import audit
from meldref.replay.log import Overrides
from paths import TESTS
from written import read_yaml_file

CASES = read_yaml_file(TESTS / "cases" / "between.yaml")["cases"]

FOLLOWS = {"BETW-c": [(14, "game.winner")], "BETW-ai": [(18, "settle.chips")]}
"""What is found besides, by case: lines and codes. All of it says from which line it follows."""

ALSO = {"BETW-f": [(14, "score.total")], "BETW-dn": [(14, "game.winner")]}
"""A second mistake."""

OPEN = {
    "BETW-i": [5],
    "BETW-k": [5],
    "BETW-m": [5],
    "BETW-o": [4],
    "BETW-p": [7, 8],
    "BETW-bd": [5],
    "BETW-bl": [5],
    "BETW-bn": [5],
    "BETW-dd": [6],
    "BETW-df": [7],
    "BETW-dg": [6],
    "BETW-di": [8],
}
"""What is left open, by case: lines."""


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_one_mistake_is_one_finding_and_what_depends_on_the_unknown_is_open(case):
    report = audit(case["log"], Overrides(case["rules"]))
    expect, name = case["expect"], case["id"]
    first = [] if expect["verdict"] == "legal" else [(expect["at"], expect["because"])]
    found = [(one.span.line, one.code) for one in report.findings]
    assert list(dict.fromkeys(found)) == [*first, *FOLLOWS.get(name, ()), *ALSO.get(name, ())]
    assert [one.line for one in report.open] == OPEN.get(name, [])


@pytest.mark.parametrize("name", FOLLOWS)
def test_what_follows_from_a_wrong_score_says_so(name):
    (case,) = [case for case in CASES if case["id"] == name]
    report = audit(case["log"], Overrides(case["rules"]))
    cause, *others = report.findings
    assert others
    assert all(f"line {cause.span.line}" in one.notes[-1] for one in others)


def test_a_wrong_total_says_how_the_score_of_the_hand_comes_about():
    (case,) = [case for case in CASES if case["id"] == "BETW-dl"]
    (found,) = audit(case["log"], Overrides(case["rules"])).findings
    assert any(note.startswith("this hand: ") for note in found.notes)
