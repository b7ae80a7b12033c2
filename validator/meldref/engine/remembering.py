"""Carries out actions under a ruleset with house rules, and remembers what these may ask."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import MappingProxyType
from typing import Any, Final

from meldref.conditions.bind import spread
from meldref.core.events import (
    Action,
    Buy,
    Call,
    Challenge,
    Discard,
    LayOff,
    Meld,
    Swap,
    Take,
)
from meldref.engine.apply import Play
from meldref.position.memory import Deeds, Memory, more, one_more
from meldref.position.model import Position, TableMeld, TurnState, watched
from meldref.position.moved import HAND, MELD, PILE, Moved
from meldref.rules.base import Binding
from meldref.rules.forbidding import ENDING
from meldref.rules.house import House

Carry = Callable[[Position, Any], None]


class RememberingPlay(Play):
    """Carries actions out, notes what was done in each turn, and who earned what by it."""

    def __init__(self, binding: Binding, house: House) -> None:
        super().__init__(binding)
        self._house = house
        house.bans.carry_out = self._carry_out
        self.worth.awards = house.at_end if house.awards else None
        self._melder_scores = binding.ruleset.layoff.counts_for == "melder"
        # An action is being carried out: what its turn earned is looked at when that is done.
        self._inside = False
        self.actions = {kind: self._remember(kind, play) for kind, play in self.actions.items()}

    def begin_turn(self, position: Position, seat: int) -> None:
        """A player's turn begins."""
        Play.begin_turn(self, position, seat)
        memory = position.memory
        if memory is not None:
            begun = memory.turns[seat]
            memory.turns[seat] = begun + 1 if type(begun) is int else one_more(begun)
            memory.latest = None

    def begin_call(self, position: Position, seat: int) -> None:
        """A call breaks into whatever turn there is."""
        super().begin_call(position, seat)
        if position.memory is not None:
            position.memory.latest = None

    def end_turn(self, position: Position, *, discarded: bool) -> None:
        """The turn, or the call, is over."""
        position.ended = position.turn
        super().end_turn(position, discarded=discarded)

    def _note_end(self, position: Position, turn: TurnState) -> None:
        """Notes what the player earned by the end of a turn or call."""
        if position.memory is not None:
            self._house.view.look_at_end(position, turn, None)
            position.memory.earned += self._house.earned(self._house.for_ends)

    def _carry_out(self, position: Position, action: Action) -> Position:
        """Carries an action out that house rules suppose, and returns the position."""
        self.actions[type(action)](position, action)
        return position

    def _remember(self, kind: type[Action], play: Carry) -> Carry:
        """Wraps `play` so that it also records what house rules may need.

        Returns it unchanged if there is nothing to record.
        """
        awards = self._house.awarded_for(kind)
        ends = bool(self._house.for_ends) and kind in ENDING
        is_deed = kind in _DEEDS
        moves_pile = self._house.asks_who_threw and kind in _MOVING_PILE
        if not (awards or ends or is_deed or moves_pile):
            return play

        def carry_out(position: Position, action: Action) -> None:
            memory, turn = position.memory, position.turn
            if memory is None:
                play(position, action)
                return
            if awards is not None:
                memory.earned += awards(position, action)
            calls_now = turn.call is not None and not turn.call.begun
            points, pile = sum(position.points), len(position.pile)
            self._inside = ends
            with watched(position) as moves:
                play(position, action)
            self._inside = False
            if is_deed and (calls_now or kind is not Call):
                self._note_deed(position, turn, action, moves, points)
            if moves_pile:
                thrown = memory.follow_pile(moves, pile, len(position.pile), turn.seat)
                if kind in {Take, Call}:
                    deeds = turn.deeds or Deeds(turn.seat)
                    memory.latest = turn.deeds = deeds._replace(thrown=thrown)
            if ends and (position.turn is not turn or position.begins):
                self._note_end(position, turn)

        return carry_out

    def reshuffle(self, position: Position) -> None:
        """The pile becomes the new stock, all of it or all but its top card."""
        pile = len(position.pile)
        with watched(position) as moves:
            super().reshuffle(position)
        if position.memory is not None:
            position.memory.follow_pile(moves, pile, len(position.pile))

    def _note_deed(
        self,
        position: Position,
        turn: TurnState,
        action: Action,
        moves: Sequence[Moved],
        points_before: int,
    ) -> None:
        """Notes what was done in a turn by a meld, a lay-off, an exchange or a call."""
        memory, seat = position.memory, turn.seat
        assert memory is not None
        deeds = turn.deeds or Deeds(seat)
        laid = [moved for moved in moves if (moved.origin, moved.target) == (HAND, MELD)]
        if not (laid or isinstance(action, Call)):
            return
        if isinstance(action, (Meld, LayOff)) and not (deeds.melds or deeds.lay_offs):
            memory.melding[seat] = one_more(memory.melding[seat])
        points = deeds.points + sum(position.points) - points_before
        points -= _gained_before(position, turn, deeds, moves)
        if isinstance(action, Meld):
            deeds = deeds._replace(melds=(*deeds.melds, laid[0].meld))
        elif isinstance(action, LayOff):
            deeds = deeds._replace(lay_offs=deeds.lay_offs + len(laid))
            _count_lay_off(memory, position.melds[laid[0].meld], seat, len(laid))
        elif isinstance(action, Swap):
            deeds = deeds._replace(swaps=deeds.swaps + 1)
        else:
            taken = [moved.card for moved in moves if moved.origin is PILE and moved.seat == seat]
            deeds = deeds._replace(taken=tuple(taken))
            if turn.call is not None and not turn.call.excused:
                memory.calls[seat] = one_more(memory.calls[seat])
        memory.latest = turn.deeds = deeds._replace(points=points)
        if self._melder_scores and isinstance(action, LayOff):
            _note_layers(memory, position, laid)


class EndAwardingPlay(RememberingPlay):
    """Carries an action out if house rules award points for how a turn ends."""

    def end_turn(self, position: Position, *, discarded: bool) -> None:
        """The turn, or the call, is over."""
        turn = position.turn
        super().end_turn(position, discarded=discarded)
        if not self._inside:
            self._note_end(position, turn)


def _count_lay_off(memory: Memory, meld: TableMeld, seat: int, number: int) -> None:
    """Notes how many cards a player laid off, and how many of them on melds of their own."""
    memory.lay_offs[seat] = more(memory.lay_offs[seat], number)
    if not meld.owned:
        least, most = spread(memory.own_lay_offs[seat])
        memory.own_lay_offs[seat] = least, most + number
    elif meld.seat == seat:
        memory.own_lay_offs[seat] = more(memory.own_lay_offs[seat], number)


def _gained_before(
    position: Position, turn: TurnState, deeds: Deeds, moves: Sequence[Moved]
) -> int:
    """By how much cards count more that lay on the table already: their points are no deed.

    A wild card that is exchanged counts there no more. Low aces count as much as high ones once a
    card below turns them, which is a deed only where they were laid in this turn.
    """
    gained = 0
    for moved in moves:
        if moved.origin is not MELD:
            continue
        if moved.target is HAND:
            gained -= moved.points
            continue
        cards = position.melds[moved.meld].cards
        lay_before = len(cards) - turn.grown.count(moved.meld + 1)
        if moved.meld not in deeds.melds and moved.place < lay_before:
            gained += cards[moved.place].points - moved.points
    return gained


def _note_layers(memory: Memory, position: Position, laid: Sequence[Moved]) -> None:
    """Notes who laid cards that count for somebody else."""
    layers: dict[tuple[int, int], int] = {}
    for moved in laid:
        counts_for = position.melds[moved.meld].cards[moved.place].seat
        if counts_for != moved.seat:
            layers[moved.meld, moved.place] = moved.seat
    if layers:
        memory.layers = MappingProxyType({**memory.layers, **layers})


def bind_house(binding: Binding) -> tuple[House, RememberingPlay]:
    """The house rules of a ruleset, and what carries actions out under them."""
    house = House(binding)
    play = EndAwardingPlay if house.for_ends else RememberingPlay
    return house, play(house.binding, house)


_DEEDS: Final = frozenset((Meld, LayOff, Swap, Call))
"""The actions of which it is remembered what was done by them."""
_MOVING_PILE: Final = frozenset((Discard, Take, Call, Buy, Challenge))
"""The actions that put cards on the pile or take them from it."""
