"""One game of a log: its table, its hands in order, who deals, and how each hand ends."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from typing import Any, Final

from meldref.core import events
from meldref.core.cards import UNKNOWN
from meldref.core.diagnostics import Edit, Finding, Severity
from meldref.core.effort import Suggestions
from meldref.core.events import (
    Adjust,
    Cut,
    Deal,
    Discard,
    HandStart,
    Header,
    Line,
    Points,
    Result,
    Turn,
    Undo,
)
from meldref.core.records import changed
from meldref.core.text import in_words
from meldref.engine.judge import Judge, finding, judge_for
from meldref.notation.writer import write_line
from meldref.position.model import NOT_AHEAD
from meldref.replay.aftermath import counts_on
from meldref.replay.hand import HandPlay, whole_line
from meldref.replay.playing import Playing
from meldref.replay.repair.between import (
    PLAYERS_ORDER,
    as_left_out,
    hand_left_out,
    numbered_otherwise,
)
from meldref.replay.repair.course import other_cards
from meldref.replay.repair.search import can_be_explained, explain, readable, unexplained
from meldref.replay.result import LogReport
from meldref.replay.scores import Scorekeeper
from meldref.replay.turn import Report
from meldref.replay.whole_record import WholeRecord
from meldref.rules import ending
from meldref.rules.base import Violation
from meldref.rules.setup import cut_cards, cut_dealer, first_seat, next_dealer, table_size
from meldref.ruleset.model import Ruleset
from meldref.weighing.hand import ClosedHand
from meldref.weighing.several import Row

ROOM = 2_000_000
"""How many characters of a hand are remembered for `undo`; no real hand has more."""
A_LINE = 60
"""How many characters a line takes besides its own."""

_BETWEEN_HANDS: Final = (Cut, Result, Adjust)
_DEALING: Final = (Deal, events.UpCard, events.StockOrder, events.WildRank)
HeaderLines = Sequence[tuple[Line, Header]]


class GamePlay:
    """A game under way. Where `judge` is None, the table cannot play it: nothing is judged."""

    def __init__(
        self,
        ruleset: Ruleset,
        headers: HeaderLines,
        report: LogReport,
        number: int,
        found: Report,
        suggestions: Suggestions,
        *,
        repairs: bool = True,
        doubt: float = 0.0,
    ) -> None:
        self.ruleset = ruleset
        self.report = report
        self.number = number
        self.judge: Judge | None = None
        self._found_in_log = found
        self._suggestions = suggestions
        self.closed: Callable[[ClosedHand], None] | None = (
            None  # who is told of hands that are over
        )
        self._repairs = repairs  # whether what was found is explained when a hand is over
        self._doubt = doubt
        self._hands = self._hand_number = self._count = self._first = 0
        self._left_out = 0  # hands of which nobody wrote a line
        self._ahead: tuple[int, ...] = NOT_AHEAD
        self._dealers: tuple[int, ...] = ()
        self._next_dealers: tuple[int, ...] = ()
        self._cut: tuple[int, ...] = ()
        self._misdealt = False
        self._lines: list[Line] = []
        self._repaired: frozenset[int] | None = frozenset()
        self._room = ROOM
        by_key = {header.key: (line, header.value) for line, header in headers}
        line, names = by_key["Players"]
        self._header = line
        self.players = tuple(name for part in names.split(",") if (name := part.strip().strip('"')))
        wrong = table_size(ruleset, len(self.players))
        if len(set(self.players)) < len(self.players):
            wrong = Violation("setup.players", "a player is named twice", key="")
        if wrong is not None:
            found(changed(finding(ruleset, wrong, whole_line(line)), turn=None, game=number))
            return
        self.judge = judge_for(ruleset, len(self.players))
        self.playing = Playing(self.judge, self.players, number, report, found)
        sides = range(len(self.scores.standing.sides))
        self._rows = {side: Row(side, 0) for side in sides}  # hands whose scores nobody wrote down
        self._full_view = "View" in by_key and by_key["View"][1].strip() == "full"
        if "Dealer" in by_key:
            line, name = by_key["Dealer"]
            seat = self.playing.seat(line, name.strip().strip('"'))
            self._next_dealers = () if seat is None else (seat,)

    def fork(self, report: LogReport, found: Report, suggestions: Suggestions) -> GamePlay:
        """An independent copy of the game before the first line of a hand."""
        other = copy(self)
        other.report = report
        other._found_in_log, other._suggestions = found, suggestions  # noqa: SLF001  its own
        other._lines = [*self._lines]  # noqa: SLF001
        if self.judge is not None:
            other.playing = self.playing.fork(report, found, suggestions)
        return other

    @property
    def hand(self) -> HandPlay | None:
        """The hand under way."""
        return None if self.judge is None else self.playing.hand

    @property
    def scores(self) -> Scorekeeper:
        """The score of the game."""
        return self.playing.scores

    @property
    def hand_number(self) -> int:
        """The number of the hand under way; 0 in none."""
        return 0 if self.hand is None else self._hand_number

    def line(self, line: Line) -> None:
        """One line of the game that could be read."""
        event = line.event
        if type(event) is Turn:
            self.turn(line, event)
        elif self.judge is not None:
            self._other(line, event)

    def turn(self, line: Line, event: Turn) -> None:
        """A line of a player's actions."""
        if self.judge is None:
            return
        if self.playing.hand is None:
            self._begin_hand(line, HandStart())
        if self._room > 0:  # as in `_remember`: turns are too many for a call each
            self._lines.append(line)
            self._room -= A_LINE + len(line.text)
        last = event.actions[-1]
        if type(last) is Discard and last.card == UNKNOWN and self.hand is not None:
            self.hand.miss_discards()
        self.playing.turn(line, event)

    def _other(self, line: Line, event: Any) -> None:
        kind, hand = type(event), self.hand
        if kind is HandStart:
            self._begin_hand(line, event)
        elif kind is Undo:
            self._undo(line)
        elif kind is Cut:
            self._draw_for_deal(line, event)
        elif kind is events.Void:
            self._void(line)
        elif self.playing.plays(kind):
            if kind in _DEALING and self._hand_is_scored():
                unread = (
                    self._lines[-1].event is None
                )  # which may have been the hand's own line, and was found
                hand = self._begin_hand(line, HandStart())
                if not unread:
                    message = "the previous hand is over, but no line begins this one"
                    self._wrong(line, Violation("setup.deal", message))
            if (
                hand is None
                and kind not in _BETWEEN_HANDS
                and (kind is not Points or event.kind == "score")
            ):
                self._begin_hand(line, HandStart())
            if kind is Adjust:
                self._rows = {}
            self._remember(line)
            self.playing.play(line)

    def _hand_is_scored(self) -> bool:
        record = self.scores.record
        return (
            self.hand is not None
            and record is not None
            and record.reason is not None
            and record.has_score
        )

    def _remember(self, line: Line) -> None:
        """Keeps a line, so that the hand can be replayed without the line after it."""
        if self._room > 0:
            self._lines.append(line)
            self._room -= A_LINE + len(line.text)

    def unreadable(self, line: Line) -> None:
        """A line that could not be read: if it was a turn, nobody knows what was played."""
        self._remember(line)
        if self.judge is not None:
            self.playing.unreadable(line)

    def _begin_hand(self, line: Line, event: HandStart) -> HandPlay:
        assert self.judge is not None
        hand = self.hand
        if (
            hand is not None
            and event.number is not None
            and event == hand.line.event
            and not self._lines
        ):
            self._wrong(
                line,
                Violation("log.number", f"this line is there twice: hand {event.number} has begun"),
            )
            return hand
        self.close_hand(line)
        self._hands += 1
        self.report.hands += 1
        skipped = self._number_hand(line, event.number)
        over = self.scores.go_on()
        if over is not None:
            self._wrong(line, over)
        if skipped:
            self.scores.skip_hands(skipped)
            self._rows = {}  # totals over hands that nobody wrote down may be anything
        number = self._hand_number or self._hands
        judge = self.judge.for_hand(number)
        playing = self.playing
        hand = HandPlay(
            judge, self.players, line, playing.found, playing.undecided, self._suggestions
        )
        playing.hand, playing.hand_number = hand, self._hand_number
        self.scores.begin_hand(number)
        hand.full_view, hand.totals = self._full_view, self.scores.totals_by_seat()
        still_in, side_of = self.scores.playing, self.scores.standing.side_of
        if still_in is not None:  # those still in, or the tied alone (G-SCO-08, O-TIE-02)
            hand.active = hand.seated = tuple(
                seat for seat in hand.active if side_of(seat) in still_in
            )
        if self.ruleset.game.out_at is not None:
            hand.may_be_out = tuple(seat for seat in hand.active if hand.totals[seat] is None)
        if self._dealers:
            best = self.scores.best_of_hand() if self.ruleset.deal.next_dealer == "winner" else None
            due = [next_dealer(judge.binding, seat, best, hand.active) for seat in self._dealers]
            is_open = skipped or () in due or hand.may_be_out  # who is out may not deal
            either = () if is_open else [seat for seats in due for seat in seats]
            self._next_dealers = tuple(dict.fromkeys(either))
        self._dealers = self._who_dealt(line, event)
        hand.dealer = self._dealers[0] if len(self._dealers) == 1 else None
        hand.number = self._hand_number
        self._misdealt = False
        self._lines, self._room, self._repaired = [], ROOM, frozenset()
        self._begins()
        return hand

    def _begins(self) -> None:
        """Keeps what was found before the hand's first line: no line taken back takes that away."""
        self._before = (len(self.report.findings), len(self.report.open), self.report.turns)
        self.playing.told = 0

    def _number_hand(self, line: Line, number: int | None) -> int:
        """Counts the hand; says how many were left out in all, if some were just before it.

        A log may begin with any hand. After a mistake it goes on from the number written, or from
        the one due.
        """
        due = self._count + 1
        if self._hands == 1:
            due = number or 1
            self._first = due
        elif self._misdealt and number is not None and number - self._count in self._ahead:
            due = self._count
        self._count = due
        by = self._ahead[-1] if number is None else number - due
        self._hand_number = due + by
        skipped = due - 1 if self._hands == 1 else 0
        if by in self._ahead:
            self.scores.count_skipped(self._first - 1 + max(by, 0))
        else:
            message = f"this is hand {due}, not {number}"
            self._wrong(line, Violation("log.number", message, written=f"{number}"))
            skipped = self._first - 1 + by if by > max(self._ahead) else 0
        self._ahead = counts_on(self._ahead, by)
        return skipped

    def _who_dealt(self, line: Line, event: HandStart) -> tuple[int, ...]:
        """Who deals by the line, else the rules (P-DEAL-07, W-DEAL-01); after a mistake, either."""
        seat = None if event.dealer is None else self.playing.seat(line, event.dealer)
        due, key = self._next_dealers, "deal.next_dealer"
        if (
            self._hands == 1 and self._hand_number != 1
        ):  # the log begins later: nobody knows who dealt before
            due = () if seat is not None else due
        elif self._cut and self._hands == 1:
            due, key = self._cut, "deal.first_dealer"
        if seat is None:
            return due
        if not due or seat in due or self._misdealt:
            return (seat,)
        names = in_words([self.players[other] for other in due], "or")
        again = " again" if seat in self._dealers else ""
        message = f"{self.players[seat]} deals{again}, but {names} should deal"
        self._wrong(line, Violation("setup.dealer", message, key=key))
        return (seat, *due)

    def close_hand(self, line: Line | None = None) -> None:
        """The hand is over, at a line or with the game: it is judged as a whole, and counted."""
        if self.hand is None:
            return
        self.playing.last = line is None
        self.playing.end_of_lines()
        self._explain()
        whole = self._whole_record()
        whole.look_back()
        whole.weigh(self.closed)
        hand = self.hand
        # Who began shows who dealt; where the dealer's name says otherwise, either is right.
        if hand.first is not None:
            seats = range(len(self.players))
            dealt = [
                seat
                for seat in seats
                if first_seat(hand.judge.binding, seat, hand.active) == hand.first
            ]
            if not {*dealt} & {*self._dealers}:
                self._dealers = (*self._dealers, *dealt)
        record = self.scores.record
        position = hand.position
        if line is not None and position is not None and record is not None and not hand.damaged:
            early = ending.not_over(hand.judge.binding, position)
            if early is not None and record.reason is None and not record.has_score:
                self._wrong(line, early)
        face_up = self.ruleset.out.face != "either"  # G-END-03
        final = position.final if position is not None and face_up else None
        last_line = position.line if position is not None else None
        if final is not None and final[1] == UNKNOWN and last_line is not None:
            what = "the last discard: it was not seen, and it has to lie face up"
            self.playing.undecided(last_line, what)
        self.scores.close_hand()
        self.scores.count(hand)
        self._rows = whole.weigh_totals(self._rows)
        scores = self.scores.scores(self.number, hand.referee.calls if hand.referee else {})
        if scores is not None:
            self.report.scores.append(scores)
        self.playing.hand = None

    def _void(self, line: Line) -> None:
        """The hand is annulled: it is not scored, and the players agree on who deals next."""
        if self.hand is None:
            self._begin_hand(line, HandStart())
        self.playing.last = True
        self._explain()
        closed = self._whole_record().closed_hand() if self.closed else None
        if self.closed is not None and closed is not None:
            self.closed(closed)
        self.scores.annul_hand()
        self.playing.hand = None
        self._misdealt = True

    def _whole_record(self) -> WholeRecord:
        """The record of the hand, which is over."""
        findings, undecided, _ = self._before
        is_whole = self._room > 0
        return WholeRecord(
            self.playing, self._lines, (findings, undecided), self._repaired, is_whole=is_whole
        )

    def _undo(self, line: Line) -> None:
        """Takes the previous line of the hand back: the hand is replayed without it."""
        if self.hand is None or self.scores.record is None or not self._lines or self._room <= 0:
            if self.judge is not None:
                self._wrong(line, Violation("log.assert", "there is no line here to take back"))
            return
        if not self._suggestions.may_replay(len(self._lines), self.report.turns):
            message = "lines were taken back too often in this log: this one is not"
            self._wrong(line, Violation("log.assert", message))
            return
        self._again(self._lines[:-1])

    def _again(self, lines: list[Line]) -> None:
        """Plays the hand again from its deal, by other lines."""
        self._lines, self._room = [], ROOM
        findings, undecided, self.report.turns = self._before
        self.playing.told = 0
        told = self.report.findings
        told[findings:] = [finding for finding in told[findings:] if finding.code == "log.syntax"]
        del self.report.open[undecided:]
        self.playing.begin_again()
        for again in lines:
            self._remember(again)
            self.playing.play(again)

    def _explain(self) -> None:
        """Follows the hand as it probably was played, if a slip in writing explains findings."""
        start, turns = self._before[0], self.report.turns
        report, hand = self.report.findings, self.hand
        wrong = [
            finding
            for finding in report[start:]
            if finding.severity is Severity.ERROR and finding.code != "log.syntax"
        ]
        # Where not all that was found is kept, nothing is explained.
        let_go = len(report) - start < self.playing.told
        if not wrong or let_go or not self._repairs or not self._lines or self._room <= 0:
            return
        if hand is None or self.scores.record is None:
            return
        if not self._suggestions.may_look_at(len(self.players), len(wrong)):
            report[report.index(wrong[0], start)] = unexplained(wrong[0])
            return
        lines = [readable(line) for line in self._lines]
        begin = as_written = self.playing.at_start()
        skipped: Playing | None = None
        of_dealer = (
            start > 0
            and report[start - 1].code == "setup.dealer"
            and report[start - 1].hand == self.hand_number
        )
        with self._suggestions.explaining(turns + len(lines)):
            if self._hands > 1 and (of_dealer or not self._deal_passed_on()):
                wrong_totals = sum(finding.code == "score.total" for finding in wrong)
                skipped = hand_left_out(begin, lines, wrong_totals)
                self._left_out += skipped is not None
                begin = skipped or begin
            if any(finding.code == "meld.contract" for finding in wrong):
                begin = numbered_otherwise(begin, lines, self._numbers()) or begin
            is_as_written = begin is as_written and lines == self._lines
            if is_as_written and not can_be_explained(wrong):
                return
            explained = explain(begin, lines, wrong, self._doubt)
        searched = set(map(id, wrong))
        rest = [finding for finding in report[start:] if id(finding) not in searched]
        begin = explained.begin or begin
        self._repaired = None if begin is not as_written else other_cards(lines, explained.lines)
        if begin is not as_written or explained.lines != self._lines:
            self._goes_back_to(begin)
            self._again(explained.lines)
            self.playing.end_of_lines()
            self.report.turns = turns
        report[start:] = [*rest, *map(self._told, explained.findings)]
        if skipped is not None:
            self._rows = {}
            first = (
                report.pop(start - 1)
                if of_dealer
                else next(finding for finding in wrong if finding.code == "score.total")
            )
            report.insert(start - of_dealer, as_left_out(first, wrong, explained.findings))

    def _deal_passed_on(self) -> bool:
        """Whether the hand's dealer is named and follows the last one: no hand is missing."""
        hand = self.hand
        event = None if hand is None else hand.line.event
        is_named = isinstance(event, HandStart) and event.dealer is not None
        return is_named and bool(self._next_dealers) and self.ruleset.deal.next_dealer == "left"

    def _numbers(self) -> list[int]:
        """The other numbers that the hand may have, after wrong ones or hands left out."""
        ahead = {by + left for by in self._ahead for left in range(self._left_out + 1)}
        return [self._count + by for by in sorted(ahead) if self._count + by != self._hand_number]

    def _told(self, finding: Finding) -> Finding:
        """A finding, with its repair at the header if players have to be named otherwise there."""
        repair = finding.repair
        if repair is None or repair.edit != PLAYERS_ORDER:
            return finding
        line = self._header
        names = ", ".join(self.players)
        written = write_line(line._replace(event=Header("Players", names), text=""))
        edit = Edit(line.number, 1, line.number, len(line.text) + 1, written)
        return changed(finding, repair=changed(repair, line=line.number, edits=(edit,)))

    def _goes_back_to(self, begin: Playing) -> None:
        """The hand begins as it does there: with other seats, or after a missing hand."""
        if begin.players != self.players:
            seats = [begin.seats[name] for name in self.players]
            self.players = begin.players
            self._dealers, self._cut = (
                tuple([seats[old] for old in row]) for row in (self._dealers, self._cut)
            )
        self.playing = begin.fork(self.report, self._found_in_log, self._suggestions)

    def _draw_for_deal(self, line: Line, event: Cut) -> None:
        assert self.judge is not None
        self._room = 0  # nobody takes it back, nor what was before it
        wrong = cut_cards(self.judge.copies, event.cards)
        if wrong is not None:
            self._wrong(line, wrong)
            self._cut = ()  # nobody knows who drew what
            return
        drawn = {
            seat: card
            for name, card in event.cards
            if (seat := self.playing.seat(line, name)) is not None
        }
        if drawn and self.ruleset.deal.first_dealer != "anybody":
            again = {seat: card for seat, card in drawn.items() if seat in self._cut}
            self._cut = cut_dealer(self.ruleset, again or drawn)

    def _wrong(self, line: Line, violation: Violation) -> None:
        """A finding about a whole line, which no line taken back takes away."""
        self.playing.wrong(line, violation)
        self._begins()
