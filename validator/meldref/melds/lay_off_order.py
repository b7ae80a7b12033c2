"""Laying several cards off at once: one act on a set of cards, in whatever order they are written.

The cards go on a meld where some order of them goes, one card after the other. A wild card of which
nothing is said may stand for whatever lets all of them go.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from meldref.core.cards import EMPTY, JOKER, Card, Cards, Played, Role, count, counted, difference
from meldref.core.records import NamedTuple
from meldref.melds.lay_off_index import is_open
from meldref.melds.shapes import Extension, Fault, Shape

Extend: TypeAlias = Callable[[Shape, Played, int], "Extension | Fault"]
Assignment: TypeAlias = tuple[tuple[Card, Role], ...]
"""Cards with what they count as, in ascending order: identical wild cards are interchangeable."""


class Row(NamedTuple):
    """Cards in an order in which they are laid off, with what they stand for if that is clear.

    The first `laid` of them extend the meld, one after the other.
    """

    cards: tuple[Played, ...]
    laid: int

    @property
    def fits(self) -> bool:
        """Whether all of them do."""
        return self.laid == len(self.cards)


class First(NamedTuple):
    """Cards laid before others: those `due` before all that are not in `along`."""

    due: Cards = EMPTY
    along: Cards = EMPTY


ANYHOW: Final = First()
MOST_STATES: Final = 2000
"""The most states of a meld looked at in search of an order."""


def left_open(played: Played) -> bool:
    """Whether it is not said outright what a card stands for."""
    return played.card == JOKER if played.role is None else is_open(played.role)


def row(extend: Extend, shape: Shape, cards: tuple[Played, ...], barred: int, first: First) -> Row:
    """The order in which cards extend a shape with the fewest others before those due.

    Of several such orders it is the one nearest to how they are written. Where wild cards could
    stand for different things nothing is added to what is said of them. Where not all cards fit, as
    many as can come first, and then those that no meld would take.
    """
    if len(cards) == 1:
        extended = extend(shape, cards[0], barred)
        if isinstance(extended, Fault):
            return Row(cards, min(len(extended.readings), 1))
        return Row((extended.laid.said,), 1)
    search = _Search(extend, cards, first)
    orders = search.ways(shape, cards, barred)
    if not orders:
        return search.most()
    _, order = next(iter(orders.values()))
    is_clear = len(orders) == 1
    in_order = [stated if is_clear else written for written, stated in order]
    return Row(tuple(in_order), len(cards))


_Order: TypeAlias = tuple[tuple[Played, Played], ...]
"""Cards one after the other, each as written and as it lies."""
_Orders: TypeAlias = dict[Assignment, tuple[int, _Order]]
"""For each way in which cards can count, how many of them are early, and an order."""


def _reach(order: _Order) -> tuple[int, int]:
    """How many cards could be laid, and how many of them as themselves."""
    return len(order), sum(stated.role is None for _, stated in order)


class _Search:
    """Tries the orders of some cards, and remembers what can be done with the rest of them."""

    def __init__(self, extend: Extend, cards: tuple[Played, ...], first: First) -> None:
        self._extend = extend
        self._all = counted([played.card for played in cards])
        self._clear = not any(left_open(played) for played in cards)
        self._first = first
        self._answers: dict[tuple[Shape, tuple[Played, ...], int], _Orders] = {}
        self._longest: tuple[_Order, tuple[Played, ...], Shape, int] | None = None

    def ways(
        self, shape: Shape, rest: tuple[Played, ...], barred: int, before: _Order = ()
    ) -> _Orders:
        """Each way in which all the rest can count; `before` are the cards laid already."""
        if self._longest is None or _reach(before) > _reach(self._longest[0]):
            self._longest = before, rest, shape, barred
        if not rest:
            return {(): (0, ())}
        key = shape, rest, barred
        cached = self._answers.get(key)
        if cached is not None:
            return cached
        orders: _Orders = {}
        for played in dict.fromkeys(rest):
            none_early = any(not early for early, _ in orders.values())
            if len(self._answers) >= MOST_STATES or (self._clear and none_early):
                break
            index = rest.index(played)
            left = rest[:index] + rest[index + 1 :]
            too_soon = self._too_soon(played.card, rest)
            for bigger, laid in self._meant(shape, played, barred):
                step = played, laid.said
                barred_then = barred | 1 << laid.role if barred else barred
                behind = self.ways(bigger, left, barred_then, (*before, step))
                for assignment, (early_behind, order) in behind.items():
                    whole = tuple(sorted((*assignment, (laid.card, laid.role))))
                    early = early_behind + too_soon
                    if whole not in orders or early < orders[whole][0]:
                        orders[whole] = early, (step, *order)
        self._answers[key] = orders
        return orders

    def _meant(self, shape: Shape, played: Played, barred: int) -> list[Extension]:
        """The shape with a card, in each way in which it may be meant."""
        extended = self._extend(shape, played, barred)
        if isinstance(extended, Extension):
            return [extended]
        ways = [self._extend(shape, way[0], barred) for way in extended.readings]
        return [way for way in ways if isinstance(way, Extension)]

    def _too_soon(self, card: Card, rest: Sequence[Played]) -> int:
        """1 for a card that is laid while others are due before it."""
        due, along = self._first
        laid = self._all - counted([played.card for played in rest])
        others_are_due = difference(due, laid) != EMPTY
        goes_along = count(laid, card) < count(along, card)
        return int(others_are_due and not goes_along)

    def most(self) -> Row:
        """As many cards as can be laid, then the others, what is wrong in any case first."""
        assert self._longest is not None
        order, rest, shape, barred = self._longest

        def merely_unfitting(played: Played) -> bool:
            fault = self._extend(shape, played, barred)
            return isinstance(fault, Fault) and fault.code == "layoff.fit"

        behind = sorted(rest, key=merely_unfitting)
        return Row((*[stated for _, stated in order], *behind), len(order))
