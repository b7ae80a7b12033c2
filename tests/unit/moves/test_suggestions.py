"""An illegal move is told with the legal ones nearest to it."""

from __future__ import annotations

import pytest

from audits import audit, built
from errors.regenerate import ENTRIES
from errors.regenerate import audit as audit_entry
from meldref.answers.legal import judge_move

OF_PLAY = (
    "turn",
    "draw",
    "hand",
    "meld",
    "wild",
    "layoff",
    "swap",
    "discard",
    "out",
    "float",
    "call",
    "stock",
)
NOTHING_ELSE = {"draw.stock"}
"""Codes whose log leaves nothing to do: a floater may not draw, and what is taken may not be thrown back."""
HANDS = {"A": "5h 6h 7h 9h 4c 4d 4s Ks 2c", "B": "?*5"}
TABLE = {"m1": {"B": "8h 8d 8c"}, "m2": {"A": "Th Jh Qh"}}


def help_of(
    move: str, rules: str = "500-rummy", options: tuple[str, ...] = (), **given
) -> tuple[str, ...]:
    judged = judge_move(built(rules, options, **given), move)
    assert judged.findings, "it is legal"
    return judged.findings[0].help


@pytest.mark.parametrize(
    ("move", "named"),
    [
        ("draw; meld 5h 6h 9h; discard Ks", ["meld 5h 6h 7h"]),
        ("draw; meld 4c 4d 4h; discard 2c", ["meld 4c 4d 4s"]),
        ("draw; meld 4c 4d 4s m3; discard 2c", ["meld 4c 4d 4s"]),
        ("meld 5h 6h 7h; discard Ks", ["draw ?; meld 5h 6h 7h", "draw ?", "take 9c"]),
        ("discard Ks", ["draw ?; discard Ks", "take 9c; discard Ks", "draw ?"]),
        ("draw; meld 2c Ks 9h; discard 4c", ["discard 4c"]),
        ("draw; draw; discard Ks", ["discard Ks"]),
        ("take 9c; discard 9c", ["discard 9h", "discard 4c", "discard 2c"]),
        ("draw; discard Kd", ["discard Ks", "discard 4d", "discard 2c"]),
        ("take Qd; discard Ks", ["draw ?", "take 9c"]),
        ("take Qd", ["take 9c", "draw ?"]),
        ("draw Kd", ["draw 8s", "take 9c"]),
        ("pass", ["draw ?", "take 9c"]),
        ("draw; lay 5h m1; discard Ks", ["meld 5h 6h 7h"]),
        ("B: draw", ["A: draw ?", "A: take 9c"]),
        ("rummy 9c", ["take 9c", "draw ?"]),
        ("challenge", ["A: draw ?", "A: take 9c"]),
    ],
)
def test_what_is_nearest_is_named_first(move, named):
    assert list(help_of(move, hands=HANDS, pile="Qd Td 9c", stock="8s ?*9")) == named


@pytest.mark.parametrize(
    ("move", "named"),
    [
        ("draw; lay 9h m1; discard 2c", ["lay 9h m2", "lay 8s m1"]),
        ("draw; lay 9h m7; discard 2c", ["lay 9h m2"]),
        ("draw; meld 9h Th Jh; discard 2c", ["lay 9h m2"]),
        ("take Kh; discard 2c", ["lay Kh m2"]),
        ("take Kh; meld 5h 6h 7h; lay Kh m2; discard 2c", ["lay Kh m2"]),
        ("B: rummy Td; lay Td m1", ["rummy Kh; lay Kh m2"]),
    ],
)
def test_lay_offs_are_named_where_they_are_near(move, named):
    given = {
        "hands": HANDS,
        "table": TABLE,
        "pile": "Kh Td",
        "stock": "8s ?*9",
        "players": ["A", "B", "C"],
    }
    found = help_of(move, discarded_by="C", **given)
    assert list(found)[: len(named)] == named


def test_what_differs_only_in_the_order_of_cards_is_named_once():
    given = {"hands": {"A": "4d 4h 9h Ks"}, "pile": "4c Qs", "table": {"m1": {"B": "6h 7h 8h"}}}
    found = help_of("take 4c; lay 9h m1; meld 4d 4c 4h; discard Ks", **given)
    assert found == ("meld 4d 4c 4h",)


def test_who_buys_in_a_turn_of_their_own_is_told_to_take_the_card():
    given = {"rules": "contract-rummy", "players": ["A", "B", "C"], "to_move": "B", "hand": 1}
    found = help_of("B: buy Ks", pile="3d Ks", discarded_by="A", **given)
    assert found == ("take Ks", "draw ?", "C: buy Ks")


def test_natural_melds_are_named_before_those_with_wild_cards():
    found = help_of("take 6c; discard Kd", hands={"A": "6d 6s Jk Kd"}, pile="6c Qs", stock="?*9")
    assert found == ("meld 6c 6d 6s", "meld 6c 6d Jk=6", "meld 6c 6s Jk=6")


@pytest.mark.parametrize(
    ("move", "named"),
    [
        ("draw; lay 9h m1; discard 2d", "lay 8h 9h m1"),
        ("draw; lay Jh 8h m1; discard 2d", "lay 8h 9h Jk=Th Jh m1"),
        ("draw; lay 3h m1; discard 2d", "lay 4h 3h m1"),
        ("draw; lay Jh m1; discard 2d", "lay 8h 9h Jk=Th Jh m1"),
        ("draw; lay Jk=4h 9h m1; discard 2d", "lay Jk=4h 8h 9h m1"),
    ],
)
def test_a_lay_off_that_was_forgotten_before_another_is_named_with_it(move, named):
    hands = {"A": "3h 4h 8h 9h Jh 2d Jk Kc"}
    assert help_of(move, hands=hands, table={"m1": {"B": "5h 6h 7h"}}, pile="9s")[0] == named


def test_a_card_laid_off_where_a_wild_card_stands_for_it_is_meant_to_be_exchanged():
    given = {"hands": {"A": "8c 2c 5d 8d Jh"}, "pile": "6s", "table": {"m1": {"B": "6c 7c Jk=8c"}}}
    assert help_of("draw; lay 8c m1; discard 2c", "online-rummy-500", **given)[0] == "swap 8c m1"
    assert help_of("draw; lay 8c m1; discard 2c", **given) == ("discard 2c",)


def test_a_wild_card_of_the_hand_is_named_where_it_makes_a_meld_of_what_was_tried():
    given = {"hands": {"A": "5h 6h 7h 9c Jk"}, "pile": "9s"}
    named = help_of("draw; meld 5h 6h 7h; discard 9c", options=("sequences-of-four",), **given)
    assert set(named) == {"meld Jk=4h 5h 6h 7h", "meld 5h 6h 7h Jk=8h"}


def test_a_first_meld_that_is_worth_enough_is_named():
    rules = built(
        "500-rummy",
        settings={"melds.first_points": 30},
        hands={"A": "3c 4c 5c Th Tc Td 2d"},
        pile="Ks",
    )
    assert judge_move(rules, "draw; meld 3c 4c 5c; discard 2d").findings[0].help == (
        "meld Tc Td Th",
    )


def test_the_meld_that_has_to_come_before_a_lay_off_is_named_with_it():
    rules = built(
        "500-rummy",
        settings={"layoff.before_melding": "forbidden"},
        hands={"A": "8h Th Tc Td 2d"},
        table={"m1": {"B": "5h 6h 7h"}},
        pile="Ks",
    )
    assert judge_move(rules, "draw; lay 8h m1; discard 2d").findings[0].help == (
        "meld Tc Td Th; lay 8h m1",
    )


@pytest.mark.parametrize(
    ("move", "rules", "options", "given", "named"),
    [
        (
            "take 4s; meld 4s 5s 6s; discard 2h",
            "500-rummy",
            (),
            {"hands": {"A": "4d 9h 2h 5s"}, "pile": "6s 4c Qs 4s 7h"},
            ["take 4c; meld 4c 4d 4s", "take 6s; meld 4s 5s 6s", "draw ?"],
        ),
        (
            "take 6s; meld 5h 6h 7h; discard 6s",
            "500-rummy",
            ("discard-to-go-out",),
            {"hands": {"A": "5h 6h 7h"}, "pile": "6s"},
            ["take 6s; discard 5h", "take 6s; discard 6h", "take 6s; discard 7h"],
        ),
        (
            "take 9h; discard 9h",
            "online-rummy-500",
            (),
            {"hands": {"A": "8c 2c 5d"}, "pile": "9h 6s Td"},
            ["take Td", "draw ?"],
        ),
    ],
)
def test_where_nothing_is_left_to_do_other_draws_and_fewer_plays_are_named(
    move, rules, options, given, named
):
    assert list(help_of(move, rules, options, **given)) == named


def test_after_an_exchange_too_the_taken_card_is_used_from_where_the_turn_stood():
    table = {"m1": {"B": "6c 7c Jk=8c"}, "m2": {"B": "2d 3d 4d"}}
    move = "take 9s; lay 5d m2; swap 8c m1; meld 9s Ts Jk; discard 2h"
    settings = {"draw.deep.when": "at_once"}
    given = {"hands": {"A": "8c Ts Kd 5d", "B": "3c 9c"}, "table": table, "pile": "9s 2h"}
    named = help_of(move, "online-rummy-500", settings=settings, **given)
    assert named == ("swap 8c m1; meld Jk=8s 9s Ts", "swap 8c m1; meld 9s Ts Jk=Js")


def test_a_move_that_is_found_in_two_ways_is_named_once_and_leaves_room_for_two_others():
    given = {
        "hands": {"A": "5h Ks 2c"},
        "table": {"m1": {"B": "6c 7c 8c"}},
        "pile": "9c Td",
        "stock": "8s ?*9",
    }
    named = help_of("take 9c x3; lay 9c m1; discard Ks", **given)
    assert named == ("take 9c; lay 9c m1", "take Td", "draw ?")


def test_a_call_that_a_player_may_not_make_is_named_for_others():
    given = {
        "table": {"m1": {"A": "7c 8c 9c"}},
        "pile": "Tc",
        "players": ["A", "B", "C"],
        "to_move": "B",
    }
    found = help_of("A: rummy Tc; lay Tc m1", discarded_by="A", **given)
    assert found[:2] == ("B: rummy Tc; lay Tc m1", "C: rummy Tc; lay Tc m1")


def test_a_caller_who_lays_something_else_is_told_how_to_lay_what_was_called():
    given = {
        "table": {"m1": {"A": "7c 8c 9c"}},
        "pile": "Tc",
        "players": ["A", "B", "C"],
        "to_move": "B",
    }
    move = "C: rummy Tc; meld 2c 2d 2h"
    found = help_of(move, "500-rum", hands={"C": "2c 2d 2h 5s"}, discarded_by="A", **given)
    assert found == ("lay Tc m1",)


def test_before_a_dead_end_there_is_another_discard():
    found = help_of("take Kd; meld 5h 6h 7h", hands={"A": "5h 6h 7h", "B": "3c"}, pile="Kd")
    assert found == ("take Kd; discard 5h", "take Kd; discard 6h", "take Kd; discard 7h")


def test_a_card_is_kept_where_a_discard_is_required():
    given = {"hands": {"A": "5h 6h 7h", "B": "3c"}, "stock": "8h ?*9"}
    found = help_of("draw; meld 5h 6h 7h 8h", options=("discard-to-go-out",), **given)
    assert found == ("meld 5h 6h 7h", "meld 6h 7h 8h")


def test_a_floater_is_told_where_a_card_fits():
    given = {"hands": {"A": "", "B": "3c"}, "table": TABLE, "floating": ["A"], "stock": "9h ?*9"}
    found = help_of("draw; discard 9h", options=("floating", "unplayable-last-discard"), **given)
    assert found == ("lay 9h m2",)


def test_wild_cards_are_bound_in_the_ways_there_are():
    assert help_of("draw; meld 9d Jk Jk; discard 2c", hands={"A": "9d Jk Jk 2c"}) == (
        "meld 9d Jk=9 Jk=9",
        "meld Jk=7d Jk=8d 9d",
        "meld Jk=8d 9d Jk=Td",
    )
    found = help_of("draw; meld 9d 9c Jk=8; discard 2c", hands={"A": "9d 9c Jk 2c 8c"}, pile="Qd")
    assert found[0] == "meld 9c 9d Jk=9"


def test_a_stock_that_has_to_be_made_new_is_named():
    given = {"hands": {"A": "Kc 2d", "B": "3c"}, "pile": "9s 4d 5h", "stock": 0}
    assert help_of("pass", options=("reshuffle-stock",), **given) == ("reshuffle", "take 5h")


def test_where_nobody_played_the_player_to_move_is_named():
    report = audit(
        '[Rules "500-rummy"]\n[Players "Ann, Bob"]\nhand 1 dealer Bob\nup 6c\nreshuffle\n'
    )
    assert [one.help for one in report.findings] == [("Ann: draw ?", "Ann: take 6c")]


FIRST_TURN = (
    '[Rules "{}"]\n[Players "Ann, Bob, Cy"]\nhand {} dealer Cy\ndeal Ann {}\nup 6c\n1. Ann: {}\n'
)
CONTRACT = ("contract-rummy", 2)
KALOOKI = ("kalooki-40", 1)


@pytest.mark.parametrize(
    ("game", "hand", "line", "helps"),
    [
        (
            CONTRACT,
            "Ks Kh Kd 5h 6h 7h 8h 2c 4s 9d",
            "draw 4d; meld Ks Kh Kd; discard 4d",
            {"meld.contract": ("meld 5h 6h 7h 8h; discard 4d", "meld 5h 6h 7h 8h")},
        ),
        (
            CONTRACT,
            "Ks Kh Kd 5h 6h 7h Jc 2c 4s 9d",
            "take 6c; meld Ks Kh Kd; discard 4s",
            {
                "meld.contract": (
                    "take 6c; discard 4s",
                    "take 6c; discard Ks",
                    "take 6c; discard 5h",
                )
            },
        ),
        (
            CONTRACT,
            "Ks Kh Kd 5h 6h 7h 8h 2c 4s 9d",
            "draw 4d; meld Ks Kh Kd",
            {"meld.contract": ("meld 5h 6h 7h 8h",), "turn.unfinished": ("meld 5h 6h 7h 8h",)},
        ),
        (
            KALOOKI,
            "5h 6h 7h 2c 4s 9d Ks Kh Kd Jd Jc Js 4c",
            "draw 4d; meld 5h 6h 7h; discard 4d",
            {"meld.first-points": ("meld Jc Jd Js; discard 4d", "meld Jc Jd Js")},
        ),
    ],
)
def test_a_first_laying_is_completed_or_left_out(game, hand, line, helps):
    report = audit(FIRST_TURN.format(*game, hand, line))
    assert {one.code: one.help for one in report.findings} == helps


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_every_illegal_play_in_the_gallery_has_a_legal_one_beside_it(entry):
    for finding in audit_entry(entry).findings:
        if finding.code.startswith(OF_PLAY) and finding.code not in NOTHING_ELSE:
            assert finding.help, finding.code
        assert len(finding.help) <= 3 or finding.code.startswith("rules.")
