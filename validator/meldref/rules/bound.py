"""A house rule with its condition bound, ready to be asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from meldref.conditions.bind import Ask, asks_of, bind, counted
from meldref.conditions.check import Checked, check
from meldref.conditions.types import HAND, NOTHING, Sort, Term
from meldref.conditions.view import GameView
from meldref.core.records import NamedTuple
from meldref.ruleset.model import HouseRule

_ALWAYS: Final = Term("constant", Sort.YES_NO, value=True)


class Bound(NamedTuple):
    """A house rule, its condition, what says whether that holds, and the points of an award.

    `terms` are all that it asks about: the condition, and the points of an award; `of_card`: among
    it is the card of the action.
    """

    rule: HouseRule
    term: Term
    ask: Ask
    points: Ask | None = None
    terms: tuple[Term, ...] = ()
    of_card: bool = False


def bound(rule: HouseRule) -> Bound:
    """A house rule whose condition was checked when its file was read."""
    contexts = contexts_of(rule)
    term = _ALWAYS
    if rule.when or rule.unless:
        term = checked(rule.when or rule.unless, contexts)
        if rule.unless:
            term = Term("not", Sort.YES_NO, (term,))
    if rule.award is None:
        return Bound(rule, term, counted(term), terms=(term,), of_card=asks_of(term, "card"))
    points = checked(rule.award, contexts, Sort.NUMBER)
    of_card = asks_of(term, "card") or asks_of(points, "card")
    return Bound(rule, term, counted(term), counted(points, bind), (term, points), of_card)


def checked(text: str, contexts: Sequence[str], sort: Sort = Sort.YES_NO) -> Term:
    """A condition, or another expression, of a house rule whose file was checked."""
    result = check(text, contexts, sort)
    assert isinstance(result, Checked), result
    return result.term


def awards_of_game(
    awards: Sequence[HouseRule], totals: Sequence[int], winners: Sequence[int], hands: int
) -> list[int] | None:
    """The points that awards for a game add to each side's total; see `settlement.awarded`."""
    points = [0] * len(totals)
    view = GameView(totals, winners, hands)
    for rule in awards:
        award = bound(rule)
        assert award.points is not None
        for side in view.order:
            view.seat = side
            applies, brought = award.ask(view), award.points(view)
            if applies is False or brought is NOTHING:
                continue
            if not applies or not isinstance(brought, int):
                return None
            for receiver in view.order:
                if (receiver == side) is (rule.to != "opponents"):
                    points[receiver] += brought
    return points


def contexts_of(rule: HouseRule) -> tuple[str, ...]:
    """Where a house rule is asked: words of actions, `end`, or `hand`."""
    return rule.forbid or rule.at or (HAND,)
