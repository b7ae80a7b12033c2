"""What ships as an example is what it is said to be, and what README shows is what the program prints."""

import re
from collections import Counter

import pytest

from paths import ROOT

EXAMPLES = ROOT / "examples"


@pytest.fixture(autouse=True)
def _at_the_root(monkeypatch):
    monkeypatch.chdir(ROOT)


@pytest.fixture
def audited(meldref):
    """The audit of one example, by its name."""

    def audit(name: str) -> dict:
        ran = meldref("audit", "--format", "json", f"examples/{name}")
        assert ran.code == int(ran.data["summary"]["violations"] > 0)
        return ran.data["logs"][0]

    return audit


def test_the_evening_is_clean_and_ends_with_a_winner(audited):
    log = audited("evening.rgn")
    assert log["verdict"] == "clean"
    assert not log["findings"]
    assert log["hands"] == 6
    assert all(score["recorded"] == score["computed"] for score in log["scores"])
    text = (EXAMPLES / "evening.rgn").read_text(encoding="utf-8")
    assert "rummy " in text
    assert "result Ann" in text


def test_the_disputed_hand_has_three_violations_and_a_wrong_score(audited):
    log = audited("disputed.rgn")
    assert [(finding["line"], finding["code"]) for finding in log["findings"]] == [
        (14, "draw.deep.unused"),
        (15, "discard.taken-top"),
        (16, "meld.shape"),
        (19, "score.hand"),
    ]


@pytest.mark.parametrize("log", ["evening.rgn", "disputed.rgn"])
def test_the_logs_are_in_canonical_form(meldref, log):
    assert meldref("fmt", "--check", f"examples/{log}").code == 0


def test_the_house_rules_make_sense_and_pass_their_own_cases(meldref):
    assert meldref("rules", "check", "examples/our-house.yaml").code == 0
    assert meldref("rules", "test", "examples/our-house.yaml").code == 0


def test_the_position_offers_the_move_that_readme_is_about(meldref):
    ran = meldref("legal", "--position", "examples/position.yaml", "--format", "json")
    assert ran.code == 0
    assert "take 4c; meld 4c 4d 4h" in {move["move"] for move in ran.data["moves"]}


def test_readmes_commands_for_other_places_of_the_evening_work(meldref):
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for words in re.findall(r"`(meldref (?:replay|legal) [^`\n]*--at \d+[^`\n]*)`", readme):
        ran = meldref(
            *re.findall(r'[^\s"]+|"[^"]*"', words.replace('"draw; discard Ks"', "draw"))[1:]
        )
        assert ran.code in {0, 1}
        assert ran.out


def test_the_logs_show_the_notations_range():
    """Somebody who learns from them meets each of these."""
    actions = Counter(
        re.findall(
            r"\b(draw|take|meld|lay|discard|rummy)\b", (EXAMPLES / "evening.rgn").read_text()
        )
    )
    assert set(actions) == {"draw", "take", "meld", "lay", "discard", "rummy"}
