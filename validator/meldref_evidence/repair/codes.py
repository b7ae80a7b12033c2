"""What codes are about: whose turn it is, where cards lie, what is melded, how many there are."""

from __future__ import annotations

from typing import Final

ORDER: Final = ("turn", "call", "buy")
"""Codes that say whose turn it is,"""

CARDS: Final = ("hand", "log.copies", "draw", "buy.card", "call", "discard")
"""where a card lies,"""

IN_PILE: Final = (
    "hand",
    "log.copies",
    "draw.pile",
    "draw.deep",
    "draw.top",
    "buy.card",
    "call",
    "discard",
)
"""where one lies that is no card of the stock,"""

PLAYS: Final = ("meld", "layoff", "swap", "wild", "log.name", "call")
"""what lies on the table,"""

COUNT: Final = ("turn.unfinished", "turn.over", "stock", "draw.stock", "end", "out", "float")
"""and how many cards somebody has."""

PLAY_LACKS: Final = (
    *("layoff", "swap", "log.name", "call", "meld.contract", "meld.first-points", "house"),
    *("draw.deep", "draw.top", "discard"),
    *("turn.unfinished", "end", "out", "float"),
)
"""What follows from a play that was not written down."""
