"""Registers a rule for the time of a test, as a module of `meldref.rules` does when it is imported."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from meldref.core.events import Action
from meldref.engine import judge
from meldref.rules import declare
from meldref.rules.declare import Stage
from meldref_table.best import coming_bans
from meldref_table.simulate.quick_moves import bounds, discards


def _forget() -> None:
    """What is kept for a judge is kept for every judge of its rules."""
    judge._JUDGES.clear()
    discards.throws.cache_clear()
    bounds.naturals.cache_clear()
    coming_bans.coming_bans.cache_clear()


@contextmanager
def registered(
    bind: Callable[..., object],
    *actions: type[Action],
    code: str = "meld.shape",
    stage: Stage = Stage.PLAY,
) -> Iterator[None]:
    """While it lasts, a rule about some kinds of action is asked with all others."""
    declare.rule(code, actions=actions, stage=stage)(bind)
    _forget()
    try:
        yield
    finally:
        declare.RULES.pop()
        _forget()
