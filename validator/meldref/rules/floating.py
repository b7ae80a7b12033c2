"""Floating: playing on without cards (P-VFLO, G-FLO). What melding all leads to stands in `out`."""

from __future__ import annotations

from meldref.rules.base import Violation
from meldref.rules.declare import Suggest, code

code(
    "float.playable",
    where=lambda rules: (
        rules.out.melding_all == "floats"
        and (rules.floating.playable == "must_be_used" or rules.out.last_discard == "unplayable")
    ),
)
code("float.kept", where=lambda rules: rules.out.melding_all == "floats", suggest=Suggest.DISCARD)


def kept(player: str) -> Violation:
    """A floater ends the turn with a discard or without a card, and keeps none otherwise (P-VFLO-05)."""
    return Violation("float.kept", f"{player} floats and keeps a card without a discard", key="out.melding_all")
