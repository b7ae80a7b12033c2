"""Rules files: found, checked against the schema, merged, fixed and traced; `load` is the door."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from meldref.rulefiles.files import Shipped, list_rulesets
    from meldref.rulefiles.load import Setting, Settings, load_ruleset

__all__ = ["Setting", "Settings", "Shipped", "list_rulesets", "load_ruleset"]

_HOMES = {
    "Setting": "files",
    "Settings": "files",
    "Shipped": "files",
    "list_rulesets": "files",
    "load_ruleset": "load",
}


def __getattr__(name: str) -> object:
    """What is asked of the package comes from its module, which is loaded then."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
