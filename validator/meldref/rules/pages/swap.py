"""Pages about exchanging a wild card on the table for the card it stands for."""

from __future__ import annotations

from typing import Final

from meldref.rules.page import Example, Page

PAGES: Final = (
    Page(
        code="swap.forbidden",
        title="exchanging a wild card where the game has none of it",
        means=(
            "A natural card was put in the place of a wild card on the table. In this game a wild card stays "
            "where it was laid."
        ),
        why="Where jokers can be freed, laying one is a risk. Most tables spare their players that.",
        keys=("melds.wild.swap",),
        clauses=("P-JOK-04", "P-JOK-16"),
        illegal=Example(
            given='{hands: {A: "8c 3d Ks"}, table: {m1: {B: "6c 7c Jk=8c"}}}',
            moves=("A: draw; swap 8c m1; discard Ks",),
        ),
        legal=Example(
            given='{hands: {A: "8c 3d Ks"}, table: {m1: {B: "6c 7c Jk=8c"}}}',
            moves=("A: draw; swap 8c m1; discard Ks",),
            rules="online-rummy-500",
        ),
    ),
    Page(
        code="swap.fit",
        title="exchanging a wild card for the wrong card",
        means=(
            "No wild card there stands for the card that was put down. Only the very card that a wild card "
            "stands for takes its place; in a group with open suits, any suit that is not shown yet."
        ),
        why="The meld has to be the same meld after the exchange.",
        keys=("melds.wild.swap",),
        clauses=("O-JOK-01", "O-JOK-02"),
        illegal=Example(
            given='{hands: {A: "8c 9c Ks"}, table: {m1: {B: "6c 7c Jk=8c"}}}',
            moves=("A: draw; swap 9c m1; discard Ks",),
            rules="online-rummy-500",
        ),
        legal=Example(
            given='{hands: {A: "8c 9c Ks"}, table: {m1: {B: "6c 7c Jk=8c"}}}',
            moves=("A: draw; swap 8c m1; discard Ks",),
            rules="online-rummy-500",
        ),
    ),
    Page(
        code="swap.kept",
        title="a wild card taken in exchange and kept",
        means=(
            "A wild card came back into hand in exchange for the card it stood for. This game wants it laid again "
            "in the same turn, and the turn ended with it still in hand."
        ),
        why="Freeing a joker is for melding, not for keeping one in store.",
        keys=("melds.wild.swapped", "melds.wild.swap"),
        clauses=("O-JOK-02",),
        illegal=Example(
            given='{hands: {A: "8c 4d 4h Ks"}, table: {m1: {B: "6c 7c Jk=8c"}}}',
            moves=("A: draw; swap 8c m1; discard Ks",),
            settings=("melds.wild.swapped=laid_this_turn",),
            rules="online-rummy-500",
        ),
        legal=Example(
            given='{hands: {A: "8c 4d 4h Ks"}, table: {m1: {B: "6c 7c Jk=8c"}}}',
            moves=("A: draw; swap 8c m1; meld 4d 4h Jk=4; discard Ks",),
            settings=("melds.wild.swapped=laid_this_turn",),
            rules="online-rummy-500",
        ),
    ),
)
