"""Pages about floating: playing on without cards."""

from __future__ import annotations

from typing import Final

from meldref.rules.page import Example, Page

PAGES: Final = (
    Page(
        code="float.playable",
        title="a floater's playable card was not melded",
        means=(
            "A player without cards drew one that fits a meld, and threw it. In this game a floater has to lay "
            "such a card, and floats on."
        ),
        why="A floater has no hand to build on. The hand ends only with a card that nobody can use.",
        keys=("floating.playable", "out.last_discard"),
        clauses=("P-VFLO-04", "P-VUNP-03", "P-VUNP-09", "G-FLO-03", "G-FLO-04"),
        illegal=Example(
            given='{hands: {A: ""}, table: {m1: {B: "7c 8c 9c"}}, floating: [A]}',
            moves=("A: draw Tc; discard Tc",),
            options=("floating", "unplayable-last-discard"),
        ),
        legal=Example(
            given='{hands: {A: ""}, table: {m1: {B: "7c 8c 9c"}}, floating: [A]}',
            moves=("A: draw Tc; lay Tc m1",),
            options=("floating", "unplayable-last-discard"),
        ),
    ),
    Page(
        code="float.kept",
        title="a floater kept a card without a discard",
        means=(
            "A player without cards drew, and the turn ended with a card in hand and none on the pile. A "
            "floater lays every card drawn, or throws one; only what is left beside a discard is kept."
        ),
        why="Floating is playing from nothing. A card kept in silence would be a free turn.",
        keys=("out.melding_all",),
        clauses=("P-VFLO-02", "P-VFLO-05", "P-DISC-01", "G-FLO-02", "G-FLO-04", "G-DISC-04"),
        illegal=Example(given='{hands: {A: ""}, floating: [A]}', moves=("A: draw 2h",), options=("floating",)),
        legal=Example(
            given='{hands: {A: ""}, floating: [A]}',
            moves=("A: draw 2h; discard 2h",),
            options=("floating",),
        ),
    ),
)
