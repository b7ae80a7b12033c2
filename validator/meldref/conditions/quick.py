"""Which of some conditions may hold of an action: Python made of them, once for each kind of action.

Most house rules cannot apply to most actions: the card, meld or number is another one, or nothing was laid or
taken in the turn. One function finds that out: it looks up in a table what follows from a card, reads numbers from
the position, and asks the rest as it was bound. Where something is not known, each condition may hold.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache, partial
from typing import Any, Final, Literal, TypeAlias

from meldref.conditions.assume import assuming, facts_of
from meldref.conditions.bind import bind
from meldref.conditions.facts import CARD, OF_CARD
from meldref.conditions.types import Row, Sort, Term
from meldref.conditions.view import View
from meldref.core.cards import FULL, JOKER, ONE, UNKNOWN, WIDTH, Card
from meldref.core.events import Action, Buy, Discard, LayOff, Meld, Pass, Swap, Take
from meldref.core.records import compiled
from meldref.melds import MeldIndex
from meldref.position.model import UNCOUNTED, Position

Form: TypeAlias = Callable[[Position, Any], Sequence[int]]
"""Says of a position and an action which conditions may hold, by their places."""
_When: TypeAlias = Literal["now", "thrown", "laid", "later"]
"""When a condition is asked: before the action, after a discard or a laying that ends the turn, or later in it."""
_Way: TypeAlias = tuple[int, str]
"""Something in Python, and about how long it takes."""
_Make: TypeAlias = "Callable[[_Tables], object]"

MOST_KEPT: Final = 256
"""The most functions of which the source is kept: the judges of one ruleset share them."""

_WITH_CARD: Final = frozenset((Discard, Take, Swap, Buy))
_OF_CARD: Final = {f"card.{fact.name}" for fact in OF_CARD}
_OF_IT: Final = {f"it.{fact.name}" for fact in OF_CARD}
_MELDED: Final = ("player.has_melded", "player.had_melded")
_FLAGS: Final[Mapping[str, tuple[str, Mapping[str, Any]]]] = {
    "plain": (
        "turn.plain",
        {"turn.drew": "stock", "turn.is_call": False, "turn.taken": Row(()), "card.was_taken": False}
        | {"it.was_taken": False},
    ),
    "bare": (
        "not (turn.deeds and turn.deeds.melds)",
        {"turn.melds": Row(()), **dict.fromkeys(_MELDED, ...)},
    ),
    "natural": (
        "is_natural(position, action)",
        {"meld.wilds": 0, "meld.wilds_together": 0, "meld.size": ..., "meld.naturals": ...},
    ),
}
"""What tells turns and melds apart, in Python, and the facts that follow from it; of some no value follows.

`plain`: a card of the stock was drawn, and nothing was taken, called or exchanged; `bare`: no meld was laid in the
turn, so that who has melded had melded before it; `natural`: no card of the action's meld stands for another.
"""
_SIGNS: Final = {"<": "<", "<=": "<=", ">": ">", ">=": ">=", "is": "==", "is not": "!="}
_TURNED: Final = {"and": "or", "or": "and"}
_UNCOUNTED: Final = f"> {UNCOUNTED // 2}"
_DONE: Final = "(turn.deeds.{} if turn.deeds else 0)"
_NUMBERS: Final = {
    "player.turns": ("(position.memory.turns[seat] + (position.begins and turn.broken is None))", "False"),
    "player.total": ("position.memory.totals[seat]", "position.memory.totals[seat] is None"),
    "hand.number": ("position.memory.hand", "position.memory.hand is None"),
    "player.cards": ("position.held[seat]", f"position.held[seat] {_UNCOUNTED}"),
    "stock.size": ("max(position.stock_size, 0)", f"position.stock_size {_UNCOUNTED}"),
    "turn.lay_offs": (_DONE.format("lay_offs"), "False"),
    "turn.swaps": (_DONE.format("swaps"), "False"),
    "turn.points": (_DONE.format("points"), "False"),
}
"""Facts that are numbers of the position: where each is found, and when it is not known.

Turns that nobody counted are a pair of numbers; adding to a pair is a TypeError, which the function expects.
"""
_STAYS: Final = {
    "laid": {"player.turns", "player.total", "hand.number", "player.cards", "stock.size"},
    "later": {"player.turns", "player.total", "hand.number"},
}
"""Those of them that are known of what comes after the action, or before it."""
_KEPT: Final = {"player.had_melded", "player.is_dealer", "player.buys", "turn.drew", "turn.is_call"}
"""What is the same after the last cards are laid as before."""
_GONE: Final = {"thrown": " - 1", "laid": " - len(action.cards)"}
"""How many cards the player does not hold any more."""
_LISTS: Final = {
    "player.hand": ("position.hands[seat]", "position.unknown[seat]"),
    "top.pile": ("position.pile", "not position.pile_known"),
    "top.cards": ("takes(position, action)", "False"),
}
"""The same of lists of cards that lie in no meld, the last for what is taken; an unknown card is in no table."""


class Quick:
    """Some conditions about a kind of action, each with whether it is asked when the turn ends with the action.

    `later`: more may be laid before the action, so that only what stays as it is rules a condition out.
    `may_hold` says of a position and an action which conditions may hold, by their places, in order.
    """

    def __init__(
        self, rules: Sequence[tuple[Term, bool]], kind: type[Action], view: View, *, later: bool = False
    ) -> None:
        end: _When = "thrown" if kind is Discard else "laid"
        self._rules = tuple([(term, "later" if later else end if at_end else "now") for term, at_end in rules])
        self._kind: object = kind
        self._view = view
        self._of_books: dict[MeldIndex, Form] = {}
        self.may_hold: Form = self._by_book

    def _by_book(self, position: Position, action: Any) -> Sequence[int]:
        """The same, where another book of melds is used than before, as wild cards change from hand to hand."""
        book, view = position.book, self._view
        if book not in self._of_books:
            source, names = _written(self._kind, self._rules)
            tables = _Tables(view, position)
            space = {name: make(tables) for name, make in names.items()}
            space |= {"every": range(len(self._rules)), "one": ONE, "book": book, "by_book": self._by_book}
            space |= {"takes": view.tools.takes, "fits": view.tools.fits, "is_natural": tables.is_natural}
            space |= {"look": view.look, "look_at_end": view.look_at_end}
            self._of_books[book] = compiled("form", source, **space)
        self.may_hold = self._of_books[book]
        return self.may_hold(position, action)


class _Tables:
    """What follows from cards alone, by one book of melds."""

    def __init__(self, view: View, position: Position) -> None:
        self.view, self.position = view, position
        self.wilds = sum([FULL << WIDTH * card for card in position.book.wilds.cards])

    def is_natural(self, position: Position, action: Meld | LayOff) -> bool:
        """Whether it is certain that no card of an action's meld stands for another."""
        if action.counted & self.wilds:
            return False
        if isinstance(action, Meld):
            return True
        target = action.target
        if target is None or not 0 < target <= len(position.melds):
            return False
        meld = position.melds[target - 1]
        return not meld.unseen and not [one for one in meld.cards if one.role != one.card]

    def of_list(self, term: Term, *, of_hand: bool) -> Any:
        """The cards that are as asked: for a hand, a mask; else a call that gives 1 or 0.

        Where the card of the action is asked about as well, the same for each such card.
        """

        def table(card: Card) -> Any:
            view = self.view
            before, view.card = view.card, card
            holds = self.holds(term, "it", truth=True)
            view.card = before
            if of_hand:
                return sum([FULL * one for one, asked in zip(ONE, holds, strict=True) if asked])
            return (*map(int, holds), None).__getitem__

        return table(UNKNOWN) if facts_of(term).isdisjoint(_OF_CARD) else cache(table)

    def holds(self, term: Term, subject: Literal["card", "it"], *, truth: bool) -> tuple[bool, ...]:
        """For each card, whether a condition about it may come to yes or no."""
        ask, view = bind(term), self.view
        before, view.position = getattr(view, "position", self.position), self.position
        found = []
        for card in range(JOKER + 1):
            setattr(view, subject, card)
            found.append(ask(view) is not (not truth))
        view.position = before
        return tuple(found)


@lru_cache(maxsize=MOST_KEPT)
def _written(kind: Any, rules: tuple[tuple[Term, _When], ...]) -> tuple[str, Mapping[str, _Make]]:
    """The source of the function for some conditions on a kind of action, and what makes each thing it names."""
    writer = _Writer(kind)
    sources = [writer.source(term, when) for term, when in rules]
    asked = [f"if {source}: found.append({place})" for place, source in enumerate(sources) if source != "False"]
    lines = ["if position.book is not book: return by_book(position, action)"]
    lines += ["turn = position.turn", "seat = turn.seat"]
    if kind in _WITH_CARD:
        lines += ["card = action.card", f"if card == {UNKNOWN}: return every"]
    if len(writer.looks) == 1:
        lines.append("view = None")
        asked = [one.replace(look, f"view or (view := {look})") for one in asked for look in writer.looks]
    body = "\n  ".join([*lines, *writer.flags, "found = []", *asked, "return found"])
    return f"def form(position, action):\n try:\n  {body}\n except TypeError: return every", dict(
        writer.named.values()
    )


class _Writer:
    """Writes when conditions on a kind of action may hold, in Python.

    `flags` are lines that come first, `looks` calls that point the view, `named` has names and what makes them.
    """

    def __init__(self, kind: type[Action]) -> None:
        self.kind = kind
        self.looks: set[str] = set()
        self.flags: dict[str, None] = {}
        self.named: dict[object, tuple[str, _Make]] = {}
        self._given: Mapping[str, bool] = {}
        self._unknown: dict[str, None] = {}

    def source(self, term: Term, when: _When) -> str:
        """When a condition may hold."""
        asked = facts_of(term)
        flags = [flag for flag, (_, facts) in _FLAGS.items() if not asked.isdisjoint(facts)]
        if when in _STAYS:
            flags = [flag for flag in flags if flag == "plain"]
        if self.kind not in {Meld, LayOff}:
            flags = [flag for flag in flags if flag != "natural"]
        source = self._split(term, when, {}, flags)
        if when == "laid" and self.kind is not Pass and source != "False":
            self.flags["ends = turn.call is not None or position.held[seat] <= len(action.cards)"] = None
            return f"ends and {source}"
        return source

    def _split(self, term: Term, when: _When, given: Mapping[str, bool], flags: Sequence[str]) -> str:
        """The same where some flags are given, by what others are."""
        if not flags:
            self._given = given
            known = [one for flag in given if given[flag] for one in _FLAGS[flag][1].items() if one[1] is not ...]
            ways = [dict(known)]
            if given.get("bare"):
                ways = [{**ways[0], **dict.fromkeys(_MELDED, before)} for before in (False, True)]
            left = dict.fromkeys(assuming(term, partial(_valued, way)) for way in ways)
            return _joined("or", [self._may(one, when, truth=True) for one in left])[1]
        flag, *rest = flags
        no, yes = (self._split(term, when, {**given, flag: value}, rest) for value in (False, True))
        if yes == no:
            return yes
        self.flags[f"{flag} = {_FLAGS[flag][0]}"] = None
        if "False" in {yes, no}:
            return f"({flag} and {yes})" if no == "False" else f"(not {flag} and {no})"
        return f"({yes} if {flag} else {no})"

    def _may(self, term: Term, when: _When, *, truth: bool) -> _Way:
        """Whether a condition may come to yes or no."""
        if term.op == "constant":
            return 0, str(term.value in {truth, None})
        if term.op == "not":
            return self._may(term.parts[0], when, truth=not truth)
        if term.op in _TURNED:
            parts = [self._may(part, when, truth=truth) for part in term.parts]
            return _joined(term.op if truth else _TURNED[term.op], parts)
        if term.op == "all":
            rows, inner = term.parts
            none = Term("any", Sort.YES_NO, (rows, Term("not", Sort.YES_NO, (inner,))))
            return self._may(none, when, truth=not truth)
        if facts_of(term) <= _OF_CARD:
            table = self._named((term, truth), lambda tables: tables.holds(term, "card", truth=truth))
            return 0, f"{table}[card]"
        if truth and self._given.get("bare") is False and facts_of(term) == {"player.has_melded"}:
            return 0, "True"  # so it will be
        self._unknown.clear()
        plain = self._count(term, when) if term.op == "any" else self._compared(term, when)
        if plain is not None:
            cost, source = plain
            return cost, f"({' or '.join([*self._unknown, source if truth else f'not ({source})'])})"
        if when == "laid" and facts_of(term) <= _KEPT:
            when = "now"
        if when in _STAYS:
            return 0, "True"
        if term.value is CARD["fits"] and term.subject == "card":
            return 4, f"fits(position, seat, card) is not {not truth}"
        look = "look(position, action)" if when == "now" else "look_at_end(position, turn, card)"
        self.looks.add(look)
        return 9, f"{self._named(term, lambda _: bind(term))}({look}) is not {not truth}"

    def _compared(self, term: Term, when: _When) -> _Way | None:
        """A comparison of numbers; None: it has to be asked."""
        if term.op != "compare":
            return None
        one, other = (self._number(part, when) for part in term.parts)
        if one is None or other is None:
            return None
        return max(one[0], other[0]), f"{one[1]} {_SIGNS[term.value]} {other[1]}"

    def _number(self, term: Term, when: _When) -> _Way | None:
        """A number; None: it has to be asked."""
        if term.op == "constant":
            return (0, str(term.value)) if type(term.value) is int else None
        if term.op == "count":
            return self._count(term, when)
        if term.op == "add":
            ways = [way for part in term.parts if (way := self._number(part, when))]
            signed = "".join(sign + source for sign, (_, source) in zip(term.value, ways, strict=False))
            return (1, f"({signed})") if len(ways) == len(term.parts) else None
        if term.op != "fact":
            return None
        name = _name(term)
        if self._given.get("natural") and name in {"meld.size", "meld.naturals"}:
            before = "" if self.kind is Meld else "len(position.melds[action.target - 1].cards) + "
            return 1, f"({before}len(action.cards))"
        if name not in _STAYS.get(when, _NUMBERS):
            return None
        number, unknown = _NUMBERS[name]
        self._unknown[unknown] = None
        gone = "" if name != "player.cards" or self.kind is Pass else _GONE.get(when, "")
        return 1, f"({number}{gone})" if gone else number

    def _count(self, term: Term, when: _When) -> _Way | None:
        """How many cards of a list are as asked; for `any`, something that is 0 where none is."""
        rows, *inners = term.parts
        name = _name(rows) if rows.op == "fact" else ""
        if name == "top.cards" and self.kind is not Take:
            return None if inners or self.kind not in {Meld, LayOff} else (1, "len(action.cards)")
        if when in _STAYS or name not in _LISTS or not all(facts_of(one) <= _OF_CARD | _OF_IT for one in inners):
            return None
        of_hand = name == "player.hand"
        if of_hand and term.op != "any":
            return None
        cards, unknown = _LISTS[name]
        self._unknown[unknown] = None
        if not inners:
            return 1, f"(len({cards}){' + 1' if when == 'thrown' else ''})"
        table = self._named((of_hand, inners[0]), lambda tables: tables.of_list(inners[0], of_hand=of_hand))
        if not facts_of(inners[0]).isdisjoint(_OF_CARD):
            table += "(card)"
        if not of_hand:
            return 3, f"(sum(map({table}, {cards})){f' + {table}(card)' if when == 'thrown' else ''})"
        if when == "thrown":
            cards = f"({cards} - one[card] if {cards} >> {WIDTH} * card & {FULL} else {cards})"
        return 2, f"{cards} & {table}"

    def _named(self, key: object, make: _Make) -> str:
        """The name of something that the function uses, made once."""
        return self.named.setdefault(key, (f"x{len(self.named)}", make))[0]


def _valued(values: Mapping[str, Any], fact: Term) -> Any:
    return values.get(_name(fact), fact)


def _name(fact: Term) -> str:
    return f"{fact.subject}.{fact.value.name}"


def _joined(op: str, ways: Sequence[_Way]) -> _Way:
    """Conditions made one, the quickest first."""
    decides = str(op == "or")
    if any(source == decides for _, source in ways):
        return 0, decides
    left = sorted(way for way in ways if way[1] not in {"True", "False"})
    if not left:
        return 0, str(op == "and")
    return sum(cost for cost, _ in left), f"({f' {op} '.join(source for _, source in left)})"
