"""The most valuable way to lay down a hand where house rules award points: all are tried."""

from __future__ import annotations

from typing import NamedTuple

from meldref.core.cards import Cards, difference, each
from meldref.core.events import LayOff, Meld
from meldref.engine.judge import Judge
from meldref.moves.exhaustive import after, is_over, plays
from meldref.notation.actions import BY_KIND
from meldref.position.model import Position
from meldref.position.turn import FROM_STOCK
from meldref.rules.opening import still_lacks
from meldref_table.best import Goal, LayDown, TooManyWays, best_at, terms_for

MOST_STATES = 4_000
"""How many states of a turn are compared at most."""


class _Way(NamedTuple):
    """A way to lay cards down, where it leads, and the points each play brings."""

    state: Position
    plays: tuple[Meld | LayOff, ...] = ()
    brings: tuple[int, ...] = ()


def best_lay_down(judge: Judge, position: Position, goal: Goal = "score") -> LayDown:
    """As `best_at`, awards of house rules for melding and laying off included.

    What a house rule awards has no bound that is known before, so all ways are looked at.

    Raises:
        TooManyWays: there are more of them than can be compared.
    """
    house, words = judge.house, {BY_KIND[Meld].word, BY_KIND[LayOff].word}
    if house is None or not any(words.intersection(award.rule.at) for award in house.awards):
        return best_at(judge, position, goal)
    start, seat = _drawn(judge, position), position.turn.seat
    hand = start.hands[seat]
    terms = terms_for(judge.ruleset, judge.binding.players, position.wild_rank, goal)

    def gain(way: _Way) -> int:
        points, earned = way.state.points[seat] - start.points[seat], sum(way.brings)
        relief = sum(terms.relief[card] for card in each(difference(hand, way.state.hands[seat])))
        return earned - (0 if terms.counts else points) + relief

    best, ways, seen = _Way(start), [_Way(start)], set[object]()
    while ways:
        way = ways.pop()
        if (gain(way), -way.state.held[seat]) > (gain(best), -best.state.held[seat]) and (
            is_over(way.state, start.turn) or still_lacks(judge.binding, way.state) is None
        ):
            best = way
        if not is_over(way.state, start.turn):
            ways += _longer(judge, way, seat, seen)
        if len(seen) > MOST_STATES:
            raise TooManyWays
    left: Cards = best.state.hands[seat]
    points = best.state.points[seat] - start.points[seat]
    return LayDown(best.plays, best.brings, points, gain(best), left, gain(best), len(seen) + 1)


def _drawn(judge: Judge, position: Position) -> Position:
    """The position in a turn that owes nothing, after a draw from the stock."""
    state = position.copy()
    if state.begins:
        judge.play.begin_turn(state, state.turn.seat)
    state.turn.source, state.turn.duty, state.turn.opening = FROM_STOCK, None, False
    return state


def _longer(judge: Judge, way: _Way, seat: int, seen: set[object]) -> list[_Way]:
    """The ways with one more play that lead to what was not seen before."""
    longer: list[_Way] = []
    for action in plays(judge, way.state):
        if not isinstance(action, (Meld, LayOff)):
            continue
        state = after(judge, way.state, action)
        laid = frozenset(
            (meld.shape, tuple(sorted(played.card for played in meld.cards)))
            for meld in state.melds
        )
        key = state.hands[seat], state.brought(seat), laid
        if key not in seen:
            seen.add(key)
            brings = state.brought(seat) - way.state.brought(seat)
            longer.append(_Way(state, (*way.plays, action), (*way.brings, brings)))
    return longer
