"""Explains hands that are over by their whole record: repairs, and cards that nobody saw."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from meldref.core.diagnostics import Finding, Repair, following
from meldref.core.events import Gap, Header, Line, Turn
from meldref.core.records import changed, record
from meldref.replay.explainer import (
    ExplainedHand,
    PlayedHand,
    WrittenHand,
    renumbered,
    rewritten,
)
from meldref.replay.playing import Playing
from meldref_evidence.repair.between import PLAYERS, numbered_as_melded, without_absent
from meldref_evidence.repair.course import found_at, other_cards
from meldref_evidence.repair.edits import numbers_of
from meldref_evidence.repair.prospects import Prospects
from meldref_evidence.repair.search import Explained, explain, readable, unexplained
from meldref_evidence.weighing.hand import ClosedHand
from meldref_evidence.weighing.several import Row
from meldref_evidence.whole_record import WholeRecord

_TORN: Final = 4
"""How much contradicts the cards of a hand, if from a line on it is another one."""


@record
class RecordExplainer:
    """Explains what was found by slips in writing, and weighs what nobody saw.

    Without `repairs`, it does not look for slips in the lines of a hand. `doubt` is by how much
    another explanation may be less likely and is named with it; `closed` is told of each hand that
    may be weighed.
    """

    repairs: bool = True
    doubt: float = 0.0
    closed: Callable[[ClosedHand], None] | None = None

    def explain(self, hand: WrittenHand) -> ExplainedHand | None:
        """How a hand was probably played, and what is found then, each mistake once."""
        if _is_twice(hand):
            return ExplainedHand(hand.begin, hand.lines, [_once(hand)], is_twice=True)
        if not (self.repairs and hand.mistakes and hand.lines):
            return None
        lines = readable(hand.lines)
        explained = self._explained(hand, lines)
        begin = explained.begin
        findings = [
            *_misnumbered(hand, begin),
            *[_at_header(hand.header, finding, begin) for finding in explained.findings],
        ]
        if begin is not hand.begin:
            return ExplainedHand(begin, explained.lines, findings, explained.open, None)
        others = other_cards(lines, explained.lines)
        torn = _torn(hand.lines, [*hand.others, *findings])
        return ExplainedHand(begin, explained.lines, findings, explained.open, others, torn)

    def _explained(self, hand: WrittenHand, lines: Sequence[Line]) -> Explained:
        """How the hand was probably played, as far as there is time to look for that."""
        mistakes, reporter = hand.mistakes, hand.end.reporter
        if not reporter.suggestions.may_look_at(len(hand.begin.players), len(mistakes)):
            findings = [unexplained(mistakes[0]), *mistakes[1:]]
            return Explained(findings, [*hand.lines], hand.begin)
        prospects, audited = Prospects(hand), reporter.turns + len(lines)
        begin = without_absent(hand.begin, lines)
        with reporter.suggestions.explaining(audited, in_vain=prospects.are_doubtful):
            begin = numbered_as_melded(begin, lines, mistakes, hand.number)
            explained = explain(prospects, begin, lines, self.doubt)
        if prospects.are_there:
            is_slip = any(finding.repair is not None for finding in explained.findings)
            reporter.suggestions.explained(audited, is_slip=is_slip)
        return explained

    def weigh(self, hand: PlayedHand, *, is_void: bool) -> None:
        """Decides what a hand leaves open, by what all its lines show."""
        whole = WholeRecord(hand)
        if not is_void:
            whole.look_back()
        whole.weigh(self.closed)

    def weigh_totals(self, hand: PlayedHand, earlier: Mapping[int, object]) -> Mapping[int, object]:
        """Weighs totals over several hands, and who won by them."""
        rows: dict[int, Row] = {}
        for side, row in earlier.items():
            rows[side] = row if isinstance(row, Row) else Row(side, 0)
        return WholeRecord(hand).weigh_totals(rows)


WEIGHING: Final = RecordExplainer(repairs=False)
"""An explainer that only weighs what nobody saw: what is found is told as it is found."""


def _is_twice(hand: WrittenHand) -> bool:
    """Whether the lines of the hand before are written again, which is found at its own line.

    Two hands may have the same figures: on a score sheet the hand's own line is the same, too.
    """
    if not hand.opening or hand.begin.hand is None:
        return False
    lines = [line.event for line in (hand.begin.hand.line, *hand.lines)]
    before = [line.event for line in hand.begin.earlier]
    is_played = any(type(event) is Turn for event in lines)
    return lines == before or (is_played and lines[1:] == before[1:])


def _once(hand: WrittenHand) -> Finding:
    """What is told of a hand that is written twice."""
    first, *others = hand.opening
    rest = [finding for finding in hand.mistakes if finding not in hand.opening]
    gone = following([*others, *rest])
    repair = Repair("hand-twice", first.span.line, "this hand is written twice", gone)
    return changed(first, repair=repair)


def _misnumbered(hand: WrittenHand, begin: Playing) -> list[Finding]:
    """What shows that the first hand of the log has another number."""
    record = begin.scores.record
    if not hand.number.is_first or record is None or record.number == hand.number.first:
        return []
    assert begin.hand is not None
    shown, *others = [finding for finding in hand.mistakes if finding.code == "meld.contract"]
    repair = renumbered(begin.hand.line, record.number, following(others))
    return [changed(shown, repair=repair)]


def _at_header(header: Line, finding: Finding, begin: Playing) -> Finding:
    """A finding, with its repair at the header if players have to be named otherwise there."""
    repair = finding.repair
    if repair is None or repair.edit not in PLAYERS:
        return finding
    edits = rewritten(header, Header("Players", ", ".join(begin.players)))
    return changed(finding, repair=changed(repair, line=header.number, edits=edits))


def _torn(lines: Sequence[Line], findings: Sequence[Finding]) -> int:
    """Where another hand goes on, of which a page is missing with the end of this one; or 0.

    One number of a turn is lower, and from there on cards fit nothing, which nothing explains.
    """
    bare = [finding for finding in findings if finding.repair is None]
    numbers = [finding.span.line for finding in bare if finding.code == "log.number"]
    if len(numbers) != 1:
        return 0
    at = next((at for at, line in enumerate(lines) if line.number == numbers[0]), 0)
    before, after = numbers_of(lines[:at]), numbers_of(lines[at:])
    is_lower = before and after and after[0] < before[-1]
    if not is_lower or Gap in {type(line.event) for line in lines}:
        return 0
    later = [finding for finding in bare if finding.span.line >= numbers[0]]
    wrong = sum([found_at(0, finding).contradicts for finding in later])
    return at if wrong >= _TORN else 0
