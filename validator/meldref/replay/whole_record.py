"""What the whole record of a hand decides, once it is over, of cards that nobody saw in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from meldref.core.diagnostics import Finding, errors_in, is_among
from meldref.core.events import Line, Turn
from meldref.core.records import changed, record
from meldref.position.game import Figure, HandRecord, Subject
from meldref.replay.playing import Playing
from meldref.replay.repair.course import found_at
from meldref.replay.reporter import Reporter
from meldref.replay.result import Open
from meldref.replay.scores import Scorekeeper
from meldref.weighing.hand import ClosedHand, Hand, weigh
from meldref.weighing.hindsight import decided
from meldref.weighing.several import MOST_HANDS, Impossible, Row, not_won, weigh_total
from meldref.weighing.telling import told, told_of_total, told_of_turn, told_of_winner


@record
class WholeRecord:
    """The record of a hand that is over, with what was found in it and what it left open.

    `begin` is how the hand began, `lines` are those it is followed by, and `is_whole` says that
    none is missing among them. `repaired` are the lines with other cards than were written (None:
    more than cards was repaired).
    """

    begin: Playing
    playing: Playing
    lines: Sequence[Line]
    repaired: frozenset[int] | None
    is_whole: bool

    @property
    def _scores(self) -> Scorekeeper:
        return self.playing.scores

    @property
    def _reporter(self) -> Reporter:
        return self.playing.reporter

    def closed_hand(self) -> ClosedHand | None:
        """What is to be weighed; None where not all was played as it is written."""
        hand, record = self.playing.hand, self._scores.record
        if hand is None or hand.position is None or record is None:
            return None
        if hand.damaged or not self.is_whole:
            return None
        figures = [one for one in self._figures(record) if one.kind != "total of hands"]
        question = Hand(hand.judge, hand.position, self._scores.standing.sides, figures)
        return ClosedHand(self.begin, tuple(self.lines), question)

    def look_back(self) -> None:
        """Decides turns that were left open, where later lines show unseen cards."""
        hand, left_open = self.playing.hand, self._reporter.questions
        closed = self.closed_hand() if left_open else None
        if hand is None or closed is None or not closed.hand.position.pile_known:
            return
        if self._doubtful() != set():
            return
        questions = {question.line for question in left_open}
        settled = decided(self.begin, self.lines, questions)
        numbers = {decision.line for decision in settled}
        self._reporter.questions = [
            question for question in left_open if question.line not in numbers
        ]
        for decision in settled:
            if decision.lines:
                self._reporter.found(told_of_turn(hand.judge.ruleset, decision, self.lines))

    def weigh(self, closed_hands: Callable[[ClosedHand], None] | None) -> None:
        """Weighs what the record says of cards that nobody saw, where that is open.

        `closed_hands` is told of every hand that may be weighed.
        """
        hand, record = self.playing.hand, self._scores.record
        if record is None or not (record.figures or closed_hands):
            return
        closed = self.closed_hand()
        if closed is None or hand is None:
            return
        if closed_hands is not None:
            closed_hands(closed)
        question, doubtful = closed.hand, self._doubtful()
        if hand.unsettled or not question.figures or not question.can_be_weighed:
            return
        if doubtful is None:
            return
        weighed = weigh(closed, doubtful)
        found = {finding.span.line for finding in errors_in(self._reporter.findings)}
        settled = [*weighed.certain]
        for wrong in weighed.contradictions:
            figures = [figure for stake in wrong.stakes for figure in stake.figures]
            settled += figures
            self._let_sums_go(figures)
            self._reporter.found(told(question, wrong, self.lines, found))
        self._close(settled)

    def _doubtful(self) -> set[int] | None:
        """The lines whose cards are no evidence: found wrong, or repaired.

        None: it is in doubt how many cards moved, or whose they were.
        """
        doubtful: set[int] = set()
        for wrong in errors_in(self._reporter.findings):
            found, repair = found_at(0, wrong), wrong.repair
            if repair is not None:
                if self.repaired is None or repair.line not in self.repaired:
                    return None
                doubtful |= {wrong.span.line, *self.repaired}
            elif found.contradicts or found.is_whose:
                return None
            elif found.proves_itself:
                doubtful.add(wrong.span.line)
        return doubtful

    def _let_sums_go(self, figures: Sequence[Figure]) -> None:
        """Wrong totals follow from scores that cannot be right, and so do all payments."""
        names = {self._scores.standing.names[figure.side] for figure in figures}

        def follows(finding: Finding) -> bool:
            is_total = finding.code == "score.total" and finding.player in names
            return is_total or is_among(finding.code, ("settle",))

        self._reporter.findings = [
            finding for finding in self._reporter.findings if not follows(finding)
        ]

    def _close(self, settled: Sequence[Figure]) -> None:
        """Figures that are right however the cards were dealt, or wrong, are open no more."""
        certain = {(figure.line.number, figure.kind, figure.side) for figure in settled}
        left_open: list[Open] = []
        for question in self._reporter.questions:
            about = question.about or Subject("winner")
            at = question.line, about.kind
            sides = tuple([side for side in about.sides if (*at, side) not in certain])
            if sides == about.sides:
                left_open.append(question)
            elif sides:
                rest = changed(about, sides=sides)
                what = self._scores.question(rest)
                left_open.append(changed(question, what=what, about=rest))
        self._reporter.questions = left_open

    def weigh_totals(self, rows: Mapping[int, Row]) -> dict[int, Row]:
        """Weighs totals over several hands, and who won by them.

        `rows` are hands before this one whose scores nobody wrote down, by side; it returns those
        that later totals are weighed over.
        """
        scores, record = self._scores, self._scores.record
        if record is None:
            return {}
        late = [figure for figure in self._figures(record) if figure.kind == "total of hands"]
        closed = None
        if rows and (late or record.won or None in scores.standing.totals):
            closed = self._part_of_row(record)
        if closed is not None:
            rows = {side: row._replace(hands=(*row.hands, closed)) for side, row in rows.items()}
            self._weigh_late_totals(rows, late)
            self._weigh_winners(rows, record)
        left: dict[int, Row] = {}
        for side, total in enumerate(scores.standing.totals):
            row = None if closed is None or side in record.recorded else rows.get(side)
            if side in scores.state.stated:
                left |= self._as_stated(side)
            elif row is not None and len(row.hands) < MOST_HANDS:
                left[side] = row
            elif total is not None:
                line = scores.state.totals_at.get(side)
                left[side] = Row(side, total, line and line.number)
        return left

    def _part_of_row(self, record: HandRecord) -> ClosedHand | None:
        """The hand, if all is known of it but which cards some are."""
        hand = self.playing.hand
        if (
            hand is None
            or hand.unsettled
            or not record.counted
            or errors_in(self._reporter.findings)
        ):
            return None
        closed = self.closed_hand()
        return closed if closed is not None and closed.hand.can_be_weighed else None

    def _weigh_late_totals(self, rows: Mapping[int, Row], figures: Sequence[Figure]) -> None:
        """Finds totals over several hands that cannot be, and notes those that may be others."""
        left_open: dict[int, list[Figure]] = {}
        for figure in figures:
            row, line = rows.get(figure.side), figure.line
            answer = True if row is None else weigh_total(row, figure.points, line.number)
            if answer is True:
                continue
            self._close([figure])
            if isinstance(answer, Impossible):
                name = self._scores.standing.names[figure.side]
                found = told_of_total(
                    self.playing.judge.ruleset, answer, line, f"{name}'s", figure.points
                )
                self._reporter.found(found)
            else:
                left_open.setdefault(line.number, []).append(figure)
        why = "no line says what they scored in some of the hands"
        for together in left_open.values():
            sides = tuple([figure.side for figure in together])
            self._scores.leave_open(together[0].line, Subject("total of hands", sides, why))

    def _weigh_winners(self, rows: Mapping[int, Row], record: HandRecord) -> None:
        """Whether another side was ahead in any case of one that the log says has won."""
        standing = self._scores.standing
        if (
            record.won is None
            or self.playing.judge.ruleset.game.out_at is not None
            or standing.tied
        ):
            return
        line, winners = record.won
        rows = {**rows, **self._as_stated(*rows)} if self._is_after_play(line) else {}
        pairs = [
            (winner, other)
            for winner in winners
            for other in rows
            if winner in rows and other not in winners
        ]
        for winner, other in pairs:
            numbers = not_won(self.playing.judge.ruleset, rows[winner], rows[other], line.number)
            if numbers:
                names = standing.names[winner], standing.names[other]
                who_won = line.number, Subject("winner")
                self._reporter.questions = [
                    question
                    for question in self._reporter.questions
                    if (question.line, question.about) != who_won
                ]
                self._reporter.found(
                    told_of_winner(self.playing.judge.ruleset, numbers, line, *names)
                )
                return

    def _as_stated(self, *sides: int) -> dict[int, Row]:
        """Rows that begin with the totals which lines of the hand state, behind its last turn."""
        score = self._scores.state
        return {
            side: Row(side, score.stated[side], line.number)
            for side in sides
            if side in score.stated and self._is_after_play(line := score.totals_at[side])
        }

    def _figures(self, record: HandRecord) -> list[Figure]:
        """The numbers after the last turn that are left open."""
        return [figure for figure in record.figures if self._is_after_play(figure.line)]

    def _is_after_play(self, line: Line) -> bool:
        """Whether a line of the hand comes behind its last turn."""
        return all(other.number < line.number for other in self.lines if type(other.event) is Turn)
