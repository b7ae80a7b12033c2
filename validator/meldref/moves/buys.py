"""Who may buy the last discard, by asking the judge."""

from __future__ import annotations

from collections.abc import Iterator

from meldref.core.cards import UNKNOWN
from meldref.core.events import Buy, Challenge
from meldref.engine.judge import Judge
from meldref.moves.calls import around
from meldref.position.model import Position


def buys(judge: Judge, position: Position) -> Iterator[tuple[int, Buy]]:
    """Every purchase that somebody may make now, from the discarder's left."""
    if judge.ruleset.buys.of == "none" or not position.pile or position.pile[-1] == UNKNOWN:
        return
    action = Buy(position.pile[-1])
    for seat in around(position):
        if may_break_in(judge, position, seat, action):
            yield seat, action


def may_break_in(judge: Judge, position: Position, seat: int, action: Buy | Challenge) -> bool:
    """Whether a player may buy a card, or challenge, now; the position stays as it is."""
    due = position.turn
    judge.play.break_in(position, seat)
    found = judge.violation(position, action)
    position.turn = due
    return found is None
