"""`meldref audit` and `meldref report`: what is found in logs, as reports, as tables, and as a page to look at."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

from meldref.core.diagnostics import ENOUGH, MOST
from meldref.core.records import NamedTuple
from meldref.core.safe_files import is_url
from meldref.core.text import in_words, many, one_line
from meldref.report.examined import Examined, examined_log
from meldref.report.json import Data, log_text, opening
from meldref.report.tally import LogTally
from meldref.report.text import log_text as text_of_log
from meldref.report.text import summary_text
from meldref_cli import options, output
from meldref_cli.errors import CLEAN, UNUSABLE, Unusable, status
from meldref_cli.files import expand_all, read_bytes
from meldref_cli.findings import LOG, say_what_it_is
from meldref_cli.progress import Bar
from meldref_cli.reports import Subject, report_on, status_of
from meldref_cli.ruleset_args import RulesetRequest, asked
from meldref_cli.writing import check_may_write, deliver

if TYPE_CHECKING:
    from meldref.archive.auditing import TaskResult


_SHOWN: Final = 5
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


class AuditOptions(NamedTuple):
    """The options that say how logs are audited, as they were written."""

    trust_paths: bool = False
    expect: bool = False
    strict: bool = False
    jobs: int = 1
    limit_time: float | None = None
    limit_memory: str | None = None


class TableOptions(NamedTuple):
    """The options that say which tables are written, and where the audits run, as they were written."""

    into: str | None = None
    as_: As | None = None
    column: str | None = None
    resume: bool = False
    force: bool = False
    engine: On | None = None
    address: str | None = None


_USUAL: Final = AuditOptions()
_NO_TABLES: Final = TableOptions()


def audit(
    logs: list[str] | None = None,
    rules: options.RulesOptions = options.NO_RULES,
    how: AuditOptions = _USUAL,
    format_: options.ReportFormat = options.ReportFormat.TEXT,
    from_: str | None = None,
    tables: TableOptions = _NO_TABLES,
    quiet: bool = False,
    verbose: bool = False,
    exit_zero: bool = False,
) -> int:
    """Replays logs, reports every violation, and recalculates every score."""
    given = list(dict.fromkeys(logs or []))
    wanted = asked(*rules, read=[*[("LOG", log) for log in given], ("--from", from_)])
    names = _names(given, from_, trust_urls=how.trust_paths)
    text = format_ is options.ReportFormat.TEXT
    if tables.into is not None:
        from meldref_cli.archiving import Archive, audit_into

        if not text:
            raise Unusable("--format is for reports, and --into writes tables: give one of them")
        if tables.address and tables.engine is not On.RAY:
            raise Unusable("--address: this is where Ray is; give --engine ray, too")
        archive = Archive(names, tables, wanted, how, bytes_of(how.limit_memory))
        return status(audit_into(archive, quiet=quiet), exit_zero=exit_zero)
    if misplaced := [f"--{name.strip('_')}" for name, value in tables._asdict().items() if value]:
        raise Unusable(f"{in_words(misplaced)}: without --into DIR there are no tables")
    audits = _Audits(names, wanted, how, quiet=quiet, verbose=verbose)
    subject = _Logs(len(audits.logs), strict=how.strict, quiet=quiet, verbose=verbose)
    report = report_on(subject, format_)
    for trouble in audits.troubles:
        report.trouble(trouble)
    for result in audits.results(
        ENOUGH if text and not how.expect else MOST,
        scores=verbose if text else format_ is options.ReportFormat.JSON,
        suggestions=not (text and quiet),
    ):
        report.add(result)
    return report.end(exit_zero=exit_zero)


def report(
    logs: list[str],
    out: str | None = None,
    force: bool = False,
    rules: options.RulesOptions = options.NO_RULES,
    how: AuditOptions = _USUAL,
    quiet: bool = False,
    verbose: bool = False,
    exit_zero: bool = False,
) -> int:
    """Audits logs and writes one HTML page that plays each game line by line, with all findings."""
    check_may_write(out, force=force)
    from meldref.report.viewer.page import FilmedLog, page_of

    names = list(dict.fromkeys(logs))
    wanted = asked(*rules, read=[("LOG", log) for log in names])
    audits = _Audits(names, wanted, how, quiet=quiet, verbose=verbose)
    for trouble in audits.troubles:
        output.error(trouble)
    worst = UNUSABLE if audits.troubles else CLEAN
    filmed = []
    for one in audits.results(MOST, scores=True, film=True):
        worst = max(worst, status_of(examined_log(one.audited, one.fault), strict=how.strict))
        filmed.append(FilmedLog(one.audited, one.hands, one.trouble or one.fault))
    deliver(page_of(filmed, audits.troubles), out, quiet=quiet)
    return status(worst, exit_zero=exit_zero)


def bytes_of(text: str | None) -> int:
    """A number of bytes as people write it: `512M`, `2G`; 0 where none is given."""
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
    """The names of what is audited, each once; URLs of a list only if they are trusted.

    A list holds one a line, or each before a zero byte.
    """
    if list_ is None:
        if not given:
            raise Unusable("missing argument LOG: give logs, or --from a list of them")
        return given
    text = os.fsdecode(read_bytes(list_).removeprefix(b"\xef\xbb\xbf"))
    listed = [name for name in (text.split("\0") if "\0" in text else text.splitlines()) if name.strip()]
    url = None if trust_urls else next((name for name in listed if is_url(name)), None)
    if url is not None:
        raise Unusable(f"{list_}: {one_line(url)}: URLs of a list are fetched only with --trust-paths")
    if not given and not listed:
        raise Unusable(f"{list_}: no log is listed there")
    return list(dict.fromkeys([*given, *listed]))


def say_what_was_left_out(names: Sequence[str]) -> None:
    """Of folders and archives: what in them is not taken for a log."""
    if names:
        more = f" and {len(names) - _SHOWN:,} more" if len(names) > _SHOWN else ""
        files = many(len(names), "file")
        output.notice(f"meldref: {files} left out, which do not end as logs do: {', '.join(names[:_SHOWN])}{more}")


class _Audits:
    """Logs that are audited to be reported on, and what is wrong with names that stand for none."""

    def __init__(
        self, names: Sequence[str], wanted: RulesetRequest, how: AuditOptions, *, quiet: bool, verbose: bool
    ) -> None:
        from meldref.archive.sources import LOGS, Log, check_packages
        from meldref.archive.tables import logs_of

        self._memory = bytes_of(how.limit_memory)
        self._wanted, self._how, self._quiet, self._verbose = wanted, how, quiet, verbose
        self._left_out: list[str] = []
        paths, self.troubles = expand_all(names, LOGS, self._left_out)
        check_packages(paths)
        self.logs: list[Log] = []
        for path in paths:
            if path.lower().endswith(".zip"):
                self.logs += logs_of(path, left_out=self._left_out)
            elif path.lower().endswith(".parquet"):
                self.troubles.append(f"{path}: tables of logs are read with --into DIR")
            else:
                self.logs.append(Log.of(path))

    def results(self, keep: int, **more: Any) -> Iterator[TaskResult]:
        """What becomes of each log, as it comes, of which `keep` findings are kept; `more` is as in `Task`.

        Why there is no audit of a log is said at once.
        """
        from meldref.archive.audit import audit_all
        from meldref.archive.auditing import Task

        how = self._how
        more |= {"expect": how.expect, "trust_paths": how.trust_paths}
        tasks = [Task(log.name, self._wanted, keep, log=log, **more) for log in self.logs]
        say_what_was_left_out([] if self._quiet else self._left_out)
        with Bar(sum(log.size for log in self.logs), wanted=not self._quiet) as bar:
            for result in audit_all(tasks, how.jobs, bar.told, how.limit_time, self._memory):
                bar.hide()
                path = result.audited.report.path
                if result.trouble:
                    output.error(f"{path}: {result.trouble}")
                if result.fault:
                    output.notice(f"meldref: internal error: {path}: {result.fault}")
                    output.notice("This is a fault of meldref, not yours: please report it with the log.")
                if result.fault and self._verbose:
                    output.notice_lines(result.traceback)
                yield result
                if not result.trouble and not result.audited.report.games and not self._quiet:
                    say_what_it_is(path, LOG)


class _Logs(Subject["TaskResult"]):
    """Logs, as they are reported on."""

    command = "meldref audit"
    between = ","

    def __init__(self, logs: int, *, strict: bool, quiet: bool, verbose: bool) -> None:
        super().__init__(strict=strict, quiet=quiet)
        self.opening = opening() + "\n"
        self._tally = LogTally()
        self._several = logs > 1 and not quiet
        self._verbose = verbose

    def add(self, one: TaskResult) -> None:
        self._tally.add(one.audited)

    def text(self, one: TaskResult) -> Iterator[str]:
        if one.trouble or one.fault:
            return
        yield from text_of_log(one.audited, style=output.style_for(), quiet=self.quiet, verbose=self._verbose)
        if self._several and one.audited.report.findings:
            yield ""

    def ending(self) -> Sequence[str]:
        return [self.summary()] if self._several else []

    def entry(self, one: TaskResult) -> Iterator[str]:
        return chain(log_text(one.audited), "\n")

    def examined(self, one: TaskResult) -> Examined:
        return examined_log(one.audited, one.fault)

    def summary(self) -> str:
        return summary_text(self._tally)

    def totals(self) -> dict[str, Data]:
        return dict(self._tally.data())
