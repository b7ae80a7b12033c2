"""The recorded settlement follows from the totals (W-PER-14, O-CHIP-03)."""

from __future__ import annotations

from collections.abc import Mapping

from meldref.position.game import Standing
from meldref.rules.base import Violation
from meldref.rules.game import stands
from meldref.ruleset.model import Ruleset
from meldref.settlement import payments


def chips(ruleset: Ruleset, standing: Standing, recorded: Mapping[int, int]) -> Violation | None:
    """Whether the chips are what the totals give."""
    if ruleset.settlement.pays == "nothing":
        return Violation("settle.chips", "nothing is paid in this game")
    verdict = stands(ruleset, standing)
    totals = [standing.total(side) for side in range(len(standing.sides))]
    known = [value for value in totals if value is not None]
    if not verdict.known or len(known) < len(totals):
        return None
    if not verdict.winners:
        return Violation("settle.chips", "the game is not over, so nothing is paid yet")
    due = payments(ruleset, known, verdict.winners)
    if due is None:
        return None
    for side, amount in recorded.items():
        if amount != due[side]:
            return Violation(
                "settle.chips",
                f"{standing.names[side]} gets {due[side]}, not {amount}",
                notes=(f"recorded {amount}, computed {due[side]}, difference {amount - due[side]:+d}",),
            )
    return None
