"""Turns without a legal end: since which action, and by which house rule on ends, if by one."""

from __future__ import annotations

from collections.abc import Sequence

from meldref.core.cards import each
from meldref.core.events import Discard, Line, Turn
from meldref.engine.judge import Judge
from meldref.moves.can_finish import can_finish
from meldref.moves.exhaustive import after, is_over
from meldref.position.model import Position
from meldref.position.turn import place_of
from meldref.rules.base import Violation


def ban_on_ends(
    judge: Judge, position: Position, began: tuple[Position, Sequence[Line]] | None
) -> Violation | None:
    """The house rule that forbids every otherwise legal discard, at the action since which it does.

    `began` is where the turn began, or stood before these lines of it; where that or the action is
    not known, the violation has no place.
    """
    if judge.house is None:
        return None
    codes = {f"house.{ban.rule.name}" for ban in judge.house.bans.of_ends}
    if not codes:
        return None
    for card in set(each(position.hands[position.turn.seat])):
        ban = judge.violation(position, Discard(card))
        if ban is None or ban.code not in codes:
            continue
        since = None if began is None else since_when(judge, *began)
        if since is None:
            return ban
        return ban._replace(place=place_of(*since, position.turns))
    return None


def since_when(judge: Judge, start: Position, lines: Sequence[Line]) -> tuple[Line, int] | None:
    """The line and the action after which a turn could no longer be ended, if that is known."""
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
