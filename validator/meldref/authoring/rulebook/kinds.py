"""The kinds of meld as a list."""

from __future__ import annotations

from typing import Final

from meldref.authoring.rulebook.model import Items, Sentence
from meldref.authoring.rulebook.words import capital, number, rank_plural, span
from meldref.core.cards import RANKS
from meldref.core.text import in_words
from meldref.ruleset.model import Kind, Ruleset

_MOST_IN_A_SUIT: Final = len(RANKS)

_CLOSE: Final = {"same_rank": "of the same rank", "same_suit": "of one suit"}
_LOOSE: Final = {
    "same_colour": "all red or all black",
    "distinct_suits": "no two of the same suit",
    "distinct_ranks": "no two of the same rank",
    "consecutive_ranks": "whose ranks follow one another",
}


def kind_name(kind: Kind) -> str:
    """The name of a kind of meld, as people write it."""
    return kind.name.replace("_", " ").replace("-", " ")


def list_kinds(rules: Ruleset) -> Items:
    """Each kind of meld: its size, and what its cards have in common."""
    return Items(tuple(_kind(kind) for kind in rules.melds.kinds))


def _kind(kind: Kind) -> Sentence:
    key, text = f"melds.kinds.{kind.name}", f"{_size(kind)}{_demands(kind)}."
    keys: tuple[str, ...] = (f"{key}.size", f"{key}.require")
    if "consecutive_ranks" in kind.require and has_aces(kind):
        keys, text = (*keys, f"{key}.ace"), f"{text} {_ace(kind)}"
    return Sentence(text, keys, capital(kind_name(kind)))


def _size(kind: Kind) -> str:
    low, high = kind.min_size, kind.max_size
    ranked = {"consecutive_ranks", "distinct_ranks"} & set(kind.require)
    if low < high and ranked and high == _MOST_IN_A_SUIT:
        return f"{capital(number(low))} or more cards"
    return capital(span(low, high, "card"))


def _demands(kind: Kind) -> str:
    """What the cards have in common, in the order that reads best."""
    wanted = set(kind.require)
    close = in_words(words for name, words in _CLOSE.items() if name in wanted)
    loose = [words for name, words in _LOOSE.items() if name in wanted]
    if kind.only is not None:
        loose.insert(0, f"all of them {in_words(map(rank_plural, kind.only), 'or') or 'of no rank at all'}")
    if "alternating_colours" in wanted:
        in_turn = "alternately red and black"
        balanced = "as many red as black, or one more of one colour"
        loose.append(in_turn if "consecutive_ranks" in wanted else balanced)
    return "".join([close and f" {close}", *(f", {words}" for words in loose)]) or " of any rank and suit"


def has_aces(kind: Kind) -> bool:
    """Whether a kind of meld may have aces in it."""
    return kind.only is None or "A" in kind.only


def _ace(kind: Kind) -> str:
    match sorted(kind.ace):
        case ["around", *_]:
            return "An ace may stand below the two, above the king, or between them: it goes around the corner."
        case ["high", "low"]:
            return "An ace may stand below the two or above the king, but never between them."
        case ["low"]:
            return "An ace stands below the two and never above the king."
        case ["high"]:
            return "An ace stands above the king and never below the two."
    return "It contains no ace."
