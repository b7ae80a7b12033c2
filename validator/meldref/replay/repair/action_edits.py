"""Edits of what a turn says was done: for another play, in another order, or by another player."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from meldref.core.cards import UNKNOWN, Played, card_text
from meldref.core.events import Action, Discard, LayOff, Meld, Swap, Turn
from meldref.core.records import changed
from meldref.replay.repair.edits import (
    SOME_DRAW,
    Change,
    Changes,
    Question,
    act,
    actions_of,
    in_place,
    put,
    quoted,
)

_PLAYS: Final = (Meld, LayOff, Swap)


def cards_exchanged(question: Question, index: int) -> Changes:
    """A card laid and the one thrown are each written for the other."""
    actions = actions_of(question.course.lines[index])
    thrown = actions[-1] if actions else None
    if not isinstance(thrown, Discard) or thrown.card == UNKNOWN:
        return
    for at, action in enumerate(actions[:-1]):
        if not isinstance(action, (Meld, LayOff)):
            continue
        for place, laid in enumerate(action.cards):
            if laid.role is None and laid.card != thrown.card:
                cards = in_place(action.cards, place, Played(thrown.card))
                other = in_place(actions, at, changed(action, cards=cards))
                what = f"{card_text(laid.card)} and {card_text(thrown.card)}"
                yield act(question, index, (*other[:-1], Discard(laid.card)), what)


def other_play(question: Question, index: int) -> Changes:
    """Cards laid off are written as a meld, or one meld as two plays."""
    actions = actions_of(question.course.lines[index])
    for at, action in enumerate(actions):
        hand = question.course.before(index).hand
        if isinstance(action, Meld) and hand is not None and question.is_at_fault(at):
            laid = len(hand.as_dealt().melds) + sum(type(one) is Meld for one in actions[:at])
            for target in range(1, laid + 1):
                play = LayOff(action.cards, target)
                yield act(question, index, in_place(actions, at, play), quoted(play))
    for at, (first, second) in enumerate(pairwise(actions)):
        if isinstance(first, Meld) and isinstance(second, (Meld, LayOff)):
            meld = Meld((*first.cards, *second.cards), first.number)
            others = (*actions[:at], meld, *actions[at + 2 :])
            yield act(question, index, others, quoted(meld))


def thrown_last(question: Question, index: int) -> Changes:
    """The discard is written before other actions of its turn."""
    actions = actions_of(question.course.lines[index])
    for at, action in enumerate(actions[:-1]):
        if isinstance(action, Discard):
            yield act(question, index, (*in_place(actions, at), action), quoted(action))


def of_neighbour(question: Question, index: int) -> Changes:
    """A play is written on the line of the turn before or after its own."""
    lines, actions = question.course.lines, question.turn(index).actions
    for other in (index - 1, index + 1):
        event = lines[other].event if 0 <= other < len(lines) else None
        if type(event) is not Turn or event.player == question.turn(index).player:
            continue
        for at, action in enumerate(actions):
            rest = in_place(actions, at)
            if rest and isinstance(action, _PLAYS):
                taken = act(question, index, rest)
                for more in _with(event.actions, action):
                    given = put(question, other, event._replace(actions=more))
                    first, second = sorted((taken, given), key=lambda change: change.start)
                    both = (*first.lines, *second.lines)
                    yield Change(first.start, second.stop, both, event.player, quoted(action))


def _with(actions: tuple[Action, ...], play: Action) -> Iterator[tuple[Action, ...]]:
    """A turn's actions with one more: after the draw, or before the discard."""
    drawn = int(isinstance(actions[0], SOME_DRAW))
    last = len(actions) - isinstance(actions[-1], Discard)
    for at in sorted({drawn, last}):
        yield (*actions[:at], play, *actions[at:])
