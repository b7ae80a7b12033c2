"""Whole turns that are legal here, and ways to lay a hand down: those that bring most first."""

from __future__ import annotations

from meldref.answers.legal import LegalMove
from meldref.answers.listing import check_number, legal_in_every_hand, written
from meldref.position.model import GOING_ON
from meldref.positions.build import Built
from meldref_table.best import Goal, LayDown
from meldref_table.best.every_way import best_lay_down
from meldref_table.best.whole_turns import WholeTurns, whole_turns


def legal_turns(built: Built, most: int | None = None) -> tuple[list[LegalMove], WholeTurns]:
    """At most `most` whole turns of the player to move, most points first, and the search.

    Raises:
        ValueError: `most` is below 0.
    """
    check_number("most", most)
    position = built.position
    if position.ending is not GOING_ON:
        return [], WholeTurns((), complete=True, searched=True)
    turns = whole_turns(built.judge, position, most)
    moves = legal_in_every_hand(
        built, (LegalMove(written(turn.actions), turn.points) for turn in turns.turns)
    )
    return moves, turns


def best_plays(built: Built, goal: Goal = "score") -> LayDown:
    """The most valuable way for the player to move to lay down known cards, with its proof.

    Wild cards on the table are exchanged where that pays. What house rules forbid is not laid, nor
    what they let no discard follow. What else a turn asks for (a card that must be used, what may
    be discarded) is ignored.
    `goal`: the gain in the hand's `score`, cards no longer held included, or only `points`; both
    with what house rules award.

    The time grows with the fourth power of the cards held: with four jokers, 60 cards of two packs
    take about a second.

    Raises:
        TooManyWays: the wild cards can be laid in more than 100,000 ways.
    """
    return best_lay_down(built.judge, built.position, goal)
