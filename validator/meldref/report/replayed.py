"""A log line by line, as text and JSON: what each line says, its findings, and the table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from meldref.answers.possible import possible
from meldref.core.cards import cards_text, each, size
from meldref.core.diagnostics import Finding
from meldref.core.events import Gap, Line, Reshuffle, Turn, Undo
from meldref.core.records import record
from meldref.core.text import many, name_of_file
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
    """A line of the log and what came of it; `position` is None if no cards lie on the table."""

    line: Line
    game: int
    hand: int
    position: Position | None
    findings: tuple[Finding, ...]


def replayed_text(
    steps: Iterable[ReplayedLine],
    log: str,
    *,
    style: Style = PLAIN,
    quiet: bool = False,
    verbose: bool = False,
    unseen: bool = False,
) -> Iterator[str]:
    """The lines of `log`, as they come, with the table after each turn, set off by an empty line.

    `quiet`: only the first line of each finding; `verbose`: the table after every line; `unseen`:
    also which cards nobody saw, and what hands must and cannot hold of them.
    """
    between = shown = False
    name = name_of_file(log)
    for step in steps:
        headings = [
            heading(finding, file=Examined(log).file_of(finding), style=style)
            for finding in step.findings
        ]
        if quiet:
            yield from headings
            continue
        drawn = step.position is not None and (
            verbose or not shown or isinstance(step.line.event, _MOVING)
        )
        if between and drawn:
            yield ""
        yield f"{style.bold(f'{name}:{step.line.number}:')} {plain(step.line.text.strip())}"
        yield from (f"    {text}" for text in headings)
        if step.position is not None and drawn:
            yield from table_lines(step.position, style)
            if unseen:
                yield from _unseen_lines(step.position)
            shown = True
        between = True


def replayed_json(
    steps: Iterable[ReplayedLine], log: str, *, unseen: bool = False
) -> Iterator[str]:
    """Data for programs: one object, each step of it in a line, as they come."""
    opening = f'{{"version": {VERSION}, "path": {dump(log)}, "steps": ['
    between = ""
    for step in steps:
        yield (between or opening + "\n") + dump(
            {**_step_data(step, log), **({"unseen": _unseen_data(step.position)} if unseen else {})}
        )
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


def _unseen_lines(position: Position) -> Iterator[str]:
    """The cards that were not seen, and which of them a hand must or cannot hold."""
    bounds = possible(position)
    if bounds is None:
        return
    yield f"    unseen {cards_text(each(bounds.unseen))}  ({many(size(bounds.unseen), 'card')})"
    for word, by_seat in (("must hold", bounds.must), ("cannot hold", bounds.cannot)):
        for seat, cards in by_seat.items():
            yield f"    {position.players[seat]} {word} {cards_text(each(cards))}"


def _unseen_data(position: Position | None) -> Data:
    """What hands must and cannot hold, for programs; None if it is unknown."""
    bounds = None if position is None else possible(position)
    if bounds is None or position is None:
        return None
    by_player = {
        word: {position.players[seat]: cards_text(each(cards)) for seat, cards in by_seat.items()}
        for word, by_seat in (("must_hold", bounds.must), ("cannot_hold", bounds.cannot))
    }
    return {"cards": cards_text(each(bounds.unseen)), **by_player}
