"""Games of other programs, ones made like them, and ones with faults and slips audit as is said beside them."""

import pytest

from meldref.core.diagnostics import Severity
from meldref.notation.reader import read_lines
from meldref.replay.log import Overrides, replay
from paths import TESTS
from written import read_yaml_file

GAMES = TESTS / "games"
LOGS = sorted(
    [
        path
        for folder in ("outside/*", "made", "planted", "slips")
        for path in GAMES.glob(f"{folder}/*.rgn")
    ]
)


def audited(path):
    """The errors of a log, and what it leaves open."""
    report = replay(
        read_lines(path.read_text(encoding="utf-8")), path.name, Overrides(beside=path.parent)
    )
    assert report.readable, [finding.message for finding in report.findings]
    return [
        finding for finding in report.findings if finding.severity is Severity.ERROR
    ], report.open


def matches(code, because):
    """Whether a code is the one named, or of the family named."""
    return code == because or code.startswith(because + ".")


def meets(finding, expected):
    """Whether a finding is the one expected: its line or one of a range, its code or one that fits as well.

    `repair` is the edit that explains it.
    """
    if "repair" in expected and expected["repair"] != getattr(finding.repair, "edit", None):
        return False
    codes = [expected["because"], *expected.get("alternatives", ())]
    first, last = expected["line"], expected.get("to", expected["line"])
    return first <= finding.span.line <= last and any(matches(finding.code, code) for code in codes)


@pytest.mark.parametrize("path", LOGS, ids=lambda path: f"{path.parent.name}/{path.stem}")
@pytest.mark.sweep(every=3)
def test_a_game_audits_as_is_said_beside_it(path):
    expect = read_yaml_file(path.with_suffix(".expect.yaml"))
    found, _ = audited(path)
    said = [(one.span.line, one.code, one.message) for one in found]
    for expected in expect["findings"]:
        assert any(meets(one, expected) for one in found), f"not found: {expected}; found {said}"
    known = [*expect["findings"], *expect.get("doubtful", ())]
    others = [one for one in found if not any(meets(one, expected) for expected in known)]
    assert others == [], (
        f"found besides: {[(one.span.line, one.code, one.message) for one in others]}"
    )
    assert expect["verdict"] == ("violations" if expect["findings"] else "clean")


@pytest.mark.parametrize("path", sorted(GAMES.glob("found/*.rgn")), ids=lambda path: path.stem)
def test_a_mistake_is_found_once_and_what_nobody_saw_is_open(path):
    """A log with `only` has no finding besides those said; the others may have some that follow from them."""
    expect = read_yaml_file(path.with_suffix(".expect.yaml"))
    found, undecided = audited(path)
    said = [(one.span.line, one.code, one.message) for one in found]
    for expected in expect["findings"]:
        assert any(meets(one, expected) for one in found), f"not found: {expected}; found {said}"
    others = [
        one for one in found if not any(meets(one, expected) for expected in expect["findings"])
    ]
    assert others == [] or not expect.get("only", not expect["findings"]), said
    assert expect["verdict"] == ("violations" if found else "undecided" if undecided else "clean")


def test_there_are_games_of_other_programs_made_ones_and_ones_with_faults():
    assert {path.parent.parent.name for path in LOGS} >= {"outside"}
    assert {path.parent.name for path in LOGS} >= {"made", "planted", "slips"}


@pytest.mark.parametrize("path", sorted(GAMES.glob("made/*.rgn")), ids=lambda path: path.stem)
def test_a_made_game_leaves_nothing_open(path):
    assert audited(path)[1] == []
