"""Findings and audits as JSON for programs: keys are added, never changed in meaning."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

from meldref.core.diagnostics import Finding, Origin, Repair
from meldref.core.version import __version__
from meldref.report.tally import Audited

_HALVES: Final = r"(?P<whole>\\\\|\\ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2})|\\ud[89a-f][0-9a-f]{2}"

VERSION: Final = 1
"""The version of the format."""

Data: TypeAlias = "Mapping[str, Data] | Sequence[Data] | str | int | float | bool | None"


def finding_data(finding: Finding, path: str = "") -> dict[str, Data]:
    """A finding.

    `file` is there only where it stands in another file than the log, such as a ruleset.
    """
    rule = finding.rule
    data: dict[str, Data] = {
        "code": finding.code,
        "severity": finding.severity.value,
        "message": finding.message,
        "line": finding.span.line,
        "column": finding.span.column,
        "end_column": finding.span.end_column,
        **facts(finding, "game", "hand", "turn", "player"),
        "rule": None if rule is None else origin_data(rule),
        "clauses": list(finding.clauses),
        "help": list(finding.help),
    }
    if finding.notes:
        data["notes"] = list(finding.notes)
    if finding.rules:
        data["rules"] = [origin_data(origin) for origin in finding.rules]
    if finding.repair is not None:
        data["repair"] = repair_data(finding.repair)
    if finding.lines:
        data["lines"] = list(finding.lines)
    if not finding.is_in(path):
        data["file"] = finding.file
    return data


def repair_data(repair: Repair) -> dict[str, Data]:
    """What probably happened instead of what a line says."""
    follows: list[Data] = [facts(finding, "line", "code", "message") for finding in repair.follows]
    return {**facts(repair, "edit", "line", "text"), "follows": follows}


def facts(value: object, *names: str) -> dict[str, Any]:
    """These attributes of something, by their names."""
    return {name: getattr(value, name) for name in names}


def finding_rows(path: str, findings: Iterable[Finding]) -> Iterator[Data]:
    """Findings as lines of JSON Lines, each with the path of its file."""
    return ({"path": path, **finding_data(finding, path)} for finding in findings)


def origin_data(rule: Origin) -> dict[str, Data]:
    """Who set a key."""
    return facts(rule, "key", "value", "file", "line")


def log_text(audited: Audited) -> Iterator[str]:
    """The audit of one log, piece by piece, since scores may be many.

    `more` counts findings not kept.
    """
    report = audited.report
    head: dict[str, Data] = {
        **facts(report, "path", "verdict", "games", "hands", "turns"),
        "findings": [finding_data(finding, report.path) for finding in report.findings],
    }
    yield dump(head)[:-1] + ', "scores": ['
    between = ""
    for scores in audited.scores:
        yield between + dump(facts(scores, "game", "hand", "recorded", "computed"))
        between = ", "
    tail: dict[str, Data] = {
        "open": [facts(question, "line", "what", "game", "hand") for question in report.open]
    }
    if audited.hidden:
        tail["more"] = audited.hidden
    yield "], " + dump(tail)[1:]


def opening() -> str:
    """The beginning of an audit's JSON, up to its first log."""
    return f'{{"version": {VERSION}, "meldref": {dump(__version__)}, "logs": ['


def dump(data: Data) -> str:
    """JSON in one line, in ASCII, so that no terminal or pipe can spoil it.

    Half a character becomes a mark.
    """
    text = json.dumps(data)
    return (
        text
        if "\\ud" not in text
        else re.sub(_HALVES, lambda match: match["whole"] or "\\ufffd", text)
    )
