"""`meldref melds`: what some cards can make."""

from __future__ import annotations

import pytest


def test_melds_are_listed_largest_first(meldref):
    ran = meldref("melds", "5h 6h 7h 8h 8c 8d")
    assert ran.code == 0
    assert ran.lines == [
        "sequence  5h 6h 7h 8h  26 points",
        "group     8c 8d 8h     24 points",
        "sequence  6h 7h 8h     21 points",
        "sequence  5h 6h 7h     18 points",
    ]


def test_wild_cards_are_listed_with_what_they_stand_for(meldref):
    data = meldref("melds", "8d", "9d", "Jk", "--format", "json").data
    assert list(data) == ["melds"]
    assert {"kind": "sequence", "cards": ["Jk=7d", "8d", "9d"], "points": 32} in data["melds"]
    assert {"kind": "sequence", "cards": ["8d", "9d", "Jk=Td"], "points": 32} in data["melds"]
    assert len(data["melds"]) == 2


def test_no_meld_is_said_to_be_none(meldref):
    assert meldref("melds", "2c 9h").out == "no meld\n"
    assert meldref("melds", "2c 9h", "--format", "json").data == {"melds": []}


def test_the_ruleset_decides(meldref):
    assert meldref("melds", "5h 6h 7h", "--with", "sequences-of-four").out == "no meld\n"
    assert "3h=5" in meldref("melds", "3h 5c 5d", "--with", "chosen-wild-rank", "--wild", "3").out
    assert "no meld" in meldref("melds", "3h 5c 5d", "--with", "chosen-wild-rank").out
    assert meldref("melds", "Jk Jk Jk", "--rules", "persian-rummy").lines[0].startswith("jokers")


def test_the_hand_of_the_game_decides_where_hands_differ(meldref):
    game = ("melds", "7c 4d 9c", "--rules", "three-thirteen")
    assert "4d=8c" in meldref(*game, "--hand-number", 2).out
    assert meldref(*game, "--hand-number", 3).out == "no meld\n"
    assert meldref(*game, "--hand-number", 2).err == ""


def test_where_hands_differ_the_melds_say_of_which_hand_they_are(meldref):
    assert "--hand-number" in meldref("melds", "7c 4d 9c", "--rules", "three-thirteen").err
    assert meldref("melds", "7c Qc 9c", "--rules", "contract-rummy").err == ""


def test_where_hands_differ_the_melds_are_those_of_the_first(meldref):
    """Whichever hands have rules of their own."""
    for other in (1, 2):
        cards = f"hands={{{other}: {{melds: {{wild: {{cards: [joker, 4]}}}}}}}}"
        ran = meldref("melds", "7c 4d 9c", "--set", cards)
        assert ("4d=8c" in ran.out) == (other == 1)
        assert "this is hand 1;" in ran.err


def test_a_wild_rank_is_not_named_where_the_number_of_the_hand_says_it(meldref):
    ran = meldref("melds", "7c 4d 9c", "--rules", "three-thirteen", "--wild", "4")
    assert ran.code == 2
    assert "the number of the hand" in ran.err


def test_cards_of_two_packs_are_taken_as_given(meldref):
    assert meldref("melds", "5h 5h 6h 7h").code == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("5x",), "CARDS: "),
        (("5h ?",), "CARDS: melds are made of cards that are known"),
        (("",), "CARDS: no cards are given"),
        (("5h 5h 5h",), "5h is named 3 times, and the deck of 500-rummy has at most 2"),
        (
            ("Jk", "--rules", "gilfoy-500-rummy"),
            "Jk is named, and the deck of gilfoy-500-rummy has none",
        ),
        (("5h", "--wild", "Q9"), "--wild Q9: a rank is one of"),
        (("7z 5h 8y",), "CARDS: `7z`, `8y` are not cards"),
        (("7z",), "CARDS: `7z` is not a card"),
        (("5h,", "6x"), "CARDS: `5h,`, `6x` are not cards"),
        (("H5 6h",), "CARDS: write the rank before the suit: `5H`, not `H5`"),
        (("5h", "--rules", "nope"), "--rules nope"),
    ],
)
def test_what_cannot_be_used_is_named(meldref, arguments, said):
    ran = meldref("melds", *arguments)
    assert ran.code == 2
    assert said in ran.err
    assert ran.out == ""


def test_all_that_cannot_be_used_is_named_in_one_run(meldref):
    ran = meldref(
        "melds", "zz", "--rules", "nope", "--with", "nor-this", "--set", "x", "--wild", "Q9"
    )
    assert ran.code == 2
    starts = [
        line.removeprefix("meldref: error: ").partition(": ")[0] for line in ran.err.splitlines()
    ]
    assert starts == ["CARDS", "--wild Q9", "--rules nope", "--with nor-this", "--set x"]


def test_every_card_named_too_often_is_told(meldref):
    ran = meldref("melds", "5h 5h 5h 6c 6c 6c Jk", "--rules", "500-rum")
    assert [line.split()[3] for line in ran.err.splitlines()] == ["5h", "6c", "Jk"]
    assert "named 3 times" in ran.err


def test_four_aces_count_as_the_rules_say(meldref):
    assert "100 points" in meldref("melds", "Ac Ad Ah As", "--with", "four-aces-100").lines[0]
