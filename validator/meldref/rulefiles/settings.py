"""Single settings, laid over a game and its options."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from meldref.core.records import record

if TYPE_CHECKING:
    from meldref.documents.reader import Value


@record
class Setting:
    """A single setting, `game.target=1000`, and who made it: a file and line, or the command line."""

    key: str
    value: str
    file: str = "--set"
    line: int = 0

    @classmethod
    def of(cls, said: str | Setting) -> Setting:
        """A setting from its text, or as it is."""
        if isinstance(said, Setting):
            return said
        key, _, value = said.partition("=")
        return cls(key.strip(), value.strip())


Settings: TypeAlias = "Mapping[str, Value] | Sequence[str | Setting]"
