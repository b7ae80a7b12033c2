"""What a player decides, and the player who does anything that is legal.

A player of the library's own sees the position and must not use what nobody at a table would see: other hands, and
the stock. One from outside is given what its seat sees, and nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, Protocol, TypeAlias

from meldref.core.events import Action, WildRank
from meldref.moves.legal_actions import Choice, Choices
from meldref.notation.writer import write_action, write_event
from meldref.simulate.observation import Observation
from meldref.simulate.rng import Dice

Chosen: TypeAlias = "Choice | WildRank"


class Decision(NamedTuple):
    """What somebody has to decide: whose decision it is, and between what. A call can always be left alone.

    The options are never empty, and all of them are legal. `choices` knows the position; None before the deal.
    """

    kind: Literal["wild", "draw", "buy", "play", "call"]
    seat: int
    options: Sequence[Chosen]
    choices: Choices | None = None

    @property
    def actions(self) -> tuple[Chosen, ...]:
        """All that may be chosen; None stands for calling or buying nothing, and for ending a call."""
        return (*self.options, None) if self.kind in {"call", "buy"} else tuple(self.options)


class Player(Protocol):
    """Makes the decisions of one seat."""

    def choose(self, due: Decision, /) -> Chosen:
        """One of the actions that a decision offers."""


class Bot(Protocol):
    """A player from outside: any object with this method."""

    def choose(self, seen: Observation, actions: Sequence[Chosen], /) -> Chosen:
        """One of the actions, each of which is legal; None among them calls nothing, or ends a call."""


class WrongChoice(ValueError):
    """Something was chosen that was not among the actions offered."""

    def __init__(self, player: str, chosen: object, actions: Sequence[Chosen]) -> None:
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

    def choose(self, due: Decision, /) -> Chosen:
        """Any of the actions; a card is bought now and then."""
        if due.kind == "buy":
            return due.options[0] if self._dice.below(4) == 0 else None
        return self._dice.pick(due.actions if due.kind == "call" else due.options)
