"""The main house stands alone: with the annexes hidden it audits, judges, lists moves and runs cases."""

from __future__ import annotations

import subprocess
import sys

from paths import ROOT, TESTS

ALONE = """
import sys


class Hidden:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name.startswith("meldref_"):
            raise ModuleNotFoundError(f"{name} is hidden", name=name)


sys.meta_path.insert(0, Hidden)
"""


def alone(program: str) -> str:
    """What a program prints that can import the main house alone."""
    result = subprocess.run(
        [sys.executable, "-c", ALONE + program],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.stderr == ""
    return result.stdout


def test_annexes_are_hidden():
    assert (
        alone("try:\n    import meldref_table\nexcept ImportError:\n    print('hidden')\n")
        == "hidden\n"
    )


def test_it_audits_a_log_and_tells_findings_as_found():
    program = """
from pathlib import Path
from meldref.replay.log import audit_file
for finding in audit_file(Path("examples/disputed.rgn")).findings:
    print(finding.code)
"""
    assert alone(program).split() == [
        "draw.deep.unused",
        "discard.taken-top",
        "meld.shape",
        "score.hand",
    ]


def test_it_judges_a_move_and_lists_those_that_are_legal():
    program = """
from meldref import judge_move, legal_moves, load_position
built, _ = load_position({"hands": {"A": "4d 9h 2h"}, "pile": "6s 4c Qs 4s 7h"})
print(judge_move(built, "take 7h; discard 7h").findings[0].code)
print(any(move.move.startswith("take 7h") for move in legal_moves(built)))
"""
    assert alone(program).split() == ["discard.taken-top", "True"]


def test_it_reads_rules_of_the_house_and_says_what_is_wrong_with_them(tmp_path):
    wrong = tmp_path / "house.yaml"
    wrong.write_text("id: lake\nextends: [500-rummy]\ngame: {taget: 300}\n", encoding="utf-8")
    program = f"""
from meldref import load_ruleset
ruleset, findings = load_ruleset({str(wrong)!r})
print(findings[0].code, findings[0].span.line)
"""
    assert alone(program).split() == ["rules.key", "3"]


def test_it_runs_cases():
    program = f"""
from pathlib import Path
from meldref.cases.run import read_cases
file, findings = read_cases(Path({str(TESTS / "cases" / "discard.yaml")!r}))
results = [file.run(index) for index in range(len(file.cases))]
print(len(results) > 5, all(result.passed for result in results), *findings)
"""
    assert alone(program) == "True True\n"
