"""Fills in what a play leaves out before any rule sees it.

The target meld, what wild cards stand for, and the order of cards laid off together: a meld not
named and a wild card without a role are the only things that they can be; the cards of one lay-off
go in the order to which the rules object least. If that is not clear, a play stays as it is
written, and the rules say what is wrong with it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from meldref.core.cards import EMPTY, ONE, UNKNOWN
from meldref.core.events import Action, LayOff, Meld, Swap, Take
from meldref.melds import First, Reading
from meldref.melds.lay_off_order import left_open
from meldref.position.model import Position
from meldref.rules.base import Binding
from meldref.rules.layoff import swap_targets, targets
from meldref.rules.meld import barred_roles

Meaning: TypeAlias = "Callable[[Position, Any], Any]"
"""An action with what it left out filled in."""


def lay_off(binding: Binding) -> Meaning:
    """The meld that is meant, the order of the cards, and what wild cards stand for."""
    named = binding.ruleset.layoff.target

    def meant(position: Position, action: LayOff) -> LayOff:
        cards, target = action.cards, action.target
        if target is not None and len(cards) == 1 and not left_open(cards[0]):
            return action
        if (
            len(cards) > position.held[position.turn.seat]
        ):  # they are not all there, whatever they mean
            return action
        if target is None:
            if named == "always" or not position.table_known:
                return action
            possible = targets(binding, position, position.turn.seat, cards)
            if not possible or (len(possible) > 1 and named == "if_several"):
                return action
            target = possible[0]
        shape = position.melds[target - 1].shape if 0 < target <= len(position.melds) else None
        if shape is not None:
            cards = position.book.row(
                shape, cards, barred_roles(binding, position), _due(position)
            ).cards
        return LayOff(cards, target)

    return meant


def _due(position: Position) -> First:
    """The cards laid before others: one owed before all, those called before the hand's own."""
    turn = position.turn
    if turn.call is not None:
        return First(turn.call.wanted, turn.call.from_pile)
    owed = EMPTY if turn.duty is None else ONE[turn.duty.card]
    return First(owed, owed)


def take(binding: Binding) -> Meaning:
    """The deepest card that is taken, where only the number of cards is told, and somebody saw it."""
    takes_one = binding.ruleset.draw.takes == "that_card"

    def meant(position: Position, action: Take) -> Take:
        if action.card != UNKNOWN:
            return action
        pile, number = position.pile, action.count or 1
        is_clear = number <= len(pile) and not (takes_one and len(pile) > 1)
        return Take(pile[-number], number) if is_clear else action

    return meant


def swap(binding: Binding) -> Meaning:
    """The meld that is meant."""

    def meant(position: Position, action: Swap) -> Swap:
        if action.target is not None or not position.table_known:
            return action
        possible = swap_targets(binding, position, action.card)
        return Swap(action.card, possible[0]) if len(possible) == 1 else action

    return meant


def meld(binding: Binding) -> Meaning | None:
    """What wild cards stand for, where that depends on the table.

    Elsewhere only the cards decide it.
    """
    if binding.ruleset.melds.wild.twins == "allowed":
        return None

    def meant(position: Position, action: Meld) -> Meld:
        reading = position.book.read(action.cards, barred_roles(binding, position))
        if not isinstance(reading, Reading):
            return action
        return Meld(tuple([laid.said for laid in reading.laid]), action.number)

    return meant


MEANINGS: Final[Mapping[type[Action], Callable[[Binding], Meaning | None]]] = MappingProxyType(
    {Take: take, LayOff: lay_off, Swap: swap, Meld: meld}
)
"""What there is to be said of each kind of play."""
