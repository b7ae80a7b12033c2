"""`meldref replay`: the table after each turn, or after one line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from meldref.core.diagnostics import FEW, Finding, Severity
from meldref.core.events import Header
from meldref.core.text import many
from meldref_cli import options, output
from meldref_cli.errors import CLEAN, UNUSABLE, WRONG, Unusable, status
from meldref_cli.files import STANDARD_INPUT, log_lines
from meldref_cli.findings import LOG, say_what_it_is, tell
from meldref_cli.ruleset_args import asked, over_log

if TYPE_CHECKING:
    from meldref.notation.reader import Read
    from meldref.replay.log import Replay
    from meldref.report.replayed import ReplayedLine

_TOGETHER: Final = 100


def replay(
    log: str,
    at: int | None = None,
    svg: bool = False,
    rules: options.RulesOptions = options.NO_RULES,
    trust_paths: bool = False,
    format_: options.Format = options.Format.TEXT,
    quiet: bool = False,
    verbose: bool = False,
    exit_zero: bool = False,
) -> int:
    """Shows the table after each turn of a log: hands, melds, pile, stock, points, and whose turn it is."""
    from meldref.replay.log import Replay
    from meldref.report.replayed import replayed_json, replayed_text

    if svg and (at is None or format_ is options.Format.JSON):
        raise Unusable("--svg draws the table after one line: say which with --at, and no --format")
    wanted = asked(*rules, read=[("LOG", log)])
    run = Replay(log, over_log(wanted, log, trust_paths=trust_paths))
    found: set[Severity] = set()
    steps = _noted(_steps(run, log) if at is None else _only(run, log, at), found)
    if svg:
        from meldref.report.picture import position_svg

        output.write_all(position_svg(step.position) for step in steps if step.position is not None)
    elif format_ is options.Format.JSON:
        output.write_all(replayed_json(steps, log), together=_TOGETHER)
    elif at is None and log != STANDARD_INPUT and not (quiet or verbose) and output.can_step():
        from meldref_cli.stepping import Stepper

        Stepper(steps, log).run()
    else:
        texts = replayed_text(steps, log, style=output.style_for(), quiet=quiet, verbose=verbose)
        output.write_all(texts, together=_TOGETHER)
    worst = WRONG if Severity.ERROR in found else CLEAN
    if not run.report.readable or not run.report.games:
        worst = UNUSABLE
        if at is not None:
            tell(run.report.findings[:FEW], log, to_errors=True)
        if not run.report.games and not quiet:
            say_what_it_is(log, LOG)
        if not run.report.findings:
            raise Unusable(f"{log}: there is no game in this file")
    return status(worst, exit_zero=exit_zero)


def _noted(steps: Iterator[ReplayedLine], found: set[Severity]) -> Iterator[ReplayedLine]:
    """The steps, as they come; how bad their findings are is added to `found`."""
    for step in steps:
        found.update(finding.severity for finding in step.findings)
        yield step


def _steps(run: Replay, log: str) -> Iterator[ReplayedLine]:
    """Every line of the log that says something, once it is played."""
    from meldref.report.replayed import ReplayedLine

    for read, found in _fed(run, log):
        if not isinstance(read[0].event, Header | None) or found:
            hand = run.game.hand if run.game is not None else None
            position = hand.position if hand is not None else None
            yield ReplayedLine(read[0], run.report.games, run.report.hands, position, found)
            _forget(run)


def _fed(run: Replay, log: str) -> Iterator[tuple[Read, tuple[Finding, ...]]]:
    """Each line of the log, once it is played, with what is found then."""
    from meldref.notation.reader import has_event, read_lines
    from meldref.notation.scanner import Hopeful

    report = run.report
    for read in Hopeful(read_lines(log_lines(log)), has_event):
        before = len(report.findings)
        run.feed((read,))
        yield read, tuple(report.findings[min(before, len(report.findings)) :])


def _forget(run: Replay, keep: int = 0) -> None:
    """Lets go of what was found, but for some findings: a long log has much, and nobody asks for it again."""
    report = run.report
    del report.findings[keep:], report.open[:], report.scores[:]
    run.expected.clear()


def _only(run: Replay, log: str, at: int) -> Iterator[ReplayedLine]:
    """The step of one line, with the table as it stands after it."""
    from meldref.notation.reader import has_event
    from meldref.report.replayed import ReplayedLine

    last = 0
    says_anything = False
    for read, found in _fed(run, log):
        last = read[0].number
        says_anything = says_anything or has_event(read)
        if last < at:
            _forget(run, FEW)
            continue
        hand = run.game.hand if run.game is not None else None
        if hand is None or not hand.started:
            raise Unusable(f"--at {at}: no hand is being played at this line of {log}")
        yield ReplayedLine(read[0], run.report.games, run.report.hands, hand.play(), found)
        return
    if says_anything:
        raise Unusable(f"--at {at}: {log} has {many(last, 'line')}")
