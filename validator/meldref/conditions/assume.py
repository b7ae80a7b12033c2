"""What is left of a condition where only some facts are taken as known: whether it can hold at all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from meldref.conditions.bind import bind
from meldref.conditions.types import LISTS, MOST, OPEN, Row, Sort, Term

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


def facts_of(term: Term) -> set[str]:
    """The facts that a condition asks, such as `player.turns`; a list that it only counts is `count(cards)`."""
    if term.op == "fact":
        return {f"{term.subject}.{term.value.name}"}
    if term.op == "count" and len(term.parts) == 1 and term.parts[0].subject == "top":
        return {f"count({term.parts[0].value.name})"}
    return {fact for part in term.parts for fact in facts_of(part)}


def _constant(term: Term, value: Any) -> Term:
    return Term("constant", term.sort, value=value)
