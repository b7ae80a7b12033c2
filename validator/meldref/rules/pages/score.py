"""Pages about recorded points."""

from __future__ import annotations

from typing import Final

from meldref.rules.page import Example, Page

_VALUES = (
    "P-VAL-01",
    "P-VAL-02",
    "P-VAL-03",
    "P-VAL-04",
    "P-VAL-05",
    "P-VAL-07",
    "P-VVAL-01",
    "P-VVAL-02",
    "W-VAL-01",
    "W-VAL-02",
    "W-VAL-03",
    "W-VAL-04",
    "W-VAL-06",
    "W-MOD-01",
    "W-MOD-02",
    "W-MOD-03",
    "W-MOD-04",
    "W-MOD-05",
    "W-MOD-06",
    "W-MOD-07",
    "W-MOD-09",
    "W-MOD-10",
    "W-MOD-11",
    "W-PER-03",
    "W-PER-07",
    "W-PER-08",
    "W-PER-09",
    "W-PER-10",
    "W-PER-15",
    "G-VAL-01",
    "G-VAL-02",
    "G-VAL-03",
    "G-VAL-05",
    "G-VAL-06",
    "G-VAL-07",
    "G-VAR-04",
    "G-VAR-06",
    "G-RUM-08",
    "O-VAL-01",
    "O-VAL-02",
    "O-VAL-03",
    "O-VAL-04",
    "O-VAL-05",
    "O-VAL-06",
    "O-VAL-07",
    "O-JOK-02",
)
"""What cards are worth, on the table and in hand."""

PAGES: Final = (
    Page(
        code="score.hand",
        title="a score that does not follow from the play",
        means=(
            "The points recorded for the hand are not those that the cards give: what a player laid on the "
            "table, with what the rules add, less the cards left in hand."
        ),
        why="Counting is where most mistakes are made, and the game is decided by it.",
        keys=(
            "scoring.values",
            "scoring.hands",
            "scoring.low_ace",
            "scoring.wild",
            "scoring.held",
            "scoring.four_aces",
            "scoring.four_at_once",
            "scoring.nobody_out",
            "scoring.below_zero.hand",
            "scoring.divide_by",
            "layoff.counts_for",
            "out.bonus",
            "partnership.score",
        ),
        clauses=(
            "P-GEN-01",
            "P-LAY-05",
            "P-LAY-13",
            "P-SCO-01",
            "P-SCO-03",
            "P-SCO-04",
            "K-LAY-03",
            "W-GEN-01",
            "W-GEN-03",
            "W-TURN-03",
            "W-SCO-01",
            "W-SCO-02",
            "W-SCO-04",
            "W-BOAT-05",
            "W-OPP-01",
            "W-OPP-02",
            "W-OPP-03",
            "W-OPP-04",
            "W-OPP-05",
            "W-OPP-06",
            "W-OPP-07",
            "W-PAR-05",
            "W-PER-11",
            "G-RUM-03",
            "G-SCO-02",
            "G-SCO-03",
            "O-BLD-04",
            "O-SCO-01",
            "O-SCO-02",
            *_VALUES,
        ),
        illegal=Example(
            given="""\
[Rules "500-rummy"]
[Set "deal.cards=3"]
[Players "A, B"]
hand 1 dealer B
deal A 5h 6h 7h
deal B Ks 2d 3d
up 6c
A: draw 2c; meld 5h 6h 7h; discard 2c
end out A
score A 18, B 15
"""
        ),
        legal=Example(
            given="""\
[Rules "500-rummy"]
[Set "deal.cards=3"]
[Players "A, B"]
hand 1 dealer B
deal A 5h 6h 7h
deal B Ks 2d 3d
up 6c
A: draw 2c; meld 5h 6h 7h; discard 2c
end out A
score A 18, B -15
"""
        ),
    ),
    Page(
        code="score.total",
        title="a total that does not add up",
        means=(
            "The running total recorded is not the one before with this hand's score added, adjustments included."
        ),
        why="One slip in a total decides a game many hands later, when nobody remembers it.",
        keys=("scoring.below_zero.total",),
        clauses=("P-SCO-02", "P-SCO-05", "W-SCO-03", "G-SCO-04", "G-VAR-02", "O-SCO-03"),
        illegal=Example(
            given="""\
[Rules "500-rummy"]
[Players "A, B"]
hand 1
end out A
score A 38, B -15
total A 38, B -15
hand 2
end out B
score A 12, B 60
total A 50, B 75
"""
        ),
        legal=Example(
            given="""\
[Rules "500-rummy"]
[Players "A, B"]
hand 1
end out A
score A 38, B -15
total A 38, B -15
hand 2
end out B
score A 12, B 60
total A 50, B 45
"""
        ),
    ),
)
