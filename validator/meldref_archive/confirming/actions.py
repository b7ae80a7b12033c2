"""What stands on a line of a turn, in canonical spelling."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias

from meldref.core.cards import JOKER, NATURALS, RANKS, SUITS, card_text

ACE: Final = 0
KING: Final = 12
ABOVE_KING: Final = 13
"""Places in a run are ranks, from 0; an ace has one of two."""
JOKERS: Final = 0b11 << JOKER
BITS: Final[Mapping[str, int]] = {card_text(card): 1 << card for card in NATURALS} | {"Jk": JOKERS}
"""The bit of a card by its word; a joker's word means either of them."""
REMEMBERED: Final = 50_000
"""How many actions, and how many melds, are remembered."""

DRAW, TAKE, MELD, LAY, DISCARD, CALL, PASS = range(7)

Action: TypeAlias = tuple[Any, ...]
"""What is done, and then the bit of a card, or what else it needs: see `read_action`."""
Place: TypeAlias = tuple[int, int, int]
"""A card as it is laid: its bit, the rank and the suit that it has or stands for (-1: not said)."""
Shape: TypeAlias = tuple[int, int, int]
"""A meld: the suit, the lowest and the highest place of a run; or `GROUP`, a rank and a size."""
GROUP: Final = -1


class Unclear(Exception):
    """Something is not as it nearly always is: the referee has to look."""


_ACTIONS: Final[dict[str, Action]] = {}
"""Actions that were read before, by their text."""


def action(text: str) -> Action:
    """An action; that of a text is read once.

    Raises:
        Unclear, LookupError, ValueError: it is not written as nearly always.
    """
    read = _ACTIONS.get(text)
    if read is None:
        if len(_ACTIONS) >= REMEMBERED:
            _ACTIONS.clear()
        read = _ACTIONS[text] = _read_action(text)
    return read


def _read_action(text: str) -> Action:
    """A kind with: a card to draw or discard; a card to take and its written number (0: none).

    Cards to call; natural cards, how many jokers, all places, and the meld's number or its shape
    and written number.
    """
    word, _, rest = text.partition(" ")
    if word == "draw":
        return DRAW, BITS[rest]
    if word == "discard":
        return DISCARD, BITS[rest]
    if text == "pass":
        return (PASS,)
    words = rest.split(" ")
    if word == "take":
        card, *number = words
        return TAKE, BITS[card], _number("".join(number), "x") if number else 0
    if word == "rummy":
        return CALL, [BITS[card] for card in words]
    if word == "lay":
        target = _number(words.pop(), "m")
        places = tuple(map(_place, words))
        return LAY, *_counted(places), places, target - 1
    if word == "meld":
        written = _number(words.pop(), "m") if words[-1][:1] == "m" else 0
        places = tuple(map(_place, words))
        return MELD, *_counted(places), places, _group(places) or _run(places), written
    raise Unclear


def _number(word: str, sign: str) -> int:
    """A number behind a sign, such as `m4`."""
    number = word.removeprefix(sign)
    if number == word or not number.isascii() or not number.isdecimal() or number[0] == "0":
        raise Unclear
    return int(number)


def _place(word: str) -> Place:
    """A word of a meld: `9d`, `Jk`, `Jk=9d`, or `Jk=9` in a group."""
    card, _, role = word.partition("=")
    bit = BITS[card]
    if bit != JOKERS:
        if role or card != word:
            raise Unclear
        role = card
    elif not role:
        if card != word:
            raise Unclear
        return bit, -1, -1
    if len(role) == 1:
        return bit, RANKS.index(role), -1
    if len(role) != 2:
        raise Unclear
    return bit, RANKS.index(role[0]), SUITS.index(role[1])


def _counted(places: Sequence[Place]) -> tuple[int, int]:
    """The natural cards of some places, no two of which are the same, and how many are jokers."""
    naturals = jokers = 0
    for bit, _, _ in places:
        if bit == JOKERS:
            jokers += 1
        elif bit & naturals:
            raise Unclear
        else:
            naturals |= bit
    return naturals, jokers


def _group(places: Sequence[Place]) -> Shape | None:
    """Three or four cards of one rank; None if it is a run, or may be one."""
    naturals = [rank for bit, rank, _ in places if bit != JOKERS]
    roles = [rank for bit, rank, suit in places if bit == JOKERS and suit < 0 <= rank]
    if not naturals or {*naturals, *roles} != {naturals[0]} or not 3 <= len(places) <= 4:
        return None
    if any(bit == JOKERS and suit >= 0 for bit, _, suit in places):
        return None
    is_sure = len(naturals) > 1 or len(roles) == len(places) - 1
    return (GROUP, naturals[0], len(places)) if is_sure else None


def _run(places: Sequence[Place]) -> Shape:
    """Cards of one suit in ascending order, in which two natural ones show where bare jokers stand."""
    suits = [suit for bit, _, suit in places if bit != JOKERS]
    has_bare = any(rank < 0 for _, rank, _ in places)
    if not 3 <= len(places) <= 13 or len(suits) < 1 + has_bare:
        raise Unclear
    # Where an ace stands is told by the others.
    low = next(rank - at for at, (_, rank, _) in enumerate(places) if rank > ACE)
    high = low + len(places) - 1
    if low < ACE or high > ABOVE_KING:
        raise Unclear
    for at, (_, rank, suit) in enumerate(places, low):
        fits = suit == suits[0] and rank == (ACE if at == ABOVE_KING else at)
        if rank >= 0 and not fits:
            raise Unclear
    return suits[0], low, high
