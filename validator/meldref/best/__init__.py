"""The most valuable way to lay down a hand: melds and lay-offs together, exact, with the bound that proves it."""

from meldref.best.choice import best_at, best_lay_down
from meldref.best.forms import TooManyWays
from meldref.best.terms import Goal, LayDown, Spot, Terms, terms_for

__all__ = ["Goal", "LayDown", "Spot", "Terms", "TooManyWays", "best_at", "best_lay_down", "terms_for"]
