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
    rulings = [_by_line(report) for report in (first, second)]
    lines: list[JudgedLine] = []
    for line in sorted({*rulings[0], *rulings[1]}):
        first_ruling, other = (ruling.get(line, Ruling()) for ruling in rulings)
        if _gist(first_ruling) != _gist(other):
            excerpts = [finding.excerpt for finding in (*first_ruling.findings, *other.findings)]
            text = next(filter(None, excerpts), "")
            lines.append(JudgedLine(line, text, first_ruling, other))
    return tuple(lines)


def _by_line(report: LogReport) -> dict[int, Ruling]:
    by_line: defaultdict[int, tuple[list[Finding], list[str]]] = defaultdict(lambda: ([], []))
    for finding in report.findings:
        by_line[finding.span.line][0].append(finding)
    for question in report.open:
        by_line[question.line][1].append(question.what)
    return {
        line: Ruling(tuple(findings), tuple(doubts)) for line, (findings, doubts) in by_line.items()
    }


def _gist(ruling: Ruling) -> object:
    """What is equal in two rulings that say the same."""
    findings = [(finding.code, finding.span.column, finding.message) for finding in ruling.findings]
    return sorted(findings), sorted(ruling.open)


def scores_apart(first: Sequence[Scores], second: Sequence[Scores]) -> tuple[JudgedScore, ...]:
    """The hands that two audits score differently.

    Recorded scores are judged at their own lines.
    """
    numbers = [{(score.game, score.hand): score for score in scores} for scores in (first, second)]
    scores_judged: list[JudgedScore] = []
    for game, hand in dict.fromkeys((*numbers[0], *numbers[1])):
        first_score, other = (scores.get((game, hand)) for scores in numbers)
        scores_there = [scores for scores in (first_score, other) if scores is not None]
        if any(scores.recorded is not None for scores in scores_there):
            continue
        before = None if first_score is None else first_score.computed
        after = None if other is None else other.computed
        if before != after:
            scores_judged.append(JudgedScore(game, hand, before, after))
    return tuple(scores_judged)
