"""The most that laying a card can bring: what a search hopes for before it looks."""

from __future__ import annotations

from meldref.core.cards import JOKER, natural
from meldref.engine.judge import Judge
from meldref.melds import MeldIndex
from meldref.rules.points import own_values_in_runs


def most_points(judge: Judge, book: MeldIndex) -> list[int]:
    """For each card the most points that laying it can bring."""
    scoring = judge.ruleset.scoring
    values = [max(0, scoring.values[card]) for card in range(JOKER + 1)]
    # A joker may stand for an ace.
    aces = [JOKER, *(natural(0, suit) for suit in range(4))]
    for card in aces:
        values[card] = max([values[card], *own_values_in_runs(scoring)])
    if scoring.wild == "represented":
        for card in book.wilds.cards:
            values[card] = max(values)
    if scoring.four_aces is not None:
        for card in aces:
            values[card] = max(values[card], scoring.four_aces)
    return [value * max(1, scoring.four_at_once) for value in values]
