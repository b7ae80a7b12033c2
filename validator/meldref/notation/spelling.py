"""The spelling of cards and amounts: text that the grammar has passed becomes values.

Nothing here decides what may be written; the grammar does. The tables hold every card in its canonical
spelling, so that reading ordinary cards costs a look-up; other spellings are put into canonical form first.
"""

from __future__ import annotations

from typing import Final

from meldref.cards import ANY_SUIT, JOKER, NATURALS, RANKS, UNKNOWN, Card, Played, Role, card_text

CARDS: Final[dict[str, Card]] = {card_text(card): card for card in (*NATURALS, JOKER)}
"""The known cards by canonical spelling."""

FACES: Final[dict[str, Card]] = {**CARDS, "?": UNKNOWN}

PLAYS: Final[dict[str, Played]] = {text: Played(card) for text, card in CARDS.items()}
PLAYS.update({f"Jk={card_text(card)}": Played(JOKER, card) for card in NATURALS})
PLAYS.update({f"Jk={rank}": Played(JOKER, ANY_SUIT + at) for at, rank in enumerate(RANKS)})

_SIGNS: Final = str.maketrans("♣♧♦♢♥♡♠♤", "ccddhhss")
_VARIANTS: Final = {0xFE0E: None, 0xFE0F: None}
_JOKERS: Final = ("jk", "joker")
_RANK_TEXTS: Final = frozenset(RANKS.lower()) | {"10"}
_MINUS: Final = str.maketrans("−–", "--")


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
    """The cards of a meld or lay-off."""
    if "=" in text:
        text = "=".join(part.strip() for part in text.split("="))
    return tuple([played(word) for word in text.split()])


def cards(text: str) -> tuple[Card, ...]:
    """Cards in a row, each of them known."""
    return tuple([card(word) for word in text.split()])


def faces(text: str) -> tuple[Card, ...]:
    """Cards in a row, `UNKNOWN` for each that nobody saw: `?*7` is seven of them."""
    row: list[Card] = []
    for word in text.split():
        if word[0] == "?":
            row += [UNKNOWN] * int(word[2:] or 1)
        else:
            row.append(card(word))
    return tuple(row)


def known_and_unknown(row: tuple[Card, ...]) -> tuple[tuple[Card, ...], int]:
    """The known cards of a row, in order, and how many others it has."""
    if UNKNOWN not in row:
        return row, 0
    known = tuple([one for one in row if one != UNKNOWN])
    return known, len(row) - len(known)


def amount(text: str) -> int:
    """The number of `45`, `+45`, `-20` or `−20`."""
    return int(text.translate(_MINUS))
