"""Pages about a record: what cannot be read, or does not fit what was recorded before."""

from __future__ import annotations

from typing import Final

from meldref.rules.page import Example, Page

PAGES: Final = (
    Page(
        code="log.syntax",
        title="a line that cannot be read",
        means=(
            "The line is no header, no turn and no other line that a log knows, or one of its actions is "
            "misspelt. Nothing of it is played, so what comes after may look wrong because of it. The sentence "
            "says what was expected, and where."
        ),
        why=(
            "A record is worth something only where everybody reads the same in it. What cannot be read is "
            "never guessed at."
        ),
        keys=(),
        clauses=(),
        illegal=Example(
            given="""\
[Rules "500-rummy"]
[Players "Ann, Bob"]
hand 1 dealer Bob
Ann: darw 4s; discard Ks
"""
        ),
        legal=Example(
            given="""\
[Rules "500-rummy"]
[Players "Ann, Bob"]
hand 1 dealer Bob
Ann: draw 4s; discard Ks
"""
        ),
    ),
    Page(
        code="log.name",
        title="a name that is not in this game",
        means=(
            "The line names a player who does not sit at this table, a meld that has not been laid, or a "
            "ruleset that does not exist. What it says about that name is left out."
        ),
        why=(
            "A card laid on a meld that is not there, or points for somebody unknown, would have to be guessed "
            "to somebody else."
        ),
        keys=(),
        clauses=(),
        illegal=Example(
            given='{hands: {A: "8h Ks"}, table: {m1: {B: "5h 6h 7h"}}}',
            moves=("A: draw; lay 8h m2; discard Ks",),
        ),
        legal=Example(
            given='{hands: {A: "8h Ks"}, table: {m1: {B: "5h 6h 7h"}}}',
            moves=("A: draw; lay 8h m1; discard Ks",),
        ),
    ),
    Page(
        code="log.number",
        title="a written number that does not fit",
        means=(
            "Turns, hands and melds are counted as they come, and so are the cards that a take brings. A number "
            "may be left out; where it is written, it has to be the one that comes next. After a slip a log may "
            "go on from what it wrote or from what was due. A hand left out is found at the number of the next "
            "one: who deals that is not judged, and totals and the winner are open until a `total` tells."
        ),
        why="The numbers are there to notice a line that is missing or stands in the wrong place.",
        keys=(),
        clauses=(),
        illegal=Example(given='{hands: {A: "5h 6h 7h Ks"}}', moves=("A: draw; meld 5h 6h 7h m2; discard Ks",)),
        legal=Example(given='{hands: {A: "5h 6h 7h Ks"}}', moves=("A: draw; meld 5h 6h 7h m1; discard Ks",)),
    ),
    Page(
        code="log.copies",
        title="a card that turns up too often",
        means=(
            "Every copy of this card that the deck has is known to lie somewhere else: in a hand, on the table, "
            "in the pile; or others drew it in the same cut. So it cannot be drawn, dealt or shown here. From "
            "then on it is an unknown card wherever it is said to be, and nothing more follows from it."
        ),
        why="One pack has each card once. A card in two places means a slip of the pen, or a wrong pack.",
        keys=("deck.packs", "deck.jokers"),
        clauses=("P-DECK-01", "P-DECK-02", "P-DECK-03", "W-DECK-02", "W-PER-02", "O-DECK-01"),
        illegal=Example(
            given='{hands: {A: "2c Ks"}, table: {m1: {B: "5h 6h 7h"}}}', moves=("A: draw 5h; discard Ks",)
        ),
        legal=Example(
            given='{hands: {A: "2c Ks"}, table: {m1: {B: "5h 6h 7h"}}}', moves=("A: draw 5d; discard Ks",)
        ),
    ),
    Page(
        code="log.assert",
        title="an assertion that does not hold",
        means=(
            "A line that begins with `=` says what a hand, the pile, the table, the stock or the points should "
            "be at that moment, and the replay has something else. A violation that the log expects with `?!` "
            "and that does not occur is one too, and so is an `undo` with nothing before it."
        ),
        why="Assertions are written to be checked: the first that fails is near the line that went wrong.",
        keys=(),
        clauses=(),
        illegal=Example(
            given="""\
[Rules "500-rummy"]
[Players "A, B"]
hand 1 dealer B
deal A 5h 6h 7h 2c 9d Ks Qd 3s 4s Jc Th Ac 8d
deal B ?*13
up 6c
A: draw 4h; meld 5h 6h 7h; discard Ks
= hand A 11
"""
        ),
        legal=Example(
            given="""\
[Rules "500-rummy"]
[Players "A, B"]
hand 1 dealer B
deal A 5h 6h 7h 2c 9d Ks Qd 3s 4s Jc Th Ac 8d
deal B ?*13
up 6c
A: draw 4h; meld 5h 6h 7h; discard Ks
= hand A 10
"""
        ),
    ),
)
