"""The program `meldref`, on top of the library of that name."""

from __future__ import annotations

import gc

gc.set_threshold(50_000, 10, 10)
"""Looking for cycles after every 700 new objects takes a tenth of a one-shot command's time, and importing modules
makes tens of thousands that stay. Set here, since it comes before any other import."""
