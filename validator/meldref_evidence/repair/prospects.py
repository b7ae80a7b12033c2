"""What a slip in writing may explain at all, by the record of a hand: before it is refereed again.

Of 23 repairs found in 195 logs of other programs none was a slip: what is found there hand after
hand is how they play, count or write. Of 1,085 searches there, 900 were of findings that have no prospect.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Final

from meldref.core.cards import JOKER, UNKNOWN, counted, each
from meldref.core.diagnostics import is_among
from meldref.core.effort import EFFORT, STATE
from meldref.core.events import Deal, Points, StockOrder
from meldref.replay.explainer import WrittenHand
from meldref.replay.playing import Playing
from meldref_evidence.repair.between import MISDEALT, shows_missing_hand
from meldref_evidence.repair.course import Found, found_at, may_contradict

FIGURES: Final = ("score", "setup.deal", "setup.dealer", "setup.deck")
"""Figures that may be wrong because of one mistake, which explains others as well."""
SCORE: Final = "score.hand"
NO_MELDS: Final = ("meld.shape", "meld.size")
"""What the cards of a line show by themselves, whatever lies on the table."""
_OF_ONE_LINE: Final = ("draw.pile", "call.nothing", "call.hand", "turn.draw")
"""What one slip makes wrong on one line of a hand, seldom on two: each line has other cards."""
_SCORES_OF_A_PLAY: Final = 2
"""How many scores a play changes at most that was somebody else's, or was not written down."""
_TOO_MANY: Final = ("log.copies", "setup.deck")
"""What is found of cards that the deck has less often."""
_USUAL_LINES: Final = 3
"""On how many lines of a hand the like is found that each shows by itself, if it is no slip,"""
_USUAL_SHARE: Final = 3
"""and what share of all that is found they are at least, one in so many; or of what contradicts."""
_USUAL_HANDS: Final = 2
"""In how many hands of a game nothing explains a contradiction, if it is no slip."""


class Prospects:
    """What is found in a hand as it is written, and which of it a slip in writing may explain."""

    def __init__(self, hand: WrittenHand) -> None:
        self.hand, self._lines, self._scores = hand, hand.lines, hand.end.scores
        self._faults = [found_at(0, finding) for finding in hand.mistakes]
        self._codes = Counter([fault.finding.code for fault in self._faults])
        places = {(fault.finding.code, fault.finding.span.line) for fault in self._faults}
        self._lines_of = Counter([code for code, _ in places])

    @property
    def are_there(self) -> bool:
        """Whether anything may be explained."""
        return any(map(self.may_explain, self._faults))

    @property
    def are_worth_it(self) -> bool:
        """Whether anything may be explained, and there is effort left to look for that."""
        takes = STATE * len(self._lines) if self.are_doubtful else 0
        return EFFORT.spent + takes < EFFORT.limit and self.are_there

    @property
    def are_doubtful(self) -> bool:
        """Whether this looks like another game than the log names, so that little may be a slip.

        Either lines of this hand show that, or a contradiction is found again that nothing
        explained in half of the hands before. What was simply done there, or counted, speaks
        neither for that nor against it.
        """
        others = [fault for fault in self._faults if not fault.proves_itself]
        if any(map(self._is_otherwise_here, others)):
            return True
        again = filter(may_contradict, self._codes)
        hands = [self.hand.unexplained.get(code, 0) for code in again]
        return 2 * max(hands, default=0) >= self.hand.number.begun - 1 > 0

    def is_unexplained(self, fault: Found) -> bool:
        """Whether nothing explained the like in an earlier hand of the game."""
        return fault.finding.code in self.hand.unexplained

    def is_usual(self, fault: Found) -> bool:
        """Whether that is how they play or count here, so that no slip is looked for.

        What was done, what was counted, and melds that are none, are usual if nothing explained the
        like in an earlier hand of the game, other contradictions if nothing did in two. One is
        enough: so no slip of 420 was lost, and of 23 repairs that 195 logs of programs had without
        this, none was right. What each line shows by itself is usual if several lines of the hand
        do, and so are deals if all are of another size.
        """
        if self._is_otherwise_here(fault):
            return True
        shows_at_once = _is_by_itself(fault) or fault.is_conduct or fault.is_figure
        hands = self.hand.unexplained.get(fault.finding.code, 0)
        return hands >= (1 if shows_at_once else _USUAL_HANDS)

    def _is_otherwise_here(self, fault: Found) -> bool:
        """Whether lines of this hand show that they do it otherwise, and not among much else."""
        lines = self._lines_of[fault.finding.code]
        if _is_by_itself(fault):
            return lines >= max(_USUAL_LINES, len(self._faults) / _USUAL_SHARE)
        if fault.finding.code in _OF_ONE_LINE:
            wrong = sum([other.contradicts for other in self._faults])
            return lines >= max(_USUAL_LINES, wrong / _USUAL_SHARE)
        if fault.finding.code in _TOO_MANY:
            return self._is_another_deck
        return fault.finding.code == "setup.deal" and self._are_deals_of_another_size()

    @cached_property
    def _is_another_deck(self) -> bool:
        """Whether one line has several cards more often than the deck of the game has them.

        Or a joker, which no slip makes of another card, where the deck has none.
        """
        deck = self.hand.begin.judge.copies
        for line in self._lines:
            if isinstance(line.event, (Deal, StockOrder)):
                named = Counter([card for card in line.event.cards if card != UNKNOWN])
                if named[JOKER] and not deck[JOKER]:
                    return True
                if sum([many > deck[card] for card, many in named.items()]) >= _USUAL_LINES:
                    return True
        return False

    def _are_deals_of_another_size(self) -> bool:
        """Whether all deals are found wrong, and have as many cards as one another.

        Both of two may be wrong by chance: then cards contradict them.
        """
        deals = [line.event for line in self._lines if isinstance(line.event, Deal)]
        sizes = {len(deal.cards) + deal.unknown for deal in deals}
        is_of_all = self._lines_of["setup.deal"] >= len(deals) > 1
        return len(sizes) == 1 and is_of_all and not (len(deals) == 2 and self._are_contradicted)

    @property
    def _are_contradicted(self) -> bool:
        """Whether somebody plays cards that they do not hold, or a card is named too often."""
        return self._codes["hand.missing"] + self._codes["log.copies"] > 0

    def may_explain(self, fault: Found) -> bool:
        """Whether a mistake may explain a finding, by its kind and by the figures."""
        code = fault.finding.code
        if self.is_usual(fault):
            return False
        if code == MISDEALT:  # only a hand that is missing explains it
            return shows_missing_hand(self.hand.begin, self._lines, self.hand.mistakes)
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

        What was somebody else's takes from one score what it adds to another; what was not written
        down adds to one, and so to totals and the winner, or also to that of whoever holds the card
        otherwise. More is due only if the cards that somebody holds count for another player.
        """
        wrong = self._codes[SCORE]
        if wrong > 1 and count_for_others(self.hand.begin):
            return True
        if wrong > _SCORES_OF_A_PLAY:
            return False
        more = {side: written - due for side, written, due in self._wrong_scores()}
        if len(more) < wrong:
            return True
        if max(more.values()) < 0 or len({*map(abs, more.values())}) > 1:
            return False
        if wrong > 1:  # what adds to both was laid by the one, and is held by the other
            return min(more.values()) < 0 or any(
                self._may_hold(side, points) for side, points in more.items()
            )
        return follow_from_plays(self._faults)

    def _may_hold(self, side: int, points: int) -> bool:
        """Whether some of the cards that a side has at the end may be worth so many points.

        Also if what a card in hand takes from a score is not what it is worth.
        """
        hand, begin = self.hand.end.hand, self.hand.begin
        position = None if hand is None else hand.position
        if hand is None or position is None or not _each_card_counts(begin):
            return True
        seats, sums = begin.scores.before.sides[side], {0}
        for seat in seats:
            for card in each(position.hands[seat]):
                worth = hand.judge.play.worth.held(counted((card,)))
                sums |= {worth + other for other in sums}
        return points in sums or any(position.unknown[seat] for seat in seats)

    def _wrong_scores(self) -> Iterator[tuple[int, int, int]]:
        """The sides whose scores are found wrong, as they are written and as they are due."""
        record = self._scores.record
        if record is None:
            return
        for line in self._lines:
            if isinstance(line.event, Points) and line.event.kind == "score":
                for name, written in line.event.amounts:
                    side = self._scores.sides.get(name, -1)
                    due = record.computed.get(side)
                    if due is not None and written not in {None, due}:
                        yield side, written or 0, due

    def _is_copied(self, points: Points, side: int, due: Mapping[int, int | None]) -> bool:
        """Whether a side's due figure, or all the figures of its line, are those of another line."""
        begin, sides = self.hand.begin, self._scores.sides
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


def _is_by_itself(fault: Found) -> bool:
    """Whether a line may show what was found, whatever lies on the table."""
    return fault.proves_itself or fault.finding.code in NO_MELDS


def follow_from_plays(faults: Iterable[Found]) -> bool:
    """Whether figures are found wrong that follow from the scores of a hand."""
    return any(fault.is_figure and fault.finding.code not in {SCORE, MISDEALT} for fault in faults)


def count_for_others(begin: Playing) -> bool:
    """Whether cards that somebody holds count in the score of another player."""
    return begin.judge_of_hand.ruleset.scoring.hands == "to_player_out"


def _each_card_counts(begin: Playing) -> bool:
    """Whether each card that a player has at the end takes its worth from the player's score."""
    judge = begin.judge_of_hand
    scoring = judge.ruleset.scoring
    is_whole = scoring.divide_by == 1 and scoring.below_zero.hand == "allowed"
    return scoring.hands == "subtract" and is_whole and judge.play.worth.awards is None
