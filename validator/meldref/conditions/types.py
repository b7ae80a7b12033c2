"""What a condition is about: sorts of values, words, and truth that may be open."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Any, Final, NamedTuple, TypeAlias

from meldref.core.cards import RANKS
from meldref.ruleset.model import GAME


class Sort(StrEnum):
    """The sorts of values, as messages name them."""

    YES_NO = "yes or no"
    NUMBER = "a number"
    RANK = "a rank"
    SUIT = "a suit"
    KIND = "a kind of meld"
    OWNER = "an owner"
    DRAWN = "a draw"
    DISCARDER = "a discarder"
    CARDS = "a list of cards"
    MELDS = "a list of melds"
    PLAYERS = "a list of players"
    CARD = "a card"
    MELD = "a meld"
    PLAYER = "a player"


SUITS: Final = ("clubs", "diamonds", "hearts", "spades")
WORDS: Final = {
    Sort.RANK: ("A", "K", "Q", "J", "T", "9", "8", "7", "6", "5", "4", "3", "2"),
    Sort.SUIT: SUITS,
    Sort.OWNER: ("player", "partner", "opponent"),
    Sort.DRAWN: ("stock", "pile", "nothing"),
    Sort.DISCARDER: ("player", "partner", "opponent", "nobody"),
}
"""The words of each sort that has words of its own; those of a kind of meld are the ruleset's."""
LISTS: Final = {Sort.CARDS: Sort.CARD, Sort.MELDS: Sort.MELD, Sort.PLAYERS: Sort.PLAYER}
"""What is in a list."""
ORDER: Final = tuple(RANKS)
"""The ranks as they follow one another in a list such as [2-9]."""

ACTIONS: Final = (
    "draw",
    "take",
    "buy",
    "meld",
    "lay",
    "swap",
    "discard",
    "rummy",
    "challenge",
    "pass",
)
"""The words of actions that a house rule may be about."""
TOP: Final = "top card"
"""The subject of facts of the pile's top card, which conditions call `top`."""
END: Final = "end"
"""The end of a turn or call."""
HAND: Final = "hand"
"""The end of the hand, at which awards without `for` are asked."""
EVERYWHERE: Final = frozenset((*ACTIONS, END, HAND))
"""Where conditions are asked in a hand;"""
ALWAYS: Final = EVERYWHERE | {GAME}
"""and also when the game is over."""

Truth: TypeAlias = "bool | None"
"""Yes, no, or open (None)."""
Number: TypeAlias = "int | tuple[int, int]"
"""A number, or the least and the greatest that it may be."""
MOST: Final = 1_000_000_000
"""More than any number of a hand."""
ANY: Final = (-MOST, MOST)
"""A number of which nothing is known."""


class Missing:
    """The value of what is not there: it equals nothing."""


NOTHING: Final = Missing()
"""What is not there, such as a joker's rank."""
OPEN: Final = Missing()
"""What is there and not known."""


class Row(NamedTuple):
    """A list as far as it is known.

    `known` are the things in it; `unseen` is how many cards are in it besides that nobody saw,
    which are among `pool`, a counted set; `more` says that nobody knows how many things are in it,
    `maybe` are things that may be in it as well. `of_pile`: its cards are in the pile, or were
    taken from it; `meld` is the meld whose cards they are, if they are those of one.
    """

    known: Any
    unseen: int = 0
    pool: int = 0
    more: bool = False
    maybe: Any = ()
    of_pile: bool = False
    meld: Any = None


class Fact(NamedTuple):
    """A fact: its name after the dot, its sort, where it is there, how it is asked, what it says.

    `where` are the words of actions, `end` and `hand`; `ask` is given the view and what the fact is
    about. `above`: used as a condition by itself, the number has to be more than that. `least` and
    `most` are what a number can be by any rules, where it is there.
    """

    name: str
    sort: Sort
    ask: Callable[..., Any]
    about: str
    where: frozenset[str] = EVERYWHERE
    above: int | None = None
    least: int = -MOST
    most: int = MOST


class Term(NamedTuple):
    """A part of a condition whose sort is known.

    `value` is the constant, word, fact or operator; `subject` whose fact it is, `it` for what a
    list's condition looks at.
    """

    op: str
    sort: Sort
    parts: tuple[Term, ...] = ()
    value: Any = None
    subject: str = ""
