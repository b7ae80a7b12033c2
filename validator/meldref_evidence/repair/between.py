"""What is wrong before a hand: a hand left out, a wrong number, or the order of the players."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from meldref.core.diagnostics import Finding
from meldref.core.effort import EFFORT
from meldref.core.events import HandStart, Line, Points, Turn
from meldref.core.text import in_words
from meldref.notation.actions import BREAKS_IN
from meldref.replay.explainer import hands_missing
from meldref.replay.hand_number import HandNumber
from meldref.replay.playing import Playing
from meldref.rules.setup import first_seat, table_size
from meldref_evidence.repair.course import Course
from meldref_evidence.repair.edits import Change, Changes, Question

_LINES_OF_PLAYER: Final = 2
"""How many lines of a hand a name has at least that is a player's."""
_ROUNDS: Final = 4
"""How many rounds are looked at for the order in which players sit."""
_MOST_CONTRACTS: Final = 20
"""Of how many hands with settings of their own the contracts are tried."""
PLAYERS: Final[tuple[str, str]] = ("players-order", "players-named")
"""The edits of the header: of the order of the players in it, and of who they are."""
_NOT_MISDEALT: Final = 0.2
"""What a missing hand costs more unless its dealer shows it, too."""
MISDEALT: Final = "setup.dealer"


def players_order(question: Question, _: int) -> Changes:
    """The header names the players of the first hand in the order in which turns went round.

    It may be that of any of the first rounds: there may be mistakes in others.
    """
    begin = question.course.begin
    turns = [line.event for line in question.lines if type(line.event) is Turn]
    names = [turn.player for turn in turns if type(turn.actions[0]) not in BREAKS_IN]
    seats = [begin.seats[name] for name in names if name in begin.seats]
    rounds = [seats[at:] for at, seat in enumerate(seats) if seat == 0][:_ROUNDS]
    orders = dict.fromkeys([tuple(dict.fromkeys(row)) for row in rounds])
    for first, *others in orders:
        order = (first, *others[:: question.course.hand(0).judge.binding.step])
        if len(order) == question.seats and order != tuple(sorted(order)) and _is_first(begin):
            yield _with_players(begin, tuple([begin.players[seat] for seat in order]))


def players_named(question: Question, _: int) -> Changes:
    """The header lacks a player of the first hand, has another name, or one more, or two as one.

    Whom it names otherwise, or by mistake, has no line in the hand.
    """
    begin = question.course.begin
    named = Counter([getattr(line.event, "player", None) for line in question.lines])
    for players in _as_named(begin.players, named) if _is_first(begin) else ():
        if table_size(begin.judge.ruleset, len(players)) is None:
            yield _with_players(begin, players)


def _as_named(players: tuple[str, ...], named: Counter[Any]) -> Iterator[tuple[str, ...]]:
    """Who may play besides or instead, by how many lines name each."""
    unknown = [name for name in named if name not in {None, *players}]
    absent = [seat for seat, player in enumerate(players) if player not in named]
    apart = [
        name for player in players for name in ([player] if player in named else player.split())
    ]
    if len(unknown) == 1 and named[unknown[0]] >= _LINES_OF_PLAYER:
        for seat in absent or range(len(players) + 1):
            yield (*players[:seat], unknown[0], *players[seat + len(absent[:1]) :])
    elif len(unknown) > 1 and {*unknown} <= {*apart}:
        yield tuple(apart)
    elif not unknown and len(absent) == 1:
        others = tuple([name for name in players if named[name] >= _LINES_OF_PLAYER])
        if len(others) == len(players) - 1:
            yield others


def _is_first(begin: Playing) -> bool:
    """Whether nothing was scored before a hand."""
    assert begin.hand is not None
    return not (begin.scores.standing.played or any(begin.hand.totals))


def _with_players(begin: Playing, players: tuple[str, ...]) -> Change:
    text = f"the players are {in_words(players)}, in that order"
    return Change(0, 0, (), text, begin=begin.of_players(players))


def other_dealer(question: Question, _: int) -> Changes:
    """Another player dealt the first hand, so that its first turn is that of the player due."""
    begin, turn, hand = question.course.begin, question.line.event, question.course.hand(0)
    if not _is_first(begin) or getattr(hand.line.event, "dealer", None) is None:
        return
    if type(turn) is not Turn or turn.number not in {None, 1}:
        return
    if any(type(line.event) is Turn for line in question.lines[: question.at]):
        return
    for seat in hand.active:
        begins = first_seat(hand.judge.binding, seat, hand.active)
        if begins == begin.seats.get(turn.player) and seat != hand.dealer:
            dealt = begin.fork()
            assert dealt.hand is not None
            dealt.hand.dealer = seat
            yield Change(0, 0, (), f"{begin.players[seat]} dealt the hand", begin=dealt)


def shows_missing_hand(begin: Playing, lines: Sequence[Line], findings: Sequence[Finding]) -> bool:
    """Whether all totals of a hand, or all but one, are wrong.

    So is a total that grew without a score. A wrong dealer counts as another total.
    """
    standing, codes = begin.scores.standing, {finding.code for finding in findings}
    figures: dict[str, dict[str, int | None]] = {}
    for line in lines:
        if isinstance(line.event, Points):
            figures.setdefault(line.event.kind, {}).update(line.event.amounts)
    scores, sides = figures.get("score"), begin.scores.sides
    wrong = {finding.player for finding in findings if finding.code == "score.total"}
    for name, total in figures.get("total", {}).items():
        if scores and name not in scores and name in sides:
            grown = standing.totals[sides[name]] not in {None, total}
            wrong |= {standing.names[sides[name]]} if grown else set()
    record = begin.scores.record
    playing = (record and record.playing) or range(len(standing.sides))
    return len(wrong) >= max(2 - (MISDEALT in codes), len(playing) - 1)


def hand_missing(question: Question, _: int) -> Changes:
    """The hand before this one was left out, and whoever it put out of the game does not play."""
    begin, wrong = question.course.begin, [fault.finding for fault in question.course.found]
    if shows_missing_hand(begin, question.lines, wrong):
        skipped = begin.fork()
        assert skipped.hand is not None
        assert begin.scores.record is not None
        skipped.scores.skip_hands(begin.scores.standing.skipped + 1)
        skipped.begin_hand(skipped.hand, begin.scores.record.number)
        is_misdealt = any(finding.code == MISDEALT for finding in wrong)
        more = 0.0 if is_misdealt else _NOT_MISDEALT
        begins = without_absent(skipped, question.lines)
        yield Change(0, 0, (), hands_missing(), more, begins)


def numbered_as_melded(
    begin: Playing, lines: Sequence[Line], wrong: Sequence[Finding], number: HandNumber
) -> Playing:
    """How a hand begins with another number that it may have, whose contract was melded.

    The first hand of a log may have any, if more than one player melded otherwise than the contract
    of its number allows, and if that is clear; others after wrong numbers or hands left out.
    """
    against = {finding.player for finding in wrong if finding.code == "meld.contract"}
    if not against or begin.hand is None:
        return begin
    is_missing = shows_missing_hand(begin, lines, wrong)
    may_be_any = number.is_first and not is_missing
    if not may_be_any:
        begins = [_with_number(begin, other) for other in number.others(missing=is_missing)]
    elif len(against) > 1 and isinstance(begin.hand.line.event, HandStart):
        contracts = begin.judge.ruleset.hands[:_MOST_CONTRACTS]
        numbers = [rules.first for rules in contracts if rules.first == rules.last]
        begins = [begin.of_players(begin.players, other) for other in numbers]
    else:
        return begin
    melded = [other for other in begins if not EFFORT.over and _is_contract_melded(other, lines)]
    return begin if not melded or (may_be_any and len(melded) > 1) else melded[0]


def _with_number(begin: Playing, number: int) -> Playing:
    """How a hand begins with another number."""
    other = begin.fork()
    assert other.hand is not None
    other.hand.number = number
    return other


def _is_contract_melded(begin: Playing, lines: Sequence[Line]) -> bool:
    """Whether everybody melds the contract in a hand that begins so."""
    return Course(begin, lines).play(0, lambda fault: fault.finding.code == "meld.contract")


def without_absent(begin: Playing, lines: Iterable[Line]) -> Playing:
    """How a hand begins in which those who may be out are out, unless a line names them.

    Where that leaves nobody, nobody knows who is out.
    """
    assert begin.hand is not None
    named = {getattr(line.event, "player", None) for line in lines}
    absent = {seat for seat in begin.hand.may_be_out if begin.players[seat] not in named}
    if not absent or absent.issuperset(begin.hand.active):
        return begin
    other = begin.fork()
    assert other.hand is not None
    other.hand.active = tuple([seat for seat in begin.hand.active if seat not in absent])
    return other
