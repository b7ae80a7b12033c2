"""What house rules may ask of a hand and its cards do not show: who had how many turns, melded when, earned what.

A position has a memory only under a ruleset with house rules. It is a value: what changes is made anew.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final, TypeAlias

from meldref.core.cards import Card
from meldref.core.records import NamedTuple

Count: TypeAlias = "int | tuple[int, int]"
"""A number, or the least and the greatest that it may be."""
SOME: Final = (0, 1_000_000_000)
"""A number of times of which nothing is known."""


class Earned(NamedTuple):
    """Points that a house rule gave for an action: which rule, to whom; None: nobody knows how many."""

    rule: str
    seat: int
    points: int | None


class Deeds(NamedTuple):
    """What was done in a turn or call: melds by their places, cards laid off, exchanges, points, cards taken."""

    seat: int
    melds: tuple[int, ...] = ()
    lay_offs: int = 0
    swaps: int = 0
    points: int = 0
    taken: tuple[Card, ...] = ()


class Memory(NamedTuple):
    """What happened in the hand so far, by seat.

    `hand` is the hand's number, `totals` are those before it. `turns` were begun, in `melding` turns and calls a
    player melded or laid off, `layers` has who laid cards that count for somebody else, by meld and place in it.
    `latest` is what was done in the latest turn or call.
    """

    turns: tuple[Count, ...]
    melding: tuple[Count, ...]
    buys: tuple[Count, ...]
    totals: tuple[int | None, ...]
    hand: int | None = None
    dealer: int | None = None
    layers: Mapping[tuple[int, int], int] = MappingProxyType({})
    earned: tuple[Earned, ...] = ()
    latest: Deeds | None = None

    def begun(self, seat: int) -> Memory:
        """With one more turn of a player."""
        turns, melding, buys, totals, hand, dealer, layers, earned, _ = self
        return Memory(one_more(turns, seat), melding, buys, totals, hand, dealer, layers, earned)

    def noted(self, deeds: Deeds, *, first: bool) -> Memory:
        """With what was done in the latest turn or call; `first`: it is the first melding in it."""
        turns, melding, buys, totals, hand, dealer, layers, earned, _ = self
        if first:
            melding = one_more(melding, deeds.seat)
        return Memory(turns, melding, buys, totals, hand, dealer, layers, earned, deeds)

    def not_begun(self, seat: int) -> Memory:
        """With one turn of a player less: it is put off while somebody buys."""
        number = self.turns[seat]
        less = number - 1 if isinstance(number, int) else number
        return self._replace(turns=(*self.turns[:seat], less, *self.turns[seat + 1 :]))

    def lost(self) -> Memory:
        """After turns that nobody wrote down."""
        unknown = (SOME,) * len(self.turns)
        return self._replace(turns=unknown, melding=unknown, buys=unknown, latest=None)


def new_memory(
    players: int, hand: int | None = None, dealer: int | None = None, totals: Sequence[int | None] = ()
) -> Memory:
    """The memory of a hand in which nothing has happened yet."""
    none = (0,) * players
    return Memory(none, none, none, tuple(totals) or (None,) * players, hand, dealer)


def one_more(counts: tuple[Count, ...], seat: int) -> tuple[Count, ...]:
    """Counts with one more for a seat."""
    more = list(counts)
    number = more[seat]
    more[seat] = number + 1 if isinstance(number, int) else (number[0] + 1, number[1])
    return tuple(more)
