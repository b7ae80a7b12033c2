"""The most valuable way to lay a hand down, as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator

from meldref.core.cards import card_text, cards_text, each
from meldref.core.text import many
from meldref.notation.writer import write_action
from meldref.report.style import in_columns
from meldref_table.best import Goal, LayDown


def lay_down_text(way: LayDown, *, quiet: bool = False) -> Iterator[str]:
    """Each play with its points, what is left, the total and the proof.

    `quiet`: only the plays.
    """
    texts = _plays(way)
    if quiet:
        yield from texts
        return
    yield from in_columns(
        (text, many(points, "point")) for text, points in zip(texts, way.brings, strict=True)
    )
    if not texts:
        yield "nothing to lay"
    if way.left:
        yield f"left: {cards_text(each(way.left))}"
    total, brought = f"{many(way.points, 'point')} on the table", sum(way.brings)
    if brought != way.points:
        total += f", {brought} with what house rules award"
    if way.gain != brought:
        total += f", {way.gain} counting what those cards would have cost in hand"
    yield total
    proof = "nothing better" if way.bound == way.gain else "a better exchange may be missing"
    yield f"{proof}: {many(way.searched, 'position')} searched, upper bound {way.bound}"


def lay_down_data(way: LayDown, goal: Goal) -> dict[str, object]:
    """Data for programs, with what was to be as much as it can be."""
    return {
        "for": goal,
        "plays": [
            {"play": text, "points": points}
            for text, points in zip(_plays(way), way.brings, strict=True)
        ],
        "points": way.points,
        "gain": way.gain,
        "left": [card_text(card) for card in each(way.left)],
        "bound": way.bound,
        "searched": way.searched,
    }


def _plays(way: LayDown) -> list[str]:
    return list(map(write_action, way.plays))
