"""A ruleset that notes which of its keys are read."""

from __future__ import annotations

from typing import Final, cast

from meldref.core.records import fields_of
from meldref.ruleset.model import ByPlayers, Ruleset

LINES: Final = {"scoring.wild_cards": "scoring.values", "scoring.wild_held": "scoring.held"}
"""Fields of the model that are lines of tables."""


class _Noting:
    """A section, or the whole, of a ruleset: what is asked of it is answered, and its key noted."""

    def __init__(self, section: object, path: str, read: set[str]) -> None:
        self._section = section
        self._path = path
        self._read = read

    def __getattr__(self, name: str) -> object:
        value = getattr(self._section, name)
        path = f"{self._path}.{name}" if self._path else name
        path = LINES.get(path, path)
        if fields_of(value) and not isinstance(value, ByPlayers):
            return _Noting(value, path, self._read)
        self._read.add(path)
        return value


def noting(ruleset: Ruleset) -> tuple[Ruleset, set[str]]:
    """The ruleset in a wrapping that notes the key paths that are read, and the set they are noted in."""
    read: set[str] = set()
    return cast("Ruleset", _Noting(ruleset, "", read)), read
