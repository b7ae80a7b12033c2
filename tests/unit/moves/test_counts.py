"""The library lists as many lines of play as the second model of the rules counts, in every position and ruleset.

A sweep goes as deep as `tests/counts/counts.yaml` does; the first tier looks at fewer positions.
"""

from __future__ import annotations

import pytest

import listed
from audits import built
from counts.regenerate import count, counted
from model import lines, named
from model.casebook import position as table_of
from paths import ROOT, TESTS
from tiers import SWEEPS
from written import read_yaml_file

COUNTS = read_yaml_file(TESTS / "counts" / "counts.yaml")
MOST_NODES = 10**9 if SWEEPS else 60
"""How many positions are asked for their moves, for each position and ruleset."""
MOST_BY_CHOICE = 200 if SWEEPS else 15
"""How many are where moves are listed choice by choice."""
MOST_BY_MODEL = 12
NOT_IN_THE_MODEL = {
    "5000-rummy",
    "basic-rummy",
    "contract-rummy",
    "kalooki-40",
    "may-i",
    "michigan-rum",
    "shanghai-rummy",
    "three-thirteen",
}
"""Games with contracts, purchases, openings by turns and ranks that are wild in a hand: their lines are not counted."""
ENTRIES = [
    pytest.param(*entry, id=f"{entry[1]}-{entry[0].replace(' ', '_')}") for entry in counted()
]


def reachable(counts, most):
    """The counts that take at most this number of positions to count, and one at least."""
    nodes, depth = 1, 1
    while depth < len(counts) and nodes + counts[depth - 1] <= most:
        nodes += counts[depth - 1]
        depth += 1
    return counts[:depth]


def question(rules, given):
    game, *options = rules.split("+")
    asked = built(game, options, **given)
    return asked.judge, asked.position, table_of(given, named(game, tuple(options)))


def difference(judge, position, table, depth, turns, path=()):
    """The first position whose moves differ, as the way there and the moves that only one side has."""
    ours, theirs = dict(listed.legal_moves(judge, position, turns)), dict(lines.legal_moves(table))
    if set(ours) != set(theirs):
        return f"after {path}: only the library has {set(ours) - set(theirs)}, the model {set(theirs) - set(ours)}"
    for move in ours if depth > 1 else ():
        found = difference(judge, ours[move], theirs[move], depth - 1, turns, (*path, move))
        if found:
            return found
    return None


@pytest.mark.parametrize(
    "turns",
    [listed.turn_moves, listed.choices],
    ids=["exhaustive", "kept up"],
)
@pytest.mark.parametrize(("name", "rules", "given"), ENTRIES)
@pytest.mark.sweep(every=4)
def test_the_library_has_as_many_lines_as_were_counted(name, rules, given, turns):
    judge, position, table = question(rules, given)
    most = MOST_NODES if turns is listed.turn_moves else MOST_BY_CHOICE
    counts = reachable(COUNTS[name][rules], most)
    if listed.count_lines(judge, position, len(counts), turns) != counts:
        pytest.fail(
            difference(judge, position, table, len(counts), turns) or f"the model counts {counts}"
        )


@pytest.mark.sweep(every=4)
@pytest.mark.parametrize(("name", "rules", "given"), ENTRIES)
def test_the_calls_listed_are_those_that_the_model_finds(name, rules, given):
    judge, position, table = question(rules, given)
    nodes = [(position, table)]
    for _ in range(3):
        following = []
        for state, model in nodes[:MOST_BY_MODEL]:
            if state.begins:
                assert set(listed.calls_with_plays(judge, state)) == {
                    text for text, _ in lines.call_moves(model)
                }
            theirs = dict(lines.turn_moves(model))
            following += [(after, theirs[text]) for text, after in listed.turn_moves(judge, state)]
        nodes = following


@pytest.mark.parametrize(("name", "rules", "given"), ENTRIES)
@pytest.mark.sweep(every=4)
def test_the_counts_are_what_the_model_counts(name, rules, given):
    found = count(rules, given, MOST_BY_MODEL)
    assert found
    assert COUNTS[name][rules][: len(found)] == found


def test_every_game_is_counted():
    games = {path.stem for path in (ROOT / "rulesets").glob("*.yaml")} - NOT_IN_THE_MODEL
    assert {rules.split("+")[0] for by_rules in COUNTS.values() for rules in by_rules} == games
    assert {(name, rules) for name, rules, _ in counted()} == {
        (name, rules) for name, by_rules in COUNTS.items() for rules in by_rules
    }
