"""Binds a checked condition: a function that answers it for a view, with yes, no or open."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from meldref.conditions.facts import OF_PLACE, PLAYER
from meldref.conditions.types import (
    ANY,
    LISTS,
    MOST,
    NOTHING,
    OPEN,
    TOP,
    Fact,
    Row,
    Sort,
    Term,
    Truth,
)
from meldref.conditions.view import Thrown, View
from meldref.core.cards import UNKNOWN, Card, count, each
from meldref.core.effort import EFFORT

Ask: TypeAlias = Callable[[View], Any]
"""Answers a part of a condition: a truth, a number, a word, or `NOTHING`."""

Span: TypeAlias = tuple[int, int]
"""The least and the greatest that a number may be."""

_ORDERED: Final[dict[str, Callable[[int, int], bool]]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "is": operator.eq,
    "is not": operator.ne,
}
_CARDS: Final = 53
"""The cards that an unseen one may be."""
_LOOKED_AT: Final = {"it": "it", "card": "named"}
"""The subjects besides the player that a view has as an attribute."""
OTHER_SEAT: Final[Mapping[str, Callable[[View], int | None]]] = MappingProxyType(
    {
        "partner": lambda view: view.tools.partner(view.seat),
        "out": lambda view: view.position.out,
    }
)
"""The subjects that are another player, who may not be there."""
OF_UNKNOWN: Final[Mapping[Sort, Any]] = MappingProxyType(
    {Sort.YES_NO: None, **dict.fromkeys(LISTS, Row((), more=True))}
)
"""What stands for a fact of something that nobody knows; of other sorts `OPEN`."""
_TURNED: Final = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}


def bind(term: Term) -> Ask:
    """What answers a condition or a number."""
    ask: Ask = _BINDERS[term.op](term)
    return ask


def bind_whole(term: Term) -> Ask:
    """What answers a whole condition.

    If nobody knows whether the player melded, all its parts take it one way.
    """
    ask = bind(term)
    if not facts_of(term).issuperset((PLAYER["has_melded"], PLAYER["had_melded"])):
        return ask

    def ask_both(view: View) -> Truth:
        answer: Truth = ask(view)
        if answer is not None:
            return answer
        answers = set[Truth]()
        for assumed in (False, True):
            view.assumed_melded = assumed
            answers.add(ask(view))
        view.assumed_melded = None
        return answers.pop() if len(answers) == 1 else None

    return ask_both


def counted(term: Term, how: Callable[[Term], Ask] = bind_whole) -> Ask:
    """What answers a condition or number, and counts what it looks at; open if that is too much."""
    ask, parts = how(term), parts_of(term)
    too_much: object = None if term.sort is Sort.YES_NO else OPEN

    def ask_counted(view: View) -> Any:
        house = EFFORT.house
        house.left -= parts
        return too_much if house.left < 0 else ask(view)

    return ask_counted


def parts_of(term: Term) -> int:
    """How many parts a condition has; those about a list count again for each thing in it."""
    return 1 + sum(map(parts_of, term.parts))


def facts_of(term: Term) -> set[Fact]:
    """The facts that a condition asks."""
    if term.op == "fact":
        return {term.value}
    return set[Fact]().union(*map(facts_of, term.parts))


def asks_of(term: Term, subject: str) -> bool:
    """Whether a condition asks a fact of a subject."""
    return term.subject == subject or any(asks_of(part, subject) for part in term.parts)


def spread(number: Any) -> tuple[int, int]:
    """A number as the least and the greatest that it may be."""
    if type(number) is int:
        return number, number
    return ANY if number is OPEN else number


def _narrow(low: int, high: int) -> Any:
    """A number by the least and the greatest that it may be: itself, where these are the same."""
    return low if low == high else (low, high)


# --- constants and facts --------------------------------------------------------------------------


def _constant(term: Term) -> Ask:
    value = term.value
    return lambda view: value


def _fact(term: Term) -> Ask:
    ask, subject = term.value.ask, term.subject
    missing: object = False if term.sort is Sort.YES_NO else NOTHING
    if subject == "player":
        return lambda view: ask(view, view.seat)
    if subject in _LOOKED_AT:
        looked_at = operator.attrgetter(_LOOKED_AT[subject])
        return lambda view: ask(view, looked_at(view))
    if subject in OTHER_SEAT:
        find_seat = OTHER_SEAT[subject]

        def of_other(view: View) -> Any:
            seat = find_seat(view)
            return missing if seat is None else ask(view, seat)

        return of_other
    unknown = OF_UNKNOWN.get(term.sort, OPEN)
    if subject == TOP:

        def of_top(view: View) -> Any:
            card = view.top()
            if card is None:
                return missing
            return unknown if card.card == UNKNOWN else ask(view, card)

        return of_top
    if subject == "owner":

        def of_owner(view: View) -> Any:
            meld = view.target()
            if meld is None or not meld.owned:
                return unknown
            return ask(view, meld.seat)

        return of_owner
    if subject == "meld":
        is_of_place = term.value in OF_PLACE

        def of_meld(view: View) -> Any:
            meld = view.target() if is_of_place else view.meld()
            return unknown if meld is None else ask(view, meld)

        return of_meld
    return lambda view: ask(view, None)


# --- logic ----------------------------------------------------------------------------------------


def _logic(term: Term) -> Ask:
    """`and`, which one part decides that does not hold, or `or`, which one decides that does."""
    parts = tuple([bind(part) for part in term.parts])
    decides = term.op == "or"

    def ask(view: View) -> Truth:
        answer: Truth = not decides
        for part in parts:
            truth: Truth = part(view)
            if truth is decides:
                return decides
            if truth is None:
                answer = None
        return answer

    return ask


def _not(term: Term) -> Ask:
    part = bind(term.parts[0])

    def ask(view: View) -> Truth:
        truth: Truth = part(view)
        return None if truth is None else not truth

    return ask


# --- comparing ------------------------------------------------------------------------------------


def _compare(term: Term) -> Ask:
    left, right = term.parts
    op: str = term.value
    first, second = bind(left), bind(right)
    if left.sort is not Sort.NUMBER:
        return _words(first, second, negative=op == "is not")
    compare_numbers = _ORDERED[op]
    constant = right.value if right.op == "constant" else None

    def ask(view: View) -> Truth:
        a = first(view)
        b = second(view) if constant is None else constant
        if type(a) is type(b) is int:
            return compare_numbers(a, b)
        return _compare_ranges(op, a, b)

    return ask


def _compare_ranges(op: str, a: Any, b: Any) -> Truth:
    """A comparison of two numbers that are known from and to, or not there.

    >>> _compare_ranges("<", (1, 3), 4), _compare_ranges("<", (1, 3), 1)
    (True, False)
    >>> _compare_ranges("<", (1, 3), 2) is None
    True
    """
    if a is NOTHING or b is NOTHING:
        return op == "is not"
    if op in {">", ">="}:
        a, b = b, a
        op = _TURNED[op]
    low, high = spread(a)
    least, most = spread(b)
    if op in {"is", "is not"}:
        if high < least or most < low:
            return op == "is not"
        is_same = low == high == least == most
        return (op == "is") if is_same else None
    holds = _ORDERED[op]
    if holds(high, least):
        return True
    if not holds(low, most):
        return False
    return None


def _words(first: Ask, second: Ask, *, negative: bool) -> Ask:
    """A comparison of words."""

    def ask(view: View) -> Truth:
        a, b = first(view), second(view)
        if a is NOTHING or b is NOTHING:
            return negative
        if a is OPEN or b is OPEN:
            return None
        return (a == b) is not negative

    return ask


def _within(term: Term) -> Ask:
    value = bind(term.parts[0])
    if term.parts[0].sort is not Sort.NUMBER:
        words = frozenset(term.value)

        def ask_word(view: View) -> Truth:
            word = value(view)
            return None if word is OPEN else word in words

        return ask_word
    spans: tuple[tuple[int, int], ...] = term.value

    def ask(view: View) -> Truth:
        number = value(view)
        if number is NOTHING:
            return False
        low, high = spread(number)
        may_be = False
        for least, most in spans:
            if least <= low and high <= most:
                return True
            may_be = may_be or (least <= high and low <= most)
        return None if may_be else False

    return ask


# --- numbers --------------------------------------------------------------------------------------


def _computed(term: Term) -> Ask:
    """A number made of others: not there where one of them is not."""
    parts = [bind(part) for part in term.parts]
    compute, operand = _ARITHMETIC[term.op], term.value

    def ask(view: View) -> Any:
        numbers = [part(view) for part in parts]
        if NOTHING in numbers:
            return NOTHING
        if OPEN in numbers:
            return OPEN
        low, high = compute([spread(number) for number in numbers], operand)
        return _narrow(max(low, -MOST), min(high, MOST))

    return ask


def _add(spans: Sequence[Span], signs: Sequence[str]) -> Span:
    """A sum of numbers, those behind a `-` taken off: the least is less the greatest of them."""
    least = most = 0
    for sign, (low, high) in zip(signs, spans, strict=True):
        if sign == "+":
            least += low
            most += high
        else:
            least -= high
            most -= low
    return least, most


_ARITHMETIC: Final[dict[str, Callable[[Sequence[Span], Any], Iterable[int]]]] = {
    "add": _add,
    "times": lambda spans, factor: sorted(end * factor for end in spans[0]),
    "divide": lambda spans, divisor: [end // divisor for end in spans[0]],
    "round_down": lambda spans, step: [end // step * step for end in spans[0]],
    "round_up": lambda spans, step: [-(-end // step) * step for end in spans[0]],
    "min": lambda spans, _: map(min, zip(*spans, strict=True)),
    "max": lambda spans, _: map(max, zip(*spans, strict=True)),
}


# --- lists ----------------------------------------------------------------------------------------


def _listed(term: Term) -> Ask:
    """What gives the list that a condition asks about, and counts what is looked at in it."""
    rows = bind(term.parts[0])
    parts_for_each = sum(map(parts_of, term.parts[1:]))

    def ask(view: View) -> Any:
        row = rows(view)
        if row is NOTHING:
            return row
        if row.meld is not None or row.known or row.maybe:
            view.lying = row.meld
        looked_at = len(row.known) + len(row.maybe)
        if row.unseen:
            looked_at += _CARDS
        EFFORT.on_conditions(parts_for_each * looked_at)
        return row

    return ask


def _each(view: View, inner: Ask, things: Any) -> Iterator[Any]:
    """The answers for the things of a list, one after the other."""
    for thing in things:
        view.it = thing
        yield inner(view)


def _unseen(view: View, inner: Ask, row: Row) -> tuple[int, int]:
    """Of the cards of a list that nobody saw, how many are surely as asked, and how many may be."""
    may_hold = may_fail = 0
    for card, answer in _answers(view, inner, row):
        copies = count(row.pool, card)
        if answer is not False:
            may_hold += copies
        if answer is not True:
            may_fail += copies
    return max(0, row.unseen - may_fail), min(row.unseen, may_hold)


def _answers(view: View, inner: Ask, row: Row) -> Iterator[tuple[Card, Any]]:
    """The answers for each card that an unseen one of a list may be."""
    for card in dict.fromkeys(each(row.pool)):
        view.it = Thrown(card) if row.of_pile else card
        yield card, inner(view)


def _counts(term: Term) -> Callable[[View], tuple[int, int] | None]:
    """How many things in a list are as asked, at least and at most; None for nobody's list."""
    rows = _listed(term)
    inner = bind(term.parts[1])

    def ask(view: View) -> tuple[int, int] | None:
        row = rows(view)
        if row is NOTHING:
            return None
        low = high = 0
        for answer in _each(view, inner, row.known):
            if answer is not False:
                high += 1
            if answer is True:
                low += 1
        if row.unseen:
            surely, may_be = _unseen(view, inner, row)
            low += surely
            high += may_be
        for answer in _each(view, inner, row.maybe):
            if answer is not False:
                high += 1
        return (low, MOST) if row.more else (low, high)

    return ask


def _count(term: Term) -> Ask:
    if len(term.parts) == 1:
        rows = bind(term.parts[0])

        def ask_size(view: View) -> Any:
            row = rows(view)
            if row is NOTHING:
                return NOTHING
            size = len(row.known) + row.unseen
            if row.more:
                return (size, MOST)
            return _narrow(size, size + len(row.maybe))

        return ask_size
    counts = _counts(term)

    def ask(view: View) -> Any:
        span = counts(view)
        if span is None:
            return NOTHING
        return _narrow(*span)

    return ask


def _any(term: Term) -> Ask:
    counts = _counts(term)

    def ask(view: View) -> Truth:
        low, high = counts(view) or (0, 0)
        if low:
            return True
        return None if high else False

    return ask


def _all(term: Term) -> Ask:
    """`all(list, …)`: there is a list, and nothing in it that is not as asked."""
    rows, inner = term.parts
    fails = Term("not", Sort.YES_NO, (inner,))
    any_fails = Term("any", Sort.YES_NO, (rows, fails))
    ask_rows = bind(rows)
    ask_every = bind(Term("not", Sort.YES_NO, (any_fails,)))
    return lambda view: ask_rows(view) is not NOTHING and ask_every(view)


def _summed(term: Term) -> Ask:
    """The number that a thing adds to a sum; nothing where it is not as asked."""
    number = bind(term.parts[1])
    if len(term.parts) == 2:
        return number
    condition = bind(term.parts[2])

    def ask(view: View) -> Any:
        holds: Truth = condition(view)
        if holds is False:
            return NOTHING
        points = number(view)
        if holds or points is NOTHING:
            return points
        # It is open whether the thing counts, so it may as well add nothing.
        low, high = spread(points)
        return min(low, 0), max(high, 0)

    return ask


def _sum(term: Term) -> Ask:
    rows, inner = _listed(term), _summed(term)

    def ask(view: View) -> Any:
        row = rows(view)
        if row is NOTHING:
            return NOTHING
        if row.more:
            return ANY
        low = high = 0
        for number in _each(view, inner, row.known):
            if number is not NOTHING:
                least, most = spread(number)
                low += least
                high += most
        if row.unseen:
            least, most = _sum_of_unseen(view, inner, row)
            low += least
            high += most
        for number in _each(view, inner, row.maybe):
            if number is not NOTHING:
                least, most = spread(number)
                low += min(least, 0)
                high += max(most, 0)
        return _narrow(low, high)

    return ask


def _sum_of_unseen(view: View, inner: Ask, row: Row) -> tuple[int, int]:
    """The least and the most that cards can come to which nobody saw."""
    lows: list[int] = []
    highs: list[int] = []
    for card, number in _answers(view, inner, row):
        least, most = (0, 0) if number is NOTHING else spread(number)
        copies = count(row.pool, card)
        lows += [least] * copies
        highs += [most] * copies
    number = min(row.unseen, len(lows))
    return sum(sorted(lows)[:number]), sum(sorted(highs)[len(highs) - number :])


_BINDERS: Final[dict[str, Callable[[Term], Ask]]] = {
    "constant": _constant,
    "fact": _fact,
    "or": _logic,
    "and": _logic,
    "not": _not,
    "compare": _compare,
    "in": _within,
    "add": _computed,
    "times": _computed,
    "divide": _computed,
    "round_down": _computed,
    "round_up": _computed,
    "min": _computed,
    "max": _computed,
    "count": _count,
    "any": _any,
    "all": _all,
    "sum": _sum,
}


def answer(ask: Ask, view: View, candidates: Sequence[Card]) -> Any:
    """The answer about a card that nobody saw: open unless it is one for all it may be."""
    answers: set[Any] = set()
    for card in candidates:
        view.card = card
        answers.add(ask(view))
        if len(answers) > 1:
            break
    view.card = UNKNOWN
    return answers.pop() if len(answers) == 1 else None
