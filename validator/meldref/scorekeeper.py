"""Keeps the score of a game: what hands bring, totals, who won, what is paid, as the log records it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from meldref.events import Line
from meldref.hand import HandPlay
from meldref.judge import Judge
from meldref.log_report import Scores
from meldref.position.game import HandRecord, Standing
from meldref.position.model import GOING_ON, OVER
from meldref.rules import ending, game
from meldref.rules.base import Violation
from meldref.rules.settlement import chips
from meldref.scoring import hand_scores, held_points, units
from meldref.wording import in_words

Wrong = Callable[[Line, Violation], None]
Undecided = Callable[[Line, str], None]


_Sums = tuple[int | None, ...]
_Stated = tuple[tuple[int, int], ...]
_AtStart = tuple[_Sums, _Sums, _Stated, _Stated, int, HandRecord | None, bool]
"""Totals, sums before, stated, stated before, hands played, the last one, whether the players agreed to stop."""


class Scorekeeper:
    """The score of one game.

    `wrong` is told what is wrong at a line, `undecided` what could not be judged there.
    """

    def __init__(self, judge: Judge, players: Sequence[str], wrong: Wrong, undecided: Undecided) -> None:
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
        self._sums_before: list[int | None] = list(self.standing.totals)
        self._stated_before: dict[int, int] = {}
        self._at_start: _AtStart = ((), (), (), (), 0, None, False)

    # --- hands -------------------------------------------------------------------------------------------------

    def begin_hand(self, number: int) -> None:
        """A hand begins: what was scored so far is what its score is added to."""
        standing = self.standing
        self._at_start = (
            tuple(standing.totals),
            tuple(self._sums_before),
            tuple(standing.stated.items()),
            tuple(self._stated_before.items()),
            standing.played,
            standing.last,
            standing.agreed,
        )
        self._stated_before = {**self._stated_before, **standing.stated}
        standing.stated = {}
        for side, stated in self._stated_before.items():
            if standing.totals[side] is None:
                standing.totals[side] = stated
        self._sums_before = list(standing.totals)
        self.record = HandRecord(number)

    def drop_hand(self) -> None:
        """Everything stands as it did before the hand began: it is annulled, or replayed."""
        self.record = None
        standing = self.standing
        totals, sums, stated, stated_before, standing.played, standing.last, agreed = self._at_start
        standing.totals, self._sums_before = list(totals), list(sums)
        standing.stated, self._stated_before = dict(stated), dict(stated_before)
        standing.agreed = agreed

    def score(self, line: Line, amounts: Mapping[int, int], hand: HandPlay) -> None:
        """`score …`: against what the replay gives, or on a score sheet as it stands."""
        record = self.record
        if record is None:
            return
        record.recorded.update(amounts)
        record.has_score = True
        if not hand.started:
            if self.standing.tied:
                self._report(line, game.plays_on(self.ruleset, self.standing, list(amounts)))
            return
        position = hand.play()
        hand.close_turn()
        if record.reason is None and position.ending is GOING_ON and not hand.damaged:
            self._report(line, ending.not_over(self.judge.binding, position))
        self._compute(record, hand)
        unknown = []
        for side, points in amounts.items():
            due = record.computed.get(side)
            name = self.standing.names[side]
            if due is None:
                unknown.append(name)
            elif due != points:
                self._report(line, _wrong_score(name, points, due))
        if unknown:
            self._undecided(line, f"the score of {in_words(unknown)}: not all cards they hold are known")

    def _compute(self, record: HandRecord, hand: HandPlay) -> None:
        """Works the hand's scores out from where the cards lie now, once the hand is over once for all."""
        position = hand.play()
        if record.computed and None not in record.computed.values() and position.ending is OVER:
            return
        sides, worth = self.standing.sides, self.judge.play.worth
        if position.pile_known:
            record.computed = dict(enumerate(hand_scores(self.ruleset, worth, position, sides)))
        else:
            record.computed = dict.fromkeys(range(len(sides)))
        if self.ruleset.game.tie.by == "melds_then_hand":
            record.table = {side: sum(position.points[seat] for seat in seats) for side, seats in enumerate(sides)}
            record.held = dict(enumerate(held_points(worth, position, sides)))
        if position.out is not None:
            record.out = self.standing.side_of(position.out)

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
        for side, before in enumerate(self._sums_before):
            score = record.score(side)
            if record.recorded and not record.computed and side not in record.recorded:
                standing.totals[side] = before
            else:
                standing.totals[side] = None if before is None or score is None else before + score
        if self.ruleset.scoring.below_zero.total == "forbidden":
            standing.totals = [None if one is None else max(one, 0) for one in standing.totals]
        if not record.counted:
            record.counted = True
            standing.played += 1
            standing.last = record

    def scores(self, game_number: int) -> Scores | None:
        """The hand's scores for the report; None where there is nothing to say."""
        record, names = self.record, self.standing.names
        if record is None or not record.counted:
            return None
        recorded = {names[side]: points for side, points in record.recorded.items()} or None
        computed = {names[side]: score for side, score in record.computed.items() if score is not None} or None
        return Scores(game_number, record.number, recorded, computed)

    def best_of_hand(self) -> list[int] | None:
        """The seats with the best score of the last hand; None where that is not known."""
        last, sides = self.standing.last, self.standing.sides
        if last is None:
            return None
        scores = [last.score(side) for side in range(len(sides))]
        known = [score for score in scores if score is not None]
        if len(known) < len(scores):
            return None
        return [seat for side, score in enumerate(scores) if score == max(known) for seat in sides[side]]

    # --- totals and the end ------------------------------------------------------------------------------------

    def total(self, line: Line, amounts: Mapping[int, int], hand: HandPlay | None) -> None:
        """`total …`: the sum of the hands. A total that follows from one found wrong before is not found again."""
        self.count(hand)
        standing, record = self.standing, self.record
        for side, points in amounts.items():
            if points != standing.totals[side]:
                self._report(
                    line, game.total(self.ruleset, standing, side, points, self._due_totals(side, record))
                )
            standing.stated[side] = points

    def _due_totals(self, side: int, record: HandRecord | None) -> list[int]:
        """What a total may be: the sum of the hands first, then what follows from figures found wrong before."""
        summed = self.standing.totals[side]
        due = [] if summed is None else [summed]
        scores = [] if record is None else [record.recorded.get(side), record.computed.get(side)]
        for before in (self._sums_before[side], self._stated_before.get(side)):
            due += [before + score for score in scores if before is not None and score is not None]
        return [max(total, 0) for total in due] if self.ruleset.scoring.below_zero.total == "forbidden" else due

    def adjust(self, side: int, points: int) -> None:
        """`adjust …`: counts in the totals."""
        standing = self.standing
        for totals in (self._sums_before, standing.totals):
            before = totals[side]
            totals[side] = None if before is None else before + points
        for stated in (standing.stated, self._stated_before):
            if side in stated:
                stated[side] += points

    def result(self, line: Line, sides: Sequence[int], hand: HandPlay | None) -> None:
        """`result …`: who won."""
        self.count(hand)
        self._report(line, game.winner(self.ruleset, self.standing, tuple(dict.fromkeys(sides))))

    def chips(self, line: Line, amounts: Mapping[int, int], hand: HandPlay | None) -> None:
        """`chips …`: the settlement."""
        self.count(hand)
        self._report(line, chips(self.ruleset, self.standing, amounts))

    def _report(self, line: Line, violation: Violation | None) -> None:
        if violation is not None:
            self._wrong(line, violation)


def _wrong_score(name: str, points: int, due: int) -> Violation:
    return Violation(
        "score.hand",
        f"{name} scores {due}, not {points}",
        notes=(f"recorded {points}, computed {due}, difference {points - due:+d}",),
    )
