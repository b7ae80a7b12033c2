"""The two tiers of tests: what everybody runs, and the sweeps that the gate runs as well."""

from __future__ import annotations

import os

SWEEPS = os.environ.get("MELDREF_SWEEPS") == "1"


def examples(number: int) -> int:
    """How many examples a property is tried on: all in a sweep, a tenth of them otherwise."""
    return number if SWEEPS else max(10, number // 10)
