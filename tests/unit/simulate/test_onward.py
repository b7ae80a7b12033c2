"""A hand is played out from a position: by its rules, with unseen cards dealt by lot, the same from the same seed."""

from __future__ import annotations

import pytest

from audits import built
from meldref.core.events import HandEnd, Points, Turn, Void
from meldref.notation.reader import read_lines
from meldref.notation.writer import write_event
from meldref.replay.log import stand_before
from meldref.replay.play_moves import play_moves
from meldref_evidence.explaining import RecordExplainer
from meldref_table.onward import play_on
from meldref_table.simulate import Seats
from tables import at_each_table, game

SEEN = {
    "players": ["A", "B"],
    "hands": {"A": "4d 4h 9h Ks", "B": "5c 5d 9s"},
    "pile": "6s 4c",
    "stock": "2c 3c 7d 8s Jc Qd Ah Tc Kd 8h",
}


def onward(position, seed=1, times=1, kinds=None):
    players = position.position.players
    kinds = kinds or ("greedy",) * len(players)
    return [*play_on(position, Seats(players, kinds), seed, times)]


def moves_of(played):
    return [write_event(event) for event in played.lines if isinstance(event, Turn)]


@at_each_table
@pytest.mark.sweep(every=4)
def test_what_is_played_on_in_the_middle_of_a_game_is_legal_there(rules, options):
    reads = [*read_lines(game(rules, options, 1))]
    turns = [line.number for line, _ in reads if isinstance(line.event, Turn)]
    line = turns[len(turns) // 3]
    position, findings = stand_before(reads, line, explainer=RecordExplainer())
    assert position is not None, findings
    kinds = ("greedy", *["random"] * (len(position.position.players) - 1))
    for played in onward(position, 3, 2, kinds):
        again, _ = stand_before(reads, line, explainer=RecordExplainer())
        assert again is not None
        assert not play_moves(again, moves_of(played)).findings


def test_the_turn_under_way_is_played_to_its_end():
    (played,) = onward(built(**SEEN, turn="take 4c"))
    first = played.lines[0]
    assert isinstance(first, Turn)
    assert write_event(first).startswith("1. A: take 4c; meld 4c 4d 4h")
    assert not play_moves(built(**SEEN), moves_of(played)).findings


def test_cards_that_nobody_saw_are_dealt_anew_each_time_and_the_same_from_the_same_seed():
    unseen = built(hands={"A": "4d 4h 9h Ks", "B": "?*5"}, pile="6s 4c", stock=17)
    played = onward(unseen, times=5)
    assert len({tuple(moves_of(one)) for one in played}) == 5
    assert onward(unseen, times=5) == played
    assert onward(unseen, seed=2, times=5) != played


def test_who_scored_most_won_and_the_end_and_the_scores_are_written():
    for played in onward(built(**SEEN), times=3, kinds=("random", "random")):
        end, points = played.lines[-2:]
        assert isinstance(end, HandEnd)
        assert isinstance(points, Points)
        assert [score for _, score in points.amounts] == [*played.scores]
        best = max(played.scores)
        assert played.winners == tuple(
            side for side, score in enumerate(played.scores) if score == best
        )


def test_a_hand_in_which_nothing_legal_is_left_is_annulled_and_nobody_wins():
    rule = {"forbid": "discard", "says": "Nobody discards.", "when": "player.held > 0"}
    stuck = built(settings={"house_rules.never": rule}, **SEEN)
    (played,) = onward(stuck)
    assert isinstance(played.lines[-1], Void)
    assert (played.reason, played.winners) == ("void", ())


OVER = {"hands": {"A": "4d 4h", "B": "5c"}, "turn": "take 4c; meld 4c 4d 4h"}


@pytest.mark.parametrize(
    ("rules", "given", "said"),
    [
        ("contract-rummy", {"players": ["A", "B", "C"], "hands": {"A": "4d"}}, "which hand"),
        ("500-rummy", {**SEEN, **OVER}, "the hand is over"),
    ],
)
def test_why_nobody_can_play_on_is_said(rules, given, said):
    with pytest.raises(ValueError, match=said):
        onward(built(rules, **given))
