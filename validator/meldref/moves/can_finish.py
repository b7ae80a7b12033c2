"""Whether a turn can be ended from where it stands, by whatever plays that takes."""

from __future__ import annotations

from meldref.core.cards import JOKER, UNKNOWN, count
from meldref.core.events import Action, Discard, Draw, LayOff, Meld
from meldref.engine.judge import Judge
from meldref.engine.unnamed import is_unnamed, readings
from meldref.moves.exhaustive import MOST_STATES, after, between_draws, finishes, is_over
from meldref.position.model import Position


def can_finish(judge: Judge, position: Position) -> bool | None:
    """Whether the turn's player can still end the turn legally (P-DISC-06, P-VDIS-02).

    None if that depends on unknown cards: no way is known, and the hand holds cards nobody saw,
    or nobody named the rank that is wild.
    """
    ends = _finds_end(judge, position, MOST_STATES)
    if between_draws(position):
        return ends
    has_unseen = position.unknown[position.turn.seat] > 0
    # Where the search gave up, all cards known, the player gets the benefit of the doubt.
    if ends or (ends is None and not has_unseen):
        return True
    if has_unseen:
        return None
    if not is_unnamed(judge, position):
        return False
    for with_rank in readings(judge, position):
        if _finds_end(judge, with_rank, MOST_STATES) is not False:
            return None
    return False


def may_end(judge: Judge, position: Position, action: Action) -> bool:
    """Whether the turn can be ended after an action, perhaps depending on unknown cards."""
    if type(action) is Discard or _plainly_ends(judge, position, action):
        return True
    done, turn = after(judge, position, action), position.turn
    return is_over(done, turn) or can_finish(judge, done) is not False


def surely_ends(judge: Judge, position: Position, action: Action, most: int) -> bool:
    """Whether a way to end the turn after an action is found within `most` states of it."""
    if _plainly_ends(judge, position, action):
        return True
    done, turn = after(judge, position, action), position.turn
    return is_over(done, turn) or _finds_end(judge, done, most) is True


def _plainly_ends(judge: Judge, position: Position, action: Action) -> bool:
    """Whether a player who owes nothing keeps cards after a play of which one may be thrown."""
    turn = position.turn
    if not isinstance(action, (Meld, LayOff)) or judge.house is not None or judge.has_openings:
        return False
    if turn.duty or turn.call or turn.swapped or turn.floater or turn.taken or position.owing:
        return False
    return position.held[turn.seat] - len(action.cards) > 1


def _finds_end(judge: Judge, position: Position, most: int) -> bool | None:
    """Whether a way to end the turn is found; None if `most` states do not tell."""
    if judge.ruleset.draw.dead_end == "allowed" or is_over(position, position.turn):
        return True
    if between_draws(position):
        return position.turn.duty is None or _ends_by_second_draw(judge, position, most)
    return finishes(judge, position, most)


def _ends_by_second_draw(judge: Judge, position: Position, most: int) -> bool | None:
    """Whether the turn can be ended with the card that is still to be drawn; None: with some cards."""
    possible = position.stock[-1:]
    if not possible or possible == [UNKNOWN]:
        made_of = position.stock_of
        possible = [
            card
            for card in range(JOKER + 1)
            if position.left(card) > 0 and (made_of is None or count(made_of, card))
        ]
    has_unseen = position.unknown[position.turn.seat] > 0
    ways = {finishes(judge, after(judge, position, Draw(card)), most) for card in possible}
    if len(ways) == 1 and not has_unseen:
        return ways.pop()
    return None
