"""Pages about the empty stock."""

from __future__ import annotations

from typing import Final

from meldref.rules.page import Example, Page

PAGES: Final = (
    Page(
        code="stock.pass",
        title="passing while there are cards to draw",
        means=(
            "A player declined to draw. That is possible only where the stock is empty and not made new from "
            "the pile; the hand is then over."
        ),
        why="A turn is not skipped. When nothing is left but the pile, though, nobody is forced to take it.",
        keys=("stock.empty", "stock.reshuffle"),
        clauses=(
            "P-END-03",
            "P-END-05",
            "P-END-06",
            "W-BOAT-04",
            "W-BOAT-05",
            "W-BOAT-06",
            "G-END-04",
            "G-FLO-02",
        ),
        illegal=Example(given='{hands: {A: "2c 9d"}, pile: "7h", stock: 5}', moves=("A: pass",)),
        legal=Example(given='{hands: {A: "2c 9d"}, pile: "7h", stock: 0}', moves=("A: pass",)),
    ),
    Page(
        code="stock.reshuffle",
        title="reshuffling the pile when the rules do not",
        means=(
            "The pile was made into a new stock. This game does not do that, or there were still cards in the "
            "stock, or none in the pile to shuffle."
        ),
        why="Whether the cards come round again decides how long a hand lasts, and what is gone for good.",
        keys=("stock.reshuffle",),
        clauses=("P-END-03", "W-BOAT-06", "W-BOAT-07"),
        illegal=Example(
            given='{hands: {A: "2c 9d"}, pile: "5s 7h", stock: 0}',
            moves=("reshuffle", "A: draw 5s; discard 2c"),
        ),
        legal=Example(
            given='{hands: {A: "2c 9d"}, pile: "5s 7h", stock: 0}',
            moves=("reshuffle", "A: draw 5s; discard 2c"),
            options=("reshuffle-stock",),
        ),
    ),
)
