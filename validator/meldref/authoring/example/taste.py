"""What a made-up game is rich in: things that rules differ in, by the sections in which two rulesets do."""

from __future__ import annotations

from meldref.core.records import record
from meldref.simulate.rng import Dice


@record
class Taste:
    """How games are made up; `empties` and `takes` are times in ten, `calls` times in a hundred."""

    bare: bool
    """Whether wild cards are laid without what they stand for, and lay-offs without their meld."""
    empties: int
    """Playing every card, or all but the last discard."""
    takes: int
    """Drawing from a pile of some depth."""
    calls: int
    """Calling "Rummy!"."""
    counts: bool
    """Whether it is told after a call how few cards somebody holds, who may have gone out before it."""
    breaks: bool
    """Whether turns are broken off after the draw, so that somebody may call then."""
    throws_taken: bool
    """Whether what was just taken is often thrown."""
    deals: bool
    """Whether one player's cards are dealt openly, so that what they count in hand is known."""
    again: int | None
    """A card that turns up again and again, where a double matters."""


def taste_for(sections: frozenset[str], dice: Dice) -> Taste:
    """The taste of one game, for rulesets that differ in these sections."""
    discards = "discard" in sections
    return Taste(
        bare=dice.below(10) < (6 if sections & {"melds", "layoff"} else 2),
        empties=6 if sections & {"out", "floating", "scoring", "game"} else 2,
        takes=8 if sections & {"draw", "discard"} else 4,
        calls=40 if sections & {"calls", "out"} else 10,
        counts="out" in sections,
        breaks="calls" in sections,
        throws_taken=discards,
        deals="scoring" in sections and dice.below(3) == 0,
        again=dice.below(52) if discards and dice.below(2) else None,
    )
