"""How two rulesets play, as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from meldref.authoring.compare import Comparison, Figure, Measure
from meldref.core.text import many, name_of_file
from meldref.report.json import Data, facts
from meldref.report.style import in_columns

_LONG_NAME: Final = 32
"""Longer names of rulesets stand above the table, not over its columns."""


def comparison_text(found: Comparison) -> Iterator[str]:
    """A row a figure, both rulesets side by side, with how far chance may have moved each."""
    yield f"{many(found.hands, 'hand')} each by {', '.join(found.players)}; seed {found.seed}"
    names = heads = tuple(map(name_of_file, found.names))
    if max(map(len, heads)) > _LONG_NAME:
        heads = ("A", "B")
        yield from map(": ".join, zip(heads, names, strict=True))
    yield ""
    rows = [("", *heads, "difference"), *map(_row, found.measures)]
    rows.append(("games begun", f"{found.games[0]:,}", f"{found.games[1]:,}", ""))
    yield from in_columns(rows, rest=">")


def _row(measure: Measure) -> tuple[str, str, str, str]:
    first, second = (_figure(one, share=measure.share) for one in (measure.first, measure.second))
    difference = "" if measure.difference is None else _figure(measure.difference, share=False, signed=True)
    return measure.name, first, second, difference


def _figure(figure: Figure | None, *, share: bool, signed: bool = False) -> str:
    """A figure and how far its interval reaches; of a share, the interval itself."""
    if figure is None:
        return "-"
    if share:
        if figure.low is None or figure.high is None:
            return f"{100 * figure.value:.1f} %"
        return f"{100 * figure.value:.1f} % ({100 * figure.low:.1f} to {100 * figure.high:.1f})"
    number = round(figure.value, 2) or 0.0
    value = f"{number:+.2f}" if signed else f"{number:.2f}"
    return value if figure.high is None else f"{value} ± {figure.high - figure.value:.2f}"


def comparison_data(found: Comparison) -> dict[str, Data]:
    """The same for programs."""
    return {
        "version": 1,
        "rulesets": list(found.names),
        "seats": list(found.players),
        "seed": found.seed,
        "hands": found.hands,
        "games": list(found.games),
        "ends": [dict(ends) for ends in found.ends],
        "measures": [
            {
                **facts(measure, "key", "name"),
                **{
                    part: figure and facts(figure, "value", "low", "high", "count")
                    for part, figure in facts(measure, "first", "second", "difference").items()
                },
            }
            for measure in found.measures
        ],
    }
