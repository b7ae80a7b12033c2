"""`meldref replay`: the table after each turn, or after one line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from meldref_cli import options, output
from meldref_cli.errors import CLEAN, UNUSABLE, WRONG, Unusable, status

if TYPE_CHECKING:
    from meldref.diagnostics import Finding
    from meldref.events import Line
    from meldref.position.model import Position
    from meldref.replay import Replay
    from meldref_cli.rulings import Asked


@dataclass(frozen=True, slots=True)
class Step:
    """A line of the log and what came of it; `position` is None where no cards lie on the table."""

    line: Line
    game: int
    hand: int
    position: Position | None
    findings: tuple[Finding, ...]


def replay(
    log: Annotated[str, typer.Argument(metavar="LOG", help="A log; - for standard input.")],
    at: Annotated[
        int | None, typer.Option("--at", metavar="LINE", min=1, help="Only the table after this line.")
    ] = None,
    rules: options.Rules = None,
    with_: options.With = None,
    set_: options.Set = None,
    format_: options.AsFormat = options.Format.TEXT,
    quiet: options.Quiet = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="The table after every line, not after turns alone.")
    ] = False,
    exit_zero: options.ExitZero = False,
) -> int:
    """Shows the table after each turn of a log: hands, melds, pile, stock, points, and whose turn it is.

    Exit status: 0 every line shown is clean, 1 violations among them, 2 a log that cannot be read.
    """
    from meldref.replay import Overrides, Replay
    from meldref_cli.files import STANDARD_INPUT
    from meldref_cli.rulings import asked

    wanted: Asked = asked(rules, with_, set_, read=[("LOG", log)])
    beside = None if log == STANDARD_INPUT else Path(log).parent
    run = Replay(log, Overrides(wanted.rules, wanted.options, wanted.settings, beside))
    show = _Json(log) if format_ is options.Format.JSON else _Text(log, quiet=quiet, verbose=verbose)
    steps = _steps(run, log) if at is None else _only(run, log, at)
    worst = CLEAN
    for step in steps:
        show.add(step)
        if any(finding.severity.value == "error" for finding in step.findings):
            worst = WRONG
    show.end()
    if not run.report.readable or not run.report.games:
        worst = UNUSABLE
        if at is not None:
            from meldref_cli.auditing import FEW
            from meldref_cli.findings import tell

            tell(run.report.findings[:FEW], log, to_errors=True)
        if not run.report.games and not quiet:
            from meldref_cli.mistaken import LOG, say_what_it_is

            say_what_it_is(log, LOG)
        if not run.report.findings:
            raise Unusable(f"{log}: there is no game in this file")
    return status(worst, exit_zero=exit_zero)


def _steps(run: Replay, log: str) -> Iterator[Step]:
    """Every line of the log that says something, once it is played."""
    from meldref.events import Header
    from meldref.notation.reader import read_lines
    from meldref_cli.auditing import HOPELESS
    from meldref_cli.files import log_lines

    report = run.report
    says_anything = False
    for read in read_lines(log_lines(log)):
        before = len(report.findings)
        run.feed((read,))
        line = read[0]
        says_anything = says_anything or line.event is not None
        if line.number > HOPELESS and not says_anything:
            return
        fresh = tuple(report.findings[min(before, len(report.findings)) :])
        if (line.event is None or isinstance(line.event, Header)) and not fresh:
            continue
        yield Step(line, report.games, report.hands, _position(run), fresh)
        del report.findings[:]


def _only(run: Replay, log: str, at: int) -> Iterator[Step]:
    """The step of one line, with the table as it stands after it."""
    from meldref.notation.reader import read_lines
    from meldref_cli.files import log_lines

    last = 0
    says_anything = False
    for read in read_lines(log_lines(log)):
        last = read[0].number
        says_anything = says_anything or read[0].event is not None
        before = len(run.report.findings)
        run.feed((read,))
        if last < at:
            continue
        found = tuple(run.report.findings[min(before, len(run.report.findings)) :])
        hand = run.game.hand if run.game is not None else None
        if hand is None or not hand.started:
            raise Unusable(f"--at {at}: no hand is being played at this line of {log}")
        yield Step(read[0], run.report.games, run.report.hands, hand.play(), found)
        return
    if not says_anything:
        return
    from meldref.wording import many

    raise Unusable(f"--at {at}: {log} has {many(last, 'line')}")


def _position(run: Replay) -> Position | None:
    hand = run.game.hand if run.game is not None else None
    return hand.position if hand is not None else None


def _moves(step: Step) -> bool:
    """Whether a line may have changed what lies on the table."""
    from meldref.events import Gap, Reshuffle, Turn, Undo

    return isinstance(step.line.event, (Turn, Gap, Reshuffle, Undo))


class _Text:
    """The table, drawn in letters."""

    def __init__(self, log: str, *, quiet: bool, verbose: bool) -> None:
        self._log = log
        self._quiet = quiet
        self._verbose = verbose
        self._style = output.style_for()
        self._between = False
        self._shown = False

    def add(self, step: Step) -> None:
        """One more line."""
        from meldref.report.excerpt import plain
        from meldref.report.table import table_lines
        from meldref.report.text import heading

        if self._quiet:
            for finding in step.findings:
                output.write(heading(finding, file=self._file_of(finding), style=self._style))
            return
        drawn = step.position is not None and (self._verbose or _moves(step) or not self._shown)
        if self._between and drawn:
            output.write("")
        output.write(f"{self._style.bold(f'{self._log}:{step.line.number}:')} {plain(step.line.text.strip())}")
        for finding in step.findings:
            output.write(f"    {heading(finding, file=self._file_of(finding), style=self._style)}")
        if step.position is not None and drawn:
            output.write_all(table_lines(step.position, self._style))
            self._shown = True
        self._between = True

    def _file_of(self, finding: Finding) -> str:
        """The file that a finding is in, as it can be opened from here."""
        if finding.file in {"", Path(self._log).name}:
            return self._log
        from meldref.report.text import shown_path

        return shown_path(finding.file, Path(self._log).parent)

    def end(self) -> None:
        """Nothing follows."""


class _Json:
    """Each step as an object; `position` is what a position file has."""

    def __init__(self, log: str) -> None:
        self._between = ""
        self._log = log

    def _opening(self) -> str:
        from meldref.report.json import VERSION

        return f'{{"version": {VERSION}, "path": {json.dumps(self._log)}, "steps": ['

    def add(self, step: Step) -> None:
        """One more line."""
        from meldref.position.model import Ending
        from meldref.report.json import finding_data
        from meldref.report.table import position_data

        position = step.position
        data = {
            "line": step.line.number,
            "text": step.line.text,
            "game": step.game,
            "hand": step.hand,
            "over": position is not None and position.ending is Ending.OVER,
            "turn_open": position is not None and not position.begins,
            "position": None if position is None else position_data(position),
            "findings": [finding_data(finding, self._log) for finding in step.findings],
        }
        output.write((self._between or self._opening() + "\n") + json.dumps(data))
        self._between = ","

    def end(self) -> None:
        """The end of the object."""
        output.write(("" if self._between else self._opening()) + "]}")
