"""One game of a log: its table, its hands in order, who deals, and how each hand ends."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from meldref.core import events
from meldref.core.cards import UNKNOWN
from meldref.core.diagnostics import Edit, Finding, Follows, Repair, errors_in
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
from meldref.core.records import NamedTuple, changed, copied, derived, fresh, record
from meldref.core.text import in_words
from meldref.engine.judge import Judge, judge_for
from meldref.notation.writer import write_line
from meldref.position.model import NOT_AHEAD
from meldref.replay.aftermath import counts_on
from meldref.replay.hand import HandPlay
from meldref.replay.playing import Playing
from meldref.replay.repair.between import (
    HAND_MISSING,
    PLAYERS,
    as_shown_by,
    hands_missing,
    numbered_as_melded,
    numbered_otherwise,
    shows_missing_hand,
    without_absent,
)
from meldref.replay.repair.course import following, other_cards
from meldref.replay.repair.search import can_be_explained, explain, readable, unexplained
from meldref.replay.reporter import Reporter, whole_line
from meldref.replay.scores import GameScore, Scorekeeper
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

_MOST_BEGUN: Final = 64
"""Of how many hands the lines that began them are remembered."""
_BETWEEN_HANDS: Final = (Cut, Result, Adjust)
_DEALING: Final = (Deal, events.UpCard, events.StockOrder, events.WildRank)
HeaderLines = Sequence[tuple[Line, Header]]


class Stand(NamedTuple):
    """Where a game stands between hands: the score, who may deal, and the number of the hand."""

    score: GameScore
    dealers: tuple[int, ...]
    next_dealers: tuple[int, ...]
    number: int
    ahead: tuple[int, ...]


@record(frozen=False)
class GamePlay:
    """A game under way.

    `header` names its players, `dealers` are who may deal the hand under way, by the line, the
    rules, or a mistake before, `next_dealers` who may deal the next one, `cut` those whom the draw
    for deal made dealer. Hands are numbered by `count`, which begins with `first` (the hands before
    that were not written down), and by how far the log is `ahead` of it; `left_out` are those
    between of which nobody wrote a line, `begun` the last lines that began hands. `start` is how
    the hand began, `lines` are those it is followed by, as long as there is `room`, `repaired`
    those with other cards than were written (None: more than cards was repaired), and `rows` are
    hands whose scores nobody wrote down, by side. `stand` is where the game stood before the hand.
    With `repairs`, what was found is explained when a hand is over; `doubt` is by how much another
    explanation may be less likely and is named; `closed` is told of hands that are over.
    """

    number: int
    ruleset: Ruleset
    playing: Playing
    header: Line
    full_view: bool
    repairs: bool
    doubt: float
    closed: Callable[[ClosedHand], None] | None
    next_dealers: tuple[int, ...] = ()
    dealers: tuple[int, ...] = ()
    cut: tuple[int, ...] = ()
    misdealt: bool = False
    hands: int = 0
    count: int = 0
    first: int = 0
    left_out: int = 0
    ahead: tuple[int, ...] = NOT_AHEAD
    begun: tuple[HandStart, ...] = ()
    lines: list[Line] = fresh(default_factory=list)
    room: int = ROOM
    repaired: frozenset[int] | None = frozenset()
    start: Playing = derived(lambda game: game.playing)
    stand: Stand = derived(lambda game: Stand(game.scores.state, (), (), 0, NOT_AHEAD))
    rows: dict[int, Row] = derived(
        lambda game: {side: Row(side, 0) for side in range(len(game.scores.standing.sides))}
    )

    def fork(self, reporter: Reporter) -> GamePlay:
        """An independent copy of the game before the first line of a hand."""
        other = copied(self)
        other.playing, other.lines = self.playing.fork(reporter), [*self.lines]
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

    @property
    def hand_number(self) -> int:
        """The number of the hand under way; 0 in none."""
        return self.reporter.hand

    def line(self, line: Line) -> None:
        """One line of the game that could be read."""
        event = line.event
        if type(event) is Turn:
            self.turn(line, event)
        else:
            self._other(line, event)

    def turn(self, line: Line, event: Turn) -> None:
        """A line of a player's actions."""
        hand = self.playing.hand or self._begin_hand(line, HandStart())
        self._remember(line)
        last = event.actions[-1]
        if type(last) is Discard and last.card == UNKNOWN:
            hand.miss_discards()
            assert self.start.hand is not None
            self.start.hand.unseen_discards = True
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
            if kind in _DEALING and (self.misdealt or self._hand_is_scored()):
                # An unreadable line may have been the hand's own, and was found.
                unread = bool(self.lines) and self.lines[-1].event is None
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
                self.rows = {}
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
        if self.room > 0:
            self.lines.append(line)
            self.room -= A_LINE + len(line.text)

    def unreadable(self, line: Line) -> None:
        """A line that could not be read: if it was a turn, nobody knows what was played."""
        self._remember(line)
        self.playing.unreadable(line)

    def _begin_hand(self, line: Line, event: HandStart) -> HandPlay:
        hand = self.hand
        is_there = hand is not None and event == hand.line.event and not self.lines
        if hand is not None and is_there and event.number is not None:
            message = f"this line is there twice: hand {event.number} has begun"
            self._wrong(line, Violation("log.number", message))
            return hand
        if hand is not None and self._is_only_dealt(hand):
            return self._begin_behind_deal(line, event)
        self.close_hand(line)
        self.stand = Stand(
            self.scores.state, self.dealers, self.next_dealers, self.count, self.ahead
        )
        self.hands += 1
        self.reporter.report.hands += 1
        number, skipped, missing = self._number_hand(line, event.number)
        over = self.scores.go_on()
        if over is not None:
            self._wrong(line, over)
        if missing:
            self.scores.skip_hands(skipped)
            self.rows = {}  # totals over hands that nobody wrote down may be anything
        judge = self.judge.for_hand(number or self.hands)
        hand = HandPlay(
            judge,
            self.players,
            line,
            self.reporter,
            number=number,
            full_view=self.full_view,
        )
        self.reporter.begin_hand(number)
        self.playing.begin_hand(hand, number or self.hands)
        if self.dealers:
            best = self.scores.best_of_hand() if self.ruleset.deal.next_dealer == "winner" else None
            due = [next_dealer(judge.binding, seat, best, hand.active) for seat in self.dealers]
            is_open = missing or () in due or hand.may_be_out  # who is out may not deal
            either = () if is_open else [seat for seats in due for seat in seats]
            if missing and self._is_dealt_by_another(event, due):
                self._explain_number(line, missing)
            self.next_dealers = tuple(dict.fromkeys(either))
        self.dealers = self._who_dealt(line, event)
        self.begun = (*self.begun, event)[-_MOST_BEGUN:]
        hand.dealer = self.dealers[0] if len(self.dealers) == 1 else None
        self.misdealt = False
        self.lines, self.room, self.repaired = [], ROOM, frozenset()
        self.start = self.playing.fork()
        self.reporter.begin_lines()
        return hand

    def _is_only_dealt(self, hand: HandPlay) -> bool:
        """Whether no line begins the hand, and nothing is written of it yet but its deal."""
        return all(type(line.event) in _DEALING for line in (hand.line, *self.lines))

    def _begin_behind_deal(self, line: Line, event: HandStart) -> HandPlay:
        """A hand's own line is written behind its deal."""
        dealt = self.lines
        self.reporter.take_back()
        self._back_to_stand()
        self.hands -= 1
        self.reporter.report.hands -= 1
        hand = self._begin_hand(line, event)
        if self.hands == 1:  # else it was found that no line began the hand
            self._wrong(
                line, Violation("setup.deal", "the line of a hand must come before its deal")
            )
        for again in dealt:
            self._remember(again)
            self.playing.play(again)
        return hand

    def _number_hand(self, line: Line, number: int | None) -> tuple[int, int, int]:
        """The hand's number, how many were left out in all, and how many just before it.

        A log may begin with any hand. After a mistake it goes on from the number written, or from
        the one due.
        """
        due = self.count + 1
        if self.hands == 1:
            due = number or 1
            self.first = due
        elif self.misdealt and number is None:  # the same hand again, or the next one
            due, self.ahead = self.count, (1, 0)
        elif self.misdealt and number is not None and number - self.count in self.ahead:
            due = self.count
        self.count = due
        by = self.ahead[-1] if number is None else number - due
        missing = due - 1 if self.hands == 1 else max(by - max(self.ahead), 0)
        if by not in self.ahead:
            message = f"this is hand {due}, not {number}"
            self._wrong(line, Violation("log.number", message, written=f"{number}"))
            if (self.hands, number) == (2, 2) and self.scores.states_its_scores():
                self._number_first()
        skipped = max(self.first - 1 + by, 0) + self.left_out
        if not missing:
            self.scores.count_skipped(skipped)
        if number is not None:
            self.ahead = counts_on(self.ahead, by)
        return due + by, skipped, missing

    def _is_dealt_by_another(self, event: HandStart, due: Sequence[Sequence[int]]) -> bool:
        """Whether the dealer by the line is none of those due if no hand is missing."""
        seat = self.playing.seats.get(event.dealer or "")
        return seat is not None and all(seat not in seats for seats in due)

    def _explain_number(self, line: Line, missing: int) -> None:
        """The number on a hand's line is found wrong because hands before it are missing."""
        findings = self.reporter.report.findings
        for at in reversed(range(len(findings))):
            wrong = findings[at]
            if (wrong.code, wrong.span.line) == ("log.number", line.number):
                findings[at] = as_shown_by(wrong, HAND_MISSING, hands_missing(missing), ())
                return

    def _who_dealt(self, line: Line, event: HandStart) -> tuple[int, ...]:
        """Who deals by the line, else the rules (P-DEAL-07, W-DEAL-01); after a mistake, either."""
        seat = None if event.dealer is None else self.playing.seat(line, event.dealer)
        due, key = self.next_dealers, "deal.next_dealer"
        if self.hands == 1 and self.hand_number != 1:  # nobody knows who dealt before
            due = () if seat is not None else due
        elif self.cut and self.hands == 1:
            due, key = self.cut, "deal.first_dealer"
        if seat is None:
            return tuple(dict.fromkeys((*self.dealers, *due))) if self.misdealt else due
        if not due or self.misdealt:
            return (seat,)
        if seat in due:  # after a mistake, whoever deals by the line or would deal without it
            return tuple(dict.fromkeys((seat, *due)))
        if event.number is not None and event in self.begun:  # the line of that hand is copied
            return (seat, *due)
        hand = self.hand
        assert hand is not None
        hand.is_misdealt = True
        playing = [other for other in due if other in hand.active] or due
        names = in_words([self.players[other] for other in playing], "or")
        again = " again" if seat in self.dealers else ""
        message = f"{self.players[seat]} deals{again}, but {names} should deal"
        self._wrong(line, Violation("setup.dealer", message, key=key))
        return (seat, *due)

    def close_hand(self, line: Line | None = None) -> None:
        """The hand is over, at a line or with the game: it is judged as a whole, and counted."""
        if self.hand is None:
            return
        self._lines_end(is_last=line is None)
        self.playing.end_of_lines()
        lines = tuple(self.lines)
        if self._is_twice():
            self._take_out()
            return
        written, left_out = self.playing, self.left_out
        self._explain()
        whole = self._whole_record()
        whole.look_back()
        whole.weigh(self.closed)
        hand = self.hand
        self._look_back_at_dealer(hand)
        record = self.scores.record
        position = hand.position
        if line is not None and position is not None and record is not None and not hand.damaged:
            early = ending.not_over(hand.judge.binding, position)
            if early is not None and record.reason is None and not record.has_score:
                self.playing.wrong(line, early)
        face_up = self.ruleset.out.face != "either"  # G-END-03
        final = position.final if position is not None and face_up else None
        last_line = position.line if position is not None else None
        if final is not None and final[1] == UNKNOWN and last_line is not None:
            what = "the last discard: it was not seen, and it has to lie face up"
            self.reporter.undecided(last_line, what)
        self.scores.close_hand(hand)
        self.scores.count(hand)
        if self.playing is not written and self.players == written.players:
            written.scores.count(written.hand)
            skipped = self.left_out > left_out
            self.scores.go_on_from(written.scores, was_skipped=skipped)
        self.rows = whole.weigh_totals(self.rows)
        scores = self.scores.scores(self.number, hand.referee.calls if hand.referee else {})
        if scores is not None:
            self.reporter.report.scores.append(scores)
        self.playing.earlier = lines
        self._hand_over()

    def _is_twice(self) -> bool:
        """Whether the lines of the hand before are written again, which is found."""
        if not self._found_at_start():
            return False
        events_now = [line.event for line in self.lines]
        is_played = any(type(event) is Turn for event in events_now)
        return is_played and events_now == [line.event for line in self.playing.earlier]

    def _found_at_start(self) -> list[Finding]:
        """What was found at the line that begins the hand, unless it was let go."""
        findings = self.reporter.report.findings
        start = min(self.reporter.before[0], len(findings))
        assert self.hand is not None
        number, first = self.hand.line.number, start
        while first and findings[first - 1].span.line == number:
            first -= 1
        return findings[first:start]

    def _take_out(self) -> None:
        """The hand is written twice: everything stands as it did before it."""
        report, reporter = self.reporter.report, self.reporter
        first, *others = at_start = self._found_at_start()
        gone = following([*others, *errors_in(reporter.findings)])
        told = as_shown_by(first, "hand-twice", "this hand is written twice", gone)
        report.findings[reporter.before[0] - len(at_start) :] = [told]
        reporter.questions = []
        self._back_to_stand()

    def _back_to_stand(self) -> None:
        """Everything stands as it did before the hand."""
        self.scores.state, self.dealers, self.next_dealers, self.count, self.ahead = self.stand
        self._hand_over()

    def _look_back_at_dealer(self, hand: HandPlay) -> None:
        """Who began shows who dealt; where the dealer's name says otherwise, either is right.

        After a mistake the log may go on with either; it does with the named one who is due, unless
        another began.
        """
        seats, binding = range(len(self.players)), hand.judge.binding
        dealt = [seat for seat in seats if first_seat(binding, seat, hand.active) == hand.first]
        if hand.first is not None and not {*dealt} & {*self.dealers}:
            self.dealers = (*self.dealers, *dealt)
        elif self.dealers and getattr(hand.line.event, "dealer", None):
            named = self.dealers[0]
            if named in self.next_dealers and (hand.first is None or named in dealt):
                self.dealers = (named,)

    def _lines_end(self, *, is_last: bool) -> None:
        """No more lines of the hand come; after the last one it may go on unseen."""
        self.playing.last = self.start.last = is_last

    def _hand_over(self) -> None:
        """No hand is under way."""
        self.playing.hand = None
        self.reporter.begin_hand(0)

    def _void(self, line: Line) -> None:
        """The hand is annulled: it is not scored, and the players agree on who deals next."""
        if self.hand is None:
            self._begin_hand(line, HandStart())
        self._lines_end(is_last=True)
        self._explain()
        closed = self._whole_record().closed_hand() if self.closed else None
        if self.closed is not None and closed is not None:
            self.closed(closed)
        self.scores.annul_hand(self.start.scores.state)
        self._hand_over()
        self.misdealt = True

    def _whole_record(self) -> WholeRecord:
        """The record of the hand, which is over."""
        lines = self.playing.with_meant_names(self.lines)
        return WholeRecord(self.start, self.playing, lines, self.repaired, self.room > 0)

    def _undo(self, line: Line) -> None:
        """Takes the previous line of the hand back: the hand is replayed without it."""
        if self.hand is None or self.scores.record is None or not self.lines or self.room <= 0:
            self._wrong(line, Violation("log.assert", "there is no line here to take back"))
            return
        reporter = self.reporter
        if not reporter.suggestions.may_replay(len(self.lines), reporter.report.turns):
            message = "lines were taken back too often in this log: this one is not"
            self._wrong(line, Violation("log.assert", message))
            return
        self._again(self.lines[:-1])

    def _again(self, lines: list[Line]) -> None:
        """Plays the hand again from its deal, by other lines."""
        self.lines, self.room = [], ROOM
        self.reporter.take_back()
        self.playing = self.start.fork(self.reporter)
        for again in lines:
            self._remember(again)
            self.playing.play(again)

    def _explain(self) -> None:
        """Follows the hand as it probably was played, if a slip in writing explains findings."""
        reporter, hand = self.reporter, self.hand
        if self.hands == 1:
            reporter.take_in("log.name")
        wrong = [
            finding for finding in errors_in(reporter.findings) if finding.code != "log.syntax"
        ]
        if not wrong or not self.repairs or not self.lines or self.room <= 0:
            return
        if hand is None or self.scores.record is None or reporter.has_let_go:
            return
        suggestions, report = reporter.suggestions, reporter.report
        start, turns = reporter.before[0], report.turns
        if not suggestions.may_look_at(len(self.players), len(wrong)):
            at = report.findings.index(wrong[0], start)
            report.findings[at] = unexplained(wrong[0])
            return
        lines = readable(self.lines)
        as_written, begin = self.start, without_absent(self.start, lines)
        at_start = self._found_at_start()[-1:]
        before = [finding for finding in at_start if finding.code == "setup.dealer"]
        with suggestions.explaining(turns + len(lines)):
            if any(finding.code == "meld.contract" for finding in wrong):
                begin = self._numbered(begin, lines, wrong)
            is_as_written = begin is as_written and lines == self.lines
            if is_as_written and not can_be_explained(wrong):
                return
            explained = explain(begin, lines, wrong, self.doubt)
        searched = set(map(id, wrong))
        rest = [finding for finding in reporter.findings if id(finding) not in searched]
        begin = explained.begin
        self.repaired = None if begin is not as_written else other_cards(lines, explained.lines)
        if begin is not as_written or explained.lines != self.lines:
            self._goes_back_to(begin)
            self._again(explained.lines)
            self.playing.end_of_lines()
            report.turns = turns
        told = [*self._misnumbered(begin, wrong), *map(self._told, explained.findings)]
        missing = [one for one in told if one.repair and one.repair.edit == HAND_MISSING]
        if missing:
            self.left_out += 1
            self.rows = {}
        if missing and before:
            shown, repair = missing[0], missing[0].repair
            follows = (*following([shown]), *(repair.follows if repair else ()))
            text = hands_missing()
            report.findings[start - 1] = as_shown_by(before[0], HAND_MISSING, text, follows)
            told.remove(shown)
        reporter.findings = [*rest, *told]

    def _numbered(self, begin: Playing, lines: Sequence[Line], wrong: Sequence[Finding]) -> Playing:
        """How the hand begins with the number whose contract was melded, if it may have that.

        The first hand of a log may have any; others may after wrong numbers or hands left out.
        """
        is_missing = shows_missing_hand(begin, lines, wrong)
        if self.hands == 1 and not is_missing:
            return numbered_as_melded(begin, lines, wrong) or begin
        most = self.left_out + is_missing
        ahead = {by + left for by in self.ahead for left in range(most + 1)}
        numbers = [self.count + by for by in sorted(ahead) if self.count + by != self.hand_number]
        return numbered_otherwise(begin, lines, numbers) or begin

    def _misnumbered(self, begin: Playing, wrong: Iterable[Finding]) -> list[Finding]:
        """What shows that the first hand of the log has another number; the log goes on from it."""
        hand, record = begin.hand, begin.scores.record
        if hand is None or record is None or self.hands > 1 or record.number == self.first:
            return []
        number = record.number
        self.ahead = (0, self.first - number)
        self.count = self.first = number
        shown, *others = [finding for finding in wrong if finding.code == "meld.contract"]
        return [changed(shown, repair=_renumbered(hand.line, number, following(others)))]

    def _number_first(self) -> None:
        """The number of the second hand is found wrong because that of the first one is."""
        findings = self.reporter.report.findings
        assert self.start.hand is not None
        findings[-1] = changed(findings[-1], repair=_renumbered(self.start.hand.line, 1))

    def _told(self, finding: Finding) -> Finding:
        """A finding, with its repair at the header if players have to be named otherwise there."""
        repair = finding.repair
        if repair is None or repair.edit not in PLAYERS:
            return finding
        line = self.header
        names = ", ".join(self.players)
        written = write_line(line._replace(event=Header("Players", names), text=""))
        edit = Edit(line.number, 1, line.number, len(line.text) + 1, written)
        return changed(finding, repair=changed(repair, line=line.number, edits=(edit,)))

    def _goes_back_to(self, begin: Playing) -> None:
        """The hand begins as it does there: with other seats, or after a missing hand."""
        if begin.players != self.players:
            seats = [begin.seats.get(name) for name in self.players]
            self.dealers, self.cut = (
                tuple([seat for old in row if (seat := seats[old]) is not None])
                for row in (self.dealers, self.cut)
            )
            if begin.hand is not None and begin.hand.dealer is not None:
                self.dealers = (begin.hand.dealer,)
            self.rows = {side: Row(side, 0) for side in range(len(begin.scores.standing.sides))}
        self.start = begin

    def _draw_for_deal(self, line: Line, event: Cut) -> None:
        self.room = 0  # nobody takes it back, nor what was before it
        wrong = cut_cards(self.judge.copies, event.cards)
        if wrong is not None:
            self._wrong(line, wrong)
            self.cut = ()  # nobody knows who drew what
            return
        drawn = {
            seat: card
            for name, card in event.cards
            if (seat := self.playing.seat(line, name)) is not None
        }
        if drawn and self.ruleset.deal.first_dealer != "anybody":
            again = {seat: card for seat, card in drawn.items() if seat in self.cut}
            self.cut = cut_dealer(self.ruleset, again or drawn)

    def _wrong(self, line: Line, violation: Violation) -> None:
        """A finding about a whole line, which no line taken back takes away."""
        self.playing.wrong(line, violation)
        self.reporter.begin_lines()


def begin_game(
    ruleset: Ruleset,
    headers: HeaderLines,
    reporter: Reporter,
    *,
    repairs: bool = True,
    doubt: float = 0.0,
    closed: Callable[[ClosedHand], None] | None = None,
) -> GamePlay | None:
    """The game that some headers begin; None, which is found, if the table cannot play it."""
    by_key = {header.key: (line, header.value) for line, header in headers}
    header, names = by_key["Players"]
    players = tuple(name for part in names.split(",") if (name := _unquoted(part)))
    wrong = table_size(ruleset, len(players))
    if len(set(players)) < len(players):
        wrong = Violation("setup.players", "a player is named twice", key="")
    if wrong is not None:
        reporter.wrong(ruleset, wrong, whole_line(header))
        return None
    playing = Playing(judge_for(ruleset, len(players)), players, reporter)
    is_full = "View" in by_key and by_key["View"][1].strip() == "full"
    game = GamePlay(reporter.game, ruleset, playing, header, is_full, repairs, doubt, closed)
    if "Dealer" in by_key:
        line, name = by_key["Dealer"]
        seat = playing.seat(line, _unquoted(name))
        game.next_dealers = () if seat is None else (seat,)
    return game


def _renumbered(line: Line, number: int, follows: tuple[Follows, ...] = ()) -> Repair:
    """The repair of the number on the line of a hand."""
    event: Any = line.event
    text = write_line(line._replace(event=changed(event, number=number), text=""))
    edit = Edit(line.number, 1, line.number, len(line.text) + 1, text)
    told = f"line {line.number} begins hand {number}"
    return Repair("hand-number", line.number, told, follows, (edit,))


def _unquoted(name: str) -> str:
    return name.strip().strip('"')
