"""Logs that say beside them, in `*.expect.yaml`, what has to be found in them (`tests/games/README.md`)."""

from __future__ import annotations

from pathlib import Path

from meldref.core.diagnostics import Finding, Severity
from meldref.documents.reader import Value
from meldref.notation.reader import read_lines
from meldref.replay.log import Overrides, replay
from paths import TESTS
from written import read_yaml_file

GAMES = TESTS / "games"
LOGS = tuple(
    sorted(path for path in GAMES.rglob("*.rgn") if path.with_suffix(".expect.yaml").exists())
)


def audited(path: Path) -> tuple[list[Finding], list[object]]:
    """The errors of a log, and what it leaves open."""
    report = replay(
        read_lines(path.read_text(encoding="utf-8")), path.name, Overrides(beside=path.parent)
    )
    assert report.readable, [finding.message for finding in report.findings]
    errors = [finding for finding in report.findings if finding.severity is Severity.ERROR]
    return errors, list(report.open)


def failures(path: Path) -> list[str]:
    """What of a log's audit is not as is said beside it.

    In `found`, a log has no finding besides those said if it has `only` or none is said; the
    others may have some that follow from them. Anywhere else, nothing else may be found, but for
    what is `doubtful`; and whether something is open is not said.
    """
    expect = read_yaml_file(path.with_suffix(".expect.yaml"))
    due = expect["findings"]
    errors, undecided = audited(path)
    failed = [
        f"not found: {expected}"
        for expected in due
        if not any(meets(one, expected) for one in errors)
    ]
    apart = path.parent.name == "found"
    allowed = due if apart else [*due, *expect.get("doubtful", ())]
    others = [one for one in errors if not any(meets(one, expected) for expected in allowed)]
    if not apart or expect.get("only", not due):
        failed += [f"found besides: {one.span.line} {one.code}: {one.message}" for one in others]
    verdict = "clean"
    if due:
        verdict = "violations"
    elif apart and undecided:
        verdict = "undecided"
    if expect["verdict"] != verdict:
        failed.append(f"the verdict: {verdict}")
    return failed


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
