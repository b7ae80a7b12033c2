"""A misspelled action is played as the one it can only be: besides it, as much is found as without."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from random import Random
from string import ascii_lowercase

import pytest

from audits import found
from meldref.notation.actions import VERBS
from meldref.rulefiles.files import list_rulesets
from paths import ROOT
from simulated import log_of, ruleset
from tiers import examples

SPELLINGS = json.loads((ROOT / "grammar" / "spellings.json").read_text(encoding="utf-8"))
WRITTEN = {**{verb: verb for verb in VERBS}, **SPELLINGS["actions"]}
WAYS = defaultdict[str, list[str]](list)
"""How each action is written."""
for way, action in WRITTEN.items():
    WAYS[action].append(way)
TURN = re.compile(rf"(?:\d+\. )?(\w+: )((?:{'|'.join(VERBS)}).*)")
GAMES = [shipped.id for shipped in list_rulesets() if shipped.type == "game"]


def slips(word: str) -> set[str]:
    """A word with one of its letters doubled, left out, put in, mistaken, or swapped with the next one."""
    made = set()
    for at in range(len(word) - 1):
        before, letter, after, behind = word[:at], word[at], word[at + 1], word[at + 2 :]
        if " " in {letter, after}:
            continue
        made |= {before + letter * 2 + after + behind, before + after + behind}
        made |= {before + after + letter + behind}
        made |= {before + other + after + behind for other in ascii_lowercase}
        made |= {before + other + letter + after + behind for other in ascii_lowercase}
    return made


MEANT = defaultdict[str, set[str]](set)
"""The actions that somebody may have meant by a misspelled word."""
for way, action in WRITTEN.items():
    for slip in slips(way):
        MEANT[slip].add(action)
WRONG = {
    action: sorted(
        slip
        for slip in set[str]().union(*map(slips, WAYS[action]))
        if MEANT[slip] == {action} and not {slip} & {*WRITTEN, *SPELLINGS["vague"]}
    )
    for action in VERBS
}
"""Misspelled words of each action that can be no other."""


def with_misspelling(line: str, rng: Random) -> str | None:
    """A turn with an action misspelled, perhaps also without its colon, or on two lines."""
    turn = TURN.fullmatch(line)
    if turn is None:
        return None
    head, actions = line[: turn.start(2)], turn[2].split("; ")
    at = rng.randrange(len(actions))
    word, blank, cards = actions[at].partition(" ")
    before, behind = (
        actions[:at],
        "; ".join([rng.choice(WRONG[word]) + blank + cards, *actions[at + 1 :]]),
    )
    if before:
        parted = rng.choice(["; ", ", ", " then ", "\n", f"\n{turn[1]}"])
        return head + "; ".join(before) + parted + behind
    return rng.choice([head, head.replace(":", "")]) + behind


@pytest.mark.parametrize("rules", GAMES)
def test_a_misspelled_action_is_one_finding_and_hides_no_other(rules):
    text, _ = log_of(rules, (), (), ["greedy"] * ruleset(rules).players.min, hands=2)
    lines = text.split("\n")
    rng = Random(rules)
    turns = [at for at, line in enumerate(lines) if TURN.fullmatch(line)]
    for _ in range(examples(160)):
        at = rng.choice(turns)
        other = list(lines)
        if rng.randrange(2):  # something else is wrong as well
            spoilt = rng.choice(turns)
            other[spoilt] = re.sub("discard .*", "discard 2c", other[spoilt])
        wrong = with_misspelling(other[at], rng)
        if wrong is None:
            continue
        more = wrong.count("\n")
        plain, got = (
            found("\n".join(other)),
            found("\n".join([*other[:at], wrong, *other[at + 1 :]])),
        )
        rest = [(line - more if line > at + 1 else line, code) for line, code in got]
        assert (at + 1, "log.syntax") in rest, wrong
        rest.remove((at + 1, "log.syntax"))
        assert rest == plain, wrong
