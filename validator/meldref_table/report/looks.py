"""What all that is shown has in common: the colours of reports, rulebooks and the page in a browser."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def looks() -> str:
    """The style sheet with the colours, by day and by night, as variables."""
    return files(__package__).joinpath("looks.css").read_text("utf-8")
