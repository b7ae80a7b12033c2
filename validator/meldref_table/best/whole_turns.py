"""Whole turns, best first: from the draw to the discard, by asking the judge.

The search opens the state of a turn that promises most points first. What it promises is what the
turn has brought and what the cards still held could bring at most, so the turns come out in order
of their points.
"""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush
from itertools import count, islice
from typing import Final, NamedTuple

from meldref.core.cards import JOKER, UNKNOWN, bits_of, each, mask_of
from meldref.core.cards import count as count_of
from meldref.core.effort import EFFORT
from meldref.core.events import Action, Draw, LayOff
from meldref.core.records import record
from meldref.engine.judge import Judge
from meldref.melds import Reading
from meldref.moves.bounds import ALL_CARDS, walk
from meldref.moves.exhaustive import (
    after,
    before_draw,
    between_draws,
    discards,
    draws,
    is_over,
    plays,
    useful,
)
from meldref.position.model import Position
from meldref.rules.draw import duties
from meldref_table.best import TooManyWays, best_at
from meldref_table.best.most_points import most_points

MOST_STATES: Final = 5_000
"""The most states of a turn reached before the search for more turns is given up,"""
MOST_EFFORT: Final = 400_000
"""and so much is looked at."""

FEW_WILDS: Final = 2
"""With more wild cards than that, it takes long to find the most that a hand can bring,"""
MOST_WILD_BOUNDS: Final = 50
"""and the most states for which it is found."""
MOST_PLAYS: Final = 1_000
"""The most plays compared where a hand could go on in very many ways,"""
MOST_FOLLOWED: Final = 250
"""and how many of them, those that bring most, are followed."""


@record
class WholeTurn:
    """A turn that is legal from draw to end, and the points, with awards, it brings."""

    actions: tuple[Action, ...]
    points: int


@record
class WholeTurns:
    """Turns, those with most points first.

    `complete`: there are no others. `searched` is False where the search was given up, so that
    among those left out there may be better ones.
    """

    turns: tuple[WholeTurn, ...]
    complete: bool
    searched: bool


def whole_turns(
    judge: Judge, position: Position, most: int | None = None, states: int = MOST_STATES
) -> WholeTurns:
    """At most `most` turns that the player may make, or ends of the turn under way."""
    search = _Search(judge, position, states)
    with EFFORT.at_most(MOST_EFFORT):
        turns = search.run()
        listed = tuple(islice(turns, most))
        more = next(turns, None) is not None
        searched = search.exhausted and not EFFORT.over
    return WholeTurns(listed, complete=searched and not more, searched=searched)


class _Entry(NamedTuple):
    """A state of a turn, or the end of one if there is none.

    The first entry of a queue promises most.
    """

    promise: int
    """Points, negative: what the turn has brought and may still bring."""
    goes_on: bool
    number: int
    actions: tuple[Action, ...]
    state: Position | None = None
    hopeful: int = 0
    """The cards that might still be laid, a bit for each."""
    bounded: bool = False
    """Whether the promise is as near as it gets, the cards not taken one by one but together."""


class _Search:
    """One search; `exhausted` says that it has seen everything."""

    def __init__(self, judge: Judge, position: Position, most_states: int) -> None:
        self.judge = judge
        self.start = position
        self.seat = position.turn.seat
        self.most_states = most_states
        self.exhausted = True
        self._melds = len(position.melds)
        self._together = judge.ruleset.melds.wild.swap == "never"
        self._worth = most_points(judge, position.book)
        self._queue: list[_Entry] = []
        self._seen: set[object] = set()
        self._numbers = count(0, -1)
        self._wild_bounds = 0
        house = judge.house
        self._awards = house is not None and any(award.rule.at for award in house.awards)

    def run(self) -> Iterator[WholeTurn]:
        """The turns with most points first, as far as the limit on states goes."""
        turns = (
            self._turns()
        )  # what a house rule may yet award has no bound: all turns are looked at then
        yield from sorted(turns, key=lambda turn: -turn.points) if self._awards else turns

    def _turns(self) -> Iterator[WholeTurn]:
        self._begin()
        while self._queue:
            entry = heappop(self._queue)
            if entry.state is None:
                yield WholeTurn(self._written(entry.actions), -entry.promise)
            elif len(self._seen) >= self.most_states or EFFORT.over:
                self.exhausted = False
            elif not entry.bounded and self._together:
                heappush(self._queue, self._bounded(entry, entry.state))
            else:
                self._open(entry.state, entry.actions, entry.hopeful)

    def _written(self, actions: tuple[Action, ...]) -> tuple[Action, ...]:
        """A turn as it is written: lay-offs on one meld together, if house rules allow it."""
        joined, house = _joined(actions), self.judge.house
        if house is None or joined == actions or not house.bans_on(LayOff):
            return joined
        state = self._started()
        for action in joined:
            if self.judge.violation(state, action) is not None:
                return actions
            state = after(self.judge, state, action)
        return joined

    def _started(self) -> Position:
        """The turn under way, or the one that begins."""
        state = self.start.copy()
        if state.begins:
            self.judge.play.begin_turn(state, self.seat)
        return state

    def _bounded(self, entry: _Entry, state: Position) -> _Entry:
        """The bound with the most that the cards held can score together."""
        wilds = sum(count_of(state.hands[self.seat], card) for card in state.book.wilds.cards)
        self._wild_bounds += wilds > FEW_WILDS
        try:
            more = best_at(self.judge, state, "points").bound
        except TooManyWays:
            self._wild_bounds = MOST_WILD_BOUNDS
            more = -entry.promise - self._points(state)
        self._together = self._together and self._wild_bounds < MOST_WILD_BOUNDS
        promise = max(entry.promise, -(self._points(state) + more))
        return entry._replace(promise=promise, bounded=True)

    def _begin(self) -> None:
        judge, state = self.judge, self._started()
        if not before_draw(state) or (
            state.turn.opening and judge.ruleset.deal.first_turn == "no_draw"
        ):
            self._go_on(state, (), _hopeful(judge, state))
            return
        self._draw(state, ())

    def _draw(self, state: Position, done: tuple[Action, ...]) -> None:
        """Tries all draws, and what may follow once all are made."""
        judge = self.judge
        top = state.stock[-1] if state.stock else UNKNOWN
        for draw in draws(judge, state):
            action = Draw(top) if isinstance(draw, Draw) else draw
            drawn, so_far = after(judge, state, action), (*done, action)
            if is_over(drawn, self.start.turn):
                self._end(drawn, so_far)
            elif between_draws(drawn):
                self._draw(drawn, so_far)
            else:
                self._go_on(drawn, so_far, _hopeful(judge, drawn))

    def _open(self, state: Position, done: tuple[Action, ...], hopeful: int) -> None:
        """Tries all that may follow."""
        for card in discards(self.judge, state):
            self._end(after(self.judge, state, card) if self._awards else state, (*done, card))
        for action, played in self._plays(state):
            if is_over(played, self.start.turn):
                if self._is_new(played):
                    self._end(played, (*done, action))
            else:
                self._go_on(played, (*done, action), hopeful)

    def _plays(self, state: Position) -> list[tuple[Action, Position]]:
        """What may be played, and what comes of it, what brings most last.

        Of very many plays those.
        """
        possible = useful(self.judge, state) if self._at_once(state) else plays(self.judge, state)
        played = [
            (action, after(self.judge, state, action)) for action in islice(possible, MOST_PLAYS)
        ]
        played.sort(key=lambda turn: self._points(turn[1]))
        if len(played) <= MOST_FOLLOWED:
            return played
        self.exhausted = False
        return [*played[-MOST_FOLLOWED:], *self._best(state)]

    def _best(self, state: Position) -> Iterator[tuple[Action, Position]]:
        """The first play of the best way to lay the whole hand down, if it may be played now."""
        try:
            way = best_at(self.judge, state, "points").plays
        except TooManyWays:
            return
        for action in way[:1]:
            if self.judge.violation(state, action) is None:
                yield action, after(self.judge, state, action)

    def _at_once(self, state: Position) -> bool:
        """Whether a card is owed before anything that does not help to lay it."""
        duty, (top, deep) = state.turn.duty, duties(self.judge.ruleset)
        return duty is not None and (deep if duty.deep else top).when == "at_once"

    def _go_on(self, state: Position, done: tuple[Action, ...], hopeful: int) -> None:
        if self._is_new(state):
            promise = self._points(state)
            for card in each(state.hands[self.seat]):
                if hopeful >> card & 1:
                    promise += self._worth[card]
            if self.judge.ruleset.melds.wild.swap != "never":
                promise += self._worth[JOKER] * sum(
                    laid.card != laid.role for meld in state.melds for laid in meld.cards
                )
            heappush(self._queue, _Entry(-promise, True, next(self._numbers), done, state, hopeful))

    def _end(self, state: Position, done: tuple[Action, ...]) -> None:
        heappush(self._queue, _Entry(-self._points(state), False, next(self._numbers), done))

    def _points(self, state: Position) -> int:
        return state.brought(self.seat) - self.start.brought(self.seat)

    def _is_new(self, state: Position) -> bool:
        """Whether this state has not been reached before, the numbers of new melds apart."""
        turn = state.turn
        laid = [
            (
                meld.shape,
                *sorted([(played.card, played.role, played.seat) for played in meld.cards]),
            )
            for meld in state.melds
        ]
        key = (
            self._points(state),
            state.hands[self.seat],
            state.unknown[self.seat],
            len(state.pile),
            tuple(laid[: self._melds]),
            frozenset([(meld, laid.count(meld)) for meld in laid[self._melds :]]),
            turn.seat,
            turn.plays if turn.duty is not None else None,
            turn.swapped,
            turn.call.wanted if turn.call is not None else 0,
            turn.deeds,
        )
        if key in self._seen:
            return False
        self._seen.add(key)
        return True


def _joined(actions: tuple[Action, ...]) -> tuple[Action, ...]:
    """Different cards laid off on the same meld one after the other, as one action."""
    joined: list[Action] = []
    for action in actions:
        before = joined[-1] if joined else None
        if (
            isinstance(action, LayOff)
            and isinstance(before, LayOff)
            and before.target == action.target
            and all(played.card != action.cards[0].card for played in before.cards)
        ):
            joined[-1] = LayOff((*before.cards, *action.cards), action.target)
        else:
            joined.append(action)
    return tuple(joined)


def _hopeful(judge: Judge, position: Position) -> int:
    """The cards of the hand that might be laid in this turn, a bit for each.

    All, where it is not clear.
    """
    hand, book = position.hands[position.turn.seat], position.book
    mask = mask_of(hand)
    if judge.ruleset.melds.wild.swap != "never" or mask & bits_of(book.wilds.cards):
        return ALL_CARDS
    count = 0
    shapes = {meld.shape for meld in position.melds if meld.shape is not None}
    for number, meld in enumerate(book.melds_in(hand)):
        if number >= MOST_STATES:
            return ALL_CARDS
        count |= bits_of(played.card for played in meld)
        reading = book.read(meld)
        if isinstance(reading, Reading):
            shapes.add(reading.shape)
    for shape in shapes:
        count |= mask & walk(shape, mask, 0)
    return count
