"""A log while it is written, and its film: some of it at a time, since others ask in between."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, islice
from typing import Any, Final, NamedTuple

from meldref.core.effort import EFFORT
from meldref.core.events import HandStart, Header
from meldref.notation import read_lines
from meldref.notation.reader import Read, read_lines_of
from meldref.notation.roster import NOBODY, Roster
from meldref.notation.scanner import NumberedLines, lines_of
from meldref.replay.log import Replay
from meldref.report.tally import Audited
from meldref_authoring.rulebook import as_section
from meldref_service.given import LOG, At, Rules, at_in
from meldref_service.told import MOST_FINDINGS, Answer, mark, told_finding, told_report
from meldref_table.report.viewer.film import Recorder
from meldref_table.report.viewer.page import FilmedLog, page_of

HASTE: Final = 4000
"""How much effort goes into the findings of a log while it is typed."""
LINES_AT_ONCE: Final = 400
"""How many lines of a log are judged before another question may be asked,"""
FILMED_AT_ONCE: Final = 60
"""and how many are filmed."""
MOST_BEGINNINGS: Final = 100
"""Of how many hands of a log their beginning is kept, to judge the log anew from there."""


class Begun(NamedTuple):
    """A log at the beginning of a hand: lines read, and whether anything was judged in haste."""

    lines: int
    rushed: bool
    roster: Roster
    run: Replay


class Draft:
    """A log while it is written: judged anew from the beginning of the hand that was changed.

    In haste, little effort goes into what probably happened and what would have been legal, and
    what is found may be `rushed`.
    """

    def __init__(self, replay: Callable[[Rules], Replay]) -> None:
        self._replay = replay
        self._rules = Rules.of("")
        self.is_written = False
        self.lines: list[str] = []
        self._beginnings: list[Begun] = []
        self._changed = 0
        self._hasty = False
        self._start_at(self._fresh())

    def write(self, log: str, rules: Rules, *, hasty: bool) -> None:
        """Takes over the log as it is now."""
        self.is_written = True
        before, self.lines = self.lines, [*lines_of(log)]
        same_at_first, same_at_last = _alike(before, self.lines)
        self._rules = rules
        fresh = self._fresh()
        if fresh.run.shelf is not self._run.shelf:
            same_at_first, same_at_last = 0, len(self.lines)
        self._beginnings = [
            begun
            for begun in self._beginnings
            if begun.lines <= same_at_first and (hasty or not begun.rushed)
        ]
        self._changed = len(self.lines) - same_at_last
        self._hasty = hasty
        self._start_at(self._beginnings[-1] if self._beginnings else fresh)

    def _start_at(self, begun: Begun) -> None:
        """Goes on behind the lines that were read there; each of the others is read in its turn."""
        self._at, self._rushed, self._roster, run = begun
        self._told = 0
        self._run = run.fork()
        to_come = NumberedLines(enumerate(self.lines[self._at :], self._at + 1))
        self._reads: Iterator[Read] = read_lines_of(self._roster, to_come)

    def before(self, line: int | None) -> At:
        """Where the log stands before a line, or at its end, from the hand that this is in."""
        last = len(self.lines) + 1 if line is None else line
        known = [begun for begun in self._beginnings if begun.lines < last]
        begun = known[-1] if known else self._fresh()
        run = begun.run.fork()
        to_come = NumberedLines(enumerate(self.lines[begun.lines : last - 1], begun.lines + 1))
        run.feed(read_lines_of(begun.roster, to_come))
        return at_in(run, last, self._rules)

    def begins_with(self, lines: Sequence[str], rules: Rules) -> bool:
        """Whether the log begins with these lines, and is judged by these rules as they are now."""
        return (
            rules == self._rules
            and self.lines[: len(lines)] == lines
            and self._fresh().run.shelf is self._run.shelf
        )

    def _fresh(self) -> Begun:
        """The log before its first line."""
        return Begun(0, False, NOBODY, self._replay(self._rules))

    def go_on(self) -> Answer:
        """Judges the hands that were changed, or some more; the whole report comes at the end."""
        with EFFORT.at_most(HASTE if self._hasty else sys.maxsize):
            more = self._at + LINES_AT_ONCE if self._at > self._changed else self._changed
            judged = self._play(more)
            findings = self._run.so_far.findings
            report = self._run.report if judged else self._run.finish()
            self._rushed = self._rushed or EFFORT.over
        if not judged:
            return {"done": True, "rushed": self._rushed, **told_report(report)}
        until_here = [finding for finding in findings if finding.span.line <= judged]
        return {
            "done": False,
            "judged": judged,
            "marks": [mark(finding) for finding in until_here],
            "findings": [told_finding(finding, LOG) for finding in until_here[:MOST_FINDINGS]],
        }

    def _play(self, enough: int) -> int:
        """Plays on to the end of a hand behind enough lines; how many are judged, 0 for all.

        What was found in that hand is told before it is explained, which happens where it closes.
        """
        often = len(self.lines) // MOST_BEGINNINGS
        for read in self._reads:
            event = read[0].event
            if isinstance(event, HandStart) and self._is_to_be_told(enough):
                self._reads = chain((read,), self._reads)
                return self._at
            self._run.feed((read,))
            self._at += 1
            if isinstance(event, Header) and event.key == "Players":
                self._roster = Roster.of(event)
            if isinstance(event, HandStart):
                last = self._beginnings[-1].lines if self._beginnings else 0
                if self._at - last > often:
                    rushed = self._rushed or EFFORT.over
                    fork = self._run.fork()
                    self._beginnings.append(Begun(self._at, rushed, self._roster, fork))
                if self._at > enough:
                    return self._at - 1
        return self._at if self._is_to_be_told(enough) else 0

    def _is_to_be_told(self, enough: int) -> bool:
        """Whether the hand under way was changed, and what is found in it has not been told yet."""
        is_new = self._at >= enough and self._at > self._told
        if is_new and self._hasty and self._run.reporter.report.findings:
            self._told = self._at
            return True
        return False


def _alike(before: Sequence[str], now: Sequence[str]) -> tuple[int, int]:
    """How many lines are the same at the beginning, and how many of the others at the end."""
    most = min(len(before), len(now))
    first = next((at for at in range(most) if before[at] != now[at]), most)
    last = next((at for at in range(most - first) if before[~at] != now[~at]), most - first)
    return first, last


class Film:
    """A report's page under way."""

    def __init__(self, log: str, run: Replay) -> None:
        self._run = run
        self._reads = read_lines(log)
        self._recorder = Recorder()

    def go_on(self) -> dict[str, Any]:
        """Plays some more lines; the page comes with the last of them."""
        run, recorder = self._run, self._recorder
        some = [*islice(self._reads, FILMED_AT_ONCE)]
        for read in some:
            recorder.feed(run, read)
        if some:
            return {"done": False}
        report = run.finish()
        recorder.finish(run)
        page = "".join(page_of([FilmedLog(Audited(report), recorder.hands)], rulebook=as_section))
        return {"done": True, "page": page}
