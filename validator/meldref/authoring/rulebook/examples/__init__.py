"""Examples of rules: made by the solver and asked of the judge, or left out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from typing import Final, TypeAlias

from meldref.authoring.rulebook.examples import melds, play
from meldref.authoring.rulebook.examples.bench import Bench, NothingFits
from meldref.authoring.rulebook.examples.scene import described
from meldref.authoring.rulebook.model import CardExample

Maker: TypeAlias = Callable[[Bench, Bench], Iterator[CardExample]]
"""Makes examples at the smallest table, or at one with the most packs."""

_OF_MELDS: Final = (melds.kinds, melds.aces, melds.first_points, melds.wild_cards, melds.values)
MAKERS: Final[dict[str, Maker]] = {
    **{make.__name__: make for make in _OF_MELDS},
    **{name: partial(play.plays, name) for name in described("examples")},
}


def examples_of(name: str, tables: tuple[Bench, Bench]) -> tuple[CardExample, ...]:
    """The examples of that name at these tables; none where the rules leave nothing to show."""
    found: list[CardExample] = []
    with suppress(NothingFits):
        found.extend(MAKERS[name](*tables))
    return tuple(found)
