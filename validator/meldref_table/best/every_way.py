"""The most valuable way to lay down a hand where that has no quick proof: all ways are tried.

That is so where house rules award points, and where wild cards on the table can be exchanged.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from meldref.core.cards import ANY_SUIT, each, mask_of, natural, rank_of
from meldref.core.effort import EFFORT
from meldref.core.events import Action, LayOff, Meld, Swap
from meldref.engine.judge import Judge
from meldref.moves.exhaustive import after, is_over, plays
from meldref.notation.actions import BY_KIND
from meldref.position.model import Position
from meldref_table.best import Goal, LayDown, TooManyWays, best_at, terms_for
from meldref_table.best.board import in_turn, may_end
from meldref_table.best.objective import SCALE

MOST_STATES = 4_000
"""How many states of a turn are compared at most,"""
MOST_EFFORT = 200_000
"""and how much is looked at in them where wild cards can be exchanged."""


def best_lay_down(judge: Judge, position: Position, goal: Goal = "score") -> LayDown:
    """As `best_at`, with awards of house rules for what is laid, and exchanges of wild cards.

    What a house rule awards has no bound that is known before, so all ways are looked at. With
    exchanges, all that the cards could bring is a bound: where the search is given up, that of the
    ways which are left is told.

    Raises:
        TooManyWays: wild cards can be laid in too many ways, or house rules award points and there
            are more ways than can be compared.
    """
    exchanges = judge.ruleset.melds.wild.swap != "never" and bool(
        exchangeable(position) & mask_of(position.hands[position.turn.seat])
    )
    awards = _are_awarded(judge, [Meld, LayOff, Swap] if exchanges else [Meld, LayOff])
    if not awards and not exchanges:
        return best_at(judge, position, goal)
    search = _EveryWay(judge, position, goal, bounded=not awards)
    if awards:
        return search.best()
    known = best_at(judge, position, goal)
    with EFFORT.at_most(MOST_EFFORT):
        return search.best(known)


def exchangeable(position: Position) -> int:
    """The natural cards that might be exchanged for a wild card on the table: a bit for each."""
    bits = 0
    for meld in position.melds:
        for laid in meld.cards:
            if laid.role >= ANY_SUIT:
                bits |= sum(1 << natural(rank_of(laid.role), suit) for suit in range(4))
            elif laid.role != laid.card:
                bits |= 1 << laid.role
    return bits


def _are_awarded(judge: Judge, kinds: Sequence[type[Action]]) -> bool:
    """Whether a house rule awards points for plays of some kinds."""
    house, words = judge.house, {BY_KIND[kind].word for kind in kinds}
    return house is not None and any(words.intersection(award.rule.at) for award in house.awards)


class _Way(NamedTuple):
    """A way to lay cards down, where it leads, and the points each play brings."""

    state: Position
    plays: tuple[Meld | LayOff | Swap, ...] = ()
    brings: tuple[int, ...] = ()


class _EveryWay:
    """Goes through all ways to lay a hand down; `bounded`: those that cannot be better are left out."""

    def __init__(self, judge: Judge, position: Position, goal: Goal, *, bounded: bool) -> None:
        seat = position.turn.seat
        self._judge, self._seat, self._bounded = judge, seat, bounded
        self._start = in_turn(judge, position, seat)
        self._start.turn.duty, self._start.turn.opening = None, False
        self._terms = terms_for(judge.ruleset, judge.binding.players, position.wild_rank, goal)
        self._seen = set[object]()

    def best(self, known: LayDown | None = None) -> LayDown:
        """The best of all ways; `known` is one that is good."""
        cut, best = EFFORT.cut, _Way(self._start)
        for play in () if known is None else known.plays:
            best = self._longer(best, play)
        ways = [_Way(self._start)]
        while ways and not self._gives_up():
            way = ways.pop()
            if self._value(way) > self._value(best) and may_end(
                self._judge, way.state, self._start.turn
            ):
                best = way
            if not (is_over(way.state, self._start.turn) or self._is_bounded(way, best)):
                ways += sorted(self._further(way), key=self._value)
        if EFFORT.cut > cut:  # plays may be missing anywhere
            ways.append(_Way(self._start))
        left = [way for way in ways if not self._is_bounded(way, best)]
        if left and not self._bounded:
            raise TooManyWays
        gain = self._value(best) // SCALE
        bound = max([gain, *[(self._value(way) + self._more(way)) // SCALE for way in left]])
        points = self._points(best.state) - self._points(self._start)
        hand = best.state.hands[self._seat]
        return LayDown(best.plays, best.brings, points, gain, hand, bound, len(self._seen) + 1)

    def _gives_up(self) -> bool:
        return len(self._seen) > MOST_STATES or (self._bounded and EFFORT.over)

    def _value(self, way: _Way) -> int:
        """What a way gains, scaled as `Terms.gain` does."""
        earned, points = sum(way.brings), self._points(way.state) - self._points(self._start)
        held, held_before = way.state.hands[self._seat], self._start.hands[self._seat]
        relief = self._terms.relief
        gain = earned - (0 if self._terms.counts else points)
        gain += sum(relief[card] for card in each(held_before))
        gain -= sum(relief[card] for card in each(held))
        return gain * SCALE + self._start.held[self._seat] - way.state.held[self._seat]

    def _is_bounded(self, way: _Way, best: _Way) -> bool:
        """Whether nothing that begins like this is better than the best way that is known."""
        return self._bounded and self._value(way) + self._more(way) <= self._value(best)

    def _more(self, way: _Way) -> int:
        """The most, scaled, that cards in hand, and wild cards to be had for them, may yet bring."""
        terms, state = self._terms, way.state
        more = sum(terms.most[card] for card in each(state.hands[self._seat]))
        for meld in state.melds:
            for laid in meld.cards:
                if laid.card != laid.role:
                    loss = min(0, laid.points, terms.relief[laid.card])
                    more += terms.most[laid.card] - loss * SCALE
        return more

    def _points(self, state: Position) -> int:
        return state.points[self._seat]

    def _further(self, way: _Way) -> list[_Way]:
        """The ways with one more play that lead to what was not seen before."""
        further: list[_Way] = []
        for action in plays(self._judge, way.state):
            if not isinstance(action, (Meld, LayOff, Swap)):
                continue
            longer = self._longer(way, action)
            state = longer.state
            laid = frozenset(
                (meld.shape, tuple(sorted(played.card for played in meld.cards)))
                for meld in state.melds
            )
            key = state.hands[self._seat], state.turn.swapped, state.brought(self._seat), laid
            if key not in self._seen:
                self._seen.add(key)
                further.append(longer)
        return further

    def _longer(self, way: _Way, action: Meld | LayOff | Swap) -> _Way:
        """A way with one more play."""
        state = after(self._judge, way.state, action)
        brings = state.brought(self._seat) - way.state.brought(self._seat)
        return _Way(state, (*way.plays, action), (*way.brings, brings))
