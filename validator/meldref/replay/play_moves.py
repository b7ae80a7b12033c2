"""Plays moves on a position, and says what became of them."""

from __future__ import annotations

from collections.abc import Sequence

from meldref.core.diagnostics import Finding, Span
from meldref.core.events import Line, Reshuffle, StockOrder, Turn, UpCard
from meldref.core.records import fresh, record
from meldref.engine.judge import Judge
from meldref.notation.reader import read_lines
from meldref.position.model import GOING_ON, Position
from meldref.positions.build import Built
from meldref.replay.hand import LINES, HandPlay
from meldref.ruleset.model import Ruleset


@record(frozen=False)
class MovesResult:
    """What became of a case's moves or log."""

    findings: list[Finding]
    lines: int
    position: Position | None = None
    judge: Judge | None = None
    before: list[int] = fresh(default_factory=list)
    start: Position | None = None
    undecided: list[str] = fresh(default_factory=list)
    ruleset: Ruleset | None = None
    players: Sequence[str] = ()


def play_moves(built: Built, moves: Sequence[str], *, whole: bool = True) -> MovesResult:
    """Plays moves on a position, one line each; `whole`: a turn still open at the end is judged as ended there."""
    findings: list[Finding] = []
    judge, position = built.judge, built.position
    undecided: list[str] = []
    hand = HandPlay(
        judge, position.players, Line(0, "", None), findings.append, lambda _, what: undecided.append(what)
    )
    before = list(position.points)
    start = position.copy()
    hand.adopt(position)
    for line, wrong in read_lines([move.replace("\n", " ") for move in moves]):
        findings.extend(wrong)
        event = line.event
        if isinstance(event, Turn):
            seat = hand.seats.get(event.player)
            if seat is None:
                span = Span(line.number, event.name_column, event.name_column + len(event.player))
                message = f"{event.player} is not one of the players"
                findings.append(Finding("log.name", message, span, excerpt=line.text))
            else:
                hand.turn(line, event, seat)
        elif isinstance(event, (Reshuffle, StockOrder, UpCard)):
            LINES[type(event)](hand, line, event)
        elif event is not None:
            place = Span(line.number, 1, 2)
            findings.append(Finding("log.syntax", "expected a turn here", place, excerpt=line.text))
    if whole and hand.referee is not None:
        hand.referee.close_turn()
    findings.sort(key=lambda finding: finding.span.line)
    return MovesResult(
        findings, len(moves), position, judge, before, start, undecided, judge.ruleset, position.players
    )


def what_follows(position: Position) -> str:
    """`over`, `floats` (the last player has no cards and the hand goes on), or `plays X`."""
    if position.ending is not GOING_ON:
        return "over"
    last = position.acted
    if last is not None and last in position.floating and not position.held[last] and position.begins:
        return "floats"
    return f"plays {position.players[position.turn.seat]}"
