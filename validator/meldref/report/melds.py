"""The melds of some cards, as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from meldref.core.cards import played_text
from meldref.core.text import many
from meldref.scoring.points import ValuedMeld


def melds_text(found: Sequence[ValuedMeld], *, quiet: bool = False) -> Iterator[str]:
    """Each meld with its kind and what it counts; `quiet`: the cards alone."""
    texts = [" ".join(map(played_text, one.cards)) for one in found]
    if quiet:
        yield from texts
        return
    if not found:
        yield "no meld"
        return
    column = max(len(one.kind) for one in found) + 2
    wide = max(map(len, texts)) + 2
    for one, text in zip(found, texts, strict=True):
        yield f"{one.kind:<{column}}{text:<{wide}}{many(one.points, 'point')}"


def melds_data(found: Sequence[ValuedMeld], *, complete: bool = True) -> dict[str, object]:
    """The same for programs; `complete` is there where these are not all."""
    data: dict[str, object] = {
        "melds": [
            {"kind": one.kind, "cards": list(map(played_text, one.cards)), "points": one.points} for one in found
        ]
    }
    if not complete:
        data["complete"] = False
    return data
