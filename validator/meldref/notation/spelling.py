"""The spelling of cards and amounts: text that the grammar has passed becomes values.

Nothing here decides what may be written; the grammar does. The tables hold every card in its canonical
spelling, so that reading ordinary cards costs a look-up; other spellings are put into canonical form first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeVar

from meldref.core.cards import (
    ANY_SUIT,
    FULL,
    JOKER,
    LARGEST,
    NATURALS,
    RANKS,
    UNKNOWN,
    Card,
    Played,
    Role,
    card_text,
    too_many,
)

CARDS: Final[dict[str, Card]] = {card_text(card): card for card in (*NATURALS, JOKER)}
"""The known cards by canonical spelling."""

FACES: Final[dict[str, Card]] = {**CARDS, "?": UNKNOWN}

PLAYS: Final[dict[str, Played]] = {text: Played(card) for text, card in CARDS.items()}
PLAYS.update({f"Jk={card_text(card)}": Played(JOKER, card) for card in NATURALS})
PLAYS.update({f"Jk={rank}": Played(JOKER, ANY_SUIT + at) for at, rank in enumerate(RANKS)})

_Row = TypeVar("_Row", bound=Sequence[Card])

_SIGNS: Final = str.maketrans("♣♧♦♢♥♡♠♤", "ccddhhss")
_VARIANTS: Final = {0xFE0E: None, 0xFE0F: None}
_JOKERS: Final = ("jk", "joker")
_RANK_TEXTS: Final = frozenset(RANKS.lower()) | {"10"}
_MINUS: Final = str.maketrans("−–", "--")


class TooMany(Exception):
    """A row has more cards, or more of one card, than any deck; the sentence that says so."""


def checked(row: _Row) -> _Row:
    """A row of cards as it is; `TooMany` where no deck has them all."""
    if len(row) > FULL:
        if len(row) > LARGEST:
            raise TooMany(f"no deck has more than {LARGEST:,} cards")
        often = too_many(row)
        if often is not None:
            raise TooMany(f"{card_text(often)} stands here {row.count(often)} times: no deck has more than {FULL}")
    return row


def rank(text: str) -> int:
    """The rank of `3`, `10` or `k`."""
    return RANKS.index("T" if text == "10" else text.casefold().upper())


def rank_named(text: str) -> int | None:
    """The rank of a text; None where it names no rank."""
    return rank(text) if text.casefold() in _RANK_TEXTS else None


def card(text: str) -> Card:
    """The card of `5h`, `10D`, `T♦`, `joker` or `?`."""
    found = FACES.get(text)
    if found is not None:
        return found
    plain = text.casefold()
    if plain in _JOKERS:
        return JOKER
    plain = plain.translate(_VARIANTS).translate(_SIGNS)
    return CARDS[RANKS[rank(plain[:-1])] + plain[-1]]


def played(text: str) -> Played:
    """The card of `5h`, `Jk=8c`, `Jk=9` or `3h=Kd`, with what it is said to stand for."""
    found = PLAYS.get(text)
    if found is not None:
        return found
    laid, bound, role = text.partition("=")
    own = card(laid.strip())
    if not bound:
        return Played(own)
    role = role.strip()
    named = rank_named(role)
    stands_for: Role = card(role) if named is None else ANY_SUIT + named
    return Played(own, None if stands_for == own else stands_for)


def plays(text: str) -> tuple[Played, ...]:
    """The cards of a meld or lay-off; `TooMany` where no deck has them all."""
    if "=" in text:
        text = "=".join(part.strip() for part in text.split("="))
    row = tuple([played(word) for word in text.split()])
    checked([one.card for one in row])
    return row


def cards(text: str) -> tuple[Card, ...]:
    """Cards in a row, each of them known; `TooMany` where no deck has them all."""
    return tuple(checked([card(word) for word in text.split()]))


def faces(text: str) -> tuple[Card, ...]:
    """Cards in a row, `UNKNOWN` for each that nobody saw (`?*7` is seven); `TooMany` if no deck has them."""
    row: list[Card] = []
    for word in text.split():
        if len(row) > LARGEST:
            break
        if word[0] == "?":
            row += [UNKNOWN] * int(word[2:] or 1)
        else:
            row.append(card(word))
    return tuple(checked(row))


def known_and_unknown(row: tuple[Card, ...]) -> tuple[tuple[Card, ...], int]:
    """The known cards of a row, in order, and how many others it has."""
    if UNKNOWN not in row:
        return row, 0
    known = tuple([one for one in row if one != UNKNOWN])
    return known, len(row) - len(known)


def amount(text: str) -> int:
    """The number of `45`, `+45`, `-20` or `−20`."""
    return int(text.translate(_MINUS))
