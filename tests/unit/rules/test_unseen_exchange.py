"""An exchange on a meld that was laid in turns nobody wrote down."""

from __future__ import annotations

from meldref_evidence.audit import audit_text

LOG = """[Rules "{rules}"]
[Set "melds.wild.swap=for_natural"]
[Players "Ann, Bob"]
hand 1 dealer Bob
deal Ann ?*13
deal Bob ?*13
up 3c
1. Ann: draw ?; discard 4d
gap
9. Ann: draw ?; swap 7c m3; discard 5d
"""


def test_house_rules_take_an_exchange_on_an_unseen_meld(tmp_path):
    """Rules that count what was laid ask for the points of the wild card, which nobody saw there."""
    (tmp_path / "r.yaml").write_text(
        "id: r\nextends: [500-rummy]\nhouse_rules: {laid: {forbid: end, when: turn.points > 90, says: No.}}\n"
    )
    report = audit_text(LOG.format(rules="./r.yaml"), beside=tmp_path)
    assert report.readable
    assert report.findings == []
