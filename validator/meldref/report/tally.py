"""What all reports count: one log's audit with what was left out of it, and the sum over logs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import get_args

from meldref.core.diagnostics import errors_in
from meldref.core.records import fresh, record
from meldref.replay.result import LogReport, Scores, Verdict


@record(frozen=False)
class Audited:
    """The audit of a log.

    `hidden` findings, of which `hidden_errors` are errors, were counted and not kept. After
    `gave_up` lines, if not 0, the file was not read further: `too_much` was found, or few lines of
    it could be read. `earlier` scores are not kept in the report. `respelled` are lines in
    another spelling than the grammar's, in their canonical form, where that was asked for.
    """

    report: LogReport
    hidden: int = 0
    hidden_errors: int = 0
    gave_up: int = 0
    too_much: bool = False
    earlier: Iterable[Scores] = ()
    respelled: list[tuple[int, str]] = fresh(default_factory=list)

    @property
    def scores(self) -> Iterator[Scores]:
        """The scores of all hands, as far as they were kept."""
        return chain(self.earlier, self.report.scores)

    @property
    def findings(self) -> int:
        """How many findings there are."""
        return len(self.report.findings) + self.hidden

    @property
    def errors(self) -> int:
        """How many findings are errors."""
        return len(errors_in(self.report.findings)) + self.hidden_errors

    @property
    def warnings(self) -> int:
        """How many findings are warnings."""
        return self.findings - self.errors


@record(frozen=False)
class LogTally:
    """The sum over logs."""

    logs: int = 0
    clean: int = 0
    violations: int = 0
    undecided: int = 0
    unreadable: int = 0
    hands: int = 0
    turns: int = 0
    errors: int = 0
    warnings: int = 0

    def add(self, audited: Audited) -> None:
        """Counts one more log."""
        report = audited.report
        self.count(report.verdict, report.hands, report.turns, audited.errors, audited.warnings)

    def count(self, verdict: str, hands: int, turns: int, errors: int, warnings: int) -> None:
        """Counts one more log that came out so."""
        self.logs += 1
        setattr(self, verdict, getattr(self, verdict) + 1)
        self.hands += hands
        self.turns += turns
        self.errors += errors if verdict == "violations" else 0
        self.warnings += warnings

    def data(self) -> dict[str, int]:
        """The `summary` of the JSON report."""
        return {
            "logs": self.logs,
            **{verdict: getattr(self, verdict) for verdict in get_args(Verdict)},
        }
