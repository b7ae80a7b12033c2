"""Which hand of its game is under way, by the numbers on the lines that begin hands."""

from __future__ import annotations

from meldref.core.records import record
from meldref.position.model import NOT_AHEAD
from meldref.replay.aftermath import count_on


@record
class HandNumber:
    """The number of a hand in its game, and the hands before it that the log does not have.

    The log has `begun` so many hands. Counted on from the number of the `first` one, this one is
    number `due`; it has the `number` written, or else one that is `ahead` of the one due by as much
    as numbers before it. `missing` are the hands just before it that its number counts, `left_out`
    those before it that no number counts. `is_wrong` says that the number is found wrong: the log
    may go on from it, or from the one due; `is_void` that the hand was annulled: it may come again.
    """

    begun: int = 0
    first: int = 0
    due: int = 0
    number: int = 0
    missing: int = 0
    left_out: int = 0
    is_wrong: bool = False
    is_void: bool = False
    ahead: tuple[int, ...] = NOT_AHEAD

    @property
    def is_first(self) -> bool:
        """Whether it is the first hand of the log."""
        return self.begun == 1

    @property
    def skipped(self) -> int:
        """How many hands of the game nobody wrote down until now."""
        return max(self.first - 1 + self.number - self.due, 0) + self.left_out

    def next(self, written: int | None) -> HandNumber:
        """The next hand, with the number `written` or none; a log may begin with any hand."""
        due = self.due + 1
        ahead = self.ahead
        if not self.begun:
            due = written or 1
        elif self.is_void and written is None:
            # Dealt again under the number of the annulled hand, or counted as one more.
            due = self.due
            ahead = (1, 0)
        elif self.is_void and written is not None and written - self.due in ahead:
            due = self.due
        if written is None:
            by = ahead[-1]
            ahead_after = ahead
        else:
            by = written - due
            ahead_after = count_on(ahead, by)
        missing = due - 1
        if self.begun:
            missing = max(by - max(ahead), 0)
        return HandNumber(
            self.begun + 1,
            self.first or due,
            due,
            max(due + by, 1),
            missing,
            self.left_out,
            is_wrong=by not in ahead,
            ahead=ahead_after,
        )

    def others(self, *, missing: int) -> list[int]:
        """The other numbers that it may have, with so many more `missing` hands before it."""
        numbers: set[int] = set()
        for by in self.ahead:
            lowest = self.due + by
            numbers.update(range(lowest, lowest + self.left_out + missing + 1))
        return sorted(numbers - {self.number})
