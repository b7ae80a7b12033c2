"""The words and signs that people write for those of the notation: `grammar/spellings.json`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from functools import cache
from itertools import chain
from typing import Any, Final

from meldref.core.records import NamedTuple
from meldref.core.resources import data_path
from meldref.notation.actions import VERBS
from meldref.notation.lines import LINE_WORDS

COVER: Final = "\ue000"
"""Stands for each character that stays as it is, while the others are looked at."""
_WIDE: Final = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
"""Fullwidth letters, digits and signs."""
SIGNS: Final = "♣♧♦♢♥♡♠♤"
"""The signs of suits; one of two invisible letters may follow, which say how they look."""
_SUIT: Final = rf"[cdhs{SIGNS}][\uFE0E\uFE0F]?"
CARD: Final = rf"(?:(?:10|[2-9TJQKA]){_SUIT}|joker|jk)"
ROLE: Final = rf" *= *(?:10|[2-9TJQKA])(?:{_SUIT})?"
ITEM: Final = rf"({CARD})({ROLE})?|\?(?:\*[1-9][0-9]{{0,2}})?"
NAME: Final = rf'(?:"{COVER}*"|[^\s",;:|>]+)'
PLACED: Final = rf"[ ,]*(?:\band +)?(?:{ITEM})(?:(?!\w)|(?={CARD}|\?))"
"""A card of a row, and what stands before it."""
_AND: Final = r" *[;,]? *\b(?:and(?: +then)?|then)\b(?= )"
_NUMBERED_MELD: Final = r"(?:meld *|m)?(?=[1-9][0-9]{0,2}(?!\w))"


class Spellings(NamedTuple):
    """The words and signs that are read as others."""

    words: dict[str, str]
    vague: frozenset[str]
    lines: dict[str, str]
    signs: dict[int, int]
    invisible: frozenset[str]
    quotes: dict[str, str]
    action: re.Pattern[str]
    opening: re.Pattern[str]
    onto: re.Pattern[str]
    sources: dict[str, re.Pattern[str]]
    between: re.Pattern[str]
    done: dict[bool, re.Pattern[str]]


@cache
def read_spellings() -> Spellings:
    """The words and signs of `grammar/spellings.json`, and patterns for them."""
    data: dict[str, Any] = json.loads(
        data_path("grammar", "spellings.json").read_text(encoding="utf-8")
    )
    words = {**{verb: verb for verb in VERBS}, **data["actions"]}
    lines = {**{word: word for word in LINE_WORDS}, **data["lines"]}
    onto, places = "|".join(data["onto"]), "|".join(chain(*data["from"].values()))
    return Spellings(
        words,
        frozenset(data["vague"]),
        lines,
        _WIDE | str.maketrans(data["signs"]),
        frozenset(data["invisible"]),
        data["quotes"],
        re.compile(rf" *{_any_of(words)}", re.IGNORECASE),
        re.compile(rf" *{_any_of(lines)}( *:)?", re.IGNORECASE),
        re.compile(rf"(?:{onto}) +{_NUMBERED_MELD}", re.IGNORECASE),
        {
            word: re.compile(rf" *from +(?:the +)?(?:{'|'.join(places)}) *$", re.IGNORECASE)
            for word, places in data["from"].items()
        },
        re.compile(rf"{_AND}|{'|'.join(map(re.escape, data['between']))}", re.IGNORECASE),
        {
            is_row: re.compile(
                rf"(?:{PLACED}){'*' if is_row else '?'}"
                rf"(?:[ ,]+(?:(?:{onto}) +(?:meld *|m)?|[mx×])[1-9][0-9]{{0,2}}(?!\w))?"
                rf"(?: +from +(?:the +)?(?:{places})\b)?",
                re.IGNORECASE,
            )
            for is_row in (False, True)
        },
    )


def first_action(text: str) -> int:
    """The offset of the first word of an action on a line; -1: there is none."""
    actions = read_spellings().action.finditer(text)
    begins = (action.start(1) for action in actions)
    return next((at for at in begins if not at or not (text[at - 1].isalnum())), -1)


def action_words() -> dict[str, str]:
    """What people write for actions, and the actions."""
    return read_spellings().words


def between_actions() -> str:
    """A pattern for what stands between actions."""
    return read_spellings().between.pattern


def is_vague(words: str) -> bool:
    """Whether words may be said of more than one action."""
    return words in read_spellings().vague


def is_card(text: str) -> bool:
    """Whether a word is a card."""
    return re.fullmatch(CARD, text, re.IGNORECASE) is not None


def spelled(words: Iterable[str]) -> str:
    """A pattern for actions in all their spellings; its group is the word as written."""
    wanted = set(words)
    return _any_of([written for written, word in read_spellings().words.items() if word in wanted])


def _any_of(words: Iterable[str]) -> str:
    """A pattern for one of these words, each with any blanks inside."""
    longest_first = sorted(words, key=lambda word: (-len(word), word))
    either = "|".join(re.escape(word).replace(r"\ ", " +") for word in longest_first)
    return rf"(?a:({either}))(?![\w.'-])"


def single_spaced(words: str) -> str:
    """Words in small letters with one space between two."""
    return re.sub(" +", " ", words.lower())
