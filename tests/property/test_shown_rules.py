"""What `rules show` prints is a rules file that means the same when it is read again, whatever lies over what."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from meldref.rulefiles.files import list_rulesets
from meldref.rulefiles.load import load_ruleset
from meldref_authoring.difference import compare_meaning
from meldref_authoring.rulefiles.show import merged_values, show_merged
from meldref_authoring.rulefiles.trace import trace
from tiers import examples

GAMES = sorted(shipped.id for shipped in list_rulesets() if shipped.type == "game")
OPTIONS = sorted(shipped.id for shipped in list_rulesets() if shipped.type == "option")
TABLES = ("deck.packs", "deal.cards", "scoring.values", "scoring.held")
SETTINGS = [
    ("melds.kinds.group", "none"),
    ("melds.kinds.pair", {"size": 2, "require": ["same_rank", {"only": ["J", 10]}]}),
    ("melds.kinds.sequence.ace", ["low", "high", "around"]),
    ("melds.wild.cards", ["joker", 2]),
    ("deal.cards", 6),
    ("deal.cards", {"2": 9, "3-4": 8}),
    ("deck.packs", {"4-8": 3}),
    ("players.max", 4),
    ("scoring.values", {"Qc": 40, "5": 7}),
    ("scoring.values.2-9", "face"),
    ("scoring.held", {"A": 20, "Ks": 1}),
    ("scoring.low_ace", "same"),
    ("scoring.four_aces", 100),
    ("game.hands", 2),
    ("game.hands", "2-5"),
    ("floating.draws", ["stock"]),
    ("draw.use", []),
]


@settings(max_examples=examples(25))
@given(
    st.sampled_from(GAMES),
    st.lists(st.sampled_from(OPTIONS), unique=True, max_size=2),
    st.lists(st.sampled_from(SETTINGS), unique_by=lambda one: one[0], max_size=3),
)
def test_what_is_shown_means_the_same(tmp_path_factory, game, options, changes):
    made = [f"{key}={json.dumps(value)}" for key, value in changes]
    ruleset, _ = load_ruleset(game, options, made)
    if ruleset is None:  # options that exclude one another, say
        return
    who = trace(game, options, made)
    path = tmp_path_factory.mktemp("shown") / "shown.yaml"
    path.write_text(show_merged(ruleset, who.below), encoding="utf-8")
    again, findings = load_ruleset(str(path))
    assert again is not None, findings
    found = compare_meaning(ruleset, again)
    assert (found.in_meaning, found.apart) == ((), ())
    assert [kind for kind in ruleset.melds.kinds if kind not in again.melds.kinds] == []


@settings(max_examples=examples(15))
@given(
    st.sampled_from(GAMES),
    st.lists(st.sampled_from(OPTIONS), unique=True, max_size=2),
    st.lists(st.sampled_from(SETTINGS), unique_by=lambda one: one[0], max_size=2),
)
def test_each_key_names_who_set_it_last_and_over_whom(game, options, changes):
    made = [f"{key}={json.dumps(value)}" for key, value in changes]
    ruleset, _ = load_ruleset(game, options, made)
    if ruleset is None:
        return
    who = trace(game, options, made)
    for key, _, origin in merged_values(ruleset):
        table, _, entry = key.rpartition(".")
        first = f"{table}.{entry.partition('-')[0]}" if table in TABLES else key
        setters = who.setters(first)
        if "-" not in entry and not table.startswith("scoring."):
            assert (setters[-1] if setters else None) == origin, key
        assert set(who.below(key)) <= set(who.setters(first)), key
