"""The one door to what stands on the referee: asked for by name, done without if it is missing."""

from __future__ import annotations

from importlib import import_module
from typing import TypeVar

_T = TypeVar("_T")


def from_annex(module: str, name: str, otherwise: _T) -> _T:
    """What a module outside the referee offers under a name; `otherwise` if it is not installed."""
    try:
        offered: _T = getattr(import_module(module), name)
    except ModuleNotFoundError as missing:
        # A module that is missing within the annex is a mistake of ours.
        if missing.name is None or not f"{module}.".startswith(f"{missing.name}."):
            raise
        return otherwise
    return offered
