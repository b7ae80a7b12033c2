"""Where a question is asked: a position file, a line of a log, or cards named by options."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Final

from meldref.records import record
from meldref_cli.errors import Unusable
from meldref_cli.files import STANDARD_INPUT, log_lines, read_bytes
from meldref_cli.rulings import Asked, load

if TYPE_CHECKING:
    from meldref.diagnostics import Finding, Span
    from meldref.positions import Built
    from meldref.source import Path as KeyPath
    from meldref.source import Value

_OPTIONS: Final = {
    "hands": "--hand",
    "to_move": "--to-move",
    "discarded_by": "--discarded-by",
}
"""Options whose names are not those of a position's keys."""

_MELD: Final = r"\s*m(\d+)\s*:\s*(.*)"

Answer = tuple["Built | None", tuple["Finding", ...]]


@record
class Named:
    """A position in options, as they were written."""

    players: str | None = None
    to_move: str | None = None
    hands: Sequence[str] = ()
    table: Sequence[str] = ()
    pile: str | None = None
    stock: str | None = None
    turn: str | None = None
    discarded_by: str | None = None
    opening: bool = False
    floating: Sequence[str] = ()
    wild: str | None = None

    def __bool__(self) -> bool:
        return self != Named()


def from_options(named: Named, asked: Asked) -> Answer:
    """The position that options describe.

    Raises:
        Unusable: an option is not written as it has to be, or says what cannot be.
    """
    from meldref.diagnostics import Span
    from meldref.positions import build_position

    value = _value(named)
    ruleset, findings = load(asked)
    if ruleset is None:
        return None, findings
    asked_for: list[KeyPath] = []

    def place(path: KeyPath) -> Span:
        asked_for.append(path)
        return Span(len(asked_for))

    built, wrong = build_position(value, ruleset, place)
    if built is None:
        finding = wrong[0]
        path = asked_for[finding.span.line - 1] if asked_for else ()
        raise Unusable(_named_option(path, finding.message, named))
    return built, ()


def _named_option(path: KeyPath, message: str, named: Named) -> str:
    key = str(path[0]) if path else ""
    if not key:
        return message
    if "is not one of the players" in message and named.players is None:
        message += " (A and B, unless --players names others)"
    return f"{_OPTIONS.get(key, '--' + key)}: {message}"


def _value(named: Named) -> dict[str, Value]:
    """The options as a position's mapping."""
    value: dict[str, Value] = {}
    players = ["A", "B"]
    if named.players is not None:
        players = [name.strip() for name in named.players.split(",") if name.strip()]
        value["players"] = list(players)
    mover = named.to_move or (players[0] if players else "A")
    if players and mover not in players:
        raise Unusable(_named_option(("to_move",), f"{mover} is not one of the players", named))
    if named.to_move is not None:
        value["to_move"] = named.to_move
    if named.hands:
        value["hands"] = dict(_hand(text, players, mover) for text in named.hands)
    if named.table:
        value["table"] = _table(named.table, players)
    for key in ("pile", "turn", "discarded_by", "wild"):
        text = getattr(named, key)
        if text is not None:
            value[key] = text
    if named.stock is not None:
        value["stock"] = int(named.stock) if named.stock.strip().isdecimal() else named.stock
    if named.opening:
        value["opening"] = "first_turn"
    if named.floating:
        value["floating"] = [name.strip() for text in named.floating for name in text.split(",")]
    return value


def _hand(text: str, players: Sequence[str], mover: str) -> tuple[str, Value]:
    """`5h 6h`, of the player to move, or `B: 5h 6h`."""
    name, colon, cards = text.rpartition(":")
    if colon:
        return name.strip().strip('"'), cards.strip()
    owner, rest = _owner(text, players)
    return (mover, text.strip()) if owner is None else (owner, rest)


def _owner(text: str, players: Sequence[str]) -> tuple[str | None, str]:
    """The player that a text begins with, and the rest."""
    text = text.strip()
    for name in sorted(players, key=len, reverse=True):
        for written in (f'"{name}"', name):
            if text.startswith(written + " "):
                return name, text[len(written) :].strip()
    return None, text


def _table(texts: Iterable[str], players: Sequence[str]) -> dict[str, Value]:
    """`m1: B 5h 6h 7h, A 8h`: a meld, and who laid what, in that order; several stand behind `;`."""
    table: dict[str, Value] = {}
    for text in (part for whole in texts for part in whole.split(";") if part.strip()):
        numbered = re.fullmatch(_MELD, text, re.DOTALL)
        name, layers = (f"m{int(numbered[1])}", numbered[2]) if numbered else (f"m{len(table) + 1}", text)
        laid: dict[str, Value] = {}
        for layer in layers.split(","):
            owner, cards = _owner(layer, players)
            if owner is None:
                raise Unusable(
                    f"--table: `{layer.strip()}` does not begin with a player ({', '.join(players)}); "
                    "a meld is written `m1: B 5h 6h 7h, A 8h`"
                )
            laid[owner] = f"{laid[owner]} {cards}" if owner in laid else cards
        if name in table:
            raise Unusable(f"--table: {name} is there twice")
        table[name] = laid
    return table


def from_position(path: str, asked: Asked) -> Answer:
    """The position of a file; what the command line asks for goes over what the file says.

    Raises:
        Unusable: the file cannot be read.
    """
    from meldref.position_files import read_position

    shown, beside = ("standard input", None) if path == STANDARD_INPUT else (path, Path(path).parent)
    return read_position(read_bytes(path), shown, asked.rules, asked.options, asked.settings, beside)


def from_log(path: str, line: int, asked: Asked) -> Answer:
    """Where a log stands before a line.

    Raises:
        Unusable: the log cannot be read, or has no such line.
    """
    from meldref.notation.reader import read_lines
    from meldref.replay import Overrides, stand_before

    beside = None if path == STANDARD_INPUT else Path(path).parent
    overrides = Overrides(asked.rules, asked.options, asked.settings, beside)
    last = 0

    def before(number: int) -> bool:
        nonlocal last
        last = number
        return number < line

    lines = takewhile(lambda read: before(read[0].number), read_lines(log_lines(path)))
    built, findings = stand_before(lines, line, path, overrides)
    if line > last + 1:
        raise Unusable(f"--at {line}: {path} has {last} lines")
    return built, findings
