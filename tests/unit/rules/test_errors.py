"""One log for each code, whose message names the house rule that makes it a violation."""

from __future__ import annotations

import pytest

from blocks import without_lines
from errors.regenerate import ENTRIES, audit, message
from gallery import Entry
from meldref.rules.pages import PAGES

examples = pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)

NO_RULE = {"turn.over", "hand.missing"}
"""Codes of play that hold in every game: no ruleset says otherwise."""


def test_every_code_has_a_log():
    assert [entry.name for entry in ENTRIES] == sorted(PAGES)


def test_every_log_is_in_the_file_of_its_family():
    assert [entry.name for entry in ENTRIES if entry.family != entry.name.partition(".")[0]] == []


@examples
def test_the_log_shows_its_code_and_nothing_else(entry: Entry):
    assert {finding.code for finding in audit(entry).findings} == {entry.name}


@examples
def test_the_message_names_the_house_rule_and_its_line(entry: Entry):
    family = entry.name.partition(".")[0]
    if not PAGES[entry.name].keys and entry.name != "log.number":
        assert family in {"log", "rules"} or entry.name in NO_RULE
        return
    lines = entry.given["house.yaml"].decode().splitlines()
    for finding in audit(entry).findings:
        assert finding.rule is not None
        assert finding.rule.file == "house.yaml"
        assert finding.rule.key.rpartition(".")[2] in lines[finding.rule.line - 1]
        assert f"rule: {finding.rule.key} = " in message(entry)
        assert f"(house.yaml:{finding.rule.line})" in message(entry)


@examples
def test_the_message_is_the_one_that_was_agreed_on(entry: Entry):
    """`python tests/errors/regenerate.py` writes the messages anew; lines of shipped rules may differ."""
    assert without_lines(message(entry)) == without_lines(entry.printed)
