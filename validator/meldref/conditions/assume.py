"""What is left of a condition where only some facts are taken as known: whether it can hold at all."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any, Final

from meldref.conditions.bind import bind
from meldref.conditions.facts import OF_CARD
from meldref.conditions.types import LISTS, MOST, OPEN, Fact, Row, Sort, Term

UNKNOWN_FACT: Final = object()
"""What stands for a fact of which nothing is assumed."""
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
    *, plain: bool, melded: bool | None, of_meld: Collection[str] = (), turns: bool = False
) -> Callable[[Term], Any]:
    """What is known of facts by an action's cards, and by how the turn went.

    `plain`: a card of the stock was drawn, and nothing was taken, called or exchanged; nothing was laid in the
    turn, and the player has `melded` before, or has not; None: something may have been laid. `of_meld` are the
    facts of the action's meld that follow from its cards; `turns`: it is known how many the player began.
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
    if turns:
        itself.add("player.turns")

    def known(term: Term) -> Any:
        name = f"{term.subject}.{term.value.name}"
        if name in itself and (term.subject not in {"card", "it"} or term.value in OF_CARD):
            return term
        return facts.get(name, UNKNOWN_FACT)

    return known


def greatest(term: Term, fact: Fact) -> int | None:
    """The greatest number that a player's fact is compared with, or 0; None where it is used in another way."""

    def asks(part: Term) -> bool:
        return part.op == "fact" and part.value is fact and part.subject == "player"

    if asks(term):
        return None
    if term.op in {"compare", "in"} and any(map(asks, term.parts)):
        beside = [part for part in term.parts if not asks(part)]
        if term.op == "in":
            return max([most for _, most in term.value], default=0)
        return beside[0].value if beside and type(beside[0].value) is int else None
    found = [greatest(part, fact) for part in term.parts]
    return None if None in found else max([one for one in found if one is not None], default=0)


def _constant(term: Term, value: Any) -> Term:
    return Term("constant", term.sort, value=value)
