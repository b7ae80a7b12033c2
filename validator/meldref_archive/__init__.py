"""Archives: logs by the million, audited into three tables, here or on many machines.

`sources` and `tables` say where logs are, `members` unpacks those of a .zip a little at a time,
`auditing` audits one in bounded memory, `rows` declares the columns and writes the tables,
`splitting` shares the games of a large one among processes,
`audit` makes a chunk of logs into rows, or into reports, `workers` lead processes, `journal` and
`run` (with its engines) keep a folder of tables.
"""

from __future__ import annotations

from meldref_archive.audit import Request, audit_logs
from meldref_archive.rows import TABLES, Rows
from meldref_archive.sources import Log
from meldref_archive.tables import logs_of

__all__ = ["TABLES", "Log", "Request", "Rows", "audit_logs", "logs_of"]
