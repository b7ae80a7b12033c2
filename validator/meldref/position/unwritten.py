"""What may have happened in a hand that its log does not say."""

from __future__ import annotations

from typing import Final

from meldref.core.records import NamedTuple


class Unwritten(NamedTuple):
    """What nobody wrote down, as after a `gap`: for all else, the log is taken at its word.

    `pile` says that more cards may lie there, under those that are known, and `melds` that the
    table may have others than are known, or longer ones. `discards` says that the log leaves out
    what was thrown, so that a `?` may be any card of a hand. `turns` are the seats of whom turns
    are missing, in which they may have melded, `points` those who may have other points on the
    table than are known, and `joint_points` those of whom only the sum with their partner's is.
    """

    pile: bool = False
    melds: bool = False
    discards: bool = False
    turns: frozenset[int] = frozenset()
    points: frozenset[int] = frozenset()
    joint_points: frozenset[int] = frozenset()


NOTHING: Final = Unwritten()
