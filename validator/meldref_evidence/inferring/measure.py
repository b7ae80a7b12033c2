"""The measure by which rules are chosen: the bits of the rules and of what they do not explain.

It is a description length. Rules cost what it takes to name them; each kind of finding costs what
it takes to say how often it occurs. A count with an expected value of E is written by the geometric
code with that mean, log2(1 + E) + count * log2(1 + 1/E) bits. What rules forbid happens by mistake,
for each kind of finding about once in `TURNS_A_MISTAKE` turns. What rules allow happens far more
often, about once in `TURNS_A_LIBERTY` turns.

So three cards that were not used in two thousand turns take six bits, and a setting that allows it
takes twelve: they are mistakes. Ten of them take nineteen bits, and are a rule.
"""

from __future__ import annotations

import re
from math import log2
from typing import Final

TURNS_A_MISTAKE: Final = 5_000
"""A mistake of one kind is expected once in this many turns."""
TURNS_A_LIBERTY: Final = 50
"""What is allowed is done once in this many turns, if nothing tells how often."""
A_NAME: Final = 5.0
"""The bits of the name of a game or an option: there are about 2^5 of them."""
A_KEY: Final = 6.5
"""The bits of a key: there are about ninety."""
A_NUMBER: Final = 4.0
"""The bits of a number in place of another one."""
_A_LIMIT: Final = 3.0
"""The bits of a range from one up, as in 1-5, where a limit is a round number."""
_LEAST: Final = 0.1
"""Nothing is expected less often: a single log can have a mistake, too."""
_ONCE_A_HAND: Final = ("setup", "out", "end", "turn.over", "game", "settle")
"""How codes begin that occur at most once a hand: the deal, the last cards, the end of a game."""
_RARER: Final = 10
"""They are expected this many times less often."""
AT_ALL: Final = 3.0
"""The bits of saying that players err at all: many logs, mostly of programs, have no mistake."""
A_SCORE: Final = "score.hand"
"""The code of a wrong score."""
_SAYS_MORE: Final = {A_SCORE: 5.0, "log.name": 8.0}
"""The bits of saying what is wrong: a wrong score is one of some thirty, while the right one
follows from play; what a line says of a name that is not in the game is not judged."""


def bits(count: int, expected: float) -> float:
    """The bits that a count takes of which `expected` was expected."""
    return log2(1 + expected) + count * log2(1 + 1 / expected)


def bits_of_mistakes(count: int, turns: int, code: str = "") -> float:
    """The bits of findings of one kind in a number of turns, if they are against the rules."""
    more = _SAYS_MORE.get(code, 0.0) * count
    return bits(count, _expected(turns / TURNS_A_MISTAKE, code)) + more


def bits_of_liberties(
    count: int, turns: int, expected: float | None = None, code: str = ""
) -> float:
    """The bits of acts of one kind in a number of turns, if the rules allow them.

    `expected` is how often they occur when players of chance play by those rules; None: unknown.
    """
    if expected is None:
        expected = _expected(turns / TURNS_A_LIBERTY, code)
    return bits(count, expected)


def _expected(times: float, code: str) -> float:
    """How often something is expected that happens a number of `times` in all turns."""
    return max(times, _LEAST) / (_RARER if code.startswith(_ONCE_A_HAND) else 1)


def bits_of_value(words: int, value: str) -> float:
    """The bits of a value in place of another: one of the key's `words`, or its numbers."""
    if words == 0 and value.startswith("1-"):
        return _A_LIMIT
    numbers = len(re.findall(r"\d+", value))
    return A_NUMBER * max(numbers, 1) if words == 0 else log2(max(words - 1, 1))
