"""What house rules may ask of a hand that its cards do not show, such as turns and melding.

A position has a memory only under a ruleset with house rules.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final, TypeAlias

from meldref.core.cards import Card
from meldref.core.records import NamedTuple, copied, record
from meldref.position.moved import NOBODYS, PILE, Moved

Count: TypeAlias = "int | tuple[int, int]"
"""A number, or the least and the greatest that it may be."""
SOME: Final = (0, 1_000_000_000)
"""A number of times of which nothing is known."""
TURNED_UP: Final = NOBODYS
"""Who discarded a card that was turned up: nobody."""


class Earned(NamedTuple):
    """Points that a house rule gave for an action: which rule, to whom.

    None: nobody knows how many.
    """

    rule: str
    seat: int
    points: int | None


class Deeds(NamedTuple):
    """What was done in a turn or call: melds by place, lay-offs, exchanges, points, cards taken.

    `taken` are those of a call; `thrown` says of each card taken, in a turn as well, who threw it
    (None: nobody knows).
    """

    seat: int
    melds: tuple[int, ...] = ()
    lay_offs: int = 0
    swaps: int = 0
    points: int = 0
    taken: tuple[Card, ...] = ()
    thrown: tuple[tuple[Card, int | None], ...] = ()


@record(frozen=False)
class Memory:
    """What happened in the hand so far, by seat.

    `hand` is the hand's number, `totals` are those before it. `turns` were begun, in `melding`
    turns and calls a player melded or laid off; `calls` were made and not found wrong, `lay_offs`
    are cards laid off, and `own_lay_offs` those of them on the player's own melds. `layers` has who
    laid cards that count for somebody else, by meld and place in it. `latest` is what was done in
    the latest turn or call. `thrown` says who discarded the cards of the pile, from its bottom on;
    of a pile that has more cards, those on top (see `throwers`).
    """

    turns: list[Count]
    melding: list[Count]
    calls: list[Count]
    lay_offs: list[Count]
    own_lay_offs: list[Count]
    totals: tuple[int | None, ...]
    hand: int | None = None
    dealer: int | None = None
    layers: Mapping[tuple[int, int], int] = MappingProxyType({})
    earned: tuple[Earned, ...] = ()
    latest: Deeds | None = None
    thrown: tuple[int | None, ...] = ()

    def copy(self) -> Memory:
        """An independent copy."""
        other = copied(self)
        other.turns, other.melding = self.turns[:], self.melding[:]
        other.calls, other.lay_offs = self.calls[:], self.lay_offs[:]
        other.own_lay_offs = self.own_lay_offs[:]
        return other

    def throwers(self, size: int) -> tuple[int | None, ...]:
        """Who discarded each card of a pile of a given size, from the bottom.

        None if that is unknown.
        """
        if len(self.thrown) > size:
            return (None,) * size
        return (None,) * (size - len(self.thrown)) + self.thrown

    def lifted(self, pile: Sequence[Card], places: Sequence[int]) -> tuple[int | None, ...]:
        """Who discarded the cards at some places of a pile.

        A negative place is one that nobody knows.
        """
        throwers = self.throwers(len(pile))
        return tuple([throwers[place] if place >= 0 else None for place in places])

    def follow_pile(
        self, moves: Sequence[Moved], before: int, after: int, seat: int = NOBODYS
    ) -> tuple[tuple[Card, int | None], ...]:
        """Keeps up who discarded the cards of the pile while some are laid on it or lifted.

        Returns those that a seat lifted, with who discarded each. The pile had `before` cards and
        has `after`; of a pile that nobody saw, more may be lifted than were known to be there.
        """
        lifted = [moved for moved in moves if moved.origin is PILE]
        there = [moved for moved in lifted if moved.place >= 0]
        laid = [moved for moved in moves if moved.target is PILE]
        throwers = [*self.throwers(max(before, after + len(there) - len(laid)))]
        thrown: list[tuple[Card, int | None]] = []
        for moved in lifted:
            by = throwers.pop(moved.place) if moved.place >= 0 else None
            if moved.seat == seat:
                thrown.append((moved.card, by))
        throwers += [moved.seat for moved in laid]
        self.thrown = tuple(throwers) if len(throwers) == after else ()
        return tuple(thrown)

    def not_begun(self, seat: int) -> None:
        """Takes one turn of a player back: it is put off while somebody buys."""
        number = self.turns[seat]
        if isinstance(number, int):
            self.turns[seat] = number - 1

    def lose(self) -> None:
        """Forgets what turns that nobody wrote down may have changed."""
        seats = len(self.turns)
        self.turns, self.melding = [SOME] * seats, [SOME] * seats
        self.calls, self.lay_offs = [SOME] * seats, [SOME] * seats
        self.own_lay_offs = [SOME] * seats
        self.latest, self.thrown = None, ()


def new_memory(
    players: int,
    hand: int | None = None,
    dealer: int | None = None,
    totals: Sequence[int | None] = (),
) -> Memory:
    """The memory of a hand in which nothing has happened yet."""
    return Memory(
        turns=[0] * players,
        melding=[0] * players,
        calls=[0] * players,
        lay_offs=[0] * players,
        own_lay_offs=[0] * players,
        totals=tuple(totals) or (None,) * players,
        hand=hand,
        dealer=dealer,
    )


def one_more(number: Count) -> Count:
    """A number of times and one more."""
    return more(number, 1)


def more(number: Count, by: int) -> Count:
    """A number of times and some more."""
    return number + by if isinstance(number, int) else (number[0] + by, number[1])


def at_least(number: Count) -> Count:
    """A number of times that may have become greater."""
    return (number if isinstance(number, int) else number[0]), SOME[1]


def added(number: Count, other: Count) -> Count:
    """The sum of two numbers of times."""
    if isinstance(number, int):
        return more(other, number)
    if isinstance(other, int):
        return more(number, other)
    return number[0] + other[0], number[1] + other[1]
