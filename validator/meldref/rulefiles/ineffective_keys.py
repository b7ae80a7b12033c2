"""Which keys of a ruleset have no effect, because another key switches them off."""

from __future__ import annotations

from collections.abc import Iterator

from meldref.rules import registry
from meldref.ruleset.model import Ruleset


def ineffective(ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    """Each key that has no effect, with the key that switches it off, as the rules declare it."""
    for switch in registry.switches():
        if switch.off(ruleset):
            for key in switch.keys:
                yield key, switch.by
