"""A line that cannot be read is played as far as it is clear: it is one finding, and hides no other."""

from __future__ import annotations

import pytest

from audits import audit, found

HEAD = """[Rules "500-rummy"]
[Players "Ann, Bob, Cy"]
hand 1 dealer Cy
deal Ann 8c Ah 6h Qh 2s 3s Ks
deal Bob Ad 7d Th Jh As Ts Jk
deal Cy 3c 5c 2d 2h Kh 4s Js
up 5h
"""
TURNS = (
    "1. Ann: draw Qs; discard Ah",
    "2. Bob: take Ah; meld Ad Ah As Jk=A; discard 7d",
    "3. Cy: draw Kc; discard Js",
    "4. Ann: take Js; meld Js Qs Ks; discard Qh",
    "5. Bob: take Qh; meld Th Jh Qh; lay Ts m2",
)
END = "end out Bob\nscore Ann 11, Bob 100, Cy -36\ntotal Ann 11, Bob 100, Cy -36\n"
FIRST = len(HEAD.splitlines()) + 1

WRITTEN_SO = {
    "the first turn has no name": (0, "1. draw Qs; discard Ah"),
    "a turn has no name": (2, "3. draw Kc; discard Js"),
    "a name has a sign before it": (2, "@Cy draw Kc; discard Js"),
    "the card thrown cannot be read": (0, "1. Ann: draw Qs; discard A#"),
    "the card drawn cannot be read": (2, "3. Cy: draw K?; discard Js"),
    "a word is misspelled": (2, "3. Cy: draw Kc; discrad Js"),
    "the first word is misspelled": (0, "1. Ann: drwa Qs; discard Ah"),
    "a misspelled word and no colon": (1, "2. Bob taks Ah; meld Ad Ah As Jk=A; discard 7d"),
    "misspelled words and no name": (2, "3. drww Kc; then discrad Js"),
    "every word is misspelled": (3, "4. Ann: tkae Js; medl Js Qs Ks; throws awya Qh"),
    "a turn goes on with a misspelled word": (3, "4. Ann: take Js; meld Js Qs Ks;\ndiscrad Qh"),
    "a turn goes on without its name": (3, "4. Ann: take Js; meld Js Qs Ks;\ndiscard Qh"),
    "a turn is broken off among its cards": (3, "4. Ann: take Js; meld Js Qs\nKs; discard Qh"),
    "a word stands before its number": (3, "Turn 4: Ann: take Js; meld Js Qs Ks; discard Qh"),
    "more is said of cards laid": (3, "4. Ann: take Js; meld Js Qs Ks (30 points); discard Qh"),
    "more is said of a card drawn": (2, "3. Cy: draw Kc at last discard Js"),
    "more is said in the middle": (2, "3. Cy: draw Kc; then she throws Js"),
    "two cards are thrown": (0, "1. Ann: draw Qs; discard Ah, not 2s"),
    "two turns stand on one line": (3, f"{TURNS[3]} {TURNS[4]}"),
}


def hand(*turns: str, end: str = END) -> str:
    return HEAD + "".join(f"{turn}\n" for turn in turns) + end


@pytest.mark.parametrize("case", WRITTEN_SO)
def test_what_is_clear_of_a_line_is_played(case):
    """What is found is at the line, word by word; only the score that a card drawn decides is open."""
    at, text = WRITTEN_SO[case]
    after = TURNS[at + 2 :] if "two turns" in case else TURNS[at + 1 :]
    report = audit(hand(*TURNS[:at], text, *after))
    assert {finding.code for finding in report.findings} == {"log.syntax"}
    (line,) = {finding.span.line for finding in report.findings}
    assert FIRST + at <= line <= FIRST + at + text.count("\n")
    assert len(report.open) == (case == "the card drawn cannot be read")


@pytest.mark.parametrize("case", WRITTEN_SO)
def test_a_wrong_score_is_found_beside_a_line_that_cannot_be_read(case):
    at, text = WRITTEN_SO[case]
    after = TURNS[at + 2 :] if "two turns" in case else TURNS[at + 1 :]
    wrong = END.replace("score Ann 11", "score Ann 12").replace("total Ann 11", "total Ann 12")
    codes = [code for _, code in found(hand(*TURNS[:at], text, *after, end=wrong))]
    assert list(dict.fromkeys(codes)) == ["log.syntax", "score.hand"]


@pytest.mark.parametrize("signs", ["%$ &/$&;", "?;", ";", "/"])
def test_what_cannot_be_read_behind_a_name_may_be_the_draw(signs):
    turns = (TURNS[0].replace("draw Qs;", signs), *TURNS[1:])
    assert [code for _, code in found(hand(*turns))] == ["log.syntax"]


def test_a_meld_that_cannot_be_read_keeps_its_number():
    lines = (TURNS[0], "2. Bob: take Ah; meld Ad Ax As Jk=A; discard 7d", *TURNS[2:])
    assert [code for _, code in found(hand(*lines))] == ["log.syntax"]


@pytest.mark.parametrize(
    "written",
    ["4. Ann take Js meld Js-Qs-Ks discard Qh", "Turn 4: Ann: take Js; melds Js-Qs-Ks"],
)
def test_a_line_that_names_a_player_is_their_turn_though_nothing_else_can_be_read(written):
    turns = [*TURNS[:3], written, *TURNS[4:]]
    assert [code for _, code in found(hand(*turns))] == ["log.syntax"]


def test_only_the_hand_of_the_player_is_unknown_after_a_turn_that_cannot_be_read():
    lines = (*TURNS[:2], "3. Cy: Kc and then Js", "4. Ann: draw 4d; discard 9c")
    codes = [code for _, code in found(hand(*lines, end=""))]
    assert codes == ["log.syntax", "hand.missing"]


TOP_ONLY = HEAD.replace("[Players", '[Set "draw.depth=top"]\n[Players')


def test_taking_another_card_than_the_top_one_is_found_after_turns_that_are_unknown():
    lines = (
        "1. Ann: draw Qs; discard Ah",
        "2. Bob: something with an ace",
        "3. Cy: draw Kc; discard Js",
        "4. Ann: take Ah; discard Qh",
    )
    codes = [code for _, code in found(TOP_ONLY + "\n".join(lines) + "\n")]
    assert codes == ["log.syntax", "draw.pile"]


def test_the_meld_of_a_call_that_is_open_is_judged_by_itself():
    log = """[Rules "500-rummy"]
[Options "sequences-of-four"]
[Players "Ann, Bob"]
hand 1 dealer Bob
deal Ann Qd Kd 3s 9h Jc 2c 5h 8h 7h Tc 6c Th 3h
deal Bob ?*13
up 4c
1. Ann: draw 5s; discard Tc
2. Bob: draw Ad; meld 4d 5d 6d; discard Ad
Ann: rummy Ad; meld Ad Kd Qd; discard 3s
"""
    assert [code for _, code in found(log)] == ["meld.size", "call.hand"]


LOW_OR_HIGH = """[Rules "500-rummy"]
[Options "sequences-of-four"]
[Players "Ann, Bob"]
hand 1 dealer Bob
deal Ann 2s 3s 4s 9d Jc Qc Kd 8h 7d Td 6c Th 3d
deal Bob Kc Ks Jk As 4c 4d 4h 7c 7h 7s 8c 8d 8s
up Qd
1. Ann: draw 5h; meld 2s 3s 4s; discard Td
2. Bob: draw Kh; meld Kc Ks Kh Jk; meld 4c 4d 4h; meld 7c 7h 7s; meld 8c 8d 8s; lay As m1
end out Bob
"""


@pytest.mark.parametrize(("points", "wrong"), [(103, []), (117, []), (110, ["score.hand"])])
def test_an_ace_on_a_wrong_meld_may_be_low_or_high(points, wrong):
    codes = [code for _, code in found(f"{LOW_OR_HIGH}score Ann -69, Bob {points}\n")]
    assert codes == ["meld.size", *wrong]


def test_buying_where_nobody_buys_is_found_after_the_end_of_a_hand_too():
    lines = (*TURNS, "6. Cy: draw 3d; discard 3c", "Ann: buy 3c", "7. Ann: draw 9d; discard 9d")
    codes = [code for _, code in found(hand(*lines, end=""))]
    assert "buy.off" in codes


def test_a_wrong_number_moves_no_lines():
    lines = (*TURNS[:2], TURNS[2].replace("3.", "4."), *TURNS[3:])
    report = audit(hand(*lines))
    assert [finding.code for finding in report.findings] == ["log.number"]
    assert report.findings[0].repair is None
