"""`meldref fmt`: the canonical form of logs."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from meldref.wording import name_of_file
from meldref_cli import options, output
from meldref_cli.errors import CLEAN, UNUSABLE, WRONG, Unusable, status
from meldref_cli.writing import write_file

if TYPE_CHECKING:
    from meldref.diagnostics import Finding
    from meldref.events import Line
    from meldref.report.form import Formatted


def fmt(
    logs: Annotated[
        list[str],
        typer.Argument(metavar="LOG...", help="Logs; folders, for all *.rgn below them; - from standard input."),
    ],
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; name the files that would change.")
    ] = False,
    diff: Annotated[bool, typer.Option("--diff", help="Write nothing; show what would change.")] = False,
    format_: Annotated[
        options.ReportFormat, typer.Option("--format", help="How --check reports, for other programs.")
    ] = options.ReportFormat.TEXT,
    quiet: options.Quiet = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="What became of each log.")] = False,
    exit_zero: options.ExitZero = False,
) -> int:
    """Brings logs into their canonical form, in place; what comes from standard input goes to standard output.

    A log with lines that cannot be read is left as it is. Comments, notes and assertions are kept.

    Exit status: 0 done, 1 files to be formatted (with --check or --diff), 2 a log that cannot be read.
    """
    from meldref.wording import many
    from meldref_cli.files import expand_all

    if format_ is not options.ReportFormat.TEXT:
        if not check or diff:
            raise Unusable(f"--format {format_.value}: it is for --check, without --diff")
        from meldref_cli.fmt_reports import report_form

        return report_form(logs, format_, _format, quiet=quiet, exit_zero=exit_zero)
    worst, changed, unchanged, unusable = CLEAN, 0, 0, 0
    paths, troubles = expand_all(logs, (".rgn",))
    for trouble in troubles:
        output.error(trouble)
        worst = UNUSABLE
    for path in paths:
        try:
            differs = _one(path, check=check, diff=diff, quiet=quiet)
        except Unusable as reason:
            if str(reason):
                output.error(str(reason))
            worst = UNUSABLE
            unusable += 1
            continue
        if verbose and path != "-":
            _say_done(path, differs=differs, written=not (check or diff))
        changed += differs
        unchanged += not differs
        if differs and (check or diff):
            worst = max(worst, WRONG)
    if not quiet and logs != ["-"]:
        parts = [f"{many(changed, 'log')} {'would be formatted' if check or diff else 'formatted'}"]
        parts += [f"{unchanged:,} in canonical form"] if unchanged else []
        parts += (
            [f"{unusable:,} unreadable, left as {'it is' if unusable == 1 else 'they are'}"] if unusable else []
        )
        output.notice(", ".join(parts))
    return status(worst, exit_zero=exit_zero)


def _say_done(path: str, *, differs: bool, written: bool) -> None:
    """What became of a log; `check` and `diff` tell of those that would change by themselves."""
    if not differs:
        output.notice(f"{path}: in canonical form")
    elif written:
        output.notice(f"{path}: formatted")


def _one(path: str, *, check: bool, diff: bool, quiet: bool) -> bool:
    """Formats one log; whether it was not in canonical form.

    Raises:
        Unusable: it cannot be read or written, or has unreadable lines (said already: no message).
    """
    log = _format(path)
    standard = path == "-"
    if log.findings:
        _say(path, log, to_errors=standard or diff, quiet=quiet)
        raise Unusable("")
    differs = log.before != log.after
    if diff:
        from meldref.report.patch import patch_text

        output.write_all(patch_text(path, log.before, log.after, "formatted"))
    elif check:
        if differs and not quiet:
            output.write(f"{name_of_file(path)}: to be formatted")
    elif standard:
        sys.stdout.write(log.after)
    elif differs:
        write_file(path, (log.after,))
    return differs


def _format(path: str) -> Formatted:
    import io

    from meldref.notation.reader import read_lines
    from meldref.notation.scanner import decode
    from meldref.notation.writer import format_log
    from meldref.report.form import Formatted
    from meldref_cli.files import read_bytes

    data = read_bytes(path)
    lines: list[Line] = []
    wrong: list[Finding] = []
    for line, findings in read_lines(decode(io.BytesIO(data))):
        lines.append(line)
        wrong += findings
    if wrong:
        return Formatted("", "", tuple(wrong), any(line.event is not None for line in lines))
    return Formatted(data.decode("utf-8", "surrogateescape"), "".join(format_log(lines)))


def _say(path: str, log: Formatted, *, to_errors: bool, quiet: bool) -> None:
    """The lines that cannot be read; of a file that is no log, the first of them."""
    from meldref.wording import many
    from meldref_cli.auditing import ENOUGH, FEW
    from meldref_cli.findings import tell

    shown = ENOUGH if log.says_anything else FEW
    tell(log.findings[:shown], path, to_errors=to_errors, quiet=quiet)
    if not log.says_anything and not quiet:
        from meldref_cli.mistaken import LOG, say_what_it_is

        say_what_it_is(path, LOG)
    if len(log.findings) > shown:
        output.notice(f"{path}: {many(len(log.findings) - shown, 'more finding')} not shown")
