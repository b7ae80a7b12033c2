"""Bounds on what cards can do: they tell what need not be asked."""

from __future__ import annotations

from typing import Final

from meldref.core.cards import JOKER
from meldref.melds import Shape

MOST_WALKED: Final = 500
"""The most shapes looked at that a meld can grow into."""
ALL_CARDS: Final = (1 << JOKER + 1) - 1
"""A bit for each card there is."""


def walk(shape: Shape, mask: int, wilds: int) -> int:
    """Cards that can be laid off on a meld after others of these, wild ones anywhere, as bits.

    All, if there are very many ways to go on with it.
    """
    reach = 0
    seen = {(shape, wilds)}
    todo = [(shape, wilds)]
    while todo:
        here, left = todo.pop()
        for role, bigger in here.growth.items():
            bit = 1 << role
            reach |= bit
            further = (bigger, left) if mask & bit else (bigger, left - 1)
            if further[1] >= 0 and further not in seen:
                seen.add(further)
                todo.append(further)
        if len(seen) > MOST_WALKED:
            return ALL_CARDS
    return reach
