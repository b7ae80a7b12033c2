"""First layings that are not complete yet, and the melds that can complete them.

What a lay-off adds to a new meld could have been laid with it: lay-offs are looked at on melds that
lie there.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from meldref.core.cards import ONE, Cards, each, holds, size
from meldref.core.effort import EFFORT
from meldref.core.events import Meld
from meldref.core.records import NamedTuple
from meldref.engine.judge import Judge
from meldref.melds import MeldIndex, Reading, Shape
from meldref.position.model import Position
from meldref.rules.meld import extends, own_meld, ways_to_extend
from meldref.rules.opening import Opened, Slot, first_laid, melds_due, own_places, slots, unfilled

MOST_MELDS = 20_000
"""The most melds looked at: a hand with many wild cards may make many more."""


MOST_ASKED = 300
"""How many melds at most house rules are asked about to find a first laying that they allow."""


MOST_GROWN = 200
"""In how many ways melds that lie there are lengthened at most."""


class Possible(NamedTuple):
    """A meld that cards in hand can make; `if_turned` as in `Lying`."""

    meld: Meld
    opened: Opened
    shape: Shape
    if_turned: int


class Lying(NamedTuple):
    """A meld of the first laying, and its shape; None: nothing is laid off on it.

    `if_turned` is what it gains if a card comes to lie beyond an ace at an end of it.
    """

    opened: Opened
    shape: Shape | None
    if_turned: int = 0


class Openings:
    """What first layings need under a judge's rules."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self._worth = judge.play.worth
        self._contract = slots(judge.ruleset)
        melds = judge.ruleset.melds
        self._least = melds.first_points if melds.first_points_of == "turn" else 0
        self._banned = judge.house is not None
        self._asked = bool(self._contract or self._least)
        self._known: dict[Meld, Possible] = {}
        self._builds = judge.ruleset.layoff.onto != "nothing"
        self._book: MeldIndex | None = None
        self._listed: tuple[Cards, list[Possible]] | None = None
        """A hand, and what all melds of it come to: those of fewer cards are among them."""

    def lacking(self, position: Position) -> bool:
        """Whether the first laying of this turn still lacks something."""
        laid = first_laid(position) if self._asked else None
        if laid is None:
            return False
        return (
            melds_due(self._contract, laid) > 0 or sum([meld.points for meld in laid]) < self._least
        )

    def leads_to_one(self, position: Position, melds: Sequence[Meld]) -> Sequence[Meld]:
        """Those of a hand's melds after which a first laying can be completed.

        All where none is under way.
        """
        if not self._asked:
            return melds
        laid = first_laid(position)
        if laid is None and own_meld(position, position.turn.seat):
            return melds
        hand = position.hands[position.turn.seat]
        possible = self._possible(position, melds)
        before, dead = self._lying(position, laid or []), set[object]()
        if self._completed(before, hand, possible, dead) is None:
            return []
        self._of(position, hand)
        firsts = []
        for option in possible:
            shape = option.shape if self._builds else None
            lying = [*before, Lying(option.opened, shape, option.if_turned)]
            way = self._completed(lying, hand - option.meld.counted, possible, dead)
            if way is not None and (
                not self._banned or self._allowed(position, lying, option, way)
            ):
                firsts.append(option.meld)
        return firsts

    def _allowed(
        self, position: Position, lying: Sequence[Lying], first: Possible, way: Sequence[Meld]
    ) -> bool:
        """Whether house rules allow a meld and then a way to complete the first laying."""
        state = position.copy()
        if not self._lays(state, first.meld):
            return False
        begun = state.copy()
        if all(self._lays(state, meld) for meld in way):
            return True
        if len(lying) + len(way) > max(len(self._contract), 1):
            return False
        laid, left = [meld.opened for meld in lying], [MOST_ASKED]
        return self._completes(
            begun, laid, self._of(position, position.hands[position.turn.seat]), left
        )

    def _lays(self, state: Position, meld: Meld) -> bool:
        """Lays a meld, if the rules allow it."""
        if self._judge.violation(state, meld) is not None:
            return False
        self._judge.play.actions[Meld](state, meld)
        return True

    def _completes(
        self, state: Position, laid: Sequence[Opened], possible: Sequence[Possible], left: list[int]
    ) -> bool:
        """Whether melds that the rules allow one after the other complete a first laying.

        In doubt they may.
        """
        missing = unfilled(self._contract, laid)
        if not missing and sum([meld.points for meld in laid]) >= self._least:
            return True
        hand = state.hands[state.turn.seat]
        for option in _filling(_held(possible, hand), missing):
            left[0] -= 1
            if left[0] < 0:
                return True
            after = state.copy()
            if self._lays(after, option.meld) and self._completes(
                after, [*laid, option.opened], possible, left
            ):
                return True
        return False

    def way(self, position: Position) -> tuple[Meld, ...] | None:
        """Melds that complete a first laying, perhaps with lay-offs.

        None if no known cards can.
        """
        hand = position.hands[position.turn.seat]
        lying = self._lying(position, first_laid(position) or [])
        return self._completed(lying, hand, self._of(position, hand), set())

    def _lying(self, position: Position, laid: Sequence[Opened]) -> list[Lying]:
        """The melds of a first laying that lie there."""
        places = own_places(position) if laid else []
        melds = []
        for opened, place in zip(laid, places, strict=True):
            meld = position.melds[place]
            if meld.shape is None or not self._builds:
                melds.append(Lying(opened, None))
                continue
            gains = [self._worth.if_turned_there(meld.shape, card) for card in meld.cards]
            melds.append(Lying(opened, meld.shape, sum(gains)))
        return melds

    def _of(self, position: Position, hand: Cards) -> list[Possible]:
        """What the melds of a hand are worth, from those of a larger hand asked about before."""
        if position.book is self._book and self._listed is not None:
            larger_hand, possible = self._listed
            if holds(larger_hand, hand):
                return _held(possible, hand)
        ways = list(position.book.melds_in(hand, limit=MOST_MELDS))
        possible = self._possible(position, map(Meld, ways))
        is_whole = len(ways) < MOST_MELDS and not EFFORT.over
        self._listed = (hand, possible) if is_whole else None
        return possible

    def _possible(self, position: Position, melds: Iterable[Meld]) -> list[Possible]:
        """What melds come to, those with most points first."""
        if position.book is not self._book:
            self._book, self._known, self._listed = position.book, {}, None
        options = []
        for meld in melds:
            possible = self._known.get(meld)
            if possible is None:
                reading = position.book.read(meld.cards)
                if not isinstance(reading, Reading):
                    continue
                shape, laid, number = reading.shape, reading.laid, len(meld.cards)
                opened = Opened(shape.kind, number, self._worth.new_meld(laid))
                times = self._worth.factor(number)
                gains = [self._worth.if_turned(shape, card, times) for card in laid]
                possible = self._known[meld] = Possible(meld, opened, shape, sum(gains))
            options.append(possible)
        return sorted(options, key=lambda option: -option.opened.points)

    def _completed(
        self, lying: Sequence[Lying], hand: Cards, possible: Sequence[Possible], dead: set[object]
    ) -> tuple[Meld, ...] | None:
        """Melds that complete a first laying, with lay-offs on melds that lie there already."""
        for grown, left in islice(self._grown(lying, hand), MOST_GROWN):
            way = self._search([meld.opened for meld in grown], left, possible, dead)
            if way is not None:
                return way
        return None

    def _grown(
        self, lying: Sequence[Lying], hand: Cards
    ) -> Iterator[tuple[Sequence[Lying], Cards]]:
        """Melds as they lie and as they grow with cards laid off on them; and the cards left."""
        book, worth = self._book, self._worth
        pending, seen = deque([(tuple(lying), hand)]), {(tuple(lying), hand)}
        while pending:
            melds, left = pending.popleft()
            yield melds, left
            for place, (opened, shape, if_turned) in enumerate(melds):
                if shape is None or book is None:
                    continue
                for card in dict.fromkeys(each(left)):
                    if not extends(book, shape, card):
                        continue
                    for extended in ways_to_extend(book, shape, card):
                        points, then = worth.gained(shape, extended, if_turned)
                        longer = Opened(opened.kind, opened.size + 1, opened.points + points)
                        grown = Lying(longer, extended.shape, then)
                        state = (*melds[:place], grown, *melds[place + 1 :]), left - ONE[card]
                        if state not in seen and len(seen) < MOST_GROWN:
                            seen.add(state)
                            pending.append(state)

    def _search(
        self, laid: Sequence[Opened], hand: Cards, possible: Sequence[Possible], dead: set[object]
    ) -> tuple[Meld, ...] | None:
        """Melds that can be laid beside one another, and complete a first laying."""
        missing = tuple(unfilled(self._contract, laid))
        points = sum([meld.points for meld in laid])
        if not missing and points >= self._least:
            return ()
        key = hand, missing, points
        if key in dead:
            return None
        there = _held(possible, hand)
        options = _filling(there, missing)
        if missing:
            options = sorted(options, key=lambda option: option.opened.size)
        elif options:
            # So many melds of three cards at most, none of which brings more than the first.
            most_points = points + options[0].opened.points * (size(hand) // 3)
            if most_points < self._least:
                options = []
        for option in options:
            rest = self._search([*laid, option.opened], hand - option.meld.counted, there, dead)
            if rest is not None:
                return (option.meld, *rest)
        dead.add(key)
        return None


def _held(possible: Sequence[Possible], hand: Cards) -> list[Possible]:
    """The melds that a hand has the cards for."""
    return [option for option in possible if holds(hand, option.meld.counted)]


def _filling(possible: Sequence[Possible], missing: Sequence[Slot]) -> Sequence[Possible]:
    """The melds for the last place of a contract that is still empty; all if none is."""
    if not missing:
        return possible
    kind, least = missing[-1]
    return [
        option for option in possible if option.opened.kind == kind and option.opened.size >= least
    ]
