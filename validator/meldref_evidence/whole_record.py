"""What the whole record of a hand decides, once it is over, of cards that nobody saw in it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product
from typing import Final

from meldref.core.diagnostics import Finding, errors_in, is_among
from meldref.core.effort import EFFORT
from meldref.core.events import Line
from meldref.core.records import changed, record
from meldref.position.game import Figure, HandRecord
from meldref.replay.explainer import PlayedHand
from meldref.replay.reporter import Reporter
from meldref.replay.result import LogReport, Open
from meldref.replay.scores import Scorekeeper
from meldref_evidence.repair.course import found_at
from meldref_evidence.weighing.face_down import decide_discards
from meldref_evidence.weighing.hand import ClosedHand, Hand, weigh
from meldref_evidence.weighing.hindsight import decide_turns
from meldref_evidence.weighing.several import MOST_HANDS, Impossible, Row, not_won, weigh_total
from meldref_evidence.weighing.telling import (
    tell_of_hand,
    tell_of_total,
    tell_of_turn,
    tell_of_winner,
)

MOST_FIGURES: Final = 64
"""How many open numbers of a hand are weighed."""


@record
class WholeRecord:
    """The record of a hand that is over, with what was found in it and what it left open."""

    played: PlayedHand

    @property
    def _scores(self) -> Scorekeeper:
        return self.played.end.scores

    @property
    def _reporter(self) -> Reporter:
        return self.played.end.reporter

    @property
    def _report(self) -> LogReport:
        return self.played.end.report

    def closed_hand(self) -> ClosedHand | None:
        """What is to be weighed; None where not all was played as it is written."""
        hand, record = self.played.end.hand, self._scores.record
        if hand is None or hand.position is None or record is None:
            return None
        if hand.damaged or not self.played.is_whole:
            return None
        question = Hand(hand.judge, hand.position, self._scores.before.sides, self._figures())
        return ClosedHand(self.played.begin, tuple(self.played.lines), question)

    def look_back(self) -> None:
        """Decides turns that were left open, where later lines show unseen cards.

        Where house rules are asked no more, no turn can be judged again.
        """
        if EFFORT.house.over:
            return
        hand, left_open = self.played.end.hand, self._report.open
        if hand is None or not left_open:
            return
        closed = self.closed_hand()
        is_all_evidence = self._doubtful() == set()
        if closed is None or not is_all_evidence:
            return
        questions = {question.line for question in left_open}
        for thrown in decide_discards(self.played.begin, self.played.lines, questions):
            self._close_questions(thrown.line)
            questions.remove(thrown.line)
            if thrown.wrong is not None:
                self._reporter.add_finding(thrown.wrong)
        if not closed.hand.position.is_recorded:
            return
        for decision in decide_turns(self.played.begin, self.played.lines, questions):
            self._close_questions(decision.line)
            if decision.lines:
                self._reporter.add_finding(
                    tell_of_turn(hand.judge.ruleset, decision, self.played.lines)
                )

    def _close_questions(self, line: int) -> None:
        """What was left open at a line is open no more."""
        left_open = [question for question in self._report.open if question.line != line]
        self._report.open = left_open

    def weigh(self, closed_hands: Callable[[ClosedHand], None] | None) -> None:
        """Weighs what the record says of cards that nobody saw, where that is open.

        `closed_hands` is told of every hand that may be weighed.
        """
        if not (closed_hands or self._figures()):
            return
        closed = self.closed_hand()
        if closed is None:
            return
        if closed_hands is not None:
            closed_hands(closed)
        question, doubtful = closed.hand, self._doubtful()
        if doubtful is None or not question.figures or not question.can_be_weighed:
            return
        weighed = weigh(closed, doubtful)
        found_before = {finding.span.line for finding in errors_in(self._report.findings)}
        settled = [*weighed.certain]
        for wrong in weighed.contradictions:
            figures: list[Figure] = []
            for stake in wrong.stakes:
                figures += stake.figures
            settled += figures
            self._let_sums_go(figures)
            finding = tell_of_hand(question, wrong, self.played.lines, found_before)
            self._reporter.add_finding(finding)
        self._close_figures(settled)

    def _doubtful(self) -> set[int] | None:
        """The lines whose cards are no evidence: found wrong, or repaired.

        None: it is in doubt how many cards moved, or whose they were.
        """
        doubtful: set[int] = set()
        other_cards = self.played.other_cards
        for finding in errors_in(self._report.findings):
            repair, fault = finding.repair, found_at(0, finding)
            if repair is not None:
                is_of_card = other_cards is not None and repair.line in other_cards
                if not is_of_card or other_cards is None:
                    return None
                doubtful |= {finding.span.line, *other_cards}
            elif fault.contradicts or fault.is_whose:
                return None
            elif fault.proves_itself:
                doubtful.add(finding.span.line)
        return doubtful

    def _let_sums_go(self, figures: Sequence[Figure]) -> None:
        """Wrong totals follow from scores that cannot be right, and so do all payments."""
        names = {self._scores.standing.names[figure.side] for figure in figures}
        left: list[Finding] = []
        for finding in self._report.findings:
            is_total = finding.code == "score.total" and finding.player in names
            if not is_total and not is_among(finding.code, ("settle",)):
                left.append(finding)
        self._report.findings = left

    def _close_figures(self, settled: Sequence[Figure]) -> None:
        """Figures that are right however the cards were dealt, or wrong, are open no more."""
        left_open: list[Open] = []
        for question in self._report.open:
            about = question.about
            if about is None:
                left_open.append(question)
                continue
            rest = tuple([figure for figure in about.figures if figure not in settled])
            if rest == about.figures:
                left_open.append(question)
            elif rest:
                about = changed(about, figures=rest)
                what = self._scores.question(about)
                left_open.append(changed(question, what=what, about=about))
        self._report.open = left_open

    def weigh_totals(self, rows: Mapping[int, Row]) -> dict[int, Row]:
        """Weighs totals over several hands, and who won by them.

        `rows` are hands before this one whose scores nobody wrote down, by side; it returns those
        that later totals are weighed over.
        """
        scores, record = self._scores, self._scores.record
        if record is None:
            return {}
        late, won = self._totals_of_hands(), self._won()
        closed = None
        if rows and (late or won or None in scores.standing.totals):
            closed = self._part_of_row(record)
        if closed is not None:
            rows = {side: row._replace(hands=(*row.hands, closed)) for side, row in rows.items()}
            self._weigh_late_totals(rows, late)
            if won is not None:
                self._weigh_winner(rows, won)
        later: dict[int, Row] = {}
        as_stated = self._rows_as_stated(scores.state.stated)
        for side, total in enumerate(scores.standing.totals):
            row = None if closed is None or side in record.recorded else rows.get(side)
            if side in as_stated:
                later[side] = as_stated[side]
            elif side in scores.state.stated:
                continue
            elif row is not None and len(row.hands) < MOST_HANDS:
                later[side] = row
            elif total is not None:
                line = scores.state.totals_at.get(side)
                later[side] = Row(side, total, line and line.number)
        return later

    def _part_of_row(self, record: HandRecord) -> ClosedHand | None:
        """The hand, if all is known of it but which cards some are."""
        hand = self.played.end.hand
        if hand is None or hand.unsettled or not record.counted or errors_in(self._report.findings):
            return None
        closed = self.closed_hand()
        return closed if closed is not None and closed.hand.can_be_weighed else None

    def _weigh_late_totals(self, rows: Mapping[int, Row], figures: Sequence[Figure]) -> None:
        """Finds totals over several hands that cannot be, and notes those that may be others."""
        left_open: dict[int, list[Figure]] = {}
        for figure in figures:
            row, line = rows.get(figure.side), figure.line
            if row is None:
                continue
            answer = weigh_total(row, figure.points, line.number)
            if answer is True:
                continue
            self._close_figures([figure])
            if isinstance(answer, Impossible):
                rules = self.played.end.judge.ruleset
                whose = f"{self._scores.standing.names[figure.side]}'s"
                finding = tell_of_total(rules, answer, line, whose, figure.points)
                self._reporter.add_finding(finding)
            else:
                left_open.setdefault(line.number, []).append(figure)
        why = "no line says what they scored in some of the hands"
        for together in left_open.values():
            self._scores.leave_open(together, why)

    def _won(self) -> Open | None:
        """Who won by the log, if that is left open and only the totals decide it."""
        scores, game = self._scores, self.played.end.judge.ruleset.game
        if game.out_at is not None or scores.before.tied or scores.state.mistakes:
            return None
        for question in self._report.open:
            if question.about is not None and question.about.winners:
                return question
        return None

    def _weigh_winner(self, rows: Mapping[int, Row], won: Open) -> None:
        """Whether another side was ahead in any case of one that the log says has won."""
        line = next(line for line in self.played.lines if line.number == won.line)
        winners = won.about.winners if won.about else ()
        if not self._is_after_play(line):
            return
        rows = {**rows, **self._rows_as_stated(rows)}
        names, rules = self._scores.before.names, self.played.end.judge.ruleset
        for winner, other in product(winners, rows):
            if winner not in rows or other in winners:
                continue
            numbers = not_won(rules, rows[winner], rows[other], line.number)
            if numbers:
                self._close_questions(line.number)
                wrong = tell_of_winner(rules, numbers, line, names[winner], names[other])
                self._reporter.add_finding(wrong)
                return

    def _rows_as_stated(self, sides: Iterable[int]) -> dict[int, Row]:
        """Rows that begin with the totals which lines of the hand state, behind its last turn."""
        score = self._scores.state
        rows: dict[int, Row] = {}
        for side in sides:
            if side not in score.stated:
                continue
            line = score.totals_at[side]
            if self._is_after_play(line):
                rows[side] = Row(side, score.stated[side], line.number)
        return rows

    def _figures(self) -> list[Figure]:
        """The numbers of the hand that are left open behind its last turn."""
        hand = self.played.end.hand
        figures: list[Figure] = []
        for question in self._report.open:
            if question.about is not None:
                figures += question.about.figures
        if not figures or hand is None or hand.rests_on_faults:
            return []
        return [
            figure
            for figure in figures[:MOST_FIGURES]
            if figure.kind != "total of hands" and self._is_after_play(figure.line)
        ]

    def _totals_of_hands(self) -> list[Figure]:
        """The totals behind the last turn over hands of which no line says what they brought."""
        score, before = self._scores.state, self._scores.before.totals
        if score.mistakes:
            return []
        figures: list[Figure] = []
        for side, points in score.stated.items():
            line = score.totals_at[side]
            if before[side] is None and self._is_after_play(line):
                figures.append(Figure("total of hands", line, side, points))
        return figures

    def _is_after_play(self, line: Line) -> bool:
        """Whether a line of the hand comes behind its last turn."""
        return self.played.last_turn < line.number
