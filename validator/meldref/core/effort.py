"""How long searches go on: what they look at is counted, so that a question ends as it does on any machine."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final


class Effort(threading.local):
    """What has been looked at in this thread, and how much the question under way may take.

    The unit is a way to lay a meld, some microseconds. Searches count what they look at, and end once it is too
    much; who asked them sees that by `over`, and says so.
    """

    spent = 0
    limit = sys.maxsize

    @property
    def over(self) -> bool:
        """Whether the question under way has taken all it may."""
        return self.spent >= self.limit

    @contextmanager
    def at_most(self, units: int) -> Iterator[None]:
        """A question that may take so much, and no more than what is left of the one it is a part of."""
        before = self.limit
        self.limit = min(before, self.spent + units)
        try:
            yield
        finally:
            self.limit = before


EFFORT = Effort()
STATE = 20
"""What it takes to reach a position and look at it, in units."""
ASKED = 5
"""What it takes to ask the rules about a play."""

MOST_SUGGESTIONS: Final = 250
"""For how many findings of a log it is worked out what would have been legal,"""
EFFORT_ON_SUGGESTIONS: Final = 600_000
"""and how much effort goes into that: a finding takes far longer with suggestions than without."""


class Suggestions:
    """The suggestions that a log may still have, and the effort left for them."""

    def __init__(self, most: int = MOST_SUGGESTIONS) -> None:
        self.left = most
        self._effort = EFFORT_ON_SUGGESTIONS

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
