"""The one door to the annexes: they are asked by name, and what they know can be done without."""

from __future__ import annotations

from collections.abc import Callable
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


def names_of(module: str) -> Callable[[str], object]:
    """The `__getattr__` of a module whose names an annex has, which is loaded when one is asked for."""

    def name_of(name: str) -> object:
        return getattr(import_module(module), name)

    return name_of
