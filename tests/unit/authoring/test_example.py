"""Examples: the shortest game that one ruleset finds nothing wrong with, and another one does."""

from __future__ import annotations

import json

import pytest

from meldref.notation.reader import read_lines
from meldref.replay.log import Overrides
from meldref.rulefiles.files import list_rulesets
from meldref_authoring.difference import compare_meaning
from meldref_authoring.example.search import find_example
from meldref_authoring.example.shrink import shrink, weight
from meldref_authoring.otherwise import Trial
from meldref_evidence.audit import replay
from written import loaded, pairs

OPTIONS = sorted(shipped.id for shipped in list_rulesets() if shipped.type == "option")
BASES = {
    "claimable-last-discard": ("500-rummy", ("floating",)),
    "divide-by-five": ("500-rum", ("low-cards-5",)),
    "exchange-before-opening": ("kalooki-40", ()),
    "face-values": ("gilfoy-500-rummy", ()),
    "keep-freed-joker": ("kalooki-40", ()),
    "lay-off-with-contract": ("contract-rummy", ()),
    "low-aces": ("kalooki-40", ()),
    "no-double-for-rummy": ("basic-rummy", ()),
    "one-card-frees-joker": ("kalooki-40", ()),
    "out-blind-bonus": ("basic-rummy", ()),
    "two-packs": ("gilfoy-500-rummy", ()),
    "unplayable-last-discard": ("500-rummy", ("floating",)),
}
"""What an option is laid over where it changes nothing of 500 Rummy, or cannot stand on it alone."""
LONGEST = {"add-opponents-hand": 8, "one-card-frees-joker": 6}
"""Lines of the longest examples that are let pass; the others have no more than five."""
PAIRS = pairs()
SOME = (
    "deal.first_dealer",
    "deal.extra_card",
    "melds.kinds.sequence.ace",
    "melds.wild.suit_in_group",
    "layoff.target",
    "draw.top.must",
    "draw.count",
    "draw.mixed",
    "melds.wild.colour",
    "buys.must",
    "discard.taken_top",
    "partnership.score",
    "settlement.ratio",
)


def audited(text, name, options, settings=()):
    """What an audit says of a log by a ruleset named from outside, as `audit --rules … --with …` does."""
    return replay(read_lines(text), overrides=Overrides(name, options, settings))


@pytest.mark.parametrize("option", OPTIONS)
@pytest.mark.sweep(every=12)
def test_every_option_has_a_short_example(option):
    """No option ships that only chips or customs could tell: each can be seen in a log."""
    game, base = BASES.get(option, ("500-rummy", ()))
    sides = (base, (*base, option))
    found, _ = find_example(
        *(loaded(game, options) for options in sides), walks=400, seed=2, enough=1
    )
    assert found is not None
    clean = audited(found.text, game, sides[found.clean])
    other = audited(found.text, game, sides[1 - found.clean])
    assert clean.verdict == "clean"
    assert other.verdict == "violations"
    assert found.finding.code in {finding.code for finding in other.findings}
    assert len(found.text.splitlines()) <= LONGEST.get(option, 5)


@pytest.mark.parametrize("key", SOME)
@pytest.mark.sweep(every=5)
def test_keys_of_all_kinds_have_examples(key):
    pair = json.loads(json.dumps(next(pair for pair in PAIRS if pair["key"] == key)))
    settings = pair.get("set", {})
    game = pair.get("rules", "500-rummy")
    first = loaded(game, pair.get("with", ()), settings)
    second = loaded(game, pair.get("with", ()), {**settings, key: pair["value"]})
    assert find_example(first, second, 400, 1, enough=1)[0] is not None


@pytest.mark.sweep
def test_the_same_seed_finds_the_same_example():
    first, second = loaded("500-rummy"), loaded("500-rummy", ("no-calls",))
    assert find_example(first, second, 20, 7, enough=1) == find_example(
        first, second, 20, 7, enough=1
    )


def test_where_nothing_differs_nothing_is_found_and_it_is_said_how_far_was_looked():
    found, looked = find_example(loaded("500-rummy"), loaded("500-rummy", ("face-values",)), 3, 1)
    assert found is None
    assert (looked.walks, looked.hands) == (6, 2)
    assert looked.records > 0


def test_remarks_stand_above_the_example_and_the_finding_is_counted_with_them():
    first, second = loaded("500-rummy"), loaded("500-rummy", (), ("players.max=3",))
    found, _ = find_example(first, second, 5, 1, remarks=lambda clean: (f"# by {clean}",))
    assert found is not None
    assert found.text.startswith("# by 0\n[Players ")
    assert found.finding.span.line == 2


def test_shrinking_keeps_an_example_and_makes_it_smaller():
    text = """\
[Players "Ann, Bob, Cy"]
hand 1 dealer Cy
deal Ann 5h 6h 7h 2c 9d Ks Qd
deal Bob ?*7
deal Cy ?*7
up 6c
1. Ann: draw 4s; meld 5h 6h 7h; discard Ks
2. Bob: draw ?; lay 8h m1; discard 4h
3. Cy: take 6c; meld 6c 6d 6s; discard Ks
score Ann 12
"""
    trial = Trial(loaded("500-rummy"), loaded("500-rummy", (), ("draw.depth=top",)))
    game = tuple(line.event for line, _ in read_lines(text) if line.event is not None)[:-1]
    found = trial.objection(game)
    assert found is not None
    small = shrink(trial, game, found)
    assert weight(small) < weight(game)
    assert trial.objection(small) is not None


def test_what_differs_in_no_game_is_no_difference_in_meaning():
    """Examples and differences agree where neither has anything to say."""
    assert compare_meaning(loaded("500-rummy"), loaded("500-rummy", ("face-values",))).same
