"""Pages about cards that may not be thrown back."""

from __future__ import annotations

from typing import Final

from meldref.rules.page import Example, Page

PAGES: Final = (
    Page(
        code="discard.taken-top",
        title="throwing back the top card just taken",
        means=(
            "The player took the top card of the pile alone and discarded the same card in the same turn. "
            "Another card has to go; with two packs, its double may, as the rules say."
        ),
        why="Taking a card and putting it back would be passing, and a turn cannot be passed.",
        keys=("discard.taken_top", "discard.twin"),
        clauses=("P-DISC-02", "P-DISC-05", "P-DRAW-10", "P-VUNP-05", "W-DRAW-10", "O-DRAW-05", "O-DISC-02"),
        illegal=Example(given='{hands: {A: "2c 9d"}, pile: "7h"}', moves=("A: take 7h; discard 7h",)),
        legal=Example(given='{hands: {A: "2c 9d"}, pile: "7h"}', moves=("A: take 7h; discard 2c",)),
    ),
    Page(
        code="discard.taken-deep",
        title="throwing back a card just taken from inside the pile",
        means=(
            "Of several cards just taken, this game does not let this one be thrown in the same turn: not the "
            "deepest, or none but the one that lay on top."
        ),
        why="The card that the others were taken for should not be gone again at once.",
        keys=("discard.taken_deep", "discard.twin"),
        clauses=("P-DISC-03", "P-DISC-05", "P-DRAW-09", "K-DISC-01", "O-DISC-02", "O-DISC-03", "O-DISC-04"),
        illegal=Example(
            given='{hands: {A: "3c 5d"}, pile: "9d Kc 2h"}',
            moves=("A: take 9d; discard 9d",),
            options=("keep-taken-card",),
            rules="online-rummy-500",
        ),
        legal=Example(
            given='{hands: {A: "3c 5d"}, pile: "9d Kc 2h"}',
            moves=("A: take 9d; discard Kc",),
            options=("keep-taken-card",),
            rules="online-rummy-500",
        ),
    ),
)
