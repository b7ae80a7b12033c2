"""What was meant by what no rules file can say, and when there is no doubt about it."""

from __future__ import annotations

import pytest

from meldref.rulefiles.suggestions import (
    Meant,
    entry_for,
    list_for,
    name_for,
    number_for,
    range_for,
    rank_for,
    word_for,
)
from meldref.rulefiles.vocabulary import key_paths, node_of

GAME = ["ends", "target", "reached", "reached_by", "hands", "winner", "tie", "bonus", "stop"]
PLAYERS = ["min", "max", "first", "direction"]


@pytest.mark.parametrize(
    ("name", "known", "meant"),
    [
        ("taget", GAME, Meant("target", sure=True)),
        ("tagret", GAME, Meant("target", sure=True)),
        ("Reached-By", GAME, Meant("reached_by", sure=True)),
        ("reachd by", GAME, Meant("reached_by", sure=True)),
        ("reach", GAME, Meant("reached")),
        ("winer", GAME, Meant("winner", sure=True)),
        ("mix", PLAYERS, Meant("min")),
        ("goal", GAME, None),
        ("500-rumy", ["500-rummy", "500-rum"], Meant("500-rummy")),
    ],
)
def test_a_name_is_sure_where_nothing_else_is_as_near(name, known, meant):
    assert name_for(name, known) == meant


@pytest.mark.parametrize(
    ("value", "words", "meant"),
    [
        ("no", ["none", "pile"], Meant("none", sure=True)),
        (False, ["forbidden", "allowed"], Meant("forbidden", sure=True)),
        (True, ["forbidden", "allowed"], Meant("allowed", sure=True)),
        ("never", ["forbidden", "allowed"], Meant("forbidden")),
        ("no", ["never", "nothing"], None),
        ("yes", ["pile", "none"], None),
        (["pile"], ["pile", "none"], Meant("pile", sure=True)),
        ("“pile”", ["pile", "none"], Meant("pile", sure=True)),
        ("any   // of them", ["any", "top"], Meant("any # of them", sure=True)),
        ("queens", ["joker", "Q"], Meant("Q", sure=True)),
        (7, ["any", "top"], None),
    ],
)
def test_a_word_is_known_in_other_dress(value, words, meant):
    assert word_for(value, words) == meant


@pytest.mark.parametrize(
    ("value", "meant"),
    [
        ("1000", Meant("1000", sure=True)),
        ("1,000", Meant("1000", sure=True)),
        ("1'000'000", Meant("1000000", sure=True)),
        ("012", Meant("12", sure=True)),
        ("none", Meant("0", sure=True)),
        ([5], Meant("5", sure=True)),
        ("10%", Meant("10")),
        ("5 each", Meant("5 # each", sure=True)),
        ("5// each", Meant("5 # each", sure=True)),
        ("1,00", None),
        ("5th", None),
        ("0x10", None),
        ("1.5", None),
        ([5, 6], None),
        (True, None),
        ([True], None),
    ],
)
def test_a_number_is_found_where_only_one_is_there(value, meant):
    assert number_for(value)[1] == meant


@pytest.mark.parametrize(
    "text", ["3-4", "3 - 4", "3–4", "3—4", "3..4", "3 to 4", "3 or 4", "4-3", " 3 -4"]
)
def test_a_range_is_known_however_it_is_written(text):
    assert range_for(text) == Meant("3-4", sure=True)


@pytest.mark.parametrize("text", ["three to four", "3-4-5", "3", "-", "3-", "4 5"])
def test_what_is_no_range_is_none(text):
    assert range_for(text) is None


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("king", "K"),
        ("Twos", "2"),
        ("jokers", "joker"),
        ("two-nine", "2-9"),
        ("10 - king", "10-K"),
        ("2–9", "2-9"),
        ("hearts", None),
        ("knight", None),
    ],
)
def test_ranks_have_words_too(name, meant):
    found = rank_for(name)[1]
    assert (found.text if found else None) == meant


def test_lists_and_entries_are_known_without_their_signs():
    assert list_for("500-rummy, floating") == Meant("[500-rummy, floating]", sure=True)
    assert list_for("500-rummy and floating") == Meant("[500-rummy, floating]", sure=True)
    assert list_for({"a": 1}) is None
    assert [entry_for(text, GAME) for text in ("target 5", "target:5", "Target = 5")] == [
        ("a colon is missing after target", "target: 5"),
        ("a space is missing after the colon of target", "target: 5"),
        ("a colon goes between a key and its value", "target: 5"),
    ]
    assert entry_for("goal 5", GAME) is None


def test_no_key_is_so_near_to_another_one_that_it_could_be_mended_into_it():
    for path in key_paths():
        section, _, name = path.rpartition(".")
        node = node_of(tuple(section.split("."))) if section else None
        known = [one for one in (node or {}).get("properties", {}) if one != name]
        meant = name_for(name, known) if known else None
        assert meant is None or not meant.sure, (path, meant)
