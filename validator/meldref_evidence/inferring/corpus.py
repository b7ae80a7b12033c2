"""The logs from which rules are found, without what their headers say of rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from meldref.core.diagnostics import Finding, Span
from meldref.core.events import HandStart, Header, Turn, WildRank
from meldref.core.records import record
from meldref.notation.reader import Read

if TYPE_CHECKING:
    from meldref_intake.source import Intake

_OF_RULES: Final = frozenset({"Rules", "Options", "Set"})
_BEGINS: Final = 2
"""What it takes to begin a game or a hand, besides its line."""


@record
class PlayedLog:
    """A log: its name, its lines without headers about rules, and how many hands and turns it has.

    `names_wild_ranks`: whether it says of any hand which rank is wild. `intake` is what it was made of,
    if its file is no log.
    """

    name: str
    lines: tuple[Read, ...]
    hands: int
    turns: int
    names_wild_ranks: bool = False
    intake: Intake | None = None

    def line_of(self, finding: Finding) -> int:
        """The line of its file that a finding is about."""
        return self.in_file(finding.span, finding.player)

    def in_file(self, span: Span, player: str | None = None) -> int:
        """The line of its file that a part of it comes from; of one for several players, that of one."""
        if self.intake is None:
            return span.line
        return self.intake.place(span.line, player, span.column).line

    @property
    def effort(self) -> int:
        """What it takes to judge it once, in lines and actions, besides what is found."""
        return sum(_effort(line) for line in self.lines)

    def beginning(self, effort: int) -> PlayedLog:
        """As much of it as takes no more than this effort, up to the beginning of a hand or game.

        If its first hand alone takes more, it ends in the middle of that.
        """
        whole = most = 0
        for place, line in enumerate(self.lines):
            if _starts(line) and not (place and _starts(self.lines[place - 1])):
                whole = place
            effort -= _effort(line)
            if effort < 0:
                break
            most = place + 1
        else:
            return self
        return _log_of(self.name, self.lines[: whole or most], self.intake)

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


_STARTS: Final = (Header, HandStart)


def _starts(read: Read) -> bool:
    return type(read[0].event) in _STARTS


def _effort(read: Read) -> int:
    event = read[0].event
    if type(event) is Turn:
        return 1 + len(event.actions)
    return 1 + _BEGINS * _starts(read)


def log_of(name: str, reads: Iterable[Read], intake: Intake | None = None) -> PlayedLog:
    """A log of lines that were read, and what it was made of, if its file is no log."""
    lines: list[Read] = []
    for read in reads:
        event = read[0].event
        if type(event) is Header and event.key in _OF_RULES:
            continue
        if event is not None or read[1]:
            lines.append((read[0]._replace(expected=()), read[1]))
    return _log_of(name, lines, intake)


def _log_of(name: str, lines: Sequence[Read], intake: Intake | None) -> PlayedLog:
    kinds = Counter(type(line.event) for line, _ in lines)
    wild = kinds[WildRank] > 0
    return PlayedLog(name, tuple(lines), kinds[HandStart], kinds[Turn], wild, intake)
