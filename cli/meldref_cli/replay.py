"""`meldref replay`: the table after each turn, or after one line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Annotated, Final

import typer

from meldref.core.diagnostics import FEW, Finding, Severity
from meldref.core.events import Header
from meldref.core.records import changed
from meldref.core.text import many
from meldref_cli import options, output
from meldref_cli.errors import CLEAN, UNUSABLE, WRONG, Unusable, status
from meldref_cli.files import STANDARD_INPUT
from meldref_cli.findings import LOG, say_what_it_is, tell
from meldref_cli.foreign import Asked, NamedLog, named_log
from meldref_cli.ruleset_args import asked, over_log
from meldref_cli.viewing import nobody_plays

if TYPE_CHECKING:
    from meldref.notation.reader import Read
    from meldref.replay.log import Replay
    from meldref.report.replayed import ReplayedLine
    from meldref_table.views.view import LogView

_TOGETHER: Final = 100


_At = Annotated[
    int | None,
    typer.Option("--at", metavar="LINE", min=1, help="Show only the table after this line."),
]
_Verbose = Annotated[
    bool,
    typer.Option("--verbose", "-v", help="Show the table after every line, not only after turns."),
]


_For = Annotated[
    str | None,
    typer.Option(
        "--for",
        metavar="NAME",
        help="Show what one player knew, or public: with the unseen cards, and which of them hands "
        "must and cannot hold.",
    ),
]


def replay(
    log: Annotated[str, typer.Argument(metavar="LOG", help="A log; - for standard input.")],
    at: _At = None,
    svg: Annotated[bool, typer.Option("--svg", help="With --at, draw the table as SVG.")] = False,
    for_: _For = None,
    rules: options.Rules = None,
    with_: options.With = None,
    set_: options.Set = None,
    sheet: options.Sheet = None,
    map_: options.Map = None,
    trust_paths: options.TrustPaths = False,
    format_: options.FormatOption = options.Format.TEXT,
    quiet: options.Quiet = False,
    verbose: _Verbose = False,
    exit_zero: options.ExitZero = False,
) -> int:
    """Shows the table after each turn of a log: hands, melds, pile, stock, points, and the turn.

    On a terminal, keys step through the log. With --quiet or --verbose, or when output goes to a
    pipe or file, the log is printed.

    Exit status: 0 no violations in the lines shown, 1 violations, 2 a log that cannot be read.

    Examples:
      meldref replay friday.rgn --at 9
      meldref replay friday.rgn --at 9 --svg > table.svg
    """
    from meldref.replay.log import Replay
    from meldref.report.replayed import replayed_json, replayed_text
    from meldref_table.views.view import LogView

    if svg and (at is None or format_ is options.Format.JSON):
        raise Unusable("--svg draws the table after one line: say which with --at, and no --format")
    wanted = asked(rules, with_, set_, read=[("LOG", log)])
    over = over_log(wanted, log, trust_paths=trust_paths)
    severities: set[Severity] = set()
    seen = None if for_ is None else LogView(for_, log, over)
    named = named_log(log, Asked.of(sheet, rules, map_), quiet=quiet)
    run = Replay(log, over, explainer=named.explainer())
    lines = named.lines() if seen is None else _seen_lines(seen, named)
    chosen = _steps(run, lines) if at is None else _only(run, lines, named, at)
    steps = _noted((_in_source(step, named) for step in chosen), severities)
    if svg:
        _draw(steps)
    elif format_ is options.Format.JSON:
        output.write_all(replayed_json(steps, log, unseen=seen is not None), together=_TOGETHER)
    elif at is None and log != STANDARD_INPUT and not (quiet or verbose) and output.can_step():
        from meldref_cli.stepping import Stepper

        Stepper(steps, log).run()
    else:
        style, unseen = output.style_for(), seen is not None
        texts = replayed_text(steps, log, style=style, quiet=quiet, verbose=verbose, unseen=unseen)
        output.write_all(texts, together=_TOGETHER)
    if seen is not None and run.report.games and not seen.played:
        raise Unusable(nobody_plays(str(for_), log))
    if not run.report.readable or not run.report.games:
        _say_why_unusable(run, named, shows_findings=at is None, quiet=quiet)
        return UNUSABLE
    return status(WRONG if Severity.ERROR in severities else CLEAN, exit_zero=exit_zero)


def _draw(steps: Iterable[ReplayedLine]) -> None:
    """Draws the tables as SVG."""
    from meldref_table.report.picture import position_svg

    output.write_all(position_svg(step.position) for step in steps if step.position is not None)


def _say_why_unusable(run: Replay, named: NamedLog, *, shows_findings: bool, quiet: bool) -> None:
    """Says why a log cannot be replayed, unless its findings were shown with its lines."""
    log = named.path
    if not shows_findings:
        tell(named.findings(run.so_far.findings[:FEW]), log, to_errors=True)
    if not run.report.games and not quiet:
        say_what_it_is(log, LOG)
    if not run.so_far.findings:
        raise Unusable(f"{log}: there is no game in this file")


def _noted(steps: Iterator[ReplayedLine], severities: set[Severity]) -> Iterator[ReplayedLine]:
    """The steps, as they come; the severities of their findings are added to `severities`."""
    for step in steps:
        severities.update(finding.severity for finding in step.findings)
        yield step


def _in_source(step: ReplayedLine, named: NamedLog) -> ReplayedLine:
    """A step at its place in the file, if that is no log."""
    if named.intake is None:
        return step
    line = step.line._replace(number=named.line_of(step.line.number))
    return changed(step, line=line, findings=named.findings(step.findings))


def _seen_lines(seen: LogView, named: NamedLog) -> Iterator[str]:
    """The lines of the log as the viewer has them; each keeps its number."""
    from meldref_table.views.view import WithEnds

    with named.opened() as stream:
        for viewed in seen.of(WithEnds.of_bytes(stream)):
            if not viewed.added:
                yield viewed.text


def _steps(run: Replay, lines: Iterable[str]) -> Iterator[ReplayedLine]:
    """Every line of the log that says something, once it is played."""
    from meldref.report.replayed import ReplayedLine

    for read, findings in _fed(run, lines):
        if not isinstance(read[0].event, Header | None) or findings:
            hand = run.game.hand if run.game is not None else None
            position = hand.position if hand is not None else None
            yield ReplayedLine(read[0], run.report.games, run.report.hands, position, findings)
            run.forget()


def _fed(run: Replay, lines: Iterable[str]) -> Iterator[tuple[Read, tuple[Finding, ...]]]:
    """Each line of the log, once it is played, with what is found then."""
    from meldref.notation.hopeful import Hopeful
    from meldref.notation.reader import has_event, read_lines

    for read in Hopeful(read_lines(lines), has_event):
        before = len(run.so_far.findings)
        run.feed((read,))
        yield read, tuple(run.so_far.findings[before:])


def _only(
    run: Replay, lines: Iterable[str], named: NamedLog, number: int
) -> Iterator[ReplayedLine]:
    """The step of one line of a file, with the table as it stands after it."""
    from meldref.notation.reader import has_event
    from meldref.report.replayed import ReplayedLine

    last, at = 0, named.line_at(number)
    says_anything = False
    for read, findings in _fed(run, lines):
        last = read[0].number
        says_anything = says_anything or has_event(read)
        if last < at:
            run.forget(FEW)
            continue
        hand = run.game.hand if run.game is not None else None
        if hand is None or not hand.started:
            raise Unusable(f"--at {number}: no hand is being played at this line of {named.path}")
        yield ReplayedLine(read[0], run.report.games, run.report.hands, hand.play(), findings)
        return
    if says_anything:
        raise Unusable(f"--at {number}: {named.path} has {many(named.last_line(last), 'line')}")
