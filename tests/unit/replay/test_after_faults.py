"""After a fault a hand goes on as it was recorded, and one fault is found once."""

from __future__ import annotations

import pytest

from audits import audit, found
from meldref.position.model import NOT_AHEAD
from meldref.replay.aftermath import count_on

HEAD = """[Rules "500-rummy"]
[Players "Ann, Bob, Cy"]
hand 1 dealer Cy
deal Ann 5h 6h 7h 2c 9d Ks Qd
deal Bob 8h 9s Tc Js 3d 3c Ad
deal Cy 4c 4d Th Td 6s 7s Jk
up 6c
"""


def after(*lines: str) -> list[tuple[int, str]]:
    """Findings of these lines, the first of them counted as 1."""
    return [(line - 7, code) for line, code in found(HEAD + "\n".join(lines) + "\n")]


def test_a_meld_of_cards_not_held_lies_as_written_and_keeps_its_number():
    lines = (
        "1. Ann: draw 4s; meld Kh Qd Jc; meld 5h 6h 7h m2; discard Ks",
        "2. Bob: draw 2h; lay 8h m2; discard 9s",
    )
    assert after(*lines) == [(1, "hand.missing")]
    assert after(*lines, "3. Cy: draw Jh; lay 4c m2; discard 6s") == [
        (1, "hand.missing"),
        (3, "layoff.fit"),
    ]


def test_whether_a_meld_that_is_none_is_extended_is_open():
    report = audit(
        HEAD
        + "1. Ann: draw 4s; meld Kh Qd Jc; discard Ks\n2. Bob: draw 2h; discard 9s\n"
        + "3. Cy: draw Jh; lay Jk=As m1; discard 6s\n"
    )
    assert [(one.span.line, one.code) for one in report.findings] == [(8, "hand.missing")]
    assert [one.what for one in report.open] == [
        "whether Jk can be laid on m1: that meld was found wrong"
    ]


def test_what_no_reading_of_a_meld_that_is_none_takes_is_found():
    lines = (
        "1. Ann: draw 4s; meld 5h 6h Qd; discard Ks",
        "2. Bob: draw 2h; discard 9s",
        "3. Cy: draw Jh; lay 4c m1; discard 6s",
    )
    assert after(*lines) == [(1, "meld.shape"), (3, "layoff.fit")]
    assert after(*lines[:2], "3. Cy: draw Jh; lay Jh m1; discard 6s") == [(1, "meld.shape")]


@pytest.mark.parametrize(
    "late",
    [
        ("1. Ann: draw 4s; discard Ks; meld 5h 6h 7h",),
        ("1. Ann: draw 4s; discard Ks", "Ann: meld 5h 6h 7h"),
    ],
)
def test_what_is_done_after_the_discard_is_done_all_the_same(late):
    """It is found once; the meld lies there, others lay off on it, and it counts."""
    lines = (
        *late,
        "2. Bob: draw 2h; lay 8h m1; discard 9s",
        "= hand Ann 2c 4s 9d Qd",
        "= score Ann 18",
    )
    assert after(*lines) == [(len(late), "turn.over")]


def test_a_second_discard_lies_on_the_pile():
    lines = (
        "1. Ann: draw 4s; discard Ks; discard Qd",
        "2. Bob: draw 2h; discard 9s",
        "= pile 6c Ks Qd 9s",
    )
    assert after(*lines) == [(1, "turn.over")]


def test_a_card_drawn_after_the_discard_is_drawn():
    lines = (
        "stock 4s 2h Jh",
        "1. Ann: discard Ks; draw 4s",
        "2. Bob: draw 2h; discard 9s",
        "= hand Ann 7",
    )
    assert after(*lines) == [(2, "turn.draw")]


def test_going_out_after_ones_turn_ends_the_hand():
    """Where a caller goes on without having the right to."""
    text = """[Rules "500-rum"]
[Players "Ann, Bob, Cy"]
hand 1 dealer Cy
deal Ann 5h 6h 7h 8h 2d 2h 9h Ks Qs 4s 8s
deal Bob ?*10
deal Cy 4d 5d 6d 7d 8d 9d Td Jd Qd Kd
up 6c
1. Ann: meld 5h 6h 7h; discard 8h
Cy: rummy 8h; lay 8h m1; meld 4d 5d 6d 7d 8d 9d Td Jd Qd Kd
end out Cy
"""
    assert found(text) == [(9, "call.hand")]


@pytest.mark.parametrize(
    ("first", "expected"),
    [
        ("1. Ann: discard Ks", [(2, "turn.draw")]),
        ("1. Ann: draw 2h; discard Ks", [(2, "draw.stock")]),
    ],
)
def test_a_card_of_the_stock_passed_over_is_one_fault(first, expected):
    """Whether it stays on top or is gone, what is drawn after it fits."""
    stock = "stock 4s 2h Jh 5c 9h"
    next_cards = ("2h", "Jh", "5c") if "draw" not in first else ("Jh", "5c", "9h")
    for cards in (next_cards, ("4s", *next_cards[:2])):
        turns = [
            f"{n}. {name}: draw {card}; discard {card}"
            for n, (name, card) in enumerate(zip(("Bob", "Cy", "Ann"), cards, strict=True), start=2)
        ]
        assert after(stock, first, *turns) == expected


def test_after_a_wrong_card_of_the_stock_its_order_is_not_known():
    """Either the list is right or the line; whatever is drawn later can have lain there, if it can at all."""
    lines = (
        "stock 4s 2h Jh 5c 9h 8c",
        "1. Ann: draw 2h; discard Ks",
        "2. Bob: draw 5c; discard 9s",
        "3. Cy: draw 9s; discard 6s",
    )
    assert after(*lines) == [(2, "draw.stock"), (4, "log.copies")]


def test_a_card_drawn_twice_is_drawn_once():
    lines = (
        "stock 4s 2h Jh",
        "1. Ann: draw 4s; draw 4s; discard Ks",
        "2. Bob: draw 2h; discard 9s",
    )
    assert after(*lines) == [(2, "turn.draw")]
    assert after(
        "stock 4s 2h Jh", "1. Ann: draw 4s; draw 2h; discard Ks", "2. Bob: draw Jh; discard 9s"
    ) == [(2, "turn.draw")]


def test_what_a_draw_that_is_not_as_written_would_have_brought_is_not_missed_too():
    taken = (
        "1. Ann: draw 4s; discard Ks",
        "2. Bob: take Kc; meld Kc Kh Kd; discard 2d",
        "3. Cy: draw 2s; discard 6s",
    )
    assert after(*taken) == [(2, "draw.pile")]
    drawn = ("1. Ann: draw 8h; meld 5h 6h 7h 8h; discard Ks", "2. Bob: draw 2h; discard 8h")
    assert after(*drawn) == [(1, "log.copies")]


def test_a_line_that_begins_with_a_draw_goes_on_with_no_call():
    """It begins a turn, though it be the caller's, and what was called was not melded."""
    lines = (
        "1. Ann: draw 4s; meld 5h 6h 7h; discard Ks",
        "2. Bob: draw 2h; discard 8h",
        "Ann: rummy 8h",
        "3. Ann: draw 2s; discard 9d",
    )
    assert after(*lines) == [(3, "call.nothing"), (3, "turn.unfinished"), (4, "turn.order")]


@pytest.mark.parametrize(
    ("code", "line", "noted"),
    [
        ("hand.missing", "1. Ann: draw 4s; meld Kh Qd Jc; discard Ks", True),
        ("log.copies", "1. Ann: draw 6c; discard Ks", True),
        ("draw.stock", "stock 4s 2d\n1. Ann: draw 3h; discard Ks", True),
        ("draw.pile", "1. Ann: take 8d; discard Ks", True),
        ("log.name", "1. Ann: draw 4s; lay 7h m3; discard Ks", True),
        ("call.nothing", "Bob: rummy 5h", False),  # its repair takes the line away
        ("meld.shape", "1. Ann: draw 4s; meld 5h 6h Ks; discard Qd", False),
        ("turn.draw", "1. Ann: draw 4s; draw; discard Ks", False),
    ],
)
def test_what_is_found_after_a_move_that_could_not_be_carried_out_says_so(code, line, noted):
    report = audit(f"{HEAD}{line}\n= pile 3h\n")
    first, *_, last = report.findings
    assert (first.code, last.code) == (code, "log.assert")
    note = f"this may be caused by line {first.span.line}, where a move could not be carried out as written"
    assert (note in last.notes) is noted


def test_after_a_wrong_number_the_one_due_the_one_written_and_the_numbers_before_are_gone_on_from():
    shifted = count_on(count_on(NOT_AHEAD, 1), 1)
    assert {*count_on(shifted, 10)} == {0, 1, 10}
    assert count_on(count_on(shifted, 10), 1) == shifted
    assert count_on(shifted, 0) == NOT_AHEAD


def test_a_challenge_of_nothing_leaves_the_turn_that_is_due():
    lines = ("1. Ann: draw 4s; discard Ks", "Cy: challenge", "2. Bob: draw 2h; discard 9s")
    assert after(*lines) == [(2, "challenge.unfounded")]


@pytest.mark.parametrize(
    "lines",
    [
        ("2. Bob: draw 2h", "Cy: rummy 8h; lay 8h m1; discard 4c"),
        ("2. Bob: draw 2h", "= hand Bob 7", "3. Cy: draw 2s; discard 4c", "= hand Cy 7"),
    ],
)
def test_a_call_or_what_is_said_of_a_hand_shows_that_a_discard_was_not_written(lines):
    assert after("1. Ann: draw 4s; meld 5h 6h 7h; discard Ks", *lines) == [(2, "turn.unfinished")]


def test_plays_after_the_end_of_a_hand_are_still_judged():
    """The hand may only seem to be over, because of a mistake in writing before."""
    lines = (
        "1. Ann: draw 4s; meld 5h 6h 7h; meld 2c 9d Ks 4s; discard Qd",
        "2. Bob: draw 2h; discard 8h",
        "3. Cy: draw 9h; meld 4c 4d Td; discard Jk",
        "4. Bob: draw Kh; discard Kh",
        "5. Cy: take Kh; discard Kh",
    )
    wrong = [(1, "meld.shape"), (2, "turn.over"), (3, "meld.shape"), (5, "discard.taken-top")]
    assert after(*lines) == wrong


def test_after_a_gap_behind_the_end_a_meld_may_have_grown():
    """The hand went on, whatever made it seem to be over; only what no card could help is wrong."""
    lines = (
        "1. Ann: draw 4s; meld 5h 6h 7h; meld 2c 9d Ks 4s; discard Qd",
        "2. Bob: draw 2h; discard 9s",
        "gap",
        "3. Cy: draw 9c; lay Th m1; discard 6s",
        "4. Bob: draw 2d; lay Tc m1; discard 3d",
    )
    assert after(*lines) == [(1, "meld.shape"), (2, "turn.over"), (5, "layoff.fit")]


def test_each_of_several_mistakes_is_explained_though_nothing_follows_from_any():
    report = audit(
        HEAD
        + "1. Ann: draw 4s; discard Kd\n2. Bob: draw 2h; discard 9h\n3. Cy: draw Jh; discard 4h\n"
        + "4. Ann: draw 5s; discard Ks\n"
    )
    repairs = [(one.span.line, one.repair and one.repair.line) for one in report.findings]
    assert repairs == [(8, 8), (9, 9), (10, 10)]


@pytest.mark.parametrize("score", ["-1", "-13"])
def test_turns_that_may_be_missing_do_not_make_open_what_a_line_shows(score):
    """The score in mid-hand is found as well, whatever it is; no turn is said to be illegal and open."""
    report = audit(
        '[Rules "500-rummy"]\n[Set "deal.cards=4"]\n[Players "Ann, Bob"]\nhand 1\n'
        "deal Ann 5h 6h 7h Ks\ndeal Bob 8h 2d 3d 4s\nup 6c\n"
        "Ann: draw 9c; meld 5h 6h 7h; discard Ks\n"
        f"Bob: take 6c x2; lay 8h m1; discard 4s\nscore Ann 9, Bob {score}\n"
    )
    assert [(one.span.line, one.code) for one in report.findings] == [
        (9, "draw.deep.unused"),
        (10, "end.early"),
    ]
    assert 9 not in [one.line for one in report.open]
