"""What is paid when a game is over (W-PER-13, W-PER-14, O-TIE-01, O-CHIP)."""

from __future__ import annotations

from collections.abc import Sequence

from meldref.ruleset.model import Ruleset


def payments(ruleset: Ruleset, totals: Sequence[int], winners: Sequence[int]) -> list[int] | None:
    """What each side gains (negative: pays), by the final totals; None where the ruleset settles nothing.

    With several winners only a prize can be shared, rounded down to whole chips for each of them; a difference or
    chips go to one.
    """
    settlement = ruleset.settlement
    if settlement.pays == "nothing" or not winners:
        return None
    gains = [0] * len(totals)
    if settlement.pays == "prize":
        for winner in winners:
            gains[winner] = settlement.prize // len(winners)
        return gains
    if len(winners) > 1:
        return None
    best = winners[0]
    better = -1 if ruleset.game.winner == "lowest" else 1
    top = better * totals[best] + ruleset.game.bonus
    ratio = settlement.ratio if settlement.pays == "chips" else 1
    for side, total in enumerate(totals):
        if side != best:
            gains[side] = -(top - better * total) * ratio
            gains[best] += (top - better * total) * ratio
    return gains
