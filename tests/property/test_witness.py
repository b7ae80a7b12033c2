"""A log that somebody may have written of a legal game has a witness: a full log that audits clean, and looks the same."""

import re
from random import Random

import pytest

from meldref.answers.masking import EVERYBODY
from meldref.notation.reader import read_lines
from meldref_evidence.witness import Witnesses
from meldref_table.views.view import view_text
from property.test_options import GAMES
from property.test_unseen import MASKED, masked, played
from simulated import findings, log_of


def lines_of(text):
    """A log's lines without its headers, and without a list of a stock that nobody saw."""
    return [line for line in text.splitlines() if not re.match(r"\[|stock \?", line)]


def witness_of(text):
    """The witness of a log that has to have one."""
    witness = Witnesses(read_lines(text)).possible()
    assert witness is not None, text
    assert findings(witness.text) == ([], []), witness.text
    assert "?" not in "\n".join(lines_of(witness.text))
    return witness.text


@pytest.mark.parametrize("game", GAMES)
def test_a_view_of_a_legal_game_has_a_witness_of_which_it_is_a_view(game):
    full = played(f"{game} 1", [game])
    for viewer in (EVERYBODY, re.search(r'\[Players "(\w+)', full)[1]):
        seen = view_text(full, viewer)
        assert lines_of(view_text(witness_of(seen), viewer)) == lines_of(seen)
    assert witness_of(masked(full, "half", Random(game)))


def test_an_open_score_has_a_witness_against_it():
    full, _ = log_of("500-rummy", [], [], ("greedy", "greedy", "random"), 3, hands=1)
    witnesses = Witnesses(read_lines(view_text(full, EVERYBODY)))
    (line,) = {one.line for one in witnesses.report.open}
    against = witnesses.against(line)
    assert against is not None
    wrong, _ = findings(against.text)
    assert {one.code for one in wrong} <= {"score.hand", "score.total"}
    assert wrong[0].span.line == line


def test_an_open_turn_has_a_witness_for_it_and_one_against_it():
    log = """[Rules "500-rummy"]
[Set "deck.packs=2"]
[Players "Ann, Bob"]
hand 1 dealer Bob
deal Ann ?*13
up 6c
1. Ann: draw ?; discard 9h
2. Bob: take 9h; discard 9h
3. Ann: draw ?; discard 3c
4. Bob: draw ?; discard 9h
"""
    witnesses = Witnesses(read_lines(log))
    assert [one.line for one in witnesses.report.open] == [8]
    assert findings(witness_of(log)) == ([], [])
    against = witnesses.against(8)
    assert against is not None
    wrong, _ = findings(against.text)
    assert [one.code for one in wrong] == ["discard.taken-top"]


def test_a_log_with_a_violation_has_no_witness():
    full, _ = log_of("500-rummy", [], [], ("greedy", "greedy"), 1, hands=1)
    spoilt = re.sub(r"score (\w+) -?\d+", r"score \1 999", view_text(full, EVERYBODY))
    witnesses = Witnesses(read_lines(spoilt))
    assert not witnesses.is_possible
    assert witnesses.possible() is None
    assert witnesses.against(1) is None


@pytest.mark.parametrize("game", GAMES)
def test_whatever_is_masked_what_is_written_is_clean(game):
    full = played(f"{game} thrown", [game])
    witnesses = Witnesses(read_lines(masked(full, "thrown", Random(game))))
    assert witnesses.is_possible
    possible = witnesses.possible()
    if possible is not None:
        assert findings(possible.text) == ([], [])
        assert "?" not in "\n".join(lines_of(possible.text))


@pytest.mark.parametrize("number", range(4))
@pytest.mark.parametrize("game", GAMES)
def test_each_witness_of_whatever_is_masked_shows_what_it_says(game, number):
    rng = Random(f"witness {game} {number}")
    full = played(f"{game} witness {number}", [game])
    witnesses = Witnesses(read_lines(masked(full, rng.choice(list(MASKED)), rng)))
    assert witnesses.is_possible
    possible = witnesses.possible()
    if possible is not None:
        assert findings(possible.text) == ([], [])
    for line in sorted({question.line for question in witnesses.report.open})[:3]:
        against = witnesses.against(line)
        if against is not None:
            assert against.line == line
            assert findings(against.text)[0] != []


THROWN = """[Rules "500-rummy"]
[Players "Ann, Bob"]
hand 1
up 6c
Ann: draw ?; discard ?
Bob: take 9h; discard ?
"""


def test_a_card_nobody_saw_thrown_has_a_witness_for_it_and_one_against_it():
    assert "take 9h" in witness_of(THROWN)
    against = Witnesses(read_lines(THROWN)).against(6)
    assert against is not None
    assert [one.code for one in findings(against.text)[0]] == ["discard.taken-top"]


def test_a_log_too_long_for_witnesses_says_so():
    witnesses = Witnesses(read_lines(THROWN + 'note ""\n' * 2_000))
    assert witnesses.possible() is None
    assert witnesses.is_spent
