"""One log for each code, whose message names the house rule that makes it a violation."""

from __future__ import annotations

from pathlib import Path

import pytest

from blocks import without_lines
from errors.regenerate import audit, folders, message
from meldref.rules.pages import PAGES

examples = pytest.mark.parametrize("folder", folders(), ids=lambda folder: folder.name)

NO_RULE = {"turn.over", "hand.missing"}
"""Codes of play that hold in every game: no ruleset says otherwise."""


def test_every_code_has_a_log():
    assert [folder.name for folder in folders()] == sorted(PAGES)


@examples
def test_the_log_shows_its_code_and_nothing_else(folder: Path):
    assert {finding.code for finding in audit(folder).findings} == {folder.name}


@examples
def test_the_message_names_the_house_rule_and_its_line(folder: Path):
    family = folder.name.partition(".")[0]
    if not PAGES[folder.name].keys and folder.name != "log.number":
        assert family in {"log", "rules"} or folder.name in NO_RULE
        return
    lines = (folder / "house.yaml").read_text(encoding="utf-8").splitlines()
    for finding in audit(folder).findings:
        assert finding.rule is not None
        assert finding.rule.file == "house.yaml"
        assert finding.rule.key.rpartition(".")[2] in lines[finding.rule.line - 1]
        assert f"rule: {finding.rule.key} = " in message(folder)
        assert f"(house.yaml:{finding.rule.line})" in message(folder)


@examples
def test_the_message_is_the_one_that_was_agreed_on(folder: Path):
    """`python tests/errors/regenerate.py` writes the messages anew; the lines of shipped rules may be others."""
    agreed = (folder / "message.txt").read_text(encoding="utf-8")
    assert without_lines(message(folder)) == without_lines(agreed)
