"""Binds a checked condition: a function that answers it for a view, with yes, no or open."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final, TypeAlias

from meldref.conditions.facts import OF_PLACE
from meldref.conditions.types import ANY, MOST, NOTHING, OPEN, Row, Sort, Term, Truth
from meldref.conditions.view import View
from meldref.core.cards import UNKNOWN, Card, count, each

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
_LOOKED_AT: Final = {"it": "it", "player": "seat", "card": "card"}
_TURNED: Final = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}


def bind(term: Term) -> Ask:
    """What answers a condition or a number."""
    ask: Ask = _BINDERS[term.op](term)
    return ask


def spread(number: Any) -> tuple[int, int]:
    """A number as the least and the greatest that it may be."""
    if type(number) is int:
        return number, number
    return ANY if number is OPEN else number


# --- constants and facts -----------------------------------------------------------------------------------------


def _constant(term: Term) -> Ask:
    value = term.value
    return lambda view: value


def _fact(term: Term) -> Ask:
    ask, subject = term.value.ask, term.subject
    missing: object = False if term.sort is Sort.YES_NO else NOTHING
    if subject in _LOOKED_AT:
        looked_at = operator.attrgetter(_LOOKED_AT[subject])
        return lambda view: ask(view, looked_at(view))
    if subject in {"partner", "out"}:

        def of_other(view: View) -> Any:
            seat = view.position.out if subject == "out" else view.tools.partner(view.seat)
            return missing if seat is None else ask(view, seat)

        return of_other
    if subject == "meld":
        opens = {Sort.YES_NO: None, Sort.CARDS: Row((), more=True)}
        unknown: object = opens.get(term.sort, OPEN)
        there = term.value in OF_PLACE

        def of_meld(view: View) -> Any:
            meld = view.target() if there else view.meld()
            return unknown if meld is None else ask(view, meld)

        return of_meld
    return lambda view: ask(view, None)


# --- logic -------------------------------------------------------------------------------------------------------


def _logic(term: Term) -> Ask:
    parts = tuple([bind(part) for part in term.parts])
    decides = term.op == "or"

    def ask(view: View) -> Truth:
        found: Truth = not decides
        for part in parts:
            one: Truth = part(view)
            if one is decides:
                return decides
            if one is None:
                found = None
        return found

    return ask


def _not(term: Term) -> Ask:
    part = bind(term.parts[0])

    def ask(view: View) -> Truth:
        one: Truth = part(view)
        return None if one is None else not one

    return ask


# --- comparing ---------------------------------------------------------------------------------------------------


def _compare(term: Term) -> Ask:
    left, right = term.parts
    op: str = term.value
    one, other = bind(left), bind(right)
    if left.sort is not Sort.NUMBER:
        return _words(one, other, negative=op == "is not")
    plain = _ORDERED[op]

    def ask(view: View) -> Truth:
        a, b = one(view), other(view)
        return plain(a, b) if type(a) is type(b) is int else _of_ranges(op, a, b)

    return ask


def _of_ranges(op: str, a: Any, b: Any) -> Truth:
    """A comparison of two numbers that are known from and to, or not there."""
    if a is NOTHING or b is NOTHING:
        return op == "is not"
    if op in {">", ">="}:
        a, b, op = b, a, _TURNED[op]
    (low, high), (least, most) = spread(a), spread(b)
    if op in {"is", "is not"}:
        if high < least or most < low:
            return op == "is not"
        same = low == high == least == most
        return (op == "is") if same else None
    surely, never = (high < least, low >= most) if op == "<" else (high <= least, low > most)
    return True if surely else False if never else None


def _words(one: Ask, other: Ask, *, negative: bool) -> Ask:
    """A comparison of words."""

    def ask(view: View) -> Truth:
        a, b = one(view), other(view)
        if a is NOTHING or b is NOTHING:
            return negative
        return None if a is OPEN or b is OPEN else (a == b) is not negative

    return ask


def _within(term: Term) -> Ask:
    one = bind(term.parts[0])
    if term.parts[0].sort is not Sort.NUMBER:
        words = frozenset(term.value)

        def ask_word(view: View) -> Truth:
            word = one(view)
            return None if word is OPEN else word in words

        return ask_word
    spans: tuple[tuple[int, int], ...] = term.value

    def ask(view: View) -> Truth:
        number = one(view)
        if number is NOTHING:
            return False
        low, high = spread(number)
        if any(least <= low and high <= most for least, most in spans):
            return True
        return None if any(least <= high and low <= most for least, most in spans) else False

    return ask


# --- numbers -----------------------------------------------------------------------------------------------------


def _reckoned(term: Term) -> Ask:
    """A number made of others: not there where one of them is not."""
    parts, reckon, how = [bind(part) for part in term.parts], _RECKONING[term.op], term.value

    def ask(view: View) -> Any:
        numbers = [part(view) for part in parts]
        if NOTHING in numbers:
            return NOTHING
        if OPEN in numbers:
            return OPEN
        low, high = reckon([spread(number) for number in numbers], how)
        low, high = max(low, -MOST), min(high, MOST)
        return low if low == high else (low, high)

    return ask


def _added(spans: Sequence[Span], signs: Sequence[str]) -> Iterable[int]:
    turned = [
        (low, high) if sign == "+" else (-high, -low) for sign, (low, high) in zip(signs, spans, strict=True)
    ]
    return map(sum, zip(*turned, strict=True))


_RECKONING: Final[dict[str, Callable[[Sequence[Span], Any], Iterable[int]]]] = {
    "add": _added,
    "times": lambda spans, factor: sorted(end * factor for end in spans[0]),
    "min": lambda spans, _: map(min, zip(*spans, strict=True)),
    "max": lambda spans, _: map(max, zip(*spans, strict=True)),
}


# --- lists -------------------------------------------------------------------------------------------------------


def _each(view: View, inner: Ask, things: Any) -> Iterator[Any]:
    """The answers for the things of a list, one after the other."""
    for thing in things:
        view.it = thing
        yield inner(view)


def _unseen(view: View, inner: Ask, row: Row) -> tuple[int, int]:
    """Of the cards of a list that nobody saw, how many are surely as asked, and how many may be."""
    no = may = 0
    for card, answer in _answers(view, inner, row):
        copies = count(row.pool, card)
        may += copies if answer is not False else 0
        no += copies if answer is not True else 0
    return max(0, row.unseen - no), min(row.unseen, may)


def _answers(view: View, inner: Ask, row: Row) -> Iterator[tuple[Card, Any]]:
    for card in dict.fromkeys(each(row.pool)):
        view.it = card
        yield card, inner(view)


def _counts(term: Term) -> Callable[[View], tuple[int, int] | None]:
    """How many things of a list are as asked: the least and the greatest number; None for nobody's list."""
    rows = bind(term.parts[0])
    inner = bind(term.parts[1])

    def ask(view: View) -> tuple[int, int] | None:
        row = rows(view)
        if row is NOTHING:
            return None
        low = high = 0
        for answer in _each(view, inner, row.known):
            if answer is not False:
                high += 1
                low += answer is True
        if row.unseen:
            surely, may = _unseen(view, inner, row)
            low, high = low + surely, high + may
        if row.maybe:
            high += sum([answer is not False for answer in _each(view, inner, row.maybe)])
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
            return (size, MOST if row.more else size + len(row.maybe)) if row.more or row.maybe else size

        return ask_size
    counts = _counts(term)

    def ask(view: View) -> Any:
        found = counts(view)
        if found is None:
            return NOTHING
        return found[0] if found[0] == found[1] else found

    return ask


def _any(term: Term) -> Ask:
    counts = _counts(term)

    def ask(view: View) -> Truth:
        low, high = counts(view) or (0, 0)
        return True if low else None if high else False

    return ask


def _all(term: Term) -> Ask:
    rows, inner = term.parts
    none = Term("any", Sort.YES_NO, (rows, Term("not", Sort.YES_NO, (inner,))))
    listed, every = bind(rows), bind(Term("not", Sort.YES_NO, (none,)))
    return lambda view: listed(view) is not NOTHING and every(view)


def _sum(term: Term) -> Ask:
    rows, inner = bind(term.parts[0]), bind(term.parts[1])

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
                low, high = low + least, high + most
        if row.unseen:
            least, most = _sum_of_unseen(view, inner, row)
            low, high = low + least, high + most
        for number in _each(view, inner, row.maybe):
            least, most = (0, 0) if number is NOTHING else spread(number)
            low, high = low + min(least, 0), high + max(most, 0)
        return low if low == high else (low, high)

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
    "add": _reckoned,
    "times": _reckoned,
    "min": _reckoned,
    "max": _reckoned,
    "count": _count,
    "any": _any,
    "all": _all,
    "sum": _sum,
}


def answer(ask: Ask, view: View, candidates: Sequence[Card]) -> Any:
    """A condition about an action's card that nobody saw: what it is for all that the card may be, else open."""
    found: set[Any] = set()
    for card in candidates:
        view.card = card
        found.add(ask(view))
        if len(found) > 1:
            break
    view.card = UNKNOWN
    return found.pop() if len(found) == 1 else None
