"""What all that is shown has in common: the colours of reports, rulebooks and the page in a browser."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Final

_ID: Final = re.compile(r'<\w+ id="([\w-]+)"')
_USED: Final = re.compile(r"(?:href=\"|url\()#([\w-]+)")


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


def drawings(names: Iterable[str]) -> str:
    """Those symbols alone, with what they are drawn of: what stands in `<defs>` of a picture."""
    drawn = _drawn_alone()
    wanted, waiting = set[str](), list(names)
    while waiting:
        name = waiting.pop()
        if name not in wanted:
            wanted.add(name)
            waiting += _USED.findall(drawn[name])
    return "".join([drawing for name, drawing in drawn.items() if name in wanted])


@cache
def _drawn_alone() -> dict[str, str]:
    """Each drawing by its id, which begins its line."""
    lines = [(_ID.match(line), line) for line in card_symbols().splitlines()]
    return {found[1]: line for found, line in lines if found is not None}


def _read(name: str) -> str:
    return files(__package__).joinpath(name).read_text("utf-8")
