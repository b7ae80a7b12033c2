"""What is wrong before a hand: a hand left out, a wrong number, or the order of the players."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Final

from meldref.core.diagnostics import Finding, Follows, Repair
from meldref.core.effort import EFFORT
from meldref.core.events import Deal, HandStart, Line, Points, Turn
from meldref.core.records import changed
from meldref.core.text import in_words
from meldref.notation.actions import BREAKS_IN
from meldref.replay.playing import Playing
from meldref.replay.repair.course import Course
from meldref.replay.repair.edits import Change, Changes, Question
from meldref.rules.setup import first_seat, table_size

_LINES_OF_PLAYER: Final = 2
"""How many lines of a hand a name has at least that is a player's."""

_MOST_CONTRACTS: Final = 20
"""Of how many hands with settings of their own the contracts are tried."""
PLAYERS: Final = ("players-order", "players-named")
"""The edits of the header: of the order of the players in it, and of who they are."""
HAND_MISSING: Final = "hand-missing"
MISDEALT: Final = 0.2
"""How much less a missing hand costs if its dealer shows it, too."""


def players_order(question: Question, _: int) -> Changes:
    """The header names the players of the first hand in the order in which turns went round."""
    begin = question.course.begin
    seats = _as_played(question.lines, begin.seats, begin.judge.binding.step)
    if seats and _is_first(begin):
        yield _with_players(begin, tuple([begin.players[seat] for seat in seats]))


def players_named(question: Question, _: int) -> Changes:
    """The header lacks a player of the first hand, or has another name for one.

    The one with another name has no line in the hand.
    """
    begin, lines = question.course.begin, question.lines
    named = Counter([getattr(line.event, "player", None) for line in lines])
    unknown = [name for name in named if name is not None and name not in begin.seats]
    if len(unknown) != 1 or named[unknown[0]] < _LINES_OF_PLAYER or not _is_first(begin):
        return
    name, players = unknown[0], begin.players
    absent = [seat for seat, player in enumerate(players) if player not in named]
    places = absent or range(len(players) + 1)
    for seat in places:
        others = (*players[:seat], name, *players[seat + len(absent[:1]) :])
        if table_size(begin.judge.ruleset, len(others)) is None:
            yield _with_players(begin, others)


def _is_first(begin: Playing) -> bool:
    """Whether nothing was scored before a hand."""
    return begin.hand is not None and not (begin.scores.standing.played or any(begin.hand.totals))


def _with_players(begin: Playing, players: tuple[str, ...]) -> Change:
    return Change(0, 0, (), what=in_words(players), begin=begin.of_players(players))


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


def other_dealer(question: Question, _: int) -> Changes:
    """Another player dealt the first hand, so that its first turn is that of the player due."""
    begin, turn = question.course.begin, question.line.event
    hand = begin.hand
    if hand is None or hand.dealer is None or begin.scores.standing.played:
        return
    if not isinstance(hand.line.event, HandStart) or hand.line.event.dealer is None:
        return
    if type(turn) is not Turn or turn.number not in {None, 1} or _turns_before(question):
        return
    for seat in hand.active:
        begins = first_seat(begin.judge.binding, seat, hand.active)
        if begins == begin.seats.get(turn.player) and seat != hand.dealer:
            dealt = begin.fork()
            assert dealt.hand is not None
            dealt.hand.dealer = seat
            yield Change(0, 0, (), begin.players[seat], begin=dealt)


def _turns_before(question: Question) -> bool:
    """Whether there is a turn before the line that the finding is about."""
    return any(type(line.event) is Turn for line in question.lines[: question.at])


def shows_missing_hand(begin: Playing, lines: Sequence[Line], findings: Iterable[Finding]) -> bool:
    """Whether all totals of a hand, or all but one, are wrong.

    So is a total that grew without a score. A wrong dealer counts as another total.
    """
    standing, hand, record = begin.scores.standing, begin.hand, begin.scores.record
    if hand is None or record is None:
        return False
    wrong = {one.player for one in findings if one.code == "score.total"}
    wrong |= {standing.names[side] for side in _grown_without_score(begin, lines)}
    playing = record.playing or range(len(standing.sides))
    return len(wrong) >= max(2 - hand.is_misdealt, len(playing) - 1, 1)


def _grown_without_score(begin: Playing, lines: Sequence[Line]) -> set[int]:
    """The sides without a score in a hand that others have one of, and with another total."""
    figures = [line.event for line in lines if isinstance(line.event, Points)]
    scored, totals = (
        {
            side: points
            for figure in figures
            if figure.kind == kind
            for name, points in figure.amounts
            if (side := begin.scores.sides.get(name)) is not None
        }
        for kind in ("score", "total")
    )
    before = begin.scores.standing.totals
    grown = {side for side, points in totals.items() if before[side] not in {None, points}}
    return grown - {*scored} if scored else set()


def hand_missing(question: Question, _: int) -> Changes:
    """The hand before this one was left out, and whoever it put out of the game does not play."""
    begin, record = question.course.begin, question.course.begin.scores.record
    wrong = [fault.finding for fault in question.course.found]
    if record is not None and shows_missing_hand(begin, question.lines, wrong):
        skipped = begin.fork()
        assert skipped.hand is not None
        skipped.scores.skip_hands(begin.scores.standing.skipped + 1)
        skipped.begin_hand(skipped.hand, record.number)
        more = -MISDEALT * skipped.hand.is_misdealt
        begins = without_absent(skipped, question.lines)
        yield Change(0, 0, (), what=hands_missing(), more=more, begin=begins)


def hands_missing(many: int = 1) -> str:
    """How it is said that some hands are missing before another one."""
    hands = "a hand is" if many == 1 else f"{many} hands are"
    return f"{hands} missing before this one"


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


def numbered_as_melded(
    begin: Playing, lines: Sequence[Line], wrong: Iterable[Finding]
) -> Playing | None:
    """How the first hand of a log begins with the one number whose contract all players melded.

    More than one of them melded otherwise than the contract of the number written allows.
    """
    line = None if begin.hand is None else begin.hand.line
    against = {finding.player for finding in wrong if finding.code == "meld.contract"}
    if line is None or getattr(line.event, "number", None) is None or len(against) <= 1:
        return None
    fit: list[Playing] = []
    for rules in begin.judge.ruleset.hands[:_MOST_CONTRACTS]:
        if rules.first == rules.last and not EFFORT.over:
            other = begin.of_players(begin.players, rules.first)
            if not _count(Course(other, lines), "meld.contract"):
                fit.append(other)
    return fit[0] if len(fit) == 1 else None


def without_absent(begin: Playing, lines: Sequence[Line]) -> Playing:
    """How a hand begins in which those who may be out have no line, where nobody's deal is named.

    Else the deal shows who is in.
    """
    hand, kinds = begin.hand, {type(line.event) for line in lines}
    if hand is None or not hand.may_be_out or Deal in kinds or Turn not in kinds:
        return begin
    named = {getattr(line.event, "player", None) for line in lines}
    absent = [seat for seat in hand.may_be_out if begin.players[seat] not in named]
    if not absent:
        return begin
    other = begin.fork()
    assert other.hand is not None
    other.hand.active = tuple([seat for seat in hand.active if seat not in absent])
    return other


def as_shown_by(finding: Finding, edit: str, text: str, follows: tuple[Follows, ...]) -> Finding:
    """A finding that shows what is wrong with the whole hand, and what follows from that."""
    return changed(finding, repair=Repair(edit, finding.span.line, text, follows))
