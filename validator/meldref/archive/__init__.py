"""Archives: logs by the million, audited into three tables, here or on many machines."""

from __future__ import annotations

from meldref.archive.audit import Request, audit_logs
from meldref.archive.rows import TABLES, Rows
from meldref.archive.sources import Log
from meldref.archive.tables import logs_of

__all__ = ["TABLES", "Log", "Request", "Rows", "audit_logs", "logs_of"]
