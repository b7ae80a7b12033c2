"""What house rules forbid for certain, by their conditions alone, whatever cards there are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, Final

from meldref.conditions.supposed import supposed
from meldref.conditions.types import END, Row, Term
from meldref.rules.bound import bound
from meldref.rules.opening import slots
from meldref.ruleset.changes import is_last_hand
from meldref.ruleset.model import HouseRule, Ruleset

_LAST_DISCARD: Final[Mapping[str, Mapping[str, Any]]] = {
    "discard": {"player.cards": 1, "player.floats": False},
    END: {"player.cards": 0, "player.floats": False, "player.goes_out": True},
}
"""What holds where a player discards the last card, and at the end of that turn."""
_MOST_MELDS: Final = 20
"""No hand has the cards for more."""


def bans_on_last_discard(ruleset: Ruleset, hand: tuple[int, int]) -> Iterator[HouseRule]:
    """The house rules that let nobody go out by a discard in hands with these numbers."""
    for rule in ruleset.house_rules:
        if any(
            word in rule.forbid and _forbids(ruleset, rule, hand, supposition)
            for word, supposition in _LAST_DISCARD.items()
        ):
            yield rule


def bans_on_contract(ruleset: Ruleset, hand: tuple[int, int]) -> Iterator[tuple[int, HouseRule]]:
    """The house rules that let nobody lay the contract, each with the meld that it forbids."""
    melds = range(min(len(slots(ruleset)), _MOST_MELDS))
    for rule in ruleset.house_rules if melds else ():
        if "meld" not in rule.forbid:
            continue
        for laid in melds:
            row = Row((None,) * laid)
            supposition = {
                "player.melds": row,
                "player.had_melded": False,
                "player.had_contract": False,
                "player.has_melded": laid > 0,
                "turn.melds": row,
            }
            if _forbids(ruleset, rule, hand, supposition):
                yield laid, rule
                break


def _forbids(
    ruleset: Ruleset, rule: HouseRule, hand: tuple[int, int], known: Mapping[str, Any]
) -> bool:
    """Whether a ban holds for certain where facts are known, by the rules of a hand."""
    of_hand = {
        "hand.number": hand,
        "hand.is_last": is_last_hand(ruleset, hand),
        "hand.contract": len(slots(ruleset)),
        "hand.first_points": ruleset.melds.first_points,
    }
    return supposed(_condition(rule), {**of_hand, **known}) is True


@lru_cache(maxsize=128)
def _condition(rule: HouseRule) -> Term:
    """The condition of a house rule, which is asked of hand after hand."""
    return bound(rule).term
