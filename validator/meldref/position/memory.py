"""What house rules may ask of a hand and its cards do not show: who had how many turns, melded when, earned what.

A position has a memory only under a ruleset with house rules.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final, TypeAlias

from meldref.core.cards import Card
from meldref.core.records import NamedTuple, copied, record

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


@record(frozen=False, quick=True)
class Memory:
    """What happened in the hand so far, by seat.

    `hand` is the hand's number, `totals` are those before it. `turns` were begun, in `melding` turns and calls a
    player melded or laid off, `layers` has who laid cards that count for somebody else, by meld and place in it.
    `latest` is what was done in the latest turn or call.
    """

    turns: list[Count]
    melding: list[Count]
    buys: list[Count]
    totals: tuple[int | None, ...]
    hand: int | None = None
    dealer: int | None = None
    layers: Mapping[tuple[int, int], int] = MappingProxyType({})
    earned: tuple[Earned, ...] = ()
    latest: Deeds | None = None

    def copy(self) -> Memory:
        """An independent copy."""
        other = copied(self)
        other.turns, other.melding, other.buys = self.turns[:], self.melding[:], self.buys[:]
        return other

    def not_begun(self, seat: int) -> None:
        """Takes one turn of a player back: it is put off while somebody buys."""
        number = self.turns[seat]
        if isinstance(number, int):
            self.turns[seat] = number - 1

    def lose(self) -> None:
        """Forgets what turns that nobody wrote down may have changed."""
        seats = len(self.turns)
        self.turns, self.melding, self.buys, self.latest = [SOME] * seats, [SOME] * seats, [SOME] * seats, None


def new_memory(
    players: int, hand: int | None = None, dealer: int | None = None, totals: Sequence[int | None] = ()
) -> Memory:
    """The memory of a hand in which nothing has happened yet."""
    return Memory([0] * players, [0] * players, [0] * players, tuple(totals) or (None,) * players, hand, dealer)


def one_more(number: Count) -> Count:
    """A number of times and one more."""
    return number + 1 if isinstance(number, int) else (number[0] + 1, number[1])
