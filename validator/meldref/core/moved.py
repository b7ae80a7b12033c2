"""Names that programs import from a module of this package, and that an annex has now."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module


def names_of(home: str) -> Callable[[str], object]:
    """The `__getattr__` of a module whose names are in another one, which is loaded when asked."""

    def name_of(name: str) -> object:
        return getattr(import_module(home), name)

    return name_of
