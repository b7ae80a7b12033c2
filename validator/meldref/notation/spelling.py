"""The spelling of cards and amounts: text becomes values.

The grammar says what may be written; what is read here without it is read as the grammar reads it,
and the suite compares the two. The tables hold every card in its canonical spelling, so that
reading ordinary cards costs a look-up; other spellings are put into canonical form first.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias, TypeVar

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

_SIGNS: Final = str.maketrans("♣♧♦♢♥♡♠♤", "ccddhhss")
_VARIANTS: Final = ("\ufe0e", "\ufe0f")
_JOKERS: Final = ("jk", "joker")
_RANK_TEXTS: Final = {rank: at for at, rank in enumerate(RANKS.lower())} | {"10": RANKS.index("T")}
_MINUS: Final = str.maketrans("−–", "--")
_NATURALS: Final[dict[str, Card]] = {card_text(card).lower(): card for card in NATURALS}


CARDS: Final[dict[str, Card]] = {card_text(card): card for card in (*NATURALS, JOKER)}
"""The known cards by their canonical spelling."""
FACES: Final[dict[str, Card]] = {**CARDS, "?": UNKNOWN}
"""The same, and the card that nobody saw."""


def card_of(text: str) -> Card:
    """The card of `Td`, `10D`, `T♦` or `joker`; KeyError where a text is no card."""
    card = CARDS.get(text)
    if card is not None:
        return card
    plain = text.casefold()
    if plain in _JOKERS:
        return JOKER
    if plain.endswith(_VARIANTS):
        plain = plain[:-1]
    plain = plain.translate(_SIGNS)
    return _NATURALS["t" + plain[2:] if plain[:2] == "10" else plain]


def face_of(text: str) -> Card:
    """The card of a text, `UNKNOWN` for `?`; KeyError where it is none."""
    return UNKNOWN if text == "?" else card_of(text)


def is_card(text: str) -> bool:
    """Whether a word names a card, in any spelling."""
    try:
        card_of(text)
    except KeyError:
        return False
    return True


NAME_PATTERN: Final = (
    r"[^\W\d_](?:[\w.'’-]|[\u0300-\u036F\u0483-\u0487\u0591-\u05C7\u0610-\u061A\u064B-\u065F\u0670"
    r"\u06D6-\u06ED\u0900-\u0DFF\u0E31-\u0E4E\u0EB1-\u0ECE\u0F18-\u0FBC\u102B-\u109D\u1AB0-\u1AFF"
    r"\u1DC0-\u1DFF\u200C\u200D"
    r"\u20D0-\u20FF\u3099\u309A\uFE20-\uFE2F])*"
)
"""The grammar's terminal NAME, for the writer, which does not load the grammar; the suite compares
them."""

DIGITS: Final = 9
"""The most digits of a number, as in the grammar."""

PLAYS: Final[dict[str, Played]] = {text: Played(card) for text, card in CARDS.items()}
PLAYS.update({f"Jk={card_text(card)}": Played(JOKER, card) for card in NATURALS})
PLAYS.update({f"Jk={rank}": Played(JOKER, ANY_SUIT + at) for at, rank in enumerate(RANKS)})

_Row = TypeVar("_Row", bound=Sequence[Card])
Layer: TypeAlias = tuple[str, tuple[Played, ...]]
"""A player, and which cards of a meld are theirs."""


class TooMany(Exception):
    """A row has more cards, or more of one card, than any deck; the sentence that says so."""


def checked(row: _Row) -> _Row:
    """A row of cards as it is; `TooMany` where no deck has them all."""
    if len(row) > FULL:
        if len(row) > LARGEST:
            raise TooMany(f"no deck has more than {LARGEST:,} cards")
        often = too_many(row)
        if often is not None:
            times = f"{card_text(often)} stands here {row.count(often)} times"
            raise TooMany(f"{times}: no deck has more than {FULL}")
    return row


def rank(text: str) -> int:
    """The rank of `3`, `10` or `k`; KeyError where a text names no rank."""
    return _RANK_TEXTS[text.casefold()]


def rank_named(text: str) -> int | None:
    """The rank of a text; None where it names no rank."""
    return _RANK_TEXTS.get(text.casefold())


def played(text: str) -> Played:
    """The card of `5H`, `joker=8c` or `3h=Kd`, with what it stands for.

    KeyError where it is none.
    """
    laid, bound, role = text.partition("=")
    own = card_of(laid)
    if not bound:
        return Played(own)
    named = rank_named(role)
    stands_for: Role = card_of(role) if named is None else ANY_SUIT + named
    if stands_for == JOKER:
        raise KeyError(role)
    return Played(own, None if stands_for == own else stands_for)


def words(text: str) -> list[str]:
    """The words of a row that the grammar has passed, without spaces around `=`."""
    return "=".join(map(str.strip, text.split("="))).split()


def plays(row: Sequence[str]) -> tuple[Played, ...]:
    """The cards of a meld or lay-off.

    `TooMany` where no deck has them all, KeyError where one is none.
    """
    laid = tuple([PLAYS.get(word) or played(word) for word in row])
    if len(laid) > FULL:
        checked([played.card for played in laid])
    return laid


def cards(row: Sequence[str]) -> tuple[Card, ...]:
    """Cards in a row, each of them known, as `plays`."""
    return checked(tuple([card_of(word) for word in row]))


def layers(parts: Iterable[tuple[str, tuple[Played, ...]]]) -> tuple[Layer, ...]:
    """Cards of a meld by whose they are, as they are; `TooMany` where no deck has them all."""
    by_player = tuple(parts)
    checked([played.card for _, cards in by_player for played in cards])
    return by_player


def faces(row: Sequence[str]) -> tuple[Card, ...]:
    """Cards in a row, `UNKNOWN` for each that nobody saw (`?*7` is seven), as `plays`."""
    try:
        return checked(tuple([FACES[word] for word in row]))
    except KeyError:
        return checked(tuple(_with_unseen(row)))


def _with_unseen(row: Sequence[str]) -> list[Card]:
    """Cards among which there are several at once that nobody saw, `?*5`."""
    cards: list[Card] = []
    for word in row:
        if len(cards) > LARGEST:
            break
        number = counter("*", word[1:]) if word[:1] == "?" else None
        cards += [UNKNOWN] * number if number else [face_of(word)]
    return cards


def counter(sign: str, word: str) -> int | None:
    """The number of `x6`, `×6` or `M4`, from 1 to 999."""
    digits = word[1:]
    if (
        word[:1].lower().replace("×", "x") == sign
        and is_number(digits)
        and digits[0] != "0"
        and len(digits) <= 3
    ):
        return int(digits)
    return None


def is_number(text: str) -> bool:
    """Whether a text is a number without a sign."""
    return text.isascii() and text.isdigit() and len(text) <= DIGITS


def known_and_unknown(row: tuple[Card, ...]) -> tuple[tuple[Card, ...], int]:
    """The known cards of a row, in order, and how many others it has."""
    if UNKNOWN not in row:
        return row, 0
    named = tuple([card for card in row if card != UNKNOWN])
    return named, len(row) - len(named)


def amount(text: str) -> int:
    """The number of `45`, `+45`, `-20` or `−20`; KeyError where a text is none."""
    if is_number(text):
        return int(text)
    if text[:1] not in "+-−–" or not is_number(text[1:]):
        raise KeyError(text)
    return int(text.translate(_MINUS))


ABSENT: Final = "-"
"""Stands for the score of somebody who did not play the hand."""


def tally(text: str) -> int | str | None:
    """The number of a figure; `ABSENT` of `-`, for who did not play."""
    return ABSENT if text == ABSENT else figure(text)


def figure(text: str) -> int | None:
    """The number of an amount; None of `?`, which nobody can read."""
    return None if text == "?" else amount(text)
