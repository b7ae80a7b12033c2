"""Makes an example smaller for as long as it stays one: fewer lines, players, actions, cards that are known."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from meldref.authoring.example import fewer_actions, fewer_lines
from meldref.authoring.example.plain import undealt, unnumbered, unseen
from meldref.authoring.example.trial import Game, Trial, names_of
from meldref.core import events
from meldref.core.cards import JOKER
from meldref.core.diagnostics import Finding
from meldref.core.events import Turn

_MOST_LINES: Final = 30_000
"""So many lines are put to the rulesets, in all, to make one example smaller."""
_ODD: Final = 4
"""What no hand at a table consists of counts as so many lines more."""
_WAYS: Final[tuple[Callable[[Game], Iterator[Game]], ...]] = (
    fewer_lines.tails,
    fewer_lines.runs,
    fewer_lines.joined,
    fewer_lines.ended,
    fewer_lines.fewer_players,
    fewer_actions.fewer_actions,
    fewer_actions.fewer_melds,
    fewer_actions.smaller_melds,
    fewer_lines.pairs,
    fewer_lines.fewer_cards,
    fewer_lines.gaps,
)
"""The ways of leaving things out, in the order in which they are tried."""


def weight(game: Game) -> tuple[int, ...]:
    """How large a game is: its lines, the actions in them, cards and figures that are named, wild cards, players.

    What no hand at a table consists of, gaps and assertions, counts as several lines.
    """
    actions = [action for event in game if isinstance(event, Turn) for action in event.actions]
    laid = [card for action in actions if isinstance(action, events.Meld | events.LayOff) for card in action.cards]
    cards = sum(len(event.cards) for event in game if isinstance(event, events.Deal | events.StockOrder))
    wild = sum(card.card == JOKER or card.role is not None for card in laid)
    odd = sum(isinstance(event, (events.Gap, *events.ASSERTIONS)) for event in game)
    return len(game) + _ODD * odd, len(actions), len(laid) + cards + _figures(game), wild, len(names_of(game))


def _figures(game: Game) -> int:
    return sum(len(event.amounts) for event in game if isinstance(event, events.Points))


class Shrinker:
    """Makes examples of one trial smaller."""

    def __init__(self, trial: Trial) -> None:
        self._trial = trial
        self._left = _MOST_LINES

    def shrink(self, game: Game, found: Finding) -> Game:
        """The smallest example that can be had from one, by leaving out and by renaming."""
        self._left = _MOST_LINES
        best = game[: found.span.line]
        if not self._holds(best):
            best = game
        best = self._bare(best)
        while True:
            before = weight(best)
            for ways in _WAYS:
                best = self._smaller(best, ways)
            if weight(best) >= before:
                return best

    def _bare(self, game: Game) -> Game:
        """Without what a line need not say: numbers, and cards that were dealt."""
        for simpler in (unnumbered(game), undealt(unnumbered(game)), unseen(unnumbered(game))):
            if self._holds(simpler):
                game = simpler
        return game

    def _smaller(self, game: Game, ways: Callable[[Game], Iterator[Game]]) -> Game:
        """What one way of leaving things out makes of a game, again and again from the start."""
        again = True
        while again:
            again = False
            for smaller in ways(game):
                if weight(smaller) < weight(game) and self._holds(smaller):
                    game, again = smaller, True
                    break
        return game

    def _holds(self, game: Game) -> bool:
        if self._left <= 0:
            return False
        self._left -= len(game)
        return self._trial.objection(game) is not None
