"""Pages about drawing, and about the duty that comes with a card taken from the pile."""

from __future__ import annotations

from typing import Final

from meldref.rules.page import Example, Page

PAGES: Final = (
    Page(
        code="draw.stock",
        title="a draw the stock does not allow",
        means=(
            "The stock is empty, or the card drawn is not the one known to lie on top of it, or this player may "
            "not draw from it. Where the pile becomes a new stock, a line `reshuffle` has to say so first. "
            "Where a listed stock and a draw differ, either may be right: which of the two cards was drawn is not "
            "known, nor in which order the others come."
        ),
        why="The stock gives one card, the next one, unseen. Choosing among its cards would be looking ahead.",
        keys=("stock.empty", "stock.reshuffle", "floating.draws"),
        clauses=("P-DRAW-03", "P-END-03", "W-DRAW-02", "W-BOAT-04", "G-DRAW-01", "G-FLO-05", "O-DRAW-01"),
        illegal=Example(given='{hands: {A: "2c 3d"}, pile: "5s 9s", stock: 0}', moves=("A: draw Jh; discard 2c",)),
        legal=Example(given='{hands: {A: "2c 3d"}, pile: "5s 9s", stock: 0}', moves=("A: take 9s; discard 2c",)),
    ),
    Page(
        code="draw.pile",
        title="taking what the pile does not give",
        means=(
            "The card named does not lie in the discard pile, or lies deeper than this game lets one reach, or "
            "this player may not take from the pile."
        ),
        why="The pile lies open so that everybody can see what is there to be had, and at what price.",
        keys=("draw.depth", "draw.takes", "floating.draws"),
        clauses=(
            "P-GEN-03",
            "P-DRAW-06",
            "P-DRAW-08",
            "P-DISC-04",
            "W-DRAW-02",
            "W-DRAW-03",
            "G-DRAW-01",
            "G-DRAW-05",
            "G-FLO-05",
            "O-DRAW-02",
        ),
        illegal=Example(given='{hands: {A: "2c 3d"}, pile: "6s 4c Qs"}', moves=("A: take 9d; discard 2c",)),
        legal=Example(given='{hands: {A: "2c 3d"}, pile: "6s 4c Qs"}', moves=("A: take Qs; discard 2c",)),
    ),
    Page(
        code="draw.deep.unused",
        title="the deepest card taken was not melded",
        means=(
            "Whoever reaches below the top of the pile takes the card reached for and all that lie on it, and "
            "has to use that deepest card in the same turn. Here the turn ended with the card still in hand."
        ),
        why=(
            "Many cards for one draw is a large gift. The duty is its price: only a player who can put the card "
            "to use gets the rest."
        ),
        keys=("draw.deep.must", "draw.use", "draw.deep.when"),
        clauses=(
            "P-DRAW-05",
            "P-DRAW-08",
            "P-DRAW-11",
            "P-VTOP-01",
            "P-VNEW-01",
            "W-DRAW-04",
            "G-DRAW-02",
            "G-VAR-05",
            "O-DRAW-03",
        ),
        illegal=Example(
            given='{hands: {A: "4d 9h 2h"}, pile: "6s 4c Qs 4s 7h"}', moves=("A: take 4c; discard 2h",)
        ),
        legal=Example(
            given='{hands: {A: "4d 9h 2h"}, pile: "6s 4c Qs 4s 7h"}',
            moves=("A: take 4c; meld 4c 4s 4d; discard 2h",),
        ),
    ),
    Page(
        code="draw.deep.late",
        title="the deepest card taken was melded too late",
        means=(
            "The card taken from inside the pile was used, but another play came first that was not needed to "
            "place it. At once means: leave that play out, and the card could no longer have been put where it "
            "went."
        ),
        why=(
            "The card has to be the reason for taking the cards above it, not something found a use for "
            "afterwards."
        ),
        keys=("draw.deep.when", "draw.deep.must"),
        clauses=("P-DRAW-05", "P-DRAW-12", "W-DRAW-04", "G-DRAW-02", "G-DRAW-04", "O-DRAW-03"),
        illegal=Example(
            given='{hands: {A: "4d 9h Th Jh 2h"}, pile: "6s 4c Qs 4s 7h"}',
            moves=("A: take 4c; meld 9h Th Jh; meld 4c 4s 4d; discard 2h",),
        ),
        legal=Example(
            given='{hands: {A: "4d 9h Th Jh 2h"}, pile: "6s 4c Qs 4s 7h"}',
            moves=("A: take 4c; meld 4c 4s 4d; meld 9h Th Jh; discard 2h",),
        ),
    ),
    Page(
        code="draw.deep.lay-off",
        title="the deepest card taken was laid off",
        means=(
            "In this game a card taken from inside the pile has to go into a new meld. Adding it to a meld that "
            "lies on the table already does not count."
        ),
        why="It makes deep draws dearer: a table full of melds does not open the whole pile.",
        keys=("draw.use", "draw.deep.must"),
        clauses=("P-VNEW-01", "P-VNEW-02", "G-DRAW-03", "G-RUM-06"),
        illegal=Example(
            given='{hands: {A: "8c 8d Ks"}, table: {m1: {B: "5h 6h 7h"}}, pile: "8h 2c"}',
            moves=("A: take 8h; lay 8h m1; discard Ks",),
            options=("new-meld-for-taken-card",),
        ),
        legal=Example(
            given='{hands: {A: "8c 8d Ks"}, table: {m1: {B: "5h 6h 7h"}}, pile: "8h 2c"}',
            moves=("A: take 8h; meld 8h 8c 8d; discard Ks",),
            options=("new-meld-for-taken-card",),
        ),
    ),
    Page(
        code="draw.top.unused",
        title="the top card taken was not melded",
        means=(
            "In this game even the top card of the pile, taken alone, has to be melded or laid off in the same "
            "turn, and at once where the rules say so. Here it was kept, or used only after something else."
        ),
        why="The pile is for players who can use its cards. Whoever cannot draws from the stock, unseen.",
        keys=("draw.top.must", "draw.top.when", "draw.use"),
        clauses=("P-DRAW-04", "P-VTOP-01", "P-VTOP-02", "W-DRAW-09", "G-DRAW-06", "G-VAR-05", "O-DRAW-04"),
        illegal=Example(
            given='{hands: {A: "9d Ks"}, table: {m1: {B: "5h 6h 7h"}}, pile: "8h"}',
            moves=("A: take 8h; discard Ks",),
            options=("meld-taken-card",),
        ),
        legal=Example(
            given='{hands: {A: "9d Ks"}, table: {m1: {B: "5h 6h 7h"}}, pile: "8h"}',
            moves=("A: take 8h; lay 8h m1; discard Ks",),
            options=("meld-taken-card",),
        ),
    ),
    Page(
        code="draw.top.lay-off",
        title="the top card taken was laid off",
        means=(
            "In this game any card taken from the pile, the top one alone too, has to go into a new meld. "
            "Adding it to a meld on the table does not count."
        ),
        why="Otherwise every discard that fits the table would be a free card for the next player.",
        keys=("draw.use", "draw.top.must"),
        clauses=("P-VNEW-01", "P-VNEW-02", "G-DRAW-03", "G-DRAW-06", "G-RUM-06"),
        illegal=Example(
            given='{hands: {A: "8c 8d Ks"}, table: {m1: {B: "5h 6h 7h"}}, pile: "8h"}',
            moves=("A: take 8h; lay 8h m1; discard Ks",),
            rules="gilfoy-500-rummy",
        ),
        legal=Example(
            given='{hands: {A: "8c 8d Ks"}, table: {m1: {B: "5h 6h 7h"}}, pile: "8h"}',
            moves=("A: take 8h; meld 8h 8c 8d; discard Ks",),
            rules="gilfoy-500-rummy",
        ),
    ),
)
