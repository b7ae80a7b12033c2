"""`meldref legal`: one move, or all of them, wherever the question is asked."""

from __future__ import annotations

import json
import shlex

import pytest

from cli_logs import LOG
from meldref.documents.reader import read_yaml
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
    said = "the card taken from inside the pile was neither melded nor laid off"
    assert ran.lines[0] == f"illegal: {said} [draw.deep.unused]"
    assert ran.lines[2:4] == ["1 | A: take 4c; discard 2h", "  |    ^^^^^^^"]
    assert "  = legal here: meld 4c 4d 4s" in ran.lines
    assert meldref("legal", "A: take 4c; discard 2h", *HERE, "--exit-zero").code == 0
    assert meldref("legal", "A: take 4c; discard 2h", *HERE, "--quiet").out == ran.lines[0] + "\n"


def test_words_of_a_move_need_no_quotes(meldref):
    assert meldref("legal", "take", "7h", *HERE).lines[0] == "legal: A: take 7h"


def test_the_beginning_of_a_turn_is_legal_where_the_turn_can_be_finished(meldref):
    assert "  = then: the turn continues" in meldref("legal", "take 4c", *HERE).lines
    stuck = meldref("legal", "take 6s", *HERE)
    assert stuck.code == 1
    assert "[out.stuck]" in stuck.out


def test_the_end_of_a_hand_that_a_call_may_undo_is_said_to_be_one(meldref):
    """W-RUM-14."""
    table = ("--table", "m1: B 5h 6h 7h", "--table", "m2: B 5c 6c 7c")
    given = ("--players", "A,B,C", "--hand", "8h", "--pile", "6s 7s", *table, "--stock", "8c ?*8")
    move = "draw 8c; lay 8c m2; discard 8h"
    called = meldref("legal", move, "--rules", "500-rum", *given)
    assert called.lines[-1] == "  = then: the hand is over, unless somebody calls"
    final = meldref("legal", move, "--rules", "500-rummy", *given)
    assert final.lines[-1] == "  = then: the hand is over"
    asked = meldref("legal", move, "--rules", "500-rum", *given, "--format", "json")
    assert asked.data["then"] == "over"


@pytest.mark.parametrize(
    ("discard", "table", "follows"),
    [
        ("8h", "m1: C 5h 6h 7h", "the hand is over, unless somebody calls"),
        ("8h", "m1: A 5h 6h 7h", "the hand is over"),  # nobody else builds on it
        ("2d", "m1: C 5h 6h 7h", "the hand is over"),  # it fits nothing
    ],
)
def test_a_hand_is_over_unless_somebody_calls_only_where_somebody_may(
    meldref, discard, table, follows
):
    rules = ("--set", "layoff.onto=own", "--set", "out.last_discard=claimable")
    given = ("--players", "A,B,C", "--hand", "9c 9d 9s", "--stock", f"{discard} ?*9")
    move = f"A: draw {discard}; meld 9c 9d 9s; discard {discard}"
    ran = meldref("legal", move, *rules, *given, "--table", table)
    assert ran.lines[-1] == f"  = then: {follows}"


def test_a_list_of_turns_says_that_others_follow_a_reshuffle(meldref):
    given = ("--hand", "2c 3d", "--stock", "0", "--pile", "4d 9c", "--turns")
    told = "meldref: turns that begin after a `reshuffle` are not listed"
    may = meldref("legal", *given, "--rules", "basic-rummy")
    assert (may.lines[0], told in may.err) == ("take 9c; discard 3d", True)
    assert told not in meldref("legal", *given).err
    assert told not in meldref("legal", *given, "--rules", "basic-rummy", "--quiet").err


def test_the_answer_in_json_has_the_documented_keys(meldref):
    data = meldref("legal", "take 4c; discard 2h", *HERE, "--format", "json").data
    assert list(data) == ["verdict", "legal", "moves", "findings", "points", "then"]
    assert (data["verdict"], data["legal"], data["then"]) == ("illegal", False, None)
    assert data["moves"] == ["A: take 4c; discard 2h"]
    assert data["findings"][0]["code"] == "draw.deep.unused"
    good = meldref("legal", "take 4c", *HERE, "--format", "json").data
    assert (good["verdict"], good["legal"], good["then"]) == ("legal", True, "open")


def test_a_move_that_cannot_be_read_has_a_verdict_and_a_status_of_its_own(meldref):
    ran = meldref("legal", "draw; juggle 4d", *HERE, "--format", "json")
    assert ran.code == 2
    assert (ran.data["verdict"], ran.data["legal"], ran.data["then"]) == ("unreadable", False, None)
    assert [finding["code"] for finding in ran.data["findings"]] == ["log.syntax"]


def test_who_asks_about_another_turn_reads_no_card_that_was_drawn_in_it(meldref, log):
    log(
        '[Rules "500-rummy"]\n[Set "deal.cards=4"]\n[Players "Ann, Bob"]\nhand 1 dealer Ann\n'
        "deal Ann Tc Qc 2d 3h\ndeal Bob Ac 6c 8c 7d\nup Ad\n1. Bob: draw 6h # Bob got 6h\n",
        "game.rgn",
    )
    asked = ("--log", "game.rgn", "--at", "9")
    ran = meldref("legal", "Ann: draw; discard Tc", *asked)
    assert (ran.code, ran.lines[2], ran.lines[3]) == (
        *(1, "8 | 1. Bob: draw ? # ?"),
        "  |         ^^^^^^",
    )
    finding = meldref("legal", "Ann: draw", *asked, "--format", "json").data["findings"][0]
    assert (finding["column"], finding["end_column"], finding["help"]) == (9, 15, [])
    own = meldref("legal", "Bob: draw", *asked)
    assert "1. Bob: draw 6h" not in own.out
    assert "legal here: discard 6h" in meldref("legal", "discard 9h", *asked).out


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
    assert list(moves_text("A", [], over=False, points=True)) == ["A has no legal move"]
    assert list(moves_text("A", [], over=True, points=True)) == ["the hand is over"]


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
    ran = meldref(
        "legal", "draw", "--position", log(POSITION.replace("5h 6h 7h", "5h 6h 9h"), "here.yaml")
    )
    assert ran.code == 2
    assert ran.err.splitlines()[0].startswith("here.yaml:6:7: ")
    assert '6 |   m1: {A: "5h 6h 9h"}' in ran.err
    assert ran.out == ""


@pytest.mark.parametrize(
    ("text", "said"), [("hands: [", "here.yaml:"), ("with: floating\n", "`with` is a list")]
)
def test_a_position_that_cannot_be_read_is_unusable(meldref, log, text, said):
    ran = meldref("legal", "draw", "--position", log(text, "here.yaml"))
    assert ran.code == 2
    assert said in ran.err


@pytest.mark.parametrize(
    ("hand", "meld"),
    [
        ('"Oma Lotte": 8h 9c 2h', 'm1: "Oma" 5h 6h 7h'),
        ("Oma Lotte: 8h, 9c, 2h", "m1: Oma 5h,6h,7h"),
        ("oma lotte 8h 9c and 2h", "m1 oma 5h 6h 7h"),
    ],
)
def test_players_are_named_without_quotes_and_in_any_capitals(meldref, hand, meld):
    here = ("--players", "Oma, Oma Lotte", "--to-move", "Oma Lotte", "--hand", hand)
    ran = meldref("legal", "Oma Lotte: draw 5s; lay 8h m1; discard 2h", *here, "--table", meld)
    assert ran.lines[1:] == ["  = points: Oma Lotte +8", "  = then: Oma plays"]


def test_a_card_is_no_player_whose_name_has_other_capitals(meldref):
    ran = meldref("legal", "discard Jd", "--players", "JD, KC", "--hand", "Jd 9c", "--turn", "draw")
    assert ran.lines[0] == "legal: JD: discard Jd"


@pytest.mark.parametrize(
    ("move", "meant"),
    [("takke 4c; discard 2h", "take"), ("draw; discrad 2h", "discard")],
)
def test_a_misspelled_move_is_unreadable_and_told_what_it_may_be(meldref, move, meant):
    here = ("--hand", "4d 9h 2h", "--pile", "6s 4c Qs 4s 7h")
    ran = meldref("legal", move, *here)
    assert ran.code == 2
    assert f"did you mean `{meant}`?" in ran.lines[0]
    answer = json.loads(meldref("legal", move, *here, "--format", "json").out)
    assert answer["verdict"] == "unreadable"


def test_a_move_that_is_not_finished_is_legal_if_it_can_be(meldref):
    ran = meldref("legal", "draw 5s", "--hand", "4d 9h 2h", "--pile", "6s 7h")
    assert ran.code == 0
    assert ran.lines == ["legal: A: draw 5s", "  = then: the turn continues"]


def test_a_log_is_asked_about_before_a_line(meldref, log):
    ran = meldref("legal", "draw; discard Ks", "--log", log(), "--at", 9)
    assert ran.lines[0] == "legal: Ann: draw; discard Ks"
    assert meldref("legal", "discard Ks", "--log", "friday.rgn", "--at", 9).code == 1


def test_a_turn_that_goes_on_tells_nothing_of_who_played_before_it(meldref, log):
    log()
    ran = meldref("legal", "draw", "--log", "friday.rgn", "--at", 10)
    assert [line for line in ran.lines if line.startswith("  =")] == [
        "  = then: the turn continues"
    ]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--log", "friday.rgn", "--at", "99"), "--at 99: friday.rgn has 11 lines"),
        (("--log", "friday.rgn", "--at", "3"), "no hand is being played before line 3"),
        (("--log", "friday.rgn"), "--log needs --at"),
        (("--at", "3"), "--at needs --log"),
        (("--log", "nowhere.rgn", "--at", "3"), "nowhere.rgn: no such file"),
        (("--position", "nowhere.yaml"), "nowhere.yaml: no such file"),
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
        (
            ("--hand", "5h", "--table", "m1: B 6h 7h 8h", "--table", "m1: B 2c 2d 2h"),
            "--table: m1 is given twice",
        ),
        (("--hand", "5h", "--table", "m2: B 6h 7h 8h"), "--table: "),
        (("--hand", "5h", "--table", "B 6h 7h 9h"), "--table: m1 is not a meld"),
        (
            ("--hand", "5h", "--to-move", "Q"),
            "--to-move: Q is not one of the players (A and B, unless --players",
        ),
        (("--hand", "Q: 5h"), "--hand: Q is not one of the players"),
        (("--hand", "5h", "--discarded-by", "Q"), "--discarded-by: Q"),
        (("--hand", "5h", "--floating", "Q"), "--floating: Q"),
        (("--hand", "5h", "--players", "A"), "--players: "),
        (("--hand", "5h", "--stock", "-3"), "--stock: "),
        (("--hand", "5h", "--wild", "X"), "--wild: "),
        (
            ("--hand", "5h", "--hand", "A: 6h"),
            "--hand: A already has a hand; another player's is written",
        ),
        (("--hand", "5h", "--set", "=3"), "--set =3: a setting is written KEY=VALUE"),
        (("--hand", "5h", "--turn", "jump"), "--turn: "),
        (
            ("--hand", "5h", "--pile", "4c 7h", "--turn", "take 4c x3"),
            "--turn: taking 4c takes 2 cards, not 3",
        ),
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
    ran = meldref("legal", "drwa 4s", *HERE)
    assert ran.code == 2
    assert "did you mean `draw`?" in ran.out


def test_hands_and_melds_of_others_are_named(meldref):
    ran = meldref(
        "legal",
        '"Bo Lee": draw; lay 8h m1; lay Qc m2; discard 2s',
        *("--players", "Ann, Bo Lee", "--to-move", "Bo Lee", "--stock", "9c ?*20"),
        *(
            "--hand",
            "8h 2s Qc",
            "--hand",
            "Ann: 3c ?*4",
            "--table",
            "Ann 5h 6h, Bo Lee 7h; m2: Ann Qd Qh Qs",
        ),
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
    here = (
        "--hand",
        "4d 9h",
        "--pile",
        "6s 8h Qs",
        "--table",
        "m1: B 5h 6h 7h",
        "--players",
        "A,B,C",
    )
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
    assert (
        meldref("legal", *HERE, "--turns", "--most", 3, "--format", "json").data["complete"]
        is False
    )
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
    assert meldref("legal", "--log", "friday.rgn", "--at", 9, "--turns").lines == [
        "the hand is over"
    ]


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
        told = {
            line.removeprefix("meldref: error: ").split()[0].rstrip(":")
            for line in ran.err.splitlines()
        }
        assert told == {*wrong, *more[::2]}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (
            ("--stock", "53", "--pile", "3h"),
            "--stock: there are 55 cards here, and the deck has 54",
        ),
        (
            ("--stock", "999999999999999"),
            "--stock: there are 1000000000000000 cards here, and the deck has 54",
        ),
        (("--stock", "-5"), "--stock: the stock cannot have fewer than 0 cards"),
        (("--pile", "?*60"), "--stock: there are 61 cards here, and the deck has 54"),
    ],
)
def test_no_more_cards_than_the_deck_has_can_lie_anywhere(meldref, given, said):
    ran = meldref("legal", "--hand", "4c", *given)
    assert (ran.code, ran.err) == (2, f"meldref: error: {said}\n")
    assert meldref("legal", "--hand", "4c", "--stock", "52", "--pile", "3h").code == 0


@pytest.mark.parametrize(
    "command", [("legal", "--hand", "4c 5c 6c"), ("melds", "4c 5c 6c"), ("best", "4c 5c 6c")]
)
def test_a_wild_rank_is_not_named_in_vain(meldref, command):
    ran = meldref(*command, "--wild", "Q")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(
        "meldref: error: --wild Q: these rules have no rank named for the hand"
    )
    assert meldref(*command, "--wild", "Q", "--with", "chosen-wild-rank").code == 0


def test_where_nothing_is_played_yet_the_lines_that_cannot_be_read_are_told(meldref, log):
    log('[Rules "500-rummy"]\n[Players "A, B"]\nhnd 1\n\n')
    ran = meldref("legal", "--log", "friday.rgn", "--at", "4")
    assert ran.code == 2
    assert ran.err.startswith("friday.rgn:3:1: error: ")
    assert "meldref: error: no hand is being played before line 4" in ran.err


@pytest.mark.parametrize("tried", ["discard 9h", "meld 4h 5c 6c", "lay 5c m1"])
def test_while_a_card_is_owed_the_ways_to_use_it_are_named_whatever_was_tried(meldref, tried):
    ran = meldref(
        "legal",
        f"take 4h; {tried}",
        "--hand",
        "4c 4d 5c 6c 2h",
        "--pile",
        "9h 4h 3s",
        "--stock",
        "20",
    )
    assert ran.code == 1
    assert "  = legal here: meld 4c 4d 4h" in ran.lines


def test_unseen_cards_without_quotes_are_told_with_the_way_to_write_them(meldref):
    ran = meldref("legal", "draw", "--position", "-", stdin="hands: {A: 5h, B: ?*3}\n")
    assert ran.code == 2
    assert ran.err.startswith("standard input:1:19: error: a text that starts with ? needs quotes")
    assert '  = help: write hands: {A: 5h, B: "?*3"}' in ran.err.splitlines()
    assert (
        "did you mean `hands`?"
        in meldref("legal", "draw", "--position", "-", stdin="hand: {A: 5h}\n").err
    )
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
    assert (
        meldref(
            *floating, "--with", "claimable-last-discard", "--set", "out.melding_all=floats"
        ).code
        == 0
    )


@pytest.mark.parametrize(
    ("totals", "verdict"),
    [((), "undecided"), (("--totals", "A 90"), "legal"), (("--totals", "A=40, B: 3"), "illegal")],
)
def test_what_depends_on_totals_is_undecided_until_they_are_said(meldref, totals, verdict):
    rule = "house_rules={poor-draw: {forbid: take, when: player.total < 50, says: The poor draw.}}"
    ran = meldref("legal", "take 7h; discard 2h", *HERE, "--set", rule, *totals)
    assert ran.lines[0].startswith(f"{verdict}: ")
    assert ("--totals" in ran.out) is (verdict == "undecided")


@pytest.mark.parametrize("totals", ["A", "A 9 0", "A 9,", "C 5", "A 5, A 6", ""])
def test_totals_that_cannot_be_read_are_told(meldref, totals):
    ran = meldref("legal", "take 7h; discard 2h", *HERE, "--totals", totals)
    assert ran.code == 2
    assert "--totals: " in ran.err


ACES = "house_rules={aces: {award: 50, for: meld, when: meld.size >= 4 and meld.rank is A, says: Four aces.}}"


@pytest.mark.parametrize("rule", [ACES, "scoring.four_aces=110"])
def test_points_of_moves_and_turns_count_what_is_awarded(meldref, rule):
    here = ("--hand", "Ac Ad Ah As 2c 3c", "--turn", "draw 9d", "--set", rule)
    moves = meldref("legal", *here, "--format", "json").data["moves"]
    assert (moves[0]["move"], moves[0]["points"]) == ("meld Ac Ad Ah As", 110)
    turns = meldref("legal", *here, "--turns", "--most", "1", "--format", "json").data["moves"]
    assert (turns[0]["move"].partition(";")[0], turns[0]["points"]) == ("meld Ac Ad Ah As", 110)
    whole = meldref("legal", "meld Ac Ad Ah As; discard 2c", *here, "--format", "json").data
    assert whole["points"]["A"] == 110


@pytest.mark.parametrize("rule", [ACES, "scoring.four_aces=110"])
def test_the_best_way_to_lay_a_hand_down_counts_what_is_awarded(meldref, rule):
    """Three of the aces and a sequence with the fourth lay two cards more, and bring less."""
    data = meldref(
        "best", "Ac Ad Ah As 2c 3c", "--set", rule, "--for", "points", "--format", "json"
    ).data
    assert ([play["play"] for play in data["plays"]], data["gain"]) == (["meld Ac Ad Ah As"], 110)
    plain = meldref("best", "Ac Ad Ah As 2c 3c 3d 3h", "--for", "points", "--format", "json").data
    assert plain["gain"] == 60 + 9


def test_a_discard_that_brings_an_award_comes_with_it_in_a_turn(meldref):
    nines = "house_rules={nines: {award: 5, for: discard, when: card.rank is 9, says: A nine brings five.}}"
    here = ("--hand", "9c 2c Kd", "--turn", "draw 9d", "--set", nines)
    turns = meldref("legal", *here, "--turns", "--format", "json").data["moves"]
    assert {(turn["move"], turn["points"]) for turn in turns[:2]} == {
        ("discard 9c", 5),
        ("discard 9d", 5),
    }
    assert {turn["points"] for turn in turns[2:]} == {0}


def test_a_turn_that_a_house_rule_keeps_open_is_explained_by_it_at_the_action_since_which_it_does(
    meldref,
):
    says = "Whoever opens lays thirty points."
    when = "player.has_melded and not player.had_melded and turn.points < 30"
    rule = f"house_rules={{open-30: {{forbid: end, when: {when}, says: {says}}}}}"
    ran = meldref(
        "legal", "draw 4s; meld 6c 7c 8c", "--hand", "6c 7c 8c Kd Ks 2h 3d", "--set", rule
    )
    assert (ran.code, ran.lines[0]) == (1, f"illegal: {says} [house.open-30]")
    assert ran.lines[3].index("^") == ran.lines[2].index("meld 6c")
    assert any("legal here: draw 4s; discard" in line for line in ran.lines)


def test_whole_turns_are_listed_where_a_ban_asks_what_could_be_melded(meldref, tmp_path):
    rules = tmp_path / "own.yaml"
    ban = "{forbid: end, when: player.can_meld, says: Whoever can meld must.}"
    rules.write_text(f"id: own\nextends: [500-rummy]\nhouse_rules: {{must: {ban}}}\n", "utf-8")
    ran = meldref("legal", "--turns", "--hand", "8h 8d 8s 2c", "--rules", rules)
    assert ran.code == 0
    turns = [line.split("  ")[0] for line in ran.lines]
    assert "draw ?; meld 8d 8h 8s; discard 2c" in turns
    assert "draw ?; discard 2c" not in turns


OPEN = [
    (("draw; meld 4d 4h 4s; discard 9h",), ("--hand", "4d ?*6", "--pile", "6s")),
    (("take 4c",), ("--hand", "?*5", "--pile", "4c 9d 2s")),
    (("lay 4c m1",), ("--hand", "4d ?*5", "--table", "B 5c 6c 7c", "--turn", "draw")),
    (
        ("B: lay 4c m1",),
        ("--hand", "B: ?*5", "--table", "A 5c 6c 7c", "--to-move", "B", "--turn", "draw"),
    ),
]


@pytest.mark.parametrize(("move", "here"), OPEN)
def test_of_an_open_move_a_position_is_written_in_which_it_is_legal_and_one_in_which_it_is_not(
    meldref, move, here
):
    data = meldref("legal", *move, *here, "--format", "json").data
    assert (data["verdict"], list(data["witness"])) == ("open", ["legal", "illegal"])
    for verdict, witness in data["witness"].items():
        text = json.dumps(witness)
        assert "?*" not in text
        again = meldref("legal", *move, "--position", "-", "--format", "json", stdin=text)
        assert again.data["verdict"] == verdict


UNDER_WAY = [
    ("meld 4c 4d 4h; discard 9d", {"hand": "4d 9d ?", "pile": "6s 4c Qs", "turn": "take 4c"}),
    ("discard Ks", {"hand": "?*3", "pile": "3d", "turn": "draw"}),
    ("discard Ks", {"hand": "?*3", "pile": "3d", "turn": "draw 5h"}),
    ("discard 9d", {"hand": "4d ?*2", "pile": "? 4c Qs", "turn": "take 4c; meld 4c 4d 4h"}),
    # as it is after what was done
    ("meld 4c 4d 4h; discard 9d", {"hand": "4c 4d 9d ?", "pile": "6s", "turn": "take 4c x2"}),
]
"""Moves in the middle of a turn, which depend on what is unknown where it began."""


@pytest.mark.parametrize(("move", "here"), UNDER_WAY)
def test_within_a_turn_cards_are_shown_as_they_were_asked_about(meldref, move, here):
    def options(keys):
        return [word for key, text in keys.items() for word in (f"--{key}", text)]

    lines = meldref("legal", move, *options(here)).lines
    shown = [line.partition(" with --")[2] for line in lines if " with --" in line]
    assert len(shown) == 2
    for code, said in enumerate(shown):
        words = shlex.split(f"--{said}")
        pairs = zip(words[::2], words[1::2], strict=True)
        changed = {option.removeprefix("--"): text for option, text in pairs}
        again = meldref("legal", move, *options({**here, **changed}), "--strict")
        assert (again.code, again.err) == (code, ""), said
    data = meldref("legal", move, *options(here), "--format", "json").data
    assert None not in data["witness"].values()


@pytest.mark.parametrize(("move", "here"), UNDER_WAY)
def test_of_a_file_cards_are_shown_as_its_keys(meldref, move, here):
    keys = {"hands": {"A": here["hand"]}, "pile": here["pile"], "turn": here["turn"]}
    lines = meldref("legal", move, "--position", "-", stdin=json.dumps(keys)).lines
    shown = [line.partition(" with ")[2] for line in lines if " with " in line]
    assert len(shown) == 2
    for code, said in enumerate(shown):
        document, _ = read_yaml(f"{{{said}}}", "", "log.syntax")
        again = {**keys, **document.value}
        ran = meldref("legal", move, "--position", "-", "--strict", stdin=json.dumps(again))
        assert (ran.code, ran.err) == (code, ""), said


def test_of_a_log_cards_are_shown_in_words(meldref, log):
    log(
        '[Rules "500-rummy"]\n[Set "deal.cards=3"]\n[Players "Ann, Bob"]\n'
        "hand 1 dealer Bob\ndeal Ann ?*3\nup 6c\n"
    )
    ran = meldref("legal", "draw; discard Ks", "--log", "friday.rgn", "--at", "7")
    shown = [line for line in ran.lines if " with " in line]
    assert [line.split(" with ")[0] for line in shown] == ["  = legal", "  = illegal"]
    assert all("with Ann holding " in line and "on top of the stock" in line for line in shown)


def test_a_wild_card_of_a_rank_that_nobody_named_may_lie_on_the_table(meldref):
    of_three = ("--rules", "5000-rummy", "--players", "A,B,C")
    here = ("--hand", "Kc Kd 6h 2d 3d", *of_three)
    ran = meldref("legal", "draw; meld Kc Kd 6h=K", *here, "--continue")
    assert (ran.code, ran.err) == (0, "")
    again = meldref("legal", "discard 2d", "--position", "-", stdin=ran.out)
    assert again.out.startswith("legal: ")
    two_ranks = ("--table", "m1: B Kc Kd 6h=K; m2: A 9c 9d 7h=9")
    assert meldref("legal", "draw", "--hand", "Ks", *of_three, *two_ranks).code == 2


def test_what_no_position_file_can_say_is_named(meldref):
    move, rules = "C: buy Ks", ("--set", "buys.of=last_discard", "--players", "A,B,C")
    here = ("--hand", "C: Kd Kh 9s", "--pile", "4c Ks", "--to-move", "B")
    ran = meldref("legal", move, *here, *rules, "--continue")
    assert (ran.code, ran.out) == (2, "")
    assert "whether a card was bought before this turn" in ran.err
    assert "to be used" not in ran.err
    ran = meldref("legal", move, *here, *rules, "--set", "buys.must=be_used", "--continue")
    assert "which cards bought are still to be used" in ran.err


@pytest.mark.parametrize(("move", "here"), OPEN)
def test_the_options_that_are_shown_of_an_open_move_make_it_legal_and_illegal(meldref, move, here):
    lines = meldref("legal", *move, *here).lines
    shown = [line.split(" with ") for line in lines if " with --" in line]
    assert [said for said, _ in shown] == ["  = legal", "  = illegal"]
    for code, (_, options) in enumerate(shown):
        assert meldref("legal", *move, *shlex.split(options), *here[2:]).code == code
    assert not any(" with --" in line for line in meldref("legal", *move, *here, "--quiet").lines)


def test_chances_count_the_deals(meldref):
    move, here = ("B: lay 8h m1",), ("--hand", "B: ?*7", "--to-move", "B", "--turn", "draw")
    here = (*here, "--table", "A 5h 6h 7h", "--pile", "2c")
    ran = meldref("legal", *move, *here, "--chances", "--format", "json")
    chances = ran.data["chances"]
    assert chances["exact"]
    assert chances["share"] == pytest.approx(8 / 50)  # B has drawn one more card, of fifty
    assert (chances["interval"], chances["seed"]) == ([chances["share"]] * 2, None)
    for wrong in (("--chances",), ("draw", "--chances", "--continue")):
        assert meldref("legal", *wrong, *here).code == 2


@pytest.mark.sweep
def test_chances_draw_some_deals_by_lot_where_they_are_too_many_to_count(meldref):
    few = ("take 4c", "--hand", "?*5", "--pile", "4c 9d 2s", "--chances")
    ran = meldref("legal", *few, "--seed", 7)
    assert "of 1,000 deals drawn by lot" in ran.lines[-1]
    assert "95 % confidence; --seed 7)" in ran.lines[-1]
    assert meldref("legal", *few, "--seed", 7).out == ran.out
    assert meldref("legal", *few, "--seed", 8).out != ran.out


def test_what_is_so_in_every_deal_is_not_open(meldref):
    pile = " ".join(rank + suit for suit in "cd" for rank in "A23456789TJQK")
    rest = " ".join(rank + suit for suit in "hs" for rank in "23456789TJQK") + " Jk Jk"
    here = ("--hand", "?*2", "--hand", f"B: {rest}", "--pile", pile, "--stock", "0")
    turn = ("--turn", "take Kd", "--chances")
    assert meldref("legal", "discard As", *here, *turn).lines[0] == "legal: A: discard As"
    assert meldref("legal", "discard 2s", *here, *turn).code == 1


def test_after_a_gap_nobody_can_count_the_deals(meldref, log):
    text = LOG + "gap\n4. Bob: draw ?; discard 4s\n"
    ran = meldref("legal", "meld 5c 5d 5h", "--log", log(text), "--at", 13, "--chances")
    assert "the deals that fit cannot be counted" in ran.out
    ran = meldref(
        "legal", "meld 5c 5d 5h", "--log", "friday.rgn", "--at", 13, "--chances", "--format", "json"
    )
    assert ran.data["chances"] is None


def test_rows_of_cards_may_have_commas(meldref):
    asked = ("legal", "lay 8h m1; discard 2c", "--turn", "draw 2c")
    spaces = meldref(*asked, "--hand", "8h 2c", "--table", "m1: B 5h 6h 7h", "--pile", "4c 5d")
    commas = meldref(*asked, "--hand", "8h, 2c", "--table", "m1: B 5h, 6h,7h", "--pile", "4c,5d")
    assert spaces.code == 0
    assert commas.out == spaces.out


def test_points_are_told_only_where_melds_count(meldref):
    position = ["--hand", "5c 5d 5h 2c 9d Kc", "--rules", "basic-rummy"]
    judged = meldref("legal", "draw; meld 5c 5d 5h; discard 2c", *position)
    assert judged.lines[1:] == ["  = then: B plays"]
    listed = meldref("legal", "--turns", "--most", "2", *position)
    assert all(line.startswith("draw ?; meld 5c 5d 5h; discard ") for line in listed.lines)
    assert not any("+" in line for line in listed.lines)
    data = meldref("legal", "draw; meld 5c 5d 5h; discard 2c", "--format", "json", *position).data
    assert data["points"] == {"A": 15}
