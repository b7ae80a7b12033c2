"""Calls and challenges in logs and positions: each code where it belongs, and one deed found once."""

from __future__ import annotations

import pytest

from audits import built
from meldref.core.cards import cards_text, each
from meldref.replay.play_moves import play_moves, what_follows

FOUR = {
    "players": ["A", "B", "C", "D"],
    "to_move": "B",
    "hands": {"A": "3c 9d", "B": "4s 6h Qc Qd", "C": "Jc 8s 2d", "D": "5c Th"},
    "table": {"m1": {"D": "7c 8c 9c"}},
    "discarded_by": "A",
}


def played(
    *moves: str, rules: str = "500-rummy", options: tuple[str, ...] = (), settings=None, **given
):
    """Line and code of what is found in some moves, and what follows them."""
    outcome = play_moves(built(rules, options, settings, **{**FOUR, **given}), moves)
    return [(one.span.line, one.code) for one in outcome.findings], what_follows(outcome.position)


def codes(*moves: str, **given) -> list[tuple[int, str]]:
    return played(*moves, **given)[0]


@pytest.mark.parametrize(
    ("move", "code"),
    [
        ("C: rummy Tc; lay Tc m1; discard 8s", None),
        ("D: rummy Tc; lay Tc m1; discard 5c", None),
        ("B: rummy Tc; lay Tc m1; discard 4s", None),
        ("A: rummy Tc; lay Tc m1; discard 3c", "call.own"),
        ("C: rummy 4d; lay 4d m1; discard 8s", "call.nothing"),
        ("C: rummy 5d; lay 5d m1; discard 8s", "call.nothing"),
        ("C: rummy Tc; discard 8s", "call.nothing"),
        ("C: rummy Tc; discard Tc", "call.nothing"),
        ("C: rummy Tc", "call.nothing"),
        ("C: rummy Tc; lay Tc m1", "turn.unfinished"),
        ("C: rummy Tc; lay Jc m1; discard 8s", "layoff.fit"),
        ("C: rummy Tc; draw; discard 8s", "turn.draw"),
        ("C: rummy Tc; lay Tc m1; lay Jc m1; discard 8s", None),
        ("C: draw; rummy Tc; lay Tc m1", "turn.order"),
        ("B: draw; rummy Tc; lay Tc m1; discard 4s", "call.late"),
        ("C: rummy Tc; rummy 4d; lay Tc m1; discard 8s", "call.late"),
    ],
)
def test_who_may_call_what_and_how_it_ends(move, code):
    found = codes(move, pile="4d Tc")
    assert found[:1] == ([(1, code)] if code else [])
    assert len([one for one in found if one[1].startswith("call")]) <= 1


@pytest.mark.parametrize(
    "laid", ["lay Tc Jc m1", "lay Jc Tc m1", "lay Jc Tc", "lay Tc m1; lay Jc m1"]
)
def test_a_called_card_that_needs_one_of_the_hand_is_found_as_that_in_any_spelling(laid):
    given = {"pile": "4d Jc", "hands": {"C": "Tc 8s 2d", "B": "2h"}}
    assert codes(f"C: rummy Jc; {laid}; discard 8s", **given) == [(1, "call.nothing")]


def test_a_call_that_needs_a_card_of_the_hand_is_found_as_that():
    given = {"pile": "4d Tc", "table": {}, "hands": {"C": "Jc Qc 8s", "B": "2h"}}
    assert codes("C: rummy Tc; meld Tc Jc Qc; discard 8s", **given) == [(1, "call.hand")]


def test_a_call_comes_before_the_next_draw():
    late = ("B: draw 2h", "C: rummy Tc; lay Tc m1; discard 8s", "B: discard 4s")
    assert codes(*late, pile="4d Tc")[0] == (2, "call.late")
    assert codes("B: draw 2h; discard 2h", "C: rummy Tc; lay Tc m1; discard 8s", pile="4d Tc") == []


def test_where_calls_last_until_the_next_discard_the_broken_turn_goes_on():
    moves = ("B: draw 2h", "C: rummy Tc; lay Tc m1", "B: discard 2h")
    assert played(*moves, rules="gilfoy-500-rummy", pile="4d Tc") == ([], "plays C")


def test_the_player_who_has_just_played_may_not_call_and_may_after_the_next_turn():
    """P-RUM-12: the discarder waits for one turn, however that turn ends."""
    buried = {"pile": "Tc 4d", "discarded_by": "A"}
    assert codes("A: rummy Tc; lay Tc m1; discard 3c", **buried) == [(1, "call.own")]
    assert codes("B: draw 2h; discard 2h", "A: rummy Tc; lay Tc m1; discard 3c", **buried) == []
    floats = {"options": ("floating",), "hands": {"A": "3c 9d", "B": "Qc Qd", "C": "8s", "D": "5c"}}
    assert (
        codes("B: draw Qh; meld Qc Qd Qh", "A: rummy Tc; lay Tc m1; discard 3c", **buried, **floats)
        == []
    )


def test_the_callers_own_discard_can_be_called_in_turn():
    call = "C: rummy Tc; lay Tc m1; discard Jc"
    assert played(call, "D: rummy Jc; lay Jc m1; discard 5c", pile="4d Tc") == ([], "plays A")
    assert codes(call, "C: rummy Jc; lay Jc m1; discard 8s", pile="4d Tc") == [(2, "call.own")]


@pytest.mark.parametrize("options", [("no-calls",), ("no-calls", "floating")])
def test_without_calls_every_call_is_found_once(options):
    assert codes("C: rummy Tc; lay Tc m1; discard 8s", pile="4d Tc", options=options) == [
        (1, "call.off")
    ]


ONLY = {"options": ("call-last-discard-only",)}


@pytest.mark.parametrize(
    ("move", "pile", "code"),
    [
        ("C: rummy Tc; lay Tc m1", "4d Tc", None),
        ("C: rummy Tc; lay Tc m1", "Tc 4d", "call.scope"),
        ("C: rummy Tc Td Ts; meld Tc Td Ts", "Td Ts Tc", "call.scope"),
        ("C: rummy Kd; lay Kd m1", "4d Kd", "call.nothing"),
        ("C: rummy Tc; lay Tc m1; discard 8s", "4d Tc", "turn.order"),
    ],
)
def test_where_only_the_last_discard_can_be_called_it_is_laid_off_and_no_more(move, pile, code):
    found, follows = played(move, pile=pile, **ONLY)
    assert found[:1] == ([(1, code)] if code else [])
    assert code or follows == "plays B"


@pytest.mark.parametrize(
    ("move", "pile", "code"),
    [
        ("C: rummy Tc; lay Tc m1", "4d Tc", None),
        ("C: rummy Tc Td Ts; meld Tc Td Ts", "Td 4d Ts Tc", None),
        ("C: rummy Td Ts Th; meld Td Ts Th", "Td 4d Ts Th Tc", "call.scope"),
        ("C: rummy Tc Jc; lay Tc Jc m1", "Jc 4d Tc", "call.scope"),
        ("C: rummy Tc Td; meld Tc Td Jc", "Td 4d Tc", "call.nothing"),
        ("C: rummy 6c; lay 6c m1", "6c 4d", "call.scope"),
    ],
)
def test_500_rum_lets_the_last_discard_or_a_set_with_it_be_called(move, pile, code):
    """W-RUM-03, W-RUM-06, W-RUM-17: one card alone, or cards of the pile that make a meld by themselves."""
    hands = {"A": "3c 9d", "B": "4s 6h", "C": "8s 2d", "D": "5c 9h"}
    found, follows = played(move, pile=pile, rules="500-rum", hands=hands)
    assert found[:1] == ([(1, code)] if code else [])
    assert code or follows == "plays B"


# --- last discards --------------------------------------------------------------------------------

LAST = {
    "to_move": "A",
    "hands": {"A": "Tc", "B": "4s 6d", "C": "Kh 8s", "D": "5d 9h"},
    "discarded_by": "D",
}
THROWN = "A: draw 6c; lay 6c m1; discard Tc"
CLAIM = {"options": ("floating", "claimable-last-discard"), "pile": "2d Qh"}
BACK = {"options": ("floating", "unplayable-last-discard"), "pile": "2d Qh"}


def test_a_claimed_last_discard_makes_its_player_float():
    moves = (
        THROWN,
        "C: rummy Tc; lay Tc m1; discard Kh",
        "D: draw 3h; discard 3h",
        "A: draw 3s; discard 3s",
    )
    assert played(*moves, **LAST, **CLAIM) == ([], "over")


def test_once_somebody_plays_on_the_hand_was_over():
    assert codes(THROWN, "B: draw 3h; discard 3h", **LAST, **CLAIM) == [(2, "turn.over")]
    late = (THROWN, "B: draw 3h; discard 3h", "C: rummy Tc; lay Tc m1; discard Kh")
    assert codes(*late, **LAST, **CLAIM) == [(2, "turn.over")]


def test_after_a_last_discard_nothing_else_of_the_pile_is_called():
    given = {**LAST, **CLAIM, "hands": {**LAST["hands"], "A": "2s"}, "pile": "2d Tc Qh"}
    moves = ("A: draw 6c; lay 6c m1; discard 2s", "C: rummy Tc; lay Tc m1; discard Kh")
    assert codes(*moves, **given) == [(2, "call.scope")]


@pytest.mark.parametrize(
    ("draw", "pile", "hand"),
    [("draw 6c", "2d Qh", "2d Qh"), ("draw 6c", "Qh", "Qh"), ("take 6c", "6c", "3h")],
)
def test_in_500_rum_a_called_last_discard_costs_the_pile_or_a_card_of_the_stock(draw, pile, hand):
    """W-RUM-10, W-RUM-11: the whole pile, and one card of the stock where there is no pile."""
    stock = "6c 3h 3s" if draw.startswith("draw") else "3h 3s"
    position = built("500-rum", **{**FOUR, **LAST, "pile": pile, "stock": stock})
    outcome = play_moves(position, [f"A: {draw}; lay 6c m1; discard Tc", "C: rummy Tc; lay Tc m1"])
    assert outcome.findings == []
    assert cards_text(each(outcome.position.hands[0])) == hand
    assert outcome.position.pile == []
    assert what_follows(outcome.position) == "plays B"


def test_a_challenged_last_discard_is_taken_back_and_melded():
    """The discard is the violation; what follows is its remedy and no further finding (P-VUNP-06)."""
    remedy = (THROWN, "B: challenge", "A: lay Tc m1", "B: draw 3h; discard 3h")
    assert played(*remedy, **LAST, **BACK) == ([(1, "out.playable")], "plays C")


@pytest.mark.parametrize(
    ("given", "moves", "expected"),
    [
        (
            {**BACK, "hands": {"A": "2s", "B": "4s"}},
            ("A: draw 6c; lay 6c m1; discard 2s", "B: challenge"),
            2,
        ),
        (BACK, ("A: draw 6c; discard 6c", "B: challenge"), 2),
        (BACK, ("B: challenge",), 1),
        ({"pile": "2d Qh"}, (THROWN, "B: challenge"), 2),
        (CLAIM, (THROWN, "B: challenge"), 2),
    ],
)
def test_a_challenge_needs_a_last_discard_that_fits(given, moves, expected):
    assert codes(*moves, **{**LAST, **given})[:1] == [(expected, "challenge.unfounded")]


def test_called_cards_are_laid_before_anything_from_the_hand():
    given = {"pile": "4d Tc", "hands": {"C": "2d 2h 2s 8s Kd", "B": "4s"}}
    assert codes("C: rummy Tc; lay Tc m1; meld 2d 2h 2s; discard 8s", **given) == []
    assert codes("C: rummy Tc; meld 2d 2h 2s; lay Tc m1; discard 8s", **given) == [(1, "call.hand")]


@pytest.mark.parametrize("meld", ["9c 9d 9s 9h", "9c 9d 9s Jk=9", "9c 9d Jk=9 Jk=9"])
def test_a_meld_of_called_cards_may_be_laid_with_more_from_the_hand(meld):
    given = {
        "pile": "9c 9d Jk" if meld.count("Jk") == 2 else "9c 9d 9s",
        "hands": {"C": "9h Jk 8s", "B": "4s"},
    }
    assert codes(f"C: rummy 9c; meld {meld}; discard 8s", **given, table={}) == []


def test_a_natural_card_is_exchanged_for_a_joker_after_the_called_card_is_laid():
    given = {
        "pile": "4d Tc",
        "hands": {"C": "5h 2s", "B": "4s"},
        "settings": {"melds.wild.swap": "for_natural"},
    }
    given["table"] = {"m1": {"D": "7c 8c 9c"}, "m2": {"A": "4h Jk=5h 6h"}}
    assert codes("C: rummy Tc; lay Tc m1; swap 5h m2; discard 2s", **given) == []
    assert codes("C: rummy Tc; swap 5h m2; lay Tc m1; discard 2s", **given) == [(1, "call.hand")]


def test_a_turn_goes_on_after_two_calls_that_broke_into_it():
    settings = {"calls.until": "any_time", "calls.takes": "called_cards", "calls.discard": "none"}
    given = {"pile": "Tc Jc 2h", "hands": {"B": "4s 6h", "C": "8s"}, "settings": settings}
    assert (
        codes(
            "B: draw 3d",
            "C: rummy Tc; lay Tc m1",
            "D: rummy Jc; lay Jc m1",
            "B: discard 4s",
            **given,
        )
        == []
    )


def test_a_turn_without_a_discard_opens_no_call_on_the_discard_before_it():
    """P-RUM-03: once a floater has drawn and melded again, the discard before that is past."""
    given = {
        "hands": {"B": "", "C": "8s 2d"},
        "floating": ["B"],
        "pile": "4d Jc",
        "rules": "500-rum",
    }
    given |= {"table": {"m1": {"D": "7c 8c 9c Tc"}}, "options": ("floating",)}
    assert codes("B: draw 6c; lay 6c m1", "C: rummy Jc; lay Jc m1", **given) == [(2, "call.late")]


def test_only_a_last_discard_that_fits_the_table_can_be_called():
    """P-VUNP-09, W-RUM-09: a meld with cards of the pile keeps no hand open."""
    given = {"to_move": "A", "discarded_by": "D", "hands": {"A": "", "C": "8s"}, "floating": ["A"]}
    given |= {"pile": "2d 3d", "rules": "500-rum", "options": ("floating",), "stock": "Ad 5h"}
    assert codes("A: draw Ad; discard Ad", "C: rummy 2d 3d Ad; meld 2d 3d Ad", **given) == [
        (2, "call.scope")
    ]


def test_a_floater_who_keeps_cards_may_throw_one_that_fits():
    """P-VFLO-05: cards were kept, so play goes on like anybody's."""
    given = {
        "to_move": "A",
        "discarded_by": "D",
        "hands": {"A": ""},
        "floating": ["A"],
        "pile": "9c 9d 9h Tc 2s",
    }
    given |= {
        "options": ("floating", "unplayable-last-discard"),
        "table": {"m1": {"D": "Jc Qc Kc"}},
    }
    assert codes("A: take 9c; meld 9c 9d 9h; discard Tc", **given) == []


def test_a_call_on_an_empty_pile_is_a_call_on_nothing():
    assert codes("C: rummy Tc; lay Tc m1; discard 8s", pile="", discarded_by="nobody") == [
        (1, "call.nothing")
    ]


# --- wild ranks -----------------------------------------------------------------------------------

WILD = {
    "rules": "gilfoy-500-rummy",
    "options": ("chosen-wild-rank",),
    "wild": "3",
    "table": {"m1": {"B": "Kc Kd Kh"}},
    "hands": {"A": "2c 2d 2h", "B": "7d Jc", "C": "4d 5d", "D": "6s"},
}


def test_a_card_of_the_wild_rank_can_be_called_for_what_it_may_stand_for():
    assert played("C: rummy 3s; lay 3s=K m1", pile="9s 3s", **WILD) == ([], "plays B")


def test_a_card_of_the_wild_rank_that_fits_a_meld_is_no_last_discard():
    given = {**WILD, "to_move": "A", "discarded_by": "D"}
    assert codes("A: draw 3s; meld 2c 2d 2h; discard 3s", **given) == [(1, "out.playable")]
    floater = {**given, "hands": {"A": "", "B": "7d"}, "floating": ["A"]}
    assert codes("A: draw 3s; discard 3s", **floater) == [(1, "float.playable")]
