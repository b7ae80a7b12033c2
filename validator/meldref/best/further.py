"""Rules about laying that the search does not know by itself: they are asked of every play, in its position."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from meldref.core.events import Action, LayOff, Meld
from meldref.engine.apply import Play
from meldref.engine.judge import play_of
from meldref.position.model import Position
from meldref.rules import hand, layoff, meld, out, turn, unseen
from meldref.rules.base import Binding, Violation
from meldref.rules.opening import still_lacks
from meldref.rules.registry import Bound, rules_for

_KNOWN: Final = frozenset(
    {
        turn.draw_first,
        hand.holds_cards,
        layoff.named_meld,
        unseen.lay_off,
        meld.is_meld,
        meld.meld_number,
        meld.first_points,
        out.keeps_a_discard,
    }
)
"""Rules that a board keeps by itself. Those that are silent in plain turns are about what is not looked at."""


class Further(NamedTuple):
    """Where the game stands while a hand is laid down, and the checks that are asked there."""

    checks: Mapping[type[Action], tuple[Bound, ...]]
    play: Play
    position: Position

    def after(self, action: Meld | LayOff) -> Further | None:
        """The same after a play; None where a rule forbids it."""
        if any(type(check(self.position, action)) is Violation for check in self.checks[type(action)]):
            return None
        position = self.position.copy()
        self.play.actions[type(action)](position, action)
        return self._replace(position=position)

    def complete(self) -> bool:
        """Whether the turn may end here: first layings have what they must have, and no house rule forbids it."""
        house = self.play.binding.house
        if house is not None and house.bans.keeps_open(self.position):
            return False
        return still_lacks(self.play.binding, self.position) is None


def further_rules(binding: Binding, position: Position, seat: int) -> Further | None:
    """The rules that have to be asked as a player lays cards down in a position; None where there are none."""
    checks: dict[type[Action], tuple[Bound, ...]] = {}
    for kind in (Meld, LayOff):
        unknown = [
            rule.bind for rule in rules_for(kind) if rule.bind not in _KNOWN and not rule.silent_in_plain_turns
        ]
        bound = [check for bind in unknown if (check := bind(binding)) is not None]
        checks[kind] = tuple(bound)
    if not any(checks.values()) and binding.house is None:
        return None
    play, state = play_of(binding), position.copy()
    if state.begins or state.turn.seat != seat:
        play.begin_turn(state, seat)
    return Further(checks, play, state)
