"""The players of a log: a name in other capitals or apostrophes is the one it can only mean."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from meldref.core import events
from meldref.core.events import Event
from meldref.core.records import changed
from meldref.notation.lines import with_names

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
    if not roster:
        return event
    if type(event) is events.Header:
        return _with_player(event, roster)
    renamed = with_names(event, roster)
    if not renamed:
        return event
    if type(event) is events.Turn:
        return event._replace(**renamed)
    return changed(event, **renamed)


def _with_player(header: events.Header, roster: Roster) -> events.Header:
    """The dealer, or whose knowledge a log is."""
    name = header.value.strip()
    is_name = header.key in OF_PLAYERS - {"Players"} and name.lower() not in _NO_NAMES
    return changed(header, value=roster[name]) if is_name and roster[name] != name else header
