"""A log line by line, as text and as JSON: what each line says, what is wrong with it, and the table after it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from meldref.core.diagnostics import Finding
from meldref.core.events import Gap, Line, Reshuffle, Turn, Undo
from meldref.core.records import record
from meldref.core.text import name_of_file
from meldref.position.model import Ending, Position
from meldref.report.examined import Examined
from meldref.report.excerpt import plain
from meldref.report.json import VERSION, Data, dump, facts, finding_data
from meldref.report.style import PLAIN, Style
from meldref.report.table import position_data, table_lines
from meldref.report.text import heading

_MOVING: Final = (Turn, Gap, Reshuffle, Undo)
"""Lines that may change what lies on the table."""


@record
class ReplayedLine:
    """A line of the log and what came of it; `position` is None where no cards lie on the table."""

    line: Line
    game: int
    hand: int
    position: Position | None
    findings: tuple[Finding, ...]


def replayed_text(
    steps: Iterable[ReplayedLine], log: str, *, style: Style = PLAIN, quiet: bool = False, verbose: bool = False
) -> Iterator[str]:
    """The lines of `log`, as they come, with the table after each turn; an empty line stands before those.

    `quiet`: only the first line of each finding; `verbose`: the table after every line.
    """
    between = shown = False
    name = name_of_file(log)
    for step in steps:
        headings = [heading(one, file=Examined(log).file_of(one), style=style) for one in step.findings]
        if quiet:
            yield from headings
            continue
        drawn = step.position is not None and (verbose or not shown or isinstance(step.line.event, _MOVING))
        if between and drawn:
            yield ""
        yield f"{style.bold(f'{name}:{step.line.number}:')} {plain(step.line.text.strip())}"
        yield from (f"    {text}" for text in headings)
        if step.position is not None and drawn:
            yield from table_lines(step.position, style)
            shown = True
        between = True


def replayed_json(steps: Iterable[ReplayedLine], log: str) -> Iterator[str]:
    """The same for programs: one object, each step of it in a line, as they come."""
    opening = f'{{"version": {VERSION}, "path": {dump(log)}, "steps": ['
    between = ""
    for step in steps:
        yield (between or opening + "\n") + dump(_step_data(step, log))
        between = ","
    yield ("" if between else opening) + "]}"


def _step_data(step: ReplayedLine, log: str) -> dict[str, Data]:
    """A step; `position` is what a position file has."""
    position = step.position
    return {
        "line": step.line.number,
        "text": step.line.text,
        **facts(step, "game", "hand"),
        "over": position is not None and position.ending is Ending.OVER,
        "turn_open": position is not None and not position.begins,
        "position": None if position is None else position_data(position),
        "findings": [finding_data(finding, log) for finding in step.findings],
    }
