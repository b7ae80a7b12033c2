"""The referee alone: what it tells of a hand if nobody explains what happened in it."""

from __future__ import annotations

from meldref.replay import log
from meldref_evidence import audit

LOG = """\
[Rules "500-rummy"]
[Players "Ann, Bob"]

hand 1 dealer Bob
up 4h
1. Ann: draw 9c; meld 2c 3c 4c; discard 9d
2. Bob: draw 2d; meld 5s 6s 7s; discard 8d
2. Bob: draw 2d; meld 5s 6s 7s; discard 8d
3. Ann: draw 9s; discard Jd
"""


def test_without_an_explainer_findings_are_told_as_they_are_found():
    told = log.audit_text(LOG).findings
    explained = audit.audit_text(LOG).findings
    assert [finding.repair and finding.repair.edit for finding in explained] == ["line-twice"]
    assert len(told) > len(explained)
    assert not any(finding.repair for finding in told)
