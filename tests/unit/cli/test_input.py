"""`-` is standard input wherever rules, cases, positions and logs are read, and one thing alone."""

from __future__ import annotations

import pytest

from cli_logs import BAD, LOG

RULES = """\
id: lake
name: Lake
extends: [500-rummy, floating]
game: {target: 1000}
cases:
  - name: a sequence of three
    given: {hands: {A: "5h 6h 7h 9s"}, stock: "Kc ?*20"}
    moves: ["A: draw Kc; meld 5h 6h 7h; discard 9s"]
    expect: {verdict: legal}
"""
OPTION = "id: gold\nname: Gold\ntype: option\ngame: {target: 700}\n"
CASE = """\
cases:
  - name: a card
    given: {hands: {A: "5h"}}
    moves: ["A: draw; discard 5h"]
    expect: {verdict: legal}
"""


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (["rules", "show", "-"], "target: 1000"),
        (["rules", "check", "-"], "standard input: ok"),
        (["rules", "explain", "game.target", "--rules", "-"], "set by standard input:4"),
        (["rules", "test", "-"], "1 passed, 0 failed"),
        (["rules", "rulebook", "-", "--no-examples"], "# Lake"),
        (["rules", "diff", "-", "500-rummy"], "A: standard input"),
        (["rules", "compare", "500-rummy", "-", "--hands", "1"], "standard input"),
        (["melds", "5h 6h 7h", "--rules", "-"], "sequence"),
        (["best", "5h 6h 7h", "--rules", "-"], "meld 5h 6h 7h"),
        (["legal", "draw", "--hand", "5h", "--rules", "-"], "legal: A: draw"),
    ],
    ids=lambda one: " ".join(one) if isinstance(one, list) else "",
)
def test_rules_can_come_from_standard_input(meldref, command, said):
    ran = meldref(*command, stdin=RULES)
    assert ran.code in {0, 1}
    assert said in ran.out
    assert ran.err == ""


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.sweep(every=2)
def test_logs_are_audited_by_rules_from_standard_input_in_every_process(meldref, log, jobs):
    logs = [log(name=f"{name}.rgn") for name in ("a", "b", "c")]
    ran = meldref(
        "audit", "--rules", "-", "--jobs", jobs, "--format", "json", *logs, stdin="id: [\n"
    )
    assert ran.code == 2
    assert {finding["file"] for one in ran.data["logs"] for finding in one["findings"]} == {
        "standard input"
    }
    assert meldref("audit", "--rules", "-", "--jobs", jobs, *logs, stdin=RULES).code == 0


def test_an_option_can_come_from_standard_input(meldref, log):
    ran = meldref("rules", "show", "500-rum", "--with", "-", stdin=OPTION)
    assert "# standard input:4" in ran.out
    assert meldref("audit", log(), "--with", "-", stdin=OPTION).code == 0
    assert meldref("rules", "test", "-", stdin=OPTION + CASE).lines == ["1 passed, 0 failed"]


def test_names_in_rules_from_standard_input_start_at_this_folder(meldref, log):
    log(RULES, "lake.yaml")
    text = "id: pond\nname: Pond\nextends: [lake.yaml]\n"
    assert "target: 1000" in meldref("rules", "show", "-", stdin=text).out


def test_cases_from_standard_input_are_run_by_the_rules_asked_for(meldref, log):
    assert meldref("rules", "test", "-", "--rules", log(RULES, "lake.yaml"), stdin=CASE).code == 0
    failing = CASE.replace("verdict: legal", "verdict: illegal")
    ran = meldref("rules", "test", "-", "--rules", "500-rummy", stdin=failing)
    assert ran.lines[0] == "standard input:2: failed: a card"


def test_what_the_cases_of_standard_input_exercise_is_measured(meldref):
    ran = meldref("rules", "test", "-", "--coverage", stdin=RULES)
    assert "standard input: 0 % exercised: 0 of 1 setting, 0 of 1 code" in ran.out


def test_what_is_wrong_with_rules_from_standard_input_is_told_at_its_line(meldref):
    wrong = RULES.replace("target", "taget")
    for command in (["rules", "show", "-"], ["melds", "5h", "--rules", "-"]):
        ran = meldref(*command, stdin=wrong)
        assert ran.code == 2
        assert ran.err.startswith("standard input:4:8: error: ")
    ran = meldref("rules", "test", "-", stdin=wrong)
    assert ran.code == 2
    assert "standard input:4:8: error: " in ran.out


@pytest.mark.parametrize(
    "command",
    [
        ["audit", "-", "--rules", "-"],
        ["audit", "-", "--with", "-"],
        ["replay", "-", "--rules", "-"],
        ["legal", "draw", "--position", "-", "--rules", "-"],
        ["legal", "draw", "--log", "-", "--at", "3", "--rules", "-"],
        ["rules", "check", "-", "--rules", "-"],
        ["rules", "test", "-", "--rules", "-"],
        ["rules", "show", "-", "--with", "-"],
        ["rules", "diff", "-", "-"],
        ["rules", "diff", "-", "500-rummy", "--with", "-"],
        ["rules", "compare", "500-rummy", "-", "--with", "-"],
        ["melds", "5h 6h 7h", "--rules", "-", "--with", "-"],
    ],
    ids=" ".join,
)
def test_standard_input_is_one_thing_alone(meldref, command):
    ran = meldref(*command, stdin=RULES)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("meldref: error: - is standard input, which ")


def test_a_simulated_log_names_its_rules_so_they_are_a_file(meldref):
    ran = meldref("simulate", "--rules", "-", stdin=RULES)
    assert (ran.code, ran.out) == (2, "")
    assert "give a file" in ran.err


def test_a_log_named_twice_is_read_once(meldref):
    ran = meldref("audit", "-", "-", stdin=BAD)
    assert ran.out.count("illegal: ") == 1
    assert meldref("rules", "check", "-", "-", stdin=RULES).lines == ["standard input: ok"]
    assert meldref("audit", "-", stdin=LOG).code == 0
