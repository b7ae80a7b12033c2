"""Ranks, suits, cards and jokers; text to card and back; hands as counted sets.

A card is a small integer: `suit * 13 + rank` for the fifty-two natural cards, `JOKER` for a joker
and `UNKNOWN` for a card that nobody saw. Copies of a card from several packs are the same integer.

A role is what a card counts as in a meld: a natural card's integer, `JOKER` for a joker that is
only itself, or `ANY_SUIT + rank` for a wild card in a group whose suit is left open (P-JOK-09).

A hand, and any other multiset of cards, is one integer that counts each card in `WIDTH` bits.
Adding and taking away a card are additions of `ONE[card]`; `holds` compares whole sets at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final, TypeAlias

from meldref.core.records import NamedTuple

Card: TypeAlias = int
Role: TypeAlias = int
Cards: TypeAlias = int
"""A counted set of cards, see the module's text."""

RANKS: Final = "A23456789TJQK"
SUITS: Final = "cdhs"
_SIGNS: Final = "♣♦♥♠"
JOKER: Final = 52
UNKNOWN: Final = -1
ANY_SUIT: Final = 64

ACE: Final = 0

NATURALS: Final = range(52)
NATURALS_MASK: Final = (1 << 52) - 1

WIDTH: Final = 5
FULL: Final = (1 << (WIDTH - 1)) - 1
"""The most copies of one card a counted set can hold; no deck has more."""
LARGEST: Final = 10_000
"""No row has more cards, known or not: a deck has far fewer."""
ONE: Final[tuple[int, ...]] = tuple(1 << (WIDTH * card) for card in range(53))
GUARD: Final = sum(bit << (WIDTH - 1) for bit in ONE)
EMPTY: Final[Cards] = 0


class Played(NamedTuple):
    """A card as it is laid: the card, and the role a wild card is said to have (None: not said)."""

    card: Card
    role: Role | None = None


def rank_of(card: Card | Role) -> int:
    """The rank, 0 for the ace to 12 for the king, of a natural card or of a role."""
    return card - ANY_SUIT if card >= ANY_SUIT else card % 13


def suit_of(card: Card) -> int:
    """The suit of a natural card, 0 to 3 in the order of `SUITS`."""
    return card // 13


def natural(rank: int, suit: int) -> Card:
    """The natural card of a rank and a suit."""
    return suit * 13 + rank


def counted(cards: Iterable[Card]) -> Cards:
    """The counted set of known cards."""
    return sum([ONE[card] for card in cards])


def count(cards: Cards, card: Card) -> int:
    """How many copies of a card a counted set holds."""
    return cards >> (WIDTH * card) & 31


def holds(cards: Cards, wanted: Cards) -> bool:
    """Whether a counted set holds all of another one."""
    return ((cards | GUARD) - wanted) & GUARD == GUARD


def beside(there: Cards, more: Cards) -> Cards:
    """The part of `more` that can be added to `there` within `FULL` copies of any card."""
    if not (there + more) & GUARD:
        return more
    return sum(min(count(more, card), FULL - count(there, card)) * ONE[card] for card in range(53))


def capped(cards: Iterable[Card], there: Cards = EMPTY) -> Cards:
    """A counted set plus more known cards; of each card, at most `FULL` are counted."""
    for card, copies in Counter(cards).items():
        there += min(copies, FULL - count(there, card)) * ONE[card]
    return there


def too_many(row: Sequence[Card]) -> Card | None:
    """A card that is in a row more often than any deck has it.

    Nobody counts those that are unknown.
    """
    distinct = dict.fromkeys(row)
    if len(row) - len(distinct) < FULL:
        return None
    return next((card for card in distinct if card != UNKNOWN and row.count(card) > FULL), None)


def difference(cards: Cards, taken: Cards) -> Cards:
    """A counted set without those cards of another one that it holds."""
    if holds(cards, taken):
        return cards - taken
    for card in each(taken):
        if cards >> (WIDTH * card) & FULL:
            cards -= ONE[card]
    return cards


def bits_of(cards: Iterable[Card]) -> int:
    """A bit for each of some cards."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


@lru_cache(maxsize=8192)
def mask_of(cards: Cards) -> int:
    """A bit for each card that a counted set holds."""
    mask = 0
    while cards:
        card = ((cards & -cards).bit_length() - 1) // WIDTH
        mask |= 1 << card
        cards &= ~(31 << WIDTH * card)
    return mask


def size(cards: Cards) -> int:
    """How many cards a counted set holds."""
    total = 0
    while cards:
        total += cards & 31
        cards >>= WIDTH
    return total


def each(cards: Cards) -> Iterator[Card]:
    """Every card of a counted set, copies one after the other, in ascending order."""
    while cards:
        card = ((cards & -cards).bit_length() - 1) // WIDTH
        copies = cards >> (WIDTH * card) & 31
        for _ in range(copies):
            yield card
        cards -= copies << (WIDTH * card)


def card_text(card: Card) -> str:
    """A card as the notation writes it: `5h`, `Jk`, `?`."""
    if card == JOKER:
        return "Jk"
    if card == UNKNOWN:
        return "?"
    return RANKS[card % 13] + SUITS[card // 13]


def role_text(role: Role) -> str:
    """A role as the notation writes it behind `=`: `8c`, or `9` where the suit is open."""
    return RANKS[role - ANY_SUIT] if role >= ANY_SUIT else card_text(role)


def played_text(played: Played) -> str:
    """A laid card with what it stands for: `5h`, `Jk=8c`, `Jk=9`."""
    if played.role is None or played.role == played.card:
        return card_text(played.card)
    return f"{card_text(played.card)}={role_text(played.role)}"


def cards_text(cards: Iterable[Card]) -> str:
    """Cards in a row, as the notation writes them."""
    return " ".join(card_text(card) for card in cards)


def face(card: Card) -> str:
    """The rank as it is printed on a card: `5`, `10`, `K`."""
    return "Joker" if card == JOKER else RANKS[rank_of(card)].replace("T", "10")


def sign(card: Card) -> str:
    """The suit's sign as it is printed on a card; none on a joker."""
    return "" if card == JOKER else _SIGNS[suit_of(card)]
