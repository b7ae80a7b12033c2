"""Lines of players whose turn it is not: whether the name is wrong, a line is missing or was written twice."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from meldref.core.cards import UNKNOWN
from meldref.core.diagnostics import Finding
from meldref.core.events import Call, Draw, Line, Turn
from meldref.core.records import fields_of
from meldref.position.model import UNCOUNTED, Position
from meldref.position.turn import TurnState
from meldref.replay.aftermath import forget
from meldref.rules.declare import facts
from meldref.suggest.budget import Suggestions

if TYPE_CHECKING:
    from meldref.replay.turn import Referee


class OutOfTurn(NamedTuple):
    """A line out of turn that was carried out as written: who played it, and whose turn it was.

    `before` is the position before it, not to be changed, `turns` how many turns there were with it. None for
    `before`: what was played is certain, and only the order of those after it is not.
    """

    line: Line
    event: Turn
    seat: int
    due: int
    turns: int
    skipped: bool = False
    before: Position | None = None


def adopt(position: Position, other: Position) -> None:
    """Makes a position what another one is."""
    for name in fields_of(position):
        setattr(position, name, getattr(other, name))


def played_by(referee: Referee, before: Position, line: Line, seat: int) -> tuple[list[Finding], Position]:
    """What would be found in a line that were a player's next turn, or call, and the position after it."""
    found: list[Finding] = []
    position, event = before.copy(), line.event
    assert isinstance(event, Turn)
    if type(event.actions[0]) is not Call:
        position.turn = TurnState(seat, opening=position.turn.opening)
    trial = type(referee)(referee.judge, position, found.append, lambda _line, _what: None, Suggestions(0))
    trial.trying = True
    trial.turn(line, event._replace(number=None), seat)
    return found, position


def not_there(found: list[Finding]) -> bool:
    """Whether cards are played that are not there."""
    return any(facts(one.code).not_there for one in found)


def misnamed(referee: Referee, line: Line, seat: int) -> bool:
    """Whether a line can be a turn of the player who is due, and not of the one it names: by their cards."""
    before = referee.position
    if not not_there(played_by(referee, before, line, seat)[0]):
        return False
    return not not_there(played_by(referee, before, line, before.turn.seat)[0])


def caller(referee: Referee, line: Line, seat: int) -> Position | None:
    """The position after a call that only another player than the one named can make; None where that is not so.

    The call has begun, and is found wrong.
    """
    before = referee.position.copy()
    call = before.turn.call
    if call is None or call.resume is None or call.begun:
        return None
    before.turn, before.begins = call.resume, call.resume_begins
    if not not_there(played_by(referee, before, line, seat)[0]):
        return None
    tried = [played_by(referee, before, line, other) for other in before.order if other != seat]
    able = [position for found, position in tried if not found]
    return able[0] if len(able) == 1 else None


def skip(position: Position, event: Turn, seat: int) -> bool:
    """Whether turns before a line are not written, by its number or the card it draws; if so, carries them out.

    What was played in them is unknown, as after a gap.
    """
    missing, due = [], position.turn.seat
    while due != seat:
        missing.append(due)
        due = position.after[due]
    many, first, stock = len(missing), event.actions[0], position.stock
    drawn = [first.card] if isinstance(first, Draw) and first.card != UNKNOWN else []
    listed = bool(drawn) and drawn == stock[-1 - many : -many] != stock[-1:]
    by = 0 if event.number is None or position.turns is None else event.number - position.turns - 1
    if not listed and (by in position.ahead or by - many not in position.ahead):
        return False
    if listed:
        del stock[-many:]
        position.stock_size -= many
    else:
        position.passed = many == 1 and bool(stock)
        position.stock = stock if position.passed else []
        position.stock_size = UNCOUNTED
    forget(position, missing)
    return True


def goes_on(referee: Referee, line: Line, event: Turn, seat: int) -> bool | None:
    """Whether a line out of turn follows from one before it, which was found; False where it is played by now.

    The name was wrong there, and the player after the one due goes on; or the one due plays now, since the two
    lines were swapped, or the other was played in between.
    """
    slip, position = referee.slip, referee.position
    referee.slip = None
    if slip is None or slip.turns != position.turns:
        return None
    before = slip.before
    if seat == slip.due and before is not None:
        if not slip.skipped:
            referee.slip = slip._replace(due=slip.seat, seat=seat, turns=slip.turns + 1, before=None)
            return True
        if event.number is None or event.number < (slip.event.number or event.number + 1):
            adopt(position, before.copy())
            referee.turn(line, event, seat)
            if position.begins and position.turn.seat == position.after[seat]:
                adopt(position, played_by(referee, position, slip.line, slip.seat)[1])
            return False
    if seat != position.after[slip.due] or slip.skipped:
        return None
    if before is not None:
        found, meant = played_by(referee, before, slip.line, slip.due)
        if not not_there(found) and meant.begins:
            adopt(position, meant)
    return True
