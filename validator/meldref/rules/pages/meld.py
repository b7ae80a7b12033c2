"""Pages about cards that form no meld, or not one of this game."""

from __future__ import annotations

from typing import Final

from meldref.rules.page import Example, Page

PAGES: Final = (
    Page(
        code="meld.size",
        title="a meld with too few or too many cards",
        means=(
            "The cards go together, but a meld of that kind has a least and a greatest number of cards, and "
            "this one has fewer or more."
        ),
        why="Two cards go together far too often to be worth anything, and a rank has only four suits.",
        keys=("melds.kinds",),
        clauses=(
            "P-GRP-01",
            "P-SEQ-01",
            "P-SEQ-07",
            "P-JOK-11",
            "P-JOK-12",
            "P-JOK-13",
            "W-MELD-01",
            "W-MELD-02",
            "W-MELD-03",
            "W-PER-06",
            "G-MELD-03",
            "G-MELD-04",
            "O-MELD-01",
            "O-MELD-02",
            "O-MELD-03",
        ),
        illegal=Example(given='{hands: {A: "9c 9d 9h Ks"}}', moves=("A: draw; meld 9c 9d; discard Ks",)),
        legal=Example(given='{hands: {A: "9c 9d 9h Ks"}}', moves=("A: draw; meld 9c 9d 9h; discard Ks",)),
    ),
    Page(
        code="meld.shape",
        title="cards that form no meld",
        means=(
            "These cards are nothing that can be laid together: not of one rank and different suits, not in a "
            "row in one suit, and not another kind that this game has."
        ),
        why="What counts as a meld is the heart of the game. Everything on the table has to be one.",
        keys=("melds.kinds",),
        clauses=(
            "P-MELD-02",
            "P-GRP-02",
            "P-GRP-04",
            "P-SEQ-01",
            "P-SEQ-03",
            "P-SEQ-06",
            "K-GRP-01",
            "W-MELD-02",
            "W-MELD-04",
            "W-MELD-05",
            "W-MELD-06",
            "W-MELD-07",
            "W-PER-04",
            "G-MELD-02",
            "G-MELD-04",
            "G-MELD-05",
            "O-MELD-02",
        ),
        illegal=Example(given='{hands: {A: "Qs Ks As 2s 9d"}}', moves=("A: draw; meld Ks As 2s; discard 9d",)),
        legal=Example(given='{hands: {A: "Qs Ks As 2s 9d"}}', moves=("A: draw; meld Qs Ks As; discard 9d",)),
    ),
    Page(
        code="meld.kind",
        title="a kind of meld this game does not have",
        means=(
            "Elsewhere in this family of games the cards would be a meld. The ruleset of this table has taken "
            "that kind away, or never had it."
        ),
        why="Tables agree on what may be laid before the deal; what another table allows is no help here.",
        keys=("melds.kinds",),
        clauses=("P-MELD-02", "W-PER-06"),
        illegal=Example(
            given='{hands: {A: "5h 6h 7h Ks"}}',
            moves=("A: draw; meld 5h 6h 7h; discard Ks",),
            settings=("melds.kinds.sequence=none",),
        ),
        legal=Example(given='{hands: {A: "5h 6h 7h Ks"}}', moves=("A: draw; meld 5h 6h 7h; discard Ks",)),
    ),
    Page(
        code="meld.first-points",
        title="a first meld worth too little",
        means=(
            "This game asks that a player's first meld of the hand be worth so many points at least, and this "
            "one is worth less."
        ),
        why=(
            "Some tables want nobody on the table too cheaply. Most games of this family ask for nothing of the "
            "kind."
        ),
        keys=("melds.first_points",),
        clauses=("O-GEN-03",),
        illegal=Example(
            given='{hands: {A: "5h 6h 7h Qs Ks As 9d"}}',
            moves=("A: draw; meld 5h 6h 7h; discard 9d",),
            settings=("melds.first_points=30",),
        ),
        legal=Example(
            given='{hands: {A: "5h 6h 7h Qs Ks As 9d"}}',
            moves=("A: draw; meld Qs Ks As; meld 5h 6h 7h; discard 9d",),
            settings=("melds.first_points=30",),
        ),
    ),
    Page(
        code="meld.contract",
        title="a first laying without all of its contract",
        means=(
            "The first time that a player lays cards in a hand, certain melds have to be laid, all in that one "
            "turn. The turn ended without all of them, or with one that is too small."
        ),
        why="The contract is what makes the hand: nobody may lay it piece by piece.",
        keys=("melds.contract",),
        clauses=("C-CON-01",),
        illegal=Example(
            given='{hands: {A: "5h 6h 7h Qs Qh Qd 9d"}}',
            moves=("A: draw; meld 5h 6h 7h; discard 9d",),
            settings=("melds.contract=[group, sequence]",),
        ),
        legal=Example(
            given='{hands: {A: "5h 6h 7h Qs Qh Qd 9d"}}',
            moves=("A: draw; meld 5h 6h 7h; meld Qs Qh Qd; discard 9d",),
            settings=("melds.contract=[group, sequence]",),
        ),
    ),
)
