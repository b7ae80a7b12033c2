"""`meldref import`: a score sheet or a program's events as a log."""

from __future__ import annotations

from typing import Annotated

import typer

from meldref.core.text import many, name_of_file
from meldref_cli import options, output
from meldref_cli.errors import CLEAN, WRONG, Unusable, status
from meldref_cli.foreign import Asked, intake_of, say_doubts
from meldref_cli.ruleset_args import asked
from meldref_cli.writing import check_may_write, deliver

_File = Annotated[str, typer.Argument(metavar="FILE", help="A score sheet; - for standard input.")]


def import_(
    file: _File,
    rules: options.Rules = None,
    sheet: options.Sheet = None,
    out: options.Output = None,
    force: options.Force = False,
    quiet: options.Quiet = False,
    exit_zero: options.ExitZero = False,
) -> int:
    """Writes a score sheet as a log: players, hands, scores and totals, as they are written.

    A sheet is CSV, TSV, Markdown, columns of spaces, lines such as "Hand 1: Ann 20, Bob 45", JSON
    of an app, or .xlsx and .ods; names stand in its first row or its first column. What is doubtful
    is asked about, and read as most sheets have it; --sheet chooses another reading.

    Exit status: 0 read, 1 read with something doubtful, 2 no sheet.

    Examples:
      meldref import evening.csv
      meldref import evening.csv -o evening.rgn
      meldref import evening.csv --sheet totals --rules house.yaml
    """
    asked(rules, None, None, read=[("FILE", file)])
    check_may_write(out, force=force)
    intake = intake_of(file, Asked(tuple(sheet or ()), rules))
    if intake is None:
        raise Unusable(f"{file}: this is no score sheet: no table of names with numbers is in it")
    if not quiet:
        say_doubts(file, intake)
    deliver((f"{line.text}\n" for line in intake.lines), out, quiet=True)
    if out is not None and not quiet:
        output.notice(f"{name_of_file(out)}: {many(len(intake.lines), 'line')}")
    return status(WRONG if intake.doubts else CLEAN, exit_zero=exit_zero)
