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
    wild = judge.ruleset.melds.wild
    return position.wild_rank is None and wild.named_by == "first_card" and "named" in wild.cards


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
    book, melds = judge.book(rank), [meld for meld in position.melds if meld.shape is not None]
    laid = [card for meld in melds for card in meld.cards]
    if any(card.role != card.card and not book.is_wild(card.card) for card in laid):
        return False
    for meld in melds:
        assert meld.shape is not None
        meld.shape = book.shape(meld.shape.kind, meld.shape.roles)
    position.book = book
    return True


def readings(judge: Judge, position: Position) -> list[Position]:
    """The position with each rank as the wild one that what lies on the table leaves possible."""
    copies = [position.copy() for _ in RANKS]
    return [copy for rank, copy in enumerate(copies) if read_with(judge, copy, rank)]


def rank_that_allows(judge: Judge, position: Position, action: Action) -> int | None:
    """The first rank with which nothing is wrong with an action; None if there is none."""
    for rank in range(len(RANKS)):
        copy = position.copy()
        if read_with(judge, copy, rank) and judge.violation(copy, action) is None:
            return rank
    return None
