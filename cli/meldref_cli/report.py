"""`meldref report`: logs as one page to look at."""

from __future__ import annotations

import sys

from meldref_cli import options, output
from meldref_cli.audit import bytes_of, say_trouble, status_of
from meldref_cli.errors import CLEAN, UNUSABLE, status
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
    """Audits logs and writes one HTML page that plays each game line by line, with all findings.

    The page needs neither a network nor another file, so it can be sent as an attachment.

    Exit status, as with audit: 0 clean or undecided, 1 violations, 2 a log that cannot be read.
    """
    check_may_write(out, force=force)
    from meldref.archive.audit import audit_all
    from meldref.archive.auditing import MOST, Task
    from meldref.report.viewer.page import FilmedLog, page_of
    from meldref_cli.archiving import logs_for_reports, say_what_was_left_out
    from meldref_cli.progress import Bar
    from meldref_cli.ruleset_args import asked

    memory = bytes_of(limit_memory)
    wanted = asked(*rules, read=[("LOG", log) for log in dict.fromkeys(logs)])
    found, troubles, left_out = logs_for_reports(list(dict.fromkeys(logs)))
    worst = UNUSABLE if troubles else CLEAN
    for trouble in troubles:
        output.error(trouble)
    say_what_was_left_out([] if quiet else left_out)
    filmed = []
    tasks = [
        Task(log.name, wanted, MOST, scores=True, expect=expect, trust_paths=trust_paths, log=log, film=True)
        for log in found
    ]
    with Bar(sum(log.size for log in found), wanted=not quiet) as bar:
        for result in audit_all(tasks, jobs, bar.told, limit_time, memory):
            worst = max(worst, status_of(result, strict=strict))
            bar.hide()
            say_trouble(result, verbose=verbose)
            filmed.append(FilmedLog(result.audited, result.hands, result.trouble or result.fault))
    page = page_of(filmed, troubles)
    if out is None:
        sys.stdout.writelines(page)
    else:
        write_file(out, page)
        if not quiet:
            output.notice(f"{out}: written")
    return status(worst, exit_zero=exit_zero)
