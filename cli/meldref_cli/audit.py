"""`meldref audit` and `meldref report`: findings in logs as reports, as tables and as a page."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Annotated, Any

import typer

from meldref.core.diagnostics import ENOUGH, MOST
from meldref.core.editing import LINE_END
from meldref.core.safe_files import is_url
from meldref.core.text import in_words, one_line
from meldref.report.examined import Examined, examined_log
from meldref.report.json import Data, log_text, opening
from meldref.report.tally import LogTally
from meldref.report.text import log_text as text_of_log
from meldref.report.text import summary_text
from meldref_cli import options, output
from meldref_cli.auditing import As, AuditOptions, On, TableOptions, bytes_of, say_what_was_left_out
from meldref_cli.errors import Unusable, status
from meldref_cli.files import named_logs, read_bytes
from meldref_cli.findings import LOG, say_what_it_is, tell_troubles
from meldref_cli.foreign import Asked, as_log
from meldref_cli.hinting import RulesHint
from meldref_cli.progress import Bar
from meldref_cli.reports import Subject, report_on, status_of
from meldref_cli.ruleset_args import RulesetRequest, asked
from meldref_cli.writing import check_may_write, deliver, output_into

if TYPE_CHECKING:
    from meldref.replay.result import LogReport
    from meldref_archive.auditing import TaskResult
    from meldref_cli.witnessing import WitnessFolder


_Logs = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="LOG...",
        help="Logs, compressed or not; folders; patterns; - for standard input.",
    ),
]
_From = Annotated[
    str | None,
    typer.Option("--from", metavar="FILE", help="A file that lists more logs, one per line."),
]
_Into = Annotated[
    str | None,
    typer.Option(
        "--into",
        metavar="DIR",
        help="Write tables of logs, findings and scores into this folder.",
    ),
]
_As = Annotated[As | None, typer.Option("--as", help="The format of the tables.  [default: jsonl]")]
_Column = Annotated[
    str | None,
    typer.Option(
        "--column",
        metavar="NAME",
        help="The column of .jsonl and .parquet files that holds the logs.  [default: log]",
    ),
]
_Resume = Annotated[bool, typer.Option("--resume", help="Continue a run that was interrupted.")]
_Engine = Annotated[
    On | None, typer.Option("--engine", help="Where to run: on this machine, or on Ray.")
]
_Witness = Annotated[
    str | None,
    typer.Option(
        "--witness",
        metavar="DIR",
        help="Write a full log that fits each log with unknown cards into this folder.",
    ),
]
_Twice = Annotated[
    bool,
    typer.Option(
        "--twice",
        help="Replay games that a glance confirms, too, and compare what both say.",
    ),
]
_Address = Annotated[
    str | None,
    typer.Option(
        "--address",
        metavar="ADDRESS",
        help="The address of Ray; if left out, a local Ray is started.",
    ),
]


def audit(
    logs: _Logs = None,
    rules: options.Rules = None,
    with_: options.With = None,
    set_: options.Set = None,
    sheet: options.Sheet = None,
    map_: options.Map = None,
    trust_paths: options.TrustPaths = False,
    expect: options.Expect = False,
    strict: options.Strict = False,
    jobs: options.Jobs = None,
    limit_time: options.LimitTime = None,
    limit_memory: options.LimitMemory = None,
    format_: options.ReportFormatOption = options.ReportFormat.TEXT,
    from_: _From = None,
    into: _Into = None,
    as_: _As = None,
    column: _Column = None,
    resume: _Resume = False,
    force: Annotated[
        bool, typer.Option("--force", help="Overwrite an existing run, or file.")
    ] = False,
    engine: _Engine = None,
    address: _Address = None,
    witness: _Witness = None,
    twice: _Twice = False,
    out: options.Output = None,
    quiet: options.Quiet = False,
    verbose: options.MoreDetail = False,
    exit_zero: options.ExitZero = False,
) -> int:
    """Replays logs, reports every violation, and recalculates every score.

    A folder means every *.rgn, *.rgn.gz, *.rgn.zst and *.zip in it and its subfolders.
    --rules overrides a log's [Rules]; --with and --set apply on top of its [Options] and [Set]. A
    log may name rules files only in its own folder or below, unless --trust-paths is given.

    Exit status: 0 clean or undecided, 1 violations, 2 a log that cannot be read.

    Examples:
      meldref audit friday.rgn
      meldref audit friday.rgn --rules house.yaml --set game.target=1000
      meldref audit --quiet logs
    """
    arguments = list(dict.fromkeys(logs or []))
    files = [*[("LOG", log) for log in arguments], ("--from", from_)]
    request = asked(rules, with_, set_, read=files)
    names = _names(arguments, from_, trust_urls=trust_paths)
    how = AuditOptions(trust_paths, expect, strict, jobs, limit_time, limit_memory, twice)
    foreign = Asked.of(sheet, rules, map_)
    tables = TableOptions(into, as_, column, resume, force, engine, address)
    if into is not None:
        _check_no_report(witness, format_, out)
        code = _write_tables(names, tables, request, how, foreign, quiet=quiet)
        return status(code, exit_zero=exit_zero)
    _check_no_tables(tables if out is None else tables._replace(force=False))
    audits = _Audits(names, request, how, foreign, quiet=quiet, verbose=verbose)
    witnesses = None
    if witness is not None:
        from meldref_cli.witnessing import WitnessFolder

        witnesses = WitnessFolder(witness, audits.logs, request)
    with output_into(out, force=force, quiet=quiet):
        return _write_report(audits, format_, witnesses, exit_zero=exit_zero)


def report(
    logs: options.Logs,
    out: options.Output = None,
    force: options.Force = False,
    rules: options.Rules = None,
    with_: options.With = None,
    set_: options.Set = None,
    sheet: options.Sheet = None,
    map_: options.Map = None,
    trust_paths: options.TrustPaths = False,
    expect: options.Expect = False,
    strict: options.Strict = False,
    jobs: options.Jobs = None,
    limit_time: options.LimitTime = None,
    limit_memory: options.LimitMemory = None,
    quiet: options.QuietErrors = False,
    verbose: options.Verbose = False,
    exit_zero: options.ExitZero = False,
) -> int:
    """Audits logs and writes one HTML page that plays each game line by line, with all findings.

    The page is one file that works offline, so you can send it as an attachment.

    Exit status, as with audit: 0 clean or undecided, 1 violations, 2 a log that cannot be read.

    Examples:
      meldref report friday.rgn -o friday.html
      meldref report logs -o season.html
    """
    check_may_write(out, force=force)
    from meldref_authoring.rulebook import as_section
    from meldref_table.report.viewer.page import FilmedLog, page_of

    names = list(dict.fromkeys(logs))
    request = asked(rules, with_, set_, read=[("LOG", log) for log in names])
    how = AuditOptions(trust_paths, expect, strict, jobs, limit_time, limit_memory)
    audits = _Audits(
        names, request, how, Asked.of(sheet, rules, map_), quiet=quiet, verbose=verbose
    )
    worst = tell_troubles(audits.troubles)
    filmed = []
    for result in audits.results(ENOUGH, scores=True, film=True):
        worst = max(worst, status_of(examined_log(result.audited, result.fault), strict=strict))
        why = result.trouble or result.fault
        source = audits.in_source(result.audited.report)
        filmed.append(FilmedLog(result.audited, result.hands, why, source=source))
    deliver(page_of(filmed, audits.troubles, rulebook=as_section), out, quiet=quiet)
    return status(worst, exit_zero=exit_zero)


def _write_tables(
    names: Sequence[str],
    tables: TableOptions,
    request: RulesetRequest,
    how: AuditOptions,
    foreign: Asked,
    *,
    quiet: bool,
) -> int:
    from meldref_cli.archiving import Archive, audit_into

    if tables.address and tables.engine is not On.RAY:
        raise Unusable("--address: this is where Ray is; give --engine ray, too")
    archive = Archive(names, tables, request, how, foreign, bytes_of(how.limit_memory))
    return audit_into(archive, quiet=quiet)


def _check_no_report(witness: str | None, format_: options.ReportFormat, out: str | None) -> None:
    """Raises `Unusable` if options are given for what is written instead of tables."""
    if witness is not None:
        raise Unusable("--witness writes logs, and --into tables: give one of them")
    if format_ is not options.ReportFormat.TEXT:
        raise Unusable("--format is for reports, and --into writes tables: give one of them")
    if out is not None:
        raise Unusable("--output is for reports, and --into writes tables: give one of them")


def _check_no_tables(tables: TableOptions) -> None:
    """Raises `Unusable` if options for tables are given, and no folder for them."""
    misplaced = [f"--{name.strip('_')}" for name, value in tables._asdict().items() if value]
    if misplaced:
        raise Unusable(f"{in_words(misplaced)}: without --into DIR there are no tables")


def _write_report(
    audits: _Audits,
    format_: options.ReportFormat,
    witnesses: WitnessFolder | None = None,
    *,
    exit_zero: bool,
) -> int:
    text = format_ is options.ReportFormat.TEXT
    report = report_on(_LogReport(audits), format_)
    hint = RulesHint()
    for trouble in audits.troubles:
        report.trouble(trouble)
    for result in audits.results(
        ENOUGH if text and not audits.how.expect else MOST,
        scores=audits.verbose if text else format_ is options.ReportFormat.JSON,
        suggestions=not (text and audits.quiet),
        spelling=text and audits.verbose,
        doubts=format_ is options.ReportFormat.SARIF,
    ):
        report.add(result)
        hint.add(result.audited.report)
        if witnesses is not None:
            witnesses.add(result, trust_paths=audits.how.trust_paths, quiet=audits.quiet)
    code = report.end(exit_zero=exit_zero)
    if text and not audits.quiet and (suggestion := audits.suggestion(hint)):
        output.notice(f"meldref: {suggestion}")
    return code


def _names(arguments: list[str], list_: str | None, *, trust_urls: bool) -> list[str]:
    """The names of what is audited, each once; URLs of a list only if they are trusted.

    A list holds one a line, or each before a zero byte.
    """
    if list_ is None:
        if not arguments:
            raise Unusable("missing argument LOG: give logs, or --from a list of them")
        return arguments
    text = os.fsdecode(read_bytes(list_).removeprefix(b"\xef\xbb\xbf"))
    listed = [
        name
        for name in (text.split("\0") if "\0" in text else LINE_END.split(text))
        if name.strip()
    ]
    url = None if trust_urls else next((name for name in listed if is_url(name)), None)
    if url is not None:
        raise Unusable(
            f"{list_}: {one_line(url)}: URLs of a list are fetched only with --trust-paths"
        )
    if not arguments and not listed:
        raise Unusable(f"{list_}: no log is listed there")
    return list(dict.fromkeys([*arguments, *listed]))


class _Audits:
    """Logs that are audited to be reported on, and what is wrong with names that stand for none."""

    def __init__(
        self,
        names: Sequence[str],
        wanted: RulesetRequest,
        how: AuditOptions,
        foreign: Asked,
        *,
        quiet: bool,
        verbose: bool,
    ) -> None:
        self._memory = bytes_of(how.limit_memory)
        self._wanted = wanted
        self.how = how
        self.quiet = quiet
        self.verbose = verbose
        self._left_out: list[str] = []
        no_tables = "tables of logs are read with --into DIR"
        logs, self.troubles = named_logs(names, no_tables, self._left_out)
        self.logs = [as_log(log, foreign, quiet=quiet) for log in logs]
        self._intakes = {log.name: log.intake for log in self.logs if log.intake is not None}

    def suggestion(self, hint: RulesHint) -> str:
        """What is suggested of these logs by what was found in them."""
        return hint.text(self.logs, self._wanted, trust_paths=self.how.trust_paths)

    def results(self, keep: int, **more: Any) -> Iterator[TaskResult]:
        """The result of each log, as it comes, with at most `keep` findings.

        `more` is as in `Task`. Why there is no audit of a log is said at once.
        """
        from meldref_archive.audit import audit_all
        from meldref_archive.auditing import Task

        how = self.how
        more |= {"expect": how.expect, "trust_paths": how.trust_paths, "twice": how.twice}
        tasks = [Task(log.name, self._wanted, keep, log=log, **more) for log in self.logs]
        say_what_was_left_out([] if self.quiet else self._left_out)
        with Bar(sum(log.size for log in self.logs), wanted=not self.quiet) as bar:
            for result in audit_all(tasks, how.jobs, bar.told, how.limit_time, self._memory):
                bar.hide()
                path = result.audited.report.path
                self._tell(result, in_source=not more.get("film"))
                if result.trouble:
                    output.error(f"{path}: {result.trouble}")
                if result.fault:
                    output.notice(f"meldref: internal error: {path}: {result.fault}")
                    output.notice("This is a bug in meldref: please report it with the log.")
                if result.fault and self.verbose:
                    output.notice_lines(result.traceback)
                yield result
                if not result.trouble and not result.audited.report.games and not self.quiet:
                    say_what_it_is(path, LOG)

    def _tell(self, result: TaskResult, *, in_source: bool) -> None:
        """Makes the audit of a log that was made of a file the audit of the file."""
        report = result.audited.report
        intake = self._intakes.get(report.path)
        if intake is None:
            return
        if in_source:
            intake.tell(report)
        else:
            intake.judge(report)

    def in_source(self, report: LogReport) -> LogReport | None:
        """The audit of a log, its places those in the file that it was made of; None of a log."""
        intake = self._intakes.get(report.path)
        return None if intake is None else intake.in_source(report)


class _LogReport(Subject["TaskResult"]):
    """Logs, as they are reported on."""

    command = "meldref audit"
    between = ","

    def __init__(self, audits: _Audits) -> None:
        super().__init__(strict=audits.how.strict, quiet=audits.quiet)
        self.opening = opening() + "\n"
        self._tally = LogTally()
        self._several = len(audits.logs) > 1 and not audits.quiet
        self._verbose = audits.verbose

    def add(self, result: TaskResult) -> None:
        self._tally.add(result.audited)

    def text(self, result: TaskResult) -> Iterator[str]:
        if result.trouble or result.fault:
            return
        yield from text_of_log(
            result.audited, style=output.style_for(), quiet=self.quiet, verbose=self._verbose
        )
        if self._several and result.audited.report.findings:
            yield ""

    def ending(self) -> Sequence[str]:
        return [self.summary()] if self._several else []

    def entry(self, result: TaskResult) -> Iterator[str]:
        return chain(log_text(result.audited), "\n")

    def examined(self, result: TaskResult) -> Examined:
        return examined_log(result.audited, result.fault)

    def summary(self) -> str:
        return summary_text(self._tally)

    def totals(self) -> dict[str, Data]:
        return dict(self._tally.data())
