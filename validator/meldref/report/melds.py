"""The melds of some cards, and the most valuable way to lay a hand down, as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from meldref.core.cards import card_text, cards_text, each, played_text
from meldref.core.text import many
from meldref.report.style import in_columns
from meldref.scoring.points import ValuedMeld

if TYPE_CHECKING:  # who lists melds needs no search
    from meldref.best import Goal, LayDown


def melds_text(found: Sequence[ValuedMeld], *, quiet: bool = False) -> Iterator[str]:
    """Each meld with its kind and what it counts; `quiet`: the cards alone."""
    texts = [" ".join(map(played_text, one.cards)) for one in found]
    if quiet:
        yield from texts
        return
    if not found:
        yield "no meld"
        return
    yield from in_columns(
        (one.kind, text, many(one.points, "point")) for one, text in zip(found, texts, strict=True)
    )


def melds_data(found: Sequence[ValuedMeld], *, complete: bool = True) -> dict[str, object]:
    """Data for programs; `complete` is there where these are not all."""
    data: dict[str, object] = {
        "melds": [
            {"kind": one.kind, "cards": list(map(played_text, one.cards)), "points": one.points}
            for one in found
        ]
    }
    if not complete:
        data["complete"] = False
    return data


def lay_down_text(found: LayDown, *, quiet: bool = False) -> Iterator[str]:
    """Each play with its points, what is left, the total and the proof; `quiet`: the plays alone."""
    texts = _plays(found)
    if quiet:
        yield from texts
        return
    yield from in_columns(
        (text, many(points, "point")) for text, points in zip(texts, found.brings, strict=True)
    )
    if not texts:
        yield "nothing to lay"
    if found.left:
        yield f"left: {cards_text(each(found.left))}"
    total, brought = f"{many(found.points, 'point')} on the table", sum(found.brings)
    if brought != found.points:
        total += f", {brought} with what house rules award"
    if found.gain != brought:
        total += f", {found.gain} counting what those cards would have cost in hand"
    yield total
    yield f"nothing better: {many(found.searched, 'position')} searched, upper bound {found.bound}"


def lay_down_data(found: LayDown, goal: Goal) -> dict[str, object]:
    """Data for programs, with what was to be as much as it can be."""
    return {
        "for": goal,
        "plays": [
            {"play": text, "points": points}
            for text, points in zip(_plays(found), found.brings, strict=True)
        ],
        "points": found.points,
        "gain": found.gain,
        "left": [card_text(card) for card in each(found.left)],
        "bound": found.bound,
        "searched": found.searched,
    }


def _plays(found: LayDown) -> list[str]:
    from meldref.notation.writer import write_action  # noqa: PLC0415  nothing else here writes actions

    return list(map(write_action, found.plays))
