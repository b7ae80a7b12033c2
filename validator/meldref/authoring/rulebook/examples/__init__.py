"""Examples of rules: made by the solver and asked of the judge, or left out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Final, TypeAlias

from meldref.authoring.rulebook.examples import melds, play
from meldref.authoring.rulebook.examples.bench import Bench, NothingFits
from meldref.authoring.rulebook.model import CardExample

Maker: TypeAlias = Callable[[Bench, Bench], Iterator[CardExample]]
"""Makes examples at the smallest table, or at one with the most packs."""

_MELDS: Final = (melds.kinds, melds.aces, melds.first_points, melds.wild_cards, melds.values)
_TURNS: Final = (play.swap, play.lay_off, play.take_deep, play.take_top, play.discard, play.calls)
_ENDS: Final = (play.going_out, play.floating)
MAKERS: Final[dict[str, Maker]] = {make.__name__: make for make in (*_MELDS, *_TURNS, *_ENDS)}


def examples_of(name: str, tables: tuple[Bench, Bench]) -> tuple[CardExample, ...]:
    """The examples of that name at these tables; none where the rules leave nothing to show."""
    found: list[CardExample] = []
    with suppress(NothingFits):
        found.extend(MAKERS[name](*tables))
    return tuple(found)
