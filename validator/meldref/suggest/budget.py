"""How much is searched for suggestions in one log: a finding takes far longer with them than without."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from meldref.core.effort import EFFORT

MOST_SUGGESTIONS: Final = 250
"""For how many findings of a log it is worked out what would have been legal,"""
MOST_EFFORT: Final = 600_000
"""and how much effort goes into that."""


class Suggestions:
    """The suggestions that a log may still have, and the effort left for them."""

    def __init__(self, most: int = MOST_SUGGESTIONS) -> None:
        self.left = most
        self._effort = MOST_EFFORT

    def wanted(self) -> bool:
        """Whether one more finding is to have them."""
        self.left -= 1
        return self.left >= 0

    @contextmanager
    def searching(self) -> Iterator[None]:
        """A search within the effort that is left; once that is spent, it finds nothing."""
        before = EFFORT.spent
        try:
            with EFFORT.at_most(self._effort):
                yield
        finally:
            self._effort -= EFFORT.spent - before
