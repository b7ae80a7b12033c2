"""Records of games without play: the shortest there are, and score sheets made up by lot.

Nothing here has to be clean: the caller puts each record to the rulesets.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from meldref.core import events
from meldref.core.cards import RANKS
from meldref.core.events import Event
from meldref.position.game import Standing
from meldref.replay.scores import closing_lines
from meldref.rulefiles.shelf import OneRuleset
from meldref.rules.game import stands, tie_break
from meldref.ruleset.model import Ruleset
from meldref_authoring.otherwise import Game, lines_of, players, replayed
from meldref_table.simulate.games import names_for
from meldref_table.simulate.rng import Dice

_SHEETS: Final = 150
"""How many score sheets are made up of each number of hands."""
_SMALL_TABLE: Final = 4
_MOST_HANDS: Final = 4
"""A score sheet has no more hands: one decides, two are level, and one follows them."""


def probes(ruleset: Ruleset, sections: frozenset[str]) -> Iterator[Game]:
    """The shortest records there are, which can show keys of some sections."""
    for number in ruleset.players.numbers:
        start = (players(names_for(number)), events.HandStart(1))
        yield start
        if "named" in ruleset.melds.wild.cards:
            for rank in range(len(RANKS)):
                yield (*start, events.WildRank(rank))
        if "game" in sections:
            yield (*start, events.HandEnd("agreed"))


def sheets(ruleset: Ruleset, other: Ruleset) -> Iterator[Iterator[Game]]:
    """Score sheets that go on for as long as the ruleset does, with who won and what is paid.

    Short ones come first. The scores are around the limits of both rulesets, equal ones among them.
    """
    for hands in range(1, _MOST_HANDS + 1):
        for number in range(_SHEETS):
            yield _Sheet(ruleset, other, Dice(hands, "sheet", number)).games(hands)


class _Sheet:
    """The score sheet of one table, made up by lot."""

    def __init__(self, ruleset: Ruleset, other: Ruleset, dice: Dice) -> None:
        self.ruleset, self.dice = ruleset, dice
        numbers = ruleset.players.numbers
        small = [number for number in numbers if number <= _SMALL_TABLE] or numbers[:1]
        self.names = names_for(dice.pick(small))
        self.game: Game = (players(self.names),)
        self._rulesets = OneRuleset(ruleset)
        self._points = [10, 20, -10]
        for game in (ruleset.game, other.game):
            for limit in (game.target, game.out_at):
                if limit is not None:
                    self._points += [limit, limit + 10]

    def games(self, hands: int) -> Iterator[Game]:
        """The sheet after each of its lines that can show something, for a number of hands."""
        dice = self.dice
        names_dealers = dice.below(3) == 0
        for hand in range(1, hands + 1):
            agreed = dice.below(6) == 0
            dealer = dice.pick(self.names) if names_dealers else None
            self.game = (*self.game, events.HandStart(hand, dealer), *self._hand(agreed=agreed))
            yield self.game
            yield from self._finished()
            if agreed:
                return

    def _hand(self, *, agreed: bool) -> Iterator[Event]:
        """How a hand ended, where that is written down, and what it scored."""
        dice, standing = self.dice, self._standing()
        sides: Sequence[int] = range(len(standing.names))
        tied = tie_break(self.ruleset, standing, stands(self.ruleset, standing))
        if tied and self.ruleset.game.tie.who == "tied":
            sides = tied
        names = [standing.names[side] for side in sides]
        if agreed:
            yield events.HandEnd("agreed")
        elif dice.below(2):
            yield events.HandEnd("out", dice.pick(names).partition("+")[0])
        points = [dice.pick(self._points)] * len(names)
        if dice.below(3):
            points[dice.below(len(names))] = dice.pick(self._points)
        yield events.Points("score", tuple(zip(names, points, strict=True)))

    def _finished(self) -> Iterator[Game]:
        """The sheet with the total, and if the game can be over, who won and what is paid."""
        standing = self._standing()
        if None in standing.totals:
            return
        verdict = stands(self.ruleset, standing)
        over = (verdict.over or verdict.may_stop) and bool(verdict.winners)
        unscored = [None] * len(standing.names)
        _, total, *end = closing_lines(
            self.ruleset, standing, unscored, verdict._replace(over=over)
        )
        yield (*self.game, total)
        for place in range(len(end)):
            yield (*self.game, *end[: place + 1])

    def _standing(self) -> Standing:
        """How the game stands after the sheet."""
        empty = len(self.game) == 1
        lines = (*self.game, events.HandStart(1)) if empty else self.game
        run = replayed(lines_of(lines), self._rulesets)
        assert run.game is not None
        run.game.scores.count(run.game.hand)
        return run.game.scores.standing
