"""Where cards went: the moves of a hand's cards, which a position notes where somebody asks for them."""

from __future__ import annotations

from enum import IntEnum
from typing import Final

from meldref.core.cards import Card
from meldref.core.records import NamedTuple


class Spot(IntEnum):
    """Where a card lies; `SHOWN` is no place to go to: the card stays, and is known from then on."""

    STOCK = 0
    PILE = 1
    HAND = 2
    MELD = 3
    SHOWN = 4


STOCK: Final = Spot.STOCK
PILE: Final = Spot.PILE
HAND: Final = Spot.HAND
MELD: Final = Spot.MELD
SHOWN: Final = Spot.SHOWN
"""The members by short names, as for `Ending`."""

NOBODYS: Final = -1
"""The seat of a move that concerns no hand."""


class Moved(NamedTuple):
    """A card that went from one spot to another; `UNKNOWN` where nobody saw which.

    `seat` is whose hand it left or reached. `place` is the index that it had in the pile, or has
    in the meld with the index `meld`; -1 where that is not known. `points` is what a card of a meld
    counted until then; an ace that is turned round goes from its meld to the same one. Moves are
    noted one by one: of two cards lifted from the bottom of a pile, each lay at index 0.
    """

    card: Card
    origin: Spot
    target: Spot
    seat: int = NOBODYS
    place: int = -1
    meld: int = -1
    points: int = 0
