"""What a taken or called card asks for: the ways to lay it, by asking the judge."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TypeAlias

from meldref.core.cards import mask_of
from meldref.core.effort import ASKED, EFFORT
from meldref.core.events import Action, Meld
from meldref.engine.judge import Judge
from meldref.moves.can_finish import can_finish
from meldref.moves.exhaustive import after, distinct, is_over, lay_offs, melds, state_key, useful
from meldref.position.model import Position
from meldref.rules.meld import own_meld, own_meld_first

MOST_PLAYS: Final = 6
"""Of how many plays a way to settle something is made up at most."""
MOST_STATES: Final = 300
"""How many states are looked at in search of the shortest ways."""

Way: TypeAlias = tuple[tuple[Action, ...], Position]
"""Plays one after the other, and the position after them."""


def owing(position: Position) -> bool:
    """Whether a card taken, or one called, is still to be laid."""
    turn = position.turn
    return turn.duty is not None or (turn.call is not None and bool(turn.call.wanted))


def ways_to_settle(judge: Judge, position: Position, most: int = MOST_STATES) -> Iterator[Way]:
    """The shortest ways to do what is owed, after each of which the turn can be ended.

    The one way is to do nothing if nothing is owed. At most `most` states are looked at, and no
    more once `EFFORT` is over.
    """

    def is_settled(state: Position) -> bool:
        if is_over(state, position.turn):
            return True
        return not owing(state) and can_finish(judge, state) is not False

    if is_settled(position):
        yield (), position
    states: list[Way] = [((), position)] if owing(position) else []
    looked = 0
    any_settled = False
    for _ in range(MOST_PLAYS):
        longer: dict[object, Way] = {}
        for way, state in states:
            for action in _helpful_plays(judge, state):
                looked += 1
                laid = after(judge, state, action)
                key = state_key(laid)
                if key not in longer:
                    longer[key] = ((*way, action), laid)
                    if is_settled(laid):
                        any_settled = True
                        yield longer[key]
                if looked >= most:
                    EFFORT.cut += 1
                    return
        if any_settled or EFFORT.over:
            return
        states = [state for state in longer.values() if owing(state[1])]
    if states:
        EFFORT.cut += 1


def _helpful_plays(judge: Judge, position: Position) -> Iterator[Action]:
    """Plays that lay what is owed, may make room for it, or have to come first."""
    turn = position.turn
    call = turn.call
    if turn.duty is not None or call is None:
        yield from useful(judge, position)
        return
    for card in distinct(call.wanted):
        yield from melds(judge, position, must=card)
    for card in distinct(call.from_pile):
        yield from lay_offs(judge, position, card)
    if judge.others_first or (own_meld_first(judge.ruleset) and not own_meld(position, turn.seat)):
        for cards in position.book.melds_in(call.from_pile):
            EFFORT.spent += ASKED
            meld = Meld(cards)
            lays_called = bool(mask_of(meld.counted) & mask_of(call.wanted))
            if not lays_called and judge.violation(position, meld) is None:
                yield meld
