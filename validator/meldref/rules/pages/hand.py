"""The page about cards that a player does not hold."""

from __future__ import annotations

from typing import Final

from meldref.rules.page import Example, Page

PAGES: Final = (
    Page(
        code="hand.missing",
        title="a card the player does not hold",
        means=(
            "The hand is known well enough to say that this card is not in it, or more cards are played than it "
            "has unknown ones. A meld or a lay-off that the cards do not allow is left out, and the hand goes on. "
            "After such a discard the hand has one card less, and nobody knows which."
        ),
        why="Only cards in hand are played, and what lies on the table stays there.",
        keys=(),
        clauses=("P-MELD-01", "P-LAY-08", "P-DRAW-09", "K-LAY-02", "G-MELD-02", "G-LAY-09"),
        illegal=Example(given='{hands: {A: "5h 6h Ks"}}', moves=("A: draw 4s; meld 5h 6h 7h; discard Ks",)),
        legal=Example(given='{hands: {A: "5h 6h Ks"}}', moves=("A: draw 7h; meld 5h 6h 7h; discard Ks",)),
    ),
)
