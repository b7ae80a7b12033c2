"""Canonical spelling, and most other spelling, read word by word by tables, not by the grammar.

Everything here gives what the grammar gives for the same text, or None: then the grammar is asked,
which alone says what may be written. The suite compares the two.
"""

from __future__ import annotations

import re
from typing import Any, Final

from meldref.core import events
from meldref.core.cards import UNKNOWN
from meldref.notation.actions import BY_WORD
from meldref.notation.lines import BY_OPENING, LINE_WORDS, LineForm
from meldref.notation.parts import Naming, first_word, unquoted
from meldref.notation.scanner import Head
from meldref.notation.spelling import TooMany, counter, is_number
from meldref.notation.syntax import HEADER_KEYS

_OWN_KEY: Final = re.compile(r"X-[\w-]*").fullmatch
"""Keys of headers that programs have of their own; the grammar's KEY has others as well."""
_NO_NAMES: Final = LINE_WORDS | {"dealer", "out", "agreed", "pile", "table"}
NAMES: Final = 10_000


class Names(dict[str, str]):
    """Names as written: plain ones, those in quotes, and others that the grammar has taken."""

    def __missing__(self, written: str) -> str:
        """The name; KeyError where the grammar has to say whether it is one."""
        name = "+".join(
            [part if is_plain_name(part) else unquoted(part) for part in self.parts(written)]
        )
        self.keep(written, name)
        return name

    def parts(self, written: str) -> list[str]:
        """The names that it is made of: one."""
        return [written]

    def keep(self, written: str, name: str) -> None:
        """Remember a name; a full table is emptied."""
        if len(self) >= NAMES and written not in self:
            self.clear()
        self[written] = name


class Sides(Names):
    """Sides as they are written: names joined by `+`."""

    def parts(self, written: str) -> list[str]:
        """The names of its players."""
        return written.split("+")


def is_plain_name(text: str) -> bool:
    """Whether a text is a plain name of letters and digits, and not a word of the notation."""
    return text.isascii() and text.isalnum() and text[0].isalpha() and text.lower() not in _NO_NAMES


def head(text: str, names: Names) -> Head | None:
    """What comes before the `:` of a turn, `12. Ann` or `Ann`."""
    number, dot, name = text.partition(". ")
    try:
        if dot:
            return Head(int(number), names[name], len(number) + 3) if is_number(number) else None
    except KeyError:
        return None
    return Head(None, text, 1) if is_plain_name(text) else None


def action(text: str) -> events.Action | None:
    """The action of a text such as `take 4c x6` or `meld 5h 6h Jk=7h m4`."""
    words = text.split()
    form = BY_WORD.get(words.pop(0).lower()) if words and text.isprintable() else None
    if form is None:
        return None
    number = counter(form.number.sign, words[-1]) if form.number and words else None
    if number:
        words.pop()
    takes = form.takes
    try:
        if takes is None:
            return None if words else form.make()
        if not words:
            return form.make(UNKNOWN) if form.may_be_bare else None
        if not takes.is_row and len(words) > 1:
            return None
        cards = takes.of_words(words if takes.is_row else words[0])
        if form.lacks_number(cards, number):
            return None
        return form.make(cards, number) if form.number else form.make(cards)
    except (KeyError, TooMany):
        return None


def line(text: str, naming: Naming) -> events.Event | None:
    """The event of a line other than a turn, such as `score Ann 45, Bob -20` or a header."""
    if not text.isprintable():
        return None
    opening, rest = first_word(text.strip())
    opening = opening.lower()
    forms = BY_OPENING.get(opening)
    if forms is None:
        if opening[:1] == "[":
            return _header(text.strip())
        second, rest = first_word(rest)
        forms = BY_OPENING.get(f"{opening} {second}", ())
    for form in forms:
        try:
            return _event(form, rest, naming)
        except KeyError:
            continue
        except TooMany:
            break
    return None


def _event(form: LineForm, rest: str, naming: Naming) -> events.Event:
    """The event of what follows the words that open a line; KeyError if this form does not fit."""
    values: list[Any] = []
    last = form.fields[-1] if form.fields else None
    for field in form.fields:
        word, more = rest, ""
        if field is not last:
            word, more = first_word(rest)
        try:
            values.append(field.part.read(word, naming))
            rest = more
        except KeyError:
            values.append(field.value_left_out())
    if rest:
        raise KeyError(rest)
    return form.make(*values)


def _header(text: str) -> events.Header | None:
    key, rest = first_word(text[1:])
    if (key not in HEADER_KEYS and not _OWN_KEY(key)) or rest[-1:] != "]":
        return None
    try:
        return events.Header(key, unquoted(rest[:-1]))
    except KeyError:
        return None
