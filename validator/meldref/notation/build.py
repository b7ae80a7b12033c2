# ruff: noqa: D102  the methods are named like the rules of the grammar, which say what they are
"""From the grammar's rules to events: one method a rule, called while Lark parses.

Loaded together with Lark; use `meldref.notation.grammar`, which loads both when they are needed.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias, TypeVar

from lark import Token, Transformer

from meldref.core import events
from meldref.notation import spelling
from meldref.notation.parsed import Head, ReadLine, Trailers
from meldref.notation.syntax import HEADER_KEYS

_KEYS = {key.lower(): key for key in HEADER_KEYS}

Tokens: TypeAlias = list[Token]
_Of = TypeVar("_Of")


class _Expected(NamedTuple):
    codes: tuple[str, ...]


class _Annotation(NamedTuple):
    text: str


class _Comment(NamedTuple):
    text: str


class _Side(NamedTuple):
    name: str


class _Amount(NamedTuple):
    name: str
    points: int


class Build(Transformer[Token, object]):
    """The events that the rules of the grammar stand for."""

    def line(self, parts: list[object]) -> ReadLine:
        """The event, if there is one, and the trailers."""
        event: events.Event | None = None
        expected: tuple[str, ...] = ()
        comment = annotation = None
        for part in parts:
            if isinstance(part, _Expected):
                expected = part.codes
            elif isinstance(part, _Comment):
                comment = part.text
            elif isinstance(part, _Annotation):
                annotation = part.text
            else:
                event = part  # type: ignore[assignment]
        return ReadLine(event, Trailers(expected, comment, annotation))

    def annotation(self, parts: Tokens) -> object:
        return _Annotation(parts[0][1:-1])

    def expected(self, parts: Tokens) -> object:
        return _Expected(tuple([code.casefold() for code in parts]))

    def comment(self, parts: Tokens) -> object:
        return _Comment(parts[0][1:])

    # --- a turn ---

    def turn(self, parts: list[object]) -> events.Turn:
        head = _one(parts[0], Head)
        return events.Turn(
            head.number,
            head.player,
            tuple([one for one in parts[1:] if isinstance(one, events.Action)]),
            head.column,
        )

    def head(self, parts: Tokens) -> Head:
        number = int(parts[0].rstrip(".")) if len(parts) == 2 else None
        return Head(number, _text(parts[-1]), parts[-1].column or 1)

    def draw(self, parts: Tokens) -> events.Action:
        return events.Draw(spelling.card(parts[1] if len(parts) == 2 else "?"))

    def take(self, parts: Tokens) -> events.Action:
        count = int(parts[2][1:]) if len(parts) == 3 else None
        return events.Take(spelling.card(parts[1]), count)

    def meld(self, parts: Tokens) -> events.Action:
        return events.Meld(spelling.plays(parts[1]), _meld_number(parts))

    def lay(self, parts: Tokens) -> events.Action:
        return events.LayOff(spelling.plays(parts[1]), _meld_number(parts))

    def swap(self, parts: Tokens) -> events.Action:
        return events.Swap(spelling.card(parts[1]), _meld_number(parts))

    def discard(self, parts: Tokens) -> events.Action:
        return events.Discard(spelling.card(parts[1]))

    def rummy(self, parts: Tokens) -> events.Action:
        return events.Call(spelling.cards(parts[1]))

    def buy(self, parts: Tokens) -> events.Action:
        return events.Buy(spelling.card(parts[1]))

    def challenge(self, parts: Tokens) -> events.Action:
        return events.Challenge()

    def decline(self, parts: Tokens) -> events.Action:
        return events.Pass()

    # --- the other lines ---

    def header(self, parts: Tokens) -> events.Header:
        key = str(parts[0])
        return events.Header(_KEYS.get(key.lower(), key), _text(parts[1]))

    def hand(self, parts: Tokens) -> events.HandStart:
        number, dealer = None, None
        for part in parts:
            if part.type == "NUMBER":
                number = int(part)
            else:
                dealer = _text(part)
        return events.HandStart(number, dealer)

    def deal(self, parts: Tokens) -> events.Deal:
        return events.Deal(_text(parts[0]), *spelling.known_and_unknown(spelling.faces(parts[1])))

    def up(self, parts: Tokens) -> events.UpCard:
        return events.UpCard(spelling.card(parts[0]))

    def stock(self, parts: Tokens) -> events.StockOrder:
        return events.StockOrder(spelling.faces(parts[0]))

    def cut(self, parts: list[object]) -> events.Cut:
        return events.Cut(tuple([(one.name, one.points) for one in _all(parts, _Amount)]))

    def cut_card(self, parts: Tokens) -> object:
        return _Amount(_text(parts[0]), spelling.card(parts[1]))

    def wild(self, parts: Tokens) -> events.WildRank:
        return events.WildRank(spelling.rank(parts[0]))

    def reshuffle(self, _parts: Tokens) -> events.Reshuffle:
        return events.Reshuffle()

    def show(self, parts: Tokens) -> events.Show:
        return events.Show(_text(parts[0]), spelling.cards(parts[1]))

    def gap(self, _parts: Tokens) -> events.Gap:
        return events.Gap()

    def end_out(self, parts: Tokens) -> events.HandEnd:
        return events.HandEnd("out", _text(parts[0]) if parts else None)

    def end_stock(self, _parts: Tokens) -> events.HandEnd:
        return events.HandEnd("stock")

    def end_agreed(self, _parts: Tokens) -> events.HandEnd:
        return events.HandEnd("agreed")

    def points(self, parts: list[object]) -> events.Points:
        kind = _one(parts[0], Token)
        return events.Points(kind.casefold(), tuple([(one.name, one.points) for one in _all(parts[1:], _Amount)]))

    def amount(self, parts: list[object]) -> object:
        return _Amount(_one(parts[0], _Side).name, spelling.amount(_one(parts[1], Token)))

    def side(self, parts: Tokens) -> object:
        return _Side("+".join(_text(part) for part in parts))

    def result(self, parts: list[object]) -> events.Result:
        return events.Result(tuple([side.name for side in _all(parts, _Side)]))

    def void(self, parts: Tokens) -> events.Void:
        return events.Void(" ".join(_text(part) for part in parts))

    def undo(self, _parts: Tokens) -> events.Undo:
        return events.Undo()

    def adjust(self, parts: list[object]) -> events.Adjust:
        reason = _text(_one(parts[2], Token)) if len(parts) == 3 else ""
        return events.Adjust(_one(parts[0], _Side).name, spelling.amount(_one(parts[1], Token)), reason)

    def note(self, parts: Tokens) -> events.Note:
        return events.Note(_text(parts[0]))

    # --- assertions ---

    def assert_count(self, parts: Tokens) -> events.AssertHand:
        return events.AssertHand(_text(parts[0]), count=int(parts[1]))

    def assert_hand(self, parts: Tokens) -> events.AssertHand:
        known, unknown = spelling.known_and_unknown(spelling.faces(parts[1]) if len(parts) == 2 else ())
        return events.AssertHand(_text(parts[0]), None, known, unknown)

    def assert_pile(self, parts: Tokens) -> events.AssertPile:
        return events.AssertPile(spelling.cards(parts[0]) if parts else ())

    def assert_table(self, parts: Tokens) -> events.AssertTable:
        return events.AssertTable(int(parts[0][1:]), spelling.plays(parts[1]))

    def assert_stock(self, parts: Tokens) -> events.AssertStock:
        return events.AssertStock(int(parts[0]))

    def assert_score(self, parts: list[object]) -> events.AssertScore:
        return events.AssertScore(_one(parts[1], _Side).name, spelling.amount(_one(parts[2], Token)))

    # --- cards by themselves ---

    def plays(self, parts: Tokens) -> str:
        return str(parts[0])

    def faces(self, parts: Tokens) -> str:
        return str(parts[0])


def _one(part: object, kind: type[_Of]) -> _Of:
    if isinstance(part, kind):
        return part
    raise TypeError(f"the grammar gave a {type(part).__name__} for a {kind.__name__}")


def _all(parts: list[object], kind: type[_Of]) -> list[_Of]:
    return [_one(part, kind) for part in parts]


def _text(token: Token) -> str:
    return str(token[1:-1] if token.type == "TEXT" else token)


def _meld_number(parts: Tokens) -> int | None:
    return int(parts[2][1:]) if len(parts) == 3 else None
