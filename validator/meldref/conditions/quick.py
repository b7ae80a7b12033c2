"""Which of some conditions may hold of an action: Python made of them, once for each kind of action and turn.

Most house rules cannot apply to most actions: it is another card, meld or number, or nothing was laid or taken in
the turn. What tells that is written out as one function: what follows from a card is looked up in a table, numbers
are read from the position. The rest is asked as it was bound. Where it meets what nobody knows, each may hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, Literal, TypeAlias

from meldref.conditions.assume import assuming, facts_of, in_turn
from meldref.conditions.bind import bind
from meldref.conditions.facts import CARD, OF_CARD
from meldref.conditions.types import Sort, Term
from meldref.conditions.view import View
from meldref.core.cards import EMPTY, FULL, JOKER, ONE, UNKNOWN, WIDTH, Card
from meldref.core.events import Action, Buy, Discard, LayOff, Meld, Pass, Swap, Take
from meldref.core.records import compiled
from meldref.melds import MeldIndex
from meldref.position.model import UNCOUNTED, Position

Form: TypeAlias = Callable[[Position, Any], Sequence[int]]
"""Says of a position and an action which conditions may hold, by their places."""
_When: TypeAlias = Literal["now", "thrown", "laid", "later"]
"""When a condition is asked: before the action, when the turn ended with this discard or laying, or some time."""
_Way: TypeAlias = tuple[int, str]
"""Something in Python, and about how long it takes."""

_WITH_CARD: Final = frozenset((Discard, Take, Swap, Buy))
_OF_SIZE: Final = frozenset(("meld.size", "meld.wilds", "meld.naturals", "meld.wilds_together"))
"""What follows from how many cards a meld has, where none of them stands for another."""
_OF_SOURCE: Final = ("turn.drew", "turn.is_call", "turn.taken", ".was_taken")
"""What is known of a turn in which a card of the stock was drawn and nothing taken."""
_NUMBERS_OF_DEEDS: Final = frozenset(("turn.lay_offs", "turn.swaps", "turn.points"))
_OF_DEEDS: Final = _NUMBERS_OF_DEEDS | {"turn.melds", "player.has_melded", "player.had_melded"}
"""What is known of a turn in which nothing was laid."""
_MELDS, _LAY_OFFS, _NOTHING = 1, 2, 3
"""What was laid in a turn, where conditions ask that: melds, something else, nothing."""
_SIGNS: Final = {"<": "<", "<=": "<=", ">": ">", ">=": ">=", "is": "==", "is not": "!="}
_TURNED: Final = {"and": "or", "or": "and"}
_UNCOUNTED: Final = UNCOUNTED // 2
_NUMBERS: Final = {
    "player.turns": (
        "begun",
        "position.memory.turns[seat] + (position.begins and turn.broken is None)",
        "type(begun) is not int",
    ),
    "player.total": ("total", "position.memory.totals[seat]", "total is None"),
    "hand.number": ("number", "position.memory.hand", "number is None"),
    "player.cards": ("held", "position.held[seat]", f"held > {_UNCOUNTED}"),
    "stock.size": ("stock", "max(position.stock_size, 0)", f"stock > {_UNCOUNTED}"),
}
"""Facts that are numbers of the position: the name of each in the function, where it is, when it is not known."""
_HELD: Final = {"now": "held", "thrown": "(held - 1)", "laid": "(held - len(action.cards))"}
_MOST: Final = (1 << WIDTH) - 2
"""The most cards of which a counted set's remainder by one more is their number."""
_LISTS: Final = {
    "player.hand": (
        "known",
        "position.hands[seat]",
        f"position.unknown[seat] or position.held[seat] > {_MOST}",
    ),
    "top.pile": ("pile", "position.pile", "not position.pile_known"),
}
"""The same of lists of cards that lie in no meld; an unknown card of the pile is in no table."""


class Quick:
    """Some conditions about a kind of action, each with whether it is asked when the turn ends with the action.

    `later`: more may be laid before the action, so that only what stays as it is rules a condition out.
    """

    def __init__(
        self, rules: Sequence[tuple[Term, bool]], kind: type[Action], view: View, *, later: bool = False
    ) -> None:
        self.kind, self.view = kind, view
        end: _When = "thrown" if kind is Discard else "laid"
        self.rules = [(term, "later" if later else end if at_end else "now") for term, at_end in rules]
        asked = {fact for term, when in self.rules if when in {"now", "thrown"} for fact in facts_of(term)}
        self._of_size = kind in {Meld, LayOff} and not _OF_SIZE.isdisjoint(asked)
        self._of_deeds = not _OF_DEEDS.isdisjoint(asked)
        self._of_source = any(fact.endswith(_OF_SOURCE) for term, _ in rules for fact in facts_of(term))
        self.tables: dict[tuple[MeldIndex, Term], Any] = {}
        self._books: dict[MeldIndex, dict[object, Form]] = {}
        self._forms: dict[object, Form] = {}
        self._book: MeldIndex | None = None
        self._wilds = EMPTY

    def may_hold(self, position: Position, action: Any) -> Sequence[int]:
        """The places of the conditions that may hold of an action, in order."""
        book, turn = position.book, position.turn
        if book is not self._book:
            self._book, self._forms = book, self._books.setdefault(book, {})
            self._wilds = sum([FULL << WIDTH * card for card in book.wilds.cards])
        laid = 0
        if self._of_deeds:
            laid = _NOTHING if turn.deeds is None else _MELDS if turn.deeds.melds else _LAY_OFFS
        kind = self._of_source and turn.plain, laid, self._of_size and self._natural(position, action)
        form = self._forms.get(kind)
        if form is None:
            form = self._forms[kind] = _Written(self, position, *kind).form()
        return form(position, action)

    def _natural(self, position: Position, action: Any) -> bool:
        """Whether it is certain that no card of an action's meld stands for another."""
        if action.counted & self._wilds:
            return False
        if self.kind is Meld:
            return True
        target = action.target
        if target is None or not 0 < target <= len(position.melds):
            return False
        meld = position.melds[target - 1]
        return not meld.unseen and not [one for one in meld.cards if one.role != one.card]


class _Written:
    """The function for one kind of turn, as it is written."""

    def __init__(self, quick: Quick, position: Position, plain: bool, laid: int, natural: bool) -> None:  # noqa: FBT001  a tuple
        self.quick, self.kind, self.view = quick, quick.kind, quick.view
        self.position, self.laid, self.natural, self.plain = position, laid, natural, plain
        self._looks: set[str] = set()
        self._read: dict[str, None] = {}
        self._space: dict[str, Any] = {"every": range(len(quick.rules)), "one": ONE}
        self._space |= {"takes": self.view.tools.takes, "fits": self.view.tools.fits}
        self._space |= {"now": self._now, "thrown": self._thrown}

    def form(self) -> Form:
        """What says for a position and an action which conditions may hold."""
        asked = [f"if {source}: found.append({place})" for place, source in self._sources()]
        lines = ["turn = position.turn", "seat = turn.seat", *self._read]
        if self.kind in _WITH_CARD:
            lines += ["card = action.card", f"if card == {UNKNOWN}: return every"]
        if len(self._looks) == 1:
            lines.append("view = None")
            asked = [one.replace(look, f"view or (view := {look})") for one in asked for look in self._looks]
        body = "\n  ".join([*lines, "found = []", *asked, "return found"])
        source = f"def form(position, action):\n try:\n  {body}\n except TypeError: return every"
        form: Form = compiled("form", source, **self._space)
        return form

    def _now(self, position: Position, action: Action) -> View:
        self.view.look(position, action)
        return self.view

    def _thrown(self, position: Position, action: Discard) -> View:
        self.view.look_at_end(position, position.turn, action.card)
        return self.view

    def _sources(self) -> Iterator[tuple[int, str]]:
        """The places of the conditions that may hold, and in Python when."""
        self.view.position = self.position
        for place, (term, when) in enumerate(self.quick.rules):
            counts = when in {"now", "thrown"}
            same = counts and self.laid in {_LAY_OFFS, _NOTHING}
            idle, natural = counts and self.laid == _NOTHING, counts and self.natural
            left = dict.fromkeys(
                assuming(term, in_turn(plain=self.plain, idle=idle, melded=melded, natural=natural))
                for melded in ((False, True) if same else (None,))
            )
            source = _joined("or", [self._may(one, when, truth=True) for one in left])[1]
            if when == "laid" and self.kind is not Pass:
                source = f"(turn.call is not None or position.held[seat] <= len(action.cards)) and {source}"
            if source != "False":
                yield place, source

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
        if self._of_cards(term, "card"):
            return 1, f"{self._named(self._holds(term, 'card', truth=truth))}[card]"
        if truth and self.laid == _MELDS and facts_of(term) == {"player.has_melded"}:
            return 0, "True"  # so it will be
        plain = self._plain(term, when)
        if plain is not None:
            return plain[0], plain[1] if truth else f"not ({plain[1]})"
        if when in {"laid", "later"}:
            return 0, "True"
        if term.value is CARD["fits"] and term.subject == "card":
            return 4, f"fits(position, seat, card) is not {not truth}"
        look = f"{when}(position, action)"
        self._looks.add(look)
        return 9, f"{self._named(bind(term))}({look}) is not {not truth}"

    def _plain(self, term: Term, when: _When) -> _Way | None:
        """A comparison of numbers, or whether cards of a list are as asked; None: it has to be asked."""
        if term.op == "any":
            return self._count(term, when)
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
            parts = [self._number(part, when) for part in term.parts]
            signed = [(sign, part) for sign, part in zip(term.value, parts, strict=True) if part is not None]
            if len(signed) < len(parts):
                return None
            return max(
                cost for _, (cost, _) in signed
            ), f"({''.join(sign + source for sign, (_, source) in signed)})"
        if term.op != "fact":
            return None
        name = f"{term.subject}.{term.value.name}"
        if name in _NUMBERS_OF_DEEDS and when in {"now", "thrown"}:
            return 1, f"turn.deeds.{term.value.name}"  # where nothing was laid, they are 0
        if self.natural and name in _OF_SIZE:
            before = "" if self.kind is Meld else "len(position.melds[action.target - 1].cards) + "
            return 1, f"({before}len(action.cards))"
        if name not in _NUMBERS or (when == "later" and name in {"player.cards", "stock.size"}):
            return None
        local = self._local(_NUMBERS[name])
        if local == "held" and self.kind is not Pass:
            local = _HELD[when]
        return 1, local

    def _count(self, term: Term, when: _When) -> _Way | None:
        """How many cards of a list are as asked; for `any`, something that is 0 where none is."""
        rows, inner = term.parts[0], Term("constant", Sort.YES_NO, value=True)
        name = f"{rows.subject}.{rows.value.name}" if rows.op == "fact" else ""
        if name == "top.cards" and len(term.parts) == 1 and self.kind in {Meld, LayOff, Take}:
            return (5, "len(takes(position, action))") if self.kind is Take else (1, "len(action.cards)")
        if len(term.parts) > 1:
            inner = term.parts[1]
        if when in {"laid", "later"} or name not in _LISTS or not self._of_cards(inner, "it", "card"):
            return None
        cards = self._local(_LISTS[name])
        table = self._table(inner, of_pile=name == "top.pile")
        if name == "top.pile":
            return 3, f"(sum(map({table}, pile)){f' + {table}(card)' if when == 'thrown' else ''})"
        if when == "thrown":
            cards = f"(known - one[card] if known >> {WIDTH} * card & {FULL} else known)"
        return (2, f"{cards} & {table}") if term.op == "any" else (3, f"({cards} & {table}) % {_MOST + 1}")

    def _table(self, inner: Term, *, of_pile: bool) -> str:
        """The table of the cards that are as asked: for a pile, a call that gives 1 or 0; for a hand, a mask."""
        key = self.position.book, inner._replace(value=(inner.value, of_pile))

        def table(card: Card) -> Any:
            view = self.view
            before, view.position, view.card = (view.position, view.card), self.position, card
            holds = self._holds(inner, "it", truth=True)
            view.position, view.card = before
            if of_pile:
                return (*map(int, holds), None).__getitem__
            return sum([FULL * one for one, asked in zip(ONE, holds, strict=True) if asked])

        by_card = any(fact.startswith("card.") for fact in facts_of(inner))
        if key not in self.quick.tables:
            self.quick.tables[key] = _ByCard(table) if by_card else table(UNKNOWN)
        return f"{self._named(self.quick.tables[key])}{'[card]' if by_card else ''}"

    def _of_cards(self, term: Term, *subjects: str) -> bool:
        """Whether a condition asks nothing but facts of single cards that are the same in the whole hand."""
        if term.op == "fact":
            known = term.subject == "it" or self.kind in _WITH_CARD
            return term.subject in subjects and term.value in OF_CARD and known
        return all(self._of_cards(part, *subjects) for part in term.parts)

    def _holds(self, term: Term, subject: Literal["card", "it"], *, truth: bool) -> tuple[bool, ...]:
        """For each card, whether a condition about it may come to yes or no."""
        ask, view = bind(term), self.view
        found = []
        for card in range(JOKER + 1):
            setattr(view, subject, card)
            found.append(ask(view) is not (not truth))
        return tuple(found)

    def _local(self, read: tuple[str, str, str]) -> str:
        """The name in the function of something that is read from the position."""
        name, place, unknown = read
        self._read[f"{name} = {place}\n  if {unknown}: return every"] = None
        return name

    def _named(self, value: object) -> str:
        """The name of something that the function uses."""
        name = f"x{len(self._space)}"
        self._space[name] = value
        return name


class _ByCard(dict[Card, Any]):
    """What is made for a card when it is first asked for."""

    def __init__(self, make: Callable[[Card], Any]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, card: Card) -> Any:
        made = self[card] = self._make(card)
        return made


def _joined(op: str, ways: Sequence[_Way]) -> _Way:
    """Conditions made one, the quickest first."""
    decides = str(op == "or")
    if any(source == decides for _, source in ways):
        return 0, decides
    left = sorted(way for way in ways if way[1] not in {"True", "False"})
    if not left:
        return 0, str(op == "and")
    return sum(cost for cost, _ in left), f"({f' {op} '.join(source for _, source in left)})"
