"""Plays what the player to move has done in this turn, and puts it back."""

from __future__ import annotations

from collections.abc import Sequence

from meldref.core.cards import ONE, UNKNOWN, Card, Played, count, each, size
from meldref.core.events import Action, Draw, LayOff, Meld, Take
from meldref.engine.judge import Judge
from meldref.engine.unnamed import is_unnamed, read_as_shown
from meldref.melds import Reading
from meldref.position.model import Position, TurnState
from meldref.position.turn import FROM_PILE
from meldref.rules.base import Violation
from meldref.rules.declare import facts


def rewind(position: Position, actions: Sequence[Action]) -> Position | None:
    """The position before these actions; None if it does not stand as after them.

    Cards that the turn took from the pile go back there. Where it does not say so, a `take` without
    `xN` is that of the top card, and any cards of the hand stand for what lay above a deeper one.
    An exchange, a call or a discard is not put back.
    """
    state = position.copy()
    if not all(_put_back(state, action) for action in reversed(actions)):
        return None
    turn, seat = position.turn, position.turn.seat
    if turn.has_begun_to_draw:
        state.turn = TurnState(
            seat, first_meld=turn.first_meld, floater=turn.floater, opening=turn.opening
        )
    state.seen = state.located()
    return state


def play_out(
    judge: Judge, position: Position, actions: Sequence[Action]
) -> tuple[int, Violation] | None:
    """Plays a turn's beginning.

    The first action that cannot have been done there, and why, ends it.
    """
    judge.play.begin_turn(position, position.turn.seat)
    for step, written in enumerate(actions):
        action = judge.meant(position, written)
        wrong = judge.violation(position, action)
        is_open = wrong is not None and is_unnamed(judge, position)
        if is_open and read_as_shown(judge, position, action):
            wrong, action = None, judge.meant(position, written)
        if wrong is not None and facts(wrong.code).impossible:
            return step, wrong
        judge.play.actions[type(action)](position, action)
    return None


def _put_back(state: Position, action: Action) -> bool:
    """Puts an action back; False where the position does not stand as after it."""
    if isinstance(action, Meld):
        return _lifted(state, len(state.melds), action.cards)
    if isinstance(action, LayOff):
        numbers = range(1, len(state.melds) + 1) if action.target is None else (action.target,)
        return any(_lifted(state, number, action.cards) for number in numbers)
    if isinstance(action, Draw):
        state.stock.append(action.card)
        state.stock_size += 1
        return _out_of_hand(state, action.card)
    if not isinstance(action, Take):
        return False
    turn, seat = state.turn, state.turn.seat
    if FROM_PILE in {turn.source, turn.first}:
        state.pile += turn.taken
        state.hands[seat], state.unknown[seat] = turn.held_before, turn.guesses_before
        state.held[seat] = size(turn.held_before) + turn.guesses_before
        return True
    if not _out_of_hand(state, action.card):
        return False
    state.pile.append(action.card)
    for _ in range((action.count or 1) - 1):
        other = max(each(state.hands[state.turn.seat]), default=UNKNOWN)
        if not _out_of_hand(state, other):
            return False
        state.pile.append(other)
    state.fresh = state.discarder is not None
    return True


def _out_of_hand(state: Position, card: Card) -> bool:
    seat = state.turn.seat
    state.held[seat] -= 1
    if card != UNKNOWN and count(state.hands[seat], card):
        state.hands[seat] -= ONE[card]
    else:
        state.unknown[seat] -= 1
    return state.unknown[seat] >= 0


def _lifted(state: Position, number: int, cards: Sequence[Played]) -> bool:
    """Takes the last of these cards on a meld into the hand.

    False where what is left there is no meld.
    """
    if not 0 < number <= len(state.melds):
        return False
    seat, meld = state.turn.seat, state.melds[number - 1]
    rest, lifted = list(meld.cards), []
    for played in cards:
        index = next(
            (
                index
                for index, candidate in reversed(list(enumerate(rest)))
                if candidate.card == played.card
            ),
            None,
        )
        if index is None:
            return False
        lifted.append(rest.pop(index))
    reading = (
        state.book.read(tuple([Played(other.card, other.role) for other in rest])) if rest else None
    )
    if not isinstance(reading, Reading) and (rest or number < len(state.melds)):
        return False
    for lifted_card in lifted:
        state.points[lifted_card.seat] -= lifted_card.points
        state.hands[seat] += ONE[lifted_card.card]
        state.held[seat] += 1
    if isinstance(reading, Reading):
        meld.shape, meld.cards = reading.shape, rest
    else:
        state.melds.pop()
    state.laid += 1
    return True
