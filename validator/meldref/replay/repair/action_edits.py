"""Edits of what a turn says was done: for another play, in another order, or by another player."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations, pairwise, product
from typing import Final

from meldref.core.cards import Played, card_text
from meldref.core.events import Action, Call, Discard, Draw, LayOff, Meld, Swap, Turn
from meldref.core.records import changed
from meldref.replay.repair.codes import PLAYS
from meldref.replay.repair.edits import (
    SOME_DRAW,
    Change,
    Changes,
    Question,
    act,
    actions_of,
    cards_of,
    in_place,
    instead,
    put_all,
    quoted,
)

_PLAYS: Final = (Meld, LayOff, Swap)


def cards_exchanged(question: Question, index: int) -> Changes:
    """Cards of two actions of a turn are each written for the other."""
    actions = actions_of(question.course.lines[index])
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
    if isinstance(action, (Meld, LayOff)):
        return list(dict.fromkeys(laid.card for laid in action.cards if laid.role is None))
    return [] if isinstance(action, Call) else list(cards_of(action))


def _with_card(action: Action, card: int, meant: int) -> Action:
    """An action with another card in the place of one that it names."""
    if not isinstance(action, (Meld, LayOff)):
        return changed(action, card=meant)
    place = action.cards.index(Played(card))
    return changed(action, cards=in_place(action.cards, place, Played(meant)))


def plays_exchanged(question: Question, index: int) -> Changes:
    """A turn and the player's next one are each written for the other, or parts of two turns.

    Those are their draws, discards or first melds.
    """
    lines = question.course.lines
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


def other_play(question: Question, index: int) -> Changes:
    """Cards laid off are written as a meld or the reverse, or one meld as two, or two as one."""
    actions = actions_of(question.course.lines[index])
    for at, action in enumerate(actions):
        hand = question.course.before(index).hand
        if isinstance(action, Meld) and hand is not None and question.is_at_fault(at):
            table = hand.as_dealt().melds
            laid = len(table) + sum(type(one) is Meld for one in actions[:at])
            for target in range(1, laid + 1):
                there = {one.card for meld in table[target - 1 : target] for one in meld.cards}
                rest = tuple([one for one in action.cards if one.card not in there])
                yield instead(question, index, at, LayOff(rest or action.cards, target))
            for many in range(2, len(action.cards) - 1):
                melds = Meld(action.cards[:many], action.number), Meld(action.cards[many:])
                yield instead(question, index, at, *melds)
        if isinstance(action, LayOff) and len(action.cards) > 1 and question.is_at_fault(at):
            for plays in _laid_otherwise(question, index, action):
                yield instead(question, index, at, *plays)
    for at, (first, second) in enumerate(pairwise(actions)):
        if isinstance(first, Meld) and isinstance(second, (Meld, LayOff)):
            meld = Meld((*first.cards, *second.cards), first.number)
            others = (*actions[:at], meld, *actions[at + 2 :])
            yield act(question, index, others, f"{quoted(first, second)} should be {quoted(meld)}")


def _laid_otherwise(
    question: Question, index: int, laid: LayOff
) -> Iterator[tuple[Meld | LayOff, ...]]:
    """A meld in the place of a lay-off, or two lay-offs, of which one is on another meld."""
    yield (Meld(laid.cards),)
    hand = question.course.before(index).hand
    melds = [] if hand is None else hand.as_dealt().melds
    for many in range(1, len(laid.cards)):
        first, rest = laid.cards[:many], laid.cards[many:]
        for target in range(1, len(melds) + 1):
            yield LayOff(first, target), LayOff(rest, laid.target)
            yield LayOff(first, laid.target), LayOff(rest, target)


def other_order(question: Question, index: int) -> Changes:
    """The draw is written after other actions of its turn, or the discard before them."""
    actions = actions_of(question.course.lines[index])
    for at, action in enumerate(actions):
        rest = in_place(actions, at)
        if isinstance(action, SOME_DRAW) and at:
            yield act(question, index, (action, *rest), f"{quoted(action)} comes first")
        if isinstance(action, Discard) and at < len(rest):
            yield act(question, index, (*rest, action), f"{quoted(action)} comes last")


def of_neighbour(question: Question, index: int) -> Changes:
    """A play is written on the line before or after its own, or a discard on the next one."""
    lines, actions = question.course.lines, question.turn(index).actions
    for other in (index - 1, index + 1):
        event = lines[other].event if 0 <= other < len(lines) else None
        if type(event) is not Turn or event.player == question.turn(index).player:
            continue
        for at, action in enumerate(actions):
            rest = in_place(actions, at)
            is_thrown = at == 0 and other < index and isinstance(action, Discard)
            if rest and (is_thrown or isinstance(action, _PLAYS)):
                yield from _moved(question, index, at, other, quoted(action))


def of_own_turn(question: Question, index: int) -> Changes:
    """A play is written on the line of its player's turn before or after this one."""
    lines, player = question.course.lines, question.turn(index).player
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
