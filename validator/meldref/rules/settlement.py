"""The recorded settlement follows from the totals (W-PER-14, O-CHIP-03)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from meldref.position.game import Standing
from meldref.rules.base import Undecided, Violation
from meldref.rules.declare import code, no_effect
from meldref.rules.game import leaders, stands
from meldref.ruleset.model import Ruleset

code("settle.chips")
_paid = "settlement.pays"
no_effect(
    "settlement.ratio", by=_paid, where=lambda rules: rules.settlement.pays in {"nothing", "prize"}
)
no_effect("settlement.prize", by=_paid, where=lambda rules: rules.settlement.pays != "prize")


def chips(
    ruleset: Ruleset, standing: Standing, recorded: Mapping[int, int], kept: Standing | None = None
) -> Violation | Undecided | None:
    """Whether the chips are what the totals give; `kept` is as for the winner."""
    if ruleset.settlement.pays == "nothing":
        return Violation("settle.chips", "nothing is paid in this game")
    verdict = stands(ruleset, standing)
    known = [value for value in standing.totals if value is not None]
    if not verdict.known or len(known) < len(standing.totals):
        return Undecided("what is paid: it depends on something unknown")
    winners = verdict.winners
    if not winners and kept is not None and stands(ruleset, kept).winners:
        winners = leaders(ruleset, standing)
    if not winners:
        return Violation("settle.chips", "the game is not over, so nothing is paid yet")
    due = payments(ruleset, known, winners)
    if due is None:
        return None
    for side, amount in recorded.items():
        if amount != due[side]:
            return Violation(
                "settle.chips",
                f"{standing.names[side]} gets {due[side]}, not {amount}",
                notes=(
                    f"recorded {amount}, computed {due[side]}, difference {amount - due[side]:+d}",
                ),
            )
    return None


def payments(ruleset: Ruleset, totals: Sequence[int], winners: Sequence[int]) -> list[int] | None:
    """What each side gains (negative: pays), by the final totals; None where the ruleset settles nothing.

    With several winners only a prize can be shared, rounded down to whole chips for each of them; a
    difference or chips go to one.
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
