"""What a player decides, and the player who does anything that is legal.

A player of the library's own sees the position and must not use what nobody at a table would see: other hands, and
the stock. One from outside is given what its seat sees, and nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from meldref.core.cards import Card
from meldref.core.events import Action, Call, WildRank
from meldref.engine.judge import Judge
from meldref.moves.legal_actions import Choice, Choices
from meldref.notation.writer import write_action, write_event
from meldref.position.model import Position
from meldref.simulate.observation import Observation
from meldref.simulate.rng import Dice


class Player(Protocol):
    """Makes the decisions of one seat. What it is given to choose from is never empty, and all of it is legal."""

    def begin_hand(self, judge: Judge) -> None:
        """A hand begins, to be played by this judge's rules."""

    def draw(self, choices: Choices, draws: Sequence[Action]) -> Action:
        """Which draw to make."""

    def play(self, choices: Choices, plays: Sequence[Choice]) -> Choice:
        """What to do after the draw; None ends a call."""

    def call(self, position: Position, seat: int, calls: Sequence[Call]) -> Call | None:
        """Whether to call, and on what."""

    def buy(self, position: Position, seat: int, card: Card) -> bool:
        """Whether to buy the last discard."""

    def wild_rank(self) -> int:
        """Which rank to name wild for the hand, as the dealer, before the deal."""


class Bot(Protocol):
    """A player from outside: any object with this method."""

    def choose(self, seen: Observation, actions: Sequence[Choice | WildRank], /) -> Choice | WildRank:
        """One of the actions, each of which is legal; None among them calls nothing, or ends a call."""


class WrongChoice(ValueError):
    """Something was chosen that was not among the actions offered."""

    def __init__(self, player: str, chosen: object, actions: Sequence[Choice | WildRank]) -> None:
        offered = ", ".join(map(_said, actions[:_SHOWN])) + (", …" if len(actions) > _SHOWN else "")
        super().__init__(f"{player} chose {_said(chosen)}, which is not among the actions offered: {offered}")


_SHOWN = 8


def _said(chosen: object) -> str:
    """An action as it is written; anything else as it is."""
    if isinstance(chosen, WildRank):
        return write_event(chosen)
    return write_action(chosen) if isinstance(chosen, Action) else repr(chosen)


class RandomPlayer:
    """Does anything that is legal, each thing as likely as another."""

    def __init__(self, dice: Dice) -> None:
        self._dice = dice

    def begin_hand(self, judge: Judge) -> None:
        """Whatever the rules are."""

    def draw(self, choices: Choices, draws: Sequence[Action]) -> Action:
        """Any of the draws."""
        return draws[self._dice.below(len(draws))] if len(draws) > 1 else draws[0]

    def play(self, choices: Choices, plays: Sequence[Choice]) -> Choice:
        """Any of the plays and discards."""
        return plays[self._dice.below(len(plays))]

    def call(self, position: Position, seat: int, calls: Sequence[Call]) -> Call | None:
        """Any of the calls, or none, each as likely as another."""
        chosen = self._dice.below(len(calls) + 1)
        return calls[chosen] if chosen < len(calls) else None

    def buy(self, position: Position, seat: int, card: Card) -> bool:
        """Now and then."""
        return self._dice.below(4) == 0

    def wild_rank(self) -> int:
        """Any rank."""
        return self._dice.below(13)
