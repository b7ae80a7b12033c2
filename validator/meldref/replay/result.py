"""What an audit says of a log: findings, scores, what could not be decided, and a verdict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from meldref.core.diagnostics import Finding, errors_in
from meldref.core.records import fresh, hidden, passed, record
from meldref.core.text import one_line
from meldref.position.game import Subject

Verdict = Literal["clean", "violations", "undecided", "unreadable"]


@record
class Open:
    """Something that unknown cards leave open; `about` says which figure, or who won."""

    line: int
    what: str = passed(one_line)
    game: int = 0
    hand: int = 0
    about: Subject | None = hidden(default=None)


@record
class Scores:
    """A hand's scores by player or side: as recorded (None: not recorded) and as computed.

    `computed` is None where nothing could be computed; it leaves out those whose cards are unknown.
    `totals` are those after the hand (None: not known), `stated` those that the log has, `calls`
    how often who called "Rummy!". `absent` did not play the hand.
    """

    game: int
    hand: int
    recorded: Mapping[str, int] | None
    computed: Mapping[str, int] | None
    totals: Mapping[str, int | None] | None = hidden(default=None)
    stated: Mapping[str, int] | None = hidden(default=None)
    calls: Mapping[str, int] | None = hidden(default=None)
    absent: Sequence[str] = hidden(default=())


@record(frozen=False)
class LogReport:
    """The audit of one log."""

    path: str
    games: int = 0
    hands: int = 0
    turns: int = 0
    findings: list[Finding] = fresh(default_factory=list)
    scores: list[Scores] = fresh(default_factory=list)
    open: list[Open] = fresh(default_factory=list)
    readable: bool = True

    @property
    def verdict(self) -> Verdict:
        """`clean`, `violations`, `undecided` or `unreadable`."""
        if not self.readable:
            return "unreadable"
        if errors_in(self.findings):
            return "violations"
        return "undecided" if self.open else "clean"
