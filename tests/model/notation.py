"""A tiny reader for canonical RGN lines."""

import re
from typing import Any

from model.cards import is_card
from model.settings import Illegal, Unsupported

NAME = re.compile(r'"(?P<quoted>[^"]+)"|(?P<plain>[^\W\d_][\w.\'-]*)')
TURN = re.compile(
    r'^(?:(?P<number>\d+)\.\s+)?(?P<name>"[^"]+"|[^\W\d_][\w.\'-]*):\s*(?P<actions>.*)$'
)
HEADER = re.compile(r'^\[(?P<key>[\w-]+) "(?P<value>[^"]*)"\]$')


def strip(line: str) -> str:
    """A line without comment, timing and expected violations."""
    outside_quotes = re.sub(r'"[^"]*"', lambda quoted: "x" * len(quoted.group()), line)
    cut = [found.start() for found in re.finditer(r"#|\?!|\{", outside_quotes)]
    return line[: min(cut, default=len(line))].strip()


def names(text: str) -> list[str]:
    """The names of a header or a list, separated by commas."""
    return [name.strip() for name in text.split(",")]


def laid(word: str) -> tuple[str, str | None]:
    """A card with its stated role: `5h`, `Jk`, `Jk=8c`, `Jk=9`."""
    card, equals, role = word.partition("=")
    good_role = not equals or is_card(role) or (len(role) == 1 and is_card(role + "c"))
    if not is_card(card) or not good_role:
        raise Illegal("log.syntax", f"{word} is no card")
    return card, role or None


def cards(words: list[str]) -> list[str]:
    """Plain cards."""
    if not all(is_card(word) for word in words):
        raise Illegal("log.syntax", f"not all cards: {' '.join(words)}")
    return words


def meld_number(words: list[str]) -> int | None:
    """Take a meld number off the end of the words."""
    if words and re.fullmatch(r"m\d+", words[-1]):
        return int(words.pop()[1:])
    return None


def action(text: str) -> tuple[Any, ...]:
    """One action of a turn."""
    kind, *words = text.split() or [""]
    if kind == "draw" and len(words) <= 1:
        return ("draw", None if words in ([], ["?"]) else cards(words)[0])
    if kind == "take" and words:
        count = None
        if len(words) == 2 and re.fullmatch(r"x\d+", words[1]):
            count = int(words.pop()[1:])
        if len(words) == 1:
            untold = words == ["?"] and count is not None
            return ("take", "?" if untold else cards(words)[0], count)
    if kind in ("meld", "lay"):
        number = meld_number(words)
        if words:
            return (kind, [laid(word) for word in words], number)
    if kind == "swap" and len(words) == 2:
        number = meld_number(words)
        if number is not None:
            return ("swap", cards(words)[0], number)
    if kind == "discard" and len(words) == 1:
        return ("discard", words[0] if words == ["?"] else cards(words)[0])
    if kind == "buy" and len(words) == 1:
        return ("buy", cards(words)[0])
    if kind == "rummy" and words:
        return ("rummy", cards(words))
    if kind in ("challenge", "pass") and not words:
        return (kind,)
    raise Illegal("log.syntax", f"cannot read {text!r}")


def turn(line: str) -> tuple[int | None, str, list[tuple[Any, ...]]] | None:
    """A turn line as (number, player, actions); None where it is no turn line."""
    found = TURN.match(line)
    if not found:
        return None
    number = int(found["number"]) if found["number"] else None
    actions = [action(part.strip()) for part in found["actions"].split(";")]
    return number, found["name"].strip('"'), actions


def points(text: str) -> dict[str, int]:
    """`Ann 45, Bob -20` as a table."""
    table: dict[str, int] = {}
    for part in text.split(","):
        found = re.fullmatch(r'\s*("[^"]+"|\S+)\s+(-?\d+|\?)\s*', part)
        if not found or found[1].strip('"') in table:
            raise Illegal("log.syntax", f"cannot read {part!r}")
        if found[2] == "?":
            raise Unsupported("a figure that nobody can read")
        table[found[1].strip('"')] = int(found[2])
    return table
