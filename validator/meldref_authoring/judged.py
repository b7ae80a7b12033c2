"""Which lines of recorded games two rulesets judge differently, and which hands they score so."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from meldref.core.diagnostics import Finding
from meldref.core.records import record
from meldref.replay.result import LogReport, Scores


@record
class Ruling:
    """What one ruleset says about a line: what it finds there, and what it leaves open."""

    findings: tuple[Finding, ...] = ()
    open: tuple[str, ...] = ()


@record
class JudgedLine:
    """A line that two rulesets judge differently; `text` is empty if neither quotes it."""

    line: int
    text: str
    first: Ruling
    second: Ruling


@record
class JudgedScore:
    """A hand without a recorded score that two rulesets score differently (None: unknown)."""

    game: int
    hand: int
    first: Mapping[str, int] | None
    second: Mapping[str, int] | None


@record
class JudgedLog:
    """A log that was judged by both rulesets; `trouble` says why it could not be."""

    path: str
    lines: tuple[JudgedLine, ...] = ()
    scores: tuple[JudgedScore, ...] = ()
    trouble: str = ""


def lines_apart(first: LogReport, second: LogReport) -> tuple[JudgedLine, ...]:
    """The lines of a log about which two audits differ, in order."""
    before, after = _by_line(first), _by_line(second)
    lines: list[JudgedLine] = []
    for line in sorted({*before, *after}):
        first_ruling, other = before.get(line, Ruling()), after.get(line, Ruling())
        if _gist(first_ruling) != _gist(other):
            excerpts = [finding.excerpt for finding in (*first_ruling.findings, *other.findings)]
            text = next(filter(None, excerpts), "")
            lines.append(JudgedLine(line, text, first_ruling, other))
    return tuple(lines)


def _by_line(report: LogReport) -> dict[int, Ruling]:
    findings: defaultdict[int, list[Finding]] = defaultdict(list)
    doubts: defaultdict[int, list[str]] = defaultdict(list)
    for finding in report.findings:
        findings[finding.span.line].append(finding)
    for question in report.open:
        doubts[question.line].append(question.what)
    lines = {*findings, *doubts}
    return {line: Ruling(tuple(findings[line]), tuple(doubts[line])) for line in lines}


def _gist(ruling: Ruling) -> object:
    """What is equal in two rulings that say the same."""
    findings = [(finding.code, finding.span.column, finding.message) for finding in ruling.findings]
    return sorted(findings), sorted(ruling.open)


def scores_apart(first: Sequence[Scores], second: Sequence[Scores]) -> tuple[JudgedScore, ...]:
    """The hands that two audits score differently.

    Recorded scores are judged at their own lines.
    """
    before = {(score.game, score.hand): score for score in first}
    after = {(score.game, score.hand): score for score in second}
    recorded = {
        (score.game, score.hand) for score in (*first, *second) if score.recorded is not None
    }
    apart: list[JudgedScore] = []
    for hand in dict.fromkeys((*before, *after)):
        computed = before[hand].computed if hand in before else None
        other = after[hand].computed if hand in after else None
        if hand not in recorded and computed != other:
            apart.append(JudgedScore(*hand, computed, other))
    return tuple(apart)
