"""What is left of a condition where only some facts are taken as known: whether it can hold at all."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any, Final

from meldref.conditions.bind import bind
from meldref.conditions.facts import OF_CARD
from meldref.conditions.types import LISTS, MOST, OPEN, Row, Sort, Term

UNKNOWN_FACT: Final = object()
"""What stands for a fact of which nothing is assumed."""
MOST_COMPARED: Final = 200
"""The greatest number for which it is worked out which numbers a comparison tells apart."""
_PERHAPS_NOBODY: Final = ("partner", "out", "it")
NOWHERE: Final[Any] = None
"""The view for a condition that looks at nothing."""
_EMPTY: Final = Row(())
_LISTED: Final = {"any": None, "all": None, "count": OPEN, "sum": OPEN}


def assuming(term: Term, known: Callable[[Term], Any]) -> Term:
    """A condition in which each fact is what is `known` of it: a value, itself, or open (`UNKNOWN_FACT`)."""
    if term.op == "fact":
        value = known(term)
        if value is not UNKNOWN_FACT:
            return term if value is term else _constant(term, value)
        if term.sort in LISTS:
            return _constant(term, UNKNOWN_FACT)
        return _constant(term, None if term.sort is Sort.YES_NO else OPEN)
    parts = tuple([assuming(part, known) for part in term.parts])
    if term.op in _LISTED and parts[0].value is UNKNOWN_FACT:
        counted = term.op == "count" and term.parts[0].subject not in _PERHAPS_NOBODY
        return _constant(term, (0, MOST) if counted else _LISTED[term.op])
    if term.op in {"and", "or"}:
        decides = term.op == "or"
        if any(part.op == "constant" and part.value is decides for part in parts):
            return _constant(term, decides)
        parts = tuple([part for part in parts if part.op != "constant" or part.value is None])
        if not parts:
            return _constant(term, not decides)
    elif parts and (all(part.op == "constant" for part in parts) or parts[0].value == _EMPTY):
        return _constant(term, bind(term._replace(parts=parts))(NOWHERE))
    return term._replace(parts=parts)


def in_turn(
    *, plain: bool, melded: bool | None, of_meld: Collection[str] = (), counted: Collection[str] = ()
) -> Callable[[Term], Any]:
    """What is known of facts by an action's cards, and by how the turn went.

    `plain`: a card of the stock was drawn, and nothing was taken, called or exchanged; nothing was laid in the
    turn, and the player has `melded` before, or has not; None: something may have been laid. `of_meld` are the
    facts of the action's meld that follow from its cards, `counted` names the numbers that are known besides.
    """
    facts: dict[str, Any] = {}
    if plain:
        facts |= {"turn.drew": "stock", "turn.is_call": False, "turn.taken": _EMPTY, "card.was_taken": False}
        facts |= {"it.was_taken": False}
    if melded is not None:
        facts |= {f"turn.{name}": 0 for name in ("lay_offs", "swaps", "points")} | {"turn.melds": _EMPTY}
        facts |= {"player.has_melded": melded, "player.had_melded": melded}
    itself = {f"meld.{name}" for name in of_meld} | ({"top.cards"} if of_meld else set())
    itself |= {f"{subject}.{fact.name}" for subject in ("card", "it") for fact in OF_CARD}
    itself.update(counted)

    def known(term: Term) -> Any:
        name = f"{term.subject}.{term.value.name}"
        if name in itself and (term.subject not in {"card", "it"} or term.value in OF_CARD):
            return term
        return facts.get(name, UNKNOWN_FACT)

    return known


def compared(term: Term, name: str) -> set[int] | None:
    """The numbers that a fact such as `player.turns` is compared with; None: great ones, or otherwise used."""

    def asks(part: Term) -> bool:
        return part.op == "fact" and f"{part.subject}.{part.value.name}" == name

    if asks(term):
        return None
    if term.op in {"compare", "in"} and any(map(asks, term.parts)):
        beside = [part.value if part.op == "constant" else None for part in term.parts if not asks(part)]
        ends: set[Any] = {end for span in term.value for end in span} if term.op == "in" else set(beside)
        return ends if ends and all(type(end) is int and end <= MOST_COMPARED for end in ends) else None
    found = [compared(part, name) for part in term.parts]
    return None if None in found else {number for one in found if one is not None for number in one}


def facts_of(term: Term) -> set[str]:
    """The facts that a condition asks, such as `player.turns`; a list that it only counts is `count(cards)`."""
    if term.op == "fact":
        return {f"{term.subject}.{term.value.name}"}
    if term.op == "count" and len(term.parts) == 1 and term.parts[0].subject == "top":
        return {f"count({term.parts[0].value.name})"}
    return {fact for part in term.parts for fact in facts_of(part)}


def _constant(term: Term, value: Any) -> Term:
    return Term("constant", term.sort, value=value)
