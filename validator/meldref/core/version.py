"""The version, which reports and what is cached name."""

from __future__ import annotations

from typing import Final

__version__: Final = "0.1.0"


def is_compiled() -> bool:
    """Whether the modules that take the time run compiled; without it the same sources run as they are."""
    from meldref.core import cards  # noqa: PLC0415  the version is asked for without any of it

    return not str(cards.__file__).endswith(".py")
