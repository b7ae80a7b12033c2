"""A line in other words: what changes in its text, and where each character stood as written."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Final

from meldref.core.records import NamedTuple
from meldref.notation.lenient.words import COVER, read_spellings

_SINGLE: Final = "'‘"
"""Quotes that are apostrophes, too, unless a word begins and ends with them."""
_ENDS_A_TEXT: Final = frozenset(' :;,]+"')
_BULLET: Final = r"[ \t]*(?:[-*•>]+[ \t]+)?"
"""What stands before the lines of lists and quotations."""
_BOLD: Final = "**"
"""What marks words in texts for the web; no line of the notation has it."""


class Rewritten(NamedTuple):
    """A line in other words, and for each character and the end its offset as written."""

    text: str
    places: tuple[int, ...]

    def span(self, begin: int, end: int) -> tuple[int, int]:
        """The offsets in the line as written of what stands between two offsets here."""
        first = self.places[min(begin, len(self.text))]
        if end <= begin:
            return first, first
        return first, self.places[min(end, len(self.text)) - 1] + 1


class Change(NamedTuple):
    """Another text in the place of what stands between two offsets."""

    begin: int
    end: int
    text: str


def with_quotes(text: str, unquoted: Iterable[tuple[int, int]]) -> Rewritten:
    """A line with quotes around what stands in some places."""
    parts: list[str] = []
    places: list[int] = []
    done = 0
    for begin, end in unquoted:
        parts += [text[done:begin], f'"{text[begin:end]}"']
        places += [*range(done, begin), begin, *range(begin, end), end - 1]
        done = end
    return Rewritten("".join([*parts, text[done:]]), (*places, *range(done, len(text) + 1)))


def with_changes(text: str, find: Callable[[str], Iterable[Change]]) -> Rewritten | None:
    """A text with the changes that are found in it once its signs are plain."""
    if COVER in text:
        return None
    covered, places = _covered(text)
    changes = sorted(find(covered))
    parts: list[str] = []
    whence: list[int] = []
    done = 0
    for change in (*changes, Change(len(covered), len(covered), "")):
        parts.append(covered[done : change.begin])
        whence += places[done : change.begin]
        parts.append(change.text)
        if change.text:
            last = places[max(change.begin, change.end - 1)]
            whence += [places[change.begin], *[last] * (len(change.text) - 1)]
        done = change.end
    letters = [
        text[at] if letter == COVER else letter
        for letter, at in zip("".join(parts), whence, strict=True)
    ]
    result = "".join(letters)
    return None if result == text else Rewritten(result, (*whence, len(text)))


def _covered(text: str) -> tuple[str, list[int]]:
    """A line with plain signs and quotes, protected parts masked, and each character's place."""
    spellings = read_spellings()
    plain = text.translate(spellings.signs)
    letters: list[str] = []
    places: list[int] = []
    closing = ""
    bullet = re.match(_BULLET, plain)
    begin = bullet.end() if bullet else 0
    last = max(
        (at for at, sign in enumerate(plain) if sign == "'" and _ends(plain, at + 1)), default=-1
    )
    for at, (written, sign) in enumerate(zip(text, plain, strict=True)):
        if closing:
            letter = COVER
            if written in closing and (closing[0] not in "'’" or _ends(plain, at + 1)):
                letter = "}" if written == "}" else '"'
                closing = ""
        elif sign == "#":
            letters += ["#", *[COVER] * (len(text) - at - 1)]
            places += range(at, len(text))
            break
        elif (
            at < begin
            or written in spellings.invisible
            or _BOLD in (plain[at : at + 2], plain[at - 1 : at + 1])
        ):
            continue
        elif sign == "{":
            letter, closing = sign, "}"
        elif written in spellings.quotes and (
            written not in _SINGLE or (at < last and _begins(plain, at))
        ):
            letter, closing = '"', spellings.quotes[written]
        else:
            letter = sign
        letters.append(letter)
        places.append(at)
    return "".join(letters), [*places, len(text)]


def _begins(plain: str, at: int) -> bool:
    return at == 0 or plain[at - 1] in " ["


def _ends(plain: str, at: int) -> bool:
    return at == len(plain) or plain[at] in _ENDS_A_TEXT
