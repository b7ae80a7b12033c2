"""Where a game of several hands stands: hands scored, totals, who plays on."""

from __future__ import annotations

from collections.abc import Mapping

from meldref.records import fresh, record


@record(frozen=False)
class HandRecord:
    """What is known of one hand that was played.

    Everything goes by side, numbered as in `Standing.sides`. `recorded` is what the log says, `computed` what
    the replay gives (None: not known), `out` the side of the player who went out, `table` and `held` the
    points melded and held at the end, `counted` whether it counts in `Standing`.
    """

    number: int
    reason: str | None = None
    out: int | None = None
    recorded: dict[int, int] = fresh(default_factory=dict)
    computed: dict[int, int | None] = fresh(default_factory=dict)
    table: Mapping[int, int] | None = None
    held: Mapping[int, int | None] | None = None
    has_score: bool = False
    counted: bool = False

    def score(self, side: int) -> int | None:
        """The hand's score of a side: as recorded, else as computed."""
        return self.recorded.get(side, self.computed.get(side))


@record(frozen=False)
class Standing:
    """A game so far.

    `totals` are the sums of the hands (None: not known), `stated` the totals as the log last gave them. `played`
    hands were scored, `last` is the last of them. `tied` are the sides level at the top when the game would have
    been over, `agreed` whether the players agreed to stop.
    """

    sides: tuple[tuple[int, ...], ...]
    names: tuple[str, ...]
    totals: list[int | None]
    stated: dict[int, int] = fresh(default_factory=dict)
    played: int = 0
    last: HandRecord | None = None
    over: bool = False
    winners: tuple[int, ...] = ()
    tied: tuple[int, ...] = ()
    agreed: bool = False

    def side_of(self, seat: int) -> int:
        """The side a seat scores for."""
        return next(index for index, side in enumerate(self.sides) if seat in side)

    def total(self, side: int) -> int | None:
        """A side's total: as the log last gave it, else the sum of its hands."""
        return self.stated.get(side, self.totals[side])
