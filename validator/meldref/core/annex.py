"""The one door to what stands on the referee: asked for by name, and done without if it is missing."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def from_annex(module: str, name: str) -> Any:
    """What a module outside of the referee offers under a name; None where it is not installed."""
    try:
        return getattr(import_module(module), name)
    except ModuleNotFoundError as missing:
        if missing.name is not None and f"{module}.".startswith(f"{missing.name}."):
            return None
        raise
