"""The parts that lines are made of: how each sort is read, written, held in JSON and renamed.

A part is written in one way, the canonical one, and of other spellings only what is cheap is read
here: KeyError says that the grammar has to be asked. What the notation cannot hold (a double quote
within a text, a number of ten digits) raises ValueError when it is written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from typing import Any, Final, TypeAlias

from meldref.core.cards import RANKS, UNKNOWN, Card, Played, card_text, played_text
from meldref.core.records import NamedTuple
from meldref.notation import spelling
from meldref.notation.scanner import pattern
from meldref.notation.spelling import NAME_PATTERN, card_of, face_of

_SIDE: Final = rf"{NAME_PATTERN}(?:\+{NAME_PATTERN})*"
_WORDS: Final = rf"{NAME_PATTERN}(?: {NAME_PATTERN})*"
_NOT_IN_TEXT: Final = r'["\x00-\x08\x0A-\x1F\x7F\ud800-\udfff]'
MOST_NUMBER: Final = 1_000_000_000
"""Every number in a log is smaller than this."""
_MOST_COUNTED: Final = 999
"""The greatest number of a meld, and of unseen cards in one word."""


class Naming(NamedTuple):
    """The names and sides that have been read before, each as it is written."""

    names: Mapping[str, str]
    sides: Mapping[str, str]


Renamed: TypeAlias = Callable[[Any, Mapping[str, str]], Any]
"""What gives a value with the names of players as a roster has them."""


def _as_is(value: Any) -> Any:
    return value


class Part(NamedTuple):
    """A sort of part.

    `read` and `write` are for the notation, `to_json` and `of_words` for JSON, where cards are the
    words that they are in the notation. `rename` is there where it names players. `join` is there
    where a line has several, each of which the grammar reads by itself: it makes their value.
    `is_row`: it is several cards, and in JSON a list of words.
    """

    read: Callable[[str, Naming], Any]
    write: Callable[[Any], str]
    to_json: Callable[[Any], Any] = _as_is
    of_words: Callable[[Any], Any] = _as_is
    rename: Renamed | None = None
    join: Callable[[Sequence[Any]], Any] | None = None
    is_row: bool = False


# --- names and texts ------------------------------------------------------------------------------


def _is_plain(name: str) -> bool:
    return name.isascii() and name.isalnum() and name[0].isalpha()


@lru_cache(maxsize=4_096)
def write_name(name: str) -> str:
    """A player's name, in quotes where its characters need them.

    Raises:
        ValueError: it holds a double quote or a control character.
    """
    return name if _is_plain(name) or pattern(NAME_PATTERN).fullmatch(name) else quoted(name)


@lru_cache(maxsize=4_096)
def _write_side(name: str) -> str:
    return name if _is_plain(name) or pattern(_SIDE).fullmatch(name) else quoted(name)


def quoted(text: str) -> str:
    """A text in double quotes.

    Raises:
        ValueError: it holds a double quote or a control character.
    """
    if pattern(_NOT_IN_TEXT).search(text):
        raise ValueError(
            f"a text in a log has no double quotes and no control characters: {text!r}"
        )
    return f'"{text}"'


def unquoted(text: str) -> str:
    """What stands in double quotes; KeyError where the grammar has to read it."""
    inside = text[1:-1]
    if f'"{inside}"' != text or '"' in inside or not inside.isprintable():
        raise KeyError(text)
    return inside


def first_word(text: str) -> tuple[str, str]:
    """The first word of a text, or text in double quotes, and what follows it.

    Neither has blanks around it if the text has none.
    """
    if text[:1] != '"':
        first, _, more = text.partition(" ")
        return first, more.lstrip()
    inside, closed, more = text[1:].partition('"')
    return f'"{inside}{closed}', more.lstrip()


def _read_words(text: str, naming: Naming) -> str:
    """Words without quotes, each of them as a name is, or a text with them."""
    if '"' in text:
        return unquoted(text)
    return " ".join([naming.names[word] for word in text.split()])


def _read_owner(text: str, naming: Naming) -> str:
    """A player's name where cards may stand as well."""
    if spelling.is_card(text):
        raise KeyError(text)
    return naming.names[text]


def after(word: str, part: Part) -> Part:
    """A part behind a word that says what it is."""

    def read(text: str, naming: Naming) -> Any:
        first, rest = first_word(text)
        if first != word:
            raise KeyError(text)
        return part.read(rest, naming)

    return part._replace(read=read, write=lambda value: f"{word} {part.write(value)}")


# --- numbers --------------------------------------------------------------------------------------


def _read_number(text: str, _: Naming) -> int:
    if not spelling.is_number(text):
        raise KeyError(text)
    return int(text)


def _read_meld_number(text: str, _: Naming) -> int:
    number = spelling.counter("m", text)
    if number is None:
        raise KeyError(text)
    return number


def _write_number(number: int, least: int = 0) -> str:
    if not least <= number < MOST_NUMBER:
        raise ValueError(f"a log cannot hold the number {number}")
    return str(number)


def write_counter(number: int) -> str:
    """A number that counts from 1.

    Raises:
        ValueError: it is less, or more than a log counts.
    """
    if not 1 <= number <= _MOST_COUNTED:
        raise ValueError(f"a log counts from 1 to {_MOST_COUNTED}, not {number}")
    return str(number)


def _write_points(points: int | None) -> str:
    if points is None:
        raise ValueError("a log cannot hold a payment that nobody can read")
    return _write_number(points, 1 - MOST_NUMBER)


def _write_figure(points: int | None) -> str:
    return "?" if points is None else _write_points(points)


def _write_tally(points: int | str | None) -> str:
    return points if isinstance(points, str) else _write_figure(points)


# --- cards ----------------------------------------------------------------------------------------


def _write_card(card: Card) -> str:
    if card == UNKNOWN:
        raise ValueError("an unknown card cannot be written here")
    return card_text(card)


def _written_row(words: Sequence[str], separator: str = " ") -> str:
    if not words:
        raise ValueError("a log cannot hold a list of nothing")
    return separator.join(words)


def _write_cards(cards: Sequence[Card]) -> str:
    return _written_row([_write_card(card) for card in cards])


def _write_plays(plays: Sequence[Played]) -> str:
    return _written_row(_words_of_plays(plays))


def _words_of_plays(plays: Sequence[Played]) -> list[str]:
    return [played_text(played) for played in plays]


def _write_faces(cards: Sequence[Card]) -> str:
    return _written_row(words_of_cards(cards))


def unseen_runs(count: int) -> Iterator[str]:
    """`count` cards that nobody saw, as words: `?*7`."""
    while count > 0:
        run = min(count, _MOST_COUNTED)
        yield "?" if run == 1 else f"?*{run}"
        count -= run


def words_of_cards(cards: Sequence[Card]) -> list[str]:
    """Cards in their order as words, runs of unknown ones as one: `9c 4d ?*3`."""
    if UNKNOWN not in cards:
        return [card_text(card) for card in cards]
    words: list[str] = []
    for card, run in groupby(cards):
        same = list(run)
        words += unseen_runs(len(same)) if card == UNKNOWN else map(card_text, same)
    return words


# --- sorts ----------------------------------------------------------------------------------------


def _renamed(name: str, roster: Mapping[str, str]) -> str:
    return roster[name]


NAME: Final = Part(lambda text, naming: naming.names[text], write_name, rename=_renamed)
SIDE: Final = Part(lambda text, naming: naming.sides[text], _write_side, rename=_renamed)
OWNER: Final = Part(
    _read_owner,
    lambda name: quoted(name) if spelling.is_card(name) else write_name(name),
    rename=_renamed,
)
"""A player's name, before cards that are theirs."""
TEXT: Final = Part(lambda text, _: unquoted(text), quoted)
WORDS: Final = Part(
    _read_words, lambda text: text if pattern(_WORDS).fullmatch(text) else quoted(text)
)

NUMBER: Final = Part(_read_number, _write_number)
MELD_NUMBER: Final = Part(_read_meld_number, lambda number: f"m{write_counter(number)}")
POINTS: Final = Part(lambda text, _: spelling.amount(text), _write_points)
FIGURE: Final = Part(lambda text, _: spelling.figure(text), _write_figure)
"""Points, or `?` where nobody can read them."""
TALLY: Final = Part(lambda text, _: spelling.tally(text), _write_tally)
"""A figure, or `-` for who did not play."""

CARD: Final = Part(lambda text, _: card_of(text), _write_card, card_text, card_of)
FACE: Final = Part(lambda text, _: face_of(text), card_text, card_text, face_of)
"""A card, or `?` where nobody saw it."""
RANK: Final = Part(
    lambda text, _: spelling.rank(text), RANKS.__getitem__, RANKS.__getitem__, RANKS.index
)


def _row(
    read: Callable[[Sequence[str]], Any],
    write: Callable[[Any], str],
    to_words: Callable[[Any], list[str]],
) -> Part:
    """Cards in a row, which are read as their words are."""

    def read_text(text: str, _: Naming) -> Any:
        if not text:
            raise KeyError(text)
        return read(text.split())

    return Part(read_text, write, to_words, read, is_row=True)


CARDS: Final = _row(spelling.cards, _write_cards, words_of_cards)
FACES: Final = _row(spelling.faces, _write_faces, words_of_cards)
PLAYS: Final = _row(spelling.plays, _write_plays, _words_of_plays)
"""Cards as they are laid, with what wild ones stand for."""


def several(part: Part) -> Part:
    """Parts of one sort with commas between them."""

    def read(text: str, naming: Naming) -> tuple[Any, ...]:
        return tuple([part.read(item.strip(), naming) for item in text.split(",")])

    def write(values: Sequence[Any]) -> str:
        return _written_row([part.write(value) for value in values], ", ")

    def rename(values: Sequence[Any], roster: Mapping[str, str]) -> tuple[Any, ...]:
        assert part.rename is not None
        return tuple([part.rename(value, roster) for value in values])

    return Part(read, write, list, tuple, rename, tuple)


def pairs(name: Part, part: Part, join: Callable[[Sequence[Any]], Any] = tuple) -> Part:
    """Names, each with a part that is said of it, and commas between them.

    In JSON they are an object, or a list of pairs where a name stands there twice.
    """

    def read(text: str, naming: Naming) -> Any:
        rows = [first_word(item.strip()) for item in text.split(",")]
        return join([(name.read(key, naming), part.read(rest, naming)) for key, rest in rows])

    def write(values: Sequence[tuple[str, Any]]) -> str:
        rows = [f"{name.write(key)} {part.write(value)}" for key, value in values]
        return _written_row(rows, ", ")

    def to_json(values: Sequence[tuple[str, Any]]) -> Any:
        rows = [(key, part.to_json(value)) for key, value in values]
        by_name = dict(rows)
        return by_name if len(by_name) == len(rows) else [list(row) for row in rows]

    def of_words(data: Any) -> Any:
        rows = data.items() if isinstance(data, dict) else data
        return join([(key, part.of_words(value)) for key, value in rows])

    def rename(values: Sequence[tuple[str, Any]], roster: Mapping[str, str]) -> Any:
        return tuple([(roster[key], value) for key, value in values])

    return Part(read, write, to_json, of_words, rename, join)
