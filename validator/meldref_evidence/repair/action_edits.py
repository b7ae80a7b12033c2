"""Edits of what a turn says was done: for another play, in another order, or by another player."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product
from typing import Final

from meldref.core.cards import JOKER
from meldref.core.events import Action, Discard, Draw, LayOff, Meld, Swap
from meldref_evidence.repair.codes import PLAYS
from meldref_evidence.repair.edits import (
    LAID,
    SOME_DRAW,
    Changes,
    Question,
    Step,
    act,
    cards_of,
    in_place,
    of_each,
    quoted,
    with_cards,
)
from meldref_evidence.repair.reach import actions_of

_AS_ONE: Final = 0.01
"""What it costs more that two plays are one meld, rather than that one of them is another play."""
_NO_PLAY: Final = 0.25
"""What it costs more that two cards were exchanged where no play is found to be wrong."""
_PLAYS: Final = (*LAID, Swap)


def cards_exchanged(question: Question, index: int) -> Changes:
    """Cards of two actions of a turn are each written for the other."""
    actions = actions_of(question.lines[index])
    more = 0.0 if question.is_of(*PLAYS) else _NO_PLAY
    for first, second in combinations(range(len(actions)), 2):
        for card, meant in product(cards_of(actions[first]), cards_of(actions[second])):
            if card != meant and JOKER not in {card, meant}:
                exchanged = list(actions)
                exchanged[first] = with_cards(actions[first], {card: meant})
                exchanged[second] = with_cards(actions[second], {meant: card})
                yield act(question, {index: exchanged}, more)


def plays_exchanged(question: Question, index: int) -> Changes:
    """A turn and the player's next one are each written for the other, or parts of two turns.

    Those are their draws, discards or first melds, or two melds of one turn.
    """
    turn, stop = question.turn(index), index + 2 * question.seats + 1
    later = [at for at in range(index + 1, min(stop, len(question.lines))) if question.has_turn(at)]
    for kind, other in product((Draw, Discard, Meld) if question.meld is None else (Meld,), later):
        if question.at in {index, other}:
            mine, theirs = _of_kind(question, index, kind), _of_kind(question, other, kind)
            yield from _exchanged(question, mine[:1], theirs[:1])
    melds = _of_kind(question, index, Meld)
    for place in range(1, len(melds)):
        yield from _exchanged(question, melds[:place], melds[place : place + 1])
    for other in [at for at in later if question.turn(at).player == turn.player][:1]:
        later_actions = question.turn(other).actions
        if later_actions != turn.actions:
            yield act(question, {index: later_actions, other: turn.actions})


def _of_kind(question: Question, index: int, kind: type[Action]) -> list[Step]:
    """The actions of a kind on a line."""
    actions = enumerate(question.turn(index).actions)
    return [Step(question, index, at, action) for at, action in actions if type(action) is kind]


def _exchanged(question: Question, steps: Sequence[Step], others: Sequence[Step]) -> Changes:
    """Two actions, each in the place of the other, on one line or on two."""
    for step, other in product(steps, others):
        if step.action != other.action:
            done = {step.row: [*step.actions], other.row: [*other.actions]}
            done[step.row][step.at] = other.action
            done[other.row][other.at] = step.action
            yield act(question, done)


@of_each(*LAID)
def other_play(step: Step) -> Changes:
    """Cards laid off are written as a meld or the reverse, or one meld as two, or two as one."""
    if step.is_at_fault:
        for plays in _laid_otherwise(step):
            yield step.instead(*plays)
    rest = step.actions[step.at + 1 :]
    if isinstance(step.action, Meld) and rest and isinstance(rest[0], LAID):
        meld = Meld((*step.action.cards, *rest[0].cards), step.action.number)
        others = (*step.actions[: step.at], meld, *rest[1:])
        yield act(step.question, {step.row: others}, _AS_ONE)


def _laid_otherwise(step: Step) -> Iterator[tuple[Meld | LayOff, ...]]:
    """Lay-offs or two melds in the place of a meld; a meld or two lay-offs in that of a lay-off."""
    action, table = step.action, step.position.melds
    cards = action.cards
    if isinstance(action, Meld):
        for target in range(1, step.melds_before(step.at) + 1):
            there = {laid.card for meld in table[target - 1 : target] for laid in meld.cards}
            rest = tuple([played for played in cards if played.card not in there])
            yield (LayOff(rest or cards, target),)
        for many in range(2, len(cards) - 1):
            yield Meld(cards[:many], action.number), Meld(cards[many:])
    elif len(cards) > 1:
        yield (Meld(cards),)
        for many, target in product(range(1, len(cards)), range(1, len(table) + 1)):
            yield LayOff(cards[:many], target), LayOff(cards[many:], action.target)
            yield LayOff(cards[:many], action.target), LayOff(cards[many:], target)


@of_each(*SOME_DRAW, Discard)
def other_order(step: Step) -> Changes:
    """The draw is written after other actions of its turn, or the discard before them."""
    action, rest = step.action, in_place(step.actions, step.at)
    others = (*rest, action) if isinstance(action, Discard) else (action, *rest)
    if others != step.actions:
        yield act(step.question, {step.row: others})


def other_turn(question: Question, index: int) -> Changes:
    """A play is written on a line beside its own, or in its player's turn before or after it.

    A discard may be written on the next line, and a draw on the line before.
    """
    turn, lines, others = question.turn(index), question.lines, list[int]()
    turns = [at for at in range(len(lines)) if question.has_turn(at, turn.player)]
    own = [at for at in turns if at == index or not question.breaks_in(at)]
    if abs(index - question.at) <= 1:
        beside = [at for at in (index - 1, index + 1) if 0 <= at < len(lines)]
        others += [at for at in beside if question.has_turn(at) and at not in turns]
    place = own.index(index)
    others += own[:place][-1:]
    if index == question.at:
        others += own[place + 1 :][:1]
    for other, (at, action) in product(others, enumerate(turn.actions)):
        is_first, is_last = at == 0, at + 1 == len(turn.actions)
        is_thrown = isinstance(action, Discard) and other == index - 1 and not is_last
        is_drawn = isinstance(action, SOME_DRAW) and other == index + 1 and not is_first
        if is_thrown or is_drawn or (isinstance(action, _PLAYS) and len(turn.actions) > 1):
            yield from _moved(question, index, at, other)


def _moved(question: Question, index: int, at: int, other: int) -> Changes:
    """One action of a turn on another line."""
    actions = question.turn(index).actions
    number, target = question.lines[index].number, question.lines[other].number

    def text() -> str:
        return f"{quoted(actions[at])} of line {number} belongs in line {target}"

    for done in _with(question.turn(other).actions, actions[at]):
        yield act(question, {index: in_place(actions, at), other: done}, text=text)


def _with(actions: tuple[Action, ...], play: Action) -> Iterator[tuple[Action, ...]]:
    """A turn's actions with one more: after the draw, or before the discard; these come there."""
    drawn = int(isinstance(actions[0], SOME_DRAW))
    last = len(actions) - isinstance(actions[-1], Discard)
    if isinstance(play, SOME_DRAW):
        yield (play, *actions)
    elif not isinstance(play, Discard):
        for at in sorted({drawn, last}):
            yield (*actions[:at], play, *actions[at:])
    elif last == len(actions):
        yield (*actions, play)
