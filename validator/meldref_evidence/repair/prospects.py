"""What a slip in writing may explain at all, by the record of a hand: before it is refereed again.

Of 23 repairs found in 195 logs of other programs none was a slip: what is found there hand after
hand is how they play, count or write. Of 1,085 searches there, 900 were of findings that have no prospect.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from meldref.core.diagnostics import is_among
from meldref.core.events import Points, Turn
from meldref.notation.actions import BREAKS_IN
from meldref.replay.explainer import WrittenHand
from meldref.replay.playing import Playing
from meldref_evidence.repair.between import MISDEALT, shows_missing_hand
from meldref_evidence.repair.course import Found, found_at

FIGURES: Final = ("score", "setup.deal", "setup.dealer", "setup.deck")
"""Figures that may be wrong because of one mistake, which explains others as well."""
SCORE: Final = "score.hand"
_SCORES_OF_A_PLAY: Final = 2
"""How many scores a play changes at most that was somebody else's, or was not written down."""


class Prospects:
    """What is found in a hand as it is written, and which of it a slip in writing may explain."""

    def __init__(self, hand: WrittenHand) -> None:
        self._hand, self._lines, self._scores = hand, hand.lines, hand.end.scores
        self._faults = [found_at(0, finding) for finding in hand.mistakes]
        self._codes = Counter([fault.finding.code for fault in self._faults])

    @property
    def are_there(self) -> bool:
        """Whether anything may be explained."""
        return any(map(self.may_explain, self._faults))

    def is_unexplained(self, fault: Found) -> bool:
        """Whether nothing explained the like in an earlier hand of the game."""
        return fault.finding.code in self._hand.unexplained

    def is_usual(self, fault: Found) -> bool:
        """Whether that is how they play or count here: it is no contradiction, nor explained before.

        One hand of the game is enough: so no slip of 420 was lost, and of 23 repairs that 195 logs
        of programs had without this, none was right.
        """
        return (fault.is_conduct or fault.is_figure) and self.is_unexplained(fault)

    def may_explain(self, fault: Found) -> bool:
        """Whether a mistake may explain a finding, by its kind and by the figures."""
        code = fault.finding.code
        if self.is_usual(fault):
            return False
        if code == MISDEALT:  # only a hand that is missing explains it
            return shows_missing_hand(self._hand.begin, self._lines, self._hand.mistakes)
        if code == SCORE:
            return self._score_may_be_meant(fault)
        if fault.is_figure:
            return is_among(code, FIGURES)
        return not fault.is_conduct or self._is_evident(fault)

    def _is_evident(self, conduct: Found) -> bool:
        """Whether anything may speak against what was simply done, or its line is there twice."""
        figures_count = conduct.is_whose or conduct.proves_itself
        for fault in self._faults:
            counts = figures_count if fault.is_figure else not fault.is_conduct
            if counts and fault.finding.code != MISDEALT:
                return True
        number = conduct.finding.span.line
        rows = zip(self._lines, self._lines[1:], strict=False)
        return any(line.number == number and line.event == before.event for before, line in rows)

    def _score_may_be_meant(self, fault: Found) -> bool:
        """Whether what is due is the figure of another player or line, or is due by other plays."""
        side = self._scores.sides.get(fault.finding.player or "")
        record, number = self._scores.record, fault.finding.span.line
        points = next((line.event for line in self._lines if line.number == number), None)
        due = {} if record is None else record.computed
        if side is None or due.get(side) is None or not isinstance(points, Points):
            return True
        is_on_paper = self._are_exchanged(points, side, due) or self._is_copied(points, side, due)
        return is_on_paper or self._is_due_by_other_plays()

    def _is_due_by_other_plays(self) -> bool:
        """Whether scores may be due if somebody else played, or called, or melded more.

        That changes two scores, those of whoever did it and of another, or totals and the winner
        with one; more only if the cards that somebody holds count in the score of another player.
        """
        wrong = self._codes[SCORE]
        if wrong > 1 and count_for_others(self._hand.begin):
            return True
        if wrong > _SCORES_OF_A_PLAY:
            return False
        turns = [line.event for line in self._lines if type(line.event) is Turn]
        breaks_in = any(type(turn.actions[0]) in BREAKS_IN for turn in turns)
        may_call = wrong > 1 and self._hand.begin.judge.ruleset.calls.of != "none"
        return breaks_in or may_call or follow_from_plays(self._faults)

    def _is_copied(self, points: Points, side: int, due: Mapping[int, int | None]) -> bool:
        """Whether a side's due figure, or all the figures of its line, are those of another line."""
        begin, sides = self._hand.begin, self._scores.sides
        written = [line.event for line in self._lines if isinstance(line.event, Points)]
        others = [other for other in written if other.kind != points.kind]
        figures = [(sides.get(name), figure) for other in others for name, figure in other.amounts]
        is_in_hand = any(other.amounts == points.amounts for other in others)
        is_total = is_in_hand and any(begin.scores.standing.totals)
        are_earlier = points in [line.event for line in begin.earlier]
        return (side, due[side]) in figures or is_total or (are_earlier and self._codes[SCORE] > 1)

    def _are_exchanged(self, points: Points, side: int, due: Mapping[int, int | None]) -> bool:
        """Whether a side's due figure is another's on the line, or all are there in another order."""
        sides = self._scores.sides
        rows = [(sides.get(name), figure) for name, figure in points.amounts]
        if any(figure == due[side] for other, figure in rows if other != side):
            return True
        figures = Counter([figure for _, figure in rows])
        return len(rows) > 2 and not Counter(due.values()) - figures


def follow_from_plays(faults: Iterable[Found]) -> bool:
    """Whether figures are found wrong that follow from the scores of a hand."""
    return any(fault.is_figure and fault.finding.code not in {SCORE, MISDEALT} for fault in faults)


def count_for_others(begin: Playing) -> bool:
    """Whether cards that somebody holds count in the score of another player."""
    return begin.judge.ruleset.scoring.hands == "to_player_out"
