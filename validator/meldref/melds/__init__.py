"""Melds: kinds and their constraints, the solver that defines them, and the book that remembers."""

from meldref.melds.formable import can_form
from meldref.melds.index import MeldIndex, meld_index
from meldref.melds.lay_off_order import First
from meldref.melds.shapes import Extension, Fault, Laid, Reading, Shape

__all__ = [
    "Extension",
    "Fault",
    "First",
    "Laid",
    "MeldIndex",
    "Reading",
    "Shape",
    "can_form",
    "meld_index",
]
