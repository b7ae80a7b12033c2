"""The rules that the list of moves keeps by the way it is made, so that it need not ask them.

It offers no card that is not in hand, no draw after the draw, no meld that the book of melds does not have. What is
not named here is asked of each move, so a rule that is added is obeyed; and the tests hold the list against one that
asks every rule about everything.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

from meldref.core.events import Action
from meldref.engine.judge import Judge
from meldref.rules import calls, discard, draw, hand, layoff, meld, out, stock, turn, unseen
from meldref.rules.registry import Bound
from meldref.ruleset.model import Ruleset

Kept: TypeAlias = Callable[[Ruleset, bool], bool]
"""Whether a rule is kept under a ruleset, by a move with wild cards or without."""


def _always(_rules: Ruleset, _wild: bool) -> bool:  # noqa: FBT001  as `Kept` is called
    return True


def _without_twins(rules: Ruleset, wild: bool) -> bool:  # noqa: FBT001
    """The book of melds does not know which cards lie on the table already."""
    return not (wild and rules.melds.wild.twins == "forbidden")


def _where_anybody_lays_off(rules: Ruleset, wild: bool) -> bool:  # noqa: FBT001
    """Whatever extends a meld may be laid off there by anybody."""
    open_to_all = rules.layoff.onto == "any" and rules.layoff.before_melding == "allowed"
    return open_to_all and _without_twins(rules, wild)


KEPT: Final[dict[Callable[..., Any], Kept]] = {
    turn.one_draw: _always,
    turn.draw_first: _always,
    turn.nothing_owed: _always,
    draw.stock_card: _always,
    draw.pile_cards: _always,
    stock.may_pass: _always,
    hand.holds_cards: _always,
    hand.holds_card: _always,
    meld.is_meld: _without_twins,
    meld.meld_number: _always,
    layoff.named_meld: _always,
    unseen.lay_off: _where_anybody_lays_off,
    discard.not_just_taken: _always,
    out.last_discard: _always,
    calls.allowed: _always,
    calls.in_time: _always,
    calls.scope: _always,
    calls.founded: _always,
}


def rules_asked(judge: Judge, kind: type[Action], *, wild: bool) -> tuple[Bound, ...]:
    """The checks that have to be asked about an action of a player who owes nothing.

    `wild`: the move has wild cards.
    """
    return tuple(
        check
        for rule, check in judge.bound[kind]
        if not rule.silent_in_plain_turns and not _is_kept(rule.bind, judge.ruleset, wild=wild)
    )


def rules_kept(judge: Judge, kind: type[Action]) -> tuple[Bound, ...]:
    """The checks of a kind of action that say the same in all turns alike."""
    return tuple(
        check for rule, check in judge.bound[kind] if _is_kept(rule.bind, judge.ruleset, wild=False)
    )


def _is_kept(bind: Callable[..., Any], rules: Ruleset, *, wild: bool) -> bool:
    kept = KEPT.get(bind)
    return kept is not None and kept(rules, wild)
