"""What a condition can evaluate to in a game, by the values that its facts can have together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, pairwise, product
from typing import Any, Final

from meldref.conditions.bind import bind
from meldref.conditions.types import (
    ANY,
    HAND,
    MOST,
    NOTHING,
    OPEN,
    SUITS,
    Row,
    Sort,
    Term,
    Truth,
)
from meldref.core.cards import JOKER, RANKS, rank_of, suit_of
from meldref.core.effort import EFFORT
from meldref.ruleset.changes import in_hand
from meldref.ruleset.model import Ruleset, has_jokers

_MOST_STEPS: Final = 500
_EARLY: Final = frozenset(("draw", "take"))
_WITH_CARDS: Final = frozenset(("meld", "lay", "swap", "discard"))
"""Actions with a card from the hand."""
_POINTS: Final = frozenset(("points", "held", "total", "score"))
_AT_MOST: Final = {
    "meld.wilds": ("meld.size",),
    "meld.naturals": ("meld.size",),
    "meld.wilds_together": ("meld.wilds", "meld.size"),
    "count(top.cards)": ("count(top.pile)",),
}
"""Numbers that are never more than others."""
_LESS_WITH_NATURALS: Final = {"meld.wilds": ("meld.size",), "meld.wilds_together": ("meld.size",)}
"""Numbers that are less than others if each meld has a natural card."""
_TURNED: Final = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
_PERHAPS_NOBODY: Final = ("partner", "out", "it")
_NOWHERE: Final[Any] = None
"""The view for a condition that looks at nothing."""
_EMPTY: Final = Row(())
_TO_ASSUME: Final = 12
"""What it takes to make and bind another condition, for each of its parts."""
_UNKNOWN: Final = {"any": None, "all": None, "count": OPEN, "sum": OPEN}
"""What is asked of a list of which nothing is known."""


def always(term: Term, contexts: Sequence[str], ruleset: Ruleset, *, answer: bool) -> bool:
    """Whether a condition surely has this answer, at some actions, in every hand of a game."""
    for rules in (ruleset, *[in_hand(ruleset, hand) for hand in ruleset.hands]):
        for context in contexts:
            for value in _Worlds(context, rules).answers(term):
                if value is not answer or EFFORT.house.over:
                    return False
    return True


def outcome(term: Term) -> Any:
    """What an expression evaluates to if nothing is known: None, or a range, if it is open."""
    return bind(_assuming(term, _unknown))(_NOWHERE)


def _unknown(term: Term) -> Any:
    """What a fact, or what is asked of a list, is if nothing is known; another part itself."""
    if term.op == "fact":
        return None if term.sort is Sort.YES_NO else OPEN
    if term.op == "count" and term.parts[0].subject not in _PERHAPS_NOBODY:
        return 0, MOST
    return _UNKNOWN.get(term.op, term)


class _Worlds:
    """The facts that are possible when an action is judged."""

    def __init__(self, context: str, ruleset: Ruleset) -> None:
        self.context, self.ruleset = context, ruleset
        wild, out = ruleset.melds.wild, ruleset.out
        nothing = {
            "buys": ruleset.buys.of == "none",
            "wilds": not wild.cards,
            "wilds_together": not wild.cards,
            "swaps": wild.swap == "never" or not wild.cards,
            "lay_offs": ruleset.layoff.onto == "nothing",
        }
        self._anywhere: dict[str, Any] = {name: 0 for name, holds in nothing.items() if holds}
        if out.melding_all != "floats" and out.last_discard != "claimable":
            self._anywhere["floats"] = False
        if context == "rummy":
            self._anywhere["is_call"] = True
        elif ruleset.calls.of == "none" or context in _EARLY:
            self._anywhere["is_call"] = False
        self._facts: dict[str, Any] = {}
        if context in _EARLY:
            self._facts |= {f"turn.{name}": 0 for name in ("lay_offs", "swaps", "points")}
            self._facts |= {"turn.melds": Row(()), "turn.taken": Row(()), "turn.drew": "nothing"}
        if context == "meld":
            self._facts |= {"meld.owner": "player", "meld.is_new": True}
        if context == "lay" and ruleset.layoff.onto == "own":
            self._facts["meld.owner"] = "player"
        if context == "lay" and ruleset.layoff.before_melding == "forbidden":
            self._facts["player.has_melded"] = True
        single = ruleset.draw.depth == "top" and ruleset.draw.takes != "whole_pile"
        naturals, never_less = wild.naturals, min(ruleset.scoring.values) >= 0
        least_held = min(ruleset.scoring.held)
        self._ranges = {
            "hand.number": (1, MOST),
            "meld.naturals": (naturals, MOST),
            "meld.points": (0 if never_less else -MOST, MOST),
            "player.points": (0 if never_less else -MOST, MOST),
            "player.held": (0 if least_held >= 0 else -MOST, MOST),
            "player.cards": (1 if context in _WITH_CARDS else 0, MOST),
            "player.turns": (1 if context in _EARLY else 0, MOST),
            "count(top.cards)": (1, 1 if single and context == "take" else MOST),
            "count(top.pile)": (1 if context == "take" else 0, MOST),
        }
        self._less = _LESS_WITH_NATURALS if naturals else {}

    def answers(self, term: Term) -> Iterator[Truth]:
        """What a condition evaluates to, one world after the other."""
        left = _assuming(term, self._known)
        self._steps = 0
        for facts in self._given(set(map(_name, _marks(left)))):
            yield from self._split(left, facts, {})

    def _split(
        self, left: Term, facts: Mapping[str, Any], world: Mapping[str, Any]
    ) -> Iterator[Truth]:
        """The answers in one world and all in it.

        One part after another is assumed, until the rest is certain.
        """
        self._steps += 1
        marks = _marks(left)
        if not marks or self._steps > _MOST_STEPS:
            yield outcome(left)
            return
        part, some = next(iter(marks.items()))
        for value in self._values(part, some, facts):
            now = {**world, _name(part): value}
            if self._possible(now):
                yield from self._split(_with(left, part, value), facts, now)

    def _known(self, term: Term) -> Any:
        """What a fact always is here; any other part of a condition itself."""
        if term.op != "fact":
            return term
        if term.subject == "partner" and self.ruleset.partnership.sides == "none":
            return False if term.sort is Sort.YES_NO else NOTHING
        return self._facts.get(_name(term), self._anywhere.get(term.value.name, term))

    def _given(self, names: set[str]) -> list[Mapping[str, Any]]:
        """What goes together of the facts asked: those of a card, and those of a kind of meld."""
        cards = self._cards() if any(name.startswith("card.") for name in names) else [{}]
        kinds = self._kinds() if any(name.startswith("meld.") for name in names) else [{}]
        given: dict[tuple[tuple[str, Any], ...], None] = {}
        for of_card, of_kind in product(cards, kinds or [{}]):
            facts = {**of_card, **of_kind}.items()
            given[tuple([(name, value) for name, value in facts if name in names])] = None
        return [dict(facts) for facts in given]

    def _cards(self) -> list[dict[str, Any]]:
        """The facts of each card of the deck."""
        wild, held = self.ruleset.melds.wild.cards, self.ruleset.scoring.held
        cards: list[dict[str, Any]] = []
        for card in range(JOKER + has_jokers(self.ruleset)):
            is_joker = card == JOKER
            rank = "joker" if is_joker else RANKS[rank_of(card)]
            number = rank_of(card) + 1
            facts = {
                "card.rank": NOTHING if is_joker else rank,
                "card.suit": NOTHING if is_joker else SUITS[suit_of(card)],
                "card.number": NOTHING if is_joker else (number, number),
                "card.points": (held[card], held[card]),
                "card.is_joker": is_joker,
            }
            if "named" not in wild:
                facts["card.is_wild"] = rank in wild
            cards.append(facts)
        return cards

    def _kinds(self) -> list[dict[str, Any]]:
        """The facts of each kind of meld."""
        kinds: list[dict[str, Any]] = []
        for kind in self.ruleset.melds.kinds:
            facts: dict[str, Any] = {"meld.kind": kind.name}
            facts["meld.size"] = kind.min_size, kind.max_size
            if "same_rank" in kind.require:
                facts["meld.suit"] = NOTHING
            if kind.is_run and kind.min_size > 1:
                facts["meld.rank"] = NOTHING
            kinds.append(facts)
        return kinds

    def _values(self, part: Term, marks: Iterable[Any], facts: Mapping[str, Any]) -> list[Any]:
        """What a part of a condition can be, in as many pieces as the condition distinguishes."""
        name = _name(part)
        if part.op == "compare":
            left, right = map(_name, part.parts)
            turned = _TURNED.get(part.value, part.value)
            for less, sign, more in ((left, part.value, right), (right, turned, left)):
                if more in self._less.get(less, ()):
                    return [sign in {"is not", "<", "<="}]
                if more in _AT_MOST.get(less, ()) and sign in {">", "<="}:
                    return [sign == "<="]
        if part.sort is Sort.YES_NO:
            return [facts[name]] if name in facts else [True, False]
        if part.sort is not Sort.NUMBER:
            return [facts[name]] if name in facts else [*marks, NOTHING]
        free = part.op not in {"fact", "count"} or (
            part.op == "fact" and part.value.name in _POINTS
        )
        if facts.get(name) is NOTHING:
            return [NOTHING]
        low, high = facts.get(name) or self._ranges.get(name, ANY if free else (0, MOST))
        ends = {low, high + 1}
        for mark in marks:
            if type(mark) is int:
                ends.update(end for end in (mark, mark + 1) if low < end <= high)
        pieces: list[Any] = [(least, after - 1) for least, after in pairwise(sorted(ends))]
        return [*pieces, NOTHING] if _perhaps(part) else pieces

    def _possible(self, world: Mapping[str, Any]) -> bool:
        """Whether all of it can be true at once."""
        melds, scoring = self.ruleset.melds, self.ruleset.scoring
        if self.context == "meld" and world.get("player.has_melded") is False:
            counts_plainly = scoring.four_at_once == 1 and scoring.four_aces is None
            if counts_plainly and melds.first_points_of == "meld":
                return bool(world.get("meld.points", ANY)[1] >= melds.first_points)
        if world.get("player.went_out" if self.context == HAND else "player.goes_out"):
            return bool(world.get("player.cards", ANY)[0] <= 0)
        return True


def _perhaps(term: Term) -> bool:
    """Whether a number may be nobody's, or that of no sequence."""
    of_a_run = term.op == "fact" and term.value.name in {"lowest", "highest"}
    return of_a_run or term.subject in {"partner", "out"} or any(map(_perhaps, term.parts))


def _name(term: Term) -> str:
    """A fact by its name, and so a list that is counted."""
    if term.op == "fact":
        return f"{term.subject}.{term.value.name}"
    return f"count({_name(term.parts[0])})" if term.op == "count" and len(term.parts) == 1 else ""


def _marks(term: Term) -> dict[Term, dict[Any, None]]:
    """The parts of a condition that are compared or asked, with what they are compared with."""
    marks: dict[Term, dict[Any, None]] = {}
    apart = [part for part in term.parts if part.op != "constant"]
    if term.op in {"and", "or", "not"}:
        for part, some in chain.from_iterable(_marks(part).items() for part in term.parts):
            marks.setdefault(part, {}).update(some)
    elif term.op == "compare" and len(apart) == 1:
        marks[apart[0]] = dict.fromkeys(part.value for part in term.parts if part.op == "constant")
    elif term.op == "in" and apart:
        number = apart[0].sort is Sort.NUMBER
        marks[apart[0]] = dict.fromkeys(
            (end for span in term.value for end in span) if number else term.value
        )
    elif term.op != "constant":
        marks[term] = {}
    return marks


def _with(term: Term, part: Term, value: Any) -> Term:
    """What is left of a condition if one of its parts has a value."""
    return _assuming(term, lambda inner: value if inner == part else inner)


def _assuming(term: Term, answer_of: Callable[[Term], object]) -> Term:
    """What is left of a condition with some of its parts replaced by constants.

    `answer_of` gives the value of a part, or the part itself. What then is certain is a constant.
    """
    EFFORT.on_conditions(_TO_ASSUME)
    value = answer_of(term)
    if value is not term:
        return _constant(term, value)
    parts = tuple([_assuming(part, answer_of) for part in term.parts])
    if term.op in {"and", "or"}:
        decides = term.op == "or"
        if any(part.op == "constant" and part.value is decides for part in parts):
            return _constant(term, decides)
        parts = tuple([part for part in parts if part.op != "constant" or part.value is None])
        if not parts:
            return _constant(term, not decides)
    elif parts and (all(part.op == "constant" for part in parts) or parts[0].value == _EMPTY):
        return _constant(term, bind(term._replace(parts=parts))(_NOWHERE))
    return term._replace(parts=parts)


def _constant(term: Term, value: Any) -> Term:
    return Term("constant", term.sort, value=value)
