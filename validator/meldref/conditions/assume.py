"""What is left of a condition where only some facts are taken as known: whether it can hold at all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from meldref.conditions.check import Term
from meldref.conditions.facts import CARD, OF_CARD
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


def in_turn(*, plain: bool, melded: bool | None) -> Callable[[Term], Any]:
    """What is known of facts by the card of an action, and by how the turn went.

    `plain`: a card of the stock was drawn, and nothing was taken, called or exchanged; nothing was laid in the
    turn, and the player has `melded` before, or has not; None: something may have been laid.
    """
    facts: dict[str, Any] = {}
    if plain:
        facts |= {"turn.drew": "stock", "turn.is_call": False, "turn.taken": Row(())}
    if melded is not None:
        facts |= {f"turn.{name}": 0 for name in ("lay_offs", "swaps", "points")} | {"turn.melds": Row(())}
        facts |= {"player.has_melded": melded, "player.had_melded": melded}

    def known(term: Term) -> Any:
        fact, subject = term.value, term.subject
        if subject == "card" and fact in OF_CARD:
            return term
        if plain and fact is CARD["was_taken"]:
            return False
        return facts.get(f"{subject}.{fact.name}", UNKNOWN_FACT)

    return known


def _constant(term: Term, value: Any) -> Term:
    return Term("constant", term.sort, value=value)
