"""Edits of what a turn says was done: for another play, in another order, or by another player."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations, product
from typing import Final

from meldref.core.cards import Played, card_text
from meldref.core.events import Action, Call, Discard, Draw, LayOff, Meld, Swap, Turn
from meldref.core.records import changed
from meldref.replay.repair.codes import PLAYS
from meldref.replay.repair.edits import (
    LAID,
    SOME_DRAW,
    Change,
    Changes,
    Question,
    Step,
    act,
    actions_of,
    cards_of,
    in_place,
    of_each,
    put_all,
    quoted,
)

_AS_ONE: Final = 0.01
"""What it costs more that two plays are one meld, rather than that one of them is another play."""
_PLAYS: Final = (*LAID, Swap)


def cards_exchanged(question: Question, index: int) -> Changes:
    """Cards of two actions of a turn are each written for the other."""
    actions = actions_of(question.lines[index])
    for first, second in combinations(range(len(actions)), 2):
        for card, meant in product(_named(actions[first]), _named(actions[second])):
            if card != meant:
                earlier = _with_card(actions[first], card, meant)
                later = _with_card(actions[second], meant, card)
                exchanged = in_place(in_place(actions, first, earlier), second, later)
                what = f"{card_text(card)} and {card_text(meant)}"
                yield act(question, index, exchanged, what, 0.0 if question.is_of(*PLAYS) else 0.25)


def _named(action: Action) -> list[int]:
    """The cards that an action names and that may be written for another, each once."""
    if isinstance(action, LAID):
        return list(dict.fromkeys(laid.card for laid in action.cards if laid.role is None))
    return [] if isinstance(action, Call) else list(cards_of(action))


def _with_card(action: Action, card: int, meant: int) -> Action:
    """An action with another card in the place of one that it names."""
    if not isinstance(action, LAID):
        return changed(action, card=meant)
    place = action.cards.index(Played(card))
    return changed(action, cards=in_place(action.cards, place, Played(meant)))


def plays_exchanged(question: Question, index: int) -> Changes:
    """A turn and the player's next one are each written for the other, or parts of two turns.

    Those are their draws, discards or first melds.
    """
    lines = question.lines
    rest = range(index + 1, min(index + 2 * question.seats + 1, len(lines)))
    later = [other for other in rest if type(lines[other].event) is Turn]
    turns = [other for other in later if question.at in {index, other}]
    for kind in (Draw, Discard, Meld):
        place, play = _first(question.turn(index), kind)
        if play is None:
            continue
        for other in turns:
            there, theirs = _first(question.turn(other), kind)
            if theirs is not None and theirs != play:
                mine = in_place(question.turn(index).actions, place, theirs)
                others = in_place(question.turn(other).actions, there, play)
                what = f"{quoted(theirs)} of line {lines[other].number} and {quoted(play)}"
                yield _done(question, {index: mine, other: others}, what)
    one = question.turn(index)
    for other in [other for other in later if question.turn(other).player == one.player][:1]:
        another = question.turn(other)
        if one.actions != another.actions:
            what = f"the turn of line {lines[other].number} and the one"
            yield _done(question, {index: another.actions, other: one.actions}, what)


def _done(question: Question, done: Mapping[int, tuple[Action, ...]], what: str) -> Change:
    """Other actions on some lines."""
    turns = {at: question.turn(at)._replace(actions=actions) for at, actions in done.items()}
    return put_all(question, turns, what=what)


def melds_swapped(question: Question, index: int) -> Changes:
    """Two melds of a turn were laid in the other order, so that each has the other's number."""
    actions = question.turn(index).actions
    melds = [at for at, action in enumerate(actions) if isinstance(action, Meld)]
    for first, second in combinations(melds, 2):
        swapped = in_place(in_place(actions, first, actions[second]), second, actions[first])
        what = f"{quoted(actions[second])} comes before {quoted(actions[first])}"
        yield act(question, index, swapped, what)


def _first(turn: Turn, kind: type[Action]) -> tuple[int, Action | None]:
    """The first action of a kind in a turn, and where it is; None: there is none."""
    of_kind = ((at, action) for at, action in enumerate(turn.actions) if type(action) is kind)
    return next(of_kind, (0, None))


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
        what = f"{quoted(step.action, rest[0])} should be {quoted(meld)}"
        yield act(step.question, step.row, others, what, _AS_ONE)


def _laid_otherwise(step: Step) -> Iterator[tuple[Meld | LayOff, ...]]:
    """Lay-offs or two melds in the place of a meld; a meld or two lay-offs in that of a lay-off."""
    action, table = step.action, step.position.melds
    cards = action.cards
    if isinstance(action, Meld):
        for target in range(1, step.melds_before(step.at) + 1):
            there = {one.card for meld in table[target - 1 : target] for one in meld.cards}
            rest = tuple([one for one in cards if one.card not in there])
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
    if not isinstance(action, Discard) and step.at:
        what = f"{quoted(action)} comes first"
        yield act(step.question, step.row, (action, *rest), what)
    if isinstance(action, Discard) and step.at < len(rest):
        yield act(step.question, step.row, (*rest, action), f"{quoted(action)} comes last")


def of_neighbour(question: Question, index: int) -> Changes:
    """A play is written on the line before or after its own, or a discard on the next one."""
    lines, actions = question.lines, question.turn(index).actions
    for other in (index - 1, index + 1):
        event = lines[other].event if 0 <= other < len(lines) else None
        if type(event) is not Turn or event.player == question.turn(index).player:
            continue
        for at, action in enumerate(actions):
            rest = in_place(actions, at)
            is_last = at == len(rest)
            is_thrown = other < index and isinstance(action, Discard) and not is_last
            if rest and (is_thrown or isinstance(action, _PLAYS)):
                yield from _moved(question, index, at, other, quoted(action))


def of_own_turn(question: Question, index: int) -> Changes:
    """A play is written on the line of its player's turn before or after this one."""
    lines, player = question.lines, question.turn(index).player
    own = [at for at, line in enumerate(lines) if getattr(line.event, "player", None) == player]
    own = [at for at in own if type(lines[at].event) is Turn]
    place = own.index(index)
    for other in (*own[max(place - 1, 0) : place], *own[place + 1 : place + 2]):
        actions = question.turn(other).actions
        for at, action in enumerate(actions if len(actions) > 1 else ()):
            if isinstance(action, _PLAYS) and (other > index or other == question.at):
                what = f"{quoted(action)} of line {lines[other].number}"
                yield from _moved(question, other, at, index, what)


def _moved(question: Question, index: int, at: int, other: int, what: str) -> Changes:
    """One action of a turn on another line."""
    event, taken = question.turn(other), question.turn(index)
    rest = taken._replace(actions=in_place(taken.actions, at))
    for more in _with(event.actions, taken.actions[at]):
        turns = {index: rest, other: event._replace(actions=more)}
        yield put_all(question, turns, event.player, what)


def _with(actions: tuple[Action, ...], play: Action) -> Iterator[tuple[Action, ...]]:
    """A turn's actions with one more: after the draw, or before the discard; a discard is last."""
    if isinstance(play, Discard):
        if not isinstance(actions[-1], Discard):
            yield (*actions, play)
        return
    drawn = int(isinstance(actions[0], SOME_DRAW))
    last = len(actions) - isinstance(actions[-1], Discard)
    for at in sorted({drawn, last}):
        yield (*actions[:at], play, *actions[at:])
