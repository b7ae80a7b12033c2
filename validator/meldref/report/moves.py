"""The legal moves of a position, or whole turns, as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from meldref.legal import LegalMove


def moves_text(player: str, moves: Sequence[LegalMove], *, over: bool, quiet: bool = False) -> Iterator[str]:
    """Each move with the points it brings; `quiet`: the moves alone.

    Without any: that the hand is `over`, or that the `player` to move has none.
    """
    if quiet:
        yield from (one.move for one in moves)
        return
    if not moves:
        yield "the hand is over" if over else f"{player} has no legal move"
        return
    column = max(len(one.move) for one in moves) + 2
    for one in moves:
        yield f"{one.move:<{column}}{one.points:+d}" if one.points else one.move


def moves_data(player: str, moves: Sequence[LegalMove], *, complete: bool | None = None) -> dict[str, object]:
    """The same for programs; `complete` is there where it was asked whether these are all."""
    data: dict[str, object] = {
        "to_move": player,
        "moves": [{"move": one.move, "points": one.points} for one in moves],
    }
    if complete is not None:
        data["complete"] = complete
    return data
