"""Lines of players whose turn it is not: whether the name is wrong, a line is missing or was written twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from meldref.core.cards import UNKNOWN
from meldref.core.diagnostics import Finding
from meldref.core.effort import Suggestions
from meldref.core.events import Action, Call, Draw, Line, Turn
from meldref.core.records import fields_of
from meldref.notation.actions import BREAKS_IN
from meldref.position.model import Position
from meldref.position.turn import TurnState
from meldref.replay.aftermath import forget_round
from meldref.rules.declare import facts

if TYPE_CHECKING:
    from meldref.replay.turn import Referee


MOST_AHEAD: Final = 64
"""How many ways to count turns are kept in mind where lines may be missing."""
MOST_TRIES: Final = 100
"""How often a line of a hand is tried as that of another player."""


class OutOfTurn(NamedTuple):
    """A line out of turn that was carried out as written: who played it, and whose turn it was.

    `before` is the position before it, not to be changed, `turns` how many turns there were with it; `skipped`:
    turns before it are missing, `certain`: only the order of those who play after it is not known.
    """

    line: Line
    number: int | None
    seat: int
    due: int
    turns: int
    before: Position
    skipped: bool
    certain: bool = False


def as_played(lines: Sequence[Line], seats: Mapping[str, int], step: int) -> tuple[int, ...]:
    """The seats in the order in which the turns of a hand went round; none where that is the one they have."""
    turns = [line.event for line in lines if type(line.event) is Turn and line.event.player in seats]
    players = [seats[one.player] for one in turns if type(one.actions[0]) not in BREAKS_IN]
    steps = Counter(pair for pair in pairwise(players) if pair[0] != pair[1])
    after = {one: other for (one, other), _ in reversed(steps.most_common())}
    order = [0]
    while (following := after.get(order[-1], 0)) not in order:
        order.append(following)
    kept = sum(steps[one, other] for one, other in after.items())
    if len(order) < len(seats) or following or kept * 5 < steps.total() * 4 or kept < len(order):
        return ()
    if step < 0:
        order[1:] = order[:0:-1]
    return () if order == sorted(order) else tuple(order)


def adopt(position: Position, other: Position) -> None:
    """Makes a position what another one is."""
    for name in fields_of(position):
        setattr(position, name, getattr(other, name))


def played_by(referee: Referee, before: Position, line: Line, seat: int) -> tuple[list[Finding], bool, Position]:
    """A line as another player's: what is found, whether all cards played may be there, and the position then."""
    found: list[Finding] = []
    position, event = before.copy(), line.event
    assert isinstance(event, Turn)
    if type(event.actions[0]) is not Call:
        position.turn = TurnState(seat, opening=position.turn.opening)
    trial = type(referee)(referee.judge, position, found.append, lambda _line, _what: None, Suggestions(0))
    referee.tries -= 1
    trial.tries = 0
    trial.turn(line, event._replace(number=None), seat)
    return found, not any(facts(one.code).not_there for one in found), position


def misnamed(referee: Referee, line: Line, seat: int) -> bool:
    """Whether a line can be a turn of the player who is due, and not of the one it names: by their cards."""
    before = referee.position
    able, due = [played_by(referee, before, line, one)[1] for one in (seat, before.turn.seat)]
    return due and not able


def caller(referee: Referee, before: Position, line: Line, seat: int) -> Position | None:
    """The position after a call that one player can make, but not the one named; None where that is not so."""
    tried = [played_by(referee, before, line, other) for other in before.order if other != seat]
    able = [position for found, _, position in tried if not found]
    return able[0] if len(able) == 1 and not played_by(referee, before, line, seat)[1] else None


def not_drawn(position: Position, action: Action, most: int) -> int:
    """How many cards of the listed stock lie over the one drawn; 0 where they are more, or it is not listed."""
    over = position.stock[-1 : -2 - most : -1]
    if not isinstance(action, Draw) or action.card == UNKNOWN or action.card not in over:
        return 0
    return over.index(action.card)


def skip(position: Position, event: Turn, seat: int) -> bool:
    """Whether turns before a line are not written, by its number or the card it draws; as after a gap, then.

    Where it says neither, they may be missing all the same, and numbers count them.
    """
    missing, due = 1, position.after[position.turn.seat]
    while due != seat:
        missing, due = missing + 1, position.after[due]
    ahead = position.ahead
    position.ahead = tuple(dict.fromkeys((*ahead, *(by + missing for by in ahead))))[:MOST_AHEAD]
    drawn = not_drawn(position, event.actions[0], missing)
    by = 0 if event.number is None or position.turns is None else event.number - position.turns - 1
    if not drawn and (by in ahead or by - missing not in ahead):
        return False
    forget_round(position, drawn)
    return True


def swapped(referee: Referee, line: Line, event: Turn, seat: int, turns: int | None) -> bool:
    """Whether a line is the one that was missing before the last; if so, plays them the other way round."""
    slip, position = referee.slip, referee.position
    if slip is None or (seat, turns) != (slip.due, slip.turns):
        return False
    if event.number is None or slip.number is None:
        if referee.tries <= 0 or (seat == position.turn.seat and not played_by(referee, position, line, seat)[0]):
            return False
        found, _, then = played_by(referee, slip.before, line, seat)
        before = not found and not played_by(referee, then, slip.line, slip.seat)[0]
    else:
        before = slip.skipped and event.number < slip.number
    if not before:
        return False
    referee.slip = None
    adopt(position, slip.before.copy())
    referee.turn(line, event, seat)
    if position.begins and position.turn.seat == position.after[seat]:
        adopt(position, played_by(referee, position, slip.line, slip.seat)[-1])
    return True


def goes_on(referee: Referee, seat: int) -> bool:
    """Whether a line out of turn follows from one before it, which was found: the log may go on either way.

    The name was wrong there, and the player after the one due goes on; or the one due plays now, and after that
    whoever comes after either.
    """
    slip, position = referee.slip, referee.position
    referee.slip = None
    if slip is None or slip.turns != position.turns or slip.skipped:
        return False
    if seat == slip.due and not slip.certain:
        referee.slip = slip._replace(due=slip.seat, seat=seat, turns=slip.turns + 1, certain=True)
        return True
    if seat != position.after[slip.due]:
        return False
    _, able, meant = played_by(referee, slip.before, slip.line, slip.due)
    if able and meant.begins and not slip.certain:
        adopt(position, meant)
    return True
