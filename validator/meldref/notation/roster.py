"""The players of a log: a name in other capitals or apostrophes is the one it can only mean."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, Final

from meldref.core import events
from meldref.core.events import Event
from meldref.core.records import changed

MOST: Final = 10_000
"""How many names that are no player's are remembered."""
_SIGNS: Final = str.maketrans("’‘‛´ʼ‐‑‒–—―−", "'''''-------")
_KEPT: Final = r'"[^"]*"|#.*|\{[^{}]*\}'
"""What stands in quotes, in comments and in braces, which is kept as it is."""
OF_PLAYERS: Final = frozenset(("Players", "Dealer", "View"))
"""The headers that name players."""
_NO_NAMES: Final = frozenset(("full", "public"))
"""What a view is besides a name."""


class Roster(dict[str, str]):
    """For each name that is written, the player whom it means.

    A name that means nobody stays as it is.
    """

    def __init__(self, players: Iterable[str] = ()) -> None:
        super().__init__()
        self._alike: dict[str, list[str]] = {}
        self.players = tuple(dict.fromkeys(players))
        words = sorted((name for name in self.players if " " in name), key=len, reverse=True)
        names = "|".join([" +".join(map(re.escape, name.split())) for name in words])
        self._of_words = (
            re.compile(rf"{_KEPT}|(?<![\w.'-])({names})(?![\w.'-])", re.IGNORECASE)
            if names
            else None
        )
        for player in self.players:
            self._alike.setdefault(_folded(player), []).append(player)
            self[player] = player

    @classmethod
    def of(cls, header: events.Header) -> Roster:
        """The roster of a `[Players]` header."""
        return cls(name.strip() for name in header.value.split(","))

    def unquoted(self, text: str) -> list[tuple[int, int]]:
        """Where the names of several words stand in a line without their quotes."""
        names = [] if self._of_words is None else self._of_words.finditer(text)
        return [name.span(1) for name in names if name[1]]

    def __missing__(self, written: str) -> str:
        """Whom a name means that no player has exactly; each player of a side by itself."""
        if "+" in written and self._alike:
            name = "+".join([self[part] for part in written.split("+")])
        else:
            alike = self._alike.get(_folded(written), ())
            name = alike[0] if len(alike) == 1 else written
        if len(self) < MOST:
            self[written] = name
        return name


NOBODY: Final = Roster()


class Seated(dict[str, str]):
    """Names as written in a log, as a table of all names reads them and its roster has them."""

    def __init__(self, names: dict[str, str], roster: Roster) -> None:
        super().__init__()
        self._names, self._roster = names, roster

    def __missing__(self, written: str) -> str:
        """The name; KeyError where the grammar has to say whether it is one."""
        name = self._roster[self._names[written]]
        if len(self) < MOST:
            self[written] = name
        return name


def _folded(name: str) -> str:
    return " ".join(name.translate(_SIGNS).casefold().split())


def named(event: Event, roster: Roster) -> Event:
    """An event with the names of players as the roster has them."""
    rename = _RENAME.get(type(event))
    if rename is None or not roster:
        return event
    renamed: Event = rename(event, roster)
    return renamed


def _one(event: Any, roster: Roster) -> Any:
    """An event that names a player, or may."""
    name = event.player
    return event if name is None or roster[name] == name else changed(event, player=roster[name])


def _turn(event: events.Turn, roster: Roster) -> events.Turn:
    name = roster[event.player]
    return event if name == event.player else event._replace(player=name)


def _hand(event: events.HandStart, roster: Roster) -> events.HandStart:
    name = event.dealer
    return event if name is None or roster[name] == name else changed(event, dealer=roster[name])


def _header(event: events.Header, roster: Roster) -> events.Header:
    """The dealer, or whose knowledge a log is."""
    name = event.value.strip()
    if (
        event.key not in OF_PLAYERS - {"Players"}
        or name.lower() in _NO_NAMES
        or roster[name] == name
    ):
        return event
    return changed(event, value=roster[name])


def _listed(field: str) -> Callable[[Any, Roster], Any]:
    """What renames an event with pairs of a name and something else in this field."""

    def rename(event: Any, roster: Roster) -> Any:
        pairs = getattr(event, field)
        if all(roster[name] == name for name, _ in pairs):
            return event
        return changed(event, **{field: tuple([(roster[name], rest) for name, rest in pairs])})

    return rename


def _result(event: events.Result, roster: Roster) -> events.Result:
    winners = tuple([roster[name] for name in event.players])
    return event if winners == event.players else changed(event, players=winners)


_RENAME: Final[dict[type, Callable[[Any, Roster], Any]]] = {
    **dict.fromkeys(
        (
            events.Deal,
            events.HandEnd,
            events.Show,
            events.Adjust,
            events.AssertHand,
            events.AssertScore,
        ),
        _one,
    ),
    events.Turn: _turn,
    events.HandStart: _hand,
    events.Header: _header,
    events.Points: _listed("amounts"),
    events.AssertScores: _listed("amounts"),
    events.Cut: _listed("cards"),
    events.AssertTable: _listed("layers"),
    events.Result: _result,
}
