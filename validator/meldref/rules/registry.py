"""The rules of play in the order in which they are asked, as they are declared in their modules.

The first finding of an action is its finding. Within a stage the modules follow in the order below,
and a module's rules in the order in which they stand there. Behind them all come the bans of house
rules, which are asked of what the game itself allows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from meldref.core.events import Action
from meldref.notation.actions import ACTIONS
from meldref.rules import (
    buys,
    calls,
    discard,
    draw,
    ending,
    game,
    hand,
    layoff,
    meld,
    opening,
    out,
    possible_scores,
    settlement,
    setup,
    stock,
    turn,
    unseen,
)
from meldref.rules.base import Binding, Check, Undecided, Violation
from meldref.rules.declare import CODES, RULES, SWITCHES, Code, Rule, Stage, Switch, rule

Bound: TypeAlias = "Callable[[Any, Any], Violation | Undecided | None]"

MODULES: Final = (
    setup,
    turn,
    hand,
    layoff,
    unseen,
    stock,
    meld,
    opening,
    discard,
    draw,
    calls,
    buys,
    out,
    ending,
    game,
    possible_scores,
    settlement,
)
_PLACES: Final = {module.__name__: place for place, module in enumerate(MODULES)}


def rules_for(action: type[Action]) -> list[Rule]:
    """The rules about a kind of action, in the order in which they are asked."""
    about = [rule for rule in RULES if action in rule.actions]
    return sorted(
        about, key=lambda rule: (rule.stage, _PLACES.get(rule.bind.__module__, len(MODULES)))
    )


def codes() -> Mapping[str, Code]:
    """Every code of play, by its name."""
    return CODES


def switches() -> Sequence[Switch]:
    """Every reason why a key has no effect, in the order of the modules."""
    return SWITCHES


def _declare_bans(kind: type[Action]) -> None:
    @rule(actions=(kind,), stage=Stage.LAST)
    def house_rules(binding: Binding) -> Check[Any] | None:
        """What the ruleset forbids in house rules of its own."""
        return None if binding.bans is None else binding.bans.check(kind)


for _form in ACTIONS:
    _declare_bans(_form.kind)
