"""One game of a log: its table, its hands in order, who deals, and how each hand ends."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from meldref.core import events
from meldref.core.cards import UNKNOWN
from meldref.core.diagnostics import Finding
from meldref.core.effort import Suggestions
from meldref.core.events import Adjust, Cut, Deal, HandEnd, HandStart, Header, Line, Points, Result, Turn, Undo
from meldref.core.records import changed
from meldref.core.text import in_words
from meldref.engine.judge import Judge, finding, judge_for
from meldref.position.model import NOT_AHEAD
from meldref.replay.aftermath import counts_on, doubts
from meldref.replay.hand import LINES, HandPlay, whole_line
from meldref.replay.order import as_played
from meldref.replay.result import LogReport, Open
from meldref.replay.scores import Scorekeeper
from meldref.replay.turn import Report
from meldref.rules import ending
from meldref.rules.base import Violation
from meldref.rules.game import plays_on
from meldref.rules.setup import cut_cards, cut_dealer, first_seat, next_dealer, table_size
from meldref.ruleset.model import Ruleset

ROOM = 2_000_000
"""How many characters of a hand are remembered for `undo`; no real hand has more."""
A_LINE = 60
"""How many characters a line takes besides its own."""

_BETWEEN_HANDS: Final = (Cut, Result, Adjust)
_DEALING: Final = (Deal, events.UpCard, events.StockOrder)
HeaderLines = Sequence[tuple[Line, Header]]


class GamePlay:
    """A game under way. `judge` is None where the table cannot play this game; nothing is judged then."""

    def __init__(
        self,
        ruleset: Ruleset,
        headers: HeaderLines,
        report: LogReport,
        number: int,
        found: Report,
        suggestions: Suggestions,
    ) -> None:
        self.ruleset = ruleset
        self.report = report
        self.number = number
        self.hand: HandPlay | None = None
        self.judge: Judge | None = None
        self._found_in_log = found
        self._suggestions = suggestions
        self._hands = self._hand_number = self._count = self._first = 0
        self._ahead: tuple[int, ...] = NOT_AHEAD
        self._dealers: tuple[int, ...] = ()
        self._next_dealers: tuple[int, ...] = ()
        self._cut: tuple[int, ...] = ()
        self._misdealt = False
        self._lines: list[Line] = []
        self._room = ROOM
        by_key = {header.key: (line, header.value) for line, header in headers}
        line, names = by_key["Players"]
        self.players = tuple(name for part in names.split(",") if (name := part.strip().strip('"')))
        self.seats = {name: seat for seat, name in enumerate(self.players)}
        wrong = table_size(ruleset, len(self.players))
        if len(self.seats) < len(self.players):
            wrong = Violation("setup.players", "a player is named twice", key="")
        if wrong is not None:
            self.wrong(line, wrong)
            return
        self.judge = judge_for(ruleset, len(self.players))
        self.scores = Scorekeeper(self.judge, self.players, self.wrong, self.undecided)
        self._full_view = "View" in by_key and by_key["View"][1].strip() == "full"
        if "Dealer" in by_key:
            line, name = by_key["Dealer"]
            seat = self._seat(line, name.strip().strip('"'))
            self._next_dealers = () if seat is None else (seat,)
        self._handlers: Mapping[type, Callable[[Line, Any, Any], None]] = {
            Turn: self._turn,
            Deal: self._deal,
            events.Void: self._void,
            events.Show: lambda line, event, hand: hand.show(line, event, self._seat(line, event.player)),
            HandEnd: self._end,
            Points: self._points,
            Cut: self._draw_for_deal,
            Result: self._result,
            Adjust: self._adjust,
            **dict.fromkeys(LINES, lambda line, event, hand: LINES[type(event)](hand, line, event)),
        }

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
            self._other(line, event, self.hand)

    def turn(self, line: Line, event: Turn) -> None:
        """A line of a player's actions."""
        hand = self.hand
        if hand is None or hand.referee is None:
            if self.judge is not None:
                self._other(line, event, hand)
            return
        if self._room > 0:  # as in `_remember`: turns are too many for a call each
            self._lines.append(line)
            self._room -= A_LINE + len(line.text)
        seat = self.seats.get(event.player)
        if seat in hand.active:
            self.report.turns += 1
            hand.referee.turn(line, event, seat)
        else:
            self._turn(line, event, hand)

    def _other(self, line: Line, event: Any, hand: HandPlay | None) -> None:
        kind = type(event)
        handle = self._handlers.get(kind)
        if kind is HandStart:
            self._begin_hand(line, event)
        elif kind is Undo:
            self._undo(line)
        elif handle is not None:
            if kind in _DEALING and self._hand_is_scored():
                unread = self._lines[-1].event is None  # which may have been the hand's own line, and was found
                hand = self._begin_hand(line, HandStart())
                if not unread:
                    self.wrong(
                        line, Violation("setup.deal", "the hand before is over, and no line begins this one")
                    )
            if hand is None and kind not in _BETWEEN_HANDS and (kind is not Points or event.kind == "score"):
                hand = self._begin_hand(line, HandStart())
            if kind is not Cut:
                self._remember(line)
            handle(line, event, hand)

    def _hand_is_scored(self) -> bool:
        record = self.scores.record
        return self.hand is not None and record is not None and record.reason is not None and record.has_score

    def _remember(self, line: Line) -> None:
        """Keeps a line, so that the hand can be replayed without the line after it."""
        if self._room > 0:
            self._lines.append(line)
            self._room -= A_LINE + len(line.text)

    def unreadable(self, line: Line) -> None:
        """A line that could not be read: if it was a turn, nobody knows what was played."""
        self._remember(line)
        hand = self.hand
        if hand is None or ":" not in line.text:
            return
        # Before the first turn, other lines that somebody wrote with a colon are no turns.
        start = re.match(r'\s*(?:\d+\.\s*)?"?(.*?)"?\s*:', line.text)
        if hand.position is not None or (hand.started and start is not None and start[1] in self.seats):
            hand.lose_track(line)

    def _begin_hand(self, line: Line, event: HandStart) -> HandPlay:
        assert self.judge is not None
        hand = self.hand
        if hand is not None and event.number is not None and event == hand.line.event and not self._lines:
            self.wrong(line, Violation("log.number", f"this line is there twice: hand {event.number} has begun"))
            return hand
        self.close_hand(line)
        self._hands += 1
        self.report.hands += 1
        skipped = self._number_hand(line, event.number)
        over = self.scores.go_on()
        if over is not None:
            self.wrong(line, over)
        if skipped:
            self.scores.skip_hands(skipped)
        number = self._hand_number or self._hands
        judge = self.judge.for_hand(number)
        hand = self.hand = HandPlay(judge, self.players, line, self._found, self.undecided, self._suggestions)
        self.scores.begin_hand(number)
        self._before = (len(self.report.findings), len(self.report.open), self.report.turns)
        self._lines, self._room = [], ROOM
        hand.full_view, hand.totals = self._full_view, self.scores.totals_by_seat()
        playing, side_of = self.scores.playing, self.scores.standing.side_of
        if playing is not None:  # those still in, or the tied alone (G-SCO-08, O-TIE-02)
            hand.active = tuple(seat for seat in hand.active if side_of(seat) in playing)
        if self.ruleset.game.out_at is not None:
            hand.may_be_out = tuple(seat for seat in hand.active if hand.totals[seat] is None)
        if self._dealers:
            best = self.scores.best_of_hand() if self.ruleset.deal.next_dealer == "winner" else None
            due = [next_dealer(judge.binding, one, best, hand.active) for one in self._dealers]
            either = () if skipped or () in due else [seat for one in due for seat in one]
            self._next_dealers = tuple(dict.fromkeys(either))
        self._dealers = self._who_dealt(line, event)
        hand.dealer = self._dealers[0] if len(self._dealers) == 1 else None
        hand.number = self._hand_number
        self._misdealt = False
        return hand

    def _number_hand(self, line: Line, number: int | None) -> int:
        """Counts the hand; where the log seems to have left out others just before it, says how many in all.

        A log may begin with any hand. After a mistake it goes on from the number written, or from the one due.
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
            self.scores.standing.skipped = self._first - 1 + max(by, 0)
        else:
            self.wrong(line, Violation("log.number", f"this is hand {due}, not {number}"))
            skipped = self._first - 1 + by if by > max(self._ahead) else 0
        self._ahead = counts_on(self._ahead, by)
        return skipped

    def _who_dealt(self, line: Line, event: HandStart) -> tuple[int, ...]:
        """Who deals: as the line says, else as the rules say (P-DEAL-07, W-DEAL-01); after a mistake, either."""
        seat = None if event.dealer is None else self._seat(line, event.dealer)
        due, key = self._next_dealers, "deal.next_dealer"
        if self._hands == 1 and self._hand_number != 1:  # the log begins later: nobody knows who dealt before
            due = () if seat is not None else due
        elif self._cut and self._hands == 1:
            due, key = self._cut, "deal.first_dealer"
        if seat is None:
            return due
        if not due or seat in due or self._misdealt:
            return (seat,)
        names = in_words([self.players[one] for one in due], "or")
        again = " again" if seat in self._dealers else ""
        message = f"{self.players[seat]} deals{again}, but it is for {names} to deal"
        self.wrong(line, Violation("setup.dealer", message, key=key))
        return (seat, *due)

    def close_hand(self, line: Line | None = None) -> None:
        """The hand is over, at a line or with the game: what is open in it is found, and its score counts."""
        if self.hand is None or self.judge is None:
            return
        self._sit_as_played(self.hand, self.judge)
        hand = self.hand
        if hand.started:
            hand.play(whole=line is not None)
        hand.close_turn()
        # Who began shows who dealt; where the dealer's name says otherwise, either is right.
        if hand.first is not None:
            seats = range(len(self.players))
            dealt = [one for one in seats if first_seat(hand.judge.binding, one, hand.active) == hand.first]
            if not {*dealt} & {*self._dealers}:
                self._dealers = (*self._dealers, *dealt)
        record = self.scores.record
        position = hand.position
        if line is not None and position is not None and record is not None and not hand.damaged:
            early = ending.not_over(hand.judge.binding, position)
            if early is not None and record.reason is None and not record.has_score:
                self.wrong(line, early)
        face_up = self.ruleset.out.face != "either"  # G-END-03
        final = position.final if position is not None and face_up else None
        if final is not None and final[1] == UNKNOWN and position is not None and position.line is not None:
            self.undecided(position.line, "the last discard: it was not seen, and it has to lie face up")
        self.scores.close_hand()
        self.scores.count(hand)
        scores = self.scores.scores(self.number, hand.referee.calls if hand.referee else {})
        if scores is not None:
            self.report.scores.append(scores)
        self.hand = None

    def _void(self, _line: Line, _event: events.Void, _hand: HandPlay) -> None:
        """The hand is annulled: it is not scored, and the players agree on who deals next."""
        self.scores.annul_hand()
        self.hand = None
        self._misdealt = True

    def _undo(self, line: Line) -> None:
        """Takes the previous line of the hand back: the hand is replayed without it."""
        hand, record = self.hand, self.scores.record
        if hand is None or record is None or not self._lines or self._room <= 0:
            self.wrong(line, Violation("log.assert", "there is no line here to take back"))
            return
        self.scores.drop_hand()
        self._again(hand, record.number, self._lines[:-1])

    def _again(self, hand: HandPlay, number: int, lines: list[Line]) -> None:
        """Plays a hand again from its deal."""
        self._lines, self._room = [], ROOM
        findings, undecided, self.report.turns = self._before
        found = self.report.findings
        found[findings:] = [one for one in found[findings:] if one.code == "log.syntax"]
        del self.report.open[undecided:]
        self.hand = hand.anew(self._found, self.undecided)
        self.scores.begin_hand(number)
        for again in lines:
            if again.event is None:
                self.unreadable(again)
            else:
                self.line(again)

    def _sit_as_played(self, hand: HandPlay, judge: Judge) -> None:
        """Plays the first hand again where the header has the players in another order than they play in."""
        wrong = [one for one in self.report.findings[self._before[0] :] if one.code == "turn.order"]
        seats = as_played(self._lines, self.seats, judge.binding.step) if len(wrong) > 1 else ()
        if not seats or self._hands > 1 or self._room <= 0 or any(hand.totals):
            return
        self.players = hand.players = tuple([self.players[seat] for seat in seats])
        self.seats = hand.seats = {name: seat for seat, name in enumerate(self.players)}
        self._dealers, self._cut = ((*map(seats.index, old),) for old in (self._dealers, self._cut))
        hand.dealer = self._dealers[0] if len(self._dealers) == 1 else None
        self.scores = Scorekeeper(judge, self.players, self.wrong, self.undecided)
        self._again(hand, self._hand_number or 1, self._lines)
        note = f"throughout this hand, the players take turns in the order {in_words(self.players)}"
        self.report.findings.append(changed(wrong[0], notes=(*wrong[0].notes, note)))

    def _draw_for_deal(self, line: Line, event: Cut, _hand: HandPlay | None) -> None:
        assert self.judge is not None
        self._room = 0  # nobody takes it back, nor what was before it
        wrong = cut_cards(self.judge.copies, event.cards)
        if wrong is not None:
            self.wrong(line, wrong)
            self._cut = ()  # nobody knows who drew what
            return
        drawn = {seat: card for name, card in event.cards if (seat := self._seat(line, name)) is not None}
        if drawn and self.ruleset.deal.first_dealer != "anybody":
            again = {seat: card for seat, card in drawn.items() if seat in self._cut}
            self._cut = cut_dealer(self.ruleset, again or drawn)

    def _deal(self, line: Line, event: Deal, hand: HandPlay) -> None:
        seat = self._seat(line, event.player)
        if seat is None:
            return
        standing = self.scores.standing
        if seat not in hand.active:
            extra = plays_on(self.ruleset, standing, [standing.side_of(seat)])
            if extra is not None:
                self.wrong(line, extra)
            if hand.position is None:
                hand.active = tuple(sorted({*hand.active, seat}))
        hand.deal(line, event, seat)

    def _turn(self, line: Line, event: Turn, hand: HandPlay) -> None:
        seat = self.seats.get(event.player)
        self.report.turns += 1
        if seat is None:
            self._seat(line, event.player)
            hand.lose_track(line)
        elif seat not in hand.active:
            if seat not in hand.strangers:
                hand.strangers.add(seat)
                standing = self.scores.standing
                wrong = plays_on(self.ruleset, standing, [standing.side_of(seat)])
                self.wrong(line, wrong or Violation("game.tie", f"{event.player} does not play in this hand"))
            hand.lose_track(line, "by a player who does not play this hand")
        else:
            hand.turn(line, event, seat)

    def _end(self, line: Line, event: HandEnd, hand: HandPlay) -> None:
        record = self.scores.record
        seat = None if event.player is None else self._seat(line, event.player)
        if record is None or (event.player is not None and seat is None):
            return
        record.reason = event.reason
        record.said_out = None if seat is None else self.scores.standing.side_of(seat)
        if hand.started:
            wrong = hand.end(event.reason, seat)
            if hand.position is not None and not hand.position.pile_known:
                self.undecided(line, "how the hand ended: turns before it are not known")
        else:
            wrong = ending.sheet_end(hand.judge.binding, event.reason)
            record.out = record.said_out
        if wrong is not None:
            self.wrong(line, wrong)
            self.scores.mistaken(line)
        elif event.reason == "agreed":
            self.scores.standing.agreed = True

    def _points(self, line: Line, event: Points, hand: HandPlay | None) -> None:
        amounts: dict[int, int] = {}
        for name, points in event.amounts:
            side = self._side(line, name)
            if side in amounts:
                self.wrong(line, Violation("log.name", f"{name} is on this line twice"))
            elif side is not None:
                amounts[side] = points
        if event.kind == "total":
            self.scores.total(line, amounts, hand)
        elif event.kind == "chips":
            self.scores.chips(line, amounts, hand)
        elif hand is not None:
            self.scores.score(line, amounts, hand)

    def _result(self, line: Line, event: Result, hand: HandPlay | None) -> None:
        sides = [self._side(line, name) for name in event.players]
        if None not in sides:
            self.scores.result(line, [side for side in sides if side is not None], hand)

    def _adjust(self, line: Line, event: Adjust, _hand: HandPlay | None) -> None:
        if (side := self._side(line, event.player)) is not None:
            self.scores.adjust(side, event.points)

    def _side(self, line: Line, name: str) -> int | None:
        return self._seat(line, name, self.scores.sides)

    def _seat(self, line: Line, name: str, known: Mapping[str, int] | None = None) -> int | None:
        """The number of a player, or of another one of those that are `known`; an unknown name is found."""
        found = (self.seats if known is None else known).get(name)
        if found is not None:
            return found
        from difflib import get_close_matches  # noqa: PLC0415  needed when something is wrong

        close = get_close_matches(name, self.players)
        meant = f"; did you mean {close[0]}?" if close else ""
        self.wrong(line, Violation("log.name", f"{name} is not one of the players{meant}"))
        return None

    def undecided(self, line: Line, what: str) -> None:
        """Notes what could not be decided."""
        self.report.open.append(Open(line.number, what, self.number, self._hand_number))

    def wrong(self, line: Line, violation: Violation) -> None:
        """A finding about a whole line."""
        referee = self.hand.referee if self.hand is not None else None
        notes = doubts(referee.doubt, line.number) if referee is not None else ()
        found = finding(self.ruleset, violation, whole_line(line), notes=notes)
        self._found(changed(found, turn=None))

    def _found(self, found: Finding) -> None:
        self._found_in_log(changed(found, game=self.number, hand=self.hand_number))
