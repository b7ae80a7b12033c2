"""All that the audit of a log says: the table of `tests/games/reports.yaml`, and logs of very many lines."""

from __future__ import annotations

import pytest

from audits import found
from expected_logs import REPORTS, report_failures
from meldref.notation.reader import read_lines
from meldref.notation.spelling import cards
from meldref.replay.log import Replay
from meldref_evidence.explaining import RecordExplainer


@pytest.mark.parametrize("row", REPORTS, ids=lambda row: row["what"])
def test_the_audit_of_a_log_says_what_the_table_says(row):
    assert report_failures(row) == []


@pytest.mark.parametrize("hands", [10, *range(60, 70), 100])
def test_of_very_many_wrong_totals_the_true_one_and_the_last_one_may_be_gone_on_from(hands):
    """The table adds to what it wrote last; that is not found again, nor is the true total."""
    lines = ['[Rules "500-rummy"]', '[Set "game.target=1000000"]', '[Players "A, B"]']
    kept = 0
    for hand in range(1, hands + 1):
        kept += 10 + hand
        lines += [f"hand {hand}", "score A 10, B 0", f"total A {kept}, B 0"]
    wrong = len(lines)
    for total in (kept + 10, 10 * hands + 10):
        more = [f"hand {hands + 1}", "score A 10, B 0", f"total A {total}, B 0"]
        assert max(line for line, _ in found("\n".join([*lines, *more]))) == wrong


def test_a_hand_under_way_stands_as_it_is_played():
    """And one that is being dealt as it is dealt so far; nothing is found wrong with it by asking."""
    run = Replay("test.rgn", explainer=RecordExplainer())
    log = '[Rules "500-rummy"]\n[Players "A, B"]\nhand 1 dealer B\ndeal A 2c ?*12\ndeal B ?*13\nup 4h\n'
    run.feed(list(read_lines(log)))
    hand = run.game.hand
    assert (hand.as_dealt().held, hand.as_dealt().pile, hand.position) == (
        [13, 13],
        [*cards(["4h"])],
        None,
    )
    run.feed(list(read_lines("1. A: draw; discard 2c\n")))
    assert hand.as_dealt() is hand.position
    assert run.finish().findings == []


def test_who_does_not_play_a_hand_has_no_score_in_it():
    run = Replay("test.rgn", explainer=RecordExplainer())
    log = """[Rules "kalooki-40"]
[Players "A, B, C"]
hand 1
end out A
score A 0, B 100, C 151
hand 2
end out B
score A 10, B 0
"""
    run.feed(list(read_lines(log)))
    assert run.game.scores.state.hand_scores() == (10, 0, None)
