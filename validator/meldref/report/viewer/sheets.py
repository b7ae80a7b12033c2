"""Score sheets of games, as they were recorded against what the replay gives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

from meldref.report.elements import Html, join, tag
from meldref.report.viewer.film import HandFilm
from meldref.report.viewer.parts import part


def score_sheets(hands: Sequence[HandFilm]) -> Html:
    """A sheet for each game whose hands were scored."""
    numbered = groupby(enumerate(hands), lambda one: one[1].game)
    return join(_sheet(game, list(played)) for game, played in numbered if game)


def _sheet(game: int, hands: Sequence[tuple[int, HandFilm]]) -> Html:
    sides = hands[0][1].sides
    summed = any(hand.said for _, hand in hands)
    rows = [_row(hand, at, sides, summed=summed) for at, hand in hands if hand.scores is not None or hand.said]
    if not rows:
        return Html()
    kinds = [tag("th", kind, scope="col") for _ in sides for kind in ("score", "total")]
    return part("sheet", game=game, sides=[part("side", name=name) for name in sides], kinds=kinds, rows=rows)


def _row(hand: HandFilm, at: int, sides: Sequence[str], *, summed: bool) -> Html:
    """A hand; where the log has no totals at all, none is missing."""
    recorded = (hand.scores.recorded if hand.scores is not None else None) or {}
    computed = (hand.scores.computed if hand.scores is not None else None) or {}
    totals = dict(zip(sides, hand.totals, strict=False))
    cells = [
        cell
        for side in sides
        for cell in (
            _cell(_of(recorded, side), computed.get(side)),
            _cell(_of(hand.said, side) if summed else totals.get(side), totals.get(side)),
        )
    ]
    return part("row", at=at, number=hand.number, cells=cells)


def _of(amounts: Mapping[str, int], side: str) -> int | None:
    """What stands on the sheet for a side, under its own name or that of one who plays for it."""
    return next((amounts[name] for name in (side, *side.split("+")) if name in amounts), None)


def _cell(recorded: int | None, computed: int | None) -> Html:
    """A figure; where the sheet says another one, that is crossed out beside it, in words as well."""
    if recorded is None and computed is None:
        return part("unknown")
    if computed is None:
        return part("as-recorded", recorded=recorded or 0)
    if recorded is None:
        return part("not-recorded", computed=computed)
    return part("right" if recorded == computed else "wrong", computed=computed, recorded=recorded)
