"""What weighing needs of `replay`, to go through the lines of a hand again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from meldref.core.cards import Card
from meldref.core.diagnostics import Finding
from meldref.core.events import Deal, Line
from meldref.engine.judge import Judge
from meldref.position.model import Position


class HandUnderWay(Protocol):
    """A hand under way: its judge, the lines of its deal, and where it stands."""

    judge: Judge
    deals: dict[int, tuple[Line, Deal]]
    up: tuple[Line, Card] | None
    stock: tuple[Line, tuple[Card, ...]] | None
    position: Position | None

    def as_dealt(self) -> Position:
        """The position that the deal makes."""

    def play(self, *, begins: int | None = None) -> Position:
        """The position as it is now; `begins` is who acts first, where that is known."""


class CourseReport(Protocol):
    """What was found on the way, and what was left open."""

    findings: list[Finding]

    @property
    def open(self) -> Sequence[object]:
        """What could not be decided."""


class Course(Protocol):
    """A hand, gone through line by line."""

    judge: Judge

    @property
    def seats(self) -> Mapping[str, int]:
        """The seats by players' names."""

    @property
    def hand(self) -> HandUnderWay | None:
        """The hand under way."""

    @property
    def report(self) -> CourseReport:
        """What was found on the way."""

    def fork(self) -> Course:
        """An independent copy."""

    def play(self, line: Line) -> None:
        """Goes on by a line."""
