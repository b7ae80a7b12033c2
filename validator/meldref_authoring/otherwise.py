"""What a difference between two rulesets comes to: a game that they judge otherwise.

A game is put to both, played again without a search for what was meant. It is an example if one
finds nothing wrong with it and the other does. That a difference shows in no game proves nothing:
what has no effect is told by the keys (`meaning`, `redundant_settings`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from meldref.core.diagnostics import Finding, errors_in
from meldref.core.effort import MOST_SUGGESTIONS
from meldref.core.events import Event, Header, Line
from meldref.notation.reader import Read, read_lines
from meldref.replay.explainer import Explainer
from meldref.replay.log import Overrides, Replay
from meldref.rulefiles.shelf import OneRuleset
from meldref.ruleset.model import Ruleset

Game: TypeAlias = tuple[Event, ...]
"""A game as the events of its log; the first is the header with the players."""


class Trial:
    """Two rulesets: games have to be clean by the first, and the second has to object."""

    def __init__(self, clean: Ruleset, other: Ruleset) -> None:
        self.clean, self.other = clean, other
        self._shelves = (OneRuleset(clean), OneRuleset(other))

    def objection(self, game: Game | str) -> Finding | None:
        """The second ruleset's first error in a game that the first finds clean; else None."""
        lines = list(read_lines(game) if isinstance(game, str) else lines_of(game))
        clean, other = self._shelves
        errors = errors_in(replayed(lines, other).finish().findings)
        if not errors:
            return None
        report = replayed(lines, clean).finish()
        if report.verdict != "clean":
            return None
        return min(errors, key=lambda finding: finding.span.line)


def lines_of(game: Iterable[Event]) -> Iterable[Read]:
    """A game as a replay takes it, without any text."""
    return ((Line(number, "", event), ()) for number, event in enumerate(game, start=1))


def replayed(
    lines: Iterable[Read],
    rulesets: OneRuleset,
    suggestions: int = MOST_SUGGESTIONS,
    explainer: Explainer | None = None,
) -> Replay:
    """A replay of lines by one ruleset, which can go on."""
    run = Replay("", Overrides(rules="asked for"), rulesets, suggestions, explainer)
    run.feed(lines)
    return run


def players(names: Sequence[str]) -> Header:
    """The header that says who plays."""
    return Header("Players", ", ".join(names))
