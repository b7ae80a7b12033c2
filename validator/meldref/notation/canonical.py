"""Canonical spelling, read word by word through tables, without the grammar.

What the writer writes is most of what is ever read. Everything here gives what the grammar gives for the same
text, or None: then the grammar is asked, which alone says what may be written. The suite compares the two.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from meldref.core import events
from meldref.core.cards import ANY_SUIT, FULL, LARGEST, NATURALS, RANKS, UNKNOWN, Card, Played, Role, card_text
from meldref.notation.actions import BY_WORD
from meldref.notation.parsed import Head
from meldref.notation.spelling import CARDS, FACES, PLAYS, TooMany, checked, known_and_unknown
from meldref.notation.syntax import HEADER_KEYS, LINE_WORDS

DIGITS: Final = 9
"""The most digits of a number, as in the grammar."""

_RANKS: Final = {rank: at for at, rank in enumerate(RANKS)}
_ROLES: Final[dict[str, Role]] = {card_text(card): card for card in NATURALS}
_ROLES.update({rank: ANY_SUIT + at for rank, at in _RANKS.items()})
_OWN_KEY: Final = re.compile(r"X-[\w-]*").fullmatch
"""Keys of headers that programs have of their own; the grammar's KEY has others as well."""
_NO_NAMES: Final = LINE_WORDS | {"dealer", "out", "agreed", "pile", "table"}
NAMES: Final = 10_000


class Names(dict[str, str]):
    """Names that may stand without quotes: plain ones, and those that the grammar has taken."""

    def __missing__(self, name: str) -> str:
        """The name itself if it is plain; KeyError where the grammar has to say whether it is a name."""
        if not all(map(is_plain_name, self.parts(name))):
            raise KeyError(name)
        self.keep(name)
        return name

    def parts(self, name: str) -> list[str]:
        """The names that it is made of: one."""
        return [name]

    def keep(self, name: str) -> None:
        """Remember a name; a full table is emptied."""
        if len(self) >= NAMES and name not in self:
            self.clear()
        self[name] = name


class Sides(Names):
    """Sides that may stand without quotes: names joined by `+`."""

    def parts(self, name: str) -> list[str]:
        """The names of its players."""
        return name.split("+")


def is_plain_name(text: str) -> bool:
    """Whether a text is a name of plain letters and digits that no word of the notation could be."""
    return text.isascii() and text.isalnum() and text[0].isalpha() and text.lower() not in _NO_NAMES


def is_number(text: str) -> bool:
    """Whether a text is a number without a sign."""
    return text.isascii() and text.isdigit() and len(text) <= DIGITS


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
    word, *words = text.split(" ")
    form = BY_WORD.get(word)
    if form is None:
        return None
    number = _counter(form.number.sign, words[-1]) if form.number and words else None
    if number:
        words.pop()
    try:
        match form.takes:
            case "plays" if words:
                return form.make(_plays(words), number)
            case "cards" if words:
                return form.make(_known(words))
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


def line(text: str, names: Names, sides: Sides) -> events.Event | None:
    """The event of a line other than a turn, such as `deal Ann 5h 6h ?*5`, `score Ann 45, Bob -20` or a header."""
    word, _, rest = text.partition(" ")
    first, _, more = rest.partition(" ")
    try:
        match word:
            case "deal":
                return events.Deal(names[first], *known_and_unknown(_faces(more)))
            case "score" | "total" | "chips":
                return _points(word, rest, sides)
            case "hand":
                return _hand(rest.split(" "), names)
            case "end" if rest in {"stock", "agreed", "out"}:
                return events.HandEnd(rest)
            case "end" if first == "out":
                return events.HandEnd(first, names[more])
            case "=":
                return _assertion(first, more, names, sides)
            case "up":
                return events.UpCard(FACES[rest])
            case "stock":
                return events.StockOrder(_faces(rest))
            case "wild":
                return events.WildRank(_RANKS[rest])
            case "show":
                return events.Show(names[first], _known(more.split(" ")))
            case "result":
                return events.Result(tuple([sides[name] for name in rest.split(", ")]))
            case "reshuffle" | "gap" | "undo" if not rest:
                return _ALONE[word]()
            case _:
                return _header(word[1:], rest) if word[:1] == "[" else None
    except (KeyError, TooMany):
        return None


_ALONE: Final[dict[str, Callable[[], events.Event]]] = {
    "reshuffle": events.Reshuffle,
    "gap": events.Gap,
    "undo": events.Undo,
}
_Words: TypeAlias = Sequence[str]


def _counter(sign: str, word: str) -> int | None:
    """The number of `x6` or `m4`, from 1 to 999."""
    digits = word[1:]
    if word[:1] == sign and is_number(digits) and digits[0] != "0" and len(digits) <= 3:
        return int(digits)
    return None


def _plays(words: _Words) -> tuple[Played, ...]:
    row = tuple([PLAYS.get(word) or _bound(word) for word in words])
    if len(row) > FULL:
        checked([one.card for one in row])
    return row


def _bound(word: str) -> Played:
    """A card that is wild by its rank with what it stands for, `3h=Kd`."""
    laid, _, role = word.partition("=")
    card, stands_for = CARDS[laid], _ROLES[role]
    return Played(card, None if stands_for == card else stands_for)


def _known(words: _Words) -> tuple[Card, ...]:
    return checked(tuple([CARDS[word] for word in words]))


def _faces(text: str) -> tuple[Card, ...]:
    words = text.split(" ")
    try:
        return checked(tuple([FACES[word] for word in words]))
    except KeyError:
        return checked(tuple(_with_unseen(words)))


def _with_unseen(words: _Words) -> list[Card]:
    """Cards among which there are several at once that nobody saw, `?*5`."""
    row: list[Card] = []
    for word in words:
        if len(row) > LARGEST:
            break
        if word[:2] == "?*":
            row += [UNKNOWN] * (_counter("*", word[1:]) or FACES[word])
        else:
            row.append(FACES[word])
    return row


def _header(key: str, rest: str) -> events.Header | None:
    value = rest[1:-2]
    if (key not in HEADER_KEYS and not _OWN_KEY(key)) or rest[:1] != '"' or rest[-2:] != '"]' or len(rest) < 3:
        return None
    return events.Header(key, value) if value.isprintable() and '"' not in value else None


def _hand(words: list[str], names: Names) -> events.Event | None:
    number = int(words.pop(0)) if is_number(words[0]) else None
    if not words:
        return events.HandStart(number)
    return events.HandStart(number, names[words[1]]) if words[0] == "dealer" and len(words) == 2 else None


def _points(word: str, rest: str, sides: Sides) -> events.Event | None:
    amounts: list[tuple[str, int]] = []
    for part in rest.split(", "):
        name, _, points = part.partition(" ")
        if not is_number(points.removeprefix("-")):
            return None
        amounts.append((sides[name], int(points)))
    return events.Points(word, tuple(amounts))


def _assertion(what: str, rest: str, names: Names, sides: Sides) -> events.Event | None:
    first, _, more = rest.partition(" ")
    match what:
        case "hand" if is_number(more):
            return events.AssertHand(names[first], int(more))
        case "hand":
            return events.AssertHand(names[first], None, *known_and_unknown(_faces(more)))
        case "pile":
            return events.AssertPile(_known(rest.split(" ")))
        case "table":
            number = _counter("m", first)
            return events.AssertTable(number, _plays(more.split(" "))) if number else None
        case "stock" if is_number(rest):
            return events.AssertStock(int(rest))
        case "score" if is_number(more.removeprefix("-")):
            return events.AssertScore(sides[first], int(more))
        case _:
            return None
