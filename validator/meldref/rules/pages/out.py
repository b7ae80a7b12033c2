"""Pages about going out."""

from __future__ import annotations

from typing import Final

from meldref.rules.page import Example, Page

PAGES: Final = (
    Page(
        code="out.discard-required",
        title="melding every card where a last discard is required",
        means=(
            "Every card was laid on the table, and none is left to throw. In this game a player goes out with a "
            "discard and in no other way, so one card has to stay in hand until then."
        ),
        why=("It makes going out harder, and warns the others: whoever is about to go out keeps a card too many."),
        keys=("out.melding_all",),
        clauses=("P-END-01", "P-VDIS-01", "W-END-02", "W-BOAT-01", "W-BOAT-02", "W-BOAT-03", "O-DISC-01"),
        illegal=Example(
            given='{hands: {A: "8c 8d"}}',
            moves=("A: draw 8h; meld 8c 8d 8h",),
            options=("discard-to-go-out",),
        ),
        legal=Example(
            given='{hands: {A: "8c 8d Ks"}}',
            moves=("A: draw 8h; meld 8c 8d 8h; discard Ks",),
            options=("discard-to-go-out",),
        ),
    ),
    Page(
        code="out.playable",
        title="a last discard that could have been melded",
        means=(
            "The last card a player throws ends the hand, and in this game it has to be one that fits no meld "
            "on the table. This one fits: it is melded instead, and its player floats."
        ),
        why="A player should go out with a card that is of no use, not leave out points to be quick.",
        keys=("out.last_discard", "out.playable"),
        clauses=(
            "P-VUNP-01",
            "P-VUNP-02",
            "P-VUNP-04",
            "P-VUNP-06",
            "P-VUNP-09",
            "G-END-02",
            "G-END-03",
        ),
        illegal=Example(
            given='{hands: {A: "5h 6h Tc"}, table: {m1: {B: "7c 8c 9c"}}}',
            moves=("A: draw 7h; meld 5h 6h 7h; discard Tc",),
            options=("floating", "unplayable-last-discard"),
        ),
        legal=Example(
            given='{hands: {A: "5h 6h Tc"}, table: {m1: {B: "7c 8c 9c"}}}',
            moves=("A: draw 7h; meld 5h 6h 7h; lay Tc m1",),
            options=("floating", "unplayable-last-discard"),
        ),
    ),
    Page(
        code="out.stuck",
        title="a play that leaves no legal end of the turn",
        means=(
            "The turn cannot be ended any more: what is left in hand may neither be laid nor thrown, or there "
            "is no card left for a discard that is required."
        ),
        why="A player looks ahead before taking a card, so that nobody has to be let off a duty.",
        keys=("draw.dead_end", "discard.taken_top", "out.melding_all"),
        clauses=("P-DISC-06", "P-VDIS-02"),
        illegal=Example(given='{hands: {A: "5h 6h 7h"}, pile: "Kd"}', moves=("A: take Kd; meld 5h 6h 7h",)),
        legal=Example(
            given='{hands: {A: "5h 6h 7h 2c"}, pile: "Kd"}', moves=("A: take Kd; meld 5h 6h 7h; discard 2c",)
        ),
    ),
)
