"""Turns that a house rule on ends leaves without a legal end: which rule, and since when."""

from __future__ import annotations

from collections.abc import Sequence

from meldref.core.cards import each
from meldref.core.events import Discard, Line, Turn
from meldref.engine.judge import Judge
from meldref.moves.can_finish import can_finish
from meldref.moves.exhaustive import after, is_over
from meldref.position.model import Position
from meldref.rules.base import Violation


def ban_on_ends(judge: Judge, position: Position) -> Violation | None:
    """The house rule that forbids to end a turn with an otherwise legal discard, if any."""
    house = judge.house
    if house is None:
        return None
    codes = {f"house.{ban.rule.name}" for ban in house.bans.of_ends}
    for card in set(each(position.hands[position.turn.seat])) if codes else ():
        violation = judge.violation(position, Discard(card))
        if violation is not None and violation.code in codes:
            return violation
    return None


def since_when(judge: Judge, start: Position, lines: Sequence[Line]) -> tuple[Line, int] | None:
    """The line and the action after which a turn could no longer be ended, if that is known.

    `start` is where the turn began, or stood before these lines of it.
    """
    state = start.copy()
    if state.begins:
        judge.play.begin_turn(state, state.turn.seat)
    turn = state.turn
    for line in lines:
        assert isinstance(line.event, Turn)
        for step, written in enumerate(line.event.actions):
            action = judge.meant(state, written)
            if judge.violation(state, action) is not None:
                return None
            state = after(judge, state, action)
            if is_over(state, turn):
                return None
            if can_finish(judge, state) is False:
                return line, step
    return None
