"""The one door to the annexes: what they have is asked for by name, and mostly done without if missing."""

from __future__ import annotations

from collections.abc import Callable
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


def names_of(module: str) -> Callable[[str], object]:
    """The `__getattr__` of a module whose names an annex has, which is loaded when one is asked for."""

    def name_of(name: str) -> object:
        return getattr(import_module(module), name)

    return name_of
