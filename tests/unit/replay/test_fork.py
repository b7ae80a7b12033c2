"""A log can be gone on with from the beginning of any of its hands, by itself."""

from __future__ import annotations

import pytest

from meldref import read_lines
from meldref.core.events import HandStart
from meldref.replay.log import Overrides, Replay
from meldref_evidence.explaining import RecordExplainer
from paths import ROOT
from together import each

LOGS = sorted(
    path
    for folder in ("examples", "tests/games/planted", "tests/errors")
    for path in (ROOT / folder).rglob("*.rgn")
)


def reported(run):
    """What an audit says."""
    report = run.finish()
    return report.verdict, report.turns, report.findings, report.scores, report.open


def gone_on_with(path):
    """Goes on with a log from its first hand and its last two, and compares what is reported."""
    reads = list(read_lines(path.read_text(encoding="utf-8", errors="replace")))
    run = Replay(path.name, Overrides(beside=path.parent), explainer=RecordExplainer())
    forks = []
    for at, read in enumerate(reads, 1):
        run.feed((read,))
        if isinstance(read[0].event, HandStart):
            forks.append((at, run.fork()))
    due = reported(run)
    for at, fork in {**dict(forks[:1]), **dict(forks[-2:])}.items():
        fork.feed(reads[at:])
        assert reported(fork) == due, at


@pytest.mark.sweep
def test_a_log_that_is_gone_on_with_from_any_hand_comes_to_the_same_findings_and_scores():
    each(gone_on_with, {path.relative_to(ROOT).as_posix(): (path,) for path in LOGS})
