"""Who may call "Rummy!" on what, or buy: every call with the plays that settle it.

One thing is called at a time: a card, or the cards of one meld. Where the pile is taken down to a
card, that is one call for each depth from which the card there can be laid.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from meldref.core.cards import UNKNOWN, Card, counted
from meldref.core.effort import ASKED, EFFORT
from meldref.core.events import Action, Buy, Call, Challenge
from meldref.engine.judge import Judge
from meldref.moves.obligations import ways_to_settle
from meldref.position.model import OVER, PROVISIONAL, Position
from meldref.rules.calls import Claim, claim, unlaid


class CallMove(NamedTuple):
    """A call that a player may make: what the player does, and what comes of it."""

    seat: int
    actions: tuple[Action, ...]
    after: Position


def calls(
    judge: Judge,
    position: Position,
    seats: Sequence[int] | None = None,
    named: Sequence[Call] | None = None,
) -> Iterator[CallMove]:
    """Every call that somebody may make now, from the discarder's left.

    Only by some seats, or only some calls.
    """
    if judge.ruleset.calls.of == "none" or position.ending is OVER:
        return
    state = closed(judge, position)
    if state is None:
        return
    worth = list(worth_naming(judge, state)) if named is None else named
    for seat in around(state):
        if seats is None or seat in seats:
            for call in worth:
                if EFFORT.over:
                    return
                yield from _seen_through(judge, state, seat, call)


def somebody_may_call(judge: Judge, position: Position) -> bool:
    """Whether there is a call to make, or none can be ruled out."""
    cut = EFFORT.cut
    if any(True for _ in calls(judge, position)) or EFFORT.over or EFFORT.cut > cut:
        return True
    return UNKNOWN in position.pile or not position.table_known


def closed(judge: Judge, position: Position) -> Position | None:
    """The position with a call under way closed, as another call closes it.

    None if something is left to do.
    """
    call = position.turn.call
    if call is None:
        return position
    seat = position.turn.seat
    if unlaid(position) is not None or (
        judge.ruleset.calls.discard == "required" and position.held[seat]
    ):
        return None
    if judge.stops_wrongly(position):
        return None
    state = position.copy()
    judge.play.end_turn(state, discarded=False)
    return state


def around(position: Position) -> Iterator[int]:
    """Everybody in this hand, from the discarder's left."""
    seat = position.turn.seat if position.discarder is None else position.after[position.discarder]
    for _ in position.order:
        yield seat
        seat = position.after[seat]


def worth_naming(judge: Judge, position: Position) -> Iterator[Call]:
    """Calls that could be made by the cards of the pile.

    Of those that take and owe the same, the first.
    """
    seen: set[Claim] = set()
    for cards in _cards_to_name(judge, position):
        EFFORT.spent += ASKED
        claimed = claim(judge.binding, position, cards)
        if claimed is not None and claimed not in seen:
            seen.add(claimed)
            yield Call(cards)


def _cards_to_name(judge: Judge, position: Position) -> Iterator[tuple[Card, ...]]:
    """Each card that may be called by itself, a lower copy behind the upper ones.

    Then the cards of each meld.
    """
    calls, pile = judge.ruleset.calls, position.pile
    if not pile:
        return
    top = pile[-1]
    any_card = calls.of == "pile" and position.ending is not PROVISIONAL
    all_above = calls.takes == "down_to_card"
    if any_card:
        for index in range(len(pile) - 1, -1, -1):
            card = pile[index]
            copies = pile[index:].count(card) if all_above else 1
            if card != UNKNOWN:
                yield (card,) * copies
    elif top != UNKNOWN:
        yield (top,)
    if calls.of == "last_discard" or (any_card and all_above) or (top == UNKNOWN and not any_card):
        return
    cards = counted(card for card in pile if card != UNKNOWN)
    for meld in position.book.melds_in(cards, must=None if any_card else top):
        yield tuple([played.card for played in meld])


def _seen_through(judge: Judge, position: Position, seat: int, call: Call) -> Iterator[CallMove]:
    """A call with each shortest way to lay what was called that leaves the turn an end."""
    state = position.copy()
    judge.play.begin_call(state, seat)
    if judge.violation(state, call) is not None:
        return
    judge.play.actions[Call](state, call)
    for way, laid in ways_to_settle(judge, state):
        if EFFORT.over:
            return
        yield CallMove(seat, (call, *way), laid)


# --- purchases ------------------------------------------------------------------------------------


def buys(judge: Judge, position: Position) -> Iterator[tuple[int, Buy]]:
    """Every purchase that somebody may make now, from the discarder's left."""
    if judge.ruleset.buys.of == "none" or not position.pile or position.pile[-1] == UNKNOWN:
        return
    action = Buy(position.pile[-1])
    for seat in around(position):
        if may_break_in(judge, position, seat, action):
            yield seat, action


def may_break_in(
    judge: Judge, position: Position, seat: int, action: Buy | Challenge
) -> bool | None:
    """Whether a player may buy a card, or challenge, now; None: open.

    The position stays as it is.
    """
    due = position.turn
    judge.play.break_in(position, seat)
    allowed = judge.allows(position, action)
    position.turn = due
    return allowed
