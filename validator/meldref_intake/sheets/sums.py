"""What the figures of a table are: scores of hands, or running totals; and which rows are sums."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import log
from statistics import pvariance
from typing import Final

from meldref_intake.sheets.cells import Amount, amount, day, round_number
from meldref_intake.sheets.labels import Role, Sum, says_annulled
from meldref_intake.sheets.tables import Entry, Table, is_in_brackets

_ODD: Final = 0.5
"""From this logarithm of odds on, that figures are sums, it is asked whether they are."""
_CLEAR: Final = 2.0
"""From this one on, they are read as sums."""
_STRUCK: Final = re.compile(r"~~.+~~")
"""What Markdown shows struck out."""
_FEW_STANDINGS: Final = 2
"""From so many standings without hands on, they are all that there is."""
_FEW_ROWS: Final = 3
"""In fewer rows, odds come about by chance."""
_GRAIN: Final = 20.0
_MUCH: Final = 250
"""Hardly anybody scores as much in one hand."""


def sort_out(table: Table) -> None:
    """Finds rows of sums that no label names, and puts standings beside the hands they follow."""
    _oldest_first(table)
    _standings_alone(table)
    _totals_last(table)
    _pair_rows(table)
    _unnamed_totals(table)
    _below_totals(table)


def _oldest_first(table: Table) -> None:
    """Turns a table over whose newest hand stands on top, as its numbers or its days show."""
    hands = [entry for entry in table.entries if entry.sums is None]
    labels = [(e.aside.get(Role.ROUND) or e.aside.get(Role.DATE)) for e in hands]
    texts = [label.text for label in labels if label is not None]
    numbers = [round_number(text) for text in texts]
    if None in numbers:
        days = [found.iso for text in texts if (found := day(text)) is not None and found.iso]
        is_turned = len(days) > 1 and days == sorted(days, reverse=True) and days[0] > days[-1]
        is_turned = is_turned and len(days) == len(hands)
    else:
        is_turned = len(numbers) > 1 and numbers == list(range(len(hands), 0, -1))
    if is_turned:
        others = [entry for entry in table.entries if entry.sums is not None]
        table.entries = [*hands[::-1], *others]


def _standings_alone(table: Table) -> None:
    """Of hands of which only the standing after each is there, these are running totals."""
    kinds = [entry.sums for entry in table.entries]
    if None in kinds or kinds.count(Sum.SUBTOTAL) < _FEW_STANDINGS:
        return
    table.says_running = True
    for entry in table.entries:
        entry.sums = None if entry.sums is Sum.SUBTOTAL else entry.sums


def _unnamed_totals(table: Table) -> None:
    """A row that is the sum of all hands before it; one below which others stand has a label."""
    hands = [e for e in table.entries if e.sums is None and not is_annulled(e, table)]
    if any(entry.sums is Sum.TOTAL for entry in table.entries):
        return
    for at, entry in enumerate(hands[2:], 2):
        label = entry.aside.get(Role.ROUND)
        is_numbered = label is not None and round_number(label.text) is not None
        is_last = entry is table.entries[-1]
        if not is_numbered and (entry.label or is_last) and _is_sum_of(hands[:at], entry):
            entry.sums = Sum.TOTAL
            return


def _is_sum_of(hands: Sequence[Entry], entry: Entry) -> bool:
    """Whether most figures of a row are the sums of those above."""
    matches = misses = 0
    for name, cell in entry.scores.items():
        due = [amount(hand.scores[name]).score for hand in hands]
        known = [score for score in due if score is not None]
        if known and (score := amount(cell).score) is not None:
            matches += score == sum(known)
            misses += score != sum(known)
    return matches > misses


def _below_totals(table: Table) -> None:
    """Rows below the totals are no hands if they have labels that are no numbers, as hands have."""
    at = next((at for at, entry in enumerate(table.entries) if entry.sums is Sum.TOTAL), None)
    if at is None or any(_has_other_label(e) for e in table.entries[:at] if e.sums is None):
        return
    for entry in table.entries[at:]:
        if entry.sums is None and _has_other_label(entry):
            entry.sums = Sum.ASIDE


def _has_other_label(entry: Entry) -> bool:
    """Whether a row has a label that is neither the number of a hand nor a date."""
    return bool(entry.label) and round_number(entry.label) is None and day(entry.label) is None


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


def is_annulled(entry: Entry, table: Table) -> bool:
    """Whether a row says that it does not count: in words, or in brackets or struck out, or its label."""
    if any(says_annulled(text) for text in (entry.label, *[cell.text for cell in entry.remarks])):
        return True
    cells = [cell.text for cell in (*entry.aside.values(), *entry.scores.values()) if cell.text]
    if _STRUCK.fullmatch(entry.label) or all(map(_STRUCK.fullmatch, cells)):
        return True
    last = [cell.text for cell in entry.scores.values() if cell.text][-1:]
    if entry.label[:1] in {"(", "["} and any(text[-1] in ")]" for text in last):
        return True
    return is_in_brackets(entry.label) and not table.labels_in_brackets


def is_running(table: Table, amounts: Mapping[int, Mapping[str, Amount]]) -> tuple[bool, bool]:
    """Whether the figures are running totals, and whether that is certain."""
    hands = [
        at
        for at, entry in enumerate(table.entries)
        if entry.sums is None and not is_annulled(entry, table)
    ]
    if table.says_running:
        return True, True
    has_pairs = any(found.standing is not None for of in amounts.values() for found in of.values())
    if has_pairs or any(entry.standings for entry in table.entries):
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
