"""Pages about who plays, who deals, and what is dealt."""

from __future__ import annotations

from typing import Final

from meldref.rules.page import Example, Page

PAGES: Final = (
    Page(
        code="setup.players",
        title="a number of players this game is not for",
        means=(
            "The game has a least and a greatest number of players, and partners need a full table. This one "
            "has fewer, or more, or names somebody twice; its hands are not judged."
        ),
        why=(
            "With too many hands the deck does not go round; with sides, somebody would be left without a partner."
        ),
        keys=("players.max", "players.min", "deck.packs"),
        clauses=("P-PLY-01", "P-PLY-02", "W-PLY-01", "W-PAR-01", "W-PER-01", "G-PLY-02", "O-PLY-01", "O-PLY-02"),
        illegal=Example(
            given="""\
[Rules "500-rummy"]
[Players "A, B, C, D, E, F, G, H, I"]
hand 1 dealer I
"""
        ),
        legal=Example(
            given="""\
[Rules "500-rummy"]
[Players "A, B, C, D, E, F, G, H"]
hand 1 dealer H
"""
        ),
    ),
    Page(
        code="setup.dealer",
        title="the wrong dealer",
        means=(
            "Somebody deals this hand whose turn it is not: the deal passes as the rules say, and the first "
            "dealer is found by the cards drawn where the game has that. After a slip the deal may go on from the "
            "dealer named or from the one due."
        ),
        why="Whoever deals does not begin. The deal goes round so that this comes to everybody alike.",
        keys=("deal.next_dealer", "deal.first_dealer", "deal.cut_ace"),
        clauses=(
            "P-DEAL-07",
            "P-VWIN-03",
            "W-DEAL-01",
            "W-DEAL-02",
            "W-DEAL-08",
            "W-DEAL-12",
            "O-DEAL-03",
        ),
        illegal=Example(
            given="""\
[Rules "500-rummy"]
[Players "A, B, C"]
hand 1 dealer A
end out B
score A 10, B 20, C 5
hand 2 dealer C
"""
        ),
        legal=Example(
            given="""\
[Rules "500-rummy"]
[Players "A, B, C"]
hand 1 dealer A
end out B
score A 10, B 20, C 5
hand 2 dealer B
"""
        ),
    ),
    Page(
        code="setup.deal",
        title="a wrong deal",
        means=(
            "A player was dealt more or fewer cards than the rules say for so many players, was dealt twice or "
            "not at all, or the card that starts the pile is missing or should not be there. The hand is played "
            "on with what was dealt."
        ),
        why="A longer or shorter hand is an advantage that nobody agreed to.",
        keys=("deal.cards", "deal.extra_card", "deal.up_card"),
        clauses=(
            "P-DEAL-01",
            "P-DEAL-02",
            "P-DEAL-04",
            "W-DEAL-06",
            "W-DEAL-07",
            "W-DEAL-10",
            "G-DEAL-01",
            "G-DEAL-02",
            "G-SCO-10",
            "O-DEAL-01",
            "O-DEAL-02",
        ),
        illegal=Example(
            given="""\
[Rules "500-rummy"]
[Players "A, B"]
hand 1 dealer B
deal A ?*7
deal B ?*13
up 6c
"""
        ),
        legal=Example(
            given="""\
[Rules "500-rummy"]
[Players "A, B"]
hand 1 dealer B
deal A ?*13
deal B ?*13
up 6c
"""
        ),
    ),
    Page(
        code="setup.deck",
        title="a card this deck does not have",
        means=(
            "A card turns up that is not in the deck at all, such as a joker where the game has none, or more "
            "cards are named for the stock than are left."
        ),
        why="Which cards there are decides what can be waited for. It is settled before the deal.",
        keys=("deck.jokers", "deck.packs"),
        clauses=(
            "P-DECK-01",
            "P-DECK-03",
            "P-DECK-04",
            "P-DEAL-06",
            "P-VJOK-01",
            "W-DECK-01",
            "W-DEAL-13",
            "W-PER-02",
            "G-DECK-01",
            "O-DECK-01",
        ),
        illegal=Example(given='{hands: {A: "2c 9d"}}', moves=("A: draw Jk; discard 2c",), options=("no-jokers",)),
        legal=Example(given='{hands: {A: "2c 9d"}}', moves=("A: draw Jk; discard 2c",)),
    ),
)
