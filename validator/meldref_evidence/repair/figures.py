"""Edits of the lines of figures, and of lines that were copied from the hand before."""

from __future__ import annotations

from collections import Counter
from typing import Final

from meldref.core.events import Deal, Event, Points
from meldref.core.records import changed
from meldref_evidence.repair.edits import Change, Changes, Question, put

_WORDS: Final = {"score": "total", "total": "score"}


def scores_swapped(question: Question, index: int) -> Changes:
    """The figures of two players are exchanged, or those of all are in another order."""
    event, name = question.lines[index].event, question.fault.finding.player
    if not isinstance(event, Points) or name not in dict(event.amounts):
        return
    figures = dict(event.amounts)
    for other, figure in figures.items():
        if figure != figures[name]:
            swapped = {**figures, name: figure, other: figures[name]}
            yield put(question, {index: changed(event, amounts=tuple(swapped.items()))})
    due = _due(question, index, event)
    rest = Counter(figures.values())
    rest.subtract(due.values())
    if len(figures) > 2 and min(rest.values()) >= 0:
        others = rest.elements()
        moved = [(name, due[name] if name in due else next(others)) for name in figures]
        yield put(question, {index: changed(event, amounts=tuple(moved))})


def words_swapped(question: Question, index: int) -> Changes:
    """The scores are written as the totals, and the totals as the scores."""
    for at in (index, index - 1):
        rows = question.lines[max(at, 0) : at + 2]
        written = {line.event.kind: line.event for line in rows if isinstance(line.event, Points)}
        if written.keys() == {*_WORDS}:
            score, total = [changed(written[_WORDS[kind]], kind=kind) for kind in _WORDS]
            yield put(question, {at: score, at + 1: total})


def copied(question: Question, index: int) -> Changes:
    """The figures of a line, or the cards of a deal, are those of another line."""
    event, number = question.lines[index].event, question.lines[index].number
    if isinstance(event, Deal) and event in _earlier(question):
        text = f"line {number} has the deal of the previous hand"
        dealt = len(event.cards) + event.unknown
        for unseen in (dealt, dealt + 1, dealt - 1):  # the first player may be dealt one more
            if unseen > 0:
                yield put(question, {index: Deal(event.player, (), unseen)}, text=text)
    elif isinstance(event, Points) and _is_copied(question, event):
        text = f"line {number} has the figures of another line"
        amounts = tuple(_due(question, index, event).items())
        if amounts:
            yield put(question, {index: changed(event, amounts=amounts)}, text=text)
        else:
            yield Change(index, index + 1, (), text)


def _earlier(question: Question) -> list[Event | None]:
    """What the lines of the previous hand say."""
    return [line.event for line in question.course.begin.earlier]


def _is_copied(question: Question, points: Points) -> bool:
    """Whether the figures of a line are those of another line, of the previous hand or of this."""
    are_several_wrong = sum(fault.is_figure for fault in question.course.found) > 1
    if are_several_wrong and points in _earlier(question):
        return True
    if points.kind not in _WORDS or not any(question.course.begin.scores.standing.totals):
        return False
    other = changed(points, kind=_WORDS[points.kind])
    return any(line.event == other for line in question.lines)


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
