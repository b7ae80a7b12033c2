"""Whatever stands in a file, the program says what is wrong with it and never fails itself.

`MELDREF_FUZZ` says how many examples of each there are: a few in the suite, many thousands by hand.
With the extra `fuzz`, `python tests/property/test_hostile.py logs` lets Atheris look for them, by
the branches they reach.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

import hostile
from meldref.notation.jsonlines import json_lines
from meldref.notation.reader import read_lines
from meldref_cli.main import main

EXAMPLES = int(os.environ.get("MELDREF_FUZZ", "4"))
OBJECTS = [
    json.loads(line)
    for text in hostile.LOGS[:3]
    for line in json_lines(line.event for line, _ in read_lines(text) if line.event is not None)
]
LOG = '[Rules "rules.json"]\n[Players "A, B"]\nhand 1 dealer B\nA: draw; meld 5h 6h 7h; lay 8h m1; discard 2c\n'


fuzzed = settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck))


def survives(text: str, name: str, *commands: str) -> None:
    """Each command on a file of that text ends with a status that speaks of the file."""
    here, stdin = Path.cwd(), sys.stdin
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            Path("log.rgn").write_text(LOG, encoding="utf-8")
            Path(name).write_text(text, encoding="utf-8", errors="surrogateescape")
            for command in commands:
                said = io.StringIO()
                sys.stdin = io.StringIO("draw; discard 2c\nmoves\nscore\nundo\nend\ndeal\n")
                Path("page.html").unlink(missing_ok=True)
                with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
                    status = main(command.split(" "))
                assert status in {0, 1, 2}, f"{command}: {said.getvalue()[-2000:]}"
        finally:
            sys.stdin = stdin
            os.chdir(here)


@pytest.mark.sweep
@fuzzed
@given(hostile.logs())
def test_no_log_makes_the_program_fail(text):
    survives(
        text,
        "log.rgn",
        "audit log.rgn",
        "audit --format json log.rgn",
        "fmt log.rgn",
        "fmt --diff log.rgn",
        "convert log.rgn",
        "convert --to json log.rgn",
        "replay log.rgn",
        "replay --at 9 --svg log.rgn",
        "report -o page.html log.rgn",
        "score log.rgn",
        "rules diff 500-rummy 500-rum --logs log.rgn",
        "table -q log.rgn",
    )


@pytest.mark.sweep
@fuzzed
@given(hostile.rules)
def test_no_rules_file_makes_the_program_fail(text):
    survives(
        text,
        "rules.json",
        "rules check rules.json",
        "audit log.rgn",
        "rules test rules.json",
        "rules diff 500-rummy rules.json",
    )


@pytest.mark.sweep
@fuzzed
@given(hostile.house_rules)
def test_no_house_rule_makes_the_program_fail(text):
    survives(
        text,
        "rules.json",
        "rules check rules.json",
        "rules check --diff rules.json",
        "rules rulebook rules.json",
        "rules show rules.json",
        "explain house.h0 --rules rules.json",
        "audit log.rgn",
        "report -o page.html log.rgn",
        "legal --turns --rules rules.json --hand 5h6h7h2c --pile 8h",
    )


@fuzzed
@given(hostile.cases)
def test_no_case_makes_the_program_fail(text):
    survives(text, "cases.json", "rules test cases.json")


@fuzzed
@given(hostile.positions)
def test_no_position_makes_the_program_fail(text):
    survives(
        text,
        "position.json",
        "legal draw --position position.json",
        "legal --position position.json --most 5",
    )


@fuzzed
@given(hostile.json_lines(OBJECTS))
def test_no_line_of_json_makes_the_program_fail(text):
    survives(text, "log.jsonl", "convert log.jsonl --to rgn")


TARGETS = {
    "logs": test_no_log_makes_the_program_fail,
    "rules": test_no_rules_file_makes_the_program_fail,
    "house": test_no_house_rule_makes_the_program_fail,
    "cases": test_no_case_makes_the_program_fail,
    "positions": test_no_position_makes_the_program_fail,
    "jsonl": test_no_line_of_json_makes_the_program_fail,
}

if __name__ == "__main__":
    import atheris

    with atheris.instrument_imports():
        import meldref.replay.log
        import meldref.rulefiles.compose  # noqa: F401  what is to be looked at
    atheris.Setup([sys.argv[0], *sys.argv[2:]], TARGETS[sys.argv[1]].hypothesis.fuzz_one_input)
    atheris.Fuzz()
