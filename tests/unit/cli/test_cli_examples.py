"""The examples in the help of commands: they run, and what they show is said there too."""

from __future__ import annotations

import shlex

import pytest
import typer.main

from cli_logs import LOG
from meldref_cli.groups import COMMANDS, RULES_COMMANDS
from meldref_cli.main import app
from paths import ROOT

NAMES = [*COMMANDS, *(f"rules {name}" for name in RULES_COMMANDS)]
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
NEEDS = {"meldref lsp": "pygls", "meldref mcp": "mcp"}
"""Commands that need an extra."""
OTHER_PROGRAM = " -- "
"""What stands before a program of somebody else, which is not there."""


def examples_of(name):
    """The examples at the end of the help of a command."""
    command = typer.main.get_command(app)
    for word in name.split():
        command = command.get_command(None, word)
    return [line.strip() for line in getattr(command, "examples", "").splitlines()]


def test_every_command_has_examples():
    assert {name for name in NAMES if not examples_of(name)} == WITHOUT


@pytest.mark.parametrize("name", NAMES)
def test_examples_are_of_their_command(name):
    assert all(f"{example} ".startswith(f"meldref {name} ") for example in examples_of(name))


@pytest.mark.sweep(every=4)
@pytest.mark.parametrize(
    "example", [line for name in NAMES for line in examples_of(name) if OTHER_PROGRAM not in line]
)
def test_an_example_does_what_it_shows(meldref, log, example):
    if example in NEEDS:
        pytest.importorskip(NEEDS[example], reason="its extra is not installed")
    log(LOG)
    log(LOG, "logs/saturday.rgn")
    log(HOUSE, "house.yaml")
    log('hands: {A: "4d 4h 9h Ks", B: "?*5"}\npile: "6s 4c"\nstock: 17\n', "position.yaml")
    log("Round,Ann,Bob\n1,45,20\n2,60,15\nTotal,105,35\n", "evening.csv")
    for name in ("kitchen.jsonl", "kitchen.yaml"):
        log((ROOT / "examples" / "events" / name).read_bytes(), name)
    command, _, target = example.partition(" > ")  # redirections are the shell's
    command, _, _ = command.partition(" < ")
    ran = meldref(
        *shlex.split(command)[1:], *(["--no-ask"] if "rules new lake" in example else []), stdin=""
    )
    assert ran.code == (1 if " rules diff " in example else 0), ran.out + ran.err
    assert "error" not in ran.err
    assert ran.out or not target or " < " in example, "there is something to redirect"


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
