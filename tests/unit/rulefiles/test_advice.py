"""The reader of rules files has its say without the adviser who knows what was meant."""

from __future__ import annotations

import sys

import pytest

from meldref.documents import advice as syntax_advice
from meldref.documents.reader import read_yaml
from meldref.rulefiles import advice as rules_advice
from meldref.rulefiles.load import load_ruleset


@pytest.fixture
def alone(monkeypatch):
    """No adviser is installed."""
    for module in (syntax_advice, rules_advice):
        monkeypatch.setitem(sys.modules, module._ADVISER[0], None)
        module.adviser.cache_clear()
    yield
    for module in (syntax_advice, rules_advice):
        module.adviser.cache_clear()


def found_in(tmp_path, text):
    """What is found in a rules file."""
    path = tmp_path / "house.yaml"
    path.write_text(text)
    ruleset, findings = load_ruleset(str(path))
    assert ruleset is None
    return [(finding.span.line, finding.message, finding.edits) for finding in findings]


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("game:\n  target: 5OO\n", 2, "game.target must be a whole number"),
        ("game:\n  goal 5\n", 2, "game must be keys and values, not goal 5"),
        ("layoff:\n  onto: nobody\n", 2, "layoff.onto must be "),
        ("game: [\n", 2, "this is not YAML: "),
        (
            "game:\n  target: 5\n  target: 6\n",
            3,
            "`target` is a duplicate key; the first is at line 3",
        ),
        ("game:\n  target: &x 5\n", 2, "&x marks a value to be repeated elsewhere"),
    ],
)
def test_without_an_adviser_findings_have_their_place_and_no_edits(
    alone, tmp_path, text, line, message
):
    (where, said, edits), *_ = found_in(tmp_path, "extends: [500-rummy]\n" + text)
    assert where == line + 1
    assert said.startswith(message)
    assert edits == ()


def test_with_an_adviser_the_same_findings_say_what_was_meant(tmp_path):
    ((_, message, edits),) = found_in(tmp_path, "extends: [500-rummy]\ngame:\n  taget: 600\n")
    assert message.endswith("did you mean target?")
    assert [edit.text for edit in edits] == ["target"]


def test_a_mistake_within_the_adviser_is_not_taken_for_its_absence(monkeypatch):
    monkeypatch.setattr(syntax_advice, "_ADVISER", ("meldref.documents.reader", "no_such_name"))
    syntax_advice.adviser.cache_clear()
    with pytest.raises(AttributeError):
        read_yaml("a: &b 1", "")
    syntax_advice.adviser.cache_clear()
