"""Pages about laying cards off on melds that lie on the table."""

from __future__ import annotations

from typing import Final

from meldref.rules.page import Example, Page

PAGES: Final = (
    Page(
        code="layoff.fit",
        title="a card that does not extend the meld",
        means=(
            "Laid to that meld, the card makes no longer meld: it is not the next one at either end of the "
            "sequence, not another suit of the rank, or the meld is full."
        ),
        why=(
            "A meld stays a meld, card by card. Several cards are laid off in an order in which each one fits "
            "when its turn comes."
        ),
        keys=("melds.kinds", "layoff.onto"),
        clauses=(
            "P-LAY-01",
            "P-LAY-02",
            "P-LAY-03",
            "P-LAY-04",
            "P-LAY-10",
            "P-LAY-11",
            "P-JOK-06",
            "P-JOK-08",
            "P-JOK-10",
            "W-TURN-02",
            "G-LAY-03",
            "G-LAY-04",
            "G-LAY-05",
            "G-LAY-06",
            "G-LAY-08",
            "O-BLD-01",
        ),
        illegal=Example(
            given='{hands: {A: "8h 9h Ks"}, table: {m1: {B: "5h 6h 7h"}}}',
            moves=("A: draw; lay 9h m1; discard Ks",),
        ),
        legal=Example(
            given='{hands: {A: "8h 9h Ks"}, table: {m1: {B: "5h 6h 7h"}}}',
            moves=("A: draw; lay 8h 9h m1; discard Ks",),
        ),
    ),
    Page(
        code="layoff.target",
        title="a meld this player may not build on",
        means=(
            "The card would fit, but this game does not let this player add to that meld: only to one's own, to "
            "those of one's side, to none at all, or not before having melded."
        ),
        why="Some tables keep each player's melds apart, or want a meld of one's own first.",
        keys=("layoff.onto", "layoff.before_melding"),
        clauses=(
            "P-LAY-01",
            "P-MTRN-02",
            "W-TURN-02",
            "W-PAR-03",
            "W-PAR-07",
            "W-PER-01",
            "G-LAY-01",
            "O-BLD-01",
            "O-BLD-02",
        ),
        illegal=Example(
            given='{hands: {A: "8h 9h Ks"}, table: {m1: {B: "5h 6h 7h"}}}',
            moves=("A: draw; lay 8h m1; discard Ks",),
            settings=("layoff.onto=own",),
        ),
        legal=Example(
            given='{hands: {A: "8h 9h Ks"}, table: {m1: {A: "5h 6h 7h"}}}',
            moves=("A: draw; lay 8h m1; discard Ks",),
            settings=("layoff.onto=own",),
        ),
    ),
    Page(
        code="layoff.unnamed",
        title="a lay-off without its meld",
        means=(
            "The card fits more than one meld, and it is not said which one it goes to; or this game wants the "
            "meld named every time. The same holds for exchanging a wild card."
        ),
        why="Where the card goes decides what can be added next, so the choice is made aloud and kept.",
        keys=("layoff.target",),
        clauses=("P-LAY-06", "P-LAY-07", "P-LAY-09", "K-LAY-01", "G-LAY-07", "G-LAY-08"),
        illegal=Example(
            given='{hands: {A: "Tc 3d Ks"}, table: {m1: {B: "7c 8c 9c"}, m2: {B: "Td Th Ts"}}}',
            moves=("A: draw; lay Tc; discard Ks",),
        ),
        legal=Example(
            given='{hands: {A: "Tc 3d Ks"}, table: {m1: {B: "7c 8c 9c"}, m2: {B: "Td Th Ts"}}}',
            moves=("A: draw; lay Tc m1; discard Ks",),
        ),
    ),
)
