"""Reports what is found in a log and what it leaves open: at its line, in its game and hand."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy

from meldref.core.diagnostics import Finding
from meldref.core.effort import Suggestions
from meldref.core.events import Line
from meldref.core.records import changed, copied, fresh, record
from meldref.engine.judge import finding
from meldref.position.game import Subject
from meldref.position.turn import Place
from meldref.replay.result import LogReport, Open
from meldref.rules.base import Violation
from meldref.ruleset.model import Ruleset


def whole_line(line: Line) -> Place:
    """The place of a line as a whole."""
    return Place(line.number, line.text)


@record(frozen=False)
class Reporter:
    """Where what is found goes, and what it has to say of the place.

    `game` and `hand` are the numbers of those under way (0: none). `doubt` is the first line of the
    hand after which the position may not be what it was at the table, and why: an action was
    skipped, or a line could not be read. Later findings say so. `before` is how many findings, open
    questions and turns there were when the hand began; `has_let_go`: not all are kept that were
    found since then. `is_trial`: an edit is only tried, and nobody reads the notes.
    """

    report: LogReport = fresh(default_factory=lambda: LogReport(""))
    file: str = ""
    suggestions: Suggestions = fresh(default_factory=Suggestions)
    game: int = 0
    hand: int = 0
    doubt: tuple[int, str] | None = None
    before: tuple[int, int, int] = (0, 0, 0)
    has_let_go: bool = False
    is_trial: bool = False

    def fork(self) -> Reporter:
        """One for a copy of what is under way: it has a report of its own, and suggests nothing."""
        other = copied(self)
        other.report, other.suggestions = LogReport(""), Suggestions(0)
        other.before = (0, 0, 0)
        return other

    def copy(self) -> Reporter:
        """One for a copy of the whole log, with all that was found until now."""
        other, report = copied(self), self.report
        findings, scores = [*report.findings], [*report.scores]
        other.report = changed(report, findings=findings, scores=scores, open=[*report.open])
        other.suggestions = copy(self.suggestions)
        return other

    def begin_hand(self, number: int) -> None:
        """A hand begins, or with 0 the one under way is over."""
        self.hand, self.doubt = number, None

    def begin_lines(self) -> None:
        """What was found until now was found before the first line of the hand: it stays."""
        report = self.report
        self.before = len(report.findings), len(report.open), report.turns
        self.has_let_go = False

    def take_in(self, code: str, since: int) -> None:
        """Findings of a code right before the hand, from number `since` on, are explained in it."""
        findings, (start, questions, turns) = self.report.findings, self.before
        while since < start <= len(findings):
            if (findings[start - 1].code, findings[start - 1].game) != (code, self.game):
                break
            start -= 1
        self.before = (start, questions, turns)

    def forget(self, keep: int) -> None:
        """Lets go of all that was found but `keep` findings: nobody asks for the rest again.

        What the hand under way leaves open stays, as it is weighed when the hand is over.
        """
        report, (findings, questions, turns) = self.report, self.before
        self.has_let_go = self.has_let_go or len(report.findings) > keep
        del report.findings[keep:], report.open[:questions], report.scores[:]
        self.before = findings, 0, turns

    def take_back(self) -> None:
        """The hand is played again: what was found in it goes, but lines stay unreadable."""
        self.findings = [finding for finding in self.findings if finding.code == "log.syntax"]
        self.questions = []
        self.report.turns = self.before[2]
        self.has_let_go, self.doubt = False, None

    @property
    def findings(self) -> list[Finding]:
        """What was found in the hand."""
        return self.report.findings[self.before[0] :]

    @findings.setter
    def findings(self, findings: Sequence[Finding]) -> None:
        self.report.findings[self.before[0] :] = findings

    @property
    def questions(self) -> list[Open]:
        """What the hand left open."""
        return self.report.open[self.before[1] :]

    @questions.setter
    def questions(self, questions: Sequence[Open]) -> None:
        self.report.open[self.before[1] :] = questions

    def found(self, finding: Finding) -> None:
        """Reports a finding, where it is."""
        place: dict[str, object] = {} if finding.file else {"file": self.file}
        if not finding.game:
            place |= {"game": self.game, "hand": self.hand}
        self.report.findings.append(changed(finding, **place))

    def wrong(
        self,
        ruleset: Ruleset,
        violation: Violation,
        place: Place | None,
        player: str | None = None,
        help_: tuple[str, ...] = (),
    ) -> None:
        """Reports a violation; `help_` is what would have been legal."""
        at = violation.place or place
        notes: tuple[str, ...] = ()
        if at and self.doubt is not None and self.doubt[0] < at.line:
            line, why = self.doubt
            notes = (f"this may be caused by line {line}, {why}",)
        where = (self.file, self.game, self.hand)
        self.report.findings.append(finding(ruleset, violation, place, player, help_, notes, where))

    def undecided(self, line: Line, what: str, about: Subject | None = None) -> None:
        """Reports what could not be decided."""
        self.report.open.append(Open(line.number, what, self.game, self.hand, about))
