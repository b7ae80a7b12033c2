"""The two tiers of tests: what everybody runs, and the sweeps that the gate runs as well."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TypeVar

Case = TypeVar("Case")

SWEEPS = os.environ.get("MELDREF_SWEEPS") == "1"


def examples(number: int) -> int:
    """How many examples a property is tried on: all in a sweep, a twentieth of them otherwise."""
    return number if SWEEPS else max(8, number // 20)


def thinned(cases: Iterable[Case], every: int) -> list[Case]:
    """What a test goes through by itself: all cases in a sweep, every so many of them otherwise."""
    return list(cases)[:: 1 if SWEEPS else every]
