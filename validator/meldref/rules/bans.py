"""Bans of house rules: asked of what the game itself allows, behind all rules of its own.

What they say is worked out in `rules.house`, which is loaded where a ruleset has house rules.
"""

from __future__ import annotations

from typing import Any

from meldref.core.events import Action
from meldref.notation.actions import ACTIONS
from meldref.rules.base import Binding, Check
from meldref.rules.declare import Stage, rule


def _declare(kind: type[Action]) -> None:
    @rule(actions=(kind,), stage=Stage.LAST)
    def house_rules(binding: Binding) -> Check[Any] | None:
        """What the ruleset forbids in house rules of its own."""
        return None if binding.house is None else binding.house.bans.check(kind)


for _form in ACTIONS:
    _declare(_form.kind)
