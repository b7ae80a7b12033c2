"""The players of a game as a file calls them, and their names."""

from __future__ import annotations

import re
from typing import Any, Final

from meldref.core.meant import did_you_mean
from meldref_intake.events.values import number_of, sort_key, text_of

_NOT_IN_NAMES: Final = re.compile(r'[",\x00-\x1f\x7f\ud800-\udfff]+')
MOST_PLAYERS: Final = 50
"""At how many players it is clear that what was taken for players is none."""
MOST_LETTERS: Final = 100
"""The most characters of a player's name."""


class Roster:
    """The players of a game: their names by what the file calls them, in the order of seats."""

    def __init__(self, order: str, index_from: int | None) -> None:
        self.names: dict[str, str] = {}
        self.is_listed = False
        """Whether the file lists who plays, so that nobody else does."""
        self.is_complete = False
        """Whether everybody who plays the hand was named, so that nobody else does."""
        self._order, self._index_from = order, index_from

    def put(self, raw: str, name: str | None) -> str:
        """A player that a list gives; a name told later replaces the id.

        Raises:
            ValueError: there are too many.
        """
        if raw not in self.names and len(self.names) >= MOST_PLAYERS:
            raise ValueError(f"more than {MOST_PLAYERS} players are named")
        written = (
            " ".join(_NOT_IN_NAMES.sub(" ", raw if name is None else name).split())[:MOST_LETTERS]
            or "?"
        )
        others = {known for other, known in self.names.items() if other != raw}
        if written in others:
            written = f"{written} {len(self.names) + 1}"
        self.names[raw] = written
        return written

    def name(self, raw: Any) -> str:
        """The name of whom a record means: by id, name or index; one that is new is added.

        Raises:
            ValueError: it is known who plays, and nobody is called so.
        """
        text = text_of(raw)
        if text in self.names:
            return self.names[text]
        if text in self.names.values():
            return text
        number = number_of(raw)
        if number is not None and self._index_from is not None:
            at, ordered = number - self._index_from, list(self.names.values())
            if 0 <= at < len(ordered):
                return ordered[at]
        if self.is_listed or self.is_complete:
            shown, known = text[:MOST_LETTERS], [*self.names, *self.names.values()]
            raise ValueError(f"nobody who plays is called {shown}{did_you_mean(shown, known)}")
        return self.put(text, None)

    @property
    def seats(self) -> list[str]:
        """The names in the order of seats."""
        if self._order == "id":
            return [self.names[raw] for raw in sorted(self.names, key=sort_key)]
        return list(self.names.values())
