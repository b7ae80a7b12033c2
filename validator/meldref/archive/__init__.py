"""Archives: logs by the million, audited into three tables, here or on many machines."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from meldref.archive.audit import Request, audit_logs
    from meldref.archive.rows import TABLES, Rows
    from meldref.archive.sources import Log
    from meldref.archive.tables import logs_of

__all__ = ["TABLES", "Log", "Request", "Rows", "audit_logs", "logs_of"]

_HOMES = {"Request": "audit", "audit_logs": "audit", "Log": "sources", "logs_of": "tables"}


def __getattr__(name: str) -> object:
    """What is asked of the package comes from its module, which is loaded then: reports need no tables."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES.get(name, 'rows')}"), name)
