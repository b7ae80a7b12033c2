"""Pages about buying the last discard."""

from __future__ import annotations

from typing import Final

from meldref.rules.page import Example, Page

_TABLE: Final = '{players: [A, B, C], hands: {A: "2c 3d", B: "5h 6h", C: "Kd Kh 9s"}, pile: "4c Ks", to_move: B}'
_BUYS: Final = ("buys.of=last_discard",)

PAGES: Final = (
    Page(
        code="buy.off",
        title="a purchase where nobody buys",
        means="A player took the last discard out of turn, and this game has no such thing.",
        why="In most games of the family the discard is for the next player alone.",
        keys=("buys.of",),
        clauses=("C-BUY-01",),
        illegal=Example(given=_TABLE, moves=("C: buy Ks",)),
        legal=Example(given=_TABLE, moves=("C: buy Ks",), settings=_BUYS),
    ),
    Page(
        code="buy.own",
        title="a purchase of a card that is one's own, or one's draw",
        means=(
            "Whoever threw a card does not buy it back, and whoever plays next has the first right to it: that "
            "player takes it as a draw, and pays nothing."
        ),
        why="A purchase is for those whose turn it is not.",
        keys=("buys.of",),
        clauses=("C-BUY-02",),
        illegal=Example(given=_TABLE, moves=("A: buy Ks",), settings=_BUYS),
        legal=Example(given=_TABLE, moves=("C: buy Ks",), settings=_BUYS),
    ),
    Page(
        code="buy.late",
        title="a purchase that comes too late",
        means=(
            "The card was gone, or the next player had drawn from the stock already; of two who want the same "
            "card one gets it."
        ),
        why="The next player has to know whether the card is still to be had, and draws only then.",
        keys=("buys.of", "buys.several"),
        clauses=("C-BUY-03",),
        illegal=Example(given=_TABLE, moves=("B: draw", "C: buy Ks", "B: discard 5h"), settings=_BUYS),
        legal=Example(given=_TABLE, moves=("C: buy Ks", "B: draw; discard 5h"), settings=_BUYS),
    ),
    Page(
        code="buy.card",
        title="a purchase of another card than the last discard",
        means="Only the card on top of the pile is for sale, and only while it is the last discard.",
        why="What lies under it was passed over by everybody.",
        keys=("buys.of",),
        clauses=("C-BUY-01",),
        illegal=Example(given=_TABLE, moves=("C: buy 4c",), settings=_BUYS),
        legal=Example(given=_TABLE, moves=("C: buy Ks",), settings=_BUYS),
    ),
)
