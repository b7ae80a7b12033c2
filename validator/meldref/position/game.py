"""Where a game of several hands stands: hands scored, totals, who plays on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from meldref.core.events import Line
from meldref.core.records import fresh, record
from meldref.position.memory import Count

Kind: TypeAlias = Literal["score", "total", "total of hands"]
"""Which figure is open: the hand's score, a total after it, or one over hands without scores."""


@record
class Figure:
    """A recorded number of a side that unseen cards leave open.

    `before` is the total before the hand, and `since` the line that stated it (None: none did);
    only a total after the hand has them.
    """

    kind: Kind
    line: Line
    side: int
    points: int
    before: int | None = None
    since: Line | None = None


@record
class Subject:
    """What an open question is about: figures and why these are open, or who won by the log."""

    figures: tuple[Figure, ...] = ()
    why: str = ""
    winners: tuple[int, ...] = ()


@record
class HandRecord:
    """What is known of one hand that was played.

    Everything goes by side, numbered as in `Standing.sides`. `recorded` is what the log says (None:
    nobody can read it), `computed` what the replay or the totals of a sheet without scores give
    (None: not known), `out` the side of the player who went out,
    `said_out` of whom the log says so, `table` and `held` the points melded and held at the end,
    `playing` who plays the hand (None: everybody), `may_sit_out` those of them of whom only a score
    shows it, `absent` who did not play by the line of scores, `scored_at` the last line of scores,
    `settled` whether it was worked out for good,
    `counted` whether it counts in the totals. `buys` is how often each seat bought a card.
    """

    number: int
    reason: str | None = None
    out: int | None = None
    said_out: int | None = None
    recorded: Mapping[int, int | None] = fresh(default_factory=dict)
    computed: Mapping[int, int | None] = fresh(default_factory=dict)
    table: Mapping[int, int] | None = None
    held: Mapping[int, int | None] | None = None
    playing: tuple[int, ...] | None = None
    may_sit_out: tuple[int, ...] = ()
    absent: tuple[int, ...] = ()
    scored_at: Line | None = None
    settled: bool = False
    counted: bool = False
    buys: tuple[Count, ...] | None = None

    @property
    def has_score(self) -> bool:
        """Whether the log has scores of the hand."""
        return self.scored_at is not None

    def score(self, side: int, *, kept: bool = False) -> int | None:
        """A side's score as computed, else as recorded; as the table `kept` it, the other way."""
        computed, recorded = self.computed.get(side), self.recorded.get(side)
        first, second = (recorded, computed) if kept else (computed, recorded)
        score = second if first is None else first
        return 0 if score is None and self.sat_out(side) else score

    def sat_out(self, side: int) -> bool:
        """Whether a side is known not to play the hand."""
        if side in self.absent:
            return True
        if self.has_score and side in self.may_sit_out:
            return side not in self.recorded
        return self.playing is not None and side not in self.playing


@record
class Standing:
    """A game so far: by the scores as they should be, or, where `kept`, as the table kept them.

    `totals` are the sums of the hands, or as the log gave them where a hand's score is not known
    (None: not known at all). `played` hands were scored, `last` is the last of them. `tied` are the
    sides level at the top when the game would have been over, `tied_before` those a hand before,
    `were_in` those who played the last hand (empty: all), `agreed` whether the players agreed to
    stop, `skipped` how many hands nobody wrote down. `buys` is how often each seat bought a card.
    """

    sides: tuple[tuple[int, ...], ...]
    names: tuple[str, ...]
    totals: tuple[int | None, ...]
    played: int = 0
    last: HandRecord | None = None
    tied: tuple[int, ...] = ()
    tied_before: tuple[int, ...] = ()
    were_in: tuple[int, ...] = ()
    agreed: bool = False
    skipped: int = 0
    kept: bool = False
    buys: tuple[Count, ...] = ()

    def side_of(self, seat: int) -> int:
        """The side a seat scores for."""
        for index, side in enumerate(self.sides):
            if seat in side:
                return index
        raise LookupError(f"seat {seat} is on no side")

    @property
    def hands(self) -> int:
        """How many hands were played, those that nobody wrote down included."""
        return self.played + self.skipped

    @property
    def out(self) -> int | None:
        """The side of the player who went out in the last hand."""
        last = self.last
        assert last is not None
        return last.said_out if self.kept and last.said_out is not None else last.out
