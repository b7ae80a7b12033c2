"""The most valuable way to lay a hand down, as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator

from meldref.best import Goal, LayDown
from meldref.core.cards import card_text, cards_text, each
from meldref.core.text import many
from meldref.notation.writer import write_action


def lay_down_text(found: LayDown, *, quiet: bool = False) -> Iterator[str]:
    """Each play with its points, what is left, the total and the proof; `quiet`: the plays alone."""
    texts = [write_action(play) for play in found.plays]
    if quiet:
        yield from texts
        return
    column = max(map(len, texts), default=0) + 2
    for text, points in zip(texts, found.brings, strict=True):
        yield f"{text:<{column}}{many(points, 'point')}"
    if not texts:
        yield "nothing to lay"
    if found.left:
        yield f"left: {cards_text(each(found.left))}"
    total = f"{many(found.points, 'point')} on the table"
    if found.gain != found.points:
        total += f", {found.gain} with what the cards laid would have counted in hand"
    yield total
    positions = many(found.searched, "position")
    yield f"nothing better: {positions} searched, upper bound {found.bound}"


def lay_down_data(found: LayDown, goal: Goal) -> dict[str, object]:
    """The same for programs, with what was to be as much as it can be."""
    return {
        "for": goal,
        "plays": [
            {"play": write_action(play), "points": points}
            for play, points in zip(found.plays, found.brings, strict=True)
        ],
        "points": found.points,
        "gain": found.gain,
        "left": [card_text(card) for card in each(found.left)],
        "bound": found.bound,
        "searched": found.searched,
    }
