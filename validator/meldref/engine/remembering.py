"""Carries out actions under a ruleset with house rules, and remembers what these may ask."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import MappingProxyType
from typing import Any, Final

from meldref.conditions.bind import spread
from meldref.core.cards import UNKNOWN, each
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
from meldref.position.memory import TURNED_UP, Deeds, Memory, more, one_more
from meldref.position.model import Position, TurnState
from meldref.rules.base import Binding
from meldref.rules.forbidding import ENDING
from meldref.rules.house import House
from meldref.rules.layoff import stand_in, swap_targets

Carry = Callable[[Position, Any], None]


class RememberingPlay(Play):
    """Carries actions out, notes what was done in each turn, and who earned what by it."""

    def __init__(self, binding: Binding, house: House) -> None:
        super().__init__(binding)
        self._house = house
        house.bans.carry_out = self._carried_out
        self.worth.awards = house.at_end if house.awards else None
        self._melder_scores = binding.ruleset.layoff.counts_for == "melder"
        kinds = binding.ruleset.melds.kinds
        self._aces_turn = any("around" in kind.ace for kind in kinds if kind.is_run)
        self._inside = (
            False  # an action is being carried out: its turn is looked at when that is done
        )
        self.actions = {kind: self._remembered(kind, play) for kind, play in self.actions.items()}

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

    def _ended(self, position: Position, turn: TurnState) -> None:
        """Notes what the player earned by the end of a turn or call."""
        if position.memory is not None:
            self._house.view.look_at_end(position, turn, None)
            position.memory.earned += self._house.earned(self._house.for_ends)

    def _carried_out(self, position: Position, action: Action) -> Position:
        self.actions[type(action)](position, action)
        return position

    def _remembered(self, kind: type[Action], play: Carry) -> Carry:
        """Wraps `play` so that it also records what house rules may need.

        Returns it unchanged if there is nothing to record.
        """
        if kind in _NOTES:
            play = self._noted(kind, play)
        if self._house.asks_who_threw and kind is Discard:
            play = _throwing(play)
        elif self._house.asks_who_threw and kind in _LIFTING:
            play = self._lifting(play)
        awards, buys, ends = (
            self._house.awarded_for(kind),
            kind is Buy,
            self._house.for_ends and kind in ENDING,
        )
        if not (awards or buys or ends):
            return play

        def carry_out(position: Position, action: Action) -> None:
            memory, turn, pile = position.memory, position.turn, len(position.pile)
            if memory is not None and awards is not None:
                memory.earned += awards(position, action)
            self._inside = True
            play(position, action)
            self._inside = False
            if memory is not None and buys and len(position.pile) < pile:
                memory.buys[turn.seat] = one_more(memory.buys[turn.seat])
            if ends and (position.turn is not turn or position.begins):
                self._ended(position, turn)

        return carry_out

    def reshuffle(self, position: Position) -> None:
        """The pile becomes the new stock, all of it or all but its top card."""
        memory, size = position.memory, len(position.pile)
        super().reshuffle(position)
        if memory is None:
            return
        left = memory.throwers(size)[size - len(position.pile) :]
        memory.thrown = (TURNED_UP,) if self._whole_pile and position.pile else left

    def _lifting(self, play: Carry) -> Carry:
        """Carries out an action that takes cards from the pile, whose throwers are remembered."""

        def carry_out(position: Position, action: Action) -> None:
            memory, turn, before = position.memory, position.turn, len(position.pile)
            if memory is None:
                play(position, action)
                return
            lifted = self._house.lifts(position, action) or ()
            places = [place for place, _ in lifted]
            thrown, throwers = memory.lifted(position.pile, places), memory.throwers(before)
            left = [by for place, by in enumerate(throwers) if place not in places]
            play(position, action)
            memory.thrown = tuple(left if len(left) == len(position.pile) else ())
            if type(action) in {Take, Call}:
                cards = tuple([(card, by) for (_, card), by in zip(lifted, thrown, strict=True)])
                memory.latest = turn.deeds = (turn.deeds or Deeds(turn.seat))._replace(thrown=cards)

        return carry_out

    def _noted(self, kind: type[Action], play: Carry) -> Carry:
        """How an action is carried out that is one of a turn's deeds."""
        notes, lays, melder_scores = _NOTES[kind], kind in {Meld, LayOff}, self._melder_scores

        def carry_out(position: Position, action: Action) -> None:
            memory = position.memory
            if memory is None:
                play(position, action)
                return
            turn, laid = position.turn, position.laid
            called = kind is Call and turn.call is not None and not turn.call.begun
            before = sum(position.points)
            if isinstance(action, Swap):
                before -= _exchanged(self.binding, position, action)
            sizes = [len(meld.cards) for meld in position.melds] if melder_scores else ()
            aces = _earlier_low_aces(position) if self._aces_turn and kind is LayOff else ()
            play(position, action)
            if position.laid == laid and kind is not Call:
                return
            if called and turn.call is not None and not turn.call.excused:
                memory.calls[turn.seat] = one_more(memory.calls[turn.seat])
            if isinstance(action, LayOff):
                _count_lay_off(memory, position, turn.seat, action)
            old = turn.deeds or Deeds(turn.seat)
            if lays and not old.melds and not old.lay_offs:
                memory.melding[turn.seat] = one_more(memory.melding[turn.seat])
            points = old.points + sum(position.points) - before - _gained_by(position, aces)
            memory.latest = turn.deeds = notes(old, turn, action, len(position.melds) - 1, points)
            if sizes:
                _layers(memory, position, turn.seat, sizes)

        return carry_out


class EndAwardingPlay(RememberingPlay):
    """Carries an action out if house rules award points for how a turn ends."""

    def end_turn(self, position: Position, *, discarded: bool) -> None:
        """The turn, or the call, is over."""
        turn = position.turn
        super().end_turn(position, discarded=discarded)
        if not self._inside:
            self._ended(position, turn)


def _throwing(play: Carry) -> Carry:
    """How a card is thrown: it is remembered who did."""

    def carry_out(position: Position, action: Action) -> None:
        memory, seat, before = position.memory, position.turn.seat, len(position.pile)
        if memory is not None:
            memory.thrown = memory.throwers(before)
        play(position, action)
        if memory is not None and len(position.pile) > before:
            memory.thrown += (seat,)

    return carry_out


def _count_lay_off(memory: Memory, position: Position, seat: int, action: LayOff) -> None:
    """Notes how many cards a player laid off, and how many of them on melds of their own."""
    number, target = len(action.cards), action.target
    memory.lay_offs[seat] = more(memory.lay_offs[seat], number)
    if target is None or not 0 < target <= len(position.melds):
        return
    meld = position.melds[target - 1]
    if not meld.owned:
        least, most = spread(memory.own_lay_offs[seat])
        memory.own_lay_offs[seat] = least, most + number
    elif meld.seat == seat:
        memory.own_lay_offs[seat] = more(memory.own_lay_offs[seat], number)


def _exchanged(binding: Binding, position: Position, action: Swap) -> int:
    """The points of the wild card that an exchange takes off the table.

    0 if nobody saw the meld laid.
    """
    target = action.target or next(iter(swap_targets(binding, position, action.card)), 0)
    index = stand_in(position, target, action.card) if 0 < target <= len(position.melds) else None
    return 0 if index is None else position.melds[target - 1].cards[index].points


def _earlier_low_aces(position: Position) -> list[tuple[int, int, int]]:
    """The low aces laid before this turn, which a card below them turns.

    Of each the place of its meld, its own place in it, and its points.
    """
    turn = position.turn
    new = turn.deeds.melds if turn.deeds is not None else ()
    aces = []
    for number, meld in enumerate(position.melds):
        lay_before = 0 if number in new else len(meld.cards) - turn.grown.count(number + 1)
        for place, card in enumerate(meld.cards[:lay_before]):
            if card.low_ace:
                aces.append((number, place, card.points))
    return aces


def _gained_by(position: Position, aces: Sequence[tuple[int, int, int]]) -> int:
    """By how much the points of some aces on the table have changed."""
    gains = [position.melds[number].cards[place].points - points for number, place, points in aces]
    return sum(gains)


def _layers(memory: Memory, position: Position, seat: int, before: list[int]) -> None:
    """Notes who laid cards that count for somebody else."""
    new = {
        (number, place): seat
        for number, meld in enumerate(position.melds[: len(before)])
        for place in range(before[number], len(meld.cards))
        if meld.cards[place].seat != seat
    }
    if new:
        memory.layers = MappingProxyType({**memory.layers, **new})


def bind_house(binding: Binding) -> tuple[House, RememberingPlay]:
    """The house rules of a ruleset, and what carries actions out under them."""
    house = House(binding)
    play = EndAwardingPlay if house.for_ends else RememberingPlay
    return house, play(house.binding, house)


def _note_meld(deeds: Deeds, turn: TurnState, action: Meld, place: int, points: int) -> Deeds:
    return deeds._replace(melds=(*deeds.melds, place), points=points)


def _note_lay_off(deeds: Deeds, turn: TurnState, action: LayOff, place: int, points: int) -> Deeds:
    return deeds._replace(lay_offs=deeds.lay_offs + len(action.cards), points=points)


def _note_call(deeds: Deeds, turn: TurnState, action: Call, place: int, points: int) -> Deeds:
    call = turn.call
    if call is None:
        return deeds._replace(points=points)
    taken = (*each(call.from_pile), *((UNKNOWN,) if call.unseen else ()))
    return deeds._replace(taken=taken, points=points)


_LIFTING: Final = frozenset((Take, Call, Buy, Challenge))
"""The actions that take cards from the pile."""
_NOTES: Final[dict[type[Action], Callable[[Deeds, TurnState, Any, int, int], Deeds]]] = {
    Meld: _note_meld,
    LayOff: _note_lay_off,
    Swap: lambda deeds, _turn, _action, _place, points: deeds._replace(
        swaps=deeds.swaps + 1, points=points
    ),
    Call: _note_call,
}
