"""`meldref audit`: replays logs, reports every violation, recomputes every score."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING, Annotated

import typer

from meldref_cli import options, output
from meldref_cli.errors import CLEAN, OUR_FAULT, UNUSABLE, WRONG, status

if TYPE_CHECKING:
    from meldref_cli.auditing import Task, TaskResult
    from meldref_cli.machine_reports import MachineReport


def audit(
    logs: Annotated[
        list[str],
        typer.Argument(metavar="LOG...", help="Logs; folders, for all *.rgn below them; - for standard input."),
    ],
    rules: options.Rules = None,
    with_: options.With = None,
    set_: options.Set = None,
    trust_paths: options.TrustPaths = False,
    format_: options.AsReport = options.ReportFormat.TEXT,
    jobs: Annotated[
        int, typer.Option("--jobs", "-j", min=0, metavar="N", help="Processes that share the logs; 0: one a core.")
    ] = 1,
    expect: Annotated[
        bool, typer.Option("--expect", help="Pass where exactly the violations occur that lines expect (?! CODE).")
    ] = False,
    strict: Annotated[
        bool, typer.Option("--strict", help="Exit with 1 where something could not be decided, too.")
    ] = False,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
    exit_zero: options.ExitZero = False,
) -> int:
    """Replays logs, reports every violation, and recomputes every score.

    --rules replaces the [Rules] of a log; --with and --set go over its [Options] and [Set]. Rules files that a log
    names lie in its own folder or below, unless --trust-paths is given.

    Exit status: 0 clean or undecided, 1 violations, 2 a log that cannot be read.
    """
    import os

    from meldref_cli.auditing import ENOUGH, MOST, Task
    from meldref_cli.files import expand_all
    from meldref_cli.progress import Bar
    from meldref_cli.ruleset_args import asked
    from meldref_cli.workers import audit_all, size_of

    text = format_ is options.ReportFormat.TEXT
    wanted = asked(rules, with_, set_, read=[("LOG", log) for log in dict.fromkeys(logs)])
    paths, troubles = expand_all(logs, (".rgn",))
    worst = UNUSABLE if troubles else CLEAN
    keep = ENOUGH if text and not expect else MOST
    scores = verbose if text else format_ is options.ReportFormat.JSON
    suggestions = not (text and quiet)
    tasks = [Task(path, wanted, keep, scores, suggestions, expect, trust_paths) for path in paths]
    report = _report(format_, tasks, strict=strict, quiet=quiet, verbose=verbose)
    for trouble in troubles:
        report.trouble(trouble)
    with Bar(sum(map(size_of, paths)), wanted=not quiet) as bar:
        for outcome in audit_all(tasks, jobs or os.cpu_count() or 1, bar.told):
            bar.hide()
            worst = max(worst, _status(outcome, strict=strict))
            _say_trouble(outcome, verbose=verbose)
            report.add(outcome)
            if not outcome.trouble and not outcome.audited.report.games and not quiet:
                from meldref_cli.wrong_file_kind import LOG, say_what_it_is

                say_what_it_is(outcome.audited.report.path, LOG)
    code = status(worst, exit_zero=exit_zero)
    report.end(code)
    return code


def _status(outcome: TaskResult, *, strict: bool) -> int:
    if outcome.fault:
        return OUR_FAULT
    match outcome.audited.report.verdict:
        case "violations":
            return WRONG
        case "unreadable":
            return UNUSABLE
        case "undecided":
            return WRONG if strict else CLEAN
        case "clean":
            return CLEAN


def _say_trouble(outcome: TaskResult, *, verbose: bool) -> None:
    path = outcome.audited.report.path
    if outcome.fault:
        output.notice(f"meldref: internal error: {path}: {outcome.fault}")
        output.notice("This is a fault of meldref, not yours: please report it with the log.")
        if verbose:
            output.notice_lines(outcome.traceback)
    elif outcome.trouble:
        output.error(f"{path}: {outcome.trouble}")


def _report(
    format_: options.ReportFormat, tasks: Sequence[Task], *, strict: bool, quiet: bool, verbose: bool
) -> _Report:
    if format_ is options.ReportFormat.JSON:
        return _Json()
    if format_ is options.ReportFormat.JSONL:
        return _JsonLines()
    if format_ is options.ReportFormat.TEXT:
        return _Text(len(tasks), quiet=quiet, verbose=verbose)
    from meldref_cli.machine_reports import machine_report

    return _ForMachines(machine_report(format_, "meldref audit", strict=strict, quiet=quiet))


class _Report(ABC):
    """What all reports have: the count of their logs."""

    def __init__(self) -> None:
        from meldref.report.tally import LogTally

        self._tally: LogTally = LogTally()

    def trouble(self, message: str) -> None:
        """Something that cannot be audited."""
        output.error(message)

    @abstractmethod
    def add(self, outcome: TaskResult) -> None:
        """One more log."""

    @abstractmethod
    def end(self, status: int) -> None:
        """All logs have been audited; the exit status."""


class _Text(_Report):
    """The report for people."""

    def __init__(self, logs: int, *, quiet: bool, verbose: bool) -> None:
        super().__init__()
        self._several = logs > 1
        self._quiet = quiet
        self._verbose = verbose
        self._style = output.style_for()

    def add(self, outcome: TaskResult) -> None:
        """One more log."""
        from meldref.report.text import log_text

        self._tally.add(outcome.audited)
        if outcome.trouble or outcome.fault:
            return
        output.write_all(log_text(outcome.audited, style=self._style, quiet=self._quiet, verbose=self._verbose))
        if self._several and outcome.audited.report.findings and not self._quiet:
            output.write("")

    def end(self, status: int) -> None:
        """The last line."""
        from meldref.report.text import summary_text

        if self._several and not self._quiet:
            output.write(summary_text(self._tally))


class _Json(_Report):
    """The report as one JSON object, written log by log."""

    def __init__(self) -> None:
        super().__init__()
        self._between = ""

    def add(self, outcome: TaskResult) -> None:
        """One more log."""
        from meldref.report.json import log_text, opening

        output.write_all(chain((self._between or opening() + "\n",), log_text(outcome.audited), "\n"), end="")
        self._between = ","
        self._tally.add(outcome.audited)

    def end(self, status: int) -> None:
        """The summary."""
        from meldref.report.json import closing, opening

        output.write(("" if self._between else opening()) + closing(self._tally))


class _JsonLines(_Report):
    """The report as a line of JSON a finding."""

    def add(self, outcome: TaskResult) -> None:
        """One more log."""
        from meldref.report.jsonl import log_lines

        output.write_all(log_lines(outcome.audited))
        self._tally.add(outcome.audited)

    def end(self, status: int) -> None:
        """The summary."""
        from meldref.report.jsonl import summary_line

        output.write(summary_line(self._tally))


class _ForMachines(_Report):
    """The report in a format of other programs."""

    def __init__(self, report: MachineReport) -> None:
        super().__init__()
        self._report = report

    def trouble(self, message: str) -> None:
        """Something that cannot be audited; it is in the report, too, which may be all that anybody sees."""
        super().trouble(message)
        self._report.trouble(message)

    def add(self, outcome: TaskResult) -> None:
        """One more log."""
        from meldref.report.examined import examined_log

        self._tally.add(outcome.audited)
        self._report.add(examined_log(outcome.audited, outcome.fault))

    def end(self, status: int) -> None:
        """The end of the report."""
        from meldref.report.text import summary_text

        self._report.end(status, summary_text(self._tally))
