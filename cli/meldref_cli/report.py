"""`meldref report`: logs as one page to look at."""

from __future__ import annotations

import sys

from meldref_cli import options, output
from meldref_cli.audit import Audits, bytes_of
from meldref_cli.errors import status
from meldref_cli.ruleset_args import asked
from meldref_cli.writing import check_may_write, write_file


def report(
    logs: list[str],
    out: str | None = None,
    force: bool = False,
    rules: options.RulesOptions = options.NO_RULES,
    trust_paths: bool = False,
    expect: bool = False,
    strict: bool = False,
    jobs: int = 1,
    limit_time: float | None = None,
    limit_memory: str | None = None,
    quiet: bool = False,
    verbose: bool = False,
    exit_zero: bool = False,
) -> int:
    """Audits logs and writes one HTML page that plays each game line by line, with all findings."""
    check_may_write(out, force=force)
    from meldref.archive.auditing import MOST, Task
    from meldref.report.viewer.page import FilmedLog, page_of

    memory = bytes_of(limit_memory)
    wanted = asked(*rules, read=[("LOG", log) for log in dict.fromkeys(logs)])
    audits = Audits(list(dict.fromkeys(logs)), quiet=quiet)
    for trouble in audits.troubles:
        output.error(trouble)
    tasks = [
        Task(log.name, wanted, MOST, scores=True, expect=expect, trust_paths=trust_paths, log=log, film=True)
        for log in audits.logs
    ]
    results = audits.results(tasks, jobs, limit_time, memory, strict=strict, verbose=verbose)
    filmed = [FilmedLog(one.audited, one.hands, one.trouble or one.fault) for one in results]
    page = page_of(filmed, audits.troubles)
    if out is None:
        sys.stdout.writelines(page)
    else:
        write_file(out, page)
        if not quiet:
            output.notice(f"{out}: written")
    return status(audits.worst, exit_zero=exit_zero)
