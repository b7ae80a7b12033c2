"""Registers a rule for the time of a test, as a module of `meldref.rules` does when it is imported."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from meldref.core.events import Action
from meldref.engine import judge
from meldref.rules import declare
from meldref.rules.declare import Stage


@contextmanager
def registered(
    bind: Callable[..., object], *actions: type[Action], code: str = "meld.shape", stage: Stage = Stage.PLAY
) -> Iterator[None]:
    """While it lasts, a rule about some kinds of action is asked with all others."""
    declare.rule(code, actions=actions, stage=stage)(bind)
    judge._JUDGES.clear()
    try:
        yield
    finally:
        declare.RULES.pop()
        judge._JUDGES.clear()
