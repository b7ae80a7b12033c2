"""Whatever is cut from a log, doubled in it or put into another order, no command fails itself.

Logs are those of the project and simulated games of all rules, with cards masked. A part has `MELDREF_FUZZ` logs, the
sweep 5,000 in all.
"""

from __future__ import annotations

import os
import re
from random import Random

import pytest

import hostile
from property.test_hostile import survives
from property.test_options import GAMES
from property.test_unseen import MASKED, masked, played
from tiers import SWEEPS

PARTS = 100
LOGS_OF_A_PART = int(os.environ.get("MELDREF_FUZZ") or (50 if SWEEPS else 4))
COMMANDS = (
    "audit log.rgn",
    "audit --witness log.rgn",
    "view --for public log.rgn",
    "view --for {player} log.rgn",
    "report -o page.html log.rgn",
    "score log.rgn",
    "convert log.rgn",
    "fmt --fix log.rgn",
)
INFERRED = 10
"""The rules of every so many logs are looked for, which takes longest."""


def a_log(dice: Random) -> str:
    """One of the project's logs, or a simulated one, perhaps with cards masked."""
    if dice.random() < 0.4:
        return dice.choice(hostile.LOGS)
    text = played(f"torn {dice.random()}", GAMES)
    return text if dice.random() < 0.5 else masked(text, dice.choice(list(MASKED)), dice)


@pytest.mark.sweep(every=PARTS)
@pytest.mark.parametrize("part", range(PARTS))
def test_no_torn_log_makes_the_program_fail(part):
    for number in range(LOGS_OF_A_PART):
        dice = Random(f"torn {part} {number}")
        text = hostile.torn(a_log(dice), dice)
        named = re.search(r'\[Players "(\w+)', text)
        player = "Ann" if named is None else named[1]
        infers = ["rules infer log.rgn"] if number % INFERRED == 0 else []
        survives(text, "log.rgn", *infers, *(command.format(player=player) for command in COMMANDS))
