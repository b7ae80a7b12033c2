"""Edits of whole lines: lines written twice, missing, in another order, or under another name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise, repeat
from operator import eq
from typing import Any, Final

from meldref.core import events
from meldref.core.cards import UNKNOWN, card_text
from meldref.core.events import Action, Discard, Draw, Line, Missing, Take, Turn
from meldref.core.records import changed
from meldref.notation.actions import BREAKS_IN
from meldref_evidence.repair.edits import (
    DRAWN,
    SOME_DRAW,
    THROWN,
    Change,
    Changes,
    Question,
    act,
    cards_in,
    cards_of,
    in_place,
    left_out,
    numbers_of,
    numbers_step,
    put,
    replace,
    with_numbers,
)
from meldref_evidence.repair.reach import actions_of

_COUNTED: Final = 0.2
"""By how much missing turns are less likely unless the numbers after them count them."""
_EYE_SKIPS: Final = 0.25
"""What it costs more that what is between two discards was left out."""
_FROM_HERE: Final = 0.05
"""What it costs more that all turns from a line on are under another name."""
_IN_ORDER: Final = {Turn, events.Reshuffle, events.StockOrder, events.UpCard, events.WildRank}
"""Lines that have their place before or after a turn."""
_MOST_WRONG_NUMBERS: Final = 2
"""How many wrong numbers of turns may be slips: with more, turns are counted in another way."""
_AS_LISTED: Final = 0.5
"""What it costs more that the stock was another one, if most of it was drawn as it is listed."""
_NOT_LISTED: Final = 0.45
"""What it costs more that the stock was another one than that one or two of its cards were."""
_BLOCK: Final = 4
"""How many turns at most are in the wrong place together."""
_EACH_MORE: Final = 0.15
"""What each of them after the first costs."""
_NUMBERED_ON: Final = 0.5
"""What it costs more that several turns are missing, though the numbers go on without them."""
_ROUNDS: Final = 4
"""How many rounds may be missing that can be counted."""
_EACH_KNOWN: Final = 0.6
_EACH_UNKNOWN: Final = 0.1
"""What each missing turn after the first costs, and one of which nothing is known,"""
_MOST_MORE: Final = 0.6
"""what missing turns that nobody counted cost more than one, however many they are,"""
_NO_OWN: Final = 0.2
"""and one that has another one's actions in the place of its own,"""
_WITH_CARD: Final = 0.05
"""and one of which a card is known that was taken or thrown."""


def _named(lines: Sequence[Line]) -> str:
    """How sentences name one line, or several in a row: “lines 5 to 7”."""
    first, last = lines[0].number, lines[-1].number
    return f"line {first}" if first == last else f"lines {first} to {last}"


def twice(question: Question, index: int) -> Changes:
    """A turn is written twice, perhaps wrongly or in part at first, or several turns are.

    Or one has the actions of the turn before it in the place of its own.
    """
    lines = question.lines
    first = max(0, index - 2 * question.seats)
    done = [_played(line) for line in lines[first : index + 2 * question.seats]]
    here = index - first
    for many in range(1, here + 1):
        block = done[here : here + many]
        if block in [done[at : at + many] for at in range(here - many + 1)]:
            verb = "is" if many == 1 else "are"
            text = f"{_named(lines[index : index + many])} {verb} written twice"
            yield from replace(question, index, index + many, (), text)
    if _is_written_anew(lines[index : index + 2]):
        text = f"line {lines[index + 1].number} replaces line {lines[index].number}"
        yield from replace(question, index, index + 1, (), text)
    (before, actions), own = done[here - 1], done[here]
    if here and own[1] == actions and own[0] != before and len(cards_in(actions)) > 1:
        text = f"line {lines[index].number} has the actions of line {lines[index - 1].number}"
        yield act(question, {index: (DRAWN, THROWN)}, text=text)
        for drawn in (0, 1):
            yield Change(index, index + 1, (_nothing_known(lines[index], drawn),), text, _NO_OWN)


def _nothing_known(line: Line, drawn: int) -> Line:
    """A turn of which nothing is known but whose it is."""
    return line._replace(text="", event=Missing(1, drawn))


def _is_written_anew(lines: Sequence[Line]) -> bool:
    """Whether the second of two lines has the turn of the first, with more or another action."""
    if len(lines) < 2:
        return False
    (player, first), (again, second) = map(_played, lines)
    if player != again or not first or not second or first == second:
        return False
    same = [action for action in first if action in second]
    if len(same) == len(first):
        return True
    numbers = numbers_of(lines)
    is_known = any(map(cards_of, same)) or (len(numbers) > len({*numbers}))
    return is_known and len(first) == len(second) == len(same) + 1


def _played(line: Line) -> tuple[str, tuple[Action, ...]]:
    """Who plays on a line, and what is done, whatever its number is; of another line, nothing."""
    event = line.event
    return (event.player, event.actions) if type(event) is Turn else ("", ())


def of_another(question: Question, index: int) -> Changes:
    """A turn of another player: of the one whose turn it is, or of anybody who breaks in.

    Lines that go on with it have the same name.
    """
    turn, stop = question.turn(index), index + 1
    while stop < len(question.lines) and _goes_on_with(question, stop):
        stop += 1
    due = [] if question.breaks_in(index) else list(_due(question, index))[:1]
    for name in due or question.players:
        if name != turn.player:
            rows = {at: question.turn(at)._replace(player=name) for at in range(index, stop)}
            yield put(question, rows)


def _goes_on_with(question: Question, index: int) -> bool:
    """Whether a line goes on with the turn of the line before, which has no discard yet."""
    if not (question.has_turn(index - 1) and question.has_turn(index)):
        return False
    before, turn = question.turn(index - 1), question.turn(index)
    thrown = any(type(action) is Discard for action in before.actions)
    begins = turn.number is not None or isinstance(turn.actions[0], (*SOME_DRAW, *BREAKS_IN))
    return turn.player == before.player and not thrown and not begins


def names_swapped(question: Question, index: int) -> Changes:
    """Two turns of a round, each under the other's name; or from a line on all turns are another's.

    Two players are each written for the other, or all for one so many seats on.
    """
    first, due = question.lines[index].event, next(_due(question, index), None)
    if type(first) is not Turn or due is None or due == first.player:
        return
    if first.player in question.players:
        names, number = question.players, question.lines[index].number
        shift = names.index(due) - names.index(first.player)
        shifted = dict(zip(names, (*names[shift:], *names[:shift]), strict=True))
        exchanged = {first.player: due, due: first.player}
        text = f"from line {number} on, {first.player} and {due} are written for each other"
        yield from _renamed(question, index, exchanged, text)
        text = f"from line {number} on, turns are under the wrong names: line {number} is {due}'s"
        yield from _renamed(question, index, shifted, text)
    for other in range(index + 1, min(index + 1 + question.seats, len(question.lines))):
        if question.has_turn(other, due):
            second = question.turn(other)._replace(player=first.player)
            yield put(question, {index: first._replace(player=due), other: second})


def _renamed(question: Question, index: int, others: Mapping[str, str], text: str) -> Changes:
    """All turns from a line on, which are more than a round, under other names."""
    rows = filter(question.has_turn, range(index, len(question.lines)))
    turns = {at: question.turn(at) for at in rows}
    named = {
        at: turn._replace(player=others.get(turn.player, turn.player)) for at, turn in turns.items()
    }
    if len(turns) > question.seats:
        yield put(question, named, _FROM_HERE, text)


def swapped(question: Question, index: int) -> Changes:
    """Two neighbouring lines, one of which is a turn, stand in the wrong order.

    A new stock goes with its reshuffle.
    """
    middle = _behind(question.lines, index)
    stop = _behind(question.lines, middle)
    kinds = {type(line.event) for line in question.lines[index:stop]}
    if Turn in kinds and kinds <= _IN_ORDER:
        yield _exchanged(question, index, middle, stop)


def _behind(lines: Sequence[Line], index: int) -> int:
    """The index behind a line, and behind the stock that belongs to it if it is a reshuffle."""
    kinds = [type(line.event) for line in lines[index : index + 2]]
    return index + (2 if kinds == [events.Reshuffle, events.StockOrder] else 1)


def late(question: Question, index: int) -> Changes:
    """Some turns from a line on, or those before which they belong, are in the wrong place.

    One of the two blocks has few lines, and begins with the player due; the other goes on for two
    rounds at most.
    """
    lines, due = question.lines, next(_due(question, index), None)
    end = min(index + 2 * max(question.seats, _BLOCK) + 1, len(lines))
    starts = [at for at in range(index + 1, end) if due and question.has_turn(at, due)]
    for middle in starts:
        for stop in range(max(middle + 1, index + 3), end + 1):
            few = min(middle - index, stop - middle)
            if few <= _BLOCK and _goes_on(question, stop - 1, index):
                yield _exchanged(question, index, middle, stop, _EACH_MORE * (few - 1))


def _goes_on(question: Question, index: int, after: int) -> bool:
    """Whether a turn can come after another: of the same player, of the next one, or a call."""
    if not (question.has_turn(index) and question.has_turn(after)):
        return False
    first, second = question.seat(index), question.seat(after)
    if first == second or question.breaks_in(after):
        return True
    return first is not None and question.position(after).after[first] == second


def _exchanged(question: Question, index: int, middle: int, stop: int, more: float = 0.0) -> Change:
    """Two neighbouring blocks of lines, each in the place of the other, numbered in that order."""
    first, second = question.lines[index:middle], question.lines[middle:stop]
    lines = with_numbers((*second, *first), sorted(numbers_of((*first, *second))))
    if len(second) > len(first):
        text = f"{_named(first)} should come after line {second[-1].number}"
    else:
        text = f"{_named(second)} should come before line {first[0].number}"
    return Change(index, stop, lines, text, more)


def joined(question: Question, index: int) -> Changes:
    """Two turns on one line; what stood between two discards may be missing."""
    event, number = question.turn(index), question.lines[index].number
    thrown = [at for at, action in enumerate(event.actions) if type(action) is Discard]
    for at in thrown[:1]:
        first, second, more = event.actions[: at + 1], event.actions[at + 1 :], 0.0
        if not second:
            first, second, more = (*first[:-1], THROWN), (DRAWN, first[-1]), _EYE_SKIPS
        counted = 2 - (type(second[0]) in BREAKS_IN)
        for name in question.players:
            if name != event.player:
                turns = [event._replace(actions=first), Turn(None, name, second)]
                text = f"line {number} has two turns, the second of which is {name}'s"
                yield from replace(question, index, index + 1, turns, text, more, counted)


def not_undone(question: Question, index: int) -> Changes:
    """A turn that is taken back stands."""
    taken, undo = question.lines[index - 1], question.lines[index]
    if isinstance(undo.event, events.Undo) and isinstance(taken.event, events.TakenBack):
        text = f"“undo” in line {undo.number} did not happen"
        stands = taken._replace(event=taken.event.turn)
        yield Change(index - 1, index + 1, (stands,), text)


def alien(question: Question, index: int) -> Changes:
    """A turn, or a reshuffle, does not belong to the hand."""
    if type(question.line.event) in {Turn, events.Reshuffle}:
        text = f"line {question.line.number} does not belong here"
        yield from replace(question, index, index + 1, (), text)


def counted_otherwise(question: Question, index: int) -> Changes:
    """From a line on, turns are not numbered one by one."""
    lines, found = question.lines, question.course.found
    wrong = [fault for fault in found if fault.finding.code == "log.number"]
    if len([fault for fault in wrong if fault.at >= index]) > _MOST_WRONG_NUMBERS:
        text = f"turns are numbered differently from line {lines[index].number} on"
        yield Change(index, len(lines), with_numbers(lines[index:], repeat(None)), text)


def other_stock(question: Question, index: int) -> Changes:
    """The cards of the stock are not as they are listed, most likely if few are drawn so.

    The first one drawn against the list may be missing there, or swapped; or one is listed twice.
    """
    lines, stock = question.lines, question.lines[index].event
    if not isinstance(stock, events.StockOrder):
        return
    cards = stock.cards
    actions = [action for line in lines[index:] for action in actions_of(line)]
    drawn = [action.card for action in actions if isinstance(action, Draw)]
    as_listed = 2 * sum(map(eq, drawn, cards)) >= min(len(drawn), len(cards))
    text = f"the stock is not listed as it was in line {lines[index].number}"
    yield Change(index, index + 1, (), text, _NOT_LISTED + (_AS_LISTED if as_listed else 0.0))
    pairs = enumerate(zip(drawn, cards, strict=False))
    at, card = next(((at, card) for at, (card, listed) in pairs if card != listed), (0, UNKNOWN))
    for place, (listed, following) in enumerate(pairwise(cards)):
        if listed == following:
            text = f"{card_text(listed)} is listed twice in line {lines[index].number}"
            yield put(question, {index: events.StockOrder(in_place(cards, place))}, text=text)
    if card not in question.cards:
        return
    yield put(question, {index: events.StockOrder((*cards[:at], card, *cards[at:]))})
    if card in cards[at + 1 :]:
        other = cards.index(card, at + 1)
        exchanged = in_place(in_place(cards, at, card), other, cards[at])
        both = f"{card_text(cards[at])} and {card_text(card)}"
        text = f"{both} are swapped in line {lines[index].number}"
        yield put(question, {index: events.StockOrder(exchanged)}, text=text)


def another_out(question: Question, index: int) -> Changes:
    """Another player went out."""
    event = question.line.event
    if isinstance(event, events.HandEnd) and event.player is not None:
        for name in question.players:
            yield put(question, {index: changed(event, player=name)})


def reshuffle(question: Question, index: int) -> Changes:
    """That the pile became the stock was left out."""
    yield from left_out(question, index, "the reshuffle is", [events.Reshuffle()])


def _due(question: Question, index: int) -> Iterator[str]:
    """Whose turns may be missing before a line, in their order, as many as there are players."""
    position = question.position(index)
    if position.begins:
        seat = position.turn.seat
        for _ in position.order:
            yield question.players[seat]
            seat = position.after[seat]


def _missing(question: Question, index: int) -> list[list[str]]:
    """Whose turns may be missing before a line: after them its player is due, or it is a call."""
    due = list(_due(question, index))
    player = question.turn(index).player
    rows = [due[:many] for many in range(1, len(due) + 1)]
    if question.breaks_in(index) or player not in due:
        return rows
    return [rows[due.index(player) - 1]]


def _left_out(
    question: Question, index: int, names: Sequence[str], made: Sequence[Any], more: float = 0.0
) -> Changes:
    """Turns of some players in a row that were left out before a line."""
    whose = f"a turn of {names[0]} is" if len(names) == 1 else f"{len(names)} turns are"
    if len(names) > 1 and numbers_step(question.lines, index, index) == 1:
        more += _NUMBERED_ON
    yield from left_out(question, index, whose, made, more, len(names))


def turns(question: Question, index: int) -> Changes:
    """Turns are missing in which an unknown card was drawn, and one thrown.

    In a single one the top card may have been taken, or the card thrown that comes next.
    """
    first = question.turn(index).actions[0]
    taken = cards_of(first) if isinstance(first, (Take, *BREAKS_IN)) else ()
    for names in _missing(question, index):
        if len(names) == 1:  # the first turn of a hand may have no draw
            yield from _left_out(question, index, names, [Turn(None, names[0], (THROWN,))])
        made = [Turn(None, name, (DRAWN, THROWN)) for name in names]
        more = _EACH_KNOWN * (len(names) - 1)
        yield from _left_out(question, index, names, made, more)
        if len(names) > 1:
            continue
        top = [Take(card) for card in question.position(index).pile[-1:] if card != UNKNOWN]
        rows = [(DRAWN, Discard(card)) for card in taken]
        rows += [(take, Discard(card)) for take in top for card in (*taken, UNKNOWN)]
        for row in rows:
            yield from _left_out(question, index, names, [Turn(None, names[0], row)], _WITH_CARD)


def unknown_turns(question: Question, index: int) -> Changes:
    """Turns are missing of which only whose they are is known, and how many.

    There are more than a round of them if the numbers or the listed stock show that. No round is
    missing before the first turn, unless its number counts it, and none where cards leave no room.
    """
    due = list(_due(question, index))
    most = _ROUNDS * len(due)
    is_first = not any(map(question.has_turn, range(index)))
    counted = (numbers_step(question.lines, index, index) or 1) - 1
    if not counted and _is_next(question, index):
        return
    drawn = _not_drawn(question, index, most)
    for last_round in _missing(question, index):
        names = last_round
        while len(names) < min(max(counted, drawn), most):
            names = due + names
        if is_first and len(names) == len(due) != counted:
            continue
        more = 0.0 if drawn else min(_EACH_UNKNOWN * (len(names) - 1), _MOST_MORE)
        if len(names) == counted:
            more = -_COUNTED
        missing = [Missing(len(names), min(drawn, len(names)))]
        yield from _left_out(question, index, names, missing, _COUNTED + more)


def _is_next(question: Question, index: int) -> bool:
    """Whether cards show that nothing was played before a line, wherever turns are missing.

    The next card of the listed stock is drawn in it, and the top card of the pile is still there
    when somebody takes it. A first turn without a draw leaves both where they are.
    """
    judge, position = question.course.begin.judge_of_hand, question.position(index)
    if position.turn.opening and judge.ruleset.deal.first_turn != "draws":
        return False
    first, top = question.turn(index).actions[0], position.pile[-1:]
    is_listed = isinstance(first, Draw) and UNKNOWN != first.card == question.top(index)
    if not is_listed or top in ([], [UNKNOWN]) or judge.copies[top[0]] > 1:
        return False
    later = [action for line in question.lines[index:] for action in actions_of(line)]
    return isinstance(next((one for one in later if top[0] in cards_of(one)), None), Take)


def _not_drawn(question: Question, index: int, most: int) -> int:
    """How many cards of the listed stock lie over the one drawn; 0 if too many, or not listed."""
    action = question.turn(index).actions[0]
    over = question.position(index).stock[-1 : -2 - most : -1]
    if not isinstance(action, Draw) or action.card == UNKNOWN or action.card not in over:
        return 0
    return over.index(action.card)


def more_done(question: Question, index: int) -> Changes:
    """A player did more in a turn than is written, nobody knows what."""
    position, seat = question.position(index), question.seat(index)
    is_due = position.begins and position.turn.seat == seat
    if is_due and position.unknown[position.turn.seat]:
        line = question.lines[index].number
        text = f"{question.turn(index).player} did more than line {line} says"
        yield from replace(question, index, index, [Missing(0, 0)], text)
