"""A game put to two rulesets: is it clean by the one, and what does the other find in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from meldref.authoring.judged import OneRuleset
from meldref.core.diagnostics import Finding, errors_in
from meldref.core.events import Event, Header, Line
from meldref.notation.reader import read_lines
from meldref.replay.log import Overrides, Replay
from meldref.replay.result import LogReport
from meldref.ruleset.model import Ruleset

Game: TypeAlias = tuple[Event, ...]
"""A game as the events of its log; the first is the header with the players."""


class Trial:
    """Two rulesets: games have to be clean by the first, and the second has to object."""

    def __init__(self, clean: Ruleset, other: Ruleset) -> None:
        self.clean, self.other = clean, other
        self._shelves = (OneRuleset(clean), OneRuleset(other))
        self.tried = 0
        """How many games were put to the rulesets."""

    def objection(self, game: Game) -> Finding | None:
        """The first thing the second ruleset finds wrong in a game that is clean by the first; else None."""
        self.tried += 1
        found = first_error(_audited(game, self._shelves[1]))
        return None if found is None or not self._is_clean(game) else found

    def _is_clean(self, game: Game) -> bool:
        """Whether the first ruleset finds nothing in a game, and leaves nothing open."""
        report = _audited(game, self._shelves[0])
        return report.verdict == "clean" and not report.findings

    def confirm(self, text: str) -> Finding | None:
        """The same as `objection` of a log as it is written."""
        clean, other = (_replayed(text, shelf) for shelf in self._shelves)
        return first_error(other) if clean.verdict == "clean" and not clean.findings else None


def names_of(game: Game) -> tuple[str, ...]:
    """Who plays."""
    header = game[0]
    assert isinstance(header, Header)
    return tuple(name.strip() for name in header.value.split(","))


def players(names: Sequence[str]) -> Header:
    """The header that says who plays."""
    return Header("Players", ", ".join(names))


def first_error(report: LogReport) -> Finding | None:
    """The first error of an audit, by line."""
    errors = errors_in(report.findings)
    return min(errors, key=lambda finding: finding.span.line) if errors else None


def _audited(game: Game, shelf: OneRuleset) -> LogReport:
    run = Replay("", Overrides(rules="asked for"), shelf)
    run.feed((Line(number, "", event), ()) for number, event in enumerate(game, start=1))
    return run.finish()


def _replayed(text: str, shelf: OneRuleset) -> LogReport:
    run = Replay("", Overrides(rules="asked for"), shelf)
    run.feed(read_lines(text))
    return run.finish()
