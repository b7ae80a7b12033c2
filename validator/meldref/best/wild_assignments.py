"""Which wild cards take which places of a form.

A wild card stands for another card than itself: where its own place is among those to be taken, another card has
to take that one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement, permutations
from typing import Final

from meldref.best.packing import Packed
from meldref.best.templates import LayingOrder, Places, Template
from meldref.core.cards import ANY_SUIT, Card
from meldref.melds.kinds import Roles

_MOST_ORDERED: Final = 6
"""The most wild cards of which every order is tried, where it matters which of them are laid at once."""


class Fillings:
    """The wild cards that can take some places: every set of them, each in an order that is allowed."""

    def __init__(self, wilds: Sequence[Card], held: Sequence[int], unit: Sequence[Packed]) -> None:
        self._wilds = wilds
        self._held = held
        self._unit = unit
        self._sets: dict[int, list[tuple[Packed, tuple[Card, ...]]]] = {}

    def of(self, form: Template, way: LayingOrder, places: Places) -> Iterator[tuple[Packed, tuple[Card, ...]]]:
        """Each set of wild cards that can take these places, the most valuable cards where they count most."""
        for cards, row in self._of_size(len(places)):
            filled = self._placed(form, way, places, row)
            if filled is not None:
                yield cards, filled

    def _of_size(self, number: int) -> list[tuple[Packed, tuple[Card, ...]]]:
        known = self._sets.get(number)
        if known is None:
            known = self._sets[number] = [
                (sum(self._unit[card] for card in row), row)
                for row in combinations_with_replacement(self._wilds, number)
                if all(row.count(card) <= self._held[card] for card in set(row))
            ]
        return known

    def _placed(
        self, form: Template, way: LayingOrder, places: Places, row: tuple[Card, ...]
    ) -> tuple[Card, ...] | None:
        """The best order of cards for places, None where one of them would stand for itself."""
        roles: Roles = (ANY_SUIT,) * len(form.roles) if form.opens else form.roles
        order = _apart(roles, places, list(row))
        if order is None or not way.later or len(set(row)) <= 1 or len(row) > _MOST_ORDERED:
            return order
        allowed = (
            one
            for one in set(permutations(row))
            if all(roles[place] != card for place, card in zip(places, one, strict=True))
        )
        return max(allowed, key=lambda one: sum(map(lambda at, card: way.wild_gains[card][at], places, one)))


def _apart(roles: Roles, places: Places, row: list[Card]) -> tuple[Card, ...] | None:
    """An order of cards in which none stands for itself: a card that does changes places with another."""
    for index, place in enumerate(places):
        if row[index] != roles[place]:
            continue
        for other, elsewhere in enumerate(places):
            if row[other] != roles[place] and row[index] != roles[elsewhere]:
                row[index], row[other] = row[other], row[index]
                break
        else:
            return None
    return tuple(row)
