"""Each shipped game has an example log of whole hands that audits clean and shows what is peculiar to the game."""

import re

import pytest

from meldref.notation.reader import read_lines
from meldref.notation.writer import format_log
from meldref.rulefiles.files import list_rulesets
from meldref_evidence.audit import replay
from paths import ROOT

EXAMPLES = ROOT / "examples"
LOGS = {path.stem: path.read_text(encoding="utf-8") for path in EXAMPLES.glob("*.rgn")}
OF_GAME = {shipped.id: shipped.id for shipped in list_rulesets() if shipped.type == "game"} | {
    "500-rummy": "evening"
}
PECULIAR = {
    "500-rum": [
        r"\n1\. (\w+): discard",  # the first turn has no draw
        r"\w+: rummy (\w\w) (\w\w) (\w\w); meld \1 \2 \3",  # called cards alone leave the pile
    ],
    "partnership-500-rum": [r"\w+: rummy", r"score \w+\+\w+ -?\d+, \w+\+\w+ -?\d+"],
    "persian-rummy": [
        r"meld Jk Jk Jk",
        r"meld (\w\w ){3}\w\w[;\s]",
        r"\nresult \w+\+\w+",
        r"\nchips \w+\+\w+ -\d+",
    ],
    "gilfoy-500-rummy": [
        r"\n\d+\. (\w+): (?:(?!discard).)*\n\d+\. (?!\1)",  # a player who melds every card floats
        r"discard \?(?: #.*)?\nend out",  # the last discard may lie face down
        r"\w+: rummy",
    ],
    "contract-rummy": [r"\n\w+: buy \w\w\n", r"meld (\w\w ?){3,}; meld", r"meld (\w\w ){3}\w\w"],
    "kalooki-40": [r"meld [^;]*; meld", r"swap \w\w m\d", r"score Ann \d+, Bob \d+, Cy \d+"],
    "michigan-rum": [r"\nresult", r"\n1\. \w+: (?!draw|take)"],
    "5000-rummy": [r"\nwild \w\n", r"=\w"],
    "basic-rummy": [r"\nreshuffle\n", r"score Ann \d+, Bob 0"],
    "three-thirteen": [r"=\w", r"discard \w\w\n\d+\. .*\n\d+\. .*\nend out"],
    "shanghai-rummy": [r"meld (\w\w ?){3,}; meld", r"score Ann \d+, Bob \d+, Cy \d+"],
    "may-i": [r"\n\w+: buy \w\w\n", r"meld [^;]*; meld"],
    "online-rummy-500": [r"swap \w\w m\d", r"\nend stock", r"\nend out"],
}


@pytest.mark.parametrize("game", sorted(OF_GAME))
def test_a_game_has_an_example_log_of_it(game):
    assert f'[Rules "{game}"]' in LOGS[OF_GAME[game]]


@pytest.mark.parametrize("game", sorted(PECULIAR))
def test_an_example_log_audits_clean(game):
    report = replay(read_lines(LOGS[game]))
    assert report.findings == []
    assert report.open == []
    assert report.hands >= 2


@pytest.mark.parametrize("game", sorted(PECULIAR))
def test_an_example_log_is_in_canonical_form(game):
    assert "".join(format_log(line for line, _ in read_lines(LOGS[game]))) == LOGS[game]


@pytest.mark.parametrize("game", sorted(PECULIAR))
def test_an_example_log_shows_what_is_peculiar_to_the_game(game):
    missing = [pattern for pattern in PECULIAR[game] if not re.search(pattern, LOGS[game])]
    assert missing == []


def test_a_last_discard_that_was_called_leaves_the_hand_to_go_on():
    # Lena's five is her last card; Piet calls it, so she picks the pile up, and Nora plays on.
    lines = LOGS["500-rum"].splitlines()
    called = next(number for number, line in enumerate(lines) if line.startswith("Piet: rummy 5s"))
    assert lines[called - 1].startswith("27. Lena: ")
    assert lines[called + 1].startswith("28. Nora: ")
    played_on = "\n".join(
        [*lines[:called], "= hand Lena 0", lines[called], "= pile", lines[called + 1], ""]
    )
    assert replay(read_lines(played_on)).findings == []
