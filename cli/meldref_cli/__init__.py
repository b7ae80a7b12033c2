"""The command line of meldref: a thin layer over the library."""

from __future__ import annotations

import gc

gc.set_threshold(50_000, 20, 50)
"""Importing modules makes tens of thousands of objects, and all of them stay: to look for cycles
among them after every seven hundred is a twentieth of a one-shot command, and later there are next
to none. It stands here since this comes before other imports."""
