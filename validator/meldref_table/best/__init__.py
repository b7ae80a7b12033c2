"""The most valuable way to lay down a hand: melds and lay-offs, exact, with a proving bound.

`board` also asks the rules that the search does not know by itself. Where house rules award points,
`awarded` tries all ways; `whole_turns` lists turns from draw to discard, best first.
"""

from meldref_table.best.choice import best_at, best_lay_down
from meldref_table.best.objective import Goal, LayDown, Spot, Terms, terms_for
from meldref_table.best.templates import TooManyWays

__all__ = [
    "Goal",
    "LayDown",
    "Spot",
    "Terms",
    "TooManyWays",
    "best_at",
    "best_lay_down",
    "terms_for",
]
