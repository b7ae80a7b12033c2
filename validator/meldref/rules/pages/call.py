"""Pages about calling Rummy on a discard that could have been melded."""

from __future__ import annotations

from typing import Final

from meldref.rules.page import Example, Page

PAGES: Final = (
    Page(
        code="call.off",
        title="a call in a game without calls",
        means=(
            "Somebody called on a card of the pile, and this game has no calls at all. Cards are taken in one's "
            "own turn."
        ),
        why=(
            "Calls reward watching closely, and punish a careless discard. Many tables would rather play in peace."
        ),
        keys=("calls.of",),
        clauses=("P-VRUM-05", "O-RUM-01"),
        illegal=Example(
            given='{players: [A, B, C], hands: {B: "2d Ks"}, table: {m1: {C: "7c 8c 9c"}}, pile: Tc}',
            moves=("B: rummy Tc; lay Tc m1; discard Ks",),
            options=("no-calls",),
        ),
        legal=Example(
            given='{players: [A, B, C], hands: {B: "2d Ks"}, table: {m1: {C: "7c 8c 9c"}}, pile: Tc}',
            moves=("B: rummy Tc; lay Tc m1; discard Ks",),
        ),
    ),
    Page(
        code="call.late",
        title="a call after its time",
        means=(
            "A call has its window: it opens with the discard and closes, as the game says, when the next "
            "player draws or discards. This one came later."
        ),
        why="Once somebody has drawn, taking the pile apart again would undo a turn under way.",
        keys=("calls.until",),
        clauses=("P-RUM-03", "W-RUM-12", "G-RUM-04"),
        illegal=Example(
            given='{players: [A, B, C], hands: {A: "3d 4s", B: "2d Ks"}, table: {m1: {C: "7c 8c 9c"}}, pile: Tc}',
            moves=("A: draw", "B: rummy Tc; lay Tc m1; discard Ks", "A: discard 3d"),
        ),
        legal=Example(
            given='{players: [A, B, C], hands: {A: "3d 4s", B: "2d Ks"}, table: {m1: {C: "7c 8c 9c"}}, pile: Tc}',
            moves=("B: rummy Tc; lay Tc m1; discard Ks",),
        ),
    ),
    Page(
        code="call.own",
        title="a call on one's own discard",
        means=(
            "The caller is the player who has just discarded, or a partner where only opponents may call. "
            "Everybody else may."
        ),
        why="A call punishes an oversight. Nobody may profit from having made it.",
        keys=("calls.by",),
        clauses=("P-RUM-04", "P-RUM-11", "P-RUM-12", "P-RUM-19", "W-RUM-16", "G-RUM-07"),
        illegal=Example(
            given='{players: [A, B, C], hands: {C: "2d Ks"}, table: {m1: {B: "7c 8c 9c"}}, pile: "Tc"}',
            moves=("C: rummy Tc; lay Tc m1; discard Ks",),
        ),
        legal=Example(
            given='{players: [A, B, C], hands: {B: "2d Ks"}, table: {m1: {C: "7c 8c 9c"}}, pile: Tc}',
            moves=("B: rummy Tc; lay Tc m1; discard Ks",),
        ),
    ),
    Page(
        code="call.scope",
        title="a call on a card that cannot be called",
        means=(
            "This game lets the latest discard be called, alone or in a set with cards of the pile, and not a "
            "card that lies deeper. After a last discard only that card can be called."
        ),
        why="A call answers the discard just made. What was passed over before is there for everybody.",
        keys=("calls.of", "out.last_discard"),
        clauses=("P-RUM-02", "P-RUM-19", "P-VRUM-01", "P-VRUM-04", "W-RUM-06", "W-RUM-17", "G-RUM-01"),
        illegal=Example(
            given='{players: [A, B, C], hands: {B: "2d Ks"}, table: {m1: {B: "7c 8c 9c"}}, pile: "Tc 5d"}',
            moves=("B: rummy Tc; lay Tc m1",),
            options=("call-last-discard-only",),
        ),
        legal=Example(
            given='{players: [A, B, C], hands: {B: "2d Ks"}, table: {m1: {B: "7c 8c 9c"}}, pile: "5d Tc"}',
            moves=("B: rummy Tc; lay Tc m1",),
            options=("call-last-discard-only",),
        ),
    ),
    Page(
        code="call.nothing",
        title="a call on cards that fit nothing",
        means=(
            "The cards called do not lie in the pile, or nothing on the table or in the pile makes a meld with "
            "them; or they were called and then not laid."
        ),
        why=(
            "A call claims a meld that was there for all to see. Where there is none, there is nothing to claim."
        ),
        keys=("calls.of",),
        clauses=("P-RUM-01", "P-RUM-05", "P-RUM-06", "P-RUM-10", "W-RUM-01", "W-RUM-04", "G-RUM-01", "G-RUM-03"),
        illegal=Example(
            given='{players: [A, B, C], hands: {B: "2d Ks"}, table: {m1: {B: "7c 8c 9c"}}, pile: "Qc"}',
            moves=("B: rummy Qc; discard Ks",),
        ),
        legal=Example(
            given='{players: [A, B, C], hands: {B: "2d Ks"}, table: {m1: {C: "7c 8c 9c"}}, pile: Tc}',
            moves=("B: rummy Tc; lay Tc m1; discard Ks",),
        ),
    ),
    Page(
        code="call.hand",
        title="a call that needs cards from a hand",
        means=(
            "What is called has to be laid with cards of the pile and the table alone. Here it takes a card of "
            "the caller's, or the caller lays more than the game allows in a call."
        ),
        why="The discarder could not know what others hold. Only what lay open counts as overlooked.",
        keys=("calls.of", "calls.more_melds"),
        clauses=(
            "P-RUM-02",
            "P-RUM-06",
            "P-RUM-17",
            "P-VRUM-02",
            "W-RUM-03",
            "W-RUM-05",
            "W-RUM-07",
            "W-RUM-08",
        ),
        illegal=Example(
            given='{players: [A, B, C], hands: {B: "Td Th Ks"}, pile: "Tc"}',
            moves=("B: rummy Tc; meld Tc Td Th; discard Ks",),
        ),
        legal=Example(
            given='{players: [A, B, C], hands: {B: "Ks 2d"}, pile: "Td Th Tc"}',
            moves=("B: rummy Td; meld Tc Td Th; discard Ks",),
        ),
    ),
)
