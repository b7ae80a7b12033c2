"""Words for numbers, cards and players."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeVar

from meldref.core import text as wording
from meldref.core.cards import ANY_SUIT, JOKER, RANKS, SUITS, Card, Played, rank_of, suit_of
from meldref.core.text import in_words, number
from meldref.ruleset.model import Ruleset
from meldref_authoring.rulebook.model import Line

_T = TypeVar("_T")
RANK_NAMES: Final = ("ace", *map(number, range(2, 11)), "jack", "queen", "king")
SUIT_NAMES: Final = dict(zip(SUITS, ("clubs", "diamonds", "hearts", "spades"), strict=True))


def number_of(value: int, noun: str) -> str:
    """A number in words with its noun: `one card`, `two cards`.

    `wording.many` writes it in digits.
    """
    return f"{number(value)} {noun if value == 1 else noun + 's'}"


def points(value: int) -> str:
    """Points, in digits: `1 point`, `25 points`."""
    return wording.many(value, "point")


def how_often(value: int) -> str:
    """How often, the number in words: `twice`, `three times`.

    `wording.times` writes it in digits.
    """
    return {1: "once", 2: "twice"}.get(value) or f"{number(value)} times"


def capital(text: str) -> str:
    """A text that begins a sentence."""
    return text[:1].upper() + text[1:]


def span(low: int, high: int, noun: str) -> str:
    """A range: `four cards`, `three or four cards`, `three to six cards`."""
    if low == high:
        return number_of(low, noun)
    return f"{number(low)} {'or' if high == low + 1 else 'to'} {number_of(high, noun)}"


def rank_plural(rank: str) -> str:
    """A rank in the plural, as a rules file names it: `sixes`, `kings`, `jokers`."""
    if rank == "joker":
        return "jokers"
    name = RANK_NAMES[RANKS.index(rank)]
    return f"{name}es" if name.endswith("x") else f"{name}s"


def card_name(card: Card) -> str:
    """A card in words: `the queen of spades`, `a joker`."""
    if card == JOKER:
        return "a joker"
    return f"the {RANK_NAMES[rank_of(card)]} of {SUIT_NAMES[SUITS[suit_of(card)]]}"


def tables(rules: Ruleset) -> range:
    """The numbers of players there may be."""
    return range(rules.players.min, rules.players.max + 1)


def folded(numbers: Mapping[int, _T]) -> dict[_T, list[int]]:
    """A table by players as values with the numbers of players that have them, in order."""
    places_of: dict[_T, list[int]] = {}
    for count, value in numbers.items():
        places_of.setdefault(value, []).append(count)
    return places_of


def for_players(counts: Sequence[int], most: int) -> str:
    """`two players`, `two to four players`, `five or more players`, `two, five or six players`."""
    runs: list[list[int]] = []
    for count in counts:
        if runs and count == runs[-1][-1] + 1:
            runs[-1].append(count)
        else:
            runs.append([count])
    parts = []
    for run in runs:
        if len(run) > 1 and run[-1] == most:
            parts.append(f"{number(run[0])} or more")
        elif len(run) > 2:
            parts.append(f"{number(run[0])} to {number(run[-1])}")
        else:
            parts.append(in_words(map(number, run), "or"))
    return f"{in_words(parts, 'or')} player{'s' if counts != [1] else ''}"


# --- cards as they are printed --------------------------------------------------------------------


def is_red(card: Card) -> bool:
    """Whether a card is red."""
    return card != JOKER and suit_of(card) in {1, 2}


def in_line(line: Line, words: Callable[[str], str], show: Callable[[Card], str]) -> str:
    """A line of an example; `words` writes its words, `show` a card."""
    text = ""
    for part in line:
        if isinstance(part, str):
            text += words(part)
        else:
            text += " ".join(_played(card, show) for card in part.cards)
    return text


def _played(played: Played, show: Callable[[Card], str]) -> str:
    """A card, and what it stands for if that differs: `the five of hearts` as `5♥`, or `a five`."""
    role = played.role
    if role is None or role == played.card:
        return show(played.card)
    if role < ANY_SUIT:
        return f"{show(played.card)} (as {show(role)})"
    name = RANK_NAMES[rank_of(role)]
    return f"{show(played.card)} (as {'an' if name[0] in 'ae' else 'a'} {name})"
