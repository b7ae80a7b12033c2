"""The rules of play in the order in which they are asked, as they are declared in their modules.

The first finding of an action is its finding. Within a stage the modules go on in the order below, and a
module's rules in the order in which they stand there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from meldref.core.events import Action
from meldref.rules import (
    bans,
    buys,
    calls,
    discard,
    draw,
    ending,
    floating,
    game,
    hand,
    layoff,
    meld,
    opening,
    out,
    settlement,
    setup,
    stock,
    turn,
    unseen,
)
from meldref.rules.base import Undecided, Violation
from meldref.rules.declare import CODES, RULES, SWITCHES, Code, Rule, Switch

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
    floating,
    ending,
    game,
    settlement,
    bans,
)
_PLACES: Final = {module.__name__: place for place, module in enumerate(MODULES)}


def rules_for(action: type[Action]) -> list[Rule]:
    """The rules about a kind of action, in the order in which they are asked."""
    about = [rule for rule in RULES if action in rule.actions]
    return sorted(about, key=lambda rule: (rule.stage, _PLACES.get(rule.bind.__module__, len(MODULES))))


def codes() -> Mapping[str, Code]:
    """Every code of play, by its name."""
    return CODES


def switches() -> Sequence[Switch]:
    """Every reason why a key has no effect, in the order of the modules."""
    return SWITCHES
