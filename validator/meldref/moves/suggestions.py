"""What would have been legal instead: up to three moves nearest to what was tried, all judged.

A move named here is legal where the finding stands: before the action that was wrong; after the
draw, for a card taken and not used; at the end of the line, for a turn left open. By another player
than the line's it has a name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import Final, NamedTuple

from meldref.core.cards import UNKNOWN
from meldref.core.events import (
    Action,
    Buy,
    Call,
    Challenge,
    Discard,
    Draw,
    LayOff,
    Meld,
    Pass,
    Take,
)
from meldref.core.records import changed
from meldref.engine.judge import Judge
from meldref.moves.calls import around, buys, calls, closed, worth_naming
from meldref.moves.can_finish import surely_ends
from meldref.moves.candidates import Instead, distance, ends, instead, uses
from meldref.moves.exhaustive import after, by_card, is_over
from meldref.moves.openings import Openings
from meldref.notation.parts import write_name
from meldref.notation.writer import write_action
from meldref.position.model import GOING_ON, OVER, Position
from meldref.position.turn import FROM_PILE, Duty, Place, actions_of
from meldref.positions.rewind import rewind
from meldref.rules.base import Violation
from meldref.rules.declare import Suggest, facts
from meldref.rules.stock import reshuffle

MOST: Final = 3
FEW_STATES: Final = 60
"""The most states looked at for an end of the turn after a move that would be named."""
MOST_TRIED: Final = 24
"""The most moves put to the judge in search of those to name."""


class _Offer(NamedTuple):
    """Moves to judge in a position, and the name before them if it is another player's."""

    position: Position
    ways: Iterable[Instead]
    name: str = ""
    last: bool = False
    """Whether they are named only if there is nothing nearer."""


def help_for(
    judge: Judge, position: Position, violation: Violation, place: Place | None
) -> tuple[str, ...]:
    """The legal moves nearest to what was tried, as the notation writes them.

    None if there are none.
    """
    tried = place.action if place else None
    if tried is None:
        return ()
    if isinstance(tried, Buy):
        return _instead_of_buying(judge, position, tried)
    first: list[str] = []
    if facts(violation.code).suggest is Suggest.RESHUFFLE:
        may_reshuffle = reshuffle(judge.binding)(position) is None
        if may_reshuffle:
            first.append("reshuffle")
    return _name_legal(judge, _offers(judge, position, violation, tried), first)


def _instead_of_buying(judge: Judge, position: Position, tried: Buy) -> tuple[str, ...]:
    """Who may buy what then, or what may be done in the turn that the purchase interrupted.

    A player who tried to buy in a turn of their own may draw the card, or something else.
    """
    state = position.copy()
    state.turn = state.turn.broken or state.turn
    own: tuple[str, ...] = ()
    if state.begins and state.turn.seat == position.turn.seat and state.ending is GOING_ON:
        own = _name_legal(judge, [_next(judge, state, Take(tried.card), ())._replace(name="")])
    names = [write_name(state.players[seat]) for seat, _ in buys(judge, state)]
    if own or names:
        action = write_action(Buy(state.pile[-1])) if names else ""
        return (*own, *[f"{name}: {action}" for name in names])[:MOST]
    return moves_of(judge, state) if state.begins else ()


def _name_legal(
    judge: Judge, offers: Iterable[_Offer], first: Sequence[str] = ()
) -> tuple[str, ...]:
    """The legal ways among some offers, behind those that come `first`, until there are enough.

    Of those that differ only in the order of cards, the first is named.
    """
    suggestions: dict[object, str] = {text: text for text in first}
    for offer in offers:
        if len(suggestions) >= MOST or (suggestions and offer.last):
            break
        for way in _legal_ways(judge, offer):
            text = offer.name + "; ".join(map(write_action, way))
            suggestions.setdefault((offer.name, _in_any_order(way)), text)
            if len(suggestions) >= MOST:
                break
    return tuple(suggestions.values())


def _in_any_order(way: Instead) -> Instead:
    """Actions with the cards that each lays in ascending order."""
    return tuple(
        [
            changed(action, cards=tuple(sorted(action.cards, key=by_card)))
            if isinstance(action, (Meld, LayOff))
            else action
            for action in way
        ]
    )


def help_when_stuck(judge: Judge, start: Position, line: Sequence[Action]) -> tuple[str, ...]:
    """Turns near one that cannot be ended: fewer plays and a discard, or another draw.

    Where the turn had begun before, its end without any of the plays is one of them.
    """
    state = start.copy()
    had_begun = not state.begins
    if state.begins:
        judge.play.begin_turn(state, state.turn.seat)
    offers = (
        _Offer(state, shorter(judge, state, line)),
        _Offer(state, zip(ends(state)) if had_begun else ()),
        _Offer(state, instead(judge, state, line[0], line[1:]), last=True),
    )
    return _name_legal(judge, offers)


def moves_of(judge: Judge, position: Position) -> tuple[str, ...]:
    """Legal moves of the player to move, with the name: for what no player did."""
    if position.ending is not GOING_ON:
        return ()
    return _name_legal(judge, [_next(judge, position, Draw(UNKNOWN), ())])


def _legal_ways(judge: Judge, offer: _Offer) -> Iterator[Instead]:
    """Those ways of an offer that are legal."""
    tried: set[Instead] = set()
    for way in offer.ways:
        if len(tried) >= MOST_TRIED:
            return
        if way in tried:
            continue
        tried.add(way)
        if is_legal(judge, offer.position, way):
            yield way


def is_legal(judge: Judge, position: Position, way: Instead) -> bool:
    """Whether the judge accepts some actions, and the turn can be ended after them."""
    state = position
    for action in way[:-1]:
        if judge.violation(state, action) is not None:
            return False
        state = after(judge, state, action)
        if is_over(state, position.turn):
            return False
    last = way[-1]
    if judge.violation(state, last) is not None:
        return False
    return isinstance(last, (Discard, Pass)) or surely_ends(judge, state, last, FEW_STATES)


# --- where, and what ------------------------------------------------------------------------------


def _offers(
    judge: Judge, position: Position, violation: Violation, tried: Action
) -> Iterator[_Offer]:
    """The places at which something else could have been done, the nearest first."""
    turn = position.turn
    where = facts(violation.code).suggest
    following = actions_of(position.line)[position.step + 1 :]
    if violation.before is not None and turn.duty is not None:
        yield from _otherwise_used(
            judge, position, violation.before, turn.duty, actions_of(turn.line)
        )
    elif where is Suggest.SHORTER:
        yield from _not_stuck(judge, position)
    elif where is Suggest.DISCARD or (
        where is Suggest.CALLED and violation.place is not None and turn.call is not None
    ):
        yield from _opened(judge, position, tried)
        yield _Offer(position, instead(judge, position, Discard(UNKNOWN), ()))
    elif isinstance(tried, (Call, Challenge)):
        yield from _calls(judge, position, tried, who=where is Suggest.ANYBODY)
    elif where is Suggest.NEXT or (where is Suggest.AFTER and turn.call is None):
        if position.ending is GOING_ON:
            same = actions_of(position.line) if where is Suggest.NEXT else ()
            yield _next(judge, position, tried if same else Draw(UNKNOWN), same)
    elif position.ending is GOING_ON and not position.begins:
        yield from _opened(judge, position, tried)
        yield _Offer(position, instead(judge, position, tried, following))
        yield _Offer(position, [(action,) for action in following[:1]], last=True)
        yield _Offer(position, ((discard,) for discard in ends(position)), last=True)
        if turn.duty is not None:
            yield _Offer(position, uses(judge, position, turn.duty.card, following), last=True)
        done = actions_of(position.line)[: position.step]
        start = _before_the_line(judge, position, done)
        if start is not None and _leads_to(judge, start, done, position):
            yield _Offer(start, shorter(judge, start, (*done, tried)), last=True)
            yield _Offer(start, instead(judge, start, done[0], ()), last=True)
        others = closed(judge, position) if where is Suggest.AFTER else None
        if others is not None and others.turn.seat != turn.seat:
            yield _next(judge, others, Draw(UNKNOWN), ())


def _next(judge: Judge, position: Position, tried: Action, line: Sequence[Action]) -> _Offer:
    """What the player on turn might do: what somebody else tried, or else the nearest."""
    state = position.copy()
    if state.begins:
        judge.play.begin_turn(state, state.turn.seat)
    same: list[Instead] = []
    if line and not isinstance(line[0], (Call, Challenge)):
        same = [tuple(line), (line[0],)]
    ways = chain(same, instead(judge, state, tried, line[1:]), zip(ends(state)))
    return _Offer(state, ways, f"{write_name(position.players[state.turn.seat])}: ")


def _otherwise_used(
    judge: Judge, position: Position, before: Position, duty: Duty, line: Sequence[Action]
) -> Iterator[_Offer]:
    """How a card that had to be used could have been, as its player stood after the draw.

    Then other draws.
    """
    drawn = before.copy()
    drawn.turn.duty = duty
    yield _Offer(drawn, uses(judge, drawn, duty.card, line))
    undrawn = _before_the_line(judge, drawn, [Take(duty.card)])
    if undrawn is not None:
        others: list[Instead] = [(Draw(UNKNOWN),)]
        others += [(Take(card),) for card in undrawn.pile[-1:] if card != UNKNOWN]
        yield _Offer(undrawn, others, last=True)


def _before_the_line(judge: Judge, position: Position, line: Sequence[Action]) -> Position | None:
    """The position before a turn that began with taking the pile; None if that is unknown."""
    if position.turn.source is not FROM_PILE or judge.ruleset.draw.takes == "that_card":
        return None
    return rewind(position, line) if line and isinstance(line[0], Take) else None


# --- calls ----------------------------------------------------------------------------------------


def _calls(
    judge: Judge, position: Position, tried: Call | Challenge, *, who: bool
) -> Iterator[_Offer]:
    """Calls that could be made in the place of one, then what the player to move may do.

    `who`: somebody else might make the same call.
    """
    state = position
    caller = None
    call = position.turn.call
    if isinstance(tried, Call) and call is not None and call.resume is not None:
        caller = position.turn.seat
        state = position.copy()
        state.turn, state.begins = call.resume, call.resume_begins
    if isinstance(tried, Call) and caller is not None and state.ending is not OVER:
        for seat in around(state):
            if who and seat != caller:
                name = f"{write_name(position.players[seat])}: "
                yield _calling(judge, state, seat, [tried])._replace(name=name)
        deepest = tried.cards[0]
        near = sorted(worth_naming(judge, state), key=lambda call: distance(call.cards[0], deepest))
        yield _calling(judge, state, caller, near[:MOST])._replace(last=True)
    if state.ending is GOING_ON:
        draw = Take(tried.cards[0]) if isinstance(tried, Call) else Draw(UNKNOWN)
        offer = _next(judge, state, draw, ())
        if state.turn.seat == caller:
            # It is the caller's own turn, whose name need not be said.
            offer = offer._replace(name="")
        yield offer


def _calling(judge: Judge, position: Position, seat: int, named: Sequence[Call]) -> _Offer:
    """Calls of a player, each with the plays that lay what was called."""
    state = position.copy()
    judge.play.begin_call(state, seat)
    possible = islice(calls(judge, position, (seat,), named), MOST)
    return _Offer(state, (call.actions for call in possible))


# --- first layings and dead ends ------------------------------------------------------------------


def _opened(judge: Judge, position: Position, tried: Action) -> Iterator[_Offer]:
    """What completes a first laying that lacks something, or the turn without it."""
    openings = Openings(judge)
    if not openings.lacking(position):
        return
    way = openings.way(position)
    if way:
        yield _Offer(position, ((*way, tried), way))
    line = actions_of(position.turn.line)
    for done in dict.fromkeys((line, line[: position.step])):
        if not done or not isinstance(done[0], (Draw, Take)):
            continue
        start = rewind(position, done)
        if start is None or not _leads_to(judge, start, done, position):
            continue
        unlaid = after(judge, start, done[0])
        discards: list[Discard] = []
        near = UNKNOWN
        if isinstance(tried, Discard) and tried.card != UNKNOWN:
            near = tried.card
            discards.append(tried)
        discards += ends(unlaid, near)
        yield _Offer(start, [(done[0], discard) for discard in discards], last=True)
        return


def _not_stuck(judge: Judge, position: Position) -> Iterator[_Offer]:
    """The turn that came to a dead end with fewer plays, and a discard."""
    line = actions_of(position.turn.line)
    start = _before_the_line(judge, position, line)
    if start is not None:
        yield _Offer(start, shorter(judge, start, line))


def shorter(judge: Judge, start: Position, line: Sequence[Action]) -> Iterator[Instead]:
    """The beginnings of a line, the longest first, each with every discard that may follow."""
    states = [start]
    for action in line[:-1]:
        states.append(after(judge, states[-1], action))
    for length in range(len(line) - 1, 0, -1):
        for discard in ends(states[length]):
            yield (*line[:length], discard)


def _leads_to(judge: Judge, start: Position, line: Sequence[Action], position: Position) -> bool:
    """Whether some legal actions lead from one position to another, by the player's hand."""
    state = start
    for action in line:
        if judge.violation(state, action) is not None:
            return False
        state = after(judge, state, action)
    seat = position.turn.seat
    return (
        state.hands[seat] == position.hands[seat] and state.unknown[seat] == position.unknown[seat]
    )
