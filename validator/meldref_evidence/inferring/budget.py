"""How much work finding rules may take, and which rules were not tried for want of it."""

from __future__ import annotations

import sys
from typing import Final

from meldref_evidence.inferring.draft import Draft

_WORK: Final = 1_000_000
"""How much is judged to find rules: what a hundred hands take, or a log of twenty, and some more;"""
_WORK_AFTER_A_CUT: Final = 140_000
"""and how much if a log is so long that only its beginning is looked at."""
_A_FINDING: Final = 20
"""What it takes to find something, as in lines that are judged."""


class Budget:
    """The work that finding rules may take, counted so that it ends alike on every machine.

    The unit is a line, or an action on it, that is judged. `left_out` are the drafts that were not
    judged any more.
    """

    def __init__(self, units: int = sys.maxsize) -> None:
        self.left = units
        self.left_out: set[Draft] = set()

    @classmethod
    def usual(cls, *, cut: bool) -> Budget:
        """That of all logs, of which some were `cut`, or none."""
        return cls(_WORK_AFTER_A_CUT if cut else _WORK)

    @property
    def over(self) -> bool:
        """Whether it is spent."""
        return self.left <= 0

    def spend(self, effort: int, findings: int) -> None:
        """Takes from it what it takes to judge a log once, with a number of findings."""
        self.left -= effort + _A_FINDING * findings
