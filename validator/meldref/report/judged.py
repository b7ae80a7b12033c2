"""Logs that two rulesets judge differently, as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from meldref.authoring.judged import JudgedLog, JudgedScore, Ruling
from meldref.core.text import many, name_of_file
from meldref.report.differences import SIDES
from meldref.report.excerpt import plain
from meldref.report.json import Data, finding_data
from meldref.report.text import rule_text, verdict_word


def judged_text(judged: Sequence[JudgedLog]) -> Iterator[str]:
    """The lines and scores of logs that are judged differently."""
    read = [log for log in judged if not log.trouble]
    if not read:
        return
    for log in read:
        for line in log.lines:
            yield ""
            yield f"{name_of_file(log.path)}:{line.line}: {plain(line.text.strip())}".rstrip(": ")
            yield from _ruling("A", line.first)
            yield from _ruling("B", line.second)
        for score in log.scores:
            yield ""
            yield f"{name_of_file(log.path)}: game {score.game}, hand {score.hand}: scores"
            for side, scored in zip(SIDES, (score.first, score.second), strict=True):
                said = ", ".join(f"{name} {points}" for name, points in scored.items()) if scored else "not known"
                yield f"  {side}: {said}"
    yield ""
    lines, scores = sum(len(log.lines) for log in read), sum(len(log.scores) for log in read)
    if not lines and not scores:
        yield f"{many(len(read), 'log')}: every line is judged alike, and every hand scored alike"
        return
    parts = [many(number, noun) for number, noun in ((lines, "line"), (scores, "hand's score")) if number]
    logs = sum(bool(log.lines or log.scores) for log in read)
    yield f"{' and '.join(parts)} judged differently, in {logs} of {many(len(read), 'log')}"


def _ruling(side: str, ruling: Ruling) -> Iterator[str]:
    if not ruling.findings and not ruling.open:
        yield f"  {side}: nothing wrong"
    for finding in ruling.findings:
        yield f"  {side}: {verdict_word(finding)}: {finding.message} [{finding.code}]"
        if finding.rule is not None:
            yield f"     = rule: {rule_text(finding.rule)}"
    for what in ruling.open:
        yield f"  {side}: undecided: {what}"


def judged_data(judged: Sequence[JudgedLog]) -> list[Data]:
    """The same for programs."""
    return [
        {
            "path": log.path,
            "trouble": log.trouble or None,
            "lines": [
                {
                    "line": line.line,
                    "text": line.text,
                    "first": _ruling_data(line.first),
                    "second": _ruling_data(line.second),
                }
                for line in log.lines
            ],
            "scores": [_score_data(score) for score in log.scores],
        }
        for log in judged
    ]


def _ruling_data(ruling: Ruling) -> Data:
    return {"findings": [finding_data(finding) for finding in ruling.findings], "open": list(ruling.open)}


def _score_data(score: JudgedScore) -> Data:
    return {
        "game": score.game,
        "hand": score.hand,
        "first": None if score.first is None else dict(score.first),
        "second": None if score.second is None else dict(score.second),
    }
