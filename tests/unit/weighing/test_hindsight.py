"""A turn that was left open is decided by what later lines show of hands, and by nothing else."""

from __future__ import annotations

import pytest

from audits import audit

HEAD = """[Rules "500-rummy"]
[Set "deck.packs=2"]
[Players "Ann, Bob, Cy"]
hand 1 dealer Cy
deal Ann ?*7
deal Bob ?*7
deal Cy ?*7
up 6c
1. Ann: draw ?; discard 9h
2. Bob: take 9h; discard 9h
"""
"""Bob may throw a 9h if he held the other one before."""
OPEN = [(10, "whether the 9h thrown is the one just taken")]


def rest(*lines: str):
    """The audit of a hand that goes on with these lines, the first of them line 11."""
    return audit(HEAD + "\n".join(lines) + "\n")


def test_another_player_who_shows_the_card_had_it_or_drew_it_later():
    """In either case Bob cannot have held it; whose card it was does not matter."""
    for thrown in ("3. Cy: draw ?; discard 9h", "3. Cy: draw 9h; discard 2c"):
        report = rest(thrown)
        (finding,) = report.findings
        assert (finding.code, finding.span.line, finding.lines) == ("hand.missing", 11, (10,))
        assert "Bob's turn on line 10 was illegal" in finding.message
        assert report.open == []


@pytest.mark.parametrize("line", ["= hand Cy 9h ?*6", "show Cy 9h"])
def test_a_card_that_an_assertion_or_a_show_names_decides_it_too(line):
    report = rest(line)
    (finding,) = report.findings
    assert finding.lines == (10,)
    assert finding.code == ("log.assert" if line.startswith("=") else "hand.missing")


def test_a_player_who_drew_nothing_unseen_since_had_the_card_before():
    report = rest(
        "3. Cy: draw ?; discard 2c", "4. Ann: draw ?; discard 3c", "5. Bob: take 3c; discard 9h"
    )
    assert (report.findings, report.open) == ([], [])


def test_a_player_who_drew_since_may_have_drawn_the_card():
    report = rest(
        "3. Cy: draw ?; discard 2c", "4. Ann: draw ?; discard 3c", "5. Bob: draw ?; discard 9h"
    )
    assert report.findings == []
    assert [(one.line, one.what) for one in report.open] == OPEN


def test_the_card_that_others_take_and_throw_again_decides_nothing():
    report = rest(
        "3. Cy: take 9h; discard 2c",
        "4. Ann: draw ?; discard 3c",
        "5. Bob: draw ?; discard 4c",
        "6. Cy: draw ?; discard 9h",
    )
    assert report.findings == []
    assert [(one.line, one.what) for one in report.open] == OPEN


def test_earlier_lines_are_named_where_they_are_needed():
    """Of three packs, one 9h lies deeper in the pile."""
    log = HEAD.replace("packs=2", "packs=3").replace("up 6c", "up 9h")
    report = audit(log + "3. Cy: draw ?; discard 9h\n")
    (finding,) = report.findings
    assert (finding.span.line, finding.lines) == (11, (8, 10))
    assert audit(log.replace("up 9h", "up 6c") + "3. Cy: draw ?; discard 9h\n").findings == []


def test_a_new_stock_ends_what_later_lines_show_of_an_earlier_turn():
    """What lay in the pile may be drawn again, so that the same card may be shown twice."""
    head = HEAD.replace("[Set", '[Options "reshuffle-stock"]\n[Set').replace(
        "up 6c", "up 6c\nstock Ks Qs"
    )
    log = head + "3. Cy: draw ?; discard 2c\nreshuffle\n4. Ann: draw ?; discard 9h\n"
    assert "hand.missing" not in {finding.code for finding in audit(log).findings}
