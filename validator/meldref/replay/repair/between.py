"""What is wrong before a hand: a hand left out, a wrong number, or the order of the players."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Final

from meldref.core.diagnostics import Finding, Follows, Repair
from meldref.core.events import HandStart, Line, Turn
from meldref.core.records import changed
from meldref.notation.actions import BREAKS_IN
from meldref.replay.playing import Playing
from meldref.replay.repair.course import Course
from meldref.rules.setup import first_seat

PLAYERS_ORDER: Final = "players-order"
"""The edit of the header that names the players in the order of turns."""


def players_order(begin: Playing, lines: Sequence[Line]) -> Playing | None:
    """How the first hand begins if its players sit in the order in which turns went round."""
    hand = begin.hand
    seats = _as_played(lines, begin.seats, begin.judge.binding.step)
    if not seats or hand is None or begin.scores.standing.played or any(hand.totals):
        return None
    return begin.seated(seats)


def _as_played(lines: Sequence[Line], seats: Mapping[str, int], step: int) -> tuple[int, ...]:
    """The seats in the order in which turns went round; none if that is the order they have."""
    turns = [
        line.event for line in lines if type(line.event) is Turn and line.event.player in seats
    ]
    players = [seats[turn.player] for turn in turns if type(turn.actions[0]) not in BREAKS_IN]
    steps = Counter(pair for pair in pairwise(players) if pair[0] != pair[1])
    after = {seat: other for (seat, other), _ in reversed(steps.most_common())}
    order = [0]
    while (following := after.get(order[-1], 0)) not in order:
        order.append(following)
    usual = sum(steps[seat, other] for seat, other in after.items())
    if len(order) < len(seats) or following or usual * 5 < steps.total() * 4 or usual < len(order):
        return ()
    if step < 0:
        order[1:] = order[:0:-1]
    return () if order == sorted(order) else tuple(order)


def other_dealer(begin: Playing, lines: Sequence[Line]) -> Playing | None:
    """How the first hand begins if its first turn is that of the player due after the deal."""
    hand = begin.hand
    first = next((line.event for line in lines if type(line.event) is Turn), None)
    if hand is None or hand.dealer is None or begin.scores.standing.played or first is None:
        return None
    if not isinstance(hand.line.event, HandStart) or hand.line.event.dealer is None:
        return None
    if first.number not in {None, 1}:
        return None
    for seat in hand.active:
        begins = first_seat(begin.judge.binding, seat, hand.active)
        if begins == begin.seats.get(first.player) and seat != hand.dealer:
            other = begin.fork()
            assert other.hand is not None
            other.hand.dealer = seat
            return other
    return None


def as_dealt(finding: Finding, begin: Playing, rest: tuple[Follows, ...]) -> Finding:
    """The finding about the first turn, which follows from another dealer in the hand's line.

    A turn may be missing before it instead, so that nobody writes that into the log.
    """
    hand = begin.hand
    assert hand is not None
    assert hand.dealer is not None
    line, dealer = hand.line.number, begin.players[hand.dealer]
    return changed(finding, repair=Repair("other-dealer", line, f"{dealer} dealt the hand", rest))


def hand_left_out(begin: Playing, lines: Sequence[Line], wrong_totals: int) -> Playing | None:
    """How a hand begins after one that was left out, if all totals, or all but one, say so."""
    record, sides = begin.scores.record, len(begin.scores.standing.sides)
    assert record is not None
    if wrong_totals < max(2, sides - 1):
        return None
    skipped = begin.fork()
    skipped.scores.drop_hand()
    skipped.scores.skip_hands(begin.scores.standing.skipped + 1)
    skipped.scores.begin_hand(record.number)
    return skipped if _count(Course(skipped, lines), "score.total") < wrong_totals else None


def _count(course: Course, code: str) -> int:
    """How often something is found in a hand."""
    course.play_on(0)
    return sum([fault.finding.code == code for fault in course.found])


def numbered_otherwise(
    begin: Playing, lines: Sequence[Line], numbers: Iterable[int]
) -> Playing | None:
    """How a hand begins with another number that it may have, whose contract was melded."""
    if begin.hand is None or not _count(Course(begin, lines), "meld.contract"):
        return None
    for number in numbers:
        other = begin.fork()
        assert other.hand is not None
        other.hand.number = number
        if not _count(Course(other, lines), "meld.contract"):
            return other
    return None


def as_left_out(finding: Finding, rest: Sequence[Finding], told: Sequence[Finding]) -> Finding:
    """A finding that a hand explains which is missing before its line."""
    keys = {(one.span, one.code, one.message) for one in told}
    gone = [
        one for one in rest if (one.span, one.code, one.message) not in keys and one is not finding
    ]
    follows = tuple([Follows(one.span.line, one.code, one.message) for one in gone])
    repair = Repair("hand-missing", finding.span.line, "a hand is missing before this one", follows)
    return changed(finding, repair=repair)
