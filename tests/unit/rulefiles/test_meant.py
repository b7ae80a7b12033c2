"""What was meant by what no rules file can say, and when there is no doubt about it."""

from __future__ import annotations

import pytest

from meldref.core.meant import Meant, nearest
from meldref.rulefiles.vocabulary import SCHEMA, key_paths, node_of, schema
from meldref_authoring.rulefiles.rewriting import rewriting

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
        ("melding", ["melding_all", "last_discard", "bonus"], Meant("melding_all")),
        ("last", ["last_turns", "last_discard"], None),
        ("500-rumy", ["500-rummy", "500-rum"], Meant("500-rummy")),
        ("queens", ["joker", "Q"], Meant("Q", sure=True)),
        ("straight flush", ["group", "sequence"], Meant("sequence", sure=True)),
        ("target", ["game.target", "game.ends"], Meant("game.target", sure=True)),
        ("h", ["clubs", "hearts"], Meant("hearts")),
        ("calls", ["cards", "melds"], None),
        ("next_player", ["player", "out"], None),
        ("x" * 101, ["x" * 100], None),
    ],
)
def test_a_name_is_sure_where_nothing_else_is_as_near(name, known, meant):
    assert nearest(name, known) == meant


def offered(value, key):
    """What to write instead of the value of a key; with a question mark if that is not sure."""
    meant = rewriting(value, key_paths()[key])
    return None if meant is None else meant.text + "?" * (not meant.sure)


@pytest.mark.parametrize(
    ("value", "key", "meant"),
    [
        ("no", "calls.of", "none"),
        (False, "draw.dead_end", "forbidden"),
        (True, "draw.dead_end", "allowed"),
        ("never", "draw.dead_end", "forbidden?"),
        ("yes", "calls.of", None),
        (["pile"], "calls.of", "pile"),
        ("“pile”", "calls.of", "pile"),
        ("any   // of them", "draw.depth", "any   # of them"),
        (7, "draw.depth", None),
        ("1000", "game.target", "1000"),
        ("1,000", "game.target", "1000"),
        ("1'000'000", "game.target", "1000000"),
        ("012", "game.target", "12"),
        ("none", "game.target", None),
        ("none", "deck.jokers", "0"),
        ("none", "scoring.low_ace", "0?"),
        ([5], "game.target", "5"),
        ("10%", "game.target", "10?"),
        ("5 each", "game.target", "5 # each"),
        ("5// each", "game.target", "5 # each"),
        ("1,00", "game.target", None),
        ("5th", "game.target", None),
        ("0x10", "game.target", None),
        ("1.5", "game.target", None),
        ([5, 6], "game.target", None),
        (True, "game.target", None),
        ([True], "game.target", None),
        ("500-rummy, floating", "extends", "[500-rummy, floating]"),
        ("500-rummy and floating", "extends", "[500-rummy, floating]"),
        ("-500-rummy -floating", "extends", "[500-rummy, floating]"),
        ({"a": 1}, "extends", None),
        (500, "id", '"500"'),
        ("Our House", "id", "our-house"),
    ],
)
def test_what_a_key_takes_is_known_in_other_dress(value, key, meant):
    assert offered(value, key) == meant


@pytest.mark.parametrize(
    "text", ["3 - 4", "3–4", "3—4", "3..4", "3 to 4", "3 or 4", "4 - 3", " 3 -4", "three to four"]
)
def test_a_range_is_known_however_it_is_written(text):
    assert offered(text, "game.hands") == "3-4"


@pytest.mark.parametrize("text", ["3-4-5", "-", "3-"])
def test_what_is_no_range_is_none(text):
    assert offered(text, "game.hands") is None


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
    names = key_paths()["scoring.values"]["propertyNames"]
    instead = rewriting(name, names, is_name=True)
    assert (instead.text if instead else None) == meant


def test_entries_of_sections_are_known_without_their_signs():
    game = node_of(("game",))
    assert {rewriting(text, game).text for text in ("target 5", "target:5", "Target = 5")} == {
        "{target: 5}"
    }
    assert rewriting("goal 5", game) is None
    kind = SCHEMA.resolved(schema()["$defs"]["kind"])
    assert rewriting("4 – 13", kind).text == "{size: 4-13}"
    assert rewriting("be_used", node_of(("draw", "top"))).text == "{must: be_used}"
    assert not rewriting("off", node_of(("calls",))).sure


def test_no_key_is_so_near_to_another_one_that_it_could_be_mended_into_it():
    for path in key_paths():
        section, _, name = path.rpartition(".")
        node = node_of(tuple(section.split("."))) if section else None
        known = [one for one in (node or {}).get("properties", {}) if one != name]
        meant = nearest(name, known) if known else None
        assert meant is None or not meant.sure, (path, meant)
