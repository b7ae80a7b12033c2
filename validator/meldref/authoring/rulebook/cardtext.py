"""Cards as a rulebook prints them, for Markdown and HTML."""

from __future__ import annotations

from typing import Final

from meldref.authoring.rulebook.words import RANK_NAMES, card_name
from meldref.core.cards import ANY_SUIT, JOKER, Card, Played, Role, rank_of, suit_of

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


def stands_for(played: Played) -> Role | None:
    """The role of a wild card that is not itself."""
    return None if played.role is None or played.role == played.card else played.role


def role_words(role: Role) -> str:
    """A role in words: `the five of hearts`, `a five`."""
    if role >= ANY_SUIT:
        name = RANK_NAMES[rank_of(role)]
        return f"{'an' if name[0] in 'ae' else 'a'} {name}"
    return card_name(role)


def role_sign(role: Role) -> str:
    """A role as it is printed: `5♥`, or `a five` where the suit is open."""
    return role_words(role) if role >= ANY_SUIT else face(role) + sign(role)
