"""Cards as a rulebook prints them, for Markdown and HTML."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from meldref.authoring.rulebook.model import Line
from meldref.authoring.rulebook.words import RANK_NAMES
from meldref.core.cards import ANY_SUIT, JOKER, Card, Played, rank_of, suit_of

_SIGNS: Final = "♣♦♥♠"
_FACES: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")


def face(card: Card) -> str:
    """The rank as it is printed on a card: `5`, `10`, `K`."""
    return "Joker" if card == JOKER else _FACES[rank_of(card)]


def sign(card: Card) -> str:
    """The suit's sign; none on a joker."""
    return "" if card == JOKER else _SIGNS[suit_of(card)]


def is_red(card: Card) -> bool:
    """Whether a card is red."""
    return card != JOKER and suit_of(card) in {1, 2}


def in_line(line: Line, words: Callable[[str], str], show: Callable[[Card], str]) -> str:
    """A line of an example; `words` writes its words, `show` a card."""
    return "".join(
        words(part) if isinstance(part, str) else " ".join(_played(one, show) for one in part.cards)
        for part in line
    )


def _played(played: Played, show: Callable[[Card], str]) -> str:
    """A card, and what it stands for where that is another: `the five of hearts` as `5♥`, or `a five`."""
    role = played.role
    if role is None or role == played.card:
        return show(played.card)
    if role < ANY_SUIT:
        return f"{show(played.card)} (as {show(role)})"
    name = RANK_NAMES[rank_of(role)]
    return f"{show(played.card)} (as {'an' if name[0] in 'ae' else 'a'} {name})"
