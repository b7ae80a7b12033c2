"""Which moves are legal here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final

from meldref.answers.legal import LegalMove, judge_without_help
from meldref.core.effort import EFFORT
from meldref.core.events import Action, Challenge, Draw, Pass, Take
from meldref.engine.judge import Judge
from meldref.moves.calls import around, buys, calls, may_break_in
from meldref.moves.can_finish import can_finish
from meldref.moves.exhaustive import after, before_draw, between_draws, draws, takes
from meldref.moves.legal_actions import legal_plays
from meldref.moves.obligations import ways_to_settle
from meldref.notation.parts import write_name
from meldref.notation.writer import write_action
from meldref.position.model import GOING_ON, Position
from meldref.positions.build import Built
from meldref.rules.stock import reshuffle
from meldref.rules.turn import may_take_second

MOST_EFFORT: Final = 400_000
"""How much is looked at to list moves: hands with wild cards before a deep pile may have millions."""


class LegalMoves(list[LegalMove]):
    """Legal moves, those with most points first.

    `complete`: there are no others. `searched` is False where the search was given up, so that
    among those left out there may be better ones.
    """

    def __init__(self, moves: Iterable[LegalMove], *, complete: bool, searched: bool) -> None:
        super().__init__(moves)
        self.complete = complete
        self.searched = searched


def legal_moves(built: Built, limit: int | None = None, most: int | None = None) -> LegalMoves:
    """What may be done now: the moves of the player to move, most points first, then all calls.

    Before the draw these are the draws, with the plays that use a card that must be used; then
    melds, lay-offs, exchanges and discards. A call, or a challenge, names its player and comes with
    the plays that lay what was called. A move is listed exactly if the referee finds nothing
    against it.

    With `limit`, the search stops after that many moves of the player to move, and after that many
    calls. With `most`, only so many are listed, and calls are looked for only if there is room. The
    search is bounded in any case: the list says whether it is complete.

    Raises:
        ValueError: `limit` or `most` is below 0.
    """
    check_number("limit", limit)
    check_number("most", most)
    with EFFORT.at_most(MOST_EFFORT):
        own = _listed(built, _own(built), limit)
        if most is not None and len(own) > most:
            return LegalMoves(own[:most], complete=False, searched=own.searched)
        calls = _listed(built, _calls(built), limit)
    moves = [*own, *calls]
    searched = own.searched and calls.searched
    complete = searched and (most is None or len(moves) <= most)
    return LegalMoves(moves[:most], complete=complete, searched=searched)


def turn_moves(built: Built, limit: int | None = None) -> LegalMoves:
    """What the player to move may do now, most points first, and whether that is all.

    With `limit`, only the first that are found.
    """
    with EFFORT.at_most(MOST_EFFORT):
        return _listed(built, _own(built), limit)


def check_number(name: str, number: int | None) -> None:
    """Raises `ValueError` for a number of moves below 0; None stands for all of them."""
    if number is not None and number < 0:
        raise ValueError(f"{name} is a number from 0, not {number}")


def _listed(built: Built, found: Iterator[LegalMove], limit: int | None) -> LegalMoves:
    """Moves as they are found, each once: those with most points first."""
    cut = EFFORT.cut
    first = dict.fromkeys(islice(found, limit))
    searched = next(found, None) is None
    moves = legal_in_every_hand(built, first)
    searched = searched and EFFORT.cut == cut and not EFFORT.over
    in_order = sorted(moves, key=lambda move: -move.points)
    return LegalMoves(in_order, complete=searched, searched=searched)


def legal_in_every_hand(built: Built, moves: Iterable[LegalMove]) -> list[LegalMove]:
    """Those of some moves that are legal in every hand of the game; all are in the first.

    Once `EFFORT` is over, the others are left out.
    """
    others = [other for _, other in built.in_hands[1:]]
    if not others:
        return list(moves)
    legal = []
    for move in moves:
        verdicts = {judge_without_help(other, move.move).verdict for other in others}
        if EFFORT.over:
            break
        if verdicts == {"legal"}:
            legal.append(move)
    return legal


def _own(built: Built) -> Iterator[LegalMove]:
    position, judge = built.position, built.judge
    if position.ending is GOING_ON:
        state = position.copy()
        if state.begins:
            judge.play.begin_turn(state, state.turn.seat)
        if before_draw(state):
            yield from _opening(judge, state)
        else:
            yield from _second_takes(judge, state)
            yield from _going_on(judge, state)
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
            if EFFORT.over:
                return
            yield LegalMove(write_action(action), 0)
        elif between_draws(drawn):
            if can_finish(judge, drawn):
                yield LegalMove(write_action(action), 0)
        elif isinstance(action, Take):
            yield from _taking(judge, action, drawn)


def _taking(judge: Judge, action: Take, taken: Position) -> Iterator[LegalMove]:
    """A take, with the plays that use a card that must be used."""
    for way, used in ways_to_settle(judge, taken):
        if EFFORT.over:
            return
        yield LegalMove(written((action, *way)), _gain(taken, used))


def _second_takes(judge: Judge, state: Position) -> Iterator[LegalMove]:
    """The takes of the second card of two, where the first one emptied the stock."""
    if judge.ruleset.draw.count == 1 or not may_take_second(state):
        return
    for action in takes(judge, state):
        if judge.violation(state, action) is None:
            yield from _taking(judge, action, after(judge, state, action))


def _gain(before: Position, after: Position) -> int:
    seat = before.turn.seat
    return after.brought(seat) - before.brought(seat)


def written(actions: tuple[Action, ...]) -> str:
    """Actions as a move is written."""
    return "; ".join(map(write_action, actions))


def _by(position: Position, seat: int, actions: tuple[Action, ...]) -> str:
    return f"{write_name(position.players[seat])}: {written(actions)}"
