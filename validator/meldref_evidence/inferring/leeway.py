"""What a few logs leave open: how many other rules judge them alike, and keys they do not touch."""

from __future__ import annotations

from collections import Counter
from typing import Final

from meldref.core.records import record
from meldref_evidence.inferring.draft import Draft, same_rules
from meldref_evidence.inferring.judging import Bench
from meldref_evidence.inferring.search import with_part
from meldref_evidence.inferring.strictness import PLAY, parts_besides

MOST_TURNS: Final = 250
"""Of logs with more turns it is not worked out."""
_SECTIONS: Final = ("deal.", *PLAY, "scoring.")


@record
class Leeway:
    """The number of `rules` that differ in a part, and of those that judge the logs `alike`.

    `keys` are those whose values the logs do not tell apart.
    """

    rules: int
    alike: int
    keys: tuple[str, ...]


def leeway(draft: Draft, bench: Bench) -> Leeway | None:
    """What logs leave open; None if there is too much to look at."""
    if bench.turns > MOST_TURNS or bench.budget.over:
        return None
    rules = alike = 0
    by_key: Counter[str] = Counter()
    told: set[str] = set()
    for key, value in parts_besides(draft, _SECTIONS):
        other = with_part(draft, key, value)
        if other.ruleset is None or same_rules(other.ruleset, draft.ruleset):
            continue
        if not bench.may_judge(other):
            return None
        rules += 1
        numbers = range(len(bench.logs))
        if any(bench.verdict(other, n).counts != bench.verdict(draft, n).counts for n in numbers):
            told.add(key)
        else:
            alike += 1
            by_key[key] += 1
    keys = tuple(key for key in by_key if key not in told and key != "extends")
    return Leeway(rules, alike, keys)
