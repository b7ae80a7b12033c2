"""What is declared of rules and codes is whole: every code once, where it is found, and with a page."""

from __future__ import annotations

import ast
import inspect
import json
import textwrap
from importlib import import_module

import pytest

from meldref.rulefiles.vocabulary import list_keys
from meldref.rules.declare import CODES, RULES, SWITCHES, facts
from meldref.rules.pages import PAGES as PAGES_OF
from meldref.rules.registry import MODULES, rules_for
from meldref_table.simulate.quick_moves.kept_rules import KEPT
from simulated import ruleset

WRITTEN_ELSEWHERE = {"log.syntax", "log.assert"}
"""Codes about how a log is written, which no rule of play finds."""


def codes_in(node):
    """The codes that a piece of code makes violations with."""
    calls = [one for one in ast.walk(node) if isinstance(one, ast.Call)]
    made = [
        one
        for one in calls
        if isinstance(one.func, ast.Name) and one.func.id == "Violation" and one.args
    ]
    return {one.args[0].value for one in made if isinstance(one.args[0], ast.Constant)}


def test_every_code_of_play_is_declared_once_and_has_a_page():
    of_play = {code for code in PAGES_OF if not code.startswith("rules.")} - WRITTEN_ELSEWHERE
    assert set(CODES) == of_play


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__.rpartition(".")[2])
def test_every_violation_a_module_makes_has_a_declared_code(module):
    assert codes_in(ast.parse(inspect.getsource(module))) <= set(CODES)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: "+".join(rule.codes))
def test_a_rule_declares_the_codes_it_makes(rule):
    body = ast.parse(textwrap.dedent(inspect.getsource(rule.bind)))
    assert codes_in(body) <= set(rule.codes) <= set(CODES)


def test_rules_are_asked_in_the_order_of_their_stages():
    for kind in {action for rule in RULES for action in rule.actions}:
        stages = [rule.stage for rule in rules_for(kind)]
        assert stages == sorted(stages)


def test_keys_without_effect_are_keys_or_the_line_of_wild_cards_in_a_table():
    keys = {key.path for key in list_keys()}
    for switch in SWITCHES:
        assert {switch.by, *[key.removesuffix(".wild") for key in switch.keys]} <= keys


FOLLOWS = {
    "buy.card": {"undone"},
    "call.nothing": {"undone"},
    "draw.stock": {"undone"},
    "draw.pile": {"undone", "impossible"},
    "log.name": {"undone", "impossible"},
    "log.number": {"impossible"},
    "setup.deck": {"undone", "too_often"},
    "hand.missing": {"undone", "impossible", "not_there"},
    "log.copies": {"undone", "impossible", "not_there", "too_often"},
    "layoff.unnamed": {"ambiguous"},
    "wild.unbound": {"ambiguous"},
}
"""What a violation says besides about the action or the turn, by its code.

Cards that cannot be where they are said to be, things that cannot have been done, plays that can be
meant in several ways.
"""


@pytest.mark.parametrize("code", [*CODES, "house.any"])
def test_a_code_says_of_an_action_what_can_be_said_of_it(code):
    said = facts(code)
    flags = {name for name in said._fields if getattr(said, name) is True}
    assert flags == FOLLOWS.get(code, set())


@pytest.mark.parametrize(
    ("module", "name", "settings", "kept"),
    [
        ("meld", "is_meld", [], (True, True)),
        ("meld", "is_meld", ["melds.wild.twins=forbidden"], (True, False)),
        ("unseen", "lay_off", [], (True, True)),
        ("unseen", "lay_off", ["melds.wild.twins=forbidden"], (True, False)),
        ("unseen", "lay_off", ["layoff.onto=own"], (False, False)),
        ("unseen", "lay_off", ["layoff.before_melding=forbidden"], (False, False)),
    ],
)
def test_the_list_of_moves_asks_a_rule_that_may_forbid_what_is_listed(module, name, settings, kept):
    """`kept`: whether it need not be asked about a move without wild cards, and about one with them."""
    keeps = KEPT[getattr(import_module(f"meldref.rules.{module}"), name)]
    assert tuple(keeps(ruleset(settings=settings), wild) for wild in (False, True)) == kept


@pytest.mark.parametrize(
    ("in_all", "off"),
    [({2: 1, 3: 1, 4: 2}, True), ({2: 1, 3: 1}, False), ({3: 1, 4: 2}, False), ({}, False)],
)
def test_jokers_have_a_number_of_their_own_unless_one_is_given_for_every_number_of_players(
    in_all, off
):
    (switch,) = [one for one in SWITCHES if one.keys == ("deck.jokers",)]
    assert (
        switch.off(ruleset(settings=["players.max=4", f"deck.jokers_in_all={json.dumps(in_all)}"]))
        is off
    )
