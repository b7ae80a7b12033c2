"""Reads the text of a condition into a tree, or says what cannot be read, at its place."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

from meldref.conditions.tree import Node, TooBig, Unread, read_tree
from meldref.conditions.types import SUITS

LONGEST: Final = 4_000
"""The most characters that a condition may have."""
HIGHEST: Final = 99_999
"""The greatest number that may be written."""


class Mistake(NamedTuple):
    """What is wrong with a condition.

    Offsets are from 0; `instead` is what to write there, where that is sure.
    """

    begin: int
    end: int
    message: str
    instead: str | None = None


def read(text: str) -> Node | Mistake:
    """The tree of a condition, or the first thing that cannot be read."""
    if len(text) > LONGEST:
        message = f"a condition has at most {LONGEST:,} characters, and this one has {len(text):,}"
        return Mistake(0, 0, message)
    return _read(text)


@lru_cache(maxsize=512)
def _read(text: str) -> Node | Mistake:
    if not text.strip():
        return Mistake(0, len(text), "there is no condition: write one, as in card.rank is A")
    odd = _foreign(text)
    if odd is not None:
        return odd
    try:
        return read_tree(text)
    except Unread as unread:
        return _misread(text, unread)
    except TooBig as wrong:
        return Mistake(0, 0, str(wrong))


_SIGNS: Final = {
    "&&": "and",
    "&": "and",
    "||": "or",
    "|": "or",
    "!": "not ",
    "≤": "<=",
    "≥": ">=",
    "≠": "is not",
    "×": "*",
    "–": "-",
    "−": "-",
    "=>": ">=",
    "=<": "<=",
    "♣": "clubs",
    "♦": "diamonds",
    "♥": "hearts",
    "♠": "spades",
}
_ODD: Final = re.compile(
    r"\b(?:10|[2-9TJQKA])[cdhs♣♦♥♠](?!\w)|\b(?!(?:and|or|not|is|in)\b)(?i:and|or|not|is|in)\b"
    r"|=>|=<|&&?|\|\|?|!(?!=)|[≤≥≠×–−]|[\"'“”‘’]|[%{};:@#$^~\\`?]|\*\*|[0-9]+\.[0-9]+|[♣♦♥♠]"
)
_SUITS: Final = "cdhs♣♦♥♠"
_PYTHON: Final = re.compile(
    r"\b(lambda|import|for|if|else|while|def|return|exec|eval|None|True|False)\b|__\w+__"
)


def _foreign(text: str) -> Mistake | None:
    """A sign or word of other languages."""
    python = _PYTHON.search(text)
    if python is not None:
        word = python[0]
        if text.strip() in {"True", "False"}:
            return None  # a word alone, of which more can be said
        has = "facts, is, in, and, or, not, and functions of lists such as count and any"
        message = f"{word} is Python: a condition has {has}"
        if word in {"if", "for"}:
            message = f"{word} has no place in a condition: write the condition alone"
        return Mistake(python.start(), python.end(), message)
    match = _ODD.search(text)
    if match is None:
        return None
    sign, begin, end = match[0], match.start(), match.end()
    if sign in _SIGNS:
        return Mistake(
            begin, end, f"write `{_SIGNS[sign].strip()}` instead of `{sign}`", _SIGNS[sign]
        )
    if sign[-1] in _SUITS and sign[0] not in _SUITS:
        suit = SUITS[_SUITS.index(sign[-1]) % len(SUITS)]
        return Mistake(
            begin, end, f"{sign} is a card: write card.rank is {sign[:-1]} and card.suit is {suit}"
        )
    if sign.isalpha():
        return Mistake(begin, end, f"{sign} is written {sign.lower()} here", sign.lower())
    if sign in "\"'“”‘’":
        message = "words stand without quotes in a condition: card.rank is A, card.suit is spades"
        return Mistake(begin, end, message)
    if sign[0].isdigit():
        return Mistake(begin, end, f"{sign} is no whole number, and numbers are whole here")
    if sign == "**":
        return Mistake(
            begin, end, "there are no powers here: + and -, and * and / by a plain number"
        )
    return Mistake(begin, end, f"{sign} has no meaning in a condition")


_WANTED: Final = {
    "RSQB": "a closing ]",
    "LSQB": "a list in square brackets, as in [2-9, A]",
    "RPAR": "a closing )",
    "LPAR": "an opening (",
}


_COUNTED: Final = re.compile(r"\bcount\(\s*([\w.]+)(?=\s*(?:[<>=]|is\b|in\b|not in\b)[^(),]*$)")
"""A count of a list whose bracket is not closed."""


def _misread(text: str, unread: Unread) -> Mistake:
    """What cannot stand where reading stopped, in words."""
    begin, end, word, expected = unread.begin, unread.end, unread.word, unread.expected
    before = text[:begin].rstrip().rpartition(" ")[2]
    joined = re.search(r"\bis\b\s*(not\b\s*)?(in\s*)?$", text[:begin])
    if joined is not None and (joined[2] or word == "["):
        instead = "not in" if joined[1] else "in"
        return Mistake(
            joined.start(), len(text[:begin].rstrip()), f"write {instead} without is", instead
        )
    if before in {"is", "in", "and", "or"} and "NAME" not in expected:
        return Mistake(
            text.rindex(before, 0, begin), begin, f"something is missing before {before}"
        )
    owner = re.search(r"(?<![.\w])(player|partner|out|turn|card|meld|stock)\s+$", text[:begin])
    if owner is not None and re.fullmatch(r"\.?[a-z_]+", word):
        named = f"{owner[1]}.{word.removeprefix('.')}"
        return Mistake(
            owner.start(), end, f"only a dot stands between the two: write {named}", named
        )
    if re.search(r"\bin\s*$", text[:begin]):
        return Mistake(
            begin, max(end, begin), "in is followed by a list in square brackets, as in [2-9, A]"
        )
    if "NAME" in expected and (word == "," or "RPAR" not in expected):
        after = f" after {before}" if before else ""
        what = "the condition ends" if not word else f"{word} stands"
        message = f"something is missing{after}: {what} where a fact or a number belongs"
        return Mistake(begin, max(end, begin), message)
    dot = re.match(r"\.\w", word) and "COMMA" in expected
    if dot or (unread.kind in {"NAME", "NUMBER"} and {"COMMA", "RSQB"} <= expected):
        behind = len(text[:begin].rstrip())
        return Mistake(behind, behind, f"a comma is missing before {word}", ",")
    return _missing(text, unread)


def _missing(text: str, unread: Unread) -> Mistake:
    """What is missing before a word or the end, if that is known.

    Otherwise, that the word cannot stand there.
    """
    begin, end, word, expected = unread.begin, unread.end, unread.word, unread.expected
    missing = next((_WANTED[name] for name in _WANTED if name in expected), None)
    if not word and (counted := _COUNTED.search(text)) is not None and missing == _WANTED["RPAR"]:
        message = f"a closing ) is missing behind {counted[1]}"
        return Mistake(counted.end(1), counted.end(1), message, ")")
    if not word:
        return Mistake(
            begin, end, f"the condition ends too early: {missing or 'something'} is missing"
        )
    if word == ".":
        return Mistake(begin, end, "a dot is followed by the name of a fact, without a blank")
    in_brackets = word == "," and "RPAR" in expected
    if in_brackets:
        missing = _WANTED["RPAR"]
    if missing is not None and (in_brackets or not expected & {"COMPARE", "ADD"}):
        return Mistake(begin, end, f"{missing} is missing before {word}")
    if word == ")" and text[:begin].count("(") <= text[:begin].count(")"):
        return Mistake(begin, end, "this ) closes no bracket: leave it out, or open one with (", "")
    if word == ",":
        return Mistake(
            begin, end, "a comma stands only between parts of a list or function: write and, or or"
        )
    two = re.search(r"[\w)\]]\s*$", text[:begin]) and re.match(r"\s*[A-Za-z0-9.(]", text[begin:])
    between = ": and, or, is, in, a comma or a sign is missing between the two" if two else ""
    return Mistake(begin, end, f"{word} cannot stand here{between}")
