"""`meldref audit`: replays logs, reports every violation, recomputes every score."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Final, NamedTuple, TypeAlias

import typer

from meldref.core.text import in_words
from meldref_cli import options, output
from meldref_cli.errors import CLEAN, OUR_FAULT, UNUSABLE, WRONG, Unusable, status

if TYPE_CHECKING:
    from meldref.archive.auditing import Task, TaskResult
    from meldref.report.tally import LogTally
    from meldref_cli.ruleset_args import RulesetRequest


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


Jobs: TypeAlias = Annotated[
    int,
    typer.Option(
        "--jobs", "-j", min=0, metavar="N", help="The number of processes that share the logs; 0: one per core."
    ),
]
Listed: TypeAlias = Annotated[
    str | None, typer.Option("--from", metavar="FILE", help="A file that lists more logs, one per line.")
]
Into: TypeAlias = Annotated[
    str | None,
    typer.Option("--into", metavar="DIR", help="Write tables of logs, findings and scores into this folder."),
]
Tables: TypeAlias = Annotated[As | None, typer.Option("--as", help="The format of the tables.  [default: jsonl]")]
Column: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--column",
        metavar="NAME",
        help="The column of .jsonl and .parquet files that holds the logs.  [default: log]",
    ),
]
Resume: TypeAlias = Annotated[bool, typer.Option("--resume", help="Continue a run that was interrupted.")]
Force: TypeAlias = Annotated[bool, typer.Option("--force", help="Overwrite an existing run.")]
LimitTime: TypeAlias = Annotated[
    float | None,
    typer.Option("--limit-time", min=0.001, metavar="SECONDS", help="The longest time a log may take."),
]
LimitMemory: TypeAlias = Annotated[
    str | None,
    typer.Option("--limit-memory", metavar="SIZE", help="The most memory a log may use, such as 512M or 2G."),
]
Engine: TypeAlias = Annotated[
    On | None, typer.Option("--engine", help="Where to run: on this machine, or on Ray.")
]
Address: TypeAlias = Annotated[
    str | None,
    typer.Option("--address", metavar="ADDRESS", help="The address of Ray; if left out, a local Ray is started."),
]


def audit(
    logs: Annotated[
        list[str] | None,
        typer.Argument(metavar="LOG...", help="Logs, compressed or not; folders; patterns; - for standard input."),
    ] = None,
    rules: options.Rules = None,
    with_: options.With = None,
    set_: options.Set = None,
    trust_paths: options.TrustPaths = False,
    format_: options.AsReport = options.ReportFormat.TEXT,
    jobs: Jobs = 1,
    expect: options.Expect = False,
    strict: options.Strict = False,
    from_: Listed = None,
    into: Into = None,
    as_: Tables = None,
    column: Column = None,
    resume: Resume = False,
    force: Force = False,
    limit_time: LimitTime = None,
    limit_memory: LimitMemory = None,
    engine: Engine = None,
    address: Address = None,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
    exit_zero: options.ExitZero = False,
) -> int:
    """Replays logs, reports every violation, and recalculates every score.

    A folder stands for all *.rgn, *.rgn.gz, *.rgn.zst and *.zip below it. --rules replaces the [Rules] of a log;
    --with and --set go over its [Options] and [Set]. Rules files that a log names lie in its own folder or below,
    unless --trust-paths is given.

    Exit status: 0 clean or undecided, 1 violations, 2 a log that cannot be read.
    """
    from meldref_cli.ruleset_args import asked

    given = list(dict.fromkeys(logs or []))
    wanted = asked(rules, with_, set_, read=[*[("LOG", log) for log in given], ("--from", from_)])
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
    from meldref.report.tally import LogTally

    text = how.format is options.ReportFormat.TEXT
    audits, tally = Audits(names, quiet=how.quiet), LogTally()
    keep = ENOUGH if text and not how.expect else MOST
    scores = how.verbose if text else how.format is options.ReportFormat.JSON
    suggestions = not (text and how.quiet)
    tasks = [
        Task(log.name, how.asked, keep, scores, suggestions, how.expect, how.trust_paths, log)
        for log in audits.logs
    ]
    results = audits.results(tasks, how.jobs, *how.limits, strict=how.strict, verbose=how.verbose)
    if text:
        output.write_all(_text(results, tally, how, several=len(tasks) > 1))
    elif how.format is options.ReportFormat.JSON:
        output.write_all(_json(results, tally), end="")
    elif how.format is options.ReportFormat.JSONL:
        output.write_all(_json_lines(results, tally))
    else:
        _for_machines(results, tally, how, audits)
    return status(audits.worst, exit_zero=how.exit_zero)


class Audits:
    """Logs that are audited to be reported on, and the worst that was found in them, as an exit status."""

    def __init__(self, names: Sequence[str], *, quiet: bool) -> None:
        from meldref_cli.archiving import logs_for_reports, say_what_was_left_out

        self.logs, self.troubles, left_out = logs_for_reports(names)
        self.worst = UNUSABLE if self.troubles else CLEAN
        self._quiet = quiet
        for trouble in self.troubles:
            output.error(trouble)
        say_what_was_left_out([] if quiet else left_out)

    def results(
        self, tasks: Sequence[Task], jobs: int, seconds: float | None, memory: int, *, strict: bool, verbose: bool
    ) -> Iterator[TaskResult]:
        """What becomes of each log, as it comes; why there is no audit of one is said at once."""
        from meldref.archive.audit import audit_all
        from meldref_cli.progress import Bar

        with Bar(sum(log.size for log in self.logs), wanted=not self._quiet) as bar:
            for result in audit_all(tasks, jobs, bar.told, seconds, memory):
                bar.hide()
                self.worst = max(self.worst, _status_of(result, strict=strict))
                _say_trouble(result, verbose=verbose)
                yield result
                if not result.trouble and not result.audited.report.games and not self._quiet:
                    from meldref_cli.wrong_file_kind import LOG, say_what_it_is

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


def _text(results: Iterable[TaskResult], tally: LogTally, how: _How, *, several: bool) -> Iterator[str]:
    """The report for people."""
    from meldref.report.text import log_text, summary_text

    style = output.style_for()
    for result in results:
        audited = result.audited
        tally.add(audited)
        if not (result.trouble or result.fault):
            yield from log_text(audited, style=style, quiet=how.quiet, verbose=how.verbose)
            if several and audited.report.findings and not how.quiet:
                yield ""
    if several and not how.quiet:
        yield summary_text(tally)


def _json(results: Iterable[TaskResult], tally: LogTally) -> Iterator[str]:
    """The report as one JSON object, written log by log."""
    from meldref.report.json import closing, log_text, opening

    yield opening()
    between = "\n"
    for result in results:
        tally.add(result.audited)
        yield between
        yield from log_text(result.audited)
        yield "\n"
        between = ","
    yield closing(tally) + "\n"


def _json_lines(results: Iterable[TaskResult], tally: LogTally) -> Iterator[str]:
    """The report as a line of JSON a finding."""
    from meldref.report.jsonl import log_lines, summary_line

    for result in results:
        tally.add(result.audited)
        yield from log_lines(result.audited)
    yield summary_line(tally)


def _for_machines(results: Iterable[TaskResult], tally: LogTally, how: _How, audits: Audits) -> None:
    """The report in a format of other programs; what cannot be audited is in it, too."""
    from meldref.report.examined import examined_log
    from meldref.report.text import summary_text
    from meldref_cli.machine_reports import machine_report

    report = machine_report(how.format, "meldref audit", strict=how.strict, quiet=how.quiet)
    for trouble in audits.troubles:
        report.trouble(trouble)
    for result in results:
        tally.add(result.audited)
        report.add(examined_log(result.audited, result.fault))
    report.end(status(audits.worst, exit_zero=how.exit_zero), summary_text(tally))
