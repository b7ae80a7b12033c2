"""An example for each difference between two rulesets: a game that shows that one, and no other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from meldref.core.records import changed, record
from meldref.documents.reader import Value
from meldref.rulefiles.merge import flow
from meldref.ruleset.model import Ruleset
from meldref_authoring.difference import UNSEEN, Difference, Differences, compare_meaning
from meldref_authoring.example.search import ExampleGame, find_example

_HOUSE_RULE: Final = "house_rules."
_WALKS: Final = 100
"""How many short games are made up for one difference."""
_ENOUGH: Final = 4
"""After this many finds no more of them are looked at."""

Vary = Callable[[int, str], Ruleset | None]
"""One of the two rulesets (0 or 1) with a setting, as `draw.depth=top`; None if it makes no sense."""


@record
class Shown:
    """A difference and the example that shows it by itself; `why` there is none, where it is known.

    `example.clean` says whose way the game is legal by: 0 the first ruleset's, 1 the second's.
    """

    difference: Difference
    example: ExampleGame | None
    why: str = ""


def each_alone(
    pair: tuple[Ruleset, Ruleset], differences: Differences, vary: Vary, seed: int
) -> Iterator[Shown]:
    """Each difference in meaning by itself: all else is as in one of the two rulesets."""
    for difference in differences.in_meaning:
        if difference.key in UNSEEN:
            yield Shown(difference, None, f"it shows in no record: {UNSEEN[difference.key]}")
            continue
        alone = _apart(pair, difference, vary)
        if alone is None:
            yield Shown(difference, None, "it does not stand by itself beside the other rules")
            continue
        example, _ = find_example(*alone, _WALKS, seed, enough=_ENOUGH, plays_hands=False)
        yield Shown(difference, example)


def _apart(
    pair: tuple[Ruleset, Ruleset], difference: Difference, vary: Vary
) -> tuple[Ruleset, Ruleset] | None:
    """Two rulesets that differ in one key: the second and its like, else the first and its like."""
    first, second = pair
    if difference.key.startswith(_HOUSE_RULE):
        name = difference.key.removeprefix(_HOUSE_RULE)
        return _with_house_rule_of(first, second, name), second
    like_first = _varied(vary, 1, difference.key, difference.first.value)
    if like_first is not None and _differ(like_first, second):
        return like_first, second
    like_second = _varied(vary, 0, difference.key, difference.second.value)
    if like_second is not None and _differ(first, like_second):
        return first, like_second
    return None


def _varied(vary: Vary, side: int, key: str, value: Value) -> Ruleset | None:
    return None if value is None else vary(side, f"{key}={flow(value)}")


def _differ(first: Ruleset, second: Ruleset) -> bool:
    return not compare_meaning(first, second).same


def _with_house_rule_of(first: Ruleset, second: Ruleset, name: str) -> Ruleset:
    """The second ruleset with the house rule of that name as the first has it, or without it."""
    others = [rule for rule in second.house_rules if rule.name != name]
    its_own = [rule for rule in first.house_rules if rule.name == name]
    return changed(second, house_rules=(*others, *its_own))
