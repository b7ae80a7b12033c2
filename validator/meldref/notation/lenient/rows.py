"""Rows of cards as people write them: with commas, with `and`, or without spaces."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from meldref.notation.lenient.changes import Change
from meldref.notation.lenient.words import ITEM
from meldref.notation.parts import CARDS, PLAYS, Part

_AFTER_ROW: Final = r" *, *(?=[mx×][1-9])"
LEAST: Final = 3
"""How many cards a meld has at least."""


def changes_of_row(body: str, begin: int, end: int, takes: Part | None = CARDS) -> Iterable[Change]:
    """The commas or missing spaces between cards where a row may stand; a comma before a number.

    Commas between as many cards as melds have may part melds, which nobody can tell.
    """
    item, after = re.compile(ITEM, re.IGNORECASE), re.compile(_AFTER_ROW, re.IGNORECASE)
    gap = re.compile(" *,? +and +| *,? *", re.IGNORECASE)
    changes: list[Change] = []
    chunks = [0]
    at = begin + len(body[begin:end]) - len(body[begin:end].lstrip(" "))
    card = item.match(body, at, end)
    while card is not None:
        chunks[-1] += 1
        between = gap.match(body, card.end(), end)
        assert between is not None
        start, stop = between.span()
        comma = body[start:stop].strip() != ""  # `and` counts as one
        following = item.match(body, stop, end) if takes is not None and takes.is_row else None
        if following is None:
            number = after.match(body, card.end(), end)
            if number:
                changes.append(Change(*number.span(), " "))
        elif comma or (start == stop and _are_plain(card, following)):
            changes.append(Change(start, stop, " "))
            if comma:
                chunks.append(0)
        elif start == stop:
            break
        card = following
    may_be_melds = takes is PLAYS and len(chunks) > 1 and min(chunks) >= LEAST
    return [] if may_be_melds else changes


def _are_plain(*cards: re.Match[str]) -> bool:
    """Whether these are cards without what they stand for, none of them unknown."""
    return all(card[1] and not card[2] for card in cards)
