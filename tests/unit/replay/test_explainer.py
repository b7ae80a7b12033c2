"""The referee alone: what it tells of a hand if nobody explains what happened in it."""

from __future__ import annotations

import subprocess
import sys

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

WITHOUT_ANNEX = """\
import sys

class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name.startswith({hidden}):
            raise ImportError(name)

sys.meta_path.insert(0, Hidden())
from meldref.replay.log import audit_text
print(*[finding.code for finding in audit_text({log!r}).findings])
"""
HIDDEN = ("repair", "whole_record", "explaining", "audit")


def codes(report):
    return [finding.code for finding in report.findings]


def test_without_an_explainer_findings_are_told_as_they_are_found():
    told = log.audit_text(LOG).findings
    explained = audit.audit_text(LOG).findings
    assert [finding.repair and finding.repair.edit for finding in explained] == ["line-twice"]
    assert len(told) > len(explained)
    assert not any(finding.repair for finding in told)


def test_the_referee_audits_where_nothing_is_there_that_explains():
    hidden = ("meldref_evidence.weighing", *[f"meldref.replay.{name}" for name in HIDDEN])
    program = WITHOUT_ANNEX.format(hidden=hidden, log=LOG)
    run = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )
    assert run.stdout.split() == codes(log.audit_text(LOG))
