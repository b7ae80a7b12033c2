"""`meldref audit`: replays logs, reports every violation, recomputes every score."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from itertools import chain
from typing import TYPE_CHECKING, Final, NamedTuple

from meldref.core.text import in_words
from meldref_cli import options, output
from meldref_cli.errors import CLEAN, OUR_FAULT, UNUSABLE, WRONG, Unusable, status
from meldref_cli.findings import LOG, say_what_it_is
from meldref_cli.reports import Subject, report_on
from meldref_cli.ruleset_args import RulesetRequest, asked

if TYPE_CHECKING:
    from meldref.archive.auditing import Task, TaskResult
    from meldref.report.examined import Examined
    from meldref.report.json import Data


_LEAST: Final = 1 << 24
"""With less memory no audit gets under way."""
_SIZE: Final = r"(\d{1,9})([kmgt]?)(?:i?b)?"


class As(StrEnum):
    """How tables are written."""

    JSONL = "jsonl"
    CSV = "csv"
    PARQUET = "parquet"


class On(StrEnum):
    """What drives the audits of an archive."""

    LOCAL = "local"
    RAY = "ray"


def audit(
    logs: list[str] | None = None,
    rules: options.RulesOptions = options.NO_RULES,
    trust_paths: bool = False,
    format_: options.ReportFormat = options.ReportFormat.TEXT,
    jobs: int = 1,
    expect: bool = False,
    strict: bool = False,
    from_: str | None = None,
    into: str | None = None,
    as_: As | None = None,
    column: str | None = None,
    resume: bool = False,
    force: bool = False,
    limit_time: float | None = None,
    limit_memory: str | None = None,
    engine: On | None = None,
    address: str | None = None,
    quiet: bool = False,
    verbose: bool = False,
    exit_zero: bool = False,
) -> int:
    """Replays logs, reports every violation, and recalculates every score."""
    given = list(dict.fromkeys(logs or []))
    wanted = asked(*rules, read=[*[("LOG", log) for log in given], ("--from", from_)])
    names = _names(given, from_, trust_urls=trust_paths)
    if into is None:
        for_tables: dict[str, object] = {
            "--as": as_,
            "--column": column,
            "--resume": resume,
            "--force": force,
            "--address": address,
            "--engine": engine,
        }
        if misplaced := [option for option, value in for_tables.items() if value]:
            raise Unusable(f"{in_words(misplaced)}: without --into DIR there are no tables")
        limits = limit_time, bytes_of(limit_memory)
        how = _How(wanted, format_, jobs, limits, expect, strict, trust_paths, quiet, verbose, exit_zero)
        return _report_on(names, how)
    from meldref.archive.audit import Request
    from meldref_cli.archiving import Archive, audit_into

    if format_ is not options.ReportFormat.TEXT:
        raise Unusable("--format is for reports, and --into writes tables: give one of them")
    if address and engine is not On.RAY:
        raise Unusable("--address: this is where Ray is; give --engine ray, too")
    request = Request(*wanted, trust_paths, expect, limit_time, bytes_of(limit_memory))
    archive = Archive(
        names, into, request, as_ or As.JSONL, column, engine or On.LOCAL, address or "", jobs, resume, force
    )
    return audit_into(archive, strict=strict, quiet=quiet, exit_zero=exit_zero)


def bytes_of(text: str | None) -> int:
    """A number of bytes as people write it: `512M`, `2G`; 0 where none is given.

    Raises:
        Unusable: it is none, or too few, or this system limits no memory.
    """
    if text is None:
        return 0
    found = re.fullmatch(_SIZE, text.strip().lower())
    if found is None:
        raise Unusable(f"--limit-memory {text}: a number of bytes is written as 512M or 2G")
    size = int(found[1]) << (10 * " kmgt".index(found[2] or " "))
    if size < _LEAST:
        raise Unusable(f"--limit-memory {text}: it is at least {_LEAST >> 20}M")
    try:
        import resource  # noqa: F401  whether there is one
    except ImportError as missing:
        raise Unusable("--limit-memory: this system limits no memory") from missing
    return size


def _names(given: list[str], list_: str | None, *, trust_urls: bool) -> list[str]:
    """The names of what is audited, each once.

    Raises:
        Unusable: there are none, the list cannot be read, or URLs are in it that nobody trusts.
    """
    if list_ is None:
        if not given:
            raise Unusable("missing argument LOG: give logs, or --from a list of them")
        return given
    from meldref.core.safe_files import is_url
    from meldref.core.text import one_line
    from meldref_cli.archiving import names_in

    listed = list(names_in(list_))
    url = None if trust_urls else next((name for name in listed if is_url(name)), None)
    if url is not None:
        raise Unusable(f"{list_}: {one_line(url)}: URLs of a list are fetched only with --trust-paths")
    if not given and not listed:
        raise Unusable(f"{list_}: no log is listed there")
    return list(dict.fromkeys([*given, *listed]))


class _How(NamedTuple):
    """How logs are audited and reported on."""

    asked: RulesetRequest
    format: options.ReportFormat
    jobs: int
    limits: tuple[float | None, int]
    expect: bool
    strict: bool
    trust_paths: bool
    quiet: bool
    verbose: bool
    exit_zero: bool


def _report_on(names: Sequence[str], how: _How) -> int:
    """Audits logs and reports on them; the exit status."""
    from meldref.archive.auditing import ENOUGH, MOST, Task

    text = how.format is options.ReportFormat.TEXT
    audits = Audits(names, quiet=how.quiet)
    keep = ENOUGH if text and not how.expect else MOST
    scores = how.verbose if text else how.format is options.ReportFormat.JSON
    suggestions = not (text and how.quiet)
    tasks = [
        Task(log.name, how.asked, keep, scores, suggestions, how.expect, how.trust_paths, log)
        for log in audits.logs
    ]
    subject = _Logs(len(tasks), quiet=how.quiet, verbose=how.verbose)
    report = report_on(subject, how.format, strict=how.strict, quiet=how.quiet)
    for trouble in audits.troubles:
        report.trouble(trouble)
    for result in audits.results(tasks, how.jobs, *how.limits, strict=how.strict, verbose=how.verbose):
        report.add(result)
    code = status(audits.worst, exit_zero=how.exit_zero)
    report.end(code)
    return code


class Audits:
    """Logs that are audited to be reported on, and the worst that was found in them, as an exit status."""

    def __init__(self, names: Sequence[str], *, quiet: bool) -> None:
        from meldref_cli.archiving import logs_for_reports

        self.logs, self.troubles, self._left_out = logs_for_reports(names)
        self.worst = UNUSABLE if self.troubles else CLEAN
        self._quiet = quiet

    def results(
        self, tasks: Sequence[Task], jobs: int, seconds: float | None, memory: int, *, strict: bool, verbose: bool
    ) -> Iterator[TaskResult]:
        """What becomes of each log, as it comes; why there is no audit of one is said at once."""
        from meldref.archive.audit import audit_all
        from meldref_cli.archiving import say_what_was_left_out
        from meldref_cli.progress import Bar

        say_what_was_left_out([] if self._quiet else self._left_out)
        with Bar(sum(log.size for log in self.logs), wanted=not self._quiet) as bar:
            for result in audit_all(tasks, jobs, bar.told, seconds, memory):
                bar.hide()
                self.worst = max(self.worst, _status_of(result, strict=strict))
                _say_trouble(result, verbose=verbose)
                yield result
                if not result.trouble and not result.audited.report.games and not self._quiet:
                    say_what_it_is(result.audited.report.path, LOG)


def _status_of(outcome: TaskResult, *, strict: bool) -> int:
    """What the audit of one log makes of the exit status."""
    if outcome.fault:
        return OUR_FAULT
    by_verdict = {"violations": WRONG, "unreadable": UNUSABLE, "undecided": WRONG if strict else CLEAN}
    return by_verdict.get(outcome.audited.report.verdict, CLEAN)


def _say_trouble(outcome: TaskResult, *, verbose: bool) -> None:
    """Says why a log could not be audited, where it could not."""
    path = outcome.audited.report.path
    if outcome.fault:
        output.notice(f"meldref: internal error: {path}: {outcome.fault}")
        output.notice("This is a fault of meldref, not yours: please report it with the log.")
        if verbose:
            output.notice_lines(outcome.traceback)
    elif outcome.trouble:
        output.error(f"{path}: {outcome.trouble}")


class _Logs(Subject["TaskResult"]):
    """Logs, as they are reported on."""

    command = "meldref audit"
    between = ","

    def __init__(self, logs: int, *, quiet: bool, verbose: bool) -> None:
        from meldref.report.json import opening
        from meldref.report.tally import LogTally

        self.opening = opening() + "\n"
        self._tally: LogTally = LogTally()
        self._several = logs > 1 and not quiet
        self._quiet = quiet
        self._verbose = verbose

    def add(self, one: TaskResult) -> None:
        self._tally.add(one.audited)

    def text(self, one: TaskResult) -> Iterator[str]:
        from meldref.report.text import log_text

        if one.trouble or one.fault:
            return
        yield from log_text(one.audited, style=output.style_for(), quiet=self._quiet, verbose=self._verbose)
        if self._several and one.audited.report.findings:
            yield ""

    def ending(self) -> Sequence[str]:
        return [self.summary()] if self._several else []

    def entry(self, one: TaskResult) -> Iterator[str]:
        from meldref.report.json import log_text

        return chain(log_text(one.audited), "\n")

    def rows(self, one: TaskResult) -> Iterator[Data]:
        from meldref.report.json import finding_rows

        return finding_rows(one.audited.report.path, one.audited.report.findings)

    def examined(self, one: TaskResult) -> Examined:
        from meldref.report.examined import examined_log

        return examined_log(one.audited, one.fault)

    def summary(self) -> str:
        from meldref.report.text import summary_text

        return summary_text(self._tally)

    def totals(self) -> dict[str, Data]:
        return dict(self._tally.data())
