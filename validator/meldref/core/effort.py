"""How long searches continue: what they look at is counted, so that they end alike everywhere."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from meldref.core.allowance import Allowance


class Effort(threading.local):
    """What has been looked at in this thread, and how much the question under way may take.

    The unit is a way to lay a meld, some microseconds. Searches count what they look at, and end
    once it is too much; who asked them sees that by `over`, and says so. What conditions look at is
    taken from `house`. `cut` counts the lists that ended at a limit of their own, with more to come.
    """

    spent = 0
    cut = 0
    limit = sys.maxsize
    house = Allowance(sys.maxsize)

    def on_conditions(self, parts: int) -> None:
        """Counts parts of conditions that are looked at."""
        self.house.left -= parts

    @contextmanager
    def spending(self, house: Allowance) -> Iterator[None]:
        """While what conditions look at is taken from an allowance."""
        before = self.house
        self.house = house
        try:
            yield
        finally:
            self.house = before

    @property
    def over(self) -> bool:
        """Whether the question under way has taken all it may."""
        return self.spent >= self.limit

    @contextmanager
    def at_most(self, units: int) -> Iterator[None]:
        """A question with a limit, which is also held to what is left of the question around it."""
        with self._limited(min(self.limit, self.spent + units)):
            yield

    @contextmanager
    def in_full(self) -> Iterator[None]:
        """A question that is answered to its end, whatever is left: rules never give up in it."""
        with self._limited(sys.maxsize):
            yield

    @contextmanager
    def _limited(self, limit: int) -> Iterator[None]:
        before = self.limit
        self.limit = limit
        try:
            yield
        finally:
            self.limit = before


ALL_THE_WORK: Final = "the house rules have taken all the work that is done for"
"""How it is said that an allowance is spent."""
EFFORT = Effort()
STATE = 20
"""What it takes to reach a position and look at it, in units."""
ASKED = 5
"""What it takes to ask the rules about a play."""

MOST_SUGGESTIONS: Final = 250
"""For how many findings of a log it is worked out what would have been legal,"""
EFFORT_ON_SUGGESTIONS: Final = 600_000
"""and how much effort goes into that: a finding takes far longer with suggestions than without."""
REPAIRS_TO_AUDIT: Final = 9
"""How many times the effort of a plain audit goes into explaining the mistakes of a log,"""
REPAIRS_LATER: Final = 2
"""and how many times that of the lines after the first ones"""
_FIRST: Final = 3_000
"""for at most this many of them: a long log is wrong in few places, or was written to take long."""
MOST_FINDINGS: Final = 30_000
"""After how many findings the rest of a log is not audited."""
MOST_REPLAYED = 30_000
"""How many lines are played again for `undo`, besides one for each turn of the log."""
_OF_AUDIT: Final = 2
"""Where nothing explains what is found in half of the hands, one part in so many of a plain audit."""
_AFTER_VAIN: Final = 400
"""How many lines may be refereed again in a hand soon after one in which nothing was explained."""
_BEGIN: Final = 300
"""What it takes to begin with a log, in lines that are refereed: to load its rules takes longer."""
_A_PLAYER: Final = 3
_A_FINDING: Final = 9
"""What it takes to look at a hand again, for each player and finding, in refereed lines."""
MOST_LOOKED_AT = 20_000
"""and the most of that for a log."""


class Suggestions:
    """The suggestions that a log may still have, and the effort left for all that takes long.

    Repairs take no account of suggestions: what is found is the same with and without them.
    """

    def __init__(self, most: int = MOST_SUGGESTIONS) -> None:
        self.left = self._most = most
        self._effort = EFFORT_ON_SUGGESTIONS
        self._explaining = self._replayed = self._looked_at = 0
        self._in_vain_at: int | None = None

    @property
    def untouched(self) -> bool:
        """Whether nothing was asked for yet."""
        spent = self._explaining or self._replayed or self._looked_at
        return self.left == self._most and self._effort == EFFORT_ON_SUGGESTIONS and not spent

    def may_replay(self, lines: int, turns: int) -> bool:
        """Whether this many lines may be played again in a log with this many turns."""
        self._replayed += lines
        return self._replayed <= MOST_REPLAYED + turns

    def may_look_at(self, players: int, findings: int) -> bool:
        """Whether one more hand may be searched for what explains its findings."""
        self._looked_at += _A_PLAYER * players + _A_FINDING * findings
        return self._looked_at <= MOST_LOOKED_AT

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

    @contextmanager
    def explaining(self, lines: int, *, in_vain: bool = False) -> Iterator[None]:
        """A search for mistakes in writing in a log of which this many lines were audited.

        `in_vain`: in half of the hands of the game nothing explained what was found. After a hand in
        which nothing did, only a share of what was audited since is spent, until something does.
        """
        before = EFFORT.spent
        first = min(lines, _FIRST)
        most = STATE * (REPAIRS_TO_AUDIT * (_BEGIN + first) + REPAIRS_LATER * (lines - first))
        most -= self._explaining
        if in_vain:
            most = min(most, STATE * (lines // _OF_AUDIT) - self._explaining)
        if self._in_vain_at is not None:
            most = min(most, STATE * max(_AFTER_VAIN, (lines - self._in_vain_at) // _OF_AUDIT))
        try:
            with EFFORT.at_most(most):
                yield
        finally:
            self._explaining += EFFORT.spent - before

    def explained(self, lines: int, *, is_slip: bool) -> None:
        """After this many lines, a mistake in writing explained something of a hand, or nothing."""
        self._in_vain_at = None if is_slip else lines
