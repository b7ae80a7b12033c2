"""Event files of programs, read as logs by maps that are data.

`door` is the way in: it finds the map (`maps`, `recognize`), reads the records (`records`) and hands
them to the `importer`, which takes values out of them (`values`), cards among these (`cards`), and
puts a hand together (`hands`); `snapshots` finds what differs between two states of a table. Our own
JSON events need no map (`own`).
"""

from __future__ import annotations

from meldref_intake.events.door import (
    NO_MAP,
    Events,
    NoMap,
    doubts,
    explained,
    intake_of,
    is_foreign,
    lines_of_records,
    listed,
    map_named,
    open_events,
    open_known,
)
from meldref_intake.events.recognize import form_at
from meldref_intake.events.records import BEGINNING

__all__ = [
    "BEGINNING",
    "NO_MAP",
    "Events",
    "NoMap",
    "doubts",
    "explained",
    "form_at",
    "intake_of",
    "is_foreign",
    "lines_of_records",
    "listed",
    "map_named",
    "open_events",
    "open_known",
]
