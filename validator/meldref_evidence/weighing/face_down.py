"""Looks back at open turns that end with a card nobody saw thrown: later lines may show which it was.

Each card that it may have been is tried: the hand is played on with it. Where a line cannot be true
then, as the cards it plays are not there, it was another one. What no rule forbids cannot be held
against anybody; if only cards remain that may not be thrown, the turn was illegal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import Final

from meldref.core.cards import Card, card_text
from meldref.core.diagnostics import Finding, Span, errors_in
from meldref.core.events import Action, Call, Discard, Line, Turn
from meldref.core.records import changed, fresh, record
from meldref.core.text import in_words
from meldref.notation.actions import hides_discard
from meldref.rules.calls import claim
from meldref.rules.declare import facts
from meldref_evidence.weighing.course import Course

MOST_PLAYED: Final = 4_000
"""How many lines of a hand are played to find out what was thrown; what is left stays open."""

_OF_CARDS: Final = ("draw.pile", "buy.card", "log.assert")
"""What is wrong if a card does not lie where it is taken from, or where a line says it does."""


@record
class Thrown:
    """A turn with an unseen discard that later lines decide: legal if nothing is `wrong` with it."""

    line: int
    wrong: Finding | None = None


@record(frozen=False)
class _PossibleDiscard:
    """A card that may have been thrown.

    `wrong` is what would be wrong with that, `is_open` says that nobody would know.
    """

    card: Card
    course: Course
    wrong: Finding | None
    is_open: bool


def decide_discards(
    begin: Course, lines: Sequence[Line], left_open: AbstractSet[int]
) -> list[Thrown]:
    """The open turns with an unseen discard that later lines decide."""
    search = _Search(lines)
    course = begin.fork()
    decided: list[Thrown] = []
    for at, line in enumerate(lines):
        if search.left <= 0:
            break
        event = line.event if line.number in left_open else None
        if isinstance(event, Turn) and hides_discard(event.actions):
            decided += search.decide(course, at)
        course.play(line)
    return decided


@record(frozen=False)
class _Search:
    """The lines of a hand, and how many more may be played."""

    lines: Sequence[Line]
    left: int = MOST_PLAYED
    shown_by: set[int] = fresh(default_factory=set)

    def decide(self, before: Course, at: int) -> Iterator[Thrown]:
        """What the lines after an open turn say of the card it throws, if they decide the turn."""
        self.shown_by = set()
        tried = list(self._tried(before, at))
        forbidden = [discard for discard in tried if discard.wrong is not None]
        allowed = [discard for discard in tried if discard.wrong is None]
        doubtful = [discard for discard in allowed if discard.is_open]
        free = [discard for discard in allowed if not discard.is_open]
        possible = [discard for discard in forbidden if self._may_be(discard, at)]
        if not possible:
            may_be_wrong = any(self._may_be(discard, at) for discard in doubtful)
            if not may_be_wrong and any(self._may_be(discard, at) for discard in free):
                yield Thrown(self.lines[at].number)
        elif not any(self._may_be(discard, at) for discard in [*free, *doubtful]):
            yield Thrown(self.lines[at].number, self._told(possible))

    def _tried(self, before: Course, at: int) -> Iterator[_PossibleDiscard]:
        """The turn with each card that its player may have thrown."""
        line = self.lines[at]
        event = line.event
        assert isinstance(event, Turn)
        as_written = _errors(self._played(before, line))
        front = before
        if event.actions[:-1]:
            front = self._played(before, _with_actions(line, event, event.actions[:-1]))
        position = None if front.hand is None else front.hand.position
        if position is None or position.players[position.turn.seat] != event.player:
            return
        for card in position.may_be_held(position.turn.seat):
            thrown = (*event.actions[:-1], Discard(card))
            course = self._played(before, _with_actions(line, event, thrown))
            wrong = [
                finding
                for finding in errors_in(course.report.findings)
                if (finding.span, finding.code) not in as_written
            ]
            yield _PossibleDiscard(
                card, course, wrong[0] if wrong else None, bool(course.report.open)
            )

    def _played(self, before: Course, line: Line) -> Course:
        """A copy of a hand that is played on by a line."""
        course = before.fork()
        self.left -= 1
        course.play(line)
        return course

    def _may_be(self, tried: _PossibleDiscard, at: int) -> bool:
        """Whether all later lines may be true if that card was thrown, as far as it is looked at."""
        course = tried.course.fork()
        for line in self.lines[at + 1 :]:
            self.left -= 1
            if self.left <= 0:
                return True
            if _calls_in_vain(course, line):
                self.shown_by.add(line.number)
                return False
            course.play(line)
            if any(_cannot_be(finding) for finding in errors_in(course.report.findings)):
                self.shown_by.add(line.number)
                return False
        return True

    def _told(self, possible: Sequence[_PossibleDiscard]) -> Finding:
        """What was wrong, at its line, with the lines that show it."""
        finding = possible[0].wrong
        assert finding is not None
        numbers = [str(number) for number in sorted(self.shown_by)]
        shows = (
            f"lines {in_words(numbers)} show" if len(numbers) > 1 else f"line {numbers[0]} shows"
        )
        cards = in_words([card_text(tried.card) for tried in possible], "or")
        note = f"{shows} that the card discarded was {cards}"
        return changed(finding, notes=(*finding.notes, note))


def _with_actions(line: Line, event: Turn, actions: Sequence[Action]) -> Line:
    return line._replace(event=event._replace(actions=tuple(actions)))


def _errors(course: Course) -> set[tuple[Span, str]]:
    return {(finding.span, finding.code) for finding in errors_in(course.report.findings)}


def _calls_in_vain(course: Course, line: Line) -> bool:
    """Whether a line calls cards that do not lie in the pile."""
    event, hand = line.event, course.hand
    call = event.actions[0] if isinstance(event, Turn) else None
    if not isinstance(call, Call) or hand is None or hand.position is None:
        return False
    position = hand.position
    return position.pile_known and claim(course.judge.binding, position, call.cards) is None


def _cannot_be(finding: Finding) -> bool:
    """Whether a finding shows that cards are not where a line says that they are."""
    code = facts(finding.code)
    is_conduct = finding.rule is not None and finding.rule.key in code.conduct_by
    is_of_cards = code.not_there or finding.code in _OF_CARDS
    return is_of_cards and not is_conduct
