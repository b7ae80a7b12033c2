"""What all that is shown has in common: the colours of reports, rulebooks and the page in a browser."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def looks() -> str:
    """The style sheet with the colours, by day and by night, as variables."""
    return _read("looks.css")


@cache
def card_style() -> str:
    """The style sheet of cards, which wants that of `looks` before it."""
    return _read("cards.css")


@cache
def card_symbols() -> str:
    """The cards as SVG symbols, which a page has once and uses by their ids."""
    drawn = _read("cards.svg")
    return drawn[drawn.index("<svg") :].replace(' xmlns="http://www.w3.org/2000/svg"', "")


def _read(name: str) -> str:
    return files(__package__).joinpath(name).read_text("utf-8")
