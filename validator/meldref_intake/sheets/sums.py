"""What the figures of a table are: scores of hands, or running totals; and which rows are sums."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import factorial
from typing import Final

from meldref_intake.sheets.cells import Amount, amount, round_number
from meldref_intake.sheets.tables import Role, Sum, Table

_RARE: Final = 1 / 200
"""Scores of hands seldom grow like this by chance."""
_ODD: Final = 1 / 30
"""It is worth a question where scores of hands grow like this."""
_MANY_STEPS: Final = 8
"""Of so many steps, seven of ten hardly go up by chance; of fewer, three of four."""
_MUCH: Final = 250
"""Hardly anybody scores as much in one hand."""


def sort_out(table: Table) -> None:
    """Finds rows of sums that no label names, and puts standings beside the hands they follow."""
    _totals_last(table)
    _pair_rows(table)
    hands = [entry for entry in table.entries if entry.sums is None]
    if len(hands) < 3 or any(entry.sums is Sum.TOTAL for entry in table.entries):
        return
    last = hands[-1]
    label = last.aside.get(Role.ROUND)
    if last is not table.entries[-1] or (label and round_number(label.text) is not None):
        return
    matches = misses = 0
    for name, cell in last.scores.items():
        due = [amount(entry.scores[name]).score for entry in hands[:-1]]
        known = [score for score in due if score is not None]
        if known and (score := amount(cell).score) is not None:
            matches += score == sum(known)
            misses += score != sum(known)
    if matches > misses:
        last.sums = Sum.TOTAL


def _totals_last(table: Table) -> None:
    """Totals that stand above all hands go below them."""
    kinds = [entry.sums for entry in table.entries]
    if kinds[:1] == [Sum.TOTAL] and None in kinds and Sum.TOTAL not in kinds[1:]:
        table.entries.append(table.entries.pop(0))


def _pair_rows(table: Table) -> None:
    """Hands and the standing after each in rows that take turns: the standings go beside."""
    entries = [entry for entry in table.entries if entry.sums is None]
    if len(entries) < 4 or any(entry.standings for entry in entries):
        return
    hands, after = entries[::2], entries[1::2]
    so_far: dict[str, int] = {}
    matches = cells = 0
    for hand, standing in zip(hands, after, strict=False):
        for name in table.names:
            so_far[name] = so_far.get(name, 0) + (amount(hand.scores[name]).score or 0)
            score = amount(standing.scores[name]).score
            cells += score is not None
            matches += score == so_far[name]
    if not cells or matches < 0.8 * cells or all(entry.label for entry in after):
        return
    for hand, standing in zip(hands, after, strict=False):
        hand.standings = standing.scores
        hand.remarks += standing.remarks
        table.entries.remove(standing)


def is_running(table: Table, amounts: Mapping[int, Mapping[str, Amount]]) -> tuple[bool, bool]:
    """Whether the figures are running totals, and whether that is certain."""
    hands = [at for at, entry in enumerate(table.entries) if entry.sums is None]
    if table.says_running:
        return True, True
    if any(entry.standings for entry in table.entries):
        return False, True
    columns = {
        name: [score for at in hands if (score := amounts[at][name].score) is not None]
        for name in table.names
    }
    sums = [at for at, entry in enumerate(table.entries) if entry.sums is Sum.TOTAL]
    if sums:
        return _by_totals(columns, {name: amounts[sums[-1]][name].score for name in columns})
    if any(entry.sums is Sum.SUBTOTAL for entry in table.entries):
        return False, True
    return _by_growth(list(columns.values()))


def _by_totals(
    columns: Mapping[str, Sequence[int]], totals: Mapping[str, int | None]
) -> tuple[bool, bool]:
    adds = ends = 0
    for name, scores in columns.items():
        if scores and totals[name] is not None and sum(scores) != scores[-1]:
            adds += sum(scores) == totals[name]
            ends += scores[-1] == totals[name]
    if ends != adds:
        return ends > adds, True
    return _by_growth(list(columns.values()))


def _by_growth(figures: Sequence[Sequence[int]]) -> tuple[bool, bool]:
    """Whether figures grow as sums do, and scores of hands hardly ever; and whether to be sure."""
    columns = [scores for scores in figures if len(scores) > 1]
    steps = [b - a for scores in columns for a, b in pairwise(scores)]
    if len(steps) < 4 or max(map(len, columns)) < 3:
        return False, True
    up = sum(step >= 0 for step in steps) / len(steps)
    chance = 1.0
    for scores in columns:
        if list(scores) == sorted(scores):
            chance /= factorial(min(len(scores), 20))
    large = sum(
        scores[-1] > 1.4 * max(abs(b - a) for a, b in pairwise(scores)) for scores in columns
    )
    much = max(scores[-1] for scores in columns) >= _MUCH
    grown = large * 2 > len(columns)
    if grown and up >= 0.7 and (chance <= _RARE or (much and up >= 0.75)):
        return True, False
    grows = up >= (0.7 if len(steps) >= _MANY_STEPS else 0.75)
    return False, not (large * 2 >= len(columns) and (chance <= _ODD or grows))
