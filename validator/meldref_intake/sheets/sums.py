"""What the figures of a table are: scores of hands, or running totals; and which rows are sums."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import log
from statistics import pvariance
from typing import Final

from meldref_intake.sheets.cells import Amount, amount, round_number
from meldref_intake.sheets.tables import Role, Sum, Table

_ODD: Final = 0.5
"""From this logarithm of odds on, that figures are sums, it is asked whether they are."""
_CLEAR: Final = 2.0
"""From this one on, they are read as sums."""
_FEW_ROWS: Final = 3
"""In fewer rows, odds come about by chance."""
_GRAIN: Final = 20.0
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
    """Whether figures are sums of scores rather than scores, by how they vary; and whether to be sure.

    One player's scores are as far from each other as another's. If the steps from row to row are more
    alike than the figures, it is the steps that are scores.
    """
    rows = max(map(len, figures), default=0)
    if rows < 2 or len(figures) < 2:
        return False, True
    steps = [b - a for scores in figures for a, b in pairwise([0, *scores])]
    values = [score for scores in figures for score in scores]
    weight = len(values) / 2 * log(_spread(values) / _spread(steps))
    if max(values) >= _MUCH > max(steps):
        weight += _CLEAR
    is_doubtful = weight > (_ODD if rows >= _FEW_ROWS else _CLEAR)
    return weight > _CLEAR, not is_doubtful


def _spread(scores: Sequence[int]) -> float:
    """The variance of scores, which hardly ever are closer to each other than `_GRAIN`."""
    return pvariance(scores) + _GRAIN
