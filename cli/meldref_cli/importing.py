"""`meldref import`: a score sheet or a program's events as a log."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from meldref.core.text import many, name_of_file
from meldref_cli import options, output
from meldref_cli.errors import CLEAN, WRONG, Unusable, status
from meldref_cli.foreign import (
    NO_SHEET,
    Asked,
    events_of,
    reopened,
    say_doubts,
    say_doubts_of_events,
    sheet_of,
)
from meldref_cli.ruleset_args import asked
from meldref_cli.writing import check_may_write, deliver

if TYPE_CHECKING:
    from collections.abc import Iterator

    from meldref_intake.events import Events

_File = Annotated[
    str | None,
    typer.Argument(
        metavar="FILE", help="A score sheet, or a program's events; - for standard input."
    ),
]
_List = Annotated[bool, typer.Option("--list", help="List the maps of programs that ship.")]
_Explain = Annotated[
    bool,
    typer.Option(
        "--explain", help="Say of each record which line it became, instead of writing the log."
    ),
]


def import_(
    file: _File = None,
    rules: options.Rules = None,
    sheet: options.Sheet = None,
    map_: options.Map = None,
    list_: _List = False,
    explain: _Explain = False,
    out: options.Output = None,
    force: options.Force = False,
    quiet: options.Quiet = False,
    exit_zero: options.ExitZero = False,
) -> int:
    """Writes a score sheet, or the events of a program, as a log.

    A sheet is CSV, TSV, Markdown, columns of spaces, lines such as "Hand 1: Ann 20, Bob 45", JSON
    of an app, or .xlsx and .ods; names stand in its first row or its first column. What is doubtful
    is asked about, and read as most sheets have it; --sheet chooses another reading.

    Events are JSON, JSON Lines or CSV, and a map says what they mean. Those of programs with a
    shipped map (--list) are recognized; for others, docs/event-maps.md shows how to write one.

    Exit status: 0 read, 1 read with something doubtful, 2 nothing to read.

    Examples:
      meldref import evening.csv -o evening.rgn
      meldref import evening.csv --sheet totals --rules house.yaml
      meldref import kitchen.jsonl --map kitchen.yaml
    """
    if list_:
        from meldref_intake.events import listed

        output.write(listed())
        return CLEAN
    if file is None:
        raise Unusable("give the file to import, or --list")
    asked(rules, None, None, read=[("FILE", file)])
    check_may_write(out, force=force)
    wanted = Asked.of(sheet, rules, map_)
    opened = reopened(file)
    events = events_of(file, opened, wanted, explains=explain)
    if events is not None:
        return status(
            _import_events(file, events, out, explain=explain, quiet=quiet), exit_zero=exit_zero
        )
    if explain:
        raise Unusable(
            f"{file}: --explain is for events, and no map is for these: name it with --map"
        )
    intake = sheet_of(file, opened, wanted)
    if intake is None:
        raise Unusable(f"{file}: {NO_SHEET}")
    if not quiet:
        say_doubts(file, intake)
    deliver((f"{line.text}\n" for line in intake.lines), out, quiet=True)
    if out is not None and not quiet:
        output.notice(f"{name_of_file(out)}: {many(len(intake.lines), 'line')}")
    return status(WRONG if intake.doubts else CLEAN, exit_zero=exit_zero)


def _import_events(
    file: str, events: Events, out: str | None, *, explain: bool, quiet: bool
) -> int:
    """Writes the log as the records come, or what became of each; the exit status."""
    from meldref_intake.events import NoMap, explained, lines_of_records

    lines = 0

    def counted() -> Iterator[str]:
        nonlocal lines
        for row in lines_of_records(events):
            lines += 1
            yield f"{row.text}\n"

    try:
        if explain:
            for _ in counted():
                pass
            deliver((f"{line}\n" for line in explained(events)), out, quiet=True)
        else:
            deliver(counted(), out, quiet=True)
    except NoMap as wrong:
        raise Unusable(f"{file}: {wrong}") from wrong
    if not lines:
        raise Unusable(f"{file}: there is no record in it")
    if not quiet:
        say_doubts_of_events(file, events)
        if out is not None:
            output.notice(f"{name_of_file(out)}: {many(lines, 'line')}")
    return WRONG if events.unread or events.unmapped else CLEAN
