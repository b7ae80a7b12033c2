"""Which moves are legal here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from meldref.answers.legal import LegalMove, judge_move
from meldref.core.events import Action, Challenge, Draw, Pass, Take
from meldref.engine.judge import Judge
from meldref.moves.calls import around, buys, calls, may_break_in
from meldref.moves.can_finish import can_finish
from meldref.moves.exhaustive import after, before_draw, draws
from meldref.moves.legal_actions import legal_plays
from meldref.moves.obligations import ways_to_settle
from meldref.notation.parts import write_name
from meldref.notation.writer import write_action
from meldref.position.model import GOING_ON, Position
from meldref.positions.build import Built
from meldref.rules.stock import reshuffle


def legal_moves(built: Built, limit: int | None = None) -> list[LegalMove]:
    """What may be done now: the moves of the player to move, most points first, then all calls.

    Before the draw these are the draws, with the plays that use a card that must be used; then
    melds, lay-offs, exchanges and discards. A call, or a challenge, names its player and comes with
    the plays that lay what was called. A move is listed exactly if the referee finds nothing
    against it.

    With `limit`, the search stops after that many moves of the player to move, and after that many
    calls.
    """
    calls = legal_in_every_hand(built, dict.fromkeys(islice(_calls(built), limit)))
    return [*turn_moves(built, limit), *sorted(calls, key=lambda move: -move.points)]


def turn_moves(built: Built, limit: int | None = None) -> list[LegalMove]:
    """What the player to move may do now, most points first.

    With `limit`, only the first that are found.
    """
    moves = legal_in_every_hand(built, dict.fromkeys(islice(_own(built), limit)))
    return sorted(moves, key=lambda move: -move.points)


def legal_in_every_hand(built: Built, moves: Iterable[LegalMove]) -> list[LegalMove]:
    """Those of some moves that are legal in every hand of the game; all are in the first."""
    others = [other for _, other in built.in_hands[1:]]
    return [
        move
        for move in moves
        if all(judge_move(other, move.move).verdict == "legal" for other in others)
    ]


def _own(built: Built) -> Iterator[LegalMove]:
    position, judge = built.position, built.judge
    if position.ending is GOING_ON:
        state = position.copy()
        if state.begins:
            judge.play.begin_turn(state, state.turn.seat)
        yield from _opening(judge, state) if before_draw(state) else _going_on(judge, state)
    if position.ending is GOING_ON and reshuffle(judge.binding)(position) is None:
        yield LegalMove("reshuffle", 0)


def _calls(built: Built) -> Iterator[LegalMove]:
    position, judge = built.position, built.judge
    for seat, action in buys(judge, position):
        yield LegalMove(_by(position, seat, (action,)), 0)
    for seat, actions, state in calls(judge, position):
        gained = state.brought(seat) - position.brought(seat)
        yield LegalMove(_by(position, seat, actions), gained)
    if position.final is not None:
        for seat in around(position):
            if seat != position.final[0] and may_break_in(judge, position, seat, Challenge()):
                yield LegalMove(_by(position, seat, (Challenge(),)), 0)


def _going_on(judge: Judge, state: Position) -> Iterator[LegalMove]:
    for action in legal_plays(judge, state):
        yield LegalMove(write_action(action), _gain(state, after(judge, state, action)))


def _opening(judge: Judge, state: Position) -> Iterator[LegalMove]:
    if state.turn.opening and judge.ruleset.deal.first_turn == "no_draw":
        yield from _going_on(judge, state)
        return
    for action in draws(judge, state):
        drawn = after(judge, state, action)
        if isinstance(action, Pass) or (
            isinstance(action, Draw) and can_finish(judge, drawn) is not False
        ):
            yield LegalMove(write_action(action), 0)
        elif isinstance(action, Take):
            for way, used in ways_to_settle(judge, drawn):
                yield LegalMove(written((action, *way)), _gain(drawn, used))


def _gain(before: Position, after: Position) -> int:
    seat = before.turn.seat
    return after.brought(seat) - before.brought(seat)


def written(actions: tuple[Action, ...]) -> str:
    """Actions as a move is written."""
    return "; ".join(map(write_action, actions))


def _by(position: Position, seat: int, actions: tuple[Action, ...]) -> str:
    return f"{write_name(position.players[seat])}: {written(actions)}"
