"""Edits of whole lines: lines written twice, missing, in another order, or under another name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import eq
from typing import Final

from meldref.core import events
from meldref.core.cards import UNKNOWN, card_text
from meldref.core.events import Action, Discard, Draw, Line, Missing, Take, Turn
from meldref.core.records import changed
from meldref.notation.actions import BREAKS_IN
from meldref.position.model import Position
from meldref.replay.repair.edits import (
    DRAWN,
    SOME_DRAW,
    THROWN,
    Change,
    Changes,
    Question,
    actions_of,
    cards_of,
    delete,
    in_place,
    insert,
    number_of,
    numbered,
    numbers_missing,
    numbers_step,
    put,
    put_all,
    with_number,
)

COUNTED: Final = 0.2
"""By how much missing turns are more likely if the numbers after them count them."""
_EYE_SKIPS: Final = 0.25
"""What it costs more that what is between two discards was left out."""
_IN_ORDER: Final = {Turn, events.Reshuffle, events.StockOrder, events.UpCard, events.WildRank}
"""Lines that have their place before or after a turn."""
_MOST_WRONG_NUMBERS: Final = 2
"""How many wrong numbers of turns may be slips: with more, turns are counted in another way."""
_AS_LISTED: Final = 0.5
"""What it costs more that the stock was another one, if most of it was drawn as it is listed."""
STOCK_ALIKE: Final = 0.45
"""What it costs less that all but one or two cards of the stock are as they are listed."""
_BLOCK: Final = 4
"""How many turns at most are in the wrong place together."""
_EACH_MORE: Final = 0.15
"""What each of them after the first costs."""
_ROUNDS: Final = 4
"""How many rounds may be missing that can be counted."""
_EACH_UNKNOWN: Final = 0.1
"""What each missing turn after the first costs of which nothing is known,"""
_MOST_MORE: Final = 0.6
"""What missing turns that nobody counted cost more than one, however many they are."""


def twice(question: Question, index: int) -> Changes:
    """A turn is written twice, perhaps wrongly or in part at first, or several turns are."""
    lines, most = question.lines, 2 * question.seats
    first = max(0, index - most)
    done = [_played(line) for line in lines[first : index + most]]
    here, number = index - first, lines[index].number
    if done[here] in done[:here]:
        yield from delete(question, index, what=f"line {number} is written twice")
    if _is_written_anew(lines[index : index + 2]):
        again = lines[index + 1].number
        yield from delete(question, index, what=f"line {again} replaces line {number}")
    for many in range(2, here + 1):
        if done[here - many : here] == done[here : here + many]:
            last = lines[index + many - 1].number
            what = f"lines {number} to {last} are written twice"
            yield from delete(question, index, many, what)


def _is_written_anew(lines: Sequence[Line]) -> bool:
    """Whether the second of two lines has the turn of the first, with more or another action."""
    if len(lines) < 2:
        return False
    (player, first), (again, second) = map(_played, lines)
    if player != again or not first or not second or first == second:
        return False
    same = [action for action, again in zip(first, second, strict=False) if action == again]
    if len(same) == len(first):
        return True
    number = number_of(lines[0])
    is_again = number is not None and number == number_of(lines[1])
    is_known = is_again or any(cards_of(action) for action in same)
    return is_known and len(first) == len(second) == len(same) + 1


def _played(line: Line) -> tuple[str, tuple[Action, ...]]:
    """Who plays on a line, and what is done, whatever its number is; of another line, nothing."""
    event = line.event
    return (event.player, event.actions) if type(event) is Turn else ("", ())


def of_another(question: Question, index: int) -> Changes:
    """A turn of another player, with the lines after it that go on with it under the same name."""
    lines, player, stop = question.lines, question.turn(index).player, index + 1
    while stop < len(lines) and _continues_turn(lines[stop - 1], lines[stop]):
        stop += 1
    breaks_in = type(question.turn(index).actions[0]) in BREAKS_IN
    due = None if breaks_in else _whose_turn(question, index)
    for name in question.players if due is None else (due,):
        if name != player:
            turns = {at: question.turn(at)._replace(player=name) for at in range(index, stop)}
            yield put_all(question, turns, name)


def _continues_turn(line: Line, after: Line) -> bool:
    """Whether the line after a turn that has no discard yet goes on with it."""
    first, second = line.event, after.event
    if type(first) is not Turn or type(second) is not Turn or second.number is not None:
        return False
    drawn = type(second.actions[0]) in {*SOME_DRAW, *BREAKS_IN}
    thrown = any(type(action) is Discard for action in first.actions)
    return second.player == first.player and not drawn and not thrown


def swapped(question: Question, index: int) -> Changes:
    """Two neighbouring lines, one of which is a turn, stand in the wrong order.

    A line of the new stock goes with the reshuffle.
    """
    lines = question.lines
    middle = _with_new_stock(lines, index)
    stop = _with_new_stock(lines, middle)
    kinds = {type(line.event) for line in lines[index:stop]}
    if Turn in kinds and kinds <= _IN_ORDER:
        moved = _renumbered(question, index, (*lines[middle:stop], *lines[index:middle]))
        yield Change(index, stop, moved, what=f"{lines[middle].number}")


def _with_new_stock(lines: Sequence[Line], index: int) -> int:
    """The index behind a line, and behind the new stock that it makes of the pile."""
    rest = lines[index + 1 : index + 2]
    is_new = isinstance(lines[index].event, events.Reshuffle)
    return index + 1 + bool(is_new and rest and isinstance(rest[0].event, events.StockOrder))


def names_swapped(question: Question, index: int) -> Changes:
    """Two turns of a round, each under the other's name."""
    first, due = question.lines[index].event, _whose_turn(question, index)
    if type(first) is not Turn or first.player == due:
        return
    later = enumerate(question.lines[index + 1 : index + 1 + question.seats], index + 1)
    for other, line in later:
        second = line.event
        if type(second) is Turn and second.player == due:
            named = first._replace(player=due)
            turns = {index: named, other: second._replace(player=first.player)}
            yield put_all(question, turns, what=f"{line.number}")


def late(question: Question, index: int) -> Changes:
    """Turns that are written some lines too late."""
    for middle, stop in _neighbouring_blocks(question, index):
        if stop - middle <= middle - index:
            yield _exchanged(question, index, middle, stop, _belong(question, middle, stop))


def early(question: Question, index: int) -> Changes:
    """Turns that are written some lines too early; `what` is the line that they belong after."""
    for middle, stop in _neighbouring_blocks(question, index):
        if middle - index < stop - middle:
            after = f"{question.lines[stop - 1].number}"
            moved = _exchanged(question, index, middle, stop, after)
            yield moved._replace(player=_belong(question, index, middle))


def _neighbouring_blocks(question: Question, index: int) -> Iterator[tuple[int, int]]:
    """Where a block of turns from a line on may end, and the next one, which belongs before it.

    One of them has few lines, the other goes on for two rounds at most; each is of whole turns, and
    players come in their order where the blocks meet.
    """
    lines, order = question.lines, list(_due(question, index))
    end = min(index + 2 * question.seats + 1, len(lines))
    for middle in range(index + 1, end):
        if getattr(lines[middle].event, "player", None) not in order[:1]:
            continue
        for stop in range(middle + 1, end + 1):
            few = min(middle - index, stop - middle)
            is_swap = stop == index + 2
            if few <= _BLOCK and not is_swap and _goes_on(lines[stop - 1], lines[index], order):
                yield middle, stop


def _goes_on(line: Line, after: Line, order: Sequence[str]) -> bool:
    """Whether a turn can come after another: of the same player, of the next one, or a call."""
    first, second = line.event, after.event
    if type(first) is not Turn or type(second) is not Turn:
        return False
    if second.player == first.player or type(second.actions[0]) in BREAKS_IN:
        return True
    places = {name: place for place, name in enumerate(order)}
    if not {first.player, second.player} <= places.keys():
        return False
    return places[second.player] == (places[first.player] + 1) % len(order)


def _exchanged(question: Question, index: int, middle: int, stop: int, what: str) -> Change:
    """Two neighbouring blocks of lines, each in the place of the other."""
    lines = question.lines
    moved = _renumbered(question, index, (*lines[middle:stop], *lines[index:middle]))
    few = min(middle - index, stop - middle)
    return Change(index, stop, moved, what=what, more=_EACH_MORE * (few - 1))


def _renumbered(question: Question, index: int, moved: Sequence[Line]) -> tuple[Line, ...]:
    """Lines in another order, numbered in that if the numbers count them as they are written."""
    lines, stop = question.lines, index + len(moved)
    steps = {numbers_step(lines, at, at) for at in range(index, min(stop + 1, len(lines)))}
    if not steps <= {0, 1}:
        return tuple(moved)
    numbers = iter([n for line in lines[index:stop] if (n := number_of(line)) is not None])
    return tuple(
        [line if number_of(line) is None else with_number(line, next(numbers)) for line in moved]
    )


def _belong(question: Question, start: int, stop: int) -> str:
    """The beginning of a sentence about lines that belong elsewhere."""
    first, last = question.lines[start].number, question.lines[stop - 1].number
    return f"line {first} belongs" if first == last else f"lines {first} to {last} belong"


def _whose_turn(question: Question, index: int) -> str | None:
    """Whose turn it is before a line; None in the middle of a turn."""
    return next(_due(question, index), None)


def joined(question: Question, index: int) -> Changes:
    """Two turns on one line; what stood between two discards may be missing."""
    event = question.turn(index)
    thrown = [at for at, action in enumerate(event.actions) if type(action) is Discard]
    for at in thrown[:1]:
        first, second, more = event.actions[: at + 1], event.actions[at + 1 :], 0.0
        if not second:
            first, second, more = (*first[:-1], THROWN), (DRAWN, first[-1]), _EYE_SKIPS
        counted = int(type(second[0]) not in BREAKS_IN)
        for name in question.players:
            if name != event.player:
                turns = [event._replace(actions=first), Turn(None, name, second)]
                yield from insert(question, index, turns, name, more=more, turns=counted, over=1)


def alien(question: Question, index: int) -> Changes:
    """A turn, or a reshuffle, does not belong to the hand."""
    if type(question.line.event) in {Turn, events.Reshuffle}:
        yield from delete(question, index)


def counted_otherwise(question: Question, index: int) -> Changes:
    """From a line on, turns are not numbered one by one."""
    lines, found = question.lines, question.course.found
    wrong = [fault for fault in found if fault.finding.code == "log.number"]
    if len([fault for fault in wrong if fault.at >= index]) > _MOST_WRONG_NUMBERS:
        yield Change(index, len(lines), numbered(lines[index:], None))


def other_stock(question: Question, index: int) -> Changes:
    """The cards of the stock are not as they are listed, most likely if few are drawn so."""
    lines, stock = question.lines, question.lines[index].event
    if not isinstance(stock, events.StockOrder):
        return
    actions = [action for line in lines[index:] for action in actions_of(line)]
    drawn = [action.card for action in actions if isinstance(action, Draw)]
    as_listed = sum(map(eq, drawn, stock.cards))
    more = _AS_LISTED if 2 * as_listed >= min(len(drawn), len(stock.cards)) else 0.0
    yield Change(index, index + 1, (), what="the stock is not listed as it was", more=more)
    yield from _listed_otherwise(question, index, stock.cards, drawn)


def _listed_otherwise(
    question: Question, index: int, cards: Sequence[int], drawn: Sequence[int]
) -> Changes:
    """The first card of the stock that is drawn against the list is missing there, or swapped."""
    known = enumerate(drawn[: len(cards)])
    at = next((at for at, card in known if card != cards[at]), None)
    if at is None or drawn[at] not in question.cards:
        return
    card, listed = drawn[at], cards[at]
    with_it = events.StockOrder((*cards[:at], card, *cards[at:]))
    what = f"{card_text(card)} is missing before {card_text(listed)}"
    yield put(question, index, with_it, what=what, more=-STOCK_ALIKE)
    if card in cards[at + 1 :]:
        other = cards.index(card, at + 1)
        swapped = in_place(in_place(cards, at, card), other, listed)
        what = f"{card_text(listed)} and {card_text(card)} are swapped"
        yield put(question, index, events.StockOrder(swapped), what=what, more=-STOCK_ALIKE)


def another_out(question: Question, index: int) -> Changes:
    """Another player went out."""
    event = question.line.event
    if isinstance(event, events.HandEnd) and event.player is not None:
        for name in question.players:
            yield put(question, index, changed(event, player=name), name)


def reshuffle(question: Question, index: int) -> Changes:
    """That the pile became the stock was left out."""
    yield from insert(question, index, [events.Reshuffle()])


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
    turn = question.turn(index)
    rows = [due[:many] for many in range(1, len(due) + 1)]
    if type(turn.actions[0]) in BREAKS_IN or turn.player not in due:
        return rows
    return [rows[due.index(turn.player) - 1]]


def turns(question: Question, index: int) -> Changes:
    """Turns are missing in which an unknown card was drawn, and one thrown."""
    for names in _missing(question, index):
        made = [Turn(None, name, (DRAWN, THROWN)) for name in names]
        if len(names) == 1:  # the first turn of a hand may have no draw
            first = Turn(None, names[0], (THROWN,))
            yield from insert(question, index, [first], *_whose(names), turns=1)
        yield from insert(
            question, index, made, *_whose(names), 0.6 * (len(names) - 1), turns=len(names)
        )


def unknown_turns(question: Question, index: int) -> Changes:
    """Turns are missing of which only whose they are is known, and how many.

    There are more than a round of them if the numbers or the listed stock show that. No round is
    missing before the first turn.
    """
    position, due = question.position(index), list(_due(question, index))
    is_first = not any(type(line.event) is Turn for line in question.lines[:index])
    counted = numbers_missing(question.lines, index)
    drawn = _not_drawn(position, question.turn(index).actions[0], _ROUNDS * len(due))
    for last_round in _missing(question, index):
        names = last_round
        while len(names) < min(max(counted, drawn), _ROUNDS * len(due)):
            names = due + names
        if is_first and len(names) == len(due):
            continue
        more = 0.0 if drawn else min(_EACH_UNKNOWN * (len(names) - 1), _MOST_MORE)
        if len(names) == counted:
            more = -COUNTED
        missing = [Missing(len(names), min(drawn, len(names)))]
        yield from insert(question, index, missing, *_whose(names), more, turns=len(names))


def more_done(question: Question, index: int) -> Changes:
    """A player did more in a turn than is written, nobody knows what."""
    position, seat = question.position(index), question.seat(index)
    is_due = position.begins and position.turn.seat == seat
    if is_due and position.unknown[position.turn.seat]:
        yield from insert(question, index, [Missing(0, 0)], question.turn(index).player)


def _whose(names: Sequence[str]) -> tuple[str, str]:
    """What a sentence says of missing turns: whose the last is; whose they are, or how many."""
    last = names[-1]
    return last, f"a turn of {last} is" if len(names) == 1 else f"{len(names)} turns are"


def turn_with_card(question: Question, index: int) -> Changes:
    """A turn is missing in which the top card was taken, or the card thrown that comes next."""
    first = question.turn(index).actions[0]
    taken = cards_of(first) if isinstance(first, (Take, *BREAKS_IN)) else ()
    for names in _missing(question, index):
        if len(names) > 1:
            return
        top = [Take(card) for card in question.position(index).pile[-1:] if card != UNKNOWN]
        for drawn in (DRAWN, *top):
            for card in (*taken, UNKNOWN):
                if drawn is not DRAWN or card != UNKNOWN:
                    turn = Turn(None, names[0], (drawn, Discard(card)))
                    yield from insert(question, index, [turn], *_whose(names), turns=1)


def _not_drawn(position: Position, action: Action, most: int) -> int:
    """How many cards of the listed stock lie over the one drawn; 0 if too many, or not listed."""
    over = position.stock[-1 : -2 - most : -1]
    if not isinstance(action, Draw) or action.card == UNKNOWN or action.card not in over:
        return 0
    return over.index(action.card)
