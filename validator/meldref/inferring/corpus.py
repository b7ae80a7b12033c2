"""The logs from which rules are found, without what their headers say of rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final

from meldref.core.events import HandStart, Header, Turn, WildRank
from meldref.core.records import record
from meldref.notation.reader import Read

_OF_RULES: Final = frozenset({"Rules", "Options", "Set"})


@record
class PlayedLog:
    """A log: its name, its lines without headers about rules, and how many hands and turns it has.

    `names_wild_ranks`: whether it says of any hand which rank is wild.
    """

    name: str
    lines: tuple[Read, ...]
    hands: int
    turns: int
    names_wild_ranks: bool = False

    @property
    def why_not(self) -> str:
        """Why it says nothing of rules; empty if it does."""
        if not self.turns:
            return "there is no turn in this file"
        unread = sum(line.event is None for line, _ in self.lines)
        if 2 * unread > len(self.lines):
            return f"{unread:,} of its {len(self.lines):,} lines cannot be read"
        return ""


@record
class Corpus:
    """Logs, and how many turns they have in all."""

    logs: tuple[PlayedLog, ...]

    @property
    def turns(self) -> int:
        """The number of turns in all logs."""
        return sum(log.turns for log in self.logs)

    @property
    def hands(self) -> int:
        """The number of hands in all logs."""
        return sum(log.hands for log in self.logs)

    def split(self, share: float) -> tuple[Corpus, Corpus]:
        """The logs to find rules from, and every n-th log, which is held out for checking them."""
        learning: list[PlayedLog] = []
        held_out: list[PlayedLog] = []
        for number, log in enumerate(self.logs, start=1):
            due = int(number * share + 1e-9) > len(held_out)
            (held_out if due else learning).append(log)
        return Corpus(tuple(learning)), Corpus(tuple(held_out))


def log_of(name: str, reads: Iterable[Read]) -> PlayedLog:
    """A log of lines that were read."""
    lines: list[Read] = []
    for read in reads:
        event = read[0].event
        if type(event) is Header and event.key in _OF_RULES:
            continue
        if event is not None or read[1]:
            lines.append((read[0]._replace(expected=()), read[1]))
    kinds = Counter(type(line.event) for line, _ in lines)
    wild = kinds[WildRank] > 0
    return PlayedLog(name, tuple(lines), kinds[HandStart], kinds[Turn], wild)
