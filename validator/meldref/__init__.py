"""meldref: the referee for the Rummy 500 family of card games."""

__version__ = "0.1.0"
