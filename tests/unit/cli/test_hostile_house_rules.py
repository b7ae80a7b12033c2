"""House rules of strangers take only so much work, and all who ask them say once where that was spent."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from meldref import audit_text
from meldref.core import allowance

HEAD = '[Rules "500-rummy"]\n[Players "Ann, Bob"]\n'
DEAL = "hand 1 dealer Bob\ndeal Ann 4d 4h 9h 2h 7c 7d 7s Ks Qd Jc 2c 3s 5s\ndeal Bob ?*13\nup 4c\n"
SLOW = "count(player.hand, .rank is A or .suit is hearts and .points > 4) > 90"
SPENT = "the house rules have taken all the work that is done for one"


def log_with(rules: int, turns: int) -> str:
    """A log that brings house rules which never apply."""
    stated = [
        f"{{forbid: [discard, end], when: '{SLOW}{number}', says: 'No.'}}"
        for number in range(rules)
    ]
    headers = "".join(
        f'[Set "house_rules.h{number}={rule}"]\n' for number, rule in enumerate(stated)
    )
    played = "".join(f"{('Ann', 'Bob')[number % 2]}: draw; discard ?\n" for number in range(turns))
    return HEAD + headers + DEAL + played


def rules_file(rules: int) -> str:
    """Rules that differ, each with a condition of several facts."""
    facts = (
        "player.cards > {0} and player.turns > 1{0} or player.points > 2{0} and stock.size > {0}"
    )
    stated = [
        f"  h{at}: {{forbid: discard, when: {facts.format(at)}, says: 'No {at}.'}}\n"
        for at in range(rules)
    ]
    return "id: r\nextends: [500-rummy]\nhouse_rules:\n" + "".join(stated)


@pytest.fixture
def little_work(monkeypatch):
    monkeypatch.setattr(allowance, "EFFORT_ON_HOUSE_RULES", 3_000)


def test_an_audit_says_once_where_house_rules_are_asked_no_more(little_work):
    report = audit_text(log_with(rules=10, turns=20))
    (spent,) = [one for one in report.open if SPENT in one.what]
    assert spent.what == f"{SPENT} log; from here on they are not asked"
    assert 16 < spent.line < 30
    assert report.verdict in {"undecided", "violations"}
    assert not [one for one in report.findings if one.code.startswith("house.")]


def test_what_house_rules_take_is_counted_alike_whatever_was_audited_before(little_work):
    first, again = (audit_text(log_with(rules=10, turns=20)) for _ in range(2))
    assert first == again


def test_an_audit_with_work_left_asks_all_house_rules():
    report = audit_text(log_with(rules=10, turns=20))
    assert not [one for one in report.open if SPENT in one.what]


@pytest.mark.parametrize(
    "condition", ["player.held > 900", "count(pile) > 90", "count(player.hand, .fits) > 90"]
)
def test_what_a_fact_goes_through_is_counted_as_well(little_work, condition):
    ban = f"[Set \"house_rules.ban={{forbid: discard, when: '{condition}', says: No.}}\"]\n"
    held = (
        "Ann: draw; meld 7c 7d 7s; discard 4d\n"
        + "Bob: draw; discard ?\nAnn: draw; discard ?\n" * 30
    )
    report = audit_text(HEAD + ban + DEAL + held)
    assert [one for one in report.open if SPENT in one.what]


def test_house_rules_of_a_long_log_are_asked_to_its_end(monkeypatch):
    monkeypatch.setattr(allowance, "EFFORT_ON_HOUSE_RULES", 300)
    ban = "[Set \"house_rules.kings={forbid: discard, when: card.rank is K, says: 'No.'}\"]\n"
    turns = "Ann: draw; discard 4d\nBob: draw; discard 4d\nvoid misdeal\n"
    hands = [DEAL.replace("hand 1", f"hand {number}") for number in range(1, 101)]
    text = HEAD + ban + "".join(hand + turns for hand in hands) + DEAL + "Ann: draw; discard Ks\n"
    report = audit_text(text)
    assert not [one for one in report.open if SPENT in one.what]
    assert "house.kings" in [one.code for one in report.findings]


def test_what_was_found_before_the_work_was_spent_is_not_lost(little_work):
    ban = "[Set \"house_rules.kings={forbid: discard, when: card.rank is K, says: 'No.'}\"]\n"
    text = log_with(rules=10, turns=20).replace(HEAD, HEAD + ban)
    report = audit_text(text.replace("discard ?", "discard Ks", 1))
    assert [one for one in report.open if SPENT in one.what]
    assert "house.kings" in [one.code for one in report.findings]


def test_awards_that_were_not_asked_leave_the_score_open(little_work):
    award = '[Set "house_rules.bonus={award: 5, when: player.went_out, says: Five.}"]\n'
    text = log_with(rules=10, turns=20).replace(DEAL, award + DEAL)
    report = audit_text(text + "end agreed\nscore Ann 0, Bob 0\n")
    assert [one for one in report.open if SPENT in one.what]
    assert not [one for one in report.findings if one.code == "score.hand"]


def test_a_report_says_it_as_well(meldref, log, little_work):
    assert meldref("report", "-o", "page.html", log(log_with(rules=10, turns=20))).code in {0, 1}
    assert Path("page.html").read_text().count(SPENT) == 1


def test_a_check_of_rules_says_once_that_not_all_was_looked_at(meldref, log, little_work):
    ran = meldref("rules", "check", log(rules_file(20), "r.yaml"))
    assert ran.code == 0
    assert ran.out.count(f"{SPENT} file: not all of them were looked at") == 1


def test_a_rulebook_says_that_examples_are_missing(meldref, log, little_work):
    ran = meldref("rules", "rulebook", log(rules_file(20), "r.yaml"))
    assert (ran.code, ran.err) == (0, f"{SPENT} rulebook: examples are missing\n")
    assert ran.out.count("No 19.") == 1


def test_a_condition_that_is_too_long_has_one_message(meldref, log):
    for condition in (
        " or ".join(["card.rank is A"] * 2_300),
        "(" * 18_000 + ")" * 18_000,
        "not " * 9_000,
    ):
        rules = {"id": "r", "extends": ["500-rummy"]}
        rules["house_rules"] = {"h": {"forbid": "discard", "when": condition, "says": "No."}}
        log(json.dumps(rules), "r.json")
        ran = meldref("audit", "--quiet", log(HEAD.replace("500-rummy", "r.json") + DEAL))
        assert ran.code == 2
        assert len(ran.lines) == 1
        assert "a condition has at most 4,000 characters, and this one has " in ran.out


@pytest.mark.sweep
def test_a_sentence_of_a_megabyte_is_cut_wherever_it_is_shown(meldref, log):
    sentence = "It is long. " * 80_000
    log(
        f"id: r\nextends: [500-rummy]\nhouse_rules:\n  h: {{forbid: discard, says: '{sentence}'}}\n",
        "r.yaml",
    )
    name = log(HEAD.replace("500-rummy", "r.yaml") + DEAL + "Ann: draw; discard 4d\n" * 3)
    for format_ in ("text", "json", "github", "sarif", "junit"):
        assert len(meldref("audit", "--format", format_, name).out) < 60_000
    assert meldref("report", "-o", "page.html", name).code == 1
    assert Path("page.html").stat().st_size < 3_000_000


@pytest.mark.parametrize(
    "command", ["rules check", "rules check --format json", "rules rulebook", "rules show"]
)
@pytest.mark.sweep
def test_the_same_bytes_come_whatever_the_order_of_sets_is(tmp_path, command):
    conditions = [
        "card.rank in [A, K] and card.rank in [Q, J] or card.suit in [hearts, clubs] and card.suit in [spades]",
        "card.suit in [hearts, clubs, spades, diamonds]",
        "meld.kind in [foo, bar, baz]",
    ]
    stated = "".join(
        f"  h{at}: {{forbid: discard, when: '{one}'}}\n" for at, one in enumerate(conditions)
    )
    (tmp_path / "r.yaml").write_text(
        f"id: r\nextends: [500-rummy, floating]\nx: 1\ny: 2\nhouse_rules:\n{stated}"
    )
    said = set()
    for seed in "13":
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        arguments = [sys.executable, "-m", "meldref_cli.main", *command.split(), "r.yaml"]
        ran = subprocess.run(
            arguments, cwd=tmp_path, env=environment, capture_output=True, check=False
        )
        said.add((ran.returncode, ran.stdout, ran.stderr))
    assert len(said) == 1
