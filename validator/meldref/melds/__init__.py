"""Melds: kinds and their constraints, the solver that defines them, and the book that remembers.

`kinds` state the constraints, `solver` solves them, `tables` keep what it found, `lay_off_index`,
`interpret`, `extending`, `lay_off_order` (cards laid off at once) and `listing` look up,
`explain_failure` explains; `formable` says whether a kind can be formed at all; `shapes` are what
the table sees; `index` is the door.
"""

from meldref.melds.formable import can_form
from meldref.melds.index import MeldIndex, meld_index
from meldref.melds.kinds import AROUND, HIGH, LOW, UNPLACED, AcePlace
from meldref.melds.lay_off_order import First
from meldref.melds.shapes import Extension, Fault, Laid, Reading, Shape, ace_place_of

__all__ = [
    "AROUND",
    "HIGH",
    "LOW",
    "UNPLACED",
    "AcePlace",
    "Extension",
    "Fault",
    "First",
    "Laid",
    "MeldIndex",
    "Reading",
    "Shape",
    "ace_place_of",
    "can_form",
    "meld_index",
]
