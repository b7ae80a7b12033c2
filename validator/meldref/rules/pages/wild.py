"""Pages about wild cards and what they stand for."""

from __future__ import annotations

from typing import Final

from meldref.rules.page import Example, Page

PAGES: Final = (
    Page(
        code="wild.unbound",
        title="a wild card that could be several cards",
        means=(
            "The cards form more than one meld, depending on what a wild card stands for, and nothing says "
            "which is meant. Write it, as in `Jk=8d`, or lay a sequence in order where that tells."
        ),
        why=(
            "What a joker stands for decides what may be added to the meld later. It is settled when the card "
            "is laid, and never again."
        ),
        keys=("melds.wild.cards", "melds.wild.suit_in_group"),
        clauses=("P-JOK-03", "P-JOK-04", "P-JOK-05", "P-JOK-06", "P-JOK-07", "P-JOK-08", "P-JOK-09", "P-JOK-14"),
        illegal=Example(given='{hands: {A: "9d Jk Jk Ks"}}', moves=("A: draw; meld 9d Jk Jk; discard Ks",)),
        legal=Example(given='{hands: {A: "9d Jk Jk Ks"}}', moves=("A: draw; meld Jk=8d 9d Jk=Td; discard Ks",)),
    ),
    Page(
        code="wild.binding",
        title="a wild card for a card it cannot be",
        means=(
            "A wild card is said to stand for a card that has no place in this meld, or for one that this game "
            "does not let it repeat."
        ),
        why="A joker takes the place of one card that could lie there. It makes no new kinds of meld.",
        keys=("melds.kinds", "melds.wild.twins"),
        clauses=("P-JOK-01", "P-JOK-02", "P-JOK-04", "P-JOK-06", "P-JOK-11", "P-JOK-12", "P-JOK-13", "O-JOK-03"),
        illegal=Example(given='{hands: {A: "6c 7c Jk Ks"}}', moves=("A: draw; meld 6c 7c Jk=Tc; discard Ks",)),
        legal=Example(given='{hands: {A: "6c 7c Jk Ks"}}', moves=("A: draw; meld 6c 7c Jk=8c; discard Ks",)),
    ),
    Page(
        code="wild.naturals",
        title="too few natural cards in a meld",
        means=(
            "A meld needs a number of cards that are what they are, one at least in most games. This one has "
            "more wild cards than that leaves room for."
        ),
        why=("A meld of wild cards alone could be anything, and would say nothing about what may be added to it."),
        keys=("melds.wild.naturals",),
        clauses=("P-JOK-07", "P-JOK-15"),
        illegal=Example(
            given='{players: [A, B, C, D, E], hands: {A: "9d Jk Jk Jk Ks"}}',
            moves=("A: draw; meld Jk=9 Jk=9 Jk=9; discard Ks",),
        ),
        legal=Example(
            given='{players: [A, B, C, D, E], hands: {A: "9d Jk Jk Jk Ks"}}',
            moves=("A: draw; meld 9d Jk=9 Jk=9; discard Ks",),
        ),
    ),
    Page(
        code="wild.role",
        title="a card that is not wild here",
        means=(
            "A card is said to stand for another one, and in this game it stands for itself alone. It is one "
            "too to name a wild rank where the game has none to name, or after the first turn."
        ),
        why="Which cards are wild is known before anybody looks at a hand.",
        keys=("melds.wild.cards",),
        clauses=("P-JOK-01", "W-PER-04", "W-PER-05", "W-PER-06", "G-VAR-03", "G-VAR-06"),
        illegal=Example(given='{hands: {A: "4c 4d 2h Jk Ks"}}', moves=("A: draw; meld 4c 4d 2h=4h; discard Ks",)),
        legal=Example(given='{hands: {A: "4c 4d 2h Jk Ks"}}', moves=("A: draw; meld 4c 4d Jk=4h; discard Ks",)),
    ),
)
