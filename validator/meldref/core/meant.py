"""What an unknown word was probably meant to be: the one measure of how alike words are."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final

from meldref.core.records import record

_SYNONYMS: Final = {
    synonym: word
    for word, synonyms in {
        "A": "ace as",
        "K": "king",
        "Q": "queen",
        "J": "jack knave",
        "T": "10 ten",
        "9": "nine",
        "8": "eight",
        "7": "seven",
        "6": "six",
        "5": "five",
        "4": "four",
        "3": "three",
        "2": "two deuce",
        "joker": "jk jkr",
        "wild": "wildcard",
        "rummy": "call calling rum claim",
        "swap": "exchange switch trade",
        "lay": "layoff layingoff build add",
        "take": "pickup pick",
        "discard": "throw drop",
        "buy": "purchase",
        "end": "endturn turnend",
        "out": "goout goesout goingout wentout",
        "group": "set book trip triplet threeofakind quad",
        "sequence": "run straight flush straightflush row",
        "size": "length count",
        "points": "value",
        "suit": "colour color",
        "count": "len",
        "all": "every",
        "any": "some",
        "player": "caller buyer",
        "players": "opponent other",
        "when": "if condition where while",
        "unless": "except besides",
        "forbid": "ban deny prohibit disallow forbidden",
        "for": "on at each",
        "to": "gets receiver whom",
        "award": "bonus points reward prize gives",
        "penalty": "fine malus cost minus",
        "allow": "allowed permit may",
        "must": "require requirethat need",
        "says": "text sentence message description about title rule",
        "why": "reason because",
        "source": "from",
    }.items()
    for synonym in synonyms.split()
}
"""What people write for ranks, actions, kinds of meld, facts, functions and keys; no plurals."""
_LIKENESS: Final = 0.3
"""The greatest part of a word's letters that may be wrong if it was meant to be another."""
_SHORT: Final = 4
"""A word of fewer letters has too many neighbours to be sure which was meant."""
_LONG: Final = 8
"""The fewest letters of which two may be wrong with no doubt left."""
_LONGEST: Final = 100
"""Longer words are not misspellings of any."""


@record
class Meant:
    """What to write instead, and whether there is no doubt about it."""

    text: str
    sure: bool = False


def nearest(word: str, words: Iterable[str]) -> Meant | None:
    """The word, of those that can be written, that another was probably meant to be.

    It is sure if it differs only in case, signs and the plural, is a synonym, or has one or two
    letters wrong and no other word is as near. The first part of a single word, as in `last` of
    `last_turns`, is not sure.

    >>> nearest("taget", ["ends", "target"])
    Meant(text='target', sure=True)
    """
    words = tuple(words)
    return _nearest(word, words, words, _SHORT) if len(word) <= _LONGEST else None


def nearest_meaning(word: str, meanings: Mapping[str, str], short: int = _SHORT) -> Meant | None:
    """What a word was probably meant to say, of words that say the same as others.

    It is sure if all words that are as near say the same; `short` is the fewest letters of that.

    >>> nearest_meaning("drws", {"draw": "draw", "draws": "draw", "lays": "lay"})
    Meant(text='draw', sure=True)
    """
    if len(word) > _LONGEST:
        return None
    return _nearest(word, tuple(meanings), tuple(meanings.values()), short)


def did_you_mean(word: str, words: Iterable[str], otherwise: str = "", quote: str = "") -> str:
    """The end of a sentence about an unknown word: what was probably meant, or `otherwise`."""
    meant = nearest(word, words)
    return otherwise if meant is None else f"; did you mean {quote}{meant.text}{quote}?"


def synonym_of(word: str) -> str | None:
    """The word that the program has for what people also call otherwise: `queens` is `Q`."""
    letters = _plain(word).replace("_", "")
    for form in (letters, letters.removesuffix("s"), letters.removesuffix("es")):
        if form in _SYNONYMS:
            return _SYNONYMS[form]
    return None


@lru_cache(maxsize=256)
def _nearest(
    word: str, words: tuple[str, ...], meanings: tuple[str, ...], short: int
) -> Meant | None:
    """The nearest of some words, as what it says: `meanings` are what they say."""
    plain = _plain(word)
    meaning = dict(zip(words, meanings, strict=True))
    forms: dict[str, str] = {}
    for other in words:
        # The last part of a path is enough to find it.
        compared = other if "." in word else other.rpartition(".")[2]
        forms[other] = _plain(compared)
    same = [other for other, form in forms.items() if form in {plain, f"{plain}s"}]
    if same:
        return Meant(meaning[same[0]], sure=len({meaning[other] for other in same}) == 1)
    synonym = synonym_of(word)
    if synonym is not None and synonym in meaning:
        return Meant(meaning[synonym], sure=True)
    if len(plain) == 1:
        initials = [other for other, form in forms.items() if form.startswith(plain)]
        return Meant(meaning[initials[0]]) if len(initials) == 1 else None
    if len(plain) < min(short, 3):
        return None
    distances = {other: _distance(plain, form) for other, form in forms.items()}

    def is_close(other: str) -> bool:
        longest = max(len(plain), len(forms[other]))
        return distances[other] <= max(1, _LIKENESS * longest)

    def rank(other: str) -> tuple[object, ...]:
        form = forms[other]
        # Few people get the first letter wrong.
        has_other_initial = form[:1] != plain[:1]
        return (distances[other], has_other_initial, -len(form), len(other))

    close = [other for other in words if is_close(other)]
    if not close:
        longer = [other for other, form in forms.items() if form.startswith(f"{plain}_")]
        return Meant(meaning[longer[0]]) if len(longer) == 1 else None
    best = min(close, key=rank)
    reach = 1 if len(plain) < _LONG else 2
    near = {meaning[other] for other in words if distances[other] <= reach}
    is_sure = near == {meaning[best]} and len(plain) >= short
    return Meant(meaning[best], is_sure)


def _plain(word: str) -> str:
    """A word in small letters, without quotes, with one sign between its parts."""
    return re.sub(r"[\s_-]+", "_", word.strip("“”„\"'‘’ ").lower())


def _distance(text: str, other: str) -> int:
    """The number of letters left out, added, mistaken, or swapped with their neighbours."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(text, start=1):
        before, last, row = row, before, [i]
        for j, against in enumerate(other, start=1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != against))
            if last and j > 1 and letter == other[j - 2] and text[i - 2] == against:
                cost = min(cost, last[j - 2] + 1)
            row.append(cost)
    return row[-1]
