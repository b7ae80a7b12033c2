"""`meldref rules diff`: what differs in meaning, which recorded games show it, an example."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from meldref.rulefiles.files import list_rulesets
from meldref_authoring.difference import compare_meaning
from shipped import line_of, place_of
from written import loaded, pairs

PAIRS = pairs()
NAMES = [f"{pair['key']}-{pair['value']}" for pair in PAIRS]
SHIPPED = [shipped.id for shipped in list_rulesets() if shipped.type == "game"]

LOG = """\
[Rules "500-rummy"]
[Options "floating"]
[Players "Ann, Bob, Cy"]

hand 1 dealer Cy
deal Ann 5h 6h 7h 2c 9d Ks Qd
deal Bob ?*7
deal Cy ?*7
up 6c

1. Ann: take 6c; discard Ks
2. Bob: draw ?; discard 4h
"""
SCORED = """\
[Rules "500-rummy"]
[Players "Ann, Bob, Cy"]
hand 1
1. Ann: draw ?; meld Ah Ac As; meld 5d 6d 7d 8d 9d
end out Ann
"""


def differing(first, second):
    """The keys that differ in meaning, and those that are only written differently."""
    found = compare_meaning(first, second)
    return [one.key for one in found.in_meaning], [one.key for one in found.apart]


LAST = "out.melding_all=floats"


# --- meaning --------------------------------------------------------------------------------------


@pytest.mark.parametrize("pair", PAIRS, ids=NAMES)
@pytest.mark.sweep(every=4)
def test_a_key_that_changes_what_the_referee_says_is_the_key_that_differs(pair):
    pair = json.loads(json.dumps(pair))
    settings, game = pair.get("set", {}), pair.get("rules", "500-rummy")
    sides = [
        loaded(game, pair.get("with", ()), changes)
        for changes in (settings, {**settings, pair["key"]: pair["value"]})
    ]
    keys, _ = differing(*sides)
    assert keys
    assert all(key.startswith(pair["key"]) for key in keys)


@pytest.mark.parametrize("name", SHIPPED)
def test_a_ruleset_differs_from_itself_in_nothing(name):
    assert differing(loaded(name), loaded(name)) == ([], [])


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"layoff.onto": "own_side"}, {"layoff.onto": "own"}),
        ({"calls.by": "opponents"}, {}),
        ({"scoring.low_ace": 15}, {"scoring.low_ace": "same"}),
        ({"scoring.high_ace": 15}, {}),
        ({"draw.use": ["meld", "lay_off", "swap"]}, {"draw.use": ["lay_off", "meld"]}),
        ({"out.claimed": "takes_pile"}, {}),
        ({"players.max": 2, "players.direction": "counterclockwise"}, {"players.max": 2}),
        ({"melds.kinds.group.size": "3-4"}, {"melds.kinds.group.size": "3-9"}),
        (
            {
                "melds.kinds.group": "none",
                "melds.kinds.set": {"size": "3-4", "require": ["same_rank"]},
            },
            {"melds.kinds.group.require": ["same_rank"]},
        ),
        ({"scoring.held": {"A": 15}}, {}),
    ],
)
def test_what_comes_to_the_same_is_no_difference(first, second):
    keys, _ = differing(loaded("500-rummy", (), first), loaded("500-rummy", (), second))
    assert keys == []


def test_what_rests_on_both_sides_is_told_apart_and_what_rests_on_one_is_not():
    resting = loaded("500-rummy", (), {"floating.playable": "must_be_used"})
    assert differing(loaded("500-rummy"), resting) == ([], ["floating.playable"])
    both = loaded("500-rummy", ("floating",), {"floating.playable": "must_be_used"})
    found = compare_meaning(loaded("500-rummy"), both)
    playable = next(one for one in found.in_meaning if one.key == "floating.playable")
    assert (playable.first.rests, playable.second.rests) == ("out.melding_all", "")


def test_tables_are_compared_by_number_and_rank_and_shown_as_runs():
    first = loaded(
        "500-rummy", (), {"deal.cards": {"3-4": 9}, "scoring.values": {"6-8": 5, "Qs": 40}}
    )
    found = compare_meaning(loaded("500-rummy"), first)
    said = {one.key: (one.first.value, one.second.value) for one in found.in_meaning}
    assert said == {
        "deal.cards.3-4": (7, 9),
        "scoring.values.6-8": ("face", 5),
        "scoring.values.Qs": (10, 40),
    }


def test_numbers_of_players_that_only_one_allows_are_left_to_the_key_that_allows_them():
    first, second = (
        loaded("500-rummy"),
        loaded("500-rummy", (), {"players.max": 4, "deck.packs": {"5-8": 3}}),
    )
    assert differing(first, second) == (["players.max"], [])


def test_customs_are_told_apart_since_nothing_checks_them(tmp_path):
    path = tmp_path / "house.yaml"
    path.write_text("extends: [500-rummy]\ncustoms: [The loser deals.]\n", encoding="utf-8")
    assert differing(loaded("500-rummy"), loaded(str(path))) == ([], ["customs"])


# --- the command ----------------------------------------------------------------------------------


def test_the_keys_are_shown_with_the_lines_that_set_them(meldref):
    ran = meldref("rules", "diff", "500-rummy", "500-rummy+keep-taken-card")
    assert ran.code == 1
    assert ran.lines[:2] == ["A: 500-rummy", "B: 500-rummy+keep-taken-card"]
    assert f"draw.deep.must  A: be_used   ({place_of('500-rummy', 'draw.deep.must')})" in ran.lines
    assert ran.lines[-1] == "1 key differs in meaning"
    assert (
        meldref("rules", "diff", "500-rummy", "500-rummy+keep-taken-card", "--exit-zero").code == 0
    )
    assert meldref("rules", "diff", "500-rummy", "500-rummy+keep-taken-card", "-q").lines == [
        "draw.deep.must"
    ]


def test_rulesets_that_mean_the_same_exit_with_zero(meldref):
    ran = meldref("rules", "diff", "500-rummy", "500-rummy+face-values", "--example")
    assert (ran.code, ran.out) == (0, "500-rummy and 500-rummy+face-values mean the same\n")


def test_the_json_has_the_documented_keys(meldref):
    data = meldref("rules", "diff", "500-rummy", "500-rummy+floating", "--format", "json").data
    assert set(data) == {"version", "rulesets", "same", "differences", "apart"}
    line = line_of("500-rummy", "out.melding_all")
    first = {"value": "ends_hand", "file": "500-rummy.yaml", "line": line, "no_effect": None}
    assert data["differences"][0]["key"] == "out.melding_all"
    assert data["differences"][0]["first"] == first


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("500-rumy", "500-rum"), "did you mean 500-rummy?"),
        (("500-rummy", "500-rummy+floatin"), "did you mean floating?"),
        (("500-rummy", "500-rummy+"), "options come after a plus"),
        (("500-rummy", "500-rum", "friday.rgn"), "logs come after --logs"),
        (("500-rummy", "500-rum", "--logs", "nowhere.rgn"), "nowhere.rgn: no such file"),
        (("500-rummy", "500-rum", "--logs", "-"), "give a file"),
        (("500-rummy", "500-rum", "-o", "."), "this is a folder"),
        (
            ("500-rummy", "500-rum", "-o", "x.pdf"),
            "x.pdf: the example is a log, in a file that ends in .rgn",
        ),
        (("500-rummy", "500-rum", "--set", "game.tarjet=2"), "did you mean game.target?"),
    ],
)
def test_what_cannot_be_used_is_said(meldref, log, arguments, said):
    log(LOG)
    ran = meldref("rules", "diff", *arguments)
    assert ran.code == 2
    assert said in ran.err


# --- logs -----------------------------------------------------------------------------------------


def test_logs_are_judged_by_both_rulesets_whatever_their_headers_say(meldref, log):
    log(LOG)
    ran = meldref("rules", "diff", "500-rummy", "500-rummy+meld-taken-card", "--logs", "friday.rgn")
    assert ran.code == 1
    place = ran.lines.index("friday.rgn:11: 1. Ann: take 6c; discard Ks")
    assert ran.lines[place + 1] == "  A: nothing wrong"
    assert ran.lines[place + 2].startswith("  B: illegal: ")
    assert ran.lines[place + 2].endswith("[draw.top.unused]")
    assert ran.lines[-1] == "1 line judged differently, in 1 of 1 log"


def test_hands_without_a_recorded_score_are_scored_by_both(meldref, log):
    log(SCORED)
    log(SCORED + "score Ann 80\n", "scored.rgn")
    ran = meldref(
        "rules", "diff", "500-rummy", "500-rummy+aces-25", "--logs", "friday.rgn", "scored.rgn"
    )
    assert "friday.rgn: game 1, hand 1: scores" in ran.lines
    assert "  A: Ann 80" in ran.lines
    assert "  B: Ann 110" in ran.lines
    assert "scored.rgn:6: score Ann 80" in ran.lines
    arguments = ("--logs", "friday.rgn", "scored.rgn", "--format", "json")
    data = meldref("rules", "diff", "500-rummy", "500-rummy+aces-25", *arguments).data
    assert [one["path"] for one in data["logs"]] == ["friday.rgn", "scored.rgn"]
    assert data["logs"][0]["scores"] == [
        {"game": 1, "hand": 1, "first": {"Ann": 80}, "second": {"Ann": 110}}
    ]
    (line,) = data["logs"][1]["lines"]
    assert (line["line"], line["first"]["findings"]) == (6, [])
    assert line["second"]["findings"][0]["code"] == "score.hand"


def test_logs_that_are_judged_alike_are_said_to_be(meldref, log):
    log(LOG)
    ran = meldref("rules", "diff", "500-rummy", "500-rummy+no-calls", "--logs", "friday.rgn")
    assert ran.lines[-1] == "1 log: every line is judged alike, and every hand scored alike"


def test_a_log_that_cannot_be_read_costs_the_others_nothing(meldref, log):
    log(LOG)
    log("nothing\n", "bad.rgn")
    ran = meldref("rules", "diff", "500-rummy", "500-rum", "--logs", "bad.rgn", "friday.rgn")
    assert ran.code == 2
    assert "bad.rgn: there is no game in this file" in ran.err
    assert "friday.rgn:" in ran.out


# --- an example -----------------------------------------------------------------------------------


def test_an_example_is_a_log_that_audit_judges_as_it_is_said(meldref, log):
    log(LOG)
    rules = ("500-rummy", "500-rummy+floating")
    ran = meldref("rules", "diff", *rules, "--example", "-o", "example.rgn")
    assert ran.code == 1
    text = Path("example.rgn").read_text(encoding="utf-8")
    assert text.startswith("# Legal by 500-rummy, and not by 500-rummy+floating:\n")
    assert meldref("audit", "--rules", "500-rummy", "example.rgn").code == 0
    found = meldref(
        "audit", "--rules", "500-rummy", "--with", "floating", "--format", "json", "example.rgn"
    )
    assert found.code == 1
    data = meldref("rules", "diff", *rules, "--example", "--format", "json").data
    assert data["example"]["log"] == text
    assert data["example"]["legal_by"] == "500-rummy"
    codes = [finding["code"] for one in found.data["logs"] for finding in one["findings"]]
    assert data["example"]["finding"]["code"] in codes
    again = meldref("rules", "diff", *rules, "-o", "example.rgn")
    assert (again.code, again.out) == (2, "")
    assert "--force" in again.err


HOUSE = """\
id: house
name: Ours
extends: [500-rummy]
draw: {depth: top}
house_rules:
  no-kings: {forbid: meld, when: "any(cards, .rank is K)", says: No kings are melded.}
  no-late-draw: {forbid: draw, when: hand.number > 99, says: Nobody draws in the hundredth hand.}
"""


def test_each_difference_has_an_example_that_shows_it_by_itself(meldref, log):
    log(HOUSE, "house.yaml")
    data = meldref("rules", "diff", "500-rummy", "house.yaml", "--example", "--format", "json").data
    alone = {entry["key"]: entry["example"] for entry in data["alone"]}
    assert list(alone) == [
        difference["key"] for difference in data["differences"] if difference["key"] in alone
    ]
    assert alone["draw.depth"]["finding"]["code"] == "draw.pile"
    assert alone["house_rules.no-kings"]["finding"]["code"] == "house.no-kings"
    for key in ("draw.depth", "house_rules.no-kings"):
        log(alone[key]["log"], "one.rgn")
        clean, other = alone[key]["legal_by"], alone[key]["not_by"]
        assert meldref("audit", "--rules", clean, "one.rgn").code == 0, key
        assert meldref("audit", "--rules", other, "one.rgn").code == 1, key
    text = meldref("rules", "diff", "500-rummy", "house.yaml", "--example").out
    assert "house_rules.no-kings: legal as A plays, not as B does" in text


@pytest.mark.sweep
def test_where_no_example_is_found_it_is_said_how_far_was_looked(meldref, log):
    log("extends: [500-rummy]\nout: {challenge: taken_back, playable: with_pile}\n", "house.yaml")
    ran = meldref(
        "rules", "diff", "500-rummy", "house.yaml", "--example", "--effort", "1", "--set", LAST
    )
    assert ran.code == 1
    assert "2 short games made up" in ran.out


def test_what_no_record_shows_is_said_to_be_so(meldref, log):
    log("extends: [500-rummy]\ndraw: {dead_end: allowed}\n", "house.yaml")
    ran = meldref("rules", "diff", "500-rummy", "house.yaml", "--example")
    assert ran.code == 1
    assert ran.lines[-1].startswith("draw.dead_end shows in no record")
