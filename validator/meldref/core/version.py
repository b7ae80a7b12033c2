"""The version, which reports and what is cached name."""

from __future__ import annotations

from typing import Final

try:
    from meldref.core._version import version
except ModuleNotFoundError:  # the build writes that module, and these sources were never built
    version = "0+unbuilt"

__version__: Final = version


def is_compiled() -> bool:
    """Whether the modules that take the time run compiled.

    Without it the same sources run as they are.
    """
    from importlib.util import find_spec  # noqa: PLC0415  the version alone is asked for more often

    spec = find_spec("meldref.core.cards")
    return spec is not None and not str(spec.origin).endswith(".py")
