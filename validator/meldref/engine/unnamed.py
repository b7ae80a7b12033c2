"""A wild rank that the dealer's first card shows and no line names: what some rank allows is open.

The first play that needs a wild card shows a rank; from there on the table is read with it.
"""

from __future__ import annotations

from meldref.core.cards import RANKS
from meldref.core.events import Action
from meldref.engine.judge import Judge
from meldref.position.model import Position

WHY = "no rank was named wild for this hand"


def is_unnamed(judge: Judge, position: Position) -> bool:
    """Whether a rank is wild in this hand and it is not known which."""
    return position.wild_rank is None and judge.ruleset.melds.wild.shown_by_deal


def points_depend(judge: Judge, position: Position) -> bool:
    """Whether a wild rank was not named, and wild cards count differently under another one."""
    scoring = judge.ruleset.scoring
    counts = (
        scoring.wild_cards is not None
        or scoring.wild_held is not None
        or scoring.wild == "represented"
    )
    return counts and is_unnamed(judge, position)


def read_with(judge: Judge, position: Position, rank: int) -> bool:
    """Reads the table with a rank as the wild one.

    Where a card on it says otherwise, leaves it and says False.
    """
    book = judge.book(rank)
    melds = [meld for meld in position.melds if meld.shape is not None]
    for meld in melds:
        if any(laid.role != laid.card and not book.is_wild(laid.card) for laid in meld.cards):
            return False
    for meld in melds:
        assert meld.shape is not None
        meld.shape = book.shape(meld.shape.kind, meld.shape.roles)
    position.book = book
    return True


def readings(judge: Judge, position: Position) -> list[Position]:
    """The position with each rank as the wild one that what lies on the table leaves possible."""
    possible: list[Position] = []
    for rank in range(len(RANKS)):
        copy = position.copy()
        if read_with(judge, copy, rank):
            possible.append(copy)
    return possible


def read_as_shown(judge: Judge, position: Position, action: Action) -> bool:
    """Reads the table with the first rank with which nothing is wrong with an action, if any."""
    for rank in range(len(RANKS)):
        copy = position.copy()
        if read_with(judge, copy, rank) and judge.violation(copy, action) is None:
            return read_with(judge, position, rank)
    return False
