"""A hand with mistakes in it is weighed as its lines are followed after them, and the finding says so."""

from __future__ import annotations

from audits import audit

LOG = """[Rules "500-rummy"]
[Options "no-jokers"]
[Set "deal.cards=3"]
[Players "Ann, Bob, Cy"]
hand 1 dealer Cy
deal Ann As Ks Ad
deal Cy Ah Js Qs
up 4c
1. Ann: draw Ac; discard Ks
2. Bob: draw ?; discard 2c
3. Cy: draw 3c; discard 3c
4. Ann: take 3c; discard 3c
5. Bob: draw ?; discard 2d
6. Cy: draw 3d; discard 3d
7. Ann: draw Jd; meld As Ad Ac; discard Jd
end out Ann
score Ann 45, Bob -45, Cy -35
"""
"""Ann throws the card she took; in any case no three cards that nobody saw are worth 45 points."""


def test_scores_are_weighed_after_an_illegal_move_and_the_finding_says_so():
    illegal, impossible = audit(LOG).findings
    assert (illegal.code, illegal.span.line) == ("discard.taken-top", 12)
    assert (impossible.code, impossible.span.line) == ("score.hand", 17)
    assert any("line 12" in note for note in impossible.notes)


def test_a_line_at_which_something_was_found_is_no_evidence_of_cards():
    """Only the last turn shows three aces, which may have been other cards if it is written wrongly."""
    seen = LOG.replace("deal Ann As Ks Ad", "deal Ann ?*3").replace("draw Ac", "draw ?")
    legal = seen.replace("take 3c; discard 3c", "draw 8c; discard 8c")
    assert [one.code for one in audit(legal).findings] == ["score.hand"]
    illegal = legal.replace(
        "draw Jd; meld As Ad Ac; discard Jd", "take 3d; meld As Ad Ac; discard 3d"
    )
    report = audit(illegal)
    assert [one.code for one in report.findings] == ["discard.taken-top"]
    assert 17 in {one.line for one in report.open}


def test_a_mistake_that_leaves_open_how_many_cards_moved_ends_the_weighing():
    report = audit(LOG.replace("5. Bob: draw ?; discard 2d", "5. Bob: draw ?; meld 2d 5h 9s"))
    assert "score.hand" not in {one.code for one in report.findings}
