"""`meldref replay`: the table after each turn."""

from __future__ import annotations

import json

import pytest

from cli_logs import BAD, LOG


def test_each_turn_is_followed_by_the_table(meldref, log):
    ran = meldref("replay", log())
    assert ran.code == 0
    at = ran.lines.index("friday.rgn:10: 2. Bob: draw ?; discard Qs")
    assert ran.lines[at + 1 : at + 5] == [
        "  > Ann  0  2c 7c Jc 4d 7d Qd 2h 4h 9h 3s 5s 7s 8s  (13 cards)",
        "    Bob  0  ?*13  (13 cards)",
        "    pile   4c Ks Qs",
        "    stock  25 cards",
    ]


def test_one_line_is_shown_alone(meldref, log):
    ran = meldref("replay", log(), "--at", 10)
    assert ran.lines[0] == "friday.rgn:10: 2. Bob: draw ?; discard Qs"
    assert len(ran.lines) == 5


def test_before_the_first_turn_the_deal_is_on_the_table(meldref, log):
    assert "    pile   4c" in meldref("replay", log(), "--at", 7).lines


def test_violations_are_told_with_their_turn(meldref, bad_log):
    ran = meldref("replay", bad_log)
    assert ran.code == 1
    at = ran.lines.index("bad.rgn:13: 5. Ann: take 4s; discard 4s")
    assert ran.lines[at + 1].startswith("    bad.rgn:13:18: illegal: ")
    assert meldref("replay", bad_log, "--at", 12).code == 0
    assert meldref("replay", bad_log, "--exit-zero").code == 0


def test_json_has_positions_that_legal_can_be_asked_about(meldref, log):
    data = meldref("replay", log(), "--format", "json").data
    assert (data["version"], data["path"]) == (1, "friday.rgn")
    step = next(one for one in data["steps"] if one["line"] == 10)
    assert (step["game"], step["hand"], step["over"], step["turn_open"]) == (1, 1, False, False)
    assert step["position"]["to_move"] == "Ann"
    ran = meldref(
        "legal", "draw; discard 2c", "--position", "-", stdin=json.dumps(step["position"])
    )
    assert ran.lines[0] == "legal: Ann: draw; discard 2c"


def test_lines_before_any_cards_have_no_position(meldref, log):
    steps = meldref("replay", log(), "--format", "json").data["steps"]
    assert steps[0]["position"] is None


def test_the_lines_after_a_hand_are_shown_without_the_table(meldref, log):
    text = LOG + "end agreed\nscore Ann 1, Bob 2\n"
    ran = meldref("replay", log(text))
    assert (
        ran.lines[-1].startswith("    friday.rgn:13:1: ")
        or "friday.rgn:13: score Ann 1, Bob 2" in ran.lines
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("friday.rgn", "--at", "99"), "--at 99: friday.rgn has 11 lines"),
        (("friday.rgn", "--at", "2"), "--at 2: no hand is being played at this line of friday.rgn"),
        (("nowhere.rgn",), "nowhere.rgn: no such file"),
        ((".",), ".: this is a folder"),
        (("empty.rgn",), "empty.rgn: there is no game in this file"),
    ],
)
def test_what_cannot_be_shown_is_said(meldref, log, arguments, said):
    log()
    log("", "empty.rgn")
    for format_ in ("text", "json"):
        ran = meldref("replay", *arguments, "--format", format_)
        assert ran.code == 2
        assert said in ran.err


def test_control_characters_do_not_reach_the_terminal(meldref, log):
    ran = meldref("replay", log(LOG + "Ann: \x1b[31mdraw\n"))
    assert "\x1b" not in ran.out


def test_standard_input_is_a_log(meldref):
    assert (
        meldref("replay", "-", "--at", "9", stdin=LOG).lines[0].startswith("-:9: 1. Ann: draw 8s")
    )


@pytest.mark.parametrize("more", [[], ["--quiet"]])
def test_a_finding_is_told_with_the_path_of_the_log(meldref, log, more):
    log(BAD, "logs/bad.rgn")
    assert "logs/bad.rgn:13:18: illegal: " in meldref("replay", "logs/bad.rgn", *more).out
    assert " bad.rgn:13" not in meldref("replay", "logs/bad.rgn", *more).out


def test_a_viewer_sees_own_cards_what_lay_open_and_which_cards_are_left(meldref, log):
    full = LOG.replace("?*13", "6d 6h 8h 2d 7h Td Th Ts Jd Js Qc Qd Qs").replace(
        "draw ?", "draw 3h"
    )
    ran = meldref("replay", log(full), "--for", "Bob", "--at", 9)
    assert ran.lines[0] == "friday.rgn:9: 1. Ann: draw ?; discard Ks"
    assert "    Ann  0  ?*13  (13 cards)" in ran.lines
    assert "  > Bob  0  Qc 2d 6d Td Jd Qd 6h 7h 8h Th Ts Js Qs  (13 cards)" in ran.lines
    (unseen,) = [line for line in ran.lines if line.startswith("    unseen ")]
    assert unseen.endswith("(39 cards)")
    assert not {"Ks", "4c", "Qs"} & set(unseen.split())
    assert {"8s", "4d", "Jk"} < set(unseen.split())


def test_cards_taken_from_the_pile_are_known_to_be_in_a_hand(meldref, log):
    text = LOG.replace("discard 9h", "discard 9h\n4. Bob: take 9h; discard 6d")
    ran = meldref("replay", log(text), "--for", "public", "--format", "json")
    step = ran.data["steps"][-1]
    assert step["position"]["hands"] == {"Ann": "?*13", "Bob": "9h ?*12"}
    assert (step["unseen"]["must_hold"], step["unseen"]["cannot_hold"]) == ({}, {})
    assert "9h" not in step["unseen"]["cards"]
    assert "unseen" not in meldref("replay", "friday.rgn", "--format", "json").data["steps"][-1]


def test_cards_that_can_be_nowhere_else_must_be_in_a_hand(meldref, log):
    """Once the stock is gone, what Ann did not see is in Bob's hand."""
    rest = [rank + suit for suit in "cdhs" for rank in "23456789TJQK"]
    pile = rest[7]
    text = (
        '[Rules "500-rummy"]\n[Options "no-jokers"]\n[Players "Ann, Bob"]\n'
        '[Set "deal.cards=2"]\nhand 1 dealer Bob\ndeal Ann As Ac\ndeal Bob Ad Ah\n'
        f"up {pile}\nstock {' '.join(card for card in rest if card != pile)}\n"
    )
    turns = [card for card in rest if card != pile]
    names = ("Ann", "Bob")
    text += "".join(
        f"{at}. {names[(at - 1) % 2]}: draw {card}; discard {card}\n"
        for at, card in enumerate(turns, 1)
    )
    ran = meldref("replay", log(text), "--for", "Ann", "--quiet", "--format", "json")
    assert ran.data["steps"][-1]["unseen"]["must_hold"] == {"Bob": "Ad Ah"}


def test_nobody_sees_as_a_stranger_and_a_view_can_be_drawn(meldref, log):
    ran = meldref("replay", log(), "--for", "Zed", "--quiet")
    assert (ran.code, "nobody of that name plays" in ran.err) == (2, True)
    assert meldref("replay", "friday.rgn", "--for", "public", "--at", "9", "--svg").code == 0
