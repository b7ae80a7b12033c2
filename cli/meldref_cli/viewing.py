"""`meldref view`: a log as one of its players, or everybody at the table, could have written it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from meldref.core.text import many, one_line
from meldref_cli import options, output
from meldref_cli.errors import CLEAN, UNUSABLE, WRONG, Unusable, status
from meldref_cli.files import STANDARD_INPUT
from meldref_cli.findings import LOG, FirstFindings, say_what_it_is, tell, tell_of_lines
from meldref_cli.foreign import Asked, named_log
from meldref_cli.ruleset_args import asked, over_log
from meldref_cli.writing import check_may_write, deliver, spooled

if TYPE_CHECKING:
    from meldref_table.views.view import Viewed


_For = Annotated[
    str,
    typer.Option(
        "--for",
        metavar="NAME",
        help="Whose view: a player, or public for what everybody at the table saw.",
    ),
]
_Text = Annotated[
    bool,
    typer.Option(
        "--text",
        help="Keep free texts, too, whatever they say of cards: read them before you publish them.",
    ),
]


def view(
    log: Annotated[str, typer.Argument(metavar="LOG", help="A log; - for standard input.")],
    for_: _For,
    text: _Text = False,
    out: options.Output = None,
    force: options.Force = False,
    rules: options.Rules = None,
    with_: options.With = None,
    set_: options.Set = None,
    sheet: options.Sheet = None,
    map_: options.Map = None,
    trust_paths: options.TrustPaths = False,
    quiet: options.Quiet = False,
    exit_zero: options.ExitZero = False,
) -> int:
    """Writes a log as one player, or everybody, could have written it: what was not seen is `?`.

    Cards that the viewer did not see become ?: the hands and draws of others, and the stock. So
    does every free text, which may say anything of cards: comments, annotations, notes, reasons,
    and headers of your own; --text keeps them. A line that cannot be read becomes ? in any case.
    All else stays as it is. A header [View] says whose view it is.

    Exit status: 0 done, 1 done, with unreadable lines, 2 nothing written.

    Examples:
      meldref view friday.rgn --for Ann -o ann.rgn
      meldref view friday.rgn --for public -o public.rgn
    """
    from meldref_table.views.view import LogView, WithEnds

    if out is not None and log != STANDARD_INPUT and Path(out).resolve() == Path(log).resolve():
        raise Unusable(f"{out}: this is the log itself, which would lose its cards")
    check_may_write(out, force=force)
    overrides = over_log(
        asked(rules, with_, set_, read=[("LOG", log)]), log, trust_paths=trust_paths
    )
    named = named_log(log, Asked.of(sheet, rules, map_), quiet=quiet)
    seen = LogView(for_, log, overrides, texts=text)
    unread = _Unread()
    with ExitStack() as stack:
        with named.opened() as stream:
            viewed = _noted(seen.of(WithEnds.of_bytes(stream)), unread)
            texts = stack.enter_context(spooled(viewed))
        if seen.gave_up or not seen.games:
            tell_of_lines(log, unread, unread.hidden, seen.gave_up, to_errors=True, quiet=quiet)
            if not quiet:
                say_what_it_is(log, LOG)
            raise Unusable(f"{log}: there is no game in this file that can be shown")
        if seen.faults:
            tell(named.findings(seen.faults), log, to_errors=True, quiet=quiet)
            return UNUSABLE
        if not seen.played:
            raise Unusable(nobody_plays(for_, log))
        tell_of_lines(log, unread, unread.hidden, 0, to_errors=True, quiet=quiet)
        if unread.lines and not quiet:
            nothing = "nothing of it is" if unread.lines == 1 else "nothing of them is"
            output.notice(f"{log}: {many(unread.lines, 'line')} cannot be read, and {nothing} kept")
        deliver(texts, out, quiet=quiet)
    return status(WRONG if unread.lines else CLEAN, exit_zero=exit_zero)


class _Unread(FirstFindings):
    """The findings about lines of a log that cannot be read, of which a view keeps nothing."""

    lines = 0


def nobody_plays(name: str, log: str) -> str:
    """That there is no view of somebody."""
    return f"--for {one_line(name)}: nobody of that name plays in {log}; public is everybody"


def _noted(lines: Iterator[Viewed], unread: _Unread) -> Iterator[str]:
    """The texts of the lines; what is wrong with those that cannot be read is noted."""
    for line in lines:
        unread.lines += line.lost
        unread.add(line.findings)
        yield line.text
