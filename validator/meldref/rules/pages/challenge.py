"""The page about contesting a last discard."""

from __future__ import annotations

from typing import Final

from meldref.rules.page import Example, Page

PAGES: Final = (
    Page(
        code="challenge.unfounded",
        title="a challenge without ground",
        means=(
            "The discard that was contested fits no meld, or nobody has gone out with a discard, or last "
            "discards are not contested in this game."
        ),
        why="Where a last discard must fit nowhere, the others may object to one that does, and to no other.",
        keys=("out.challenge", "out.playable"),
        clauses=("P-VUNP-06", "P-VUNP-09", "G-END-03"),
        illegal=Example(
            given='{hands: {A: "5h 6h 2s"}, table: {m1: {B: "7c 8c 9c"}}}',
            moves=("A: draw 7h; meld 5h 6h 7h; discard 2s", "B: challenge"),
            options=("floating",),
            settings=("out.challenge=taken_back",),
        ),
        legal=Example(
            given='{hands: {A: "5h 6h Tc"}, table: {m1: {B: "7c 8c 9c"}}}',
            moves=("A: draw 7h; meld 5h 6h 7h; discard Tc", "B: challenge", "A: lay Tc m1"),
            options=("floating",),
            settings=("out.challenge=taken_back",),
        ),
    ),
)
