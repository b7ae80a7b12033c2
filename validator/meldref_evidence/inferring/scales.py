"""Scales of values that tables play by: what pips, tens, court cards, aces and jokers count.

A handful of scores never decides what each rank counts, but few scales are played, and one that
makes nearly all scores right is hardly right by chance. The simplest is taken: the one with the
fewest values that are not the game's own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from meldref.core.cards import RANKS
from meldref.core.records import record

LAID: Final = "scoring.values."
HELD: Final = "scoring.held."
LOW_ACE: Final = "scoring.low_ace"
_STEP: Final = 5
"""Where every score is a multiple of it, every value is."""
_MOST: Final = 30
"""The scales are compared by this many scores."""
_RANKS: Final[Mapping[str, Sequence[str]]] = {
    "pips": RANKS[1:9],
    "ten": "T",
    "court": "JQK",
    "ace": "A",
    "joker": ("joker",),
}
"""The groups of ranks that count alike, by name; `low` is the ace below the two."""
_MOST_SCALES: Final = 6
"""The most scales that are as good as each other."""
_VALUES: Final[Mapping[str, Sequence[int]]] = {
    "pips": (5, 10),
    "ten": (5, 10),
    "court": (5, 10, 15),
    "ace": (1, 5, 10, 11, 15, 20, 25),
    "low": (1, 5, 10, 15, 20, 25),
    "joker": (0, 15, 20, 25, 30, 50),
}
"""What tables let them count; each may also count what the game says."""


@record
class Scale:
    """The values that differ from a game's own, by group."""

    values: Mapping[str, int]

    def wrong(self, rows: Sequence[Row]) -> int:
        """How many scores it leaves wrong."""
        wrong = 0
        for row in rows:
            gained = [_gained(row, group, value) for group, value in self.values.items()]
            wrong += row[0] != sum(gained)
        return wrong

    def settings(self) -> dict[str, int]:
        """The values by key, neighbours that count alike together: `scoring.values.2-T`."""
        values = dict(self.values)
        settings: dict[str, int] = {}
        if "low" in values:
            settings[LOW_ACE] = values.pop("low")
        if "pips" in values and values.get("ten") == values["pips"]:
            settings[f"{LAID}2-T"] = values.pop("pips")
            del values["ten"]
        if "ten" in values and values.get("court") == values["ten"]:
            settings[f"{LAID}T-K"] = values.pop("ten")
            del values["court"]
        names = {"pips": "2-9", "ten": "T", "court": "J-K", "ace": "A", "joker": "joker"}
        settings.update({LAID + names[group]: value for group, value in values.items()})
        return settings


Row = tuple[int, Mapping[str, int], Mapping[str, int]]
"""A score: by how much it is off, how often each group counts in it, and for how much it does."""


def row_of(off: int, terms: Mapping[str, int], present: Mapping[str, int]) -> Row:
    """A score by groups, from what counts in it by key and the present value of each key."""
    times: dict[str, int] = {}
    worth: dict[str, int] = {}
    for group, ranks in _RANKS.items():
        for key in [table + rank for table in (LAID, HELD) for rank in ranks]:
            number = terms.get(key, 0)
            if number:
                times[group] = times.get(group, 0) + number
                worth[group] = worth.get(group, 0) + number * present[key]
    low = terms.get(LOW_ACE, 0)
    if low:
        times["low"], worth["low"] = low, low * present[LOW_ACE]
    return off, times, worth


def scales(rows: Sequence[Row], scores: Sequence[int]) -> Iterator[Scale]:
    """The scales that leave fewest of some scores wrong, those with the fewest values first.

    Args:
        rows: what counts in each score.
        scores: the scores themselves.
    """
    by_step = all(score % _STEP == 0 for score in scores)
    groups = [group for group in _VALUES if any(group in times for _, times, _ in rows)]
    choices: list[list[int | None]] = []
    for group in groups:
        values = [value for value in _VALUES[group] if not by_step or value % _STEP == 0]
        choices.append([None, *values])
    some = rows[:_MOST]
    least = sum(off != 0 for off, _, _ in some)
    best: list[Scale] = []
    tried = _tried(groups, choices, some, [off for off, _, _ in some])
    for chosen, wrong in sorted(tried, key=lambda pair: len(pair[0])):
        if wrong < least:
            least, best = wrong, []
        if wrong == least and chosen and len(best) < _MOST_SCALES:
            best.append(Scale(chosen))
    yield from best


def _tried(
    groups: Sequence[str],
    choices: Sequence[Sequence[int | None]],
    rows: Sequence[Row],
    offs: Sequence[int],
) -> Iterator[tuple[dict[str, int], int]]:
    """Every way to choose a value for each group, or to leave it as it is, with the scores left wrong.

    `offs` is by how much the scores are off by the values chosen already.
    """
    if not groups:
        yield {}, len(offs) - offs.count(0)
        return
    group, *others = groups
    for value in choices[0]:
        left, chosen = offs, {}
        if value is not None:
            chosen = {group: value}
            left = [off - _gained(row, group, value) for off, row in zip(offs, rows, strict=True)]
        for more, wrong in _tried(others, choices[1:], rows, left):
            yield chosen | more, wrong


def _gained(row: Row, group: str, value: int) -> int:
    """How much more a score is where a group counts a value."""
    _, times, worth = row
    return times[group] * value - worth[group] if group in times else 0
