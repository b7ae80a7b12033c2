"""Weighs totals over hands whose scores no line says, and who won by such totals.

Each side is looked at by itself: a hand may have brought it what the cards that nobody saw in its
hand can be worth, and a total is the sum of that. Where it cannot be so, lines are left out as long
as it cannot be without them either.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import Final

from meldref.core.records import NamedTuple, record
from meldref.ruleset.model import Ruleset
from meldref_evidence.weighing.deals import Unseen, sums_of
from meldref_evidence.weighing.hand import Account, ClosedHand
from meldref_evidence.weighing.sightings import needed

MOST_HANDS: Final = 8
"""Over how many hands at most a total is weighed, and how many lines these may have together."""
MOST_LINES: Final = 500


class Row(NamedTuple):
    """Hands in a row of which no line says what a side scored.

    `before` was its total before them, `since` the line that stated it (None: none did).
    """

    side: int
    before: int
    since: int | None = None
    hands: tuple[ClosedHand, ...] = ()

    @property
    def length(self) -> int:
        """How many lines the hands have together."""
        return sum([len(hand.lines) for hand in self.hands])


@record
class Impossible:
    """A total that cannot be: numbers of lines that cannot all be true, and what is possible."""

    lines: tuple[int, ...]
    lowest: int
    highest: int


class _Totals:
    """The totals that a side can have after some hands, by the lines that are not left out."""

    def __init__(self, row: Row) -> None:
        self.row = row
        self._accounts = [Account(hand) for hand in row.hands]
        self._scored: dict[tuple[int, frozenset[int]], set[int]] = {}
        self.lines = set() if row.since is None else {row.since}
        for account in self._accounts:
            self.lines |= account.lines | account.brought(row.side)

    def order(self) -> list[int]:
        """The lines, those that show few cards first: they are left out first."""
        shows = dict.fromkeys(self.lines, 0)
        for number in self.lines:
            for account in self._accounts:
                shows[number] += account.shows(number)
        return sorted(self.lines, key=lambda number: (number == self.row.since, shows[number]))

    def possible(self, lines: AbstractSet[int]) -> frozenset[int]:
        """The totals that some lines allow; none at all: any, as far as is known."""
        if self.row.since is not None and self.row.since not in lines:
            return frozenset()
        bits, lowest = 1, self.row.before
        for index, account in enumerate(self._accounts):
            if not account.brought(self.row.side) <= lines:
                return frozenset()
            key = index, account.lines & lines
            if key not in self._scored:
                self._scored[key] = self._scores(account, lines)
            scores = self._scored[key]
            if not scores:
                return frozenset()
            least = min(scores)
            bits, before = 0, bits
            for score in scores:
                bits |= before << score - least
            lowest += least
            if lowest < 0 and account.hand.judge.ruleset.scoring.below_zero.total == "forbidden":
                below = bits & (1 << -lowest) - 1
                bits, lowest = bits >> -lowest | (below != 0), 0
        return frozenset([lowest + at for at in range(bits.bit_length()) if bits >> at & 1])

    def _scores(self, account: Account, lines: AbstractSet[int]) -> set[int]:
        """What a hand may have brought the side."""
        hand, seen = account.hand, account.seen(lines)
        seats = hand.behind(self.row.side)
        number, points = account.unseen(seats, seen)
        may_be = hand.may_be(seats) if lines >= account.lines else None  # it follows from all lines
        sums = sums_of(account.pool(seen), hand.worth, Unseen(number, None, may_be))
        return {hand.score(self.row.side, points + held) for held in sums}


def weigh_total(row: Row, points: int, line: int) -> Impossible | bool | None:
    """Why a total on a line cannot be; else whether it is right in every deal (None: open)."""
    if _too_large(row):
        return None
    totals = _Totals(row)

    def contradicts(lines: AbstractSet[int]) -> bool:
        possible = totals.possible(lines)
        return bool(possible) and points not in possible

    possible = totals.possible(totals.lines)
    if not contradicts(totals.lines):
        return len(possible) == 1 or None
    lines = needed(totals.lines, totals.order(), contradicts)
    return Impossible((*sorted(lines), line), min(possible), max(possible))


def not_won(ruleset: Ruleset, winner: Row, other: Row, line: int) -> tuple[int, ...]:
    """Lines that cannot all be true, as who won on the last is behind; none: may be ahead."""
    if ruleset.game.winner == "player_out" or _too_large(winner, other):
        return ()
    first, second = _Totals(winner), _Totals(other)
    if ruleset.game.winner == "lowest":
        first, second = second, first

    def contradicts(lines: AbstractSet[int]) -> bool:
        behind, ahead = first.possible(lines), second.possible(lines)
        return bool(behind and ahead) and max(behind) < min(ahead)

    every = first.lines | second.lines
    if not contradicts(every):
        return ()
    order = [*first.order(), *[number for number in second.order() if number not in first.lines]]
    return (*sorted(needed(every, order, contradicts)), line)


def _too_large(*rows: Row) -> bool:
    return any(row.length > MOST_LINES for row in rows)
