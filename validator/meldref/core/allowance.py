"""The work that house rules may take."""

from __future__ import annotations

from typing import Final

EFFORT_ON_HOUSE_RULES = 3_000_000
"""How many parts of conditions are looked at for one log, or one rules file,"""
EFFORT_ON_A_CHARACTER: Final = 2
"""and how many more for each character of a log, so that long ones are asked to the end."""


class Allowance:
    """The work that the house rules of a log, or of a rules file, may take.

    The unit is a part of a condition that is looked at, or a card or meld that is looked at to
    answer it: a microsecond. Once `left` is below 0, house rules are asked no more, which is
    reported once.
    """

    def __init__(self, units: int | None = None) -> None:
        self.left: int = EFFORT_ON_HOUSE_RULES if units is None else units

    @property
    def over(self) -> bool:
        """Whether it is spent."""
        return self.left < 0
