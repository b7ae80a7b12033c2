"""How objects print and show themselves in notebooks.

`report.showing` draws them. It stands far above the classes that use this module, so it is looked
up by its name when something is shown.
"""

from __future__ import annotations

from importlib import import_module
from typing import Final

_SHOWING: Final = "meldref_table.report.showing"


def text_of(value: object) -> str:
    """A few lines, as `print` shows them."""
    text: str = import_module(_SHOWING).text_of(value)
    return text


def html_of(value: object) -> str:
    """A fragment of HTML."""
    fragment: str = import_module(_SHOWING).html_of(value)
    return fragment


def svg_of(value: object) -> str | None:
    """A picture, if there is one."""
    picture: str | None = import_module(_SHOWING).svg_of(value)
    return picture
