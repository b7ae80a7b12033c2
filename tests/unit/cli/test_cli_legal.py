"""`meldref legal`: one move, or all of them, wherever the question is asked."""

from __future__ import annotations

import json

import pytest

from meldref.report.judgement import moves_text

HERE = ("--hand", "4d 9h 2h", "--pile", "6s 4c Qs 4s 7h")
POSITION = """\
rules: 500-rummy
players: [A, B, C]
to_move: B
hands: {B: "8h 2s 3c"}
table:
  m1: {A: "5h 6h 7h"}
pile: "6s 4c"
"""


def test_a_legal_move_is_told_with_what_follows(meldref):
    ran = meldref("legal", "take 4c; meld 4c 4d 4s; discard 2h", *HERE)
    assert ran.code == 0
    assert ran.lines == [
        "legal: A: take 4c; meld 4c 4d 4s; discard 2h",
        "  = points: A +12",
        "  = then: B plays",
    ]


def test_an_illegal_move_is_told_with_the_reason(meldref):
    ran = meldref("legal", "A: take 4c; discard 2h", *HERE)
    assert ran.code == 1
    assert ran.lines[0] == "illegal: the card taken from inside the pile was not melded [draw.deep.unused]"
    assert ran.lines[2:4] == ["1 | A: take 4c; discard 2h", "  |    ^^^^^^^"]
    assert "  = legal here: meld 4c 4d 4s" in ran.lines
    assert meldref("legal", "A: take 4c; discard 2h", *HERE, "--exit-zero").code == 0
    assert meldref("legal", "A: take 4c; discard 2h", *HERE, "--quiet").out == ran.lines[0] + "\n"


def test_words_of_a_move_need_no_quotes(meldref):
    assert meldref("legal", "take", "7h", *HERE).lines[0] == "legal: A: take 7h"


def test_the_beginning_of_a_turn_is_legal_where_the_turn_can_be_finished(meldref):
    assert "  = then: the turn goes on" in meldref("legal", "take 4c", *HERE).lines
    stuck = meldref("legal", "take 6s", *HERE)
    assert stuck.code == 1
    assert "[out.stuck]" in stuck.out


def test_the_answer_in_json_has_the_documented_keys(meldref):
    data = meldref("legal", "take 4c; discard 2h", *HERE, "--format", "json").data
    assert list(data) == ["verdict", "legal", "moves", "findings", "points", "then"]
    assert (data["verdict"], data["legal"], data["then"]) == ("illegal", False, None)
    assert data["moves"] == ["A: take 4c; discard 2h"]
    assert data["findings"][0]["code"] == "draw.deep.unused"
    good = meldref("legal", "take 4c", *HERE, "--format", "json").data
    assert (good["verdict"], good["legal"], good["then"]) == ("legal", True, "open")


def test_a_move_that_cannot_be_read_is_illegal_and_told_apart_by_status_and_code(meldref):
    ran = meldref("legal", "draw; juggle 4d", *HERE, "--format", "json")
    assert ran.code == 2
    assert (ran.data["verdict"], ran.data["legal"], ran.data["then"]) == ("illegal", False, None)
    assert [finding["code"] for finding in ran.data["findings"]] == ["log.syntax"]


def test_without_a_move_the_legal_ones_are_listed(meldref):
    ran = meldref("legal", *HERE)
    assert ran.code == 0
    assert ran.lines == ["take 4c; meld 4c 4d 4s  +12", "draw ?", "take 7h"]
    data = meldref("legal", *HERE, "--format", "json").data
    assert data == {
        "to_move": "A",
        "moves": [
            {"move": "take 4c; meld 4c 4d 4s", "points": 12},
            {"move": "draw ?", "points": 0},
            {"move": "take 7h", "points": 0},
        ],
    }


def test_where_nothing_can_be_done_that_is_said():
    assert list(moves_text("A", [], over=False)) == ["A has no legal move"]
    assert list(moves_text("A", [], over=True)) == ["the hand is over"]


def test_a_position_file_is_asked_about(meldref, log):
    ran = meldref("legal", "draw; lay 8h m1; discard 2s", "--position", log(POSITION, "here.yaml"))
    assert ran.lines[0] == "legal: B: draw; lay 8h m1; discard 2s"


def test_a_position_can_come_from_standard_input_as_json(meldref):
    text = json.dumps({"hands": {"A": "8h 2s"}, "table": {"m1": {"B": "5h 6h 7h"}}})
    assert meldref("legal", "draw; lay 8h m1; discard 2s", "--position", "-", stdin=text).code == 0


def test_the_command_line_goes_over_a_positions_ruleset(meldref, log):
    here = ("draw; lay 8h m1; discard 2s", "--position", log(POSITION, "here.yaml"))
    assert meldref("legal", *here, "--set", "layoff.onto=own").code == 1
    assert meldref("legal", *here, "--rules", "500-rum").code == 0


def test_a_position_keeps_its_options_and_settings(meldref, log):
    text = POSITION + "with: [floating]\nset: {layoff.onto: own}\n"
    ran = meldref("legal", "draw; lay 8h m1", "--position", log(text, "here.yaml"))
    assert ran.code == 1
    assert "layoff.onto = own" in ran.out


def test_a_wrong_position_is_shown_at_its_place(meldref, log):
    ran = meldref("legal", "draw", "--position", log(POSITION.replace("5h 6h 7h", "5h 6h 9h"), "here.yaml"))
    assert ran.code == 2
    assert ran.err.splitlines()[0].startswith("here.yaml:6:7: ")
    assert '6 |   m1: {A: "5h 6h 9h"}' in ran.err
    assert ran.out == ""


@pytest.mark.parametrize(("text", "said"), [("hands: [", "here.yaml:"), ("with: floating\n", "`with` is a list")])
def test_a_position_that_cannot_be_read_is_unusable(meldref, log, text, said):
    ran = meldref("legal", "draw", "--position", log(text, "here.yaml"))
    assert ran.code == 2
    assert said in ran.err


def test_a_log_is_asked_about_before_a_line(meldref, log):
    ran = meldref("legal", "draw; discard Ks", "--log", log(), "--at", 9)
    assert ran.lines[0] == "legal: Ann: draw; discard Ks"
    assert meldref("legal", "discard Ks", "--log", "friday.rgn", "--at", 9).code == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--log", "friday.rgn", "--at", "99"), "--at 99: friday.rgn has 11 lines"),
        (("--log", "friday.rgn", "--at", "3"), "no hand is being played before line 3"),
        (("--log", "friday.rgn"), "--log needs --at"),
        (("--at", "3"), "--at needs --log"),
        (("--log", "nowhere.rgn", "--at", "3"), "nowhere.rgn: there is no such file"),
        (("--position", "nowhere.yaml"), "nowhere.yaml: there is no such file"),
        (("--position", "."), ".: this is a folder"),
        (("--position", "a.yaml", "--hand", "5h"), "choose one"),
        ((), "say where"),
        (("--hand", "5x"), "--hand: "),
        (("--hand", "5h", "--pile", "zz"), "--pile: "),
        (("--hand", "5h 5h 5h 5h"), "5h"),
        (
            ("--hand", "5h", "--table", "m1: C 5h 6h 7h"),
            "--table: `C 5h 6h 7h` does not begin with a player (A, B)",
        ),
        (("--hand", "5h", "--table", "m1: B 6h 7h 8h", "--table", "m1: B 2c 2d 2h"), "--table: m1 is given twice"),
        (("--hand", "5h", "--table", "m2: B 6h 7h 8h"), "--table: "),
        (("--hand", "5h", "--table", "B 6h 7h 9h"), "--table: m1 is not a meld"),
        (("--hand", "5h", "--to-move", "Q"), "--to-move: Q is not one of the players (A and B, unless --players"),
        (("--hand", "Q: 5h"), "--hand: Q is not one of the players"),
        (("--hand", "5h", "--discarded-by", "Q"), "--discarded-by: Q"),
        (("--hand", "5h", "--floating", "Q"), "--floating: Q"),
        (("--hand", "5h", "--players", "A"), "--players: "),
        (("--hand", "5h", "--stock", "-3"), "--stock: "),
        (("--hand", "5h", "--wild", "X"), "--wild: "),
        (("--hand", "5h", "--hand", "A: 6h"), "--hand: A already has a hand; another player's is written"),
        (("--hand", "5h", "--set", "=3"), "--set =3: a setting is written KEY=VALUE"),
        (("--hand", "5h", "--turn", "jump"), "--turn: "),
        (("--hand", "5h", "--pile", "4c 7h", "--turn", "take 4c x3"), "--turn: taking 4c takes 2 cards, not 3"),
        (("--hand", "5h", "--rules", "nope"), "--rules nope: "),
    ],
)
def test_a_question_that_cannot_be_answered_names_what_is_wrong(meldref, log, arguments, said):
    log()
    ran = meldref("legal", "draw", *arguments)
    assert ran.code == 2
    assert ran.err.startswith("meldref: error: ")
    assert said in ran.err
    assert ran.out == ""


def test_a_move_that_cannot_be_read_is_unusable(meldref):
    ran = meldref("legal", "drew 4s", *HERE)
    assert ran.code == 2
    assert "did you mean `draw`?" in ran.out


def test_hands_and_melds_of_others_are_named(meldref):
    ran = meldref(
        "legal",
        '"Bo Lee": draw; lay 8h m1; lay Qc m2; discard 2s',
        *("--players", "Ann, Bo Lee", "--to-move", "Bo Lee", "--stock", "9c ?*20"),
        *("--hand", "8h 2s Qc", "--hand", "Ann: 3c ?*4", "--table", "Ann 5h 6h, Bo Lee 7h; m2: Ann Qd Qh Qs"),
    )
    assert ran.code == 0
    assert "  = points: Bo Lee +18" in ran.lines


def test_a_turn_under_way_is_asked_about(meldref):
    ran = meldref("legal", "discard 2h", "--hand", "4d 9h 2h", "--turn", "draw")
    assert ran.code == 0


def test_what_hangs_on_unknown_cards_is_open(meldref):
    ran = meldref("legal", "take 4c", "--hand", "?*5", "--pile", "4c 9d 2s", "--format", "json")
    data = ran.data
    assert (data["verdict"], data["legal"]) == ("open", None)
    assert ran.code == 0
    assert meldref("legal", "take 4c", "--hand", "?*5", "--pile", "4c 9d 2s", "--strict").code == 1


def test_calls_are_listed_behind_the_moves_with_their_players(meldref):
    here = ("--hand", "4d 9h", "--pile", "6s 8h Qs", "--table", "m1: B 5h 6h 7h", "--players", "A,B,C")
    assert meldref("legal", *here).lines == [
        "take 8h; lay 8h m1      +8",
        "draw ?",
        "take Qs",
        "A: rummy 8h; lay 8h m1  +8",
        "B: rummy 8h; lay 8h m1  +8",
    ]
    data = meldref("legal", *here, "--format", "json").data
    assert {"move": "B: rummy 8h; lay 8h m1", "points": 8} in data["moves"]
    assert data["to_move"] == "A"


def test_whole_turns_are_listed_best_first(meldref):
    ran = meldref("legal", *HERE, "--turns")
    assert {line for line in ran.lines if line.startswith("take 4c")} == {
        f"take 4c; meld 4c 4d 4s; discard {card}  +12" for card in ("2h", "9h", "7h", "Qs")
    }
    assert ran.lines[0].endswith("+12")
    assert {"take 7h; discard 4d", "draw ?; discard 9h", "draw ?; discard ?"} < set(ran.lines)
    assert ran.err == ""
    data = meldref("legal", *HERE, "--turns", "--format", "json").data
    points = [one["points"] for one in data["moves"]]
    assert (points, data["complete"]) == (sorted(points, reverse=True), True)


def test_a_list_that_is_cut_says_so(meldref):
    ran = meldref("legal", *HERE, "--turns", "--most", 3)
    assert len(ran.lines) == 3
    assert ran.err == "meldref: there are more; --most 6 lists twice as many\n"
    assert meldref("legal", *HERE, "--turns", "--most", 3, "--format", "json").data["complete"] is False
    assert meldref("legal", *HERE, "--most", 1).lines == ["take 4c; meld 4c 4d 4s  +12"]
    assert meldref("legal", *HERE, "--most", 3, "--format", "json").data["complete"] is True


def test_a_list_of_turns_is_not_asked_about_a_move(meldref):
    ran = meldref("legal", "draw", *HERE, "--turns")
    assert ran.code == 2
    assert "leave MOVE out" in ran.err


def test_after_a_last_discard_that_may_be_called_only_calls_are_left(meldref, log):
    text = (
        '[Rules "500-rum"]\n[Players "A, B, C"]\nhand 1 dealer C\n'
        "deal A 5h 6h 7h 8h Kc Kd Kh Qc Qd Qh 9h\ndeal B ?*10\ndeal C ?*10\nup 2c\n"
        'A: meld 5h 6h 7h 8h; meld Kc Kd Kh; meld Qc Qd Qh; discard 9h\nnote "and now?"\n'
    )
    ran = meldref("legal", "--log", log(text), "--at", 9)
    assert ran.lines == ["B: rummy 9h; lay 9h m1  +9", "C: rummy 9h; lay 9h m1  +9"]
    assert meldref("legal", "--log", "friday.rgn", "--at", 9, "--turns").lines == ["the hand is over"]


def test_every_option_that_cannot_be_used_is_told_in_one_run(meldref):
    wrong = {
        "--hand": "xx",
        "--pile": "yy",
        "--stock": "zz",
        "--table": "Q 5h 6h 7h",
        "--to-move": "Q",
        "--discarded-by": "X",
        "--floating": "Y",
        "--wild": "33",
    }
    given = [word for option in wrong.items() for word in option]
    for more in ((), ("--rules", "nope", "--set", "foo")):
        ran = meldref("legal", *given, *more)
        assert (ran.code, ran.out) == (2, "")
        told = {line.removeprefix("meldref: error: ").split()[0].rstrip(":") for line in ran.err.splitlines()}
        assert told == {*wrong, *more[::2]}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("--stock", "53", "--pile", "3h"), "--stock: there are 55 cards here, and the deck has 54"),
        (("--stock", "999999999999999"), "--stock: there are 1000000000000000 cards here, and the deck has 54"),
        (("--stock", "-5"), "--stock: the stock cannot have fewer than 0 cards"),
        (("--pile", "?*60"), "--stock: there are 61 cards here, and the deck has 54"),
    ],
)
def test_no_more_cards_than_the_deck_has_can_lie_anywhere(meldref, given, said):
    ran = meldref("legal", "--hand", "4c", *given)
    assert (ran.code, ran.err) == (2, f"meldref: error: {said}\n")
    assert meldref("legal", "--hand", "4c", "--stock", "52", "--pile", "3h").code == 0


@pytest.mark.parametrize("command", [("legal", "--hand", "4c 5c 6c"), ("melds", "4c 5c 6c"), ("best", "4c 5c 6c")])
def test_a_wild_rank_is_not_named_in_vain(meldref, command):
    ran = meldref(*command, "--wild", "Q")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("meldref: error: --wild Q: these rules have no rank named for the hand")
    assert meldref(*command, "--wild", "Q", "--with", "chosen-wild-rank").code == 0


def test_where_nothing_is_played_yet_the_lines_that_cannot_be_read_are_told(meldref, log):
    log('[Rules "500-rummy"]\n[Players "A, B"]\nhnd 1\n\n')
    ran = meldref("legal", "--log", "friday.rgn", "--at", "4")
    assert ran.code == 2
    assert ran.err.startswith("friday.rgn:3:1: error: ")
    assert "meldref: error: no hand is being played before line 4" in ran.err


@pytest.mark.parametrize("tried", ["discard 9h", "meld 4h 5c 6c", "lay 5c m1"])
def test_while_a_card_is_owed_the_ways_to_use_it_are_named_whatever_was_tried(meldref, tried):
    ran = meldref("legal", f"take 4h; {tried}", "--hand", "4c 4d 5c 6c 2h", "--pile", "9h 4h 3s", "--stock", "20")
    assert ran.code == 1
    assert "  = legal here: meld 4c 4d 4h" in ran.lines


def test_unseen_cards_without_quotes_are_told_with_the_way_to_write_them(meldref):
    ran = meldref("legal", "draw", "--position", "-", stdin="hands: {A: 5h, B: ?*3}\n")
    assert ran.code == 2
    assert ran.err.startswith("standard input:1:19: error: a text that starts with ? needs quotes")
    assert '  = help: write hands: {A: 5h, B: "?*3"}' in ran.err.splitlines()
    assert "did you mean `hands`?" in meldref("legal", "draw", "--position", "-", stdin="hand: {A: 5h}\n").err
    assert "did you mean" not in meldref("legal", "draw", "--position", "-", stdin="hand: 0\n").err


def test_nobody_floats_where_the_rules_have_no_floating(meldref):
    ran = meldref("legal", "draw", "--hand", "", "--floating", "A")
    assert (ran.code, ran.out) == (2, "")
    assert "--floating A: nobody floats by these rules (out.melding_all = ends_hand)" in ran.err
    assert "--with floating" in ran.err
    ran = meldref("legal", "draw", "--position", "-", stdin='hands: {A: ""}\nfloating: [A]\n')
    assert ran.code == 2
    assert "standard input: `floating`: nobody floats by these rules" in ran.err
    floating = ("legal", "draw", "--hand", "", "--floating", "A")
    assert meldref(*floating, "--with", "floating").code == 0
    assert meldref(*floating, "--with", "claimable-last-discard", "--set", "out.melding_all=floats").code == 0
