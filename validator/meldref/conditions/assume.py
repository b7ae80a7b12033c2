"""What is left of a condition where only some facts are taken as known: whether it can hold at all."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any, Final

from meldref.conditions.check import Term
from meldref.conditions.facts import OF_CARD
from meldref.conditions.types import LISTS, MOST, OPEN, Row, Sort

UNKNOWN_FACT: Final = object()
"""What stands for a fact of which nothing is assumed."""
_PERHAPS_NOBODY: Final = ("partner", "out", "it")
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
        facts |= {"turn.drew": "stock", "turn.is_call": False, "turn.taken": Row(()), "card.was_taken": False}
        facts |= {"it.was_taken": False}
    if melded is not None:
        facts |= {f"turn.{name}": 0 for name in ("lay_offs", "swaps", "points")} | {"turn.melds": Row(())}
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


def _constant(term: Term, value: Any) -> Term:
    return Term("constant", term.sort, value=value)
