"""The tiers of tests: what everybody runs, and the sweeps, of which the gate runs a part as well."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TypeVar

Case = TypeVar("Case")

SWEEPS = int(os.environ.get("MELDREF_SWEEPS") or 0)
"""Of the sweeps, every so many are run: 1 for all of them, 0 for none."""


def examples(number: int) -> int:
    """How many examples a property is tried on: the sweeps' part of them, or else a twentieth."""
    return max(8, number // (SWEEPS or 20))


def thinned(cases: Iterable[Case], every: int) -> list[Case]:
    """What a test goes through by itself: the sweeps' part of all cases, or else every so many of them."""
    return list(cases)[:: SWEEPS or every]
