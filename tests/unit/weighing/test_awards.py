"""Scores are weighed with what house rules award, as far as that is known."""

from __future__ import annotations

import pytest

from meldref.core.diagnostics import errors_in
from meldref.notation.reader import read_lines
from meldref.replay.log import Overrides
from meldref_evidence.audit import replay

RULES = """id: ours
name: Ours
extends: [500-rummy, no-jokers]
deal: {cards: 3}
house_rules:
  bonus:
    award: AMOUNT
    when: WHEN
    says: Whoever goes out gets more.
"""
LOG = """[Players "Ann, Bob"]
hand 1 dealer Bob
deal Ann ?*3
deal Bob ?*3
up 2c
1. Ann: draw ?; discard 3c
2. Bob: draw ?; discard 4c
3. Ann: draw ?; discard 5c
4. Bob: draw ?; meld As Ad Ac; discard 6c
end out Bob
score Ann {ann}, Bob {bob}
"""


def audit(tmp_path, amount, when, **scores):
    rules = tmp_path / "ours.yaml"
    text = RULES.replace("AMOUNT", amount).replace("WHEN", when)
    rules.write_text(text, encoding="utf-8")
    return replay(read_lines(LOG.format(**scores)), "log.rgn", Overrides(str(rules)))


@pytest.mark.parametrize(("ann", "codes"), [(-35, []), (-41, ["score.hand"]), (-5, ["score.hand"])])
def test_a_hand_with_awards_that_are_known_is_weighed(tmp_path, ann, codes):
    """Three cards cost at most 35 points, with the last ace, and at least 7."""
    report = audit(tmp_path, "25", "player.went_out", ann=ann, bob=70)
    assert [one.code for one in errors_in(report.findings)] == codes


def test_a_hand_with_awards_that_nobody_knows_is_not_weighed(tmp_path):
    report = audit(tmp_path, "player.held", "player.cards > 0", ann=-41, bob=45)
    assert errors_in(report.findings) == []
    assert report.open
