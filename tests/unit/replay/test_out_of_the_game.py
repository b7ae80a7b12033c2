"""Who is out of a game by its totals, where a figure or a whole hand was written wrongly."""

from __future__ import annotations

import pytest

from audits import audit, found

FIRST_HAND = """[Rules "kalooki-40"]
[Players "Ann, Bob, Cy"]
hand 1 dealer Ann
end out Cy
score Ann 90, Bob 40, Cy 0
total Ann 90, Bob 40, Cy 0
"""
GAME = (
    FIRST_HAND
    + """hand 2 dealer Bob
end out Cy
score Ann {score}, Bob 30, Cy 0
total Ann {total}, Bob 70, Cy 0
hand 3 dealer Cy
"""
)
WITHOUT_ANN = """{deal}up 5d
1. Bob: draw ?; discard 9h
2. Cy: draw ?; discard 3c
3. Bob: draw ?; discard 9c
gap
end out Bob
score Bob 0, Cy 44
total Ann {total}, Bob 70, Cy 44
hand 4 dealer Bob
end out Cy
score Bob 100, Cy 0
total Ann {total}, Bob 170, Cy 44
result Cy
"""
WITH_ANN = """{deal}up 5d
1. Ann: draw ?; discard 9h
2. Bob: draw ?; discard 3c
3. Cy: draw ?; discard 9c
4. Ann: draw ?; discard 9d
gap
end out Ann
score Ann 0, Bob 10, Cy 44
total Ann {total}, Bob 80, Cy 44
"""
DEALS = {"Ann": "deal Ann ?*13\n", "Bob": "deal Bob ?*13\n", "Cy": "deal Cy ?*13\n"}
OTHERS = DEALS["Bob"] + DEALS["Cy"]


@pytest.mark.parametrize("deal", [OTHERS, ""])
@pytest.mark.parametrize(("score", "total"), [(70, 150), (20, 160)])
def test_a_total_found_wrong_does_not_bring_who_is_out_into_a_hand(deal, score, total):
    log = (GAME + WITHOUT_ANN).format(score=score, total=total, deal=deal)
    assert found(log) == [(10, "score.total")]


def test_nobody_who_may_be_out_is_missed_on_a_sheet():
    sheet = GAME + "end out Bob\nscore Bob 0, Cy 44\ntotal Ann 150, Bob 70, Cy 44\n"
    report = audit(sheet.format(score=70, total=150))
    assert [finding.code for finding in report.findings] == ["score.total"]
    assert report.open == []


@pytest.mark.parametrize("deal", [DEALS["Ann"] + OTHERS, ""])
@pytest.mark.parametrize(("score", "total"), [(70, 150), (20, 160)])
def test_whoever_plays_is_in_by_the_reading_that_says_so(deal, score, total):
    log = (GAME + WITH_ANN).format(score=score, total=total, deal=deal)
    assert found(log) == [(10, "score.total")]


def test_right_totals_still_say_who_is_out():
    log = (GAME + WITH_ANN).format(score=70, total=160, deal=DEALS["Ann"] + OTHERS)
    assert (12, "game.out") in found(log)


LEFT_OUT = f"{FIRST_HAND}hand 2 dealer Cy\n"
"""The hand that Bob dealt is left out: Ann scored 70 in it, Bob 30."""
DEALT = """deal Bob ?*13
deal Cy ?*13
up 5d
1. Bob: draw ?; discard 9h
2. Cy: draw ?; discard 3c
3. Bob: draw ?; discard 9c
gap
"""
END = """end out Bob
score Bob 0, Cy 44
total Ann 160, Bob 70, Cy 44
hand 3 dealer Bob
end out Cy
score Bob 100, Cy 0
total Ann 160, Bob 170, Cy 44
result Cy
"""


UNDEALT = DEALT.replace(OTHERS, "")
LISTED = DEALT.replace("up 5d\n", "up 5d\nstock " + "? " * 79 + "\n")


@pytest.mark.parametrize("played", [DEALT, UNDEALT, LISTED, ""])
def test_a_hand_left_out_that_put_a_player_out_is_told_once(played):
    (finding,) = audit(LEFT_OUT + played + END).findings
    assert (finding.span.line, finding.code) == (7, "setup.dealer")
    assert finding.repair
    assert finding.repair.edit == "hand-missing"
    assert "score.total" in {one.code for one in finding.repair.follows}


def test_a_wrong_dealer_and_the_total_of_one_of_two_show_a_missing_hand():
    log = """[Rules "500-rummy"]
[Players "Ann, Bob"]
hand 1 dealer Ann
score Ann 10, Bob 40
total Ann 10, Bob 40
hand 2 dealer {dealer}
score Ann 20, Bob 0
total Ann {total}, Bob 40
"""
    shown = [
        (finding.code, finding.repair and finding.repair.edit)
        for dealer, total in (("Ann", 75), ("Bob", 75))
        for finding in audit(log.format(dealer=dealer, total=total)).findings
    ]
    assert shown == [("setup.dealer", "hand-missing"), ("score.total", None)]


def test_a_wrong_dealer_alone_shows_no_missing_hand():
    log = GAME.replace("dealer Cy", "dealer Ann") + "end out Cy\nscore Bob 10, Cy 0\n"
    (finding,) = audit(log.format(score=70, total=160)).findings
    assert (finding.code, finding.repair) == ("setup.dealer", None)
    assert finding.message == "Ann deals, but Cy should deal"


def test_whoever_is_out_is_not_named_as_the_one_to_deal():
    log = (
        GAME + "end out Bob\nscore Bob 0, Cy 44\nhand 4 dealer Cy\nend out Cy\nscore Bob 10, Cy 0\n"
    )
    (finding,) = audit(log.format(score=70, total=160)).findings
    assert finding.message == "Cy deals again, but Bob should deal"
