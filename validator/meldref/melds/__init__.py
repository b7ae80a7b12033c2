"""Melds: kinds and their constraints, the solver that defines them, and the book that remembers."""

from meldref.melds.formable import can_form
from meldref.melds.index import MeldIndex, meld_index
from meldref.melds.lay_off_order import First
from meldref.melds.shapes import Extension, Fault, Laid, Reading, Shape, is_low_ace

__all__ = [
    "Extension",
    "Fault",
    "First",
    "Laid",
    "MeldIndex",
    "Reading",
    "Shape",
    "can_form",
    "is_low_ace",
    "meld_index",
]
