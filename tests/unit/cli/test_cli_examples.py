"""The examples in the help of commands: they run, and what they show is said there too."""

from __future__ import annotations

import shlex

import pytest

from cli_logs import LOG
from meldref_cli.groups import COMMANDS, RULES_COMMANDS

ENTRIES = {**COMMANDS, **{f"rules {name}": entry for name, entry in RULES_COMMANDS.items()}}
HOUSE = """\
id: house
name: House
extends: [500-rummy]
game: {target: 700}
cases:
  - name: a card
    given: {hands: {A: 5h}}
    moves: ["A: draw; discard 5h"]
    expect: {verdict: legal}
"""
WITHOUT = {"rules", "rules list"}
"""Commands that take nothing that could be shown."""


def test_every_command_has_examples():
    assert {name for name, entry in ENTRIES.items() if not entry.examples} == WITHOUT


@pytest.mark.parametrize("name", ENTRIES)
def test_examples_are_of_their_command(name):
    assert all(example.startswith(f"meldref {name} ") for example in ENTRIES[name].examples)


@pytest.mark.parametrize("example", [one for entry in ENTRIES.values() for one in entry.examples])
def test_an_example_does_what_it_shows(meldref, log, example):
    log(LOG)
    log(LOG, "logs/saturday.rgn")
    log(HOUSE, "house.yaml")
    command, _, target = example.partition(" > ")  # a redirection is the shell's
    ran = meldref(*shlex.split(command)[1:], *(["--no-ask"] if "rules new lake" in example else []), stdin="")
    assert ran.code == (1 if " rules diff " in example else 0), ran.out + ran.err
    assert "error" not in ran.err
    assert ran.out or not target, "there is something to redirect"


def test_the_help_ends_in_examples_and_says_ranges_in_words(meldref):
    lines = meldref("rules", "check", "-h").lines
    assert lines[-3:] == [
        "Examples:",
        "  meldref rules check house.yaml",
        "  meldref rules check house.yaml --diff",
    ]
    help_ = " ".join(meldref("rules", "test", "-h").out.split())
    assert "[from 0 to 100]" in help_
    assert "[at least 1]" in " ".join(meldref("replay", "-h").out.split())
