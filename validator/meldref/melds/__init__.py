"""Melds: kinds and their constraints, the solver that defines them, and the book that remembers."""

from meldref.melds.book import MeldBook, meld_book
from meldref.melds.formable import can_form
from meldref.melds.shapes import Extension, Fault, Laid, Reading, Shape
from meldref.melds.together import First

__all__ = [
    "Extension",
    "Fault",
    "First",
    "Laid",
    "MeldBook",
    "Reading",
    "Shape",
    "can_form",
    "meld_book",
]
