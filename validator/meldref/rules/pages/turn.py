"""Pages about the order of play: whose turn it is, and what a turn consists of."""

from __future__ import annotations

from typing import Final

from meldref.rules.page import Example, Page

PAGES: Final = (
    Page(
        code="turn.order",
        title="a turn out of order",
        means=(
            "Somebody plays whose turn it is not. The turn passes round the table, and after a call it may go "
            "on elsewhere. The turn is played as it was recorded."
        ),
        why="Everybody gets as many turns as the others, and knows who comes next.",
        keys=("players.direction", "players.first", "calls.then"),
        clauses=(
            "P-TURN-01",
            "P-TURN-02",
            "P-RUM-08",
            "P-VRUM-03",
            "P-VUNP-10",
            "W-DRAW-01",
            "W-RUM-13",
            "G-TURN-01",
            "G-LAY-01",
            "G-RUM-05",
            "O-DEAL-03",
        ),
        illegal=Example(
            given='{players: [A, B, C], hands: {A: "2c 3d", C: "9d Td"}}',
            moves=("A: draw; discard 2c", "C: draw; discard 9d"),
        ),
        legal=Example(
            given='{players: [A, B, C], hands: {A: "2c 3d", B: "9d Td"}}',
            moves=("A: draw; discard 2c", "B: draw; discard 9d"),
        ),
    ),
    Page(
        code="turn.draw",
        title="no draw, or a second one",
        means=(
            "A turn begins with one draw, from the stock or from the pile. Here something was melded or "
            "discarded before it, or the player drew again. Some games let the opening turn of a hand go "
            "without a draw; a draw is then wrong there. A draw too many is left out: its cards stay where they "
            "are, unless the player goes on to play them."
        ),
        why=(
            "The draw is what the turn costs and gives. Seeing a second card before deciding would undo the "
            "first decision."
        ),
        keys=("deal.first_turn",),
        clauses=(
            "P-TURN-03",
            "P-DRAW-01",
            "W-DEAL-11",
            "W-DRAW-05",
            "G-DRAW-01",
            "G-VAR-05",
            "O-TURN-01",
            "O-DRAW-01",
            "O-BLD-03",
        ),
        illegal=Example(given='{hands: {A: "5h 6h 7h Ks"}}', moves=("A: meld 5h 6h 7h; discard Ks",)),
        legal=Example(given='{hands: {A: "5h 6h 7h Ks"}}', moves=("A: draw; meld 5h 6h 7h; discard Ks",)),
    ),
    Page(
        code="turn.unfinished",
        title="a turn without its discard",
        means=(
            "The next thing recorded needs this turn to be over, and it is not: the player still holds cards "
            "and has put none on the pile."
        ),
        why="One card in, one card out. The discard also tells the others that they may play.",
        keys=("calls.discard",),
        clauses=("P-DISC-01", "P-RUM-07", "W-TURN-04", "G-DISC-01", "O-DISC-01"),
        illegal=Example(
            given='{hands: {A: "5h 6h 7h Ks", B: "9d Td"}}',
            moves=("A: draw 4s; meld 5h 6h 7h", "B: draw; discard 9d"),
        ),
        legal=Example(
            given='{hands: {A: "5h 6h 7h Ks", B: "9d Td"}}',
            moves=("A: draw 4s; meld 5h 6h 7h; discard Ks", "B: draw; discard 9d"),
        ),
    ),
    Page(
        code="turn.over",
        title="a play after the end",
        means=(
            "The player has discarded, which ends a turn, or the hand is over altogether. What is played after "
            "the end of a hand does not count, and is found once, at its first line."
        ),
        why=(
            "The discard is the last word of a turn. Once a hand is over only counting is left, and what could "
            "still have been melded counts against its holder."
        ),
        keys=(),
        clauses=(
            "P-TURN-03",
            "P-DISC-01",
            "P-END-01",
            "P-END-02",
            "P-END-04",
            "P-RUM-13",
            "P-RUM-14",
            "P-SCO-03",
            "P-VFLO-06",
            "W-TURN-01",
            "W-END-01",
            "W-PAR-04",
            "G-END-01",
            "O-END-01",
            "O-END-02",
        ),
        illegal=Example(
            given='{hands: {A: "8h 5c Ks"}, table: {m1: {B: "5h 6h 7h"}}}',
            moves=("A: draw; discard Ks", "A: lay 8h m1"),
        ),
        legal=Example(
            given='{hands: {A: "8h 5c Ks"}, table: {m1: {B: "5h 6h 7h"}}}',
            moves=("A: draw; lay 8h m1; discard Ks",),
        ),
    ),
)
