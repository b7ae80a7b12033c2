"""What `fmt --fix` writes into a log, what it asks about, and in which words repairs are told."""

from __future__ import annotations

import pytest

from audits import audit
from meldref.core.diagnostics import Finding
from meldref.core.editing import LOG_LINE_END
from meldref.notation.reader import read_lines
from meldref_authoring.autofix import fix
from meldref_evidence.audit import replay
from meldref_evidence.log_fixes import fix_log
from paths import TESTS

LOG = """[Rules "500-rummy"]
[Players "Ann, Bob, Cy"]
hand 1 dealer Cy
deal Ann 5h 5c 5s 2c 9d Ks Qd
deal Bob 8h Js Jc Jd Ad Kd 5d
deal Cy 8s 9s Ts 4h 2h Tc 6s
up 6c
1. Ann: draw 4s; meld 5h 5c 5s; discard Ks
2. Bob: take Ks; discard 8h
3. Cy: draw 3h; meld 8s 9s Ts; discard 3h
4. Ann: draw 7s; lay 7s m2; discard Qd
5. Bob: draw 3c; lay 5d m1; lay Js m2; discard 3c
6. Cy: draw 9c; lay 6s m2; discard 9c
"""


def fixed(text: str) -> str:
    """A log as `fmt --fix` leaves it."""
    log = fix_log(text.encode(), "test.rgn")
    assert log is not None
    return log.text


def spoilt(right: str, wrong: str) -> str:
    """The log with something written wrongly."""
    assert LOG.count(right) == 1
    return LOG.replace(right, wrong)


DAMAGED = {
    "a note that other programs break": 'note "a\u2028\u2029 \x85 b"\n1. Ann',
    "control characters in a line": 'note "a\x0b\x0c\x1c"\n1. Ann',
    "a carriage return in a line": 'note "a\rb"\n1. Ann',
    "a line that cannot be read": "= s:ock 17\n1. Ann",
}


@pytest.mark.parametrize("damage", DAMAGED)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_log_that_was_fixed_stays_as_it_is(damage, end):
    for at in ("1. Ann", "3. Cy"):
        text = spoilt("discard 8h", "discard 9h").replace(at, DAMAGED[damage].replace("1. Ann", at))
        once = fixed(text.replace("\n", end))
        assert fixed(once) == once
        kept = [line.partition(" # ? ")[0].rstrip("\r") for line in once.split("\n")]
        assert set(DAMAGED[damage].split("\n")[:-1]) <= {line.rstrip("\r") for line in kept}


def test_a_misspelled_word_is_mended_on_each_line_in_any_spelling():
    wrong = LOG.replace("2. Bob: take", "2) Bob: takke").replace("5. Bob: draw", "5. Bob: drwa")
    assert fixed(wrong).replace("2) Bob", "2. Bob") == LOG


def test_a_question_never_makes_a_line_too_long():
    long = spoilt("discard 8h\n", f"discard 9h # {'x' * 8_140}\n")
    assert fixed(long) == long


def test_the_log_has_nothing_wrong():
    assert not audit(LOG).findings


@pytest.mark.parametrize(
    ("right", "wrong", "repaired"),
    [
        ("meld 5h 5c 5s", "meld 5h 5h 5s", "meld 5c 5h 5s"),
        ("draw 3c", "take 3c", "draw 3c"),
        ("; discard Ks", "", "; discard Ks"),
    ],
    ids=["other cards of a meld in another order", "a card and any card", "a discard taken next"],
)
def test_what_says_the_same_or_less_is_no_other_explanation(right, wrong, repaired):
    assert fixed(spoilt(right, wrong)) == LOG.replace(right, repaired)


@pytest.mark.parametrize(
    ("right", "wrong", "listed"),
    [
        ("draw 4s; meld 5h", "draw 4h; meld 5h", "stock 4s 3h 7s 3c 9c\n"),
        ("draw 7s; lay 7s m2", "lay 7s m2", ""),
        (
            "draw 3h; meld 8s 9s Ts; discard 3h",
            "draw 3d; meld 8s 9s Ts; discard 3h",
            "stock 4s 3h 7s\n",
        ),
    ],
    ids=["the stock says which", "the only card not held", "the card thrown was drawn"],
)
def test_a_card_that_the_log_shows_is_written_where_it_was_drawn(right, wrong, listed):
    log = LOG.replace("1. Ann", f"{listed}1. Ann")
    assert log.count(right) == 1
    assert not audit(log).findings
    assert fixed(log.replace(right, wrong)) == log


@pytest.mark.parametrize(
    "unread", ["~~ 4s, Ks", "first 4s, 5h 5c 5s, Ks", "Turn 1: Ann: draw 4s; lays fives, then Ks"]
)
def test_no_turn_is_written_beside_a_line_that_cannot_be_read(unread):
    """That line is most likely the turn which the next one shows to be missing."""
    begin, _, rest = LOG.partition("1. Ann: draw 4s; meld 5h 5c 5s; discard Ks\n")
    after = rest.partition("4. Ann")[0].replace("meld 8s 9s Ts; ", "")
    text = f"{begin}{unread}\n{after}4. Ann: draw 7s; discard Qd\n"
    assert len(fixed(text).splitlines()) == len(text.splitlines())


@pytest.mark.parametrize("wrong", ["8s 9s 9s", "8s 8s Ts", "9s 9s Ts"])
def test_of_a_card_that_stands_twice_in_a_run_the_one_out_of_order_is_another(wrong):
    assert fixed(spoilt("meld 8s 9s Ts", f"meld {wrong}")) == LOG


def test_a_misspelled_name_becomes_the_only_one_that_can_be_meant_on_each_line():
    assert fixed(LOG.replace("Ann: draw", "Anne: draw")) == LOG


def test_a_misspelled_name_that_may_be_either_of_two_stays_as_it_is():
    text = LOG.replace("Ann", "Bop").replace("1. Bop", "1. Boc")
    assert fixed(text) == text


@pytest.mark.parametrize(
    ("right", "wrong"),
    [("hand 1 dealer Cy", "hand 1 dealer Bob"), ("2c 9d Ks Qd", "2c Kd Ks Qd")],
    ids=["who dealt", "a card dealt"],
)
def test_a_question_stands_at_the_line_that_may_be_wrong(right, wrong):
    asked = [line for line in fixed(spoilt(right, wrong)).splitlines() if " # ? " in line]
    assert [wrong in line for line in asked] == [True]


@pytest.mark.parametrize(
    ("right", "wrong", "told"),
    [
        ("; meld 8s 9s Ts", "", "“meld 8s 9s Ts” is missing in line 10"),
        ("; discard Ks", "", "“discard Ks” is missing in line 8"),
        ("draw 7s; ", "", "“draw 7s” is missing in line 11"),
        ("5. Bob", "5. Bob: draw 3c\n5. Bob", "line 13 replaces line 12"),
    ],
)
def test_a_repair_names_what_is_missing_as_it_is_written(right, wrong, told):
    (finding,) = audit(spoilt(right, wrong)).findings
    assert finding.repair
    assert finding.repair.text == told


def test_where_the_header_has_a_name_wrongly_it_is_the_header_that_is_repaired():
    assert fixed(spoilt('"Ann, Bob, Cy"', '"Anne, Bob, Cy"')) == LOG


def test_of_a_card_listed_twice_in_the_stock_one_is_taken_out():
    deck = [rank + suit for suit in "cdhs" for rank in "A23456789TJQK"]
    drawn = ["4s", "3h", "7s", "3c", "9c"]
    stock = " ".join([*drawn, *(card for card in [*deck, "Jk", "Jk"] if card not in LOG)])
    log = LOG.replace("1. Ann", f"stock {stock}\n1. Ann")
    assert not audit(log).findings
    assert fixed(log.replace("7s 3c", "7s 7s 3c")) == log


@pytest.mark.parametrize(
    ("wrong", "repaired"),
    [
        ("{}\n{} # well", "{}\n# {} # well"),
        ("2. Bob: take Ks; discard Jd\n{}", "# 2. Bob: take Ks; discard Jd\n{}"),
    ],
    ids=["with a remark", "corrected"],
)
def test_a_line_that_is_taken_out_and_stands_nowhere_else_becomes_a_comment(wrong, repaired):
    right = "2. Bob: take Ks; discard 8h"
    expected = spoilt(right, repaired.format(right, right))
    assert fixed(spoilt(right, wrong.format(right, right))) == expected


def test_a_card_that_was_written_is_not_made_unknown():
    text = LOG.replace("draw 3h", "draw 5h").replace("discard 3h", "discard 4h")
    assert "draw 5h" in fixed(text)


def test_a_repair_is_not_made_that_a_later_line_contradicts():
    """A card was taken that was not in the pile, and thrown later: it is asked about."""
    text = (TESTS / "games/found/repair-contradicted-later.rgn").read_text()
    assert [line.partition(" # ?")[0] for line in fixed(text).split("\n")] == text.split("\n")


@pytest.mark.parametrize(("effort", "is_fixed"), [(0, False), (100_000, True)])
def test_a_file_is_looked_at_no_more_once_that_took_much_effort(effort, is_fixed):
    text = spoilt("draw 9c", "drwa 9c")

    def look(data: bytes) -> tuple[Finding, ...]:
        return replay(read_lines(data.decode()), "test.rgn").findings

    done = fix(text.encode(), look, "test.rgn", line_end=LOG_LINE_END, effort=effort)
    assert done is not None
    assert (done.text == LOG) == is_fixed


def test_a_wrong_score_beside_a_card_not_held_is_nobody_elses():
    hand = """[Rules "three-thirteen"]
[Players "A, B"]
hand 1 dealer B
deal A 5h 6h 9c
deal B 4c 4d Kd
up 8h
1. A: draw 7h; meld 5h 6h 7h; discard 9c
2. B: draw 4s; meld 4c 4d 4h; discard Kd
end out A
score A 0, B 10
"""
    assert fixed(hand).split("\n")[-2] == "score A 0, B 10"
