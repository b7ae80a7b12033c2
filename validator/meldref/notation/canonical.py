"""Canonical spelling, and most other spelling, read word by word by tables, not by the grammar.

Everything here gives what the grammar gives for the same text, or None: then the grammar is asked,
which alone says what may be written. The suite compares the two.
"""

from __future__ import annotations

import re
from typing import Final

from meldref.core import events
from meldref.core.cards import UNKNOWN
from meldref.notation.actions import BY_WORD
from meldref.notation.scanner import Head
from meldref.notation.spelling import (
    CARDS,
    FACES,
    TooMany,
    amount,
    cards,
    counter,
    faces,
    figure,
    is_card,
    is_number,
    known_and_unknown,
    plays,
    rank,
)
from meldref.notation.spelling import layers as layered
from meldref.notation.syntax import HEADER_KEYS, LINE_WORDS

_OWN_KEY: Final = re.compile(r"X-[\w-]*").fullmatch
"""Keys of headers that programs have of their own; the grammar's KEY has others as well."""
_NO_NAMES: Final = LINE_WORDS | {"dealer", "out", "agreed", "pile", "table"}
NAMES: Final = 10_000


class Names(dict[str, str]):
    """Names as written: plain ones, those in quotes, and others that the grammar has taken."""

    def __missing__(self, written: str) -> str:
        """The name; KeyError where the grammar has to say whether it is one."""
        name = "+".join(
            [part if is_plain_name(part) else _text(part) for part in self.parts(written)]
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


def _text(quoted: str) -> str:
    """What stands in double quotes; KeyError where the grammar has to read it."""
    text = quoted[1:-1]
    if f'"{text}"' != quoted or '"' in text or not text.isprintable():
        raise KeyError(quoted)
    return text


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
    try:
        match form.takes:
            case "plays" if words:
                return form.make(plays(words), number)
            case "cards" if words:
                return form.make(cards(words))
            case "a face" if len(words) == 1:
                return form.make(FACES[words[0]])
            case "a card" if len(words) == 1:
                card = CARDS[words[0]]
                return form.make(card, number) if form.number else form.make(card)
            case "nothing" if not words:
                return form.make()
            case _:
                return form.make(UNKNOWN) if form.may_be_bare and not words else None
    except (KeyError, TooMany):
        return None


def line(text: str, names: dict[str, str], sides: dict[str, str]) -> events.Event | None:
    """The event of a line other than a turn, such as `score Ann 45, Bob -20` or a header."""
    if not text.isprintable():
        return None
    try:
        word, rest = _parted(text)
        first, more = _parted(rest)
        match word.lower():
            case "deal" if more:
                return events.Deal(names[first], *known_and_unknown(faces(more.split())))
            case "score" | "total" | "chips" as kind:
                read = amount if kind == "chips" else figure
                return events.Points(
                    kind, tuple([(sides[name], read(points)) for name, points in _listed(rest)])
                )
            case "hand":
                return _hand(first, rest, more, names)
            case "end" if rest in {"stock", "agreed", "out"}:
                return events.HandEnd(rest)
            case "end" if first == "out":
                return events.HandEnd(first, names[more])
            case "=":
                return _assertion(first, more, names, sides)
            case "up":
                return events.UpCard(FACES[rest])
            case "stock" if rest:
                return events.StockOrder(faces(rest.split()))
            case "wild":
                return events.WildRank(rank(rest))
            case "show" if more:
                return events.Show(names[first], cards(more.split()))
            case "result":
                return events.Result(tuple([sides[name.strip()] for name in rest.split(",")]))
            case "reshuffle" if not rest:
                return events.Reshuffle()
            case "gap" if not rest:
                return events.Gap()
            case "undo" if not rest:
                return events.Undo()
            case "cut":
                return events.Cut(
                    tuple([(names[name], CARDS[card]) for name, card in _listed(rest)])
                )
            case "adjust":
                points, why = _parted(more)
                return events.Adjust(sides[first], amount(points), _text(why) if why else "")
            case "void":
                return events.Void(
                    _text(rest) if '"' in rest else " ".join([names[word] for word in rest.split()])
                )
            case "note":
                return events.Note(_text(rest))
            case _:
                return _header(word[1:], rest) if word[:1] == "[" else None
    except (KeyError, TooMany):
        return None


def _parted(text: str) -> tuple[str, str]:
    """The first word of a text, or text in double quotes, and what follows it.

    Neither has blanks around it.
    """
    text = text.strip()
    if text[:1] != '"':
        first, _, more = text.partition(" ")
        return first, more.lstrip()
    quoted, closed, more = text[1:].partition('"')
    return f'"{quoted}{closed}', more.lstrip()


def _listed(text: str) -> list[tuple[str, str]]:
    """What stands between commas: names, each with what is said of it."""
    return [_parted(part) for part in text.split(",")]


def _header(key: str, rest: str) -> events.Header | None:
    if (key not in HEADER_KEYS and not _OWN_KEY(key)) or rest[-1:] != "]":
        return None
    return events.Header(key, _text(rest[:-1]))


def _hand(first: str, rest: str, more: str, names: dict[str, str]) -> events.Event | None:
    number = int(first) if is_number(first) else None
    text, name = _parted(rest if number is None else more)
    if not text:
        return events.HandStart(number)
    return events.HandStart(number, names[name]) if text == "dealer" else None


def _table(number: int, rest: str, names: dict[str, str]) -> events.AssertTable:
    """A meld by its cards, or by whose they are; KeyError where the grammar has to read it."""
    first, _ = _parted(rest)
    if is_card(first) or "=" in first:
        return events.AssertTable(number, plays(rest.split()))
    rows = _listed(rest)
    if not all(row for _, row in rows):
        raise KeyError(rest)
    layers = [(names[name], plays(row.split())) for name, row in rows]
    return events.AssertTable.of(number, layered(layers))


def _assertion(
    what: str, rest: str, names: dict[str, str], sides: dict[str, str]
) -> events.Event | None:
    first, more = _parted(rest)
    match what:
        case "hand" if is_number(more):
            return events.AssertHand(names[first], int(more))
        case "hand":
            return events.AssertHand(names[first], None, *known_and_unknown(faces(more.split())))
        case "pile":
            return events.AssertPile(cards(rest.split()))
        case "table" if more:
            number = counter("m", first)
            return _table(number, more, names) if number else None
        case "stock" if is_number(rest):
            return events.AssertStock(int(rest))
        case "score":
            return events.AssertScores.of(
                [(sides[name], amount(points)) for name, points in _listed(rest)]
            )
        case _:
            return None
