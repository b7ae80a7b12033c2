"""What ships as an example is what it is said to be, and what README shows is what the program prints."""

import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

import generate
from paths import ROOT

EXAMPLES = ROOT / "examples"
MELDREF = Path(sys.executable).parent / "meldref"


def meldref(*arguments: str) -> tuple[int, str]:
    """Exit status and output of the installed program, run from the project's folder."""
    done = subprocess.run(
        [MELDREF, *arguments],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=120,
    )
    return done.returncode, done.stdout


def audited(name: str) -> dict:
    """The audit of one example."""
    status, output = meldref("audit", "--format", "json", f"examples/{name}")
    found = json.loads(output)
    assert status == int(found["summary"]["violations"] > 0)
    return found["logs"][0]


def test_the_evening_is_clean_and_ends_with_a_winner():
    log = audited("evening.rgn")
    assert log["verdict"] == "clean"
    assert not log["findings"]
    assert log["hands"] == 6
    assert all(score["recorded"] == score["computed"] for score in log["scores"])
    text = (EXAMPLES / "evening.rgn").read_text(encoding="utf-8")
    assert "rummy " in text
    assert "result Ann" in text


def test_the_disputed_hand_has_three_violations_and_a_wrong_score():
    log = audited("disputed.rgn")
    assert [(finding["line"], finding["code"]) for finding in log["findings"]] == [
        (14, "draw.deep.unused"),
        (15, "discard.taken-top"),
        (16, "meld.shape"),
        (19, "score.hand"),
    ]


@pytest.mark.parametrize("log", ["evening.rgn", "disputed.rgn"])
def test_the_logs_are_in_canonical_form(log):
    assert meldref("fmt", "--check", f"examples/{log}")[0] == 0


def test_the_house_rules_make_sense_and_pass_their_own_cases():
    assert meldref("rules", "check", "examples/our-house.yaml")[0] == 0
    assert meldref("rules", "test", "examples/our-house.yaml")[0] == 0


def test_the_position_offers_the_move_that_readme_is_about():
    status, output = meldref("legal", "--position", "examples/position.yaml", "--format", "json")
    assert status == 0
    assert "take 4c; meld 4c 4d 4h" in {move["move"] for move in json.loads(output)["moves"]}


@pytest.mark.sweep
def test_generated_pages_and_what_readme_shows_are_up_to_date():
    """Of the other pages, `test_docs` runs each block."""
    names = ["README", *(path.stem for path in generate.PAGES_MADE)]
    done = subprocess.run(
        [sys.executable, "docs/generate.py", "--check", *names],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=300,
    )
    assert (done.returncode, done.stdout) == (0, ""), done.stdout + done.stderr


def test_readmes_commands_for_other_places_of_the_evening_work():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for words in re.findall(r"`(meldref (?:replay|legal) [^`\n]*--at \d+[^`\n]*)`", readme):
        status, output = meldref(
            *re.findall(r'[^\s"]+|"[^"]*"', words.replace('"draw; discard Ks"', "draw"))[1:]
        )
        assert status in {0, 1}
        assert output


def test_the_logs_show_the_notations_range():
    """Somebody who learns from them meets each of these."""
    actions = Counter(
        re.findall(
            r"\b(draw|take|meld|lay|discard|rummy)\b", (EXAMPLES / "evening.rgn").read_text()
        )
    )
    assert set(actions) == {"draw", "take", "meld", "lay", "discard", "rummy"}
