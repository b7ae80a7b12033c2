"""An audit as JSON Lines: one line a finding, in the order of the logs, and the summary as the last."""

from __future__ import annotations

from collections.abc import Iterator

from meldref.report.json import dump, finding_data
from meldref.report.tally import Audited, LogTally


def log_lines(audited: Audited) -> Iterator[str]:
    """The findings of one log, each with the path of the log."""
    path = audited.report.path
    for finding in audited.report.findings:
        yield dump({"path": path, **finding_data(finding, path)})


def summary_line(tally: LogTally) -> str:
    """The last line."""
    return dump({"summary": tally.data()})
