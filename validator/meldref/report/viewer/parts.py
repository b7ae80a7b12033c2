"""The pieces of the page, HTML in `parts.html`: whatever is put into one is escaped, unless it is HTML."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

from meldref.report.elements import Html, Part, join


@cache
def read(name: str) -> str:
    """A file of the page."""
    return (files("meldref.report.viewer") / name).read_text(encoding="utf-8")


@cache
def _parts() -> dict[str, str]:
    _, *parts = re.split(r"<!-- ([\w-]+) -->\n", read("parts.html"))
    return {name: part.rstrip("\n") for name, part in zip(parts[::2], parts[1::2], strict=True)}


def part(name: str, /, **pieces: Part | int) -> Html:
    """A piece of the page with its places filled."""
    filled = {key: join([str(piece) if isinstance(piece, int) else piece]) for key, piece in pieces.items()}
    return Html(_parts()[name].format_map(filled))
