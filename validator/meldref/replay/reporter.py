"""Reports what is found in a log and what it leaves open: at its line, in its game and hand."""

from __future__ import annotations

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


def copy_of(report: LogReport) -> LogReport:
    """A report that can be gone on with by itself."""
    findings, questions, scores = [*report.findings], [*report.open], [*report.scores]
    return changed(report, findings=findings, open=questions, scores=scores)


def add_part(whole: LogReport, part: LogReport) -> None:
    """Adds what was found, played and left open in a part of a log."""
    whole.turns += part.turns
    whole.findings += part.findings
    whole.open += part.open


def whole_line(line: Line) -> Place:
    """The place of a line as a whole."""
    return Place(line.number, line.text)


@record(frozen=False)
class Reporter:
    """Where what is found goes, and what it has to say of the place.

    `report` has what is found now, as long as it may be found otherwise: in a hand under way, or
    between two hands. What is settled goes into the report of the `log`. `game` and `hand` are the
    numbers of those under way (0: none). `doubt` is the first line of the hand after which the
    position may not be what it was at the table, and why: an action was skipped, or a line could
    not be read. Later findings say so. `has_let_go`: not all is there that was found in the hand.
    `is_trial`: an edit is only tried, and nobody reads the notes.
    """

    log: LogReport = fresh(default_factory=lambda: LogReport(""))
    file: str = ""
    suggestions: Suggestions = fresh(default_factory=Suggestions)
    game: int = 0
    hand: int = 0
    doubt: tuple[int, str] | None = None
    has_let_go: bool = False
    is_trial: bool = False
    report: LogReport = fresh(default_factory=lambda: LogReport(""))

    def fork(self) -> Reporter:
        """One for a copy of what is under way: it has a report of its own, and suggests nothing."""
        other = copied(self)
        other.log, other.report, other.suggestions = LogReport(""), LogReport(""), Suggestions(0)
        return other

    def copy(self) -> Reporter:
        """One for a copy of the whole log, with all that was found until now."""
        other = copied(self)
        other.log, other.report = copy_of(self.log), copy_of(self.report)
        other.suggestions = copy(self.suggestions)
        return other

    def begin_hand(self, number: int) -> None:
        """A hand begins, or with 0 the one under way is over."""
        self.hand, self.doubt = number, None

    def begin_report(self) -> LogReport:
        """From here on, what is found goes into a new report; it returns the one until now."""
        before, self.report = self.report, LogReport("")
        self.has_let_go, self.doubt = False, None
        return before

    def settle(self, *reports: LogReport) -> None:
        """What was found until now is final: first in some reports, and then since those."""
        for report in (*reports, self.report):
            add_part(self.log, report)
        self.report = LogReport("")

    @property
    def turns(self) -> int:
        """How many turns of the log were played until now."""
        return self.log.turns + self.report.turns

    def add_finding(self, finding: Finding) -> None:
        """Reports a finding, where it is."""
        place: dict[str, object] = {} if finding.file else {"file": self.file}
        if not finding.game:
            place |= {"game": self.game, "hand": self.hand}
        self.report.findings.append(changed(finding, **place))

    def report_violation(
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

    def leave_open(self, line: Line, what: str, about: Subject | None = None) -> None:
        """Reports what could not be decided."""
        self.report.open.append(Open(line.number, what, self.game, self.hand, about))
