"""First layings that are not complete yet, and the melds that can complete them.

Only melds are looked at: what a lay-off adds to a new meld could have been laid with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from meldref.core.cards import Cards, holds, size
from meldref.core.effort import EFFORT
from meldref.core.events import Meld
from meldref.core.records import NamedTuple
from meldref.engine.judge import Judge
from meldref.melds import MeldIndex, Reading
from meldref.position.model import Position
from meldref.rules.meld import own_meld
from meldref.rules.opening import Opened, first_laid, slots, unfilled

MOST_MELDS = 20_000
"""A hand may make many more of many wild cards: those after so many are not looked at."""


class Possible(NamedTuple):
    """A meld that cards in hand can make."""

    meld: Meld
    opened: Opened


class Openings:
    """What first layings need under a judge's rules."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self._contract = slots(judge.ruleset)
        melds = judge.ruleset.melds
        self._least = melds.first_points if melds.first_points_of == "turn" else 0
        self._asked = bool(self._contract or self._least)
        self._known: dict[Meld, Opened] = {}
        self._book: MeldIndex | None = None
        self._listed: tuple[Cards, list[Possible]] | None = None
        """A hand, and what all melds of it come to: those of fewer cards are among them."""

    def lacking(self, position: Position) -> bool:
        """Whether the first laying of this turn still lacks something."""
        laid = first_laid(position) if self._asked else None
        if laid is None:
            return False
        return bool(unfilled(self._contract, laid)) or sum([one.points for one in laid]) < self._least

    def leads_to_one(self, position: Position, melds: Sequence[Meld]) -> Sequence[Meld]:
        """Those of a hand's melds after which a first laying can be completed; all where none is under way."""
        if not self._asked:
            return melds
        laid = first_laid(position)
        if laid is None and own_meld(position, position.turn.seat):
            return melds
        hand = position.hands[position.turn.seat]
        possible = self._possible(position, melds)
        before, dead = laid or [], set[object]()
        if self._search(before, hand, possible, dead) is None:
            return []
        self._of(position, hand)
        return [
            one.meld
            for one in possible
            if self._search([*before, one.opened], hand - one.meld.counted, possible, dead) is not None
        ]

    def way(self, position: Position) -> tuple[Meld, ...] | None:
        """Melds that complete a first laying; None where no known cards can."""
        hand = position.hands[position.turn.seat]
        return self._search(first_laid(position) or [], hand, self._of(position, hand), set())

    def _of(self, position: Position, hand: Cards) -> list[Possible]:
        """What the melds of a hand come to, out of those of a larger hand where it was asked about before."""
        if position.book is self._book and self._listed is not None and holds(self._listed[0], hand):
            return [one for one in self._listed[1] if holds(hand, one.meld.counted)]
        ways = list(position.book.melds_in(hand, limit=MOST_MELDS))
        possible = self._possible(position, map(Meld, ways))
        self._listed = None if len(ways) == MOST_MELDS or EFFORT.over else (hand, possible)
        return possible

    def _possible(self, position: Position, melds: Iterable[Meld]) -> list[Possible]:
        """What melds come to, those with most points first."""
        if position.book is not self._book:
            self._book, self._known, self._listed = position.book, {}, None
        found = []
        for meld in melds:
            opened = self._known.get(meld)
            if opened is None:
                reading = position.book.read(meld.cards)
                if not isinstance(reading, Reading):
                    continue
                points = self._judge.play.worth.new_meld(reading.laid)
                opened = self._known[meld] = Opened(reading.shape.kind, len(meld.cards), points)
            found.append(Possible(meld, opened))
        return sorted(found, key=lambda one: -one.opened.points)

    def _search(
        self, laid: Sequence[Opened], hand: Cards, possible: Sequence[Possible], dead: set[object]
    ) -> tuple[Meld, ...] | None:
        """Melds that can be laid beside one another, and complete a first laying."""
        missing = tuple(unfilled(self._contract, laid))
        points = sum([one.points for one in laid])
        if not missing and points >= self._least:
            return ()
        key = hand, missing, points
        if key in dead:
            return None
        there = [one for one in possible if holds(hand, one.meld.counted)]
        if missing:
            kind, least = missing[-1]
            tried = [one for one in there if one.opened.kind == kind and one.opened.size >= least]
        else:
            tried = there
        if tried and (missing or points + tried[0].opened.points * (size(hand) // 3) >= self._least):
            for one in sorted(tried, key=lambda one: one.opened.size) if missing else tried:
                rest = self._search([*laid, one.opened], hand - one.meld.counted, there, dead)
                if rest is not None:
                    return (one.meld, *rest)
        dead.add(key)
        return None
