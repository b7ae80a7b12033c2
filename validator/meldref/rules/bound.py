"""A house rule with its condition bound, ready to be asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from meldref.conditions.bind import Ask, bind, counted
from meldref.conditions.check import Checked, check
from meldref.conditions.types import HAND, Sort, Term
from meldref.core.records import NamedTuple
from meldref.ruleset.model import HouseRule

_ALWAYS: Final = Term("constant", Sort.YES_NO, value=True)


class Bound(NamedTuple):
    """A house rule, its condition, what says whether that holds, and the points of an award.

    `terms` are all that it asks about: the condition, and the points of an award.
    """

    said: HouseRule
    term: Term
    ask: Ask
    points: Ask | None = None
    terms: tuple[Term, ...] = ()


def bound(said: HouseRule) -> Bound:
    """A house rule whose condition was checked when its file was read."""
    contexts = contexts_of(said)
    term = _ALWAYS
    if said.when or said.unless:
        term = checked(said.when or said.unless, contexts)
        if said.unless:
            term = Term("not", Sort.YES_NO, (term,))
    if said.award is None:
        return Bound(said, term, counted(term), terms=(term,))
    points = checked(said.award, contexts, Sort.NUMBER)
    return Bound(said, term, counted(term), counted(points, bind), (term, points))


def checked(text: str, contexts: Sequence[str], sort: Sort = Sort.YES_NO) -> Term:
    """A condition, or another expression, of a house rule whose file was checked."""
    found = check(text, contexts, sort)
    assert isinstance(found, Checked), found
    return found.term


def contexts_of(said: HouseRule) -> tuple[str, ...]:
    """Where a house rule is asked: words of actions, `end`, or `hand`."""
    return said.forbid or said.at or (HAND,)
