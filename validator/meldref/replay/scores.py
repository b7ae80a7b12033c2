"""Keeps the score of a game: what hands bring, totals, who won, what is paid, as the log records it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from meldref.core.events import Event, Line, Points, Result
from meldref.core.records import changed
from meldref.core.text import in_words
from meldref.engine import unnamed
from meldref.engine.judge import Judge
from meldref.position.game import Figure, HandRecord, Standing
from meldref.position.model import GOING_ON, OVER, Position
from meldref.replay.hand import HandPlay
from meldref.replay.result import Scores
from meldref.replay.turn import Unsure
from meldref.rules import ending, game
from meldref.rules.base import Undecided, Violation
from meldref.rules.breakdown import Breakdown, hand_breakdown, total_breakdown
from meldref.rules.points import hand_scores, held_points, units
from meldref.rules.settlement import chips, payments
from meldref.ruleset.model import Ruleset

Wrong = Callable[[Line, Violation], None]

_NONE: Final = frozenset[int]()
MOST_FIGURES: Final = 64
"""How many numbers of a hand that cards nobody saw leave open are kept, to be weighed, and of wrong ones."""
MOST_SUMS: Final = 64
"""How many values a side's total may have before only the first and the latest of them are kept."""


class Scorekeeper:
    """The score of one game: as it should be, and as the table kept it.

    `wrong` is called with what is wrong at a line, `undecided` with what could not be judged there.
    The computed scores decide; a figure that was found wrong does not, and what follows from it is
    not found again.
    """

    def __init__(
        self, judge: Judge, players: Sequence[str], wrong: Wrong, undecided: Unsure
    ) -> None:
        self.judge = judge
        self.ruleset = judge.ruleset
        self._wrong = wrong
        self._undecided = undecided
        sides = units(judge.ruleset, players)
        names = tuple("+".join(players[seat] for seat in side) for side in sides)
        self.standing = Standing(sides, names, [0] * len(sides))
        self.sides: dict[str, int] = {}
        for index, side in enumerate(sides):
            members = [players[seat] for seat in side]
            for name in (*members, "+".join(members), "+".join(reversed(members))):
                self.sides[name] = index
        self.record: HandRecord | None = None
        self._before: list[int | None] = [0] * len(sides)
        self._kept_before: list[int | None] = [0] * len(sides)
        self._kept_totals: list[int | None] = [0] * len(sides)
        self._kept_tied: tuple[int, ...] = ()
        self._floored = judge.ruleset.scoring.below_zero.total == "forbidden"
        self._may_be_before: list[frozenset[int]] = [_NONE] * len(sides)
        self._stated: dict[int, int] = {}
        self._left_out: dict[int, int] = {}  # whose score a hand's line left out, and which hand's
        self._mistakes: list[int] = []  # lines of figures that were found wrong
        self._over: Standing | None = None  # the game as it ended, once a hand after that was found
        self._closed: tuple[int, ...] = ()  # who won, once a result or the chips were accepted
        self._tied_before: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
        self._at_start: tuple[Any, ...] = ()
        self._sheet: Line | None = None  # the last line of scores of a hand without turns
        self._totals_at: dict[int, Line] = {}  # where each side's total was stated last,
        self._totals_at_start: dict[int, Line] = {}  # and before the hand

    def fork(self, wrong: Wrong, undecided: Unsure) -> Scorekeeper:
        """An independent copy of the score."""
        other = Scorekeeper(self.judge, (), wrong, undecided)
        standing, record = self.standing, self.record
        other.standing, other.sides = changed(standing, totals=[*standing.totals]), self.sides
        if record is not None:
            other.record = changed(
                record, recorded={**record.recorded}, computed={**record.computed}
            )
            if standing.last is record:
                other.standing.last = other.record
        other._before, other._kept_before = [*self._before], [*self._kept_before]
        other._kept_totals, other._kept_tied = [*self._kept_totals], self._kept_tied
        other._may_be_before, other._stated = [*self._may_be_before], {**self._stated}
        other._left_out, other._mistakes = {**self._left_out}, [*self._mistakes]
        other._over, other._closed, other._tied_before = self._over, self._closed, self._tied_before
        other._at_start, other._sheet = self._at_start, self._sheet
        other._totals_at = {**self._totals_at}
        other._totals_at_start = {**self._totals_at_start}
        return other

    def go_on(self) -> Violation | None:
        """Another hand is to begin: whose tie it breaks, and what is wrong with it."""
        standing, kept = self.standing, self._kept()
        verdict = game.stands(self.ruleset, standing)
        own = verdict if kept is None else game.stands(self.ruleset, kept)
        self._tied_before = (standing.tied, self._kept_tied)
        standing.tied = game.tie_break(self.ruleset, standing, verdict)
        self._kept_tied = game.tie_break(self.ruleset, kept or standing, own)
        if self._over is not None:  # found already: the table has gone on with it
            return None
        if self._closed:
            self._over = changed(standing, totals=[*standing.totals])
            names = in_words([standing.names[side] for side in self._closed])
            return Violation("game.over", f"the game was already over: {names} won", key="")
        if own.known and not own.over:
            return None
        wrong = game.another_hand(self.ruleset, standing, verdict)
        self._over = None if wrong is None else changed(standing, totals=[*standing.totals])
        return wrong

    def begin_hand(self, number: int) -> None:
        """A hand begins: what was scored so far is what its score is added to."""
        standing = self.standing
        if self._mistakes:
            self._may_be_before = [
                frozenset(self._may_be(side)) for side in range(len(standing.sides))
            ]
        self._before, self._kept_before = [*standing.totals], [*self._kept_totals]
        self._stated = {}
        self._totals_at_start = {**self._totals_at}
        self._at_start = (
            [*standing.totals],
            [*self._kept_totals],
            [*self._may_be_before],
            {**self._left_out},
            standing.played,
            standing.last,
            standing.agreed,
            len(self._mistakes),
            self._closed,
        )
        standing.were_in = self.playing or ()
        self.record = HandRecord(number, playing=self.playing)

    def totals_by_seat(self) -> tuple[int | None, ...]:
        """The total of each seat, or of its side, as it stands; None where it is not known."""
        standing = self.standing
        seats = range(sum(map(len, standing.sides)))
        return tuple([standing.totals[standing.side_of(seat)] for seat in seats])

    @property
    def playing(self) -> tuple[int, ...] | None:
        """The sides that play the hand: those who are still in, or tied alone; None: all of them."""
        if self.ruleset.game.tie.who == "all" and self.ruleset.game.out_at is None:
            return None
        return game.playing(self.ruleset, self._kept() or self.standing) or None

    def skip_hands(self, number: int) -> None:
        """`number` hands in all were not written down: what they scored is not known until a total says so."""
        standing = self.standing
        standing.skipped = number
        standing.totals = [None] * len(standing.totals)
        self._kept_totals = [None] * len(standing.totals)
        self._may_be_before = [_NONE] * len(standing.totals)
        standing.tied = self._kept_tied = ()
        self._stated.clear()
        self._left_out.clear()
        self.record = None

    def drop_hand(self) -> None:
        """Everything stands as it did before the hand began: it is annulled, or replayed."""
        self.record = self._sheet = None
        standing = self.standing
        totals, kept, may_be, left_out, played, last, agreed, mistakes, self._closed = (
            self._at_start
        )
        standing.totals, self._before = [*totals], [*totals]
        self._kept_totals, self._kept_before = [*kept], [*kept]
        self._may_be_before, self._left_out, self._stated = [*may_be], {**left_out}, {}
        standing.played, standing.last, standing.agreed = played, last, agreed
        self._totals_at = {**self._totals_at_start}
        del self._mistakes[mistakes:]

    def annul_hand(self) -> None:
        """The hand is void; a tie that it was to break is as it was."""
        self.drop_hand()
        self.standing.tied, self._kept_tied = self._tied_before

    def _kept(self) -> Standing | None:
        """The game as the table kept it; None where nothing was found wrong, so that it is the same."""
        if not self._mistakes:
            return None
        return changed(self.standing, totals=[*self._kept_totals], tied=self._kept_tied, kept=True)

    def mistaken(self, line: Line) -> None:
        """Something was found wrong at a line that decides the game."""
        if len(self._mistakes) < MOST_FIGURES:
            self._mistakes.append(line.number)

    def score(self, line: Line, amounts: Mapping[int, int], hand: HandPlay) -> None:
        """`score …`: against what the replay gives, or on a score sheet as it stands."""
        record = self.record
        if record is None:
            return
        record.recorded.update(amounts)
        record.has_score = True
        if not hand.started:
            self._sheet = line
            self._who_played(line, list(amounts), whole=False)
            return
        position = hand.play()
        hand.close_turn()
        early = None if hand.damaged else ending.not_over(hand.judge.binding, position)
        self._report(line, early)
        if early is not None:
            hand.end_unsaid()
        self._compute(record, hand)
        unknown: list[int] = []
        for side, points in amounts.items():
            due = record.computed.get(side)
            name = self.standing.names[side]
            if due is None:
                unknown.append(side)
            elif due != points:
                note = f"recorded {points}, computed {due}, difference {points - due:+d}"
                wrong = Violation("score.hand", f"{name} scores {due}, not {points}", notes=(note,))
                self._report(line, _explained(wrong, name, self._breakdown(side, hand)))
                self.mistaken(line)
        if unknown:
            why = self._why_open(hand, position)
            if not hand.unsettled and len(record.figures) < MOST_FIGURES:
                record.figures += tuple(
                    [Figure(line, side, amounts[side], why) for side in unknown]
                )
            self._undecided(line, self.open_figures(unknown, why, "score"))

    def _why_open(self, hand: HandPlay, position: Position) -> str:
        """Why what a hand brings is not known."""
        house = hand.judge.house
        if house is not None and (unsaid := house.awards_depend_on(position)):
            return f"awards of house rules depend on {unsaid}"
        if unnamed.points_depend(hand.judge, position):
            return unnamed.WHY
        if hand.unsettled:
            return "it depends on what was found wrong"
        return "some of their cards are unknown"

    def open_figures(self, sides: Sequence[int], why: str, which: str) -> str:
        """How it is said that the scores or totals of some sides are open."""
        return f"the {which} of {in_words([self.standing.names[side] for side in sides])}: {why}"

    def close_hand(self) -> None:
        """No more is said of the hand: all who have a score on a sheet are known."""
        if self._sheet is not None and self.record is not None:
            self._who_played(self._sheet, list(self.record.recorded), whole=True)
        self._sheet = None

    def _who_played(self, line: Line, sides: list[int], *, whole: bool) -> None:
        if whole and game.plays_on(self.ruleset, self.standing, sides) is not None:
            return  # found at its own line
        kept = self._kept()
        if kept is None or game.plays_on(self.ruleset, kept, sides, whole=whole) is not None:
            self._report(line, game.plays_on(self.ruleset, self.standing, sides, whole=whole))

    def _compute(self, record: HandRecord, hand: HandPlay) -> None:
        """Works the hand's scores out from where the cards lie now; when the hand is over for good, only once."""
        position = hand.play()
        if record.settled:
            return
        sides, worth = self.standing.sides, hand.judge.play.worth
        if position.pile_known and not unnamed.points_depend(hand.judge, position):
            record.computed = dict(
                enumerate(hand_scores(hand.judge.ruleset, worth, position, sides))
            )
        else:
            record.computed = dict.fromkeys(range(len(sides)))
        if hand.unsettled:  # a score that the log has otherwise may be right
            record.computed |= {
                side: None
                for side, said in record.recorded.items()
                if record.computed[side] != said
            }
        record.settled = (
            position.ending is OVER and not hand.unsettled and None not in record.computed.values()
        )
        if self.ruleset.game.tie.by == "melds_then_hand":
            record.table = {
                side: sum(position.points[seat] for seat in seats)
                for side, seats in enumerate(sides)
            }
            record.held = dict(enumerate(held_points(worth, position, sides)))
        if position.out is not None:
            record.out = self.standing.side_of(position.out)
        if position.ending is not GOING_ON:
            record.reason = position.end_reason

    def count(self, hand: HandPlay | None) -> None:
        """Adds the hand's score, as far as it is known, to the totals; may be asked again as more is known."""
        record, standing = self.record, self.standing
        if record is None:
            return
        position = hand.position if hand is not None else None
        over = position is not None and position.ending is not GOING_ON
        if not (over or record.has_score or record.reason):
            return
        if hand is not None and position is not None:
            self._compute(record, hand)
        for side, before in enumerate(self._before):
            stated, score = self._stated.get(side), record.score(side)
            total = self._sum(before, score)
            standing.totals[side] = stated if total is None else total
            kept = (
                stated
                if stated is not None
                else self._sum(self._kept_before[side], record.kept(side))
            )
            self._kept_totals[side] = kept
            if record.has_score and score is None:
                self._left_out[side] = record.number
        if not record.counted:
            record.counted = True
            standing.played += 1
            standing.last = record

    def scores(self, game_number: int, calls: Mapping[int, int]) -> Scores | None:
        """The hand's scores for the report, with who called how often; None where there is nothing to say."""
        record, names = self.record, self.standing.names
        if record is None or not record.counted:
            return None
        recorded = {names[side]: points for side, points in record.recorded.items()} or None
        computed = {
            names[side]: score for side, score in record.computed.items() if score is not None
        } or None
        totals = dict(zip(names, self.standing.totals, strict=True))
        stated = {names[side]: points for side, points in self._stated.items()}
        called = dict.fromkeys(names, 0)
        for seat, times in calls.items():
            called[names[self.standing.side_of(seat)]] += times
        return Scores(game_number, record.number, recorded, computed, totals, stated, called)

    def hand_scores(self) -> tuple[int | None, ...]:
        """The hand's score of each side; None where a side does not play it, or its score is not known."""
        record, sides = self.record, range(len(self.standing.sides))
        assert record is not None
        playing = sides if record.playing is None else record.playing
        return tuple([record.score(side) if side in playing else None for side in sides])

    def best_of_hand(self) -> list[int] | None:
        """The seats with the best score of the last hand, as it should be or as the table kept it.

        None where that is not known.
        """
        last = self.standing.last
        if last is None:
            return None
        sides = range(len(self.standing.sides)) if last.playing is None else last.playing
        best: list[int] = []
        for scores in ([last.score(side) for side in sides], [last.kept(side) for side in sides]):
            known = [score for score in scores if score is not None]
            if len(known) < len(scores):
                return None
            top = min(known) if self.ruleset.game.winner == "lowest" else max(known)
            best += [
                side
                for side, score in zip(sides, scores, strict=True)
                if score == top and side not in best
            ]
        return [seat for side in best for seat in self.standing.sides[side]]

    def total(self, line: Line, amounts: Mapping[int, int], hand: HandPlay | None) -> None:
        """`total …`: the sum of the hands. A total that follows from one found wrong before is not found again."""
        self.count(hand)
        standing = self.standing
        unknown: list[int] = []
        for side, points in amounts.items():
            told = standing.totals[side] is None and side in self._left_out
            if told:
                name, number = standing.names[side], self._left_out.pop(side)
                self._undecided(line, f"{name}'s total: the score of hand {number} is not known")
            wrong = game.total(self.ruleset, standing, side, points, self._may_be(side))
            if wrong is not None:
                self._report(line, self._with_sum(wrong, side, hand))
                self.mistaken(line)
            self._note_late_total(line, side, points)
            if hand is not None and self._is_open_total(side, hand):
                why = "" if told else self._why_open(hand, hand.play())
                self._note_open_total(line, side, points, why)
                unknown += [] if told else [side]
            self._stated[side] = self._kept_totals[side] = points
            self._totals_at[side] = line
            if standing.totals[side] is None:
                standing.totals[side] = points
        if unknown and hand is not None:
            why = self._why_open(hand, hand.play())
            self._undecided(line, self.open_figures(unknown, why, "total"))

    def _is_open_total(self, side: int, hand: HandPlay) -> bool:
        """Whether a total says alone what a side has of this hand, whose score is not known."""
        record = self.record
        if record is None or hand.position is None or hand.unsettled or self._mistakes:
            return False
        return self._before[side] is not None and record.score(side) is None

    def _note_open_total(self, line: Line, side: int, points: int, why: str) -> None:
        record = self.record
        assert record is not None
        if len(record.figures) < MOST_FIGURES:
            since = self._totals_at_start.get(side)
            figure = Figure(line, side, points, why, self._before[side], since)
            record.figures += (figure,)

    def _note_late_total(self, line: Line, side: int, points: int) -> None:
        """Keeps the first total after several hands of which no line says what each scored."""
        record = self.record
        if record is None or self._mistakes or len(record.late) >= MOST_FIGURES:
            return
        if self._before[side] is None and side not in self._stated:
            record.late += (Figure(line, side, points, ""),)

    def stated(self, side: int) -> tuple[int, Line] | None:
        """The total of a side that a line of the hand states, and the line."""
        points = self._stated.get(side)
        return None if points is None else (points, self._totals_at[side])

    def stated_before(self, side: int) -> int | None:
        """The number of the last line that stated the total of a side."""
        line = self._totals_at.get(side)
        return None if line is None else line.number

    def _may_be(self, side: int) -> list[int]:
        """What a total may be: what it is, then what follows from figures found wrong, or put right, before."""
        record, true = self.record, self.standing.totals[side]
        due = [] if true is None else [true]
        if record is None or not self._mistakes:
            return due
        due += [stated] if (stated := self._stated.get(side)) is not None else []
        before = {*self._may_be_before[side], self._before[side], self._kept_before[side]}
        scores = {record.score(side), record.kept(side)}
        sums = {self._sum(one, score) for one in before for score in scores}
        kept = sums if len(sums) <= MOST_SUMS else (self._kept_totals[side],)
        return [*due, *(total for total in kept if total is not None)]

    def _sum(self, before: int | None, score: int | None) -> int | None:
        if before is None or score is None:
            return None
        return max(before + score, 0) if self._floored else before + score

    def _breakdown(self, side: int, hand: HandPlay | None) -> Breakdown | None:
        """How the hand's score of a side comes about; None where the hand was not played out."""
        if (
            hand is None
            or hand.position is None
            or self.record is None
            or self.record.computed.get(side) is None
        ):
            return None
        judge = hand.judge
        return hand_breakdown(
            judge.ruleset, judge.play.worth, hand.position, self.standing.sides, side
        )

    def _with_sum(self, wrong: Violation, side: int, hand: HandPlay | None) -> Violation:
        """A wrong total with the sum of the right one, and with that of the hand's score."""
        before, name = self._before[side], self.standing.names[side]
        score = None if self.record is None else self.record.score(side)
        if before is None or score is None:
            return wrong._replace(player=name)
        of_hand = self._breakdown(side, hand)
        of_hand = of_hand and changed(of_hand, text=f"this hand: {of_hand.text}", cards=())
        return _explained(wrong, name, total_breakdown(self.ruleset, before, score), of_hand)

    def adjust(self, side: int, points: int) -> None:
        """`adjust …`: counts in the totals."""
        for totals in (self._before, self._kept_before, self.standing.totals, self._kept_totals):
            before = totals[side]
            totals[side] = None if before is None else before + points
        self._may_be_before[side] = frozenset(one + points for one in self._may_be_before[side])
        if side in self._stated:
            self._stated[side] += points

    def result(self, line: Line, sides: Sequence[int], hand: HandPlay | None) -> None:
        """`result …`: who won."""
        self.count(hand)
        won = tuple(dict.fromkeys(sides))
        found = self._settle(
            line, won, lambda standing, kept: game.winner(self.ruleset, standing, won, kept)
        )
        if isinstance(found, Undecided) and self.record is not None and not self._mistakes:
            self.record.won = (line, won)

    def chips(self, line: Line, amounts: Mapping[int, int], hand: HandPlay | None) -> None:
        """`chips …`: the settlement."""
        self.count(hand)
        winners = game.stands(self.ruleset, self.standing).winners if self.standing.last else ()
        self._settle(
            line, winners, lambda standing, kept: chips(self.ruleset, standing, amounts, kept)
        )

    def _settle(
        self,
        line: Line,
        winners: tuple[int, ...],
        judge: Callable[[Standing, Standing | None], Violation | Undecided | None],
    ) -> Violation | Undecided | None:
        """Judges a line that ends the game. Once one is accepted, the game is over."""
        if self._over is not None and judge(self._over, None) is None:
            return None
        kept = self._kept()
        found = judge(self.standing, kept)
        if isinstance(found, Violation) and kept is not None and judge(kept, None) is None:
            lines = dict.fromkeys(map(str, self._mistakes))
            plural = "s" if len(lines) > 1 else ""
            note = f"this results from what was found on line{plural} {in_words(lines)}"
            found = found._replace(notes=(*found.notes, note))
        self._report(line, found)
        if not isinstance(found, Violation) and not isinstance(
            judge(self.standing, None), Violation
        ):
            self._closed = self._closed or winners
        return found

    def _report(self, line: Line, found: Violation | Undecided | None) -> None:
        if isinstance(found, Undecided):
            self._undecided(line, found.what)
        elif found is not None:
            self._wrong(line, found)


def closing_lines(
    ruleset: Ruleset, standing: Standing, scores: Sequence[int | None], verdict: game.GameVerdict
) -> list[Event]:
    """What a log says at the end of a hand: scores, totals, and at the game's end who won and what is paid."""
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


def _explained(wrong: Violation, whose: str, *sums: Breakdown | None) -> Violation:
    """A violation with the sums behind it, as far as they are known, and the keys that had a part in them."""
    known = [one for one in sums if one is not None]
    keys = tuple(key for one in known for key in one.keys)
    notes = [note for one in known for note in (one.text, *one.cards)]
    return wrong._replace(player=whose, notes=(*wrong.notes, *notes), keys=keys)
