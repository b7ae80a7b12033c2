"""Edits of the lines of figures, and of lines that were copied from the hand before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from meldref.core.events import Deal, Event, Line, Points
from meldref.core.records import changed
from meldref.replay.repair.edits import Change, Changes, Question, put

_WORDS: Final = {"score": "total", "total": "score"}


def of_figures(question: Question) -> Iterator[int]:
    """The line of figures that the finding is about, and the one before."""
    for index in (question.at, question.at - 1):
        if index >= 0 and isinstance(question.lines[index].event, Points):
            yield index


def scores_swapped(question: Question, index: int) -> Changes:
    """The figures of two players are exchanged, or those of all are in another order."""
    event, name = question.lines[index].event, question.fault.finding.player
    figures = dict(event.amounts) if isinstance(event, Points) else {}
    if not isinstance(event, Points) or name not in figures:
        return
    for other, figure in figures.items():
        if figure != figures[name]:
            swapped = {**figures, name: figure, other: figures[name]}
            points = changed(event, amounts=tuple(swapped.items()))
            what = f"the {event.kind}s of {name} and {other} are swapped"
            yield put(question, index, points, what=what)
    due = _due(question, index, event)
    rest = Counter(figures.values())
    rest.subtract(due.values())
    if len(figures) > 2 and min(rest.values()) >= 0:
        others = rest.elements()
        moved = [(name, due[name] if name in due else next(others)) for name in figures]
        points = changed(event, amounts=tuple(moved))
        yield put(question, index, points, what=f"the {event.kind}s are in another order")


def words_swapped(question: Question, index: int) -> Changes:
    """The scores are written as the totals, and the totals as the scores."""
    for at in (index, index - 1):
        rows = question.lines[max(at, 0) : at + 2]
        written = {line.event.kind: line.event for line in rows if isinstance(line.event, Points)}
        if written.keys() == {*_WORDS} and _add_up(question, written["total"], written["score"]):
            score, total = [
                put(question, at + step, changed(written[_WORDS[kind]], kind=kind)).lines[0]
                for step, kind in enumerate(_WORDS)
            ]
            what = f"{rows[0].number} and {rows[1].number}"
            yield Change(at, at + 2, (score, total), what=what)


def _add_up(question: Question, scores: Points, totals: Points) -> bool:
    """Whether totals are those before the hand and some scores, as far as those are known."""
    keeper, due = question.course.begin.scores, dict(totals.amounts)

    def adds_up(name: str, score: int, before: Sequence[int | None]) -> bool:
        total = before[keeper.sides[name]] if name in keeper.sides else None
        return total is None or total + score == due.get(name)

    return any(
        all(adds_up(name, score, reading.totals) for name, score in scores.amounts)
        for reading in keeper.readings
    )


def copied(question: Question, index: int) -> Changes:
    """The figures of a line, or the cards of a deal, are those of another line."""
    event = question.lines[index].event
    if isinstance(event, Deal) and event in _events(question.course.begin.earlier):
        for many in dict.fromkeys(map(_dealt, (event, *_deals(question)))):
            dealt = Deal(event.player, (), many)
            yield put(question, index, dealt, what="the deal of the previous hand")
    elif isinstance(event, Points) and event.kind in _WORDS:
        source = _source(question, index, event)
        if source:
            yield from _put_right(question, index, event, source)


def _deals(question: Question) -> list[Deal]:
    """The deals of the hand."""
    events = _events(tuple(question.lines))
    return [event for event in events if isinstance(event, Deal)]


def _dealt(deal: Deal) -> int:
    """How many cards a deal has."""
    return len(deal.cards) + deal.unknown


def _events(lines: tuple[Line, ...]) -> Iterator[Event]:
    return (line.event for line in lines if line.event is not None)


def _source(question: Question, index: int, points: Points) -> str:
    """Where the figures of a line come from; empty if no other line has them."""
    begin, lines = question.course.begin, question.lines
    are_several_wrong = sum(fault.is_figure for fault in question.course.found) > 1
    if are_several_wrong and points in _events(begin.earlier):
        return f"the {points.kind}s of the previous hand"
    if not any(begin.scores.standing.totals):  # nothing to be added to the scores
        return ""
    if points.kind == "score":
        is_total = changed(points, kind="total") in _events(tuple(lines[index + 1 :]))
        return "the totals instead of the scores" if is_total else ""
    is_score = changed(points, kind="score") in _events(tuple(lines[:index]))
    return "the scores instead of the totals" if is_score else ""


def _put_right(question: Question, index: int, points: Points, source: str) -> Changes:
    """The figures that are due there, as far as they are known."""
    amounts = tuple(_due(question, index, points).items())
    if amounts:
        yield put(question, index, changed(points, amounts=amounts), what=source)
    else:
        yield Change(index, index + 1, (), what=source)


def _due(question: Question, index: int, points: Points) -> dict[str, int]:
    """The figures that are due on a line, by the names on it, as far as they are known."""
    playing = question.course.before(index).fork()
    scores = playing.scores
    if points.kind == "score":
        playing.play(question.lines[index])
        record = scores.record
        due = {} if record is None else dict(record.computed)
    else:
        scores.count(playing.hand)
        due = dict(enumerate(scores.standing.totals))
    row = [(name, due.get(scores.sides.get(name, -1))) for name, _ in points.amounts]
    return {name: figure for name, figure in row if figure is not None}
