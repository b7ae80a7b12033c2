"""Keeps the score of a game: what hands bring, totals, who won, and what is paid."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

from meldref.core.events import Event, Line, Points, Result
from meldref.core.records import changed, copied, derived, record
from meldref.core.text import in_words, with_verb
from meldref.engine import unnamed
from meldref.engine.judge import Judge
from meldref.position.game import Figure, HandRecord, Standing, Subject
from meldref.position.model import GOING_ON, OVER
from meldref.replay.game_score import GameScore, first_score
from meldref.replay.hand import HandPlay
from meldref.replay.reporter import Reporter, whole_line
from meldref.replay.result import Scores
from meldref.rules import ending, game
from meldref.rules.base import Undecided, Violation
from meldref.rules.breakdown import Breakdown, hand_breakdown, total_breakdown
from meldref.rules.points import hand_scores, held_points
from meldref.rules.possible_scores import why_not_at_end
from meldref.rules.settlement import chips, payments
from meldref.ruleset.model import Ruleset

MOST_MISTAKES: Final = 64
"""How many lines with wrong figures are named as what another finding results from."""


def _sides(keeper: Scorekeeper) -> dict[str, int]:
    """The sides by the names of their players, and by those of all of them."""
    sides: dict[str, int] = {}
    for index, side in enumerate(keeper.before.sides):
        members = [keeper.players[seat] for seat in side]
        for name in (*members, "+".join(members), "+".join(reversed(members))):
            sides[name] = index
    return sides


@record(frozen=False)
class Scorekeeper:
    """Keeps the score of one game.

    The computed scores decide; a figure that was found wrong does not, and what follows from it is
    not found again. `known` is the standing of the state for which it was last asked.
    """

    judge: Judge
    players: Sequence[str]
    reporter: Reporter
    known: tuple[GameScore, Standing] | None = None
    ruleset: Ruleset = derived(lambda keeper: keeper.judge.ruleset)
    state: GameScore = derived(lambda keeper: first_score(keeper.judge.ruleset, keeper.players))
    sides: dict[str, int] = derived(_sides)

    def fork(self, reporter: Reporter) -> Scorekeeper:
        """An independent copy of the score."""
        other = copied(self)
        other.reporter = reporter
        return other

    @property
    def before(self) -> Standing:
        """The game as it should have been before the hand under way."""
        return self.state.before[0]

    @property
    def standing(self) -> Standing:
        """The game as it should be."""
        state = self.state
        if self.known is None or self.known[0] is not state:
            self.known = (state, state.with_hand(state.before[0]))
        return self.known[1]

    @property
    def readings(self) -> tuple[Standing, Standing]:
        """The game as it should be, and as the table kept it."""
        return self.standing, self.state.at_table()

    @property
    def record(self) -> HandRecord | None:
        """What is known of the hand under way."""
        return self.state.record

    def _put(self, **changes: Any) -> None:
        """Changes what is known of the game."""
        self.state = changed(self.state, **changes)

    def _put_on_record(self, **changes: Any) -> HandRecord:
        """Changes what is known of the hand under way, and returns that."""
        assert self.record is not None
        record = changed(self.record, **changes)
        self._put(record=record)
        return record

    def go_on(self) -> Violation | None:
        """Another hand is to begin: what is wrong with that."""
        self.state, wrong = self.state.go_on(self.readings)
        return wrong

    def begin_hand(self, number: int) -> HandRecord:
        """A hand begins."""
        self.state = self.state.begin_hand(number)
        assert self.state.record is not None
        return self.state.record

    def skip_hands(self, number: int) -> None:
        """`number` hands in all were not written down: a total has to say what they scored."""
        self.state = self.state.skip_hands(number)

    def totals_by_seat(self) -> tuple[int | None, ...]:
        """The total of each seat, or of its side, as it stands; None where it is not known."""
        standing = self.standing
        seats = range(len(self.players))
        return tuple([standing.totals[standing.side_of(seat)] for seat in seats])

    def go_on_from(self, written: Scorekeeper, *, was_skipped: bool) -> None:
        """The table may go on from the score as written, if a hand is followed otherwise.

        If a hand was presumed missing, it may go on from the totals without that. Nobody knows
        which is right.
        """
        due, at_table = written.readings
        other = due if was_skipped else at_table
        may_differ = was_skipped or bool(written.state.mistakes)
        if may_differ and other.totals != self.standing.totals:
            self._put(otherwise=changed(other, kept=True))

    def note_mistake(self, line: Line) -> None:
        """Something that decides the game was found wrong: the table may keep it otherwise now."""
        if len(self.state.mistakes) < MOST_MISTAKES:
            self._put(mistakes=(*self.state.mistakes, line.number))

    def end(self, reason: str, side: int | None, *, on_sheet: bool) -> None:
        """`end …`, with the side that went out, which nothing else says on a sheet of scores."""
        assert self.record is not None
        out = side if on_sheet else self.record.out
        self._put_on_record(reason=reason, said_out=side, out=out)

    def agree(self) -> None:
        """The players agreed to stop."""
        self.state = self.state.with_before(lambda _: {"agreed": True})

    def record_scores(
        self,
        line: Line,
        amounts: Mapping[int, int | None],
        hand: HandPlay,
        absent: Collection[int | None] = (),
    ) -> None:
        """`score …`: against what the replay gives, or on a score sheet as it stands.

        Those `absent` are said not to have played the hand.
        """
        if self.record is None:
            return
        away = [side for side in amounts if side in absent and side not in self.record.recorded]
        amounts = {side: points for side, points in amounts.items() if side not in away}
        if not hand.started:
            self._score_on_sheet(line, amounts, hand, away)
            return
        self._find_those_who_played(line, away, hand)
        position = hand.play()
        scored_at = self.record.scored_at
        if scored_at and position.line and scored_at.number < position.line.number:
            # The hand went on after them, so those were no scores of the hand.
            self._put_on_record(recorded={})
        amounts = self._drop_second_scores(line, amounts)
        hand.close_turn()
        early = None if hand.damaged else ending.not_over(hand.judge.binding, position)
        self._report(line, early)
        if early is not None:
            hand.end_unsaid()
        recorded = {**self.record.recorded, **amounts}
        record = self._compute(changed(self.record, recorded=recorded, scored_at=line), hand)
        self._put(record=record)
        unknown: list[Figure] = []
        for side, points in amounts.items():
            due = record.computed.get(side)
            if points is None:
                continue
            if due is None:
                unknown.append(Figure("score", line, side, points))
            elif due != points:
                name = self.before.names[side]
                note = f"recorded {points}, computed {due}, difference {points - due:+d}"
                wrong = Violation("score.hand", f"{name} scores {due}, not {points}", notes=(note,))
                self._wrong_figure(line, wrong, side, partial(self._explain_score, side, hand))
        if unknown:
            self.leave_open(unknown, self._why_open(hand))

    def _find_those_who_played(self, line: Line, away: Sequence[int], hand: HandPlay) -> None:
        """Finds those who are said to have been away in a hand whose turns are written."""
        for side in away:
            if any(seat in hand.active for seat in self.before.sides[side]):
                name = self.before.names[side]
                wrong = Violation("score.hand", f"{name} played the hand, which has a score")
                self._wrong_figure(line, wrong, side)

    def _score_on_sheet(
        self,
        line: Line,
        amounts: Mapping[int, int | None],
        hand: HandPlay,
        away: Sequence[int],
    ) -> None:
        """Scores of a hand of which nothing else is written, but perhaps totals before them.

        Those `away` are said not to have played it.
        """
        assert self.record is not None
        if away:
            self._put_on_record(absent=(*self.record.absent, *away))
        recorded = self.record.recorded
        first = self._drop_second_scores(line, amounts)
        again = amounts.keys() - first.keys()
        unclear = {side: None for side in again if amounts[side] != recorded.get(side)}
        record = self._put_on_record(recorded={**recorded, **first, **unclear}, scored_at=line)
        totals, stated = self.before.totals, self.state.stated
        if record.computed and all(totals[side] == total for side, total in stated.items()):
            # The totals stated are those before the hand: its scores are not what they grew by.
            record = self._put_on_record(computed={})
        self._warn_of_impossible(line, first, hand, are_written=True)
        for side, points in first.items():
            due = record.computed.get(side)
            if None not in (due, points) and due != points:
                name = self.before.names[side]
                text = f"{name} scores {due} by the total, not {points}"
                self._wrong_figure(line, Violation("score.hand", text), side)
        self._who_played(line, list(amounts), whole=False)

    def _warn_of_impossible(
        self,
        line: Line,
        amounts: Mapping[int, int | None],
        hand: HandPlay,
        *,
        are_written: bool = False,
    ) -> None:
        """Warns of scores that no hand of the deck can bring, or none that ended like this.

        A total that is as before does not say that its player was in the hand: a score does.
        """
        possible = hand.judge.possible_scores
        for side, points in amounts.items():
            if points is None:
                continue
            why = "" if possible is None else possible.why_not(points)
            if are_written and not why:
                why = self._why_not_at_end(side, points, hand)
            if why:
                name = self.before.names[side]
                message = f"{name} cannot have scored {points} in a hand: {why}"
                self._report(line, Violation("score.impossible", message, player=name))

    def _why_not_at_end(self, side: int, points: int, hand: HandPlay) -> str:
        """Why a player cannot have a score, by who went out; nothing where awards may bring it."""
        assert self.record is not None
        out, sides = self.record.said_out, self.before.sides
        if self.record.reason != "out" or out is None or any(len(seats) > 1 for seats in sides):
            return ""
        plays_no_more = game.plays_on(self.ruleset, self.state.before[0], [side]) is not None
        if plays_no_more or hand.awards_by_end(sides[out][0], sides)[side] != 0:
            return ""
        judge = hand.judge
        return why_not_at_end(judge.ruleset, judge.binding.players, points, is_out=side == out)

    def _drop_second_scores(
        self, line: Line, amounts: Mapping[int, int | None]
    ) -> dict[int, int | None]:
        """The scores of sides that had none in the hand; others are found."""
        assert self.record is not None
        recorded = self.record.recorded
        has_one = {*recorded, *self.record.absent}
        again = [self.before.names[side] for side in amounts if side in has_one]
        if again:
            they_have = with_verb(again, "already has", "already have")
            self._report(line, Violation("log.name", f"{they_have} a score in this hand"))
        return {side: points for side, points in amounts.items() if side not in has_one}

    def leave_open(self, figures: Sequence[Figure], why: str) -> None:
        """Says that the scores or totals of some sides on a line are open."""
        about = Subject(tuple(figures), why)
        self.reporter.leave_open(figures[0].line, self.question(about), about)

    def _why_open(self, hand: HandPlay) -> str:
        """Why what a hand brings is not known."""
        house, position = hand.judge.house, hand.play()
        unknown = None if house is None else house.awards_depend_on(position)
        if unknown:
            return f"awards of house rules depend on {unknown}"
        if unnamed.points_depend(hand.judge, position):
            return unnamed.WHY
        if hand.rests_on_faults:
            return "it depends on what was found wrong"
        return "some of their cards are unknown"

    def question(self, about: Subject) -> str:
        """How it is said that the scores or totals of some sides are open."""
        which = "score" if about.figures[0].kind == "score" else "total"
        names = in_words([self.before.names[figure.side] for figure in about.figures])
        return f"the {which} of {names}: {about.why}"

    def close_hand(self, hand: HandPlay) -> None:
        """No more is said of the hand: all who have a score on a sheet are known."""
        record = self.record
        if record is not None and record.scored_at is not None and not hand.started:
            self._who_played(record.scored_at, list(record.recorded), whole=True)

    def _who_played(self, line: Line, sides: list[int], *, whole: bool) -> None:
        """Finds those who play a hand and should not, whichever scores count."""
        due, at_table = self.state.before
        wrong = game.plays_on(self.ruleset, due, sides, whole=whole)
        if wrong is None:
            return
        if whole and game.plays_on(self.ruleset, due, sides) is not None:
            # It was found at the line of that score.
            return
        if game.plays_on(self.ruleset, at_table, sides, whole=whole) is not None:
            self._report(line, wrong)

    def _compute(self, record: HandRecord, hand: HandPlay) -> HandRecord:
        """Works the hand's scores out from where the cards lie; after the hand, only once."""
        position = hand.play()
        if record.settled:
            return record
        sides, worth = self.before.sides, hand.judge.play.worth
        computed: dict[int, int | None] = dict.fromkeys(range(len(sides)))
        held = held_points(worth, position, sides)
        # A hand that is scored without an end line may have been ended by the stock, or not.
        end_decides = hand.judge.ruleset.scoring.hands_at_stock_end == "ignore"
        is_open = position.ending is GOING_ON and (end_decides or not position.is_counted)
        if not (is_open or unnamed.points_depend(hand.judge, position)):
            scores = hand_scores(hand.judge.ruleset, worth, position, sides, held)
            computed = dict(enumerate(scores))
        if hand.judge.ruleset.scoring.melds == "count":
            for side, seats in enumerate(sides):
                if not position.unwritten.points.isdisjoint(seats):
                    computed[side] = None
        for side, points in record.recorded.items():
            due = computed[side]
            # Nobody knows when an unsettled hand ended: a score that the log has otherwise may be
            # right.
            is_open = hand.unsettled and due != points
            if due is not None and points is not None:
                is_open = is_open or hand.may_count_less_by(due - points, sides[side])
                without = self._without_wrong_plays(hand, side)
                is_open = is_open or (due != points and points in without)
            if is_open:
                computed[side] = None
        is_over = position.ending is OVER and not hand.unsettled
        points_laid: dict[int, int] = {}
        for side, seats in enumerate(sides):
            points_laid[side] = sum([position.points[seat] for seat in seats])
        changes: dict[str, object] = {
            "settled": is_over and None not in computed.values(),
            "table": points_laid,
            "held": dict(enumerate(held)),
            "buys": position.buys,
        }
        if position.out is not None:
            changes["out"] = self.before.side_of(position.out)
        if position.ending is not GOING_ON:
            changes["reason"] = position.end_reason
        return changed(record, computed=computed, **changes)

    def _without_wrong_plays(self, hand: HandPlay, side: int) -> Iterator[int | None]:
        """What a side scores if plays that were found wrong do not count."""
        ruleset, worth, sides = hand.judge.ruleset, hand.judge.play.worth, self.before.sides
        for position in hand.without_wrong_plays():
            yield hand_scores(ruleset, worth, position, sides)[side]

    def count(self, hand: HandPlay | None, *, is_unread: bool = False) -> None:
        """Adds the hand's score, as far as it is known, to the totals; again as more is known.

        `is_unread`: it was played, as another one follows, and nobody knows how it ended.
        """
        record = self.record
        if record is None or hand is None:
            return
        position = hand.position
        is_over = position is not None and position.ending is not GOING_ON
        by_totals = not hand.started and bool(record.computed)
        if not (is_over or record.has_score or record.reason or by_totals or is_unread):
            if record.counted:
                # It was counted by totals, which turned out to be those before the hand.
                self._put_on_record(counted=False, computed={})
            return
        if position is not None:
            record = self._compute(record, hand)
        if not record.counted:
            record = changed(record, counted=True)
        if record is not self.record:
            self._put(record=record)
        missing: list[int] = []
        if record.has_score or by_totals or is_unread:
            sides = range(len(self.before.sides))
            unknown = [side for side in sides if record.score(side) is None]
            missing = [side for side in unknown if not (by_totals and side in record.computed)]
        if missing:
            self._put(left_out={**self.state.left_out, **dict.fromkeys(missing, record.number)})

    def scores_to_report(self, game_number: int, calls: Mapping[int, int]) -> Scores | None:
        """The hand's scores for the report, with who called how often; None if nothing counts."""
        record, names = self.record, self.before.names
        if record is None or not record.counted:
            return None
        recorded = self._by_name(record.recorded)
        computed = self._by_name(record.computed)
        totals = dict(zip(names, self.standing.totals, strict=True))
        stated = self._by_name(self.state.stated)
        called = dict.fromkeys(names, 0)
        for seat, times in calls.items():
            called[names[self.before.side_of(seat)]] += times
        absent = tuple([names[side] for side in record.absent])
        amounts = recorded or None, computed or None, totals, stated, called
        return Scores(game_number, record.number, *amounts, absent)

    def _by_name(self, amounts: Mapping[int, int | None]) -> dict[str, int]:
        """The amounts of sides that are known, by the sides' names."""
        names = self.before.names
        return {names[side]: points for side, points in amounts.items() if points is not None}

    def record_totals(self, line: Line, amounts: Mapping[int, int], hand: HandPlay | None) -> None:
        """`total …`: the sum of the hands; what follows from a wrong one is not found again."""
        self._score_by_totals(line, amounts, hand)
        self.count(hand)
        (standing, at_table), score = self.readings, self.state
        was_played = hand is not None and hand.position is not None and not hand.unsettled
        unknown: list[Figure] = []
        for side, points in amounts.items():
            due, before = standing.totals[side], self.before.totals[side]
            by_reading = [due, at_table.totals[side]]
            wrong = game.total(self.ruleset, standing, side, points, by_reading)
            if wrong is not None:
                self._wrong_figure(line, wrong, side, partial(self._explain_total, side, hand))
            if due is not None:
                continue
            figure = Figure("total of hands", line, side, points)
            if before is not None:
                figure = Figure("total", line, side, points, before, score.totals_at.get(side))
            if side in score.left_out:
                self.leave_open([figure], f"the score of hand {score.left_out[side]} is not known")
            elif before is not None and was_played and not self.state.mistakes:
                unknown.append(figure)
        if unknown and hand is not None:
            self.leave_open(unknown, self._why_open(hand))
        self._put(
            stated={**score.stated, **amounts},
            totals_at={**score.totals_at, **dict.fromkeys(amounts, line)},
        )
        self._find_over_before(line)

    def _score_by_totals(
        self, line: Line, amounts: Mapping[int, int], hand: HandPlay | None
    ) -> None:
        """On a sheet of totals alone, a hand's scores are what those grew by."""
        record = self.record
        if record is None or hand is None or hand.started or record.has_score:
            return
        grown: dict[int, int | None] = {}
        for side, points in amounts.items():
            before = self.before.totals[side]
            if not record.sat_out(side):
                grown[side] = None if before is None else points - before
        new = {side: points for side, points in grown.items() if side not in record.computed}
        self._warn_of_impossible(line, new, hand)
        self._put_on_record(computed={**grown, **record.computed})

    def _find_over_before(self, line: Line) -> None:
        """Finds a game that was over before the hand, where totals after it show those before it.

        Nobody knows who was tied before that, so where only those who tied play on, it is not said.
        """
        record, rules, before = self.record, self.ruleset, self.before
        if record is None or not record.counted or None not in before.totals:
            return
        is_over = self.state.over is not None or bool(self.state.closed)
        ties_may_exclude = rules.game.tie.who == "tied" and len(before.sides) > 2
        if is_over or ties_may_exclude:
            return
        totals = tuple([self.state.total_before(side) for side in range(len(before.sides))])
        due = changed(before, totals=totals, tied=(), last=HandRecord(record.number - 1))
        if None in totals or not game.still_in(rules, due):
            return
        verdict = game.stands(rules, due)
        if not verdict.known:
            return
        wrong = game.another_hand(rules, due, verdict)
        if wrong is not None:
            self._report(line, wrong)
            self._put(over=due)

    def _of_hand(self, side: int, hand: HandPlay) -> Breakdown:
        """How the hand's score of a side comes about."""
        judge, sides = hand.judge, self.before.sides
        return hand_breakdown(judge.ruleset, judge.play.worth, hand.play(), sides, side)

    def _explain_score(self, side: int, hand: HandPlay) -> list[Breakdown]:
        """The sums behind the hand's score of a side."""
        return [self._of_hand(side, hand)]

    def _explain_total(self, side: int, hand: HandPlay | None) -> list[Breakdown]:
        """How a total comes about, and the hand's score in it, as far as they are known."""
        before, record = self.before.totals[side], self.record
        score = None if record is None else record.score(side)
        if before is None or score is None or record is None:
            return []
        sums = [total_breakdown(self.ruleset, before, score)]
        if hand is not None and record.computed.get(side) is not None:
            of_hand = self._of_hand(side, hand)
            sums.append(changed(of_hand, text=f"this hand: {of_hand.text}", cards=()))
        return sums

    def _wrong_figure(
        self,
        line: Line,
        wrong: Violation,
        side: int,
        explain: Callable[[], Sequence[Breakdown]] = tuple,
    ) -> None:
        """A figure of a side is wrong: it is found with the sums behind it, and their keys.

        Where an edit is only tried, nobody reads the sums, and they are not worked out.
        """
        name = self.before.names[side]
        keys: list[str] = []
        notes = [*wrong.notes]
        if not self.reporter.is_trial:
            for breakdown in explain():
                keys += breakdown.keys
                notes += (breakdown.text, *breakdown.cards)
        self._report(line, wrong._replace(player=name, notes=tuple(notes), keys=tuple(keys)))
        self.note_mistake(line)

    def record_result(self, line: Line, sides: Sequence[int], hand: HandPlay | None) -> None:
        """`result …`: who won."""
        self.count(hand)
        won = tuple(dict.fromkeys(sides))
        self._settle(
            line,
            won,
            lambda standing, as_kept: game.winner(self.ruleset, standing, won, as_kept),
            Subject(winners=won),
        )

    def record_chips(self, line: Line, amounts: Mapping[int, int], hand: HandPlay | None) -> None:
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
        about: Subject | None = None,
    ) -> None:
        """Judges a line that ends the game. Once one is accepted, the game is over."""
        score = self.state
        due, at_table = self.readings
        if score.over is not None and judge(score.over, None) is None:
            return
        verdict = judge(due, at_table if score.mistakes else None)
        if verdict is not None and judge(at_table, None) is None:
            # The table follows its own figures; if none of them is wrong, it may be right.
            if not score.mistakes:
                verdict = None
            elif isinstance(verdict, Violation):
                lines = dict.fromkeys(map(str, score.mistakes))
                plural = "s" if len(lines) > 1 else ""
                note = f"this results from what was found on line{plural} {in_words(lines)}"
                verdict = verdict._replace(notes=(*verdict.notes, note))
        self._report(line, verdict, about)
        by_itself = judge(due, None)
        if not isinstance(verdict, Violation) and not isinstance(by_itself, Violation):
            self._put(closed=score.closed or winners)

    def _report(
        self, line: Line, verdict: Violation | Undecided | None, about: Subject | None = None
    ) -> None:
        """Says what is wrong at a line, or open there."""
        if isinstance(verdict, Undecided):
            self.reporter.leave_open(line, verdict.what, about)
        elif verdict is not None:
            self.reporter.report_violation(self.ruleset, verdict, whole_line(line))


def closing_lines(
    ruleset: Ruleset, standing: Standing, scores: Sequence[int | None], verdict: game.GameVerdict
) -> list[Event]:
    """What a log says at a hand's end: scores, totals, and if the game is over who won what.

    `scores` may be left out, as on a sheet of totals.
    """
    names = standing.names
    totals = [total or 0 for total in standing.totals]
    by_side = tuple(
        [(names[side], score) for side, score in enumerate(scores) if score is not None]
    )
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
