"""What was probably meant where a rules file says something unknown, and how sure it is."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Final

from meldref.core.records import record
from meldref.documents.reader import Value, read_data, scalar
from meldref.documents.syntax_fixes import quote_text

_NO: Final = ("none", "never", "nothing", "nobody", "forbidden")
"""Words of the vocabulary that say no."""
_SAID_NO: Final = frozenset(("no", "off", "false"))
_SAID_YES: Final = frozenset(("yes", "on", "true"))
_SUITS: Final = frozenset("cdhs♣♦♥♠") | {
    f"{suit}{ending}" for suit in ("club", "diamond", "heart", "spade") for ending in ("", "s")
}
_RANGE: Final = re.compile(r"([0-9]{1,18})\s*(?:-|–|—|−|\.\.+|\bto\b|\bor\b)\s*([0-9]{1,18})")
_NUMBER: Final = re.compile(r"([-+]?[0-9]+)(\s*)(#|//|--|;|,(?=\s))?\s*(.*)", re.DOTALL)
_ENTRY: Final = re.compile(r"([A-Za-z][\w-]*)(?:\s*([:=])\s*|\s+)(\S.*)")


@cache
def _synonyms(of: str) -> Mapping[str, str]:
    """What people write for `ranks`, `actions` or `kinds` of meld, with the word for each."""
    words = read_data(Path(__file__).with_name("synonyms.yaml"))[of]
    return {other: word for word, others in words.items() for other in others}


@record
class Meant:
    """What to write instead, and whether there is no doubt about it."""

    text: str
    sure: bool = False


def name_for(name: str, names: Sequence[str]) -> Meant | None:
    """The known word that a word is a misspelling of.

    Sure where only case, signs or one letter differ.
    """
    if len(name) > _LONGEST:
        return None
    plain = _plain(name)
    alike = [word for word in names if _plain(word) == plain]
    if alike:
        return Meant(alike[0], sure=len(alike) == 1)
    close = get_close_matches(plain, names, 2, 0.6)
    if not close:
        return None
    reach = 1 if len(plain) < _LONG else 2
    close = [
        word
        for word in close
        if plain[:1] in {word[:1], word.rpartition(".")[2][:1]}
        or _distance(plain, _plain(word)) <= reach
    ]
    if not close:  # a like-sounding word that means something else
        return None
    near = [word for word in names if _distance(plain, _plain(word)) <= reach]
    return Meant(close[0], sure=near == [close[0]] and len(plain) >= _SHORT)


def hint(name: str, names: Sequence[str], otherwise: str = "", quote: str = "") -> str:
    """The end of a sentence about an unknown name: what was probably meant, or `otherwise`."""
    meant = name_for(name, names)
    return otherwise if meant is None else f"; did you mean {quote}{meant.text}{quote}?"


_SHORT: Final = 4
"""A word of fewer letters has too many neighbours to be sure which was meant."""
_LONGEST: Final = 100
"""Longer ones are no misspelling of any."""
_LONG: Final = 8
"""The fewest letters of which two may be wrong."""


def kind_for(name: str, names: Sequence[str]) -> Meant | None:
    """The kind of meld that a name stands for, as rules or as other players call it."""
    other = _synonyms("kinds").get(name.lower().removesuffix("s"), "")
    return Meant(other, sure=True) if other in names else name_for(name, names)


def word_for(value: Value, words: Sequence[str]) -> Meant | None:
    """The word, of those that a key takes, that a value stands for."""
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
        if isinstance(value, str) and value in words:
            return Meant(value, sure=True)
    text = value.strip("“”„\"'‘’ ") if isinstance(value, str) else json.dumps(value)
    negative = [word for word in words if word in _NO]
    if len(negative) == 1 and text.lower() in _SAID_NO:
        return Meant(negative[0], sure=True)
    if text.lower() in _SAID_YES and "allowed" in words:
        return Meant("allowed", sure=True)
    if not isinstance(value, str):
        return None
    other = _synonyms("ranks").get(text.lower()) or _synonyms("actions").get(
        _plain(text).replace("_", "")
    )
    if other in words:
        return Meant(str(other), sure=True)
    intended = name_for(text, words)
    first, _, rest = value.partition(" ")
    if first in words and (intended is None or not intended.sure):
        return Meant(
            f"{first} # {rest.strip().lstrip('#/-; ')}", sure=rest.lstrip()[:1] in {"#", "/", "("}
        )
    if intended is None and len(negative) == 1 and text.lower() in _NO:
        return Meant(negative[0])
    return intended


def words_for(value: Value, words: Sequence[str]) -> Meant | None:
    """Several words that a key takes, with commas between them, for a value in other words."""
    parts = (
        re.split(r"\s*[,;+/&]\s*|\s+(?:(?:and|or)\s+)?", value.strip())
        if isinstance(value, str)
        else []
    )
    return Meant(", ".join(parts), sure=True) if len(parts) > 1 and {*parts} <= {*words} else None


def slug_for(name: str) -> Meant | None:
    """A name in small letters, digits and hyphens."""
    written = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:60]
    return Meant(written, sure=True) if written[:1].isalpha() else None


def number_for(value: Value) -> tuple[str, Meant | None]:
    """Why a value is no whole number, as the end of a sentence, and the number meant."""
    if isinstance(value, list):
        item = value[0] if len(value) == 1 else None
        number = isinstance(item, int) and not isinstance(item, bool)
        return "not a list", Meant(str(item), sure=True) if number else None
    if isinstance(value, dict):
        return "not keys and values", None
    if not isinstance(value, str):
        return f"not {json.dumps(value)}", None
    if isinstance(scalar(value), int):
        return "and text in quotes is not a number", Meant(str(scalar(value)), sure=True)
    if value.strip().lower() in {"no", "none", "nothing", "never", "zero", "off"}:
        return f"not {value}", Meant("0", sure=True)
    return _in_text(value)


def _in_text(value: str) -> tuple[str, Meant | None]:
    """The number in a text that begins with one."""
    if re.fullmatch(r"[0-9]{1,3}([,_ '’][0-9]{3})+", value):
        return "written in digits only", Meant(re.sub(r"\D", "", value), sure=True)
    if re.fullmatch(r"[-+]?0+[0-9]{1,18}", value):
        return "without a 0 before it", Meant(str(int(value)), sure=True)
    match = _NUMBER.fullmatch(value)
    if match is None or not match[4]:
        return f"in digits, not “{value}”", None
    if match[4] == "%":
        return "without a percent sign", Meant(match[1])
    if match[2] or match[3]:
        gap = match[2] or " "
        return "and a comment after it begins with #", Meant(
            f"{match[1]}{gap}# {match[4]}", sure=True
        )
    return f"in digits, not “{value}”", None


def range_for(value: str) -> Meant | None:
    """A range in the one way in which it is written."""
    match = _RANGE.fullmatch(value.strip())
    if match is None:
        return None
    low, high = sorted((int(match[1]), int(match[2])))
    return Meant(f"{low}-{high}", sure=True)


def list_for(value: Value) -> Meant | None:
    """A list whose brackets are missing."""
    if isinstance(value, str) and re.search(r":(\s|$)", value):
        return Meant(f"[{quote_text(value.strip())}]", sure="\n" not in value.strip())
    if isinstance(value, (str, int)) and not isinstance(value, bool):
        items = [item for item in re.split(r"\s*[,;+]\s*|\s+and\s+", str(value).strip()) if item]
        return Meant(f"[{', '.join(items)}]", sure=bool(items))
    return None


def moves_for(value: Value) -> Meant:
    """Moves as a list of quoted texts: without quotes, their colon makes keys of them."""
    parts = (
        value
        if isinstance(value, list)
        else value.splitlines()
        if isinstance(value, str)
        else [value]
    )
    moves = [move for part in parts for move in _moves_in(part)]
    sure = bool(moves) and None not in moves
    shown = [move for move in moves if move] if sure else ["A: draw; discard 2s"]
    return Meant(f"[{', '.join(map(quote_text, shown))}]", sure=sure)


def _moves_in(part: Value) -> list[str | None]:
    """The moves at a place where YAML may have taken them apart; None for what is no move."""
    if isinstance(part, dict) and part:
        return [f"{name}: {text}" if isinstance(text, str) else None for name, text in part.items()]
    return [part.strip() if isinstance(part, str) and ":" in part else None]


def rank_for(name: str) -> tuple[str, Meant | None]:
    """What a key of a table of cards is, in words, and what was meant."""
    plain = name.strip().lower()
    if plain in _SUITS:
        return f"{name} is a suit, but cards count by rank; write a single card as in Qh", None
    rank = _synonyms("ranks").get(plain)
    if rank is not None:
        return f"{name} is written {rank} here", Meant(rank, sure=True)
    span = re.fullmatch(r"([a-z0-9]+)\s*(?:-|–|—|to)\s*([a-z0-9]+)", plain)
    if span is not None:
        low, high = (_synonyms("ranks").get(end, end.upper()) for end in span.groups())
        if all(re.fullmatch(r"[A2-9TJQK]|10", end) for end in (low, high)):
            return f"{name} is written {low}-{high} here", Meant(f"{low}-{high}", sure=True)
    example = "5, 2-9, T-K, A, Qs, joker or wild"
    return f"{name} is not a rank, a range of ranks or a card: write {example}", None


def entry_for(text: str, names: Sequence[str]) -> tuple[str, str] | None:
    """What is missing in a text that was meant to be a key with its value."""
    match = _ENTRY.fullmatch(text.strip())
    if match is None:
        return None
    key = name_for(match[1], names)
    if key is None or not key.sure:
        return None
    written = f"{key.text}: {match[3]}"
    if match[2] == ":":
        return f"a space is missing after the colon of {match[1]}", written
    if match[2] == "=":
        return "a colon goes between a key and its value", written
    return f"a colon is missing after {match[1]}", written


def _plain(word: str) -> str:
    """A word in small letters, without quotes, with one sign between its parts."""
    return re.sub(r"[\s_-]+", "_", word.strip("“”„\"'‘’ ").lower())


def _distance(text: str, other: str) -> int:
    """How many letters were left out, added, mistaken, or swapped with their neighbour."""
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
