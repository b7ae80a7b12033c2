"""Makes an example smaller for as long as it stays one: delta debugging over its lines, actions and cards."""

from __future__ import annotations

from typing import Final

from meldref.authoring.example import parts
from meldref.authoring.example.trial import Game, Trial, names_of
from meldref.core import events
from meldref.core.cards import JOKER
from meldref.core.diagnostics import Finding
from meldref.core.events import Turn
from meldref.core.records import changed

_MOST_LINES: Final = 30_000
"""The lines that are put to the rulesets, in all, to make one example smaller."""
_ODD: Final = 4
"""What no hand at a table consists of counts as this many lines more."""
_WAYS: Final = (
    parts.fewer_lines,
    parts.simpler,
    parts.fewer_entries,
    parts.fewer_cards,
    parts.fewer_pairs,
)
"""The ways to make a game smaller, in the order in which they are tried."""


def weight(game: Game) -> tuple[int, ...]:
    """How large a game is: its lines, the actions in them, cards and figures that are named, wild cards, players.

    What no hand at a table consists of, gaps and assertions, counts as several lines.
    """
    actions = [action for event in game if isinstance(event, Turn) for action in event.actions]
    laid = [card for action in actions if isinstance(action, events.Meld | events.LayOff) for card in action.cards]
    cards = sum(len(event.cards) for event in game if isinstance(event, events.Deal | events.StockOrder))
    figures = sum(len(event.amounts) for event in game if isinstance(event, events.Points))
    wild = sum(card.card == JOKER or card.role is not None for card in laid)
    odd = sum(isinstance(event, (events.Gap, *events.ASSERTIONS)) for event in game)
    return len(game) + _ODD * odd, len(actions), len(laid) + cards + figures, wild, len(names_of(game))


class Shrinker:
    """Makes examples of one trial smaller."""

    def __init__(self, trial: Trial) -> None:
        self._trial = trial
        self._left = _MOST_LINES
        self._failed: set[Game] = set()

    def shrink(self, game: Game, found: Finding) -> Game:
        """The smallest example that can be had from one, by leaving out and by renaming."""
        self._left = _MOST_LINES
        self._failed.clear()
        best = game
        for simpler in (lambda game: game[: found.span.line], _unnumbered, _undealt, _unseen):
            if self._holds(simpler(best)):
                best = simpler(best)
        before = None
        while before != weight(best):
            before = weight(best)
            for ways in _WAYS:  # each again and again from the start
                smaller: Game | None = best
                while smaller is not None:
                    best, least = smaller, weight(smaller)
                    smaller = next((one for one in ways(best) if weight(one) < least and self._holds(one)), None)
        return best

    def _holds(self, game: Game) -> bool:
        if self._left <= 0 or game in self._failed:
            return False
        self._left -= len(game)
        if self._trial.objection(game) is not None:
            return True
        self._failed.add(game)
        return False


def _unnumbered(game: Game) -> Game:
    """Without numbers of turns."""
    return parts.each_turn(game, lambda turn: turn._replace(number=None))


def _undealt(game: Game) -> Game:
    """Without the cards that were dealt, turned up and known in the stock."""
    return tuple(event for event in game if not isinstance(event, parts.DEALT))


def _unseen(game: Game) -> Game:
    """With unknown cards in all hands."""
    return tuple(
        changed(event, cards=(), unknown=len(event.cards) + event.unknown)
        if isinstance(event, events.Deal)
        else event
        for event in game
        if not isinstance(event, events.StockOrder)
    )
