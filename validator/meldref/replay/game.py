"""One game of a log: its table, its hands in order, who deals, and how each hand ends."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from meldref.core import events
from meldref.core.cards import UNKNOWN
from meldref.core.diagnostics import Finding, Repair, Severity
from meldref.core.events import (
    Adjust,
    Cut,
    Deal,
    Gap,
    HandStart,
    Header,
    Line,
    Points,
    Result,
    Turn,
    Undo,
)
from meldref.core.records import NamedTuple, changed, copied, derived, fresh, record
from meldref.core.text import in_words
from meldref.engine.judge import Judge, judge_for
from meldref.notation.actions import hides_discard
from meldref.replay.dealers import Dealers
from meldref.replay.explainer import (
    HAND_MISSING,
    ExplainedHand,
    Explainer,
    PlayedHand,
    WrittenHand,
    hands_missing,
    renumbered,
)
from meldref.replay.game_score import GameScore
from meldref.replay.hand import HandPlay
from meldref.replay.hand_number import HandNumber
from meldref.replay.playing import Playing
from meldref.replay.reporter import Reporter, copy_of, whole_line
from meldref.replay.result import LogReport
from meldref.replay.scores import Scorekeeper
from meldref.rules import ending
from meldref.rules.base import Violation
from meldref.rules.setup import cut_cards, table_size
from meldref.ruleset.changes import goes_back
from meldref.ruleset.model import Ruleset

ROOM = 2_000_000
"""How many characters of a hand are remembered for `undo`; no real hand has more."""
A_LINE = 60
"""How many characters a line takes besides its own."""

_BETWEEN_HANDS: Final = (Cut, Result, Adjust)
_DEALING: Final = (Deal, events.UpCard, events.StockOrder, events.WildRank)
HeaderLines = Sequence[tuple[Line, Header]]


class Stand(NamedTuple):
    """Where a game stands between hands, as far as the next one changes it."""

    score: GameScore
    hand_number: HandNumber
    dealers: Dealers


@record(frozen=False)
class GamePlay:
    """A game under way.

    `header` names its players. `hand_number` is of the hand under way or the last one. `stand` is
    where the game stood before the hand, `after` where it goes on if the hand is out of place,
    `start` how the hand began, and `lines` are those it is followed by, as long as there is `room`.
    `opening` is what was found before those lines, since the last hand; the first `found_before`
    findings of that are not about the hand's own line. The `explainer` is asked when a hand is over;
    `earlier` is what it says of hands whose scores nobody wrote down, by side, and `unexplained`
    says in how many hands before it did not explain what was found, by its code.
    """

    number: int
    ruleset: Ruleset
    playing: Playing
    header: Line
    full_view: bool
    explainer: Explainer | None
    hand_number: HandNumber = HandNumber()
    dealers: Dealers = Dealers()
    lines: list[Line] = fresh(default_factory=list)
    room: int = ROOM
    start: Playing = derived(lambda game: game.playing)
    after: Stand | None = None
    stand: Stand = derived(lambda game: game.stand_now())
    opening: LogReport = fresh(default_factory=lambda: LogReport(""))
    found_before: int = 0
    earlier: Mapping[int, object] = derived(lambda game: none_earlier(game.scores))
    unexplained: Mapping[str, int] = fresh(default_factory=dict)

    def fork(self, reporter: Reporter) -> GamePlay:
        """An independent copy of the game before the first line of a hand."""
        other = copied(self)
        other.playing, other.lines = self.playing.fork(reporter), [*self.lines]
        other.opening = copy_of(self.opening)
        return other

    @property
    def reporter(self) -> Reporter:
        """What reports on the log."""
        return self.playing.reporter

    @property
    def judge(self) -> Judge:
        """The judge of the game."""
        return self.playing.judge

    @property
    def players(self) -> tuple[str, ...]:
        """Who plays, by seat."""
        return self.playing.players

    @property
    def hand(self) -> HandPlay | None:
        """The hand under way."""
        return self.playing.hand

    @property
    def scores(self) -> Scorekeeper:
        """The score of the game."""
        return self.playing.scores

    def stand_now(self) -> Stand:
        """Where the game stands."""
        return Stand(self.scores.state, self.hand_number, self.dealers)

    def play_turn(self, line: Line, event: Turn) -> None:
        """A line of a player's actions."""
        hand = self.playing.hand or self._begin_hand(line, HandStart())
        self._remember(line)
        if hides_discard(event.actions):
            hand.miss_discards()
            assert self.start.hand is not None
            self.start.hand.unseen_discards = True
        self.playing.play_turn(line, event)

    def play_line(self, line: Line) -> None:
        """One line of the game, be it readable or not."""
        event: Any = line.event
        kind = type(event)
        if kind in _OF_GAME:
            _OF_GAME[kind](self, line, event)
        elif event is None:
            self._play(line)
        elif self.playing.is_played(kind):
            if kind is Result and self.after is not None:
                # A hand that comes too late is over before the result of the game is judged.
                self.close(line)
            self._begin_unannounced(line, event)
            if kind is Adjust:
                self.earlier = {}
            self._play(line)

    def _begin_unannounced(self, line: Line, event: Any) -> None:
        """Begins the hand that a line belongs to, where no line of its own has done that."""
        kind = type(event)
        if kind in _DEALING and (self.hand_number.is_void or self._is_scored()):
            # An unreadable line may have been the hand's own, and was found.
            follows_unread = bool(self.lines) and self.lines[-1].event is None
            self._begin_hand(line, HandStart())
            if not follows_unread:
                message = "the previous hand is over, but no line begins this one"
                self._report_violation(line, Violation("setup.deal", message))
            return
        if self.playing.hand is not None:
            return
        # Totals and chips stand between hands, scores of a sheet belong to one.
        is_between = kind in _BETWEEN_HANDS or (kind is Points and event.kind != "score")
        if not is_between:
            self._begin_hand(line, HandStart())

    def _is_scored(self) -> bool:
        """Whether the hand under way has its end and its scores."""
        record = self.playing.scores.state.record
        if record is None or record.reason is None or record.scored_at is None:
            return False
        return self.playing.hand is not None

    def _remember(self, line: Line) -> None:
        """Keeps a line, so that the hand can be replayed without the line after it."""
        if self.room > 0:
            self.lines.append(line)
            self.room -= A_LINE + len(line.text)
        elif self.hand is not None:
            # Nobody explains a hand as long as this, so what is found in it need not be kept.
            self._settle()

    def _play(self, line: Line) -> None:
        self._remember(line)
        self.playing.play(line)

    def _begin_hand(self, line: Line, event: HandStart) -> HandPlay:
        """Begins a hand; the one under way is over, unless this is its own line, twice or late."""
        hand = self.hand
        if hand is not None:
            is_same_line = event.number is not None and event == hand.line.event
            if is_same_line and not self.lines:
                message = f"this line is there twice: hand {event.number} has begun"
                self._report_violation(line, Violation("log.number", message))
                return hand
            if self._is_only_dealt(hand):
                return self._begin_behind_deal(line, event)
        self._close_hand(line)
        self._begin_another_game(line, event.number)
        self._go_back_for(line, event.number)
        if self.hand_number.begun:
            self._settle()
        self.found_before = len(self.reporter.report.findings)
        self.stand = self.stand_now()
        self.reporter.log.hands += 1
        self.hand_number = self.hand_number.next(event.number)
        self._judge_number(line, event.number)
        number = self.hand_number.number
        hand = HandPlay(
            self.judge.for_hand(number),
            self.players,
            line,
            self.reporter,
            number=number,
            full_view=self.full_view,
            direction_open=self._is_direction_open(),
        )
        self.reporter.begin_hand(number)
        self.playing.begin_hand(hand, number)
        if self.dealers.now:
            self.dealers = Dealers(self.dealers.now, self._due_dealers(event, hand))
        self.dealers = self._who_dealt(line, event, hand)
        hand.dealer = self.dealers.now[0] if len(self.dealers.now) == 1 else None
        self.lines, self.room = [], ROOM
        self.start = self.playing.fork()
        self.opening = self.reporter.begin_report()
        return hand

    def _is_direction_open(self) -> bool:
        """Whether turns of the hand would pass the other way by another number that it may have."""
        number = self.hand_number
        back = goes_back(self.ruleset, number.number)
        return any(goes_back(self.ruleset, other) != back for other in number.others(missing=0))

    def _is_only_dealt(self, hand: HandPlay) -> bool:
        """Whether no line begins the hand, and nothing is written of it yet but its deal."""
        return all(type(line.event) in _DEALING for line in (hand.line, *self.lines))

    def _begin_behind_deal(self, line: Line, event: HandStart) -> HandPlay:
        """A hand's own line is written behind its deal."""
        dealt = self.lines
        self._undo_hand()
        self.reporter.log.hands -= 1
        self._begin_hand(line, event)
        # Of a later hand it was found already that no line began it.
        if self.hand_number.is_first:
            self._report_violation(
                line, Violation("setup.deal", "the line of a hand must come before its deal")
            )
        return self._replay(dealt)

    def _begin_another_game(self, line: Line, number: int | None) -> None:
        """Hand 1 after the end of a game is the first of another one, whose headers are missing."""
        if number != 1 or not self.hand_number.begun:
            return
        over = self.scores.fork(self.reporter).go_on()
        if over is None:
            return
        log = self.reporter.log
        text = "a new game begins here, without its headers"
        self._report_violation(line, over, Repair("headers-missing", line.number, text))
        log.games += 1
        self.reporter.game = self.number = log.games
        self.playing = Playing(
            self.judge, self.players, self.reporter, earlier=self.playing.earlier
        )
        self.hand_number, self.dealers = HandNumber(), Dealers()
        self.earlier, self.unexplained = none_earlier(self.scores), {}

    def _go_back_for(self, line: Line, number: int | None) -> None:
        """A hand that was missing before the last one comes after it; the next goes on from that.

        Totals of the first hand of the log that are just its scores show a wrong number instead; a
        later one is known to be missing if another player dealt.
        """
        last, begun = self.hand_number, self.start.hand
        if not last.missing or number != last.number - 1:
            return
        assert begun is not None
        text = f"hand {number} of line {line.number} belongs before line {begun.line.number}"
        swapped = Repair("hands-swapped", begun.line.number, text)
        findings = self.opening.findings
        if last.is_first and not self.scores.state.states_its_scores():
            message = f"hand {number} comes after hand {last.number}"
            self._report_violation(line, Violation("log.number", message), swapped)
        elif findings and _shows_missing_hand(findings[0]):
            findings[0] = changed(findings[0], repair=swapped)
        else:
            return
        self.after = self.stand_now()
        self._stand_at(self.stand)

    def _stand_at(self, stand: Stand) -> None:
        """The game stands as it did at another time."""
        self.scores.state, self.hand_number = stand.score, stand.hand_number
        self.dealers = stand.dealers

    def _judge_number(self, line: Line, written: int | None) -> None:
        """What a hand's number says: whether it is wrong, and whether the game was over."""
        number, scores = self.hand_number, self.scores
        if number.is_wrong:
            message = f"this is hand {number.due}, not {written}"
            first = self.start.hand
            is_second = (number.begun, written) == (2, 2)
            repair = None
            if first is not None and is_second and scores.state.states_its_scores():
                repair = renumbered(first.line, 1)
            self._report_violation(
                line, Violation("log.number", message, written=f"{written}"), repair
            )
        skipped = number.skipped
        if not number.missing and skipped != scores.before.skipped:
            scores.state = scores.state.with_before(lambda _: {"skipped": skipped})
        over = scores.go_on()
        if over is not None:
            self._report_violation(line, over)
        if number.missing:
            scores.skip_hands(skipped)
            # Totals over hands that nobody wrote down may be anything.
            self.earlier = {}

    def _due_dealers(self, event: HandStart, hand: HandPlay) -> tuple[int, ...]:
        """Who may deal a hand by the rules; none if nobody knows.

        Whoever is out of the game may not. Another dealer shows that hands are missing, as their
        number says.
        """
        best = None
        if self.ruleset.deal.next_dealer == "winner":
            best = self.scores.state.best_of_hand()
        due, is_known = self.dealers.by_rules(hand, best)
        missing, named = self.hand_number.missing, self.playing.seats.get(event.dealer or "")
        if missing and named is not None and named not in due:
            findings, at = self.reporter.report.findings, self.found_before
            repair = Repair(HAND_MISSING, hand.line.number, hands_missing(missing))
            findings[at] = changed(findings[at], repair=repair)
        is_sure = is_known and not missing and not hand.may_be_out
        return due if is_sure else ()

    def _who_dealt(self, line: Line, event: HandStart, hand: HandPlay) -> Dealers:
        """Who deals by the line, else by the rules."""
        seat = None if event.dealer is None else self.playing.seat(line, event.dealer)
        number, due = self.hand_number, self.dealers.due
        is_later = seat is not None and number.is_first and number.number != 1
        if self.stand.hand_number.is_void or is_later:
            # Nobody knows: players agree on who deals after an annulled hand, and the headers name
            # the dealer of hand 1.
            due = ()
        before = None if self.start.hand is None else self.start.hand.line.event
        # A line that repeats the one of the hand before says nothing of its own dealer.
        is_copied = number.is_wrong and event == before
        if seat is not None and not is_copied:
            wrong = self.dealers.judge_dealer(hand, seat, due, number)
            if wrong is not None:
                self.playing.report_violation(line, wrong)
        return self.dealers.begin(seat, due)

    def close(self, line: Line | None = None) -> None:
        """The hand is over, at a line or with the game, and so is what was found in it."""
        self._close_hand(line)
        self._settle()

    def _settle(self) -> None:
        """What was found until now is final."""
        self.reporter.settle(self.opening)
        self.opening = LogReport("")

    def _close_hand(self, line: Line | None) -> None:
        """The hand is over, at a line or with the game: it is judged as a whole, and counted."""
        if self.hand is None:
            return
        self.playing.last = self.start.last = line is None
        self.playing.end_of_lines()
        lines = tuple(self.lines)
        written = self.playing
        left_out = self.hand_number.left_out
        explained = self._explain()
        if explained is not None and explained.is_twice:
            self.opening.findings[self.found_before :] = explained.findings
            self._undo_hand()
            return
        if explained is not None and explained.torn:
            self._play_as_two_hands(lines[: explained.torn], lines[explained.torn :])
            self._close_hand(line)
            return
        played = self._as_played(explained)
        if self.explainer is not None:
            self.explainer.weigh(played, is_void=False)
        hand = self.hand
        self.dealers = self.dealers.after(hand)
        self._judge_end(hand, line)
        self.scores.close_hand(hand)
        self.scores.count(hand, is_unread=line is not None and hand.is_unread)
        if self.playing is not written and self.players == written.players:
            written.scores.count(written.hand)
            skipped = self.hand_number.left_out > left_out
            self.scores.go_on_from(written.scores, was_skipped=skipped)
        if self.explainer is not None:
            self.earlier = self.explainer.weigh_totals(played, self.earlier)
        calls: Mapping[int, int] = {}
        if hand.referee is not None:
            calls = hand.referee.calls
        scores = self.scores.scores_to_report(self.number, calls)
        if scores is not None:
            self.reporter.log.scores.append(scores)
        self.playing.earlier = (hand.line, *lines)
        self._leave_hand()

    def _play_as_two_hands(self, lines: Sequence[Line], rest: Sequence[Line]) -> None:
        """Plays lines as those of two hands: what is missing between them is told once."""
        lost = rest[0]._replace(text="", event=Gap())
        shows_it = next(
            finding
            for finding in self.reporter.report.findings
            if _is_mistake(finding) and finding.span.line == lost.number
        )
        self._replay([*lines, lost])
        self.scores.end("out", None, on_sheet=False)
        self._close_hand(None)
        what = "the end of a hand and the first turns of another"
        text = f"{what} are missing before line {lost.number}"
        repair = Repair("page-missing", lost.number, text)
        self.reporter.report.findings.append(changed(shows_it, repair=repair))
        self._begin_hand(rest[0], HandStart())
        for line in (lost, *rest):
            self.play_line(line)

    def _judge_end(self, hand: HandPlay, line: Line | None) -> None:
        """Whether a hand was over when a line began the next one, and its last card lay face up."""
        position, record = hand.position, self.scores.record
        if position is None or record is None:
            return
        early = ending.not_over(hand.judge.binding, position)
        is_scored = record.reason is not None or record.has_score
        if line is not None and early is not None and not (is_scored or hand.damaged):
            self.playing.report_violation(line, early)
        must_be_seen = hand.judge.ruleset.out.face != "either"  # G-END-03
        is_unseen = position.final is not None and position.final[1] == UNKNOWN
        if must_be_seen and is_unseen and position.line is not None:
            what = "the last discard: it was not seen, and it has to lie face up"
            self.reporter.leave_open(position.line, what)

    def _undo_hand(self) -> None:
        """Everything stands as it did before the hand, and what was found in it goes."""
        self._drop_findings()
        self._stand_at(self.stand)
        self._leave_hand()

    def _drop_findings(self) -> None:
        """What was found in the hand goes, but lines stay unreadable."""
        findings = self.reporter.begin_report().findings
        unread = [finding for finding in findings if finding.code == "log.syntax"]
        self.reporter.report.findings = unread

    def _leave_hand(self) -> None:
        """No hand is under way."""
        if self.after is not None:
            self._stand_at(self.after)
            self.after = None
        self.playing.hand = None
        self.reporter.begin_hand(0)

    def _annul_hand(self, line: Line) -> None:
        """The hand is annulled: it is not scored, and the players agree on who deals next."""
        if self.hand is None:
            self._begin_hand(line, HandStart())
        self.playing.last = self.start.last = True
        played = self._as_played(self._explain())
        if self.explainer is not None:
            self.explainer.weigh(played, is_void=True)
        self.scores.state = self.start.scores.state.annul_hand()
        self._leave_hand()
        self.hand_number = changed(self.hand_number, is_void=True)

    def _as_played(self, explained: ExplainedHand | None) -> PlayedHand:
        """The hand, which is over, as it is followed."""
        other_cards = frozenset() if explained is None else explained.other_cards
        lines = self.playing.with_meant_names(self.lines)
        return PlayedHand(self.start, self.playing, lines, other_cards, self.room > 0)

    def _take_back_line(self, line: Line) -> None:
        """Takes the previous line of the hand back: the hand is replayed without it."""
        lines = self.lines
        # An `undo` is remembered behind what it took back: neither is there to be taken back again.
        while lines and type(lines[-1].event) is Undo:
            lines = lines[:-2]
        if self.hand is None or not lines or self.room <= 0:
            self._report_violation(
                line, Violation("log.assert", "there is no line here to take back")
            )
            return
        reporter = self.reporter
        if not reporter.suggestions.may_replay(len(self.lines), reporter.turns):
            message = "lines were taken back too often in this log: this one is not"
            self._report_violation(line, Violation("log.assert", message))
            return
        taken = lines[-1]
        self._replay(lines[:-1])
        if type(taken.event) is Turn:
            self._remember(taken._replace(event=events.TakenBack(taken.event)))
            self._remember(line)

    def _replay(self, lines: Sequence[Line]) -> HandPlay:
        """Plays the hand again from its deal, by other lines."""
        self.lines, self.room = [], ROOM
        self._drop_findings()
        self.playing = self.start.fork(self.reporter)
        assert self.playing.hand is not None
        for line in lines:
            self._play(line)
        return self.playing.hand

    def _explain(self) -> ExplainedHand | None:
        """Follows the hand as it probably was played, if a slip in writing explains findings."""
        reporter = self.reporter
        turns = reporter.report.turns
        opening = self.opening.findings[self.found_before :]
        self._take_in_opening()
        findings = reporter.report.findings
        mistakes = [finding for finding in findings if _is_mistake(finding)]
        others = [finding for finding in findings if not _is_mistake(finding)]
        is_whole = self.room > 0 and not reporter.has_let_go
        asks_for_it = bool(opening) or bool(mistakes and self.lines)
        if self.explainer is None or not is_whole or not asks_for_it:
            return None
        hand = WrittenHand(
            self.start,
            self.playing,
            self.hand_number,
            self.header,
            self.lines,
            opening,
            mistakes,
            others,
            self.unexplained,
        )
        explained = self.explainer.explain(hand)
        if explained is None or explained.is_twice:
            return explained
        begin = explained.begin
        if begin is not self.start or explained.lines != self.lines:
            self._begin_from(begin)
            self._replay(explained.lines)
            self.playing.end_of_lines()
            reporter.report.turns = turns
        self._renumber(begin)
        if any(map(_shows_missing_hand, explained.findings)):
            left_out = self.hand_number.left_out + 1
            self.hand_number = changed(self.hand_number, left_out=left_out)
            self.earlier = {}
        bare = {finding.code for finding in explained.findings if finding.repair is None}
        counts = {code: self.unexplained.get(code, 0) + 1 for code in bare}
        self.unexplained = {**self.unexplained, **counts}
        reporter.report.findings = [*others, *explained.findings]
        for line, what in explained.open:
            reporter.leave_open(line, what)
        return explained

    def _take_in_opening(self) -> None:
        """Takes in what was found just before the hand's lines and may be explained by these."""
        opening = self.opening.findings
        at = len(opening)
        while at > self.found_before and opening[at - 1].code == "setup.dealer":
            at -= 1
        if self.hand_number.is_first:
            while at > 0 and opening[at - 1].code == "log.name":
                at -= 1
        self.reporter.report.findings[:0] = opening[at:]
        del opening[at:]

    def _renumber(self, begin: Playing) -> None:
        """The first hand of the log may turn out to have another number; the log goes on from it."""
        record = begin.scores.record
        written = self.hand_number.first
        if not self.hand_number.is_first or record is None or record.number == written:
            return
        first = record.number
        # The next hand may be counted on from this number, or from the one that was written.
        self.hand_number = HandNumber(
            begun=1, first=first, due=first, number=first, ahead=(0, written - first)
        )

    def _begin_from(self, begin: Playing) -> None:
        """The hand begins as it does there: with other seats, or after a missing hand."""
        if begin.players != self.players:
            dealer = None if begin.hand is None else begin.hand.dealer
            now = () if dealer is None else (dealer,)
            self.dealers = changed(self.dealers, now=now)
            self.earlier = none_earlier(begin.scores)
        self.start = begin

    def _draw_for_deal(self, line: Line, event: Cut) -> None:
        """`cut …`: who deals first, unless the headers say it otherwise: then either may."""
        is_first_draw = self.room > 0
        # Nobody takes a draw back, nor what was before it.
        self.room = 0
        wrong = cut_cards(self.judge.binding, self.judge.copies, event.cards)
        if wrong is not None:
            self._report_violation(line, wrong)
            # Nobody knows who drew what, so any player may deal.
            self.dealers = changed(self.dealers, due=())
            return
        drawn: dict[int, int] = {}
        for name, card in event.cards:
            seat = self.playing.seat(line, name)
            if seat is not None:
                drawn[seat] = card
        is_decided_by_draw = self.ruleset.deal.first_dealer != "anybody"
        if not drawn or not is_decided_by_draw or self.hand_number.begun:
            return
        by_headers = self.dealers.due if is_first_draw else ()
        self.dealers, due = self.dealers.after_draw(self.ruleset, drawn, by_headers)
        if by_headers and by_headers[0] not in due:
            names = in_words([self.players[seat] for seat in due], "or")
            message = f"{names} should deal by this draw, not {self.players[by_headers[0]]}"
            wrong = Violation("setup.dealer", message, key="deal.first_dealer")
            self._report_violation(line, wrong)

    def _report_violation(
        self, line: Line, violation: Violation, repair: Repair | None = None
    ) -> None:
        """A finding about a whole line, which no line taken back takes away."""
        self.playing.report_violation(line, violation)
        report = self.reporter.report
        if repair is not None:
            report.findings[-1] = changed(report.findings[-1], repair=repair)
        if self.hand is not None:
            self.opening.findings.append(report.findings.pop())


_OF_GAME: Final[Mapping[type, Callable[[GamePlay, Line, Any], object]]] = {
    Turn: GamePlay.play_turn,
    HandStart: GamePlay._begin_hand,  # noqa: SLF001  its own
    Undo: lambda game, line, _: game._take_back_line(line),  # noqa: SLF001
    Cut: GamePlay._draw_for_deal,  # noqa: SLF001
    events.Void: lambda game, line, _: game._annul_hand(line),  # noqa: SLF001
}
"""What the game itself does with some kinds of line."""


def begin_game(
    ruleset: Ruleset,
    headers: HeaderLines,
    reporter: Reporter,
    explainer: Explainer | None = None,
) -> GamePlay | None:
    """The game that some headers begin; None, which is found, if the table cannot play it."""
    by_key = {header.key: (line, header.value) for line, header in headers}
    header, listed = by_key["Players"]
    names = [_unquoted(part) for part in listed.split(",")]
    players = tuple([name for name in names if name])
    wrong = table_size(ruleset, len(players))
    if len(set(players)) < len(players):
        wrong = Violation("setup.players", "a player is named twice", key="")
    if wrong is not None:
        reporter.report_violation(ruleset, wrong, whole_line(header))
        return None
    playing = Playing(judge_for(ruleset, len(players)), players, reporter)
    _, view = by_key.get("View", (header, ""))
    is_full = view.strip() == "full"
    game = GamePlay(reporter.game, ruleset, playing, header, is_full, explainer)
    line, dealer = by_key.get("Dealer", (header, ""))
    seat = None
    if dealer:
        seat = playing.seat(line, _unquoted(dealer))
    if seat is not None:
        game.dealers = Dealers(due=(seat,))
    return game


def _is_mistake(finding: Finding) -> bool:
    """Whether a finding may be explained by a mistake in writing; that of a bad line is clear."""
    return finding.severity is Severity.ERROR and finding.code != "log.syntax"


def _shows_missing_hand(finding: Finding) -> bool:
    """Whether a finding is explained by a hand missing before its own."""
    return finding.repair is not None and finding.repair.edit == HAND_MISSING


def none_earlier(scores: Scorekeeper) -> Mapping[int, object]:
    """What the explainer says before the first hand: nothing is unknown of any side."""
    return dict.fromkeys(range(len(scores.standing.sides)))


def _unquoted(name: str) -> str:
    return name.strip().strip('"')
