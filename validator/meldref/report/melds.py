"""The melds of some cards, as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from meldref.core.cards import played_text
from meldref.core.text import many
from meldref.report.style import in_columns
from meldref.rules.points import ValuedMeld


def melds_text(melds: Sequence[ValuedMeld], *, quiet: bool = False) -> Iterator[str]:
    """Each meld with its kind and what it counts; `quiet`: only the cards."""
    texts = [" ".join(map(played_text, meld.cards)) for meld in melds]
    if quiet:
        yield from texts
        return
    if not melds:
        yield "no meld"
        return
    yield from in_columns(
        (meld.kind, text, many(meld.points, "point"))
        for meld, text in zip(melds, texts, strict=True)
    )


def melds_data(melds: Sequence[ValuedMeld], *, complete: bool = True) -> dict[str, object]:
    """Data for programs; `complete` is there where these are not all."""
    data: dict[str, object] = {
        "melds": [
            {"kind": meld.kind, "cards": list(map(played_text, meld.cards)), "points": meld.points}
            for meld in melds
        ]
    }
    if not complete:
        data["complete"] = False
    return data
