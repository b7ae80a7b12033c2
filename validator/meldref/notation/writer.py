"""Writes logs: events in the one canonical form, which the reader reads as the same events.

What the notation cannot hold (a double quote within a text, an empty meld, a number of ten digits)
raises `ValueError`: no event that was read from a log has it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from typing import Any, Final

from meldref.core import events
from meldref.core.cards import RANKS, UNKNOWN, Card, Played, card_text, played_text
from meldref.core.events import Action, Event, Line
from meldref.notation.actions import BY_KIND, Takes
from meldref.notation.scanner import BLANKS, pattern
from meldref.notation.spelling import is_card
from meldref.notation.syntax import LINE_WORDS, NAME_PATTERN

_SIDE: Final = rf"{NAME_PATTERN}(?:\+{NAME_PATTERN})*"
_WORDS: Final = rf"{NAME_PATTERN}(?: {NAME_PATTERN})*"
_NOT_IN_TEXT: Final = r'["\x00-\x08\x0A-\x1F\x7F\ud800-\udfff]'
MOST_NUMBER: Final = 1_000_000_000
"""Every number in a log is smaller than this."""
_UNSEEN_RUN: Final = 999


def write_action(action: Action) -> str:
    """An action: `meld 5h 6h 7h`, `take 4c x6`, `draw ?`.

    Raises:
        ValueError: the notation has no way to write it.
    """
    form = BY_KIND[type(action)]
    cards = _TAKES[form.takes](action)
    number = None if form.number is None else getattr(action, form.number.field)
    if form.number is None or number is None:
        return f"{form.word}{cards}"
    return f"{form.word}{cards} {form.number.sign}{_counter(number)}"


def write_event(event: Event) -> str:
    """The line of an event, without what may follow on it: `12. Ann: draw 5c; discard 9h`.

    Raises:
        ValueError: the notation has no way to write it.
    """
    return _WRITERS[type(event)](event)


def write_line(line: Line) -> str:
    """A line of a log in canonical form, with its annotation, expected violations and comment.

    A line without an event (blank, a comment, or one that could not be read) stays as it is, but
    for blanks at its end.
    """
    if line.event is None:
        return line.text.rstrip(BLANKS + "\r")
    parts = [write_event(line.event)]
    if line.annotation is not None:
        parts.append("{" + line.annotation + "}")
    if line.expected:
        parts.append("?! " + ", ".join(line.expected))
    if line.comment is not None:
        parts.append("#" + line.comment)
    return " ".join(parts).rstrip(BLANKS)


def format_log(lines: Iterable[Line]) -> Iterator[str]:
    """The lines of a log in canonical form, each with its end.

    Blank ones as `spaced` leaves them.
    """
    for line in spaced(lines):
        yield write_line(line) + "\n"


def spaced(lines: Iterable[Line]) -> Iterator[Line]:
    """The lines with single blank ones between them, and none at the beginning and the end."""
    return (line for line, stays in sifted(lines) if stays)


def sifted(lines: Iterable[Line]) -> Iterator[tuple[Line, bool]]:
    """Every line, and whether it stays: of blank ones in a row only the last, between lines."""
    begun = False
    blank: Line | None = None
    for line in lines:
        if line.event is None and not line.text.strip(BLANKS + "\r"):
            if not begun:
                yield line, False
                continue
            if blank is not None:
                yield blank, False
            blank = line
            continue
        if blank is not None:
            yield blank, True
        blank, begun = None, True
        yield line, True
    if blank is not None:
        yield blank, False


def _is_plain(name: str) -> bool:
    return name.isascii() and name.isalnum() and name[0].isalpha()


# --- parts ----------------------------------------------------------------------------------------


@lru_cache(maxsize=4_096)
def write_name(name: str) -> str:
    """A player's name, in quotes where its characters need them.

    Raises:
        ValueError: it holds a double quote or a control character.
    """
    return name if _is_plain(name) or pattern(NAME_PATTERN).fullmatch(name) else _quoted(name)


@lru_cache(maxsize=4_096)
def _opening_name(name: str) -> str:
    return _quoted(name) if name.lower() in LINE_WORDS else write_name(name)


@lru_cache(maxsize=4_096)
def _side(name: str) -> str:
    return name if _is_plain(name) or pattern(_SIDE).fullmatch(name) else _quoted(name)


def _quoted(text: str) -> str:
    if pattern(_NOT_IN_TEXT).search(text):
        raise ValueError(
            f"a text in a log has no double quotes and no control characters: {text!r}"
        )
    return f'"{text}"'


def _number(number: int, least: int = 0) -> str:
    if not least <= number < MOST_NUMBER:
        raise ValueError(f"a log cannot hold the number {number}")
    return str(number)


def _points(points: int) -> str:
    return _number(points, 1 - MOST_NUMBER)


def _counter(number: int) -> str:
    if not 1 <= number <= _UNSEEN_RUN:
        raise ValueError(f"a log counts from 1 to {_UNSEEN_RUN}, not {number}")
    return str(number)


def _known(card: Card) -> str:
    if card == UNKNOWN:
        raise ValueError("an unknown card cannot be written here")
    return card_text(card)


def _listed(words: Sequence[str], separator: str = ", ") -> str:
    if not words:
        raise ValueError("a log cannot hold a list of nothing")
    return separator.join(words)


def _row(cards: Sequence[Card]) -> str:
    return _listed([_known(card) for card in cards], " ")


def _laid(cards: Sequence[Played]) -> str:
    return _listed([played_text(played) for played in cards], " ")


_TAKES: Final[dict[Takes, Callable[[Any], str]]] = {
    "nothing": lambda _: "",
    "a face": lambda action: f" {card_text(action.card)}",
    "a card": lambda action: f" {_known(action.card)}",
    "cards": lambda action: f" {_row(action.cards)}",
    "plays": lambda action: f" {_laid(action.cards)}",
}
"""What follows the word of an action."""


def unseen_runs(count: int) -> Iterator[str]:
    """`count` cards that nobody saw, as words: `?*7`."""
    while count > 0:
        run = min(count, _UNSEEN_RUN)
        yield "?" if run == 1 else f"?*{run}"
        count -= run


def _hand(cards: Sequence[Card], unknown: int) -> str:
    return _listed([*(_known(card) for card in cards), *unseen_runs(unknown)], " ")


def order_words(cards: Sequence[Card]) -> Iterator[str]:
    """Cards in their order as words, runs of unknown ones as one: `9c 4d ?*3`."""
    for card, run in groupby(cards):
        same = list(run)
        yield from unseen_runs(len(same)) if card == UNKNOWN else map(card_text, same)


# --- lines ----------------------------------------------------------------------------------------


def _turn(event: events.Turn) -> str:
    number = "" if event.number is None else f"{_number(event.number)}. "
    actions = _listed([write_action(action) for action in event.actions], "; ")
    return f"{number}{_opening_name(event.player)}: {actions}"


def _hand_start(event: events.HandStart) -> str:
    number = "" if event.number is None else f" {_number(event.number)}"
    return f"hand{number}" + ("" if event.dealer is None else f" dealer {write_name(event.dealer)}")


def _hand_end(event: events.HandEnd) -> str:
    if event.reason not in {"out", "stock", "agreed"} or (
        event.player is not None and event.reason != "out"
    ):
        raise ValueError(f"a log cannot hold this end of a hand: {event}")
    return f"end {event.reason}" + ("" if event.player is None else f" {write_name(event.player)}")


def _amounts(event: events.Points) -> str:
    return f"{event.kind} " + _listed(
        [f"{_side(name)} {_figure(event.kind, points)}" for name, points in event.amounts]
    )


def _figure(kind: str, points: int | None) -> str:
    if points is not None:
        return _points(points)
    if kind == "chips":
        raise ValueError("a log cannot hold a payment that nobody can read")
    return "?"


def _void(event: events.Void) -> str:
    if not event.reason:
        return "void"
    return "void " + (
        event.reason if pattern(_WORDS).fullmatch(event.reason) else _quoted(event.reason)
    )


def _adjust(event: events.Adjust) -> str:
    reason = f" {_quoted(event.reason)}" if event.reason else ""
    return f"adjust {_side(event.player)} {_points(event.points)}{reason}"


def _assert_hand(event: events.AssertHand) -> str:
    if event.count is not None:
        held = f" {_number(event.count)}"
    else:
        held = f" {_hand(event.cards, event.unknown)}" if event.cards or event.unknown else ""
    return f"= hand {write_name(event.player)}{held}"


def _beside_cards(name: str) -> str:
    return _quoted(name) if is_card(name) else write_name(name)


def _assert_table(event: events.AssertTable) -> str:
    layers = [f"{_beside_cards(name)} {_laid(cards)}" for name, cards in event.layers]
    return f"= table m{_counter(event.meld)} {', '.join(layers) or _laid(event.cards)}"


_WRITERS: Final[dict[type[Event], Callable[..., str]]] = {
    events.Turn: _turn,
    events.Header: lambda event: f"[{event.key} {_quoted(event.value)}]",
    events.HandStart: _hand_start,
    events.Deal: lambda event: (
        f"deal {write_name(event.player)} {_hand(event.cards, event.unknown)}"
    ),
    events.UpCard: lambda event: f"up {card_text(event.card)}",
    events.StockOrder: lambda event: f"stock {_listed([*order_words(event.cards)], ' ')}",
    events.Gap: lambda _: "gap",
    events.HandEnd: _hand_end,
    events.Points: _amounts,
    events.Result: lambda event: f"result {_listed([_side(name) for name in event.players])}",
    events.Cut: lambda event: (
        f"cut {_listed([f'{write_name(name)} {_known(card)}' for name, card in event.cards])}"
    ),
    events.WildRank: lambda event: f"wild {RANKS[event.rank]}",
    events.Reshuffle: lambda _: "reshuffle",
    events.Show: lambda event: f"show {write_name(event.player)} {_row(event.cards)}",
    events.Void: _void,
    events.Undo: lambda _: "undo",
    events.Adjust: _adjust,
    events.Note: lambda event: f"note {_quoted(event.text)}",
    events.AssertHand: _assert_hand,
    events.AssertPile: lambda event: "= pile" + (f" {_row(event.cards)}" if event.cards else ""),
    events.AssertTable: _assert_table,
    events.AssertStock: lambda event: f"= stock {_number(event.count)}",
    events.AssertScore: lambda event: f"= score {_side(event.player)} {_points(event.points)}",
    events.AssertScores: lambda event: (
        "= score " + _listed([f"{_side(name)} {_points(points)}" for name, points in event.amounts])
    ),
}
