"""Examples of rules: made by the solver and asked of the judge, or left out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Final, TypeAlias

from meldref.authoring.rulebook.examples import melds, play, points
from meldref.authoring.rulebook.examples.bench import Bench, NothingFits
from meldref.authoring.rulebook.model import CardExample

Maker: TypeAlias = Callable[[Bench, Bench], Iterator[CardExample]]
"""Makes examples at the smallest table, or at one with the most packs."""

MAKERS: Final[dict[str, Maker]] = {
    "kinds": melds.kinds,
    "aces": melds.aces,
    "first_points": melds.first_points,
    "wild_cards": melds.wild_cards,
    "swap": play.swap,
    "lay_off": play.lay_off,
    "take_deep": play.take_deep,
    "take_top": play.take_top,
    "discard": play.discard,
    "going_out": play.going_out,
    "floating": play.floating,
    "calls": play.calls,
    "values": points.values,
}


def examples_of(name: str, tables: tuple[Bench, Bench]) -> tuple[CardExample, ...]:
    """The examples of that name at these tables; none where the rules leave nothing to show."""
    found: list[CardExample] = []
    with suppress(NothingFits):
        found.extend(MAKERS[name](*tables))
    return tuple(found)
