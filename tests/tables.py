"""Random games of the second model, at each of many tables."""

from __future__ import annotations

from functools import cache

import pytest

from model import named, random_game

TABLES = [
    ("500-rummy", ()),
    ("500-rummy", ("no-jokers",)),
    ("500-rummy", ("no-calls",)),
    ("500-rummy", ("call-last-discard-only",)),
    ("500-rummy", ("discard-to-go-out",)),
    ("500-rummy", ("meld-taken-card",)),
    ("500-rummy", ("meld-taken-card", "new-meld-for-taken-card")),
    ("500-rummy", ("meld-taken-card", "discard-to-go-out")),
    ("500-rummy", ("new-meld-for-taken-card",)),
    ("500-rummy", ("values-5-10-15", "go-out-to-win")),
    ("500-rummy", ("floating",)),
    ("500-rummy", ("floating", "unplayable-last-discard")),
    ("500-rummy", ("floating", "claimable-last-discard")),
    ("500-rum", ()),
    ("500-rum", ("low-cards-5", "sequences-of-four")),
    ("500-rum", ("discard-to-go-out", "aces-25")),
    ("gilfoy-500-rummy", ()),
    ("gilfoy-500-rummy", ("keep-taken-card", "face-values")),
    ("gilfoy-500-rummy", ("two-packs",)),
    ("gilfoy-500-rummy", ("tied-players-only",)),
    ("online-rummy-500", ()),
]
at_each_table = pytest.mark.parametrize(
    ("rules", "options"),
    TABLES,
    ids=lambda value: value if isinstance(value, str) else "+".join(value) or "plain",
)


def rules_of(rules: str, options: tuple[str, ...]):
    """The second model's settings. Where a last discard can be claimed, floaters use what fits here too."""
    changes = {"floater_must_play": True} if "claimable-last-discard" in options else {}
    return named(rules, options, **changes)


@cache
def game(
    rules: str, options: tuple[str, ...], seed: int, hands: int = 2, max_turns: int = 40
) -> str:
    chosen = rules_of(rules, options)
    number = chosen.min_players + (seed * 2 + len(options)) % (
        chosen.max_players - chosen.min_players + 1
    )
    return random_game(seed, number, chosen, hands=hands, max_turns=max_turns)
