"""The score of a game as a value: as it should be, as the table kept it, and how hands change it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from meldref.core.events import Line
from meldref.core.records import changed, fresh, record
from meldref.core.text import in_words
from meldref.position.game import HandRecord, Standing
from meldref.position.memory import SOME, added, at_least
from meldref.rules import game
from meldref.rules.base import Violation
from meldref.rules.points import units
from meldref.ruleset.model import Ruleset


@record
class GameScore:
    """The score of a game: how it stood before the hand under way, and what is known of that.

    `before` has the game as it should be and as the table kept it, `otherwise` how the table may
    have it after the hand, if the hand is followed otherwise than written. `record` is of the hand,
    `stated` are the totals that its lines state, by side, and `totals_at` the lines that stated a
    total last, `adjusted` are points given by agreement since the hand began. `left_out` says in
    which hand a line left a side's score out, `mistakes` are the lines of figures found wrong.
    `over` is the game as it ended, once a hand after that was found, `closed` who won, once a
    result or the chips were accepted.
    """

    rules: Ruleset
    before: tuple[Standing, Standing]
    record: HandRecord | None = None
    otherwise: Standing | None = None
    stated: Mapping[int, int] = fresh(default_factory=dict)
    totals_at: Mapping[int, Line] = fresh(default_factory=dict)
    adjusted: Mapping[int, int] = fresh(default_factory=dict)
    left_out: Mapping[int, int] = fresh(default_factory=dict)
    mistakes: tuple[int, ...] = ()
    over: Standing | None = None
    closed: tuple[int, ...] = ()

    def with_hand(self, before: Standing) -> Standing:
        """A reading of the game with what is known of the hand under way.

        A total is what a line states where it is not known otherwise, and at the table.
        """
        record = self.record if self.record is not None and self.record.counted else None
        if record is None and not self.stated:
            return before
        totals = list(before.totals)
        for side, total in enumerate(before.totals):
            if record is not None and total is not None:
                totals[side] = self._sum(total, record.score(side, kept=before.kept))
            if side in self.stated and (before.kept or totals[side] is None):
                totals[side] = self.stated[side]
        if record is None:
            return changed(before, totals=tuple(totals))
        in_hand = record.buys or (SOME,) * len(before.buys)
        buys = tuple(map(added, before.buys, in_hand)) if any(in_hand) else before.buys
        return changed(
            before, totals=tuple(totals), played=before.played + 1, last=record, buys=buys
        )

    def _sum(self, total: int, score: int | None) -> int | None:
        """A total after a hand; None if it is not known."""
        if score is None:
            return None
        is_floored = self.rules.scoring.below_zero.total == "forbidden"
        return max(total + score, 0) if is_floored else total + score

    def at_table(self) -> Standing:
        """The game as the table kept it."""
        return self.otherwise or self.with_hand(self.before[1])

    def with_before(self, changes: Callable[[Standing], Mapping[str, Any]]) -> GameScore:
        """The score with changes in both readings of the game before the hand under way."""
        due, at_table = [changed(reading, **changes(reading)) for reading in self.before]
        return changed(self, before=(due, at_table))

    def go_on(self, readings: Sequence[Standing]) -> tuple[GameScore, Violation | None]:
        """The score as another hand is to begin: whose tie it breaks, and what is wrong with it."""
        rules = self.rules
        verdicts = [game.stands(rules, reading) for reading in readings]
        before: list[Standing] = []
        for reading, verdict in zip(readings, verdicts, strict=True):
            tied = game.tie_break(rules, reading, verdict)
            goes_on_tied = tied or reading.tied or reading.tied_before
            now = changed(reading, tied=tied, tied_before=reading.tied) if goes_on_tied else reading
            before.append(now)
        due, at_table = before
        score = changed(self, before=(due, at_table), record=None, otherwise=None, stated={})
        if self.over is not None:
            # It was found when the first hand after the end began.
            return score, None
        if self.closed:
            names = in_words([due.names[side] for side in self.closed])
            wrong = Violation("game.over", f"the game was already over: {names} won", key="")
            return changed(score, over=due), wrong
        if verdicts[1].known and not verdicts[1].over:
            # It is not over as the table kept it.
            return score, None
        too_late = game.another_hand(rules, due, verdicts[0])
        if too_late is None:
            return score, None
        return changed(score, over=due), too_late

    def begin_hand(self, number: int) -> GameScore:
        """The score as a hand begins: its record says who plays it, and who may be out of the game.

        After a mistake, the table may go by either reading of the game.
        """
        due, at_table = [self._begun(reading) for reading in self.before]
        some_drop_out = self.rules.game.out_at is not None
        playing = sorted({*due.were_in, *at_table.were_in})
        may_be_out: list[int] = []
        for side in playing:
            is_in_both = side in due.were_in and side in at_table.were_in
            if not is_in_both or (some_drop_out and due.totals[side] is None):
                may_be_out.append(side)
        record = HandRecord(number, playing=tuple(playing) or None, may_sit_out=tuple(may_be_out))
        return changed(self, before=(due, at_table), record=record, stated={}, adjusted={})

    def _begun(self, standing: Standing) -> Standing:
        """A reading of the game as the next hand begins."""
        were_in = self._in(standing)
        return standing if were_in == standing.were_in else changed(standing, were_in=were_in)

    def _in(self, standing: Standing) -> tuple[int, ...]:
        """The sides that play the next hand: those still in, or tied alone; none: all of them."""
        if self.rules.game.tie.who == "all" and self.rules.game.out_at is None:
            return ()
        return game.playing(self.rules, standing)

    def skip_hands(self, number: int) -> GameScore:
        """The score after `number` hands in all of which no line says what they brought."""
        unknown = (None,) * len(self.before[0].sides)
        score = changed(self, stated={}, left_out={}, record=None)
        return score.with_before(
            lambda reading: {
                "skipped": number,
                "totals": unknown,
                "tied": (),
                "buys": tuple(map(at_least, reading.buys)),
            }
        )

    def annul_hand(self) -> GameScore:
        """The score as a hand that began with this one is void: a tie is as before it."""
        score = changed(self, record=None)
        return score.with_before(lambda reading: {"tied": reading.tied_before})

    def adjust(self, side: int, points: int) -> GameScore:
        """The score after points by agreement, which count in the totals."""

        def adjusted(reading: Standing) -> dict[str, object]:
            totals = list(reading.totals)
            total = totals[side]
            totals[side] = None if total is None else total + points
            return {"totals": tuple(totals)}

        score = self.with_before(adjusted)
        so_far = self.adjusted.get(side, 0)
        score = changed(score, adjusted={**self.adjusted, side: so_far + points})
        if side not in self.stated:
            return score
        return changed(score, stated={**self.stated, side: self.stated[side] + points})

    def states_its_scores(self) -> bool:
        """Whether the hand's lines state totals, all of which are just its scores."""
        if self.record is None or not self.stated:
            return False
        return all(self.record.score(side) == total for side, total in self.stated.items())

    def total_before(self, side: int) -> int | None:
        """A side's total before the hand, as known or by the one stated after it."""
        assert self.record is not None
        before = self.before[0].totals[side]
        stated = self.stated.get(side)
        if before is not None or stated is None:
            return before
        score = self.record.score(side)
        if score is None or score != self.record.score(side, kept=True):
            return None
        if stated == 0 and self.rules.scoring.below_zero.total == "forbidden":
            # The sum may have been below 0.
            return None
        return stated - score - self.adjusted.get(side, 0)

    def hand_scores(self) -> tuple[int | None, ...]:
        """The hand's score of each side; None if it is not known, or the side does not play."""
        record, sides = self.record, range(len(self.before[0].sides))
        assert record is not None
        return tuple([None if record.sat_out(side) else record.score(side) for side in sides])

    def best_of_hand(self) -> list[int] | None:
        """The seats with the best score of the last hand, as it should be or as the table kept it.

        None where that is not known.
        """
        last, sides = self.before[0].last, self.before[0].sides
        if last is None:
            return None
        best: dict[int, None] = {}
        for kept in (False, True):
            scores = {
                side: last.score(side, kept=kept)
                for side in range(len(sides))
                if not last.sat_out(side)
            }
            amounts = [score for score in scores.values() if score is not None]
            if len(amounts) < len(scores):
                return None
            top = min(amounts) if self.rules.game.winner == "lowest" else max(amounts)
            best |= dict.fromkeys([side for side, score in scores.items() if score == top])
        seats: list[int] = []
        for side in best:
            seats += sides[side]
        return seats


def first_score(rules: Ruleset, players: Sequence[str]) -> GameScore:
    """The score before the first hand."""
    sides = units(rules, players)
    names = tuple([_side_name(players, side) for side in sides])
    standing = Standing(sides, names, (0,) * len(sides), buys=(0,) * len(players))
    return GameScore(rules, (standing, changed(standing, kept=True)))


def _side_name(players: Sequence[str], side: Sequence[int]) -> str:
    """The name of a player, or those of partners: `Ann+Cid`."""
    return "+".join([players[seat] for seat in side])
