"""Pages about the end of a hand."""

from __future__ import annotations

from typing import Final

from meldref.rules.page import Example, Page

PAGES: Final = (
    Page(
        code="end.early",
        title="a hand that stops before its end",
        means=(
            "The record says that the hand is over, or counts it, and it is not: somebody is said to be out who "
            "holds cards or floats, there are cards left to draw, or the players stopped where they may not."
        ),
        why="Cards held at the end count. Stopping a moment early changes every score.",
        keys=("stock.empty", "out.melding_all", "stock.reshuffle", "game.stop"),
        clauses=(
            "P-END-03",
            "P-END-05",
            "P-VFLO-01",
            "P-VFLO-07",
            "P-VUNP-04",
            "W-BOAT-05",
            "W-MOD-08",
            "G-FLO-01",
            "G-END-04",
            "G-SCO-01",
        ),
        illegal=Example(
            given="""\
[Rules "500-rummy"]
[Set "deal.cards=4"]
[Players "A, B"]
hand 1 dealer B
deal A 5h 6h 7h Qd
deal B ?*4
up 6c
A: draw 2c; meld 5h 6h 7h; discard 2c
end out A
"""
        ),
        legal=Example(
            given="""\
[Rules "500-rummy"]
[Set "deal.cards=4"]
[Players "A, B"]
hand 1 dealer B
deal A 5h 6h 7h Qd
deal B ?*4
up 6c
A: draw 8h; meld 5h 6h 7h 8h; discard Qd
end out A
"""
        ),
    ),
    Page(
        code="end.late",
        title="a hand that goes on after its end",
        means=(
            "The hand is over, and the record goes on as if it were not: the stock is made new, or turns are "
            "said to be missing. A single play after the end is `turn.over`."
        ),
        why="When the hand is over everybody counts. Nothing that comes later can change that.",
        keys=("stock.empty", "out.melding_all", "out.last_discard"),
        clauses=("P-END-01", "P-END-02", "P-END-04", "W-END-01", "O-END-01", "O-END-02", "O-END-03"),
        illegal=Example(
            given="""\
[Rules "500-rummy"]
[Set "deal.cards=3"]
[Players "A, B"]
hand 1 dealer B
deal A 5h 6h 7h
deal B ?*3
up 6c
A: draw 2c; meld 5h 6h 7h; discard 2c
gap
"""
        ),
        legal=Example(
            given="""\
[Rules "500-rummy"]
[Set "deal.cards=3"]
[Players "A, B"]
hand 1 dealer B
deal A 5h 6h 7h
deal B ?*3
up 6c
gap
A: draw 2c; meld 5h 6h 7h; discard 2c
"""
        ),
    ),
    Page(
        code="end.reason",
        title="a wrong reason for the end",
        means=(
            "The hand is over, but not as the record says: somebody else went out, or it was the stock that "
            "ended it, or the players may not agree to stop."
        ),
        why="Who ended a hand decides about bonuses, whose deal is next, and in some games who can win.",
        keys=("out.melding_all", "stock.empty", "game.stop"),
        clauses=("P-END-01", "P-END-02", "P-END-03", "P-VWIN-06", "W-MOD-08", "W-OPP-07", "W-PER-11"),
        illegal=Example(
            given="""\
[Rules "500-rummy"]
[Set "deal.cards=3"]
[Players "A, B"]
hand 1 dealer B
deal A 5h 6h 7h
deal B ?*3
up 6c
A: draw 2c; meld 5h 6h 7h; discard 2c
end stock
"""
        ),
        legal=Example(
            given="""\
[Rules "500-rummy"]
[Set "deal.cards=3"]
[Players "A, B"]
hand 1 dealer B
deal A 5h 6h 7h
deal B ?*3
up 6c
A: draw 2c; meld 5h 6h 7h; discard 2c
end out A
"""
        ),
    ),
)
