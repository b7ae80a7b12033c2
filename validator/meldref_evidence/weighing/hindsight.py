"""Looks back at lines that were left open: what later lines show of hands may decide them.

A card that a later line shows was somewhere before, and cards move unseen only from the stock to a
hand. So a card that comes out of a hand was in that hand at an earlier line, if nothing unseen went
there since, and in any case in no other hand. With that knowledge the open line is judged again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import Final, Literal

from meldref.core.cards import ONE, UNKNOWN, Card, Cards, count, holds
from meldref.core.diagnostics import errors_in
from meldref.core.events import Buy, Call, Line, Take, Turn, cards_of
from meldref.core.records import NamedTuple, record
from meldref.position.model import Position, watched
from meldref.position.moved import SHOWN, STOCK, Moved
from meldref_evidence.weighing.course import Course
from meldref_evidence.weighing.sightings import PILE, Sightings, needed, sightings

MOST_OPEN: Final = 8
"""At how many open lines of a hand is looked back,"""
MOST_SHOWN: Final = 100
"""and how many cards that later lines show are looked at for each."""
FROM_STOCK: Final = -1


@record
class Decided:
    """An open line that the rest of the record decides.

    `lines` are those that cannot all be true, this one among them, where it was illegal, and
    `because` is what was wrong then; both are empty where it was legal.
    """

    line: int
    lines: tuple[int, ...] = ()
    because: str = ""


@record
class _Shown:
    """A card that a later line shows, and whose hand it came from (`FROM_STOCK`: the stock).

    `for_certain` says that it lay there when the open line was played, and was not drawn since.
    """

    line: int
    seat: int
    card: Card
    for_certain: bool


def decide_turns(
    begin: Course, lines: Sequence[Line], left_open: AbstractSet[int]
) -> list[Decided]:
    """The lines of a hand that were left open and that later lines decide."""
    wanted = left_open & {line.number for line in lines if type(line.event) is Turn}
    settled: list[Decided] = []
    for number in sorted(wanted)[:MOST_OPEN]:
        at = next(at for at, line in enumerate(lines) if line.number == number)
        decision = _decided(begin, lines, at)
        if decision is not None:
            settled.append(decision)
    return settled


def _decided(begin: Course, lines: Sequence[Line], at: int) -> Decided | None:
    """What later lines decide of the open line at an index; None where it stays open."""
    before = begin.fork()
    for line in lines[:at]:
        before.play(line)
    shown = list(_shown_later(before, lines[at:]))[:MOST_SHOWN]
    question = _Question(before, lines[at], sightings(begin, lines[:at]))
    if not shown or question.answer([]).verdict != "open":
        return None
    answer = question.answer(shown)
    number = lines[at].number
    if answer.verdict != "illegal":
        return Decided(number) if answer.verdict == "legal" else None
    evidence = {card.line for card in shown} | question.earlier
    smallest = needed(
        evidence,
        sorted(evidence),
        lambda lines: question.answer(shown, lines).verdict == "illegal",
    )
    return Decided(number, tuple(sorted(smallest | {number})), answer.because)


class _Answer(NamedTuple):
    """What is known of a line: `legal`, `illegal` with what is wrong, or `open`."""

    verdict: Literal["legal", "illegal", "open"]
    because: str = ""


class _Question:
    """Whether an open line is legal, by what is known when it is played."""

    def __init__(self, before: Course, line: Line, seen: Sightings) -> None:
        assert isinstance(line.event, Turn)
        self._before, self._line, self._event, self._seen = before, line, line.event, seen
        self.earlier = set[int]().union(*[sighting.lines for sighting in seen.cards])

    def answer(self, shown: Sequence[_Shown], evidence: AbstractSet[int] | None = None) -> _Answer:
        """Judges the line; `evidence` are the lines whose cards are known (None: all)."""
        playing, position, _ = _at(self._before, self._line)
        if evidence is not None:
            self._forget(position, evidence)
        for late in shown:
            if evidence is None or late.line in evidence:
                _know(position, late)
        playing.play(self._line)
        wrong = errors_in(playing.report.findings)
        if wrong:
            return _Answer("illegal", wrong[0].message)
        return _Answer("open" if playing.report.open else "legal")

    def _forget(self, position: Position, evidence: AbstractSet[int]) -> None:
        """Cards that only other lines show may lie anywhere; what this line takes, it shows."""
        taken: list[Card] = []
        for action in self._event.actions:
            if isinstance(action, (Take, Call, Buy)):
                taken += cards_of(action)
        for sighting in reversed(self._seen.cards):  # the top of the pile comes first
            if sighting.where == PILE and sighting.card in taken:
                taken.remove(sighting.card)
            elif sighting.lines and sighting.lines.isdisjoint(evidence):
                position.seen -= ONE[sighting.card]
                if sighting.where >= 0:
                    position.hands[sighting.where] -= ONE[sighting.card]
                    position.unknown[sighting.where] += 1


def _at(before: Course, line: Line) -> tuple[Course, Position, int]:
    """A copy of what a turn is played on, with its position, and whose turn it is."""
    playing = before.fork()
    assert playing.hand is not None
    assert isinstance(line.event, Turn)
    seat = playing.seats[line.event.player]
    return playing, playing.hand.play(begins=seat), seat


def _know(position: Position, shown: _Shown) -> None:
    """A card lay where a later line shows that it did."""
    if position.left(shown.card) <= 0:
        return
    if not shown.for_certain or shown.seat == FROM_STOCK:
        position.reveal(shown.card)
    elif position.unknown[shown.seat] > 0:
        position.learn(shown.seat, shown.card)


def _shown_later(before: Course, lines: Sequence[Line]) -> Iterator[_Shown]:
    """The cards that later lines show, as long as none is lost out of sight.

    `lines` begin with the open line, at which what is drawn may be what its player shows later.
    Where house rules may ask what others hold, only what is certain counts.
    """
    playing, position, mover = _at(before, lines[0])
    has_drawn: set[int] = set()
    asks_of_others = playing.judge.house is not None
    for line in lines:
        was = position.copy()
        with watched(position) as moves:
            playing.play(line)
        if (
            playing.hand is None
            or playing.hand.position is not position
            or not holds(position.seen, was.seen)
        ):
            return
        if UNKNOWN in position.pile or position.copies != was.copies:
            return
        came = list(_came(moves, position.seen - was.seen))
        for seat in range(len(position.players)):
            more = sum([taker == seat for taker, _ in came])
            if position.unknown[seat] - was.unknown[seat] + more > 0:
                has_drawn.add(seat)
        if line is lines[0]:
            continue
        for seat, card in came:
            for_certain = seat not in has_drawn
            if for_certain or (seat != mover and not asks_of_others):
                yield _Shown(line.number, seat, card, for_certain)


def _came(moves: Sequence[Moved], new: Cards) -> Iterator[tuple[int, Card]]:
    """The cards of a line that nobody had seen before, with the hand or stock they came from."""
    for moved in moves:
        if moved.card == UNKNOWN or not count(new, moved.card):
            continue
        if moved.target is SHOWN or moved.origin is STOCK:
            new -= ONE[moved.card]
            yield FROM_STOCK if moved.origin is STOCK else moved.seat, moved.card
