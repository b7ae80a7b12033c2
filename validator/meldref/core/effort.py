"""How long searches go on: what they look at is counted, so that a question ends as it does on any machine."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager


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
