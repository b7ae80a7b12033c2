"""One game of a log: its headers, its hands, scores and totals, who won, what is paid."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from meldref.diagnostics import Finding
from meldref.events import (
    Adjust,
    AssertHand,
    AssertPile,
    AssertScore,
    AssertStock,
    AssertTable,
    Cut,
    Deal,
    Event,
    Gap,
    HandEnd,
    HandStart,
    Line,
    Note,
    Points,
    Reshuffle,
    Result,
    Show,
    StockOrder,
    Turn,
    Undo,
    UpCard,
    Void,
    WildRank,
)
from meldref.hand import HandPlay, whole_line
from meldref.judge import Judge, finding, judge_for
from meldref.position.game import HandRecord, Standing
from meldref.position.model import Ending
from meldref.reports import LogReport, Open, Scores
from meldref.rules import ending
from meldref.rules.base import Violation, in_words
from meldref.rules.game import another_hand, plays_on, stands, total, winner
from meldref.rules.settlement import chips
from meldref.rules.setup import cut_dealer, next_dealer, table_size
from meldref.ruleset.model import Ruleset
from meldref.scoring import hand_scores, units

if TYPE_CHECKING:
    from meldref.replay import Headers

Found = Callable[[Finding], None]


class GamePlay:
    """A game under way."""

    def __init__(self, ruleset: Ruleset, headers: Headers, report: LogReport, number: int, found: Found) -> None:
        self.ruleset = ruleset
        self.report = report
        self.number = number
        self._found_in_log = found
        self.hand: HandPlay | None = None
        self.judge: Judge | None = None
        self.playable = True
        self._hands = 0
        self._hand_number: int | None = None
        self._record: HandRecord | None = None
        self._dealer: int | None = None
        self._next_dealers: tuple[int, ...] = ()
        self._cut: tuple[int, ...] | None = None
        self._misdealt = False
        self._counted: dict[int, int | None] = {}
        self._lines: list[Line] = []
        self._before: tuple[object, ...] = ()
        line, header = next(item for item in reversed(headers.lines) if item[1].key == "Players")
        names = [name.strip().strip('"') for name in header.value.split(",")]
        self.players = tuple(name for name in names if name)
        self.seats = {name: seat for seat, name in enumerate(self.players)}
        self._set_table(line)
        dealer = headers.last("Dealer")
        if dealer is not None and self.playable:
            seat = self._seat(dealer[0], dealer[1].value.strip().strip('"'))
            self._next_dealers = () if seat is None else (seat,)
        self._handlers: dict[type, Callable[[Line, Event], None]] = {
            Turn: self._turn,
            Deal: self._deal,
            UpCard: self._up,
            StockOrder: self._stock,
            HandEnd: self._end,
            Points: self._points,
            Result: self._result,
            Cut: self._draw_for_deal,
            WildRank: self._wild,
            Reshuffle: self._reshuffle,
            Show: self._show,
            Gap: self._gap,
            Void: self._void,
            Adjust: self._adjust,
            Note: self._note,
            AssertHand: self._assert,
            AssertPile: self._assert,
            AssertTable: self._assert,
            AssertStock: self._assert,
            AssertScore: self._assert,
        }  # type: ignore[dict-item]

    def _set_table(self, line: Line) -> None:
        if len(self.seats) < len(self.players):
            self._wrong(line, Violation("setup.players", "a player is named twice"))
            self.playable = False
            return
        wrong = table_size(self.ruleset, len(self.players))
        if wrong is not None:
            self._wrong(line, wrong)
            self.playable = False
            return
        self.judge = judge_for(self.ruleset, len(self.players))
        sides = units(self.ruleset, self.players)
        names = tuple("+".join(self.players[seat] for seat in side) for side in sides)
        self.standing = Standing(sides, names)
        self._side_names = {
            name: index
            for index, side in enumerate(sides)
            for name in (
                *(self.players[seat] for seat in side),
                names[index],
                "+".join(names[index].split("+")[::-1]),
            )
        }

    # --- lines -------------------------------------------------------------------------------------------------

    def line(self, line: Line) -> None:
        """One line of the game."""
        event = line.event
        kind = type(event)
        if kind is Turn and self.hand is not None and self.playable:
            self._lines.append(line)
            self._turn(line, event)  # type: ignore[arg-type]
            return
        if not self.playable or event is None:
            return
        if kind is HandStart:
            self._start_hand(line, event)  # type: ignore[arg-type]
            return
        if kind is Undo:
            self._undo(line)
            return
        if self.hand is None and kind not in {Cut, Adjust, Note, Result}:
            if isinstance(event, Points) and event.kind != "score":
                pass
            else:
                self._start_hand(line, HandStart())
        self._lines.append(line)
        self._handlers[kind](line, event)

    def unreadable_line(self) -> None:
        """A line that could not be read: the turns after it may not follow from those before."""
        if self.hand is not None and self.hand.position is not None:
            position = self.hand.position
            if position.begins:
                position.mover_known = False
            position.turns = None

    def finish(self) -> None:
        """The game ends here, with the log or before another one."""
        if self.playable:
            self._close_hand(None)

    # --- hands -------------------------------------------------------------------------------------------------

    def _start_hand(self, line: Line, event: HandStart) -> None:
        assert self.judge is not None
        self._close_hand(line)
        wrong = another_hand(self.ruleset, self.standing)
        if wrong is not None:
            self._wrong(line, wrong)
        verdict = stands(self.ruleset, self.standing)
        self.standing.tied = verdict.tied
        self._hands += 1
        self.report.hands += 1
        due = None if self._hand_number is None else self._hand_number + 1
        if event.number is not None:
            allowed = {due, self._hand_number} if self._misdealt else {due}
            if due is not None and event.number not in allowed:
                self._wrong(line, Violation("log.number", f"this is hand {due}, not {event.number}"))
            self._hand_number = event.number
        else:
            self._hand_number = self._hands if due is None else due
        self.hand = HandPlay(self.judge, self.players, line, self._found)
        self._record = HandRecord(self._hand_number)
        self._before = (len(self.report.findings), len(self.report.open), self.report.turns, line)
        self._lines = []
        if verdict.tied and self.ruleset.game.tie.who == "tied":
            self.hand.active = tuple(
                seat for seat in range(len(self.players)) if self.standing.side_of(seat) in verdict.tied
            )
        self._set_dealer(line, event)

    def _set_dealer(self, line: Line, event: HandStart) -> None:
        assert self.hand is not None
        seat = None
        if event.dealer is not None:
            seat = self._seat(line, event.dealer)
        due = self._next_dealers
        rule = "deal.next_dealer"
        if self._cut is not None and self._hands == 1:
            due, rule = self._cut, "deal.first_dealer"
        if seat is not None and due and seat not in due and not self._misdealt:
            names = in_words([self.players[one] for one in due])
            why = (
                "by the cards drawn" if rule == "deal.first_dealer" else ("again" if seat == self._dealer else "")
            )
            message = f"{self.players[seat]} deals {why}; {names} should".replace(" ;", ";")
            self._wrong(line, Violation("setup.dealer", message, key=rule))
        if seat is None and len(due) == 1:
            seat = due[0]
        self.hand.dealer = self._dealer = seat
        self._misdealt = False

    def _close_hand(self, line: Line | None) -> None:
        """The hand is behind: what is still open in it is found, and its score counts."""
        hand, record = self.hand, self._record
        if hand is None or record is None:
            return
        if hand.started:
            hand.play()
        if hand.referee is not None:
            if line is None:
                hand.referee.finish()
            else:
                hand.referee.close_turn()
        if line is not None and hand.position is not None and record.reason is None and not record.has_score:
            wrong = None if hand.damaged else ending.not_over(self.judge.binding, hand.position)  # type: ignore[union-attr]
            if wrong is not None:
                self._wrong(line, wrong)
        self._score_hand()
        self._pass_the_deal()
        self.hand = None
        self._record = None

    def _pass_the_deal(self) -> None:
        assert self.judge is not None
        if self._dealer is None:
            self._next_dealers = ()
            return
        verdict = stands(self.ruleset, self.standing)
        active = range(len(self.players))
        if verdict.tied and self.ruleset.game.tie.who == "tied":
            active = [seat for seat in active if self.standing.side_of(seat) in verdict.tied]  # type: ignore[assignment]
        self._next_dealers = next_dealer(self.judge.binding, self._dealer, self._hand_winners(), active)

    def _hand_winners(self) -> list[int] | None:
        if not self.standing.hands:
            return None
        last = self.standing.hands[-1]
        scores = {side: last.score(side) for side in range(len(self.standing.sides))}
        known = {side: score for side, score in scores.items() if score is not None}
        if len(known) < len(scores):
            return None
        best = max(known.values())
        return [seat for side, score in known.items() if score == best for seat in self.standing.sides[side]]

    # --- the deal ----------------------------------------------------------------------------------------------

    def _deal(self, line: Line, event: Deal) -> None:
        seat = self._seat(line, event.player)
        if seat is None or self.hand is None:
            return
        if self.hand.position is not None:
            self._wrong(line, Violation("setup.deal", "cards are dealt in the middle of a hand"))
            return
        if self.standing.tied:
            wrong = plays_on(self.ruleset, self.standing, [self.standing.side_of(seat), *self._due()])
            if wrong is not None:
                self._wrong(line, wrong)
                self.hand.active = tuple(sorted({*self.hand.active, seat}))
        self.hand.deal(line, event, seat)

    def _due(self) -> Sequence[int]:
        tied = self.ruleset.game.tie.who == "tied"
        return self.standing.tied if tied else range(len(self.standing.sides))

    def _up(self, line: Line, event: UpCard) -> None:
        assert self.hand is not None
        if self.hand.position is None and self.hand.up is None:
            self.hand.up = (line, event.card)
        else:
            self.hand.turned_up(line, event.card)

    def _stock(self, line: Line, event: StockOrder) -> None:
        assert self.hand is not None
        if self.hand.position is None:
            self.hand.stock = (line, event.cards)
        else:
            self.hand.new_stock(line, event.cards)

    def _wild(self, line: Line, event: WildRank) -> None:
        assert self.hand is not None
        if "named" not in self.ruleset.melds.wild.cards:
            self._wrong(line, Violation("wild.role", "no rank is named wild in this game", key="melds.wild.cards"))
        elif self.hand.position is not None:
            self._wrong(line, Violation("wild.role", "the wild rank is named before the first turn"))
        else:
            self.hand.wild_rank = event.rank

    def _draw_for_deal(self, line: Line, event: Cut) -> None:
        cards = {}
        for name, card in event.cards:
            seat = self._seat(line, name)
            if seat is not None:
                cards[seat] = card
        if not cards or self.ruleset.deal.first_dealer == "anybody":
            return
        among = self._cut if self._cut is not None and len(self._cut) > 1 else None
        best = cut_dealer(self.ruleset, {s: c for s, c in cards.items() if among is None or s in among} or cards)
        self._cut = best

    # --- play --------------------------------------------------------------------------------------------------

    def _turn(self, line: Line, event: Turn) -> None:
        seat = self.seats.get(event.player)
        if seat is None:
            self._seat(line, event.player)
            self.unreadable_line()
            return
        assert self.hand is not None
        self.report.turns += 1
        if seat not in self.hand.active:
            self._wrong(line, Violation("game.tie", f"{event.player} does not play in this hand"))
            return
        self.hand.turn(line, event, seat)

    def _reshuffle(self, line: Line, event: Reshuffle) -> None:
        assert self.hand is not None
        self.hand.reshuffle(line)

    def _show(self, line: Line, event: Show) -> None:
        seat = self._seat(line, event.player)
        if seat is not None and self.hand is not None:
            self.hand.show(line, event, seat)

    def _gap(self, line: Line, event: Gap) -> None:
        assert self.hand is not None
        position = self.hand.play()
        if position.ending is Ending.OVER:
            self._wrong(line, Violation("end.late", "the hand is over, and turns are said to be missing"))
            return
        self.hand.skip_turns()

    def _assert(self, line: Line, event: Event) -> None:
        assert self.hand is not None
        self.hand.check(line, event)  # type: ignore[arg-type]

    def _note(self, line: Line, event: Note) -> None:
        """Notes are kept, never judged."""

    def _void(self, line: Line, event: Void) -> None:
        """The hand is annulled: it is not scored, and whoever deals next is a matter of agreement."""
        self.hand = None
        self._record = None
        self._misdealt = True

    def _undo(self, line: Line) -> None:
        """Takes the previous line back: the hand is replayed without it."""
        if self.hand is None or not self._lines:
            self._wrong(line, Violation("log.assert", "there is no line to take back"))
            return
        lines = self._lines[:-1]
        findings, opens, turns, start = self._before
        hand = self.hand
        del self.report.findings[findings:]  # type: ignore[misc]
        del self.report.open[opens:]  # type: ignore[misc]
        self.report.turns = turns  # type: ignore[assignment]
        fresh = HandPlay(hand.judge, self.players, start, self._found)  # type: ignore[arg-type]
        fresh.dealer, fresh.active = hand.dealer, hand.active
        self.hand = fresh
        assert self._record is not None
        self._record = HandRecord(self._record.number)
        self._lines = []
        for again in lines:
            self.line(again)

    # --- end and score -----------------------------------------------------------------------------------------

    def _end(self, line: Line, event: HandEnd) -> None:
        assert self.hand is not None
        assert self.judge is not None
        assert self._record is not None
        seat = None
        if event.player is not None:
            seat = self._seat(line, event.player)
            if seat is None:
                return
        self._record.reason = event.reason
        if not self.hand.started:
            wrong = ending.sheet_end(self.judge.binding, event.reason)
            self._record.out = None if seat is None else self.standing.side_of(seat)
        else:
            position = self.hand.play()
            self.hand.close_turn()
            wrong = ending.recorded_end(self.judge.binding, position, event.reason, seat)
            if wrong is not None and self.hand.damaged:
                wrong = None
            if position.ending is not Ending.OVER:
                if position.ending is Ending.NONE:
                    position.out = seat
                    position.end_reason = event.reason
                    if self.hand.gap and event.reason == "out" and seat is not None:
                        position.unknown[seat] = position.held[seat] = 0
                        position.hands[seat] = 0
                position.ending = Ending.OVER
        if wrong is not None:
            self._wrong(line, wrong)
        if event.reason == "agreed" and wrong is None:
            self.standing.agreed = True

    def _points(self, line: Line, event: Points) -> None:
        amounts: dict[int, int] = {}
        for name, points in event.amounts:
            side = self._side(line, name)
            if side is None:
                continue
            amounts[side] = points
        if event.kind == "score":
            self._score(line, amounts)
        elif event.kind == "total":
            self._total(line, amounts)
        else:
            self._score_hand()
            wrong = chips(self.ruleset, self.standing, amounts)
            if wrong is not None:
                self._wrong(line, wrong)

    def _score(self, line: Line, amounts: dict[int, int]) -> None:
        hand, record = self.hand, self._record
        if hand is None or record is None:
            return
        assert self.judge is not None
        if record.has_score:
            record.recorded.update(amounts)
        record.recorded.update(amounts)
        record.has_score = True
        if not hand.started:
            if self.standing.tied:
                wrong = plays_on(self.ruleset, self.standing, list(amounts))
                if wrong is not None:
                    self._wrong(line, wrong)
            return
        position = hand.play()
        hand.close_turn()
        if record.reason is None:
            wrong = None if hand.damaged else ending.not_over(self.judge.binding, position)
            if wrong is not None:
                self._wrong(line, wrong)
        self._compute(record)
        unknown = []
        for side, points in amounts.items():
            due = record.computed.get(side)
            name = self.standing.names[side]
            if due is None:
                unknown.append(name)
            elif due != points:
                self._wrong(
                    line,
                    Violation(
                        "score.hand",
                        f"{name} scores {due}, not {points}",
                        notes=(f"recorded {points}, computed {due}, difference {points - due:+d}",),
                    ),
                )
        if unknown:
            self.open(line, f"the score of {in_words(unknown)}: cards they hold are unknown")

    def _compute(self, record: HandRecord) -> None:
        """Works the hand's scores out from where the cards lie now."""
        hand = self.hand
        assert hand is not None
        assert hand.position is not None
        assert self.judge is not None
        position, sides = hand.position, self.standing.sides
        worth = self.judge.play.worth
        record.computed = dict(enumerate(hand_scores(self.ruleset, worth, position, sides)))
        record.table = {side: sum(position.points[seat] for seat in seats) for side, seats in enumerate(sides)}
        record.held = {
            side: None
            if any(position.unknown[seat] for seat in seats)
            else sum(worth.held(position.hands[seat]) for seat in seats)
            for side, seats in enumerate(sides)
        }
        if position.out is not None:
            record.out = self.standing.side_of(position.out)

    def _score_hand(self) -> None:
        """Adds the hand's score to the totals, once."""
        record, hand = self._record, self.hand
        if record is None or hand is None:
            return
        over = hand.position is not None and hand.position.ending is not Ending.NONE
        if hand.position is not None and (over or record.has_score or record.reason):
            self._compute(record)
        if record in self.standing.hands:
            self.standing.hands.remove(record)
            for side, score in self._counted.items():
                before = self.standing.totals[side]
                self.standing.totals[side] = None if before is None or score is None else before - score
        elif not (over or record.has_score or record.reason):
            return
        self._counted = {}
        for side in range(len(self.standing.sides)):
            if record.has_score and record.recorded and side not in record.recorded and not record.computed:
                continue
            score = record.score(side)
            before = self.standing.totals[side]
            self._counted[side] = score
            self.standing.totals[side] = None if before is None or score is None else before + score
            stated = self.standing.stated.pop(side, None)
            if stated is not None and self.standing.totals[side] is None and score is not None:
                self.standing.totals[side] = stated + score
        if self.ruleset.scoring.below_zero.total == "forbidden":
            self.standing.totals = [None if one is None else max(one, 0) for one in self.standing.totals]
        if not record.has_score and not record.computed and record.reason is None:
            return
        self.standing.hands.append(record)
        self._report_scores(record)

    def _report_scores(self, record: HandRecord) -> None:
        names = self.standing.names
        recorded = {names[side]: points for side, points in record.recorded.items()} or None
        computed = {names[side]: score for side, score in record.computed.items() if score is not None} or None
        scores = Scores(self.number, record.number, recorded, computed)
        if self.report.scores and (self.report.scores[-1].game, self.report.scores[-1].hand) == (
            self.number,
            record.number,
        ):
            self.report.scores[-1] = scores
        else:
            self.report.scores.append(scores)

    def _total(self, line: Line, amounts: dict[int, int]) -> None:
        before = dict(self.standing.stated)
        record = self._record
        self._score_hand()
        for side, points in amounts.items():
            expected: list[int] = []
            summed = self.standing.totals[side]
            if summed is not None:
                expected.append(summed)
            if record is not None:
                for score in (record.recorded.get(side), record.computed.get(side)):
                    if score is not None and side in before:
                        expected.append(before[side] + score)
                recorded, computed = record.recorded.get(side), record.computed.get(side)
                if summed is not None and recorded is not None and computed is not None:
                    expected.append(summed - recorded + computed)
            wrong = total(self.standing, side, points, expected)
            if wrong is not None:
                self._wrong(line, wrong)
            self.standing.stated[side] = points

    def _result(self, line: Line, event: Result) -> None:
        self._score_hand()
        sides = [side for name in event.players if (side := self._side(line, name)) is not None]
        if len(sides) < len(event.players):
            return
        wrong = winner(self.ruleset, self.standing, tuple(dict.fromkeys(sides)))
        if wrong is not None:
            self._wrong(line, wrong)

    def _adjust(self, line: Line, event: Adjust) -> None:
        side = self._side(line, event.player)
        if side is None:
            return
        before = self.standing.totals[side]
        self.standing.totals[side] = None if before is None else before + event.points
        if side in self.standing.stated:
            self.standing.stated[side] += event.points

    # --- names and findings ------------------------------------------------------------------------------------

    def _seat(self, line: Line, name: str) -> int | None:
        seat = self.seats.get(name)
        if seat is None:
            self._wrong(line, self._nobody(name))
        return seat

    def _side(self, line: Line, name: str) -> int | None:
        side = self._side_names.get(name)
        if side is None:
            self._wrong(line, self._nobody(name))
        return side

    def _nobody(self, name: str) -> Violation:
        from difflib import get_close_matches

        close = get_close_matches(name, self.players, 1)
        meant = f"; did you mean {close[0]}?" if close else ""
        return Violation("log.name", f"{name} is not one of the players{meant}")

    def open(self, line: Line, what: str) -> None:
        """Notes what could not be decided."""
        self.report.open.append(Open(line.number, what, self.number, self._hand_number or 0))

    def _wrong(self, line: Line, violation: Violation) -> None:
        self._found(replace(finding(self.ruleset, violation, whole_line(line)), turn=None))

    def _found(self, found: Finding) -> None:
        hand = self._hand_number or 0 if self.hand is not None else 0
        self._found_in_log(replace(found, game=self.number, hand=hand))
