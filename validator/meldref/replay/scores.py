"""Keeps the score of a game: what hands bring, totals, who won, and what is paid."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from meldref.core.events import Event, Line, Points, Result
from meldref.core.records import changed, copied, derived, fresh, record
from meldref.core.text import in_words
from meldref.engine import unnamed
from meldref.engine.judge import Judge
from meldref.position.game import Figure, HandRecord, Standing, Subject
from meldref.position.model import GOING_ON, OVER, Position
from meldref.replay.hand import HandPlay
from meldref.replay.reporter import Reporter, whole_line
from meldref.replay.result import Scores
from meldref.rules import ending, game
from meldref.rules.base import Undecided, Violation
from meldref.rules.breakdown import Breakdown, hand_breakdown, total_breakdown
from meldref.rules.points import hand_scores, held_points, units
from meldref.rules.settlement import chips, payments
from meldref.ruleset.model import Ruleset

MOST_FIGURES: Final = 64
"""How many open numbers of a hand are kept to be weighed, and how many wrong ones."""


@record
class GameScore:
    """The score of a game: its `readings` are as it should be and, if that differs, as it was kept.

    `record` is of the hand under way, `stated` are the totals that its lines state, by side, and
    `totals_at` the lines that stated a total last. `left_out` says in which hand a line left a
    side's score out, `mistakes` are the lines of figures found wrong, `sheet` is the last line of
    scores of a hand without turns. `over` is the game as it ended, once a hand after that was
    found, `closed` who won, once a result or the chips were accepted.
    """

    readings: tuple[Standing, ...]
    record: HandRecord | None = None
    stated: Mapping[int, int] = fresh(default_factory=dict)
    totals_at: Mapping[int, Line] = fresh(default_factory=dict)
    left_out: Mapping[int, int] = fresh(default_factory=dict)
    mistakes: tuple[int, ...] = ()
    sheet: Line | None = None
    over: Standing | None = None
    closed: tuple[int, ...] = ()


def _first_score(keeper: Scorekeeper) -> GameScore:
    """The score before the first hand."""
    sides, players = units(keeper.judge.ruleset, keeper.players), keeper.players
    names = tuple("+".join(players[seat] for seat in side) for side in sides)
    zeros = (0,) * len(sides)
    return GameScore((Standing(sides, names, zeros, zeros),))


def _sides(keeper: Scorekeeper) -> dict[str, int]:
    """The sides by the names of their players, and by those of all of them."""
    sides: dict[str, int] = {}
    for index, side in enumerate(keeper.standing.sides):
        members = [keeper.players[seat] for seat in side]
        for name in (*members, "+".join(members), "+".join(reversed(members))):
            sides[name] = index
    return sides


@record(frozen=False)
class Scorekeeper:
    """Keeps the score of one game.

    The computed scores decide; a figure that was found wrong does not, and what follows from it is
    not found again.
    """

    judge: Judge
    players: Sequence[str]
    reporter: Reporter
    ruleset: Ruleset = derived(lambda keeper: keeper.judge.ruleset)
    state: GameScore = derived(_first_score)
    sides: dict[str, int] = derived(_sides)

    def fork(self, reporter: Reporter) -> Scorekeeper:
        """An independent copy of the score."""
        other = copied(self)
        other.reporter = reporter
        return other

    @property
    def standing(self) -> Standing:
        """The game as it should be."""
        return self.state.readings[0]

    @property
    def record(self) -> HandRecord | None:
        """What is known of the hand under way."""
        return self.state.record

    def _put(self, **changes: Any) -> None:
        self.state = changed(self.state, **changes)

    def _put_in_both(self, changes: Callable[[Standing], Mapping[str, Any]]) -> None:
        """Changes the game as it should be and, if that differs, as the table kept it."""
        readings = [changed(reading, **changes(reading)) for reading in self.state.readings]
        self._put(readings=tuple(readings))

    def _put_on_record(self, **changes: Any) -> HandRecord:
        assert self.record is not None
        record = changed(self.record, **changes)
        self._put(record=record)
        if record.counted:
            self._put_in_both(lambda _: {"last": record})
        return record

    def go_on(self) -> Violation | None:
        """Another hand is to begin: whose tie it breaks, and what is wrong with it."""
        score, rules = self.state, self.ruleset
        verdict, as_kept = [
            game.stands(rules, reading) for reading in (self.standing, score.readings[-1])
        ]
        self._put_in_both(
            lambda reading: {
                "tied": game.tie_break(rules, reading, game.stands(rules, reading)),
                "tied_before": reading.tied,
            }
        )
        standing = self.standing
        if score.over is not None:  # found already: the table has gone on with it
            return None
        if score.closed:
            self._put(over=standing)
            names = in_words([standing.names[side] for side in score.closed])
            return Violation("game.over", f"the game was already over: {names} won", key="")
        if as_kept.known and not as_kept.over:
            return None
        wrong = game.another_hand(rules, standing, verdict)
        self._put(over=None if wrong is None else standing)
        return wrong

    def begin_hand(self, number: int) -> None:
        """A hand begins: what was scored so far is what its score is added to."""
        self._put_in_both(lambda reading: {"before": reading.totals, "were_in": self._in(reading)})
        record = HandRecord(number, playing=self.playing, may_sit_out=self._in_by_one_reading)
        self._put(record=record, stated={})

    def totals_by_seat(self) -> tuple[int | None, ...]:
        """The total of each seat, or of its side, as it stands; None where it is not known."""
        standing = self.standing
        seats = range(len(self.players))
        return tuple([standing.totals[standing.side_of(seat)] for seat in seats])

    @property
    def playing(self) -> tuple[int, ...] | None:
        """The sides that play the hand: those still in, or tied alone; None: all of them.

        After a mistake, the table may go by either reading of the game.
        """
        sides = {side for reading in self.state.readings for side in self._in(reading)}
        return tuple(sorted(sides)) or None

    def _in(self, standing: Standing) -> tuple[int, ...]:
        """The sides that play the next hand by one reading; none: all of them."""
        if self.ruleset.game.tie.who == "all" and self.ruleset.game.out_at is None:
            return ()
        return game.playing(self.ruleset, standing)

    @property
    def _in_by_one_reading(self) -> tuple[int, ...]:
        """The sides of whom a figure found wrong decides whether they play the hand."""
        rows = [self._in(reading) for reading in self.state.readings]
        return tuple([side for side in self.playing or () if any(side not in row for row in rows)])

    @property
    def may_sit_out(self) -> tuple[int, ...]:
        """The sides that play the hand, unless they are out of the game: nobody knows yet."""
        totals, out_at = self.standing.totals, self.ruleset.game.out_at
        unknown = [side for side, total in enumerate(totals) if total is None]
        return (*self._in_by_one_reading, *(unknown if out_at is not None else ()))

    def count_skipped(self, number: int) -> None:
        """`number` hands in all were not written down."""
        if number != self.standing.skipped:
            self._put_in_both(lambda _: {"skipped": number})

    def skip_hands(self, number: int) -> None:
        """`number` hands in all were not written down: a total has to say what they scored."""
        sides = len(self.standing.sides)
        self._put_in_both(lambda _: {"skipped": number, "totals": (None,) * sides, "tied": ()})
        self._put(stated={}, left_out={}, record=None)

    def adds_to(self, before: Sequence[int | None]) -> bool:
        """Whether the hand's scores and what there was before make all totals that are stated."""
        record, stated = self.record, self.state.stated
        if record is None:
            return False
        scores = {side: record.score(side) for side in stated}
        rest = [None if score is None else stated[side] - score for side, score in scores.items()]
        return bool(stated) and rest == [before[side] for side in stated] and None not in rest

    def annul_hand(self, begun: GameScore) -> None:
        """The hand is void: all is as when it began, and a tie that it was to break as before."""
        self.state = changed(begun, record=None)
        self._put_in_both(lambda reading: {"tied": reading.tied_before})

    def go_on_from(self, written: GameScore, *, was_skipped: bool) -> None:
        """The table may go on from the score as written, if a hand is followed otherwise.

        If a hand was presumed missing, it may go on from the totals without that. Nobody knows
        which is right.
        """
        other = written.readings[0 if was_skipped else -1]
        if (was_skipped or written.mistakes) and other.totals != self.standing.totals:
            self._put(readings=(self.standing, changed(other, kept=True)))

    def mistaken(self, line: Line) -> None:
        """Something that decides the game was found wrong: the table may keep it otherwise now."""
        if len(self.state.readings) == 1:
            self._put(readings=(self.standing, changed(self.standing, kept=True)))
        if len(self.state.mistakes) < MOST_FIGURES:
            self._put(mistakes=(*self.state.mistakes, line.number))

    def end(self, reason: str, side: int | None, *, on_sheet: bool) -> None:
        """`end …`, with the side that went out, which nothing else says on a sheet of scores."""
        assert self.record is not None
        out = side if on_sheet else self.record.out
        self._put_on_record(reason=reason, said_out=side, out=out)

    def agree(self) -> None:
        """The players agreed to stop."""
        self._put_in_both(lambda _: {"agreed": True})

    def score(self, line: Line, amounts: Mapping[int, int], hand: HandPlay) -> None:
        """`score …`: against what the replay gives, or on a score sheet as it stands."""
        if self.record is None:
            return
        self._put_on_record(recorded={**self.record.recorded, **amounts}, has_score=True)
        if not hand.started:
            self._put(sheet=line)
            self._who_played(line, list(amounts), whole=False)
            return
        position = hand.play()
        hand.close_turn()
        early = None if hand.damaged else ending.not_over(hand.judge.binding, position)
        self._report(line, early)
        if early is not None:
            hand.end_unsaid()
        record = self._compute(self.record, hand)
        unknown: list[int] = []
        for side, points in amounts.items():
            due = record.computed.get(side)
            name = self.standing.names[side]
            if due is None:
                unknown.append(side)
            elif due != points:
                note = f"recorded {points}, computed {due}, difference {points - due:+d}"
                wrong = Violation("score.hand", f"{name} scores {due}, not {points}", notes=(note,))
                self._wrong_figure(line, wrong, side, self._breakdown(side, hand))
        if unknown:
            why = self._why_open(hand, position)
            if not hand.rests_on_faults:
                self._note_figures([Figure("score", line, side, amounts[side]) for side in unknown])
            self.leave_open(line, Subject("score", tuple(unknown), why))

    def _note_figures(self, figures: Sequence[Figure]) -> None:
        """Keeps numbers that are left open, to be weighed."""
        if self.record is not None and len(self.record.figures) < MOST_FIGURES:
            self._put_on_record(figures=(*self.record.figures, *figures))

    def _why_open(self, hand: HandPlay, position: Position) -> str:
        """Why what a hand brings is not known."""
        house = hand.judge.house
        if house is not None and (unsaid := house.awards_depend_on(position)):
            return f"awards of house rules depend on {unsaid}"
        if unnamed.points_depend(hand.judge, position):
            return unnamed.WHY
        if hand.rests_on_faults:
            return "it depends on what was found wrong"
        return "some of their cards are unknown"

    def leave_open(self, line: Line, about: Subject) -> None:
        """Says that the scores or totals of some sides on a line are open."""
        self.reporter.undecided(line, self.question(about), about)

    def question(self, about: Subject) -> str:
        """How it is said that the scores or totals of some sides are open."""
        which = "score" if about.kind == "score" else "total"
        names = in_words([self.standing.names[side] for side in about.sides])
        return f"the {which} of {names}: {about.why}"

    def close_hand(self) -> None:
        """No more is said of the hand: all who have a score on a sheet are known."""
        sheet, record = self.state.sheet, self.record
        if sheet is not None and record is not None:
            self._who_played(sheet, list(record.recorded), whole=True)
            self._put(sheet=None)

    def _who_played(self, line: Line, sides: list[int], *, whole: bool) -> None:
        """Finds those who play a hand and should not, whichever scores count."""
        if whole and game.plays_on(self.ruleset, self.standing, sides) is not None:
            return  # found at its own line
        wrong = [
            game.plays_on(self.ruleset, reading, sides, whole=whole)
            for reading in self.state.readings
        ]
        if None not in wrong:
            self._report(line, wrong[0])

    def _compute(self, record: HandRecord, hand: HandPlay) -> HandRecord:
        """Works the hand's scores out from where the cards lie; after the hand, only once."""
        position = hand.play()
        if record.settled:
            return record
        sides, worth = self.standing.sides, hand.judge.play.worth
        computed: dict[int, int | None] = dict.fromkeys(range(len(sides)))
        if position.pile_known and not unnamed.points_depend(hand.judge, position):
            scores = hand_scores(hand.judge.ruleset, worth, position, sides)
            computed = dict(enumerate(scores))
        if hand.unsettled:  # a score that the log has otherwise may be right
            computed |= {
                side: None for side, points in record.recorded.items() if computed[side] != points
            }
        for side, points in record.recorded.items():
            due = computed[side]
            if due is not None and due - points in hand.may_count_less(sides[side]):
                computed[side] = None
        is_over = position.ending is OVER and not hand.unsettled
        changes: dict[str, object] = {"settled": is_over and None not in computed.values()}
        if self.ruleset.game.tie.by == "melds_then_hand":
            changes["table"] = {
                side: sum([position.points[seat] for seat in seats])
                for side, seats in enumerate(sides)
            }
            changes["held"] = dict(enumerate(held_points(worth, position, sides)))
        if position.out is not None:
            changes["out"] = self.standing.side_of(position.out)
        if position.ending is not GOING_ON:
            changes["reason"] = position.end_reason
        return self._put_on_record(computed=computed, **changes)

    def count(self, hand: HandPlay | None) -> None:
        """Adds the hand's score, as far as it is known, to the totals; again as more is known."""
        record = self.record
        if record is None:
            return
        position = hand.position if hand is not None else None
        over = position is not None and position.ending is not GOING_ON
        if not (over or record.has_score or record.reason):
            return
        if hand is not None and position is not None:
            record = self._compute(record, hand)
        is_new, readings = not record.counted, self.state.readings
        if is_new or any(self._sums(reading, record) != reading.totals for reading in readings):
            record = self._put_on_record(counted=True)
            self._put_in_both(
                lambda reading: {
                    "totals": self._sums(reading, record),
                    "played": reading.played + is_new,
                }
            )
        sides = range(len(self.standing.sides))
        missing = [side for side in sides if record.has_score and record.score(side) is None]
        if missing:
            self._put(left_out={**self.state.left_out, **dict.fromkeys(missing, record.number)})

    def _sums(self, reading: Standing, record: HandRecord) -> tuple[int | None, ...]:
        """The totals with the hand's score; stated ones where it is unknown, and at the table."""
        floored = self.ruleset.scoring.below_zero.total == "forbidden"
        totals: list[int | None] = []
        for side, before in enumerate(reading.before):
            stated, score = self.state.stated.get(side), record.score(side, kept=reading.kept)
            if before is None or score is None or (reading.kept and stated is not None):
                totals.append(stated)
            else:
                totals.append(max(before + score, 0) if floored else before + score)
        return tuple(totals)

    def scores(self, game_number: int, calls: Mapping[int, int]) -> Scores | None:
        """The hand's scores for the report, with who called how often; None if nothing counts."""
        record, names = self.record, self.standing.names
        if record is None or not record.counted:
            return None
        recorded = {names[side]: points for side, points in record.recorded.items()} or None
        computed = {
            names[side]: score for side, score in record.computed.items() if score is not None
        } or None
        totals = dict(zip(names, self.standing.totals, strict=True))
        stated = {names[side]: points for side, points in self.state.stated.items()}
        called = dict.fromkeys(names, 0)
        for seat, times in calls.items():
            called[names[self.standing.side_of(seat)]] += times
        return Scores(game_number, record.number, recorded, computed, totals, stated, called)

    def hand_scores(self) -> tuple[int | None, ...]:
        """The hand's score of each side; None if it is not known, or the side does not play."""
        record, sides = self.record, range(len(self.standing.sides))
        assert record is not None
        return tuple([None if record.sat_out(side) else record.score(side) for side in sides])

    def best_of_hand(self) -> list[int] | None:
        """The seats with the best score of the last hand, as it should be or as the table kept it.

        None where that is not known.
        """
        last = self.standing.last
        if last is None:
            return None
        sides = [side for side in range(len(self.standing.sides)) if not last.sat_out(side)]
        best: list[int] = []
        for at_table in (False, True):
            scores = [last.score(side, kept=at_table) for side in sides]
            amounts = [score for score in scores if score is not None]
            if len(amounts) < len(scores):
                return None
            top = min(amounts) if self.ruleset.game.winner == "lowest" else max(amounts)
            best += [side for side, score in zip(sides, scores, strict=True) if score == top]
        return [seat for side in dict.fromkeys(best) for seat in self.standing.sides[side]]

    def total(self, line: Line, amounts: Mapping[int, int], hand: HandPlay | None) -> None:
        """`total …`: the sum of the hands; what follows from a wrong one is not found again."""
        self.count(hand)
        unknown: list[int] = []
        for side, points in amounts.items():
            is_told = self._tell_left_out(line, side)
            totals = [reading.totals[side] for reading in self.state.readings]
            wrong = game.total(self.ruleset, self.standing, side, points, totals)
            if wrong is not None:
                self._wrong_figure(line, wrong, side, *self._sum_of_total(side, hand))
            if self._note_total(line, side, points, hand) and not is_told:
                unknown.append(side)
        self._state_totals(line, amounts)
        if unknown and hand is not None:
            why = self._why_open(hand, hand.play())
            self.leave_open(line, Subject("total", tuple(unknown), why))

    def _state_totals(self, line: Line, amounts: Mapping[int, int]) -> None:
        """Totals are what a line states, where they are not known, and at the table."""

        def stated(reading: Standing) -> dict[str, object]:
            totals = [
                amounts.get(side, total) if reading.kept or total is None else total
                for side, total in enumerate(reading.totals)
            ]
            return {"totals": tuple(totals)}

        self._put_in_both(stated)
        score = self.state
        self._put(
            stated={**score.stated, **amounts},
            totals_at={**score.totals_at, **dict.fromkeys(amounts, line)},
        )

    def _tell_left_out(self, line: Line, side: int) -> bool:
        """Whether a total is open since a line of scores left the side out, which is said once."""
        left_out = dict(self.state.left_out)
        if self.standing.totals[side] is not None or side not in left_out:
            return False
        name, number = self.standing.names[side], left_out.pop(side)
        self._put(left_out=left_out)
        what = f"{name}'s total: the score of hand {number} is not known"
        self.reporter.undecided(line, what, Subject("total of hands", (side,)))
        return True

    def _note_total(self, line: Line, side: int, points: int, hand: HandPlay | None) -> bool:
        """Keeps a total that unseen cards leave open: of this hand (true), or over several."""
        record, state, before = self.record, self.state, self.standing.before[side]
        if record is None or state.mistakes:
            return False
        if before is None and side not in state.stated:
            self._note_figures([Figure("total of hands", line, side, points)])
        was_played = hand is not None and hand.position is not None and not hand.unsettled
        if before is None or not was_played or record.score(side) is not None:
            return False
        since = None if side in state.stated else state.totals_at.get(side)
        self._note_figures([Figure("total", line, side, points, before, since)])
        return True

    def _breakdown(self, side: int, hand: HandPlay | None) -> Breakdown | None:
        """How the hand's score of a side comes about; None where the hand was not played out."""
        if hand is None or hand.position is None or self.record is None:
            return None
        if self.record.computed.get(side) is None:
            return None
        judge = hand.judge
        return hand_breakdown(
            judge.ruleset, judge.play.worth, hand.position, self.standing.sides, side
        )

    def _sum_of_total(self, side: int, hand: HandPlay | None) -> tuple[Breakdown | None, ...]:
        """How a total comes about, and the hand's score in it, as far as they are known."""
        before, record = self.standing.before[side], self.record
        score = None if record is None else record.score(side)
        if before is None or score is None:
            return ()
        of_hand = self._breakdown(side, hand)
        of_hand = of_hand and changed(of_hand, text=f"this hand: {of_hand.text}", cards=())
        return total_breakdown(self.ruleset, before, score), of_hand

    def _wrong_figure(
        self, line: Line, wrong: Violation, side: int, *sums: Breakdown | None
    ) -> None:
        """A figure of a side is wrong: it is found with the sums behind it, and their keys."""
        known = [one for one in sums if one is not None]
        keys = tuple([key for one in known for key in one.keys])
        notes = [note for one in known for note in (one.text, *one.cards)]
        name = self.standing.names[side]
        self._report(line, wrong._replace(player=name, notes=(*wrong.notes, *notes), keys=keys))
        self.mistaken(line)

    def adjust(self, side: int, points: int) -> None:
        """`adjust …`: counts in the totals."""

        def added(totals: Sequence[int | None]) -> tuple[int | None, ...]:
            total = totals[side] if side < len(totals) else None
            if total is None:
                return tuple(totals)
            return (*totals[:side], total + points, *totals[side + 1 :])

        self._put_in_both(
            lambda reading: {"before": added(reading.before), "totals": added(reading.totals)}
        )
        stated = self.state.stated
        if side in stated:
            self._put(stated={**stated, side: stated[side] + points})

    def result(self, line: Line, sides: Sequence[int], hand: HandPlay | None) -> None:
        """`result …`: who won."""
        self.count(hand)
        won = tuple(dict.fromkeys(sides))
        verdict = self._settle(
            line, won, lambda standing, as_kept: game.winner(self.ruleset, standing, won, as_kept)
        )
        if isinstance(verdict, Undecided) and self.record is not None and not self.state.mistakes:
            self._put_on_record(won=(line, won))

    def chips(self, line: Line, amounts: Mapping[int, int], hand: HandPlay | None) -> None:
        """`chips …`: the settlement."""
        self.count(hand)
        self._settle(
            line,
            game.stands(self.ruleset, self.standing).winners,
            lambda standing, as_kept: chips(self.ruleset, standing, amounts, as_kept),
        )

    def _settle(
        self,
        line: Line,
        winners: tuple[int, ...],
        judge: Callable[[Standing, Standing | None], Violation | Undecided | None],
    ) -> Violation | Undecided | None:
        """Judges a line that ends the game. Once one is accepted, the game is over."""
        score, standing = self.state, self.standing
        if score.over is not None and judge(score.over, None) is None:
            return None
        as_kept = score.readings[1] if score.mistakes else None
        verdict = judge(standing, as_kept)
        if not score.mistakes and judge(score.readings[-1], None) is None:
            verdict = None
        if isinstance(verdict, Violation) and as_kept is not None and judge(as_kept, None) is None:
            lines = dict.fromkeys(map(str, score.mistakes))
            plural = "s" if len(lines) > 1 else ""
            note = f"this results from what was found on line{plural} {in_words(lines)}"
            verdict = verdict._replace(notes=(*verdict.notes, note))
        self._report(line, verdict)
        by_itself = judge(standing, None)
        if not isinstance(verdict, Violation) and not isinstance(by_itself, Violation):
            self._put(closed=score.closed or winners)
        return verdict

    def _report(self, line: Line, verdict: Violation | Undecided | None) -> None:
        """Says what is wrong at a line, or open there: who won, and what that brings."""
        if isinstance(verdict, Undecided):
            self.reporter.undecided(line, verdict.what, Subject("winner"))
        elif verdict is not None:
            self.reporter.wrong(self.ruleset, verdict, whole_line(line))


def closing_lines(
    ruleset: Ruleset, standing: Standing, scores: Sequence[int | None], verdict: game.GameVerdict
) -> list[Event]:
    """What a log says at a hand's end: scores, totals, and if the game is over who won what."""
    names = standing.names
    totals = [total or 0 for total in standing.totals]
    by_side = tuple((names[side], score) for side, score in enumerate(scores) if score is not None)
    lines: list[Event] = [
        Points("score", by_side),
        Points("total", tuple(zip(names, totals, strict=True))),
    ]
    if not verdict.over:
        return lines
    lines.append(Result(tuple(names[side] for side in verdict.winners)))
    paid = payments(ruleset, totals, verdict.winners, standing.hands)
    if paid is not None:
        lines.append(Points("chips", tuple(zip(names, paid, strict=True))))
    return lines
