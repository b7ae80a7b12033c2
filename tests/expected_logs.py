"""Logs and what has to be found in them: in `*.expect.yaml`, or in `reports.yaml` (`tests/games/README.md`)."""

from __future__ import annotations

from pathlib import Path

from meldref.core.diagnostics import Finding, errors_in
from meldref.documents.reader import Value
from meldref.notation.reader import read_lines
from meldref.replay.log import Overrides
from meldref.replay.result import LogReport
from meldref_evidence.audit import replay
from paths import TESTS
from written import read_yaml_file

GAMES = TESTS / "games"
LOGS = tuple(
    sorted(path for path in GAMES.rglob("*.rgn") if path.with_suffix(".expect.yaml").exists())
)
REPORTS = read_yaml_file(GAMES / "reports.yaml")
"""Short logs, with all that an audit says of them."""


def audited(path: Path) -> LogReport:
    """The audit of a log."""
    report = replay(
        read_lines(path.read_text(encoding="utf-8")), path.name, Overrides(beside=path.parent)
    )
    assert report.readable, [finding.message for finding in report.findings]
    return report


def failures(path: Path) -> list[str]:
    """What of a log's audit is not as is said beside it, and what is not told of one of its lines.

    Nothing else may be found than is said or `doubtful`; of a log in `found` that has findings,
    only if it says `only`, since others may follow from them.
    """
    expect = read_yaml_file(path.with_suffix(".expect.yaml"))
    report, due = audited(path), expect["findings"]
    errors = errors_in(report.findings)
    failed = [
        f"not found: {expected}"
        for expected in due
        if not any(meets(finding, expected) for finding in errors)
    ]
    if path.parent.name != "found" or expect.get("only", not due):
        known = [*due, *expect.get("doubtful", ())]
        failed += [
            f"found besides: {finding.span.line} {finding.code}: {finding.message}"
            for finding in errors
            if not any(meets(finding, expected) for expected in known)
        ]
    lines = path.read_text(encoding="utf-8").split("\n")
    failed += [
        f"no line of the log: {finding.span.line} {finding.excerpt}"
        for finding in report.findings
        if finding.excerpt not in {"", *lines[finding.span.line - 1 : finding.span.line]}
    ]
    open_lines = sorted({question.line for question in report.open})
    facts = {
        "verdict": (report.verdict, expect["verdict"]),
        "open": (open_lines, expect.get("open", open_lines if _may_be_open(path, expect) else [])),
        "games": (report.games, expect.get("games", report.games)),
        "hands": (report.hands, expect.get("hands", report.hands)),
        "turns": (report.turns, expect.get("turns", report.turns)),
    }
    return [
        *failed,
        *(f"{key}: {got}, not {said}" for key, (got, said) in facts.items() if got != said),
    ]


def _may_be_open(path: Path, expect: dict[str, Value]) -> bool:
    """Whether a log leaves something open that is not said: after slips, what they may have hidden."""
    return path.parent.name == "slips" or expect["verdict"] == "undecided"


def meets(finding: Finding, expected: dict[str, Value]) -> bool:
    """Whether a finding is the one expected: its line or one of a range, its code or one that fits as well.

    `repair` is the edit that explains it.
    """
    if "repair" in expected and expected["repair"] != getattr(finding.repair, "edit", None):
        return False
    codes = [expected["because"], *expected.get("alternatives", ())]
    first, last = expected["line"], expected.get("to", expected["line"])
    return first <= finding.span.line <= last and any(
        _matches(finding.code, code) for code in codes
    )


def _matches(code: str, because: str) -> bool:
    """Whether a code is the one named, or of the family named."""
    return code == because or code.startswith(because + ".")


def report_failures(row: dict[str, Value]) -> list[str]:
    """What of the audit of a log in `reports.yaml` is not as is said there."""
    report = replay(read_lines(row["log"]), "test.rgn")
    due, left = row.get("found", []), row.get("open", [])
    places = [f"{finding.span.line} {finding.code}" for finding in report.findings]
    open_at = [(question.line, question.hand) for question in report.open]
    failed = [
        f"{what}: {got}, not {said}"
        for what, got, said in [
            ("found", places, [expected["at"] for expected in due]),
            ("open", open_at, [(expected["at"], expected["hand"]) for expected in left]),
            ("turns", report.turns, row.get("turns", report.turns)),
        ]
        if got != said
    ]
    for finding, expected in zip(report.findings, due, strict=False):
        failed += _untold(finding, expected)
    failed += [
        f"{question.what}, not {expected['says']}"
        for question, expected in zip(report.open, left, strict=False)
        if expected["says"] not in question.what
    ]
    if "scores" in row:
        known = [
            {key: getattr(hand, key) for key in expected}
            for hand, expected in zip(report.scores, row["scores"], strict=False)
        ]
        if known != row["scores"] or len(report.scores) != len(known):
            failed.append(f"scores: {known}, not {row['scores']}")
    return failed


def _untold(finding: Finding, expected: dict[str, Value]) -> list[str]:
    """What a finding does not tell as is said in `reports.yaml`."""
    notes = expected.get("notes", finding.notes)
    parts = zip(notes, finding.notes, strict=False)
    key = "" if finding.rule is None else finding.rule.key
    met = {
        "hand": finding.hand == expected.get("hand", finding.hand),
        "says": expected.get("says", "") in finding.message,
        "notes": len(notes) == len(finding.notes) and all(part in note for part, note in parts),
        "key": expected.get("key", key) == key,
        "help": expected.get("help", bool(finding.help)) == bool(finding.help),
    }
    return [f"{what} of {finding}" for what, is_met in met.items() if not is_met]
