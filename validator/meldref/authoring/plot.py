"""A comparison of two rulesets as a picture; needs matplotlib, which nothing else does."""

from __future__ import annotations

from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Final

from meldref.authoring.compare import Comparison, Figure, Measure
from meldref.core.text import many

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WIDTH: Final = 100
"""The most letters of a name on one line."""
SIGNED: Final = frozenset({"first_player", "dealer"})
"""The measures that can be negative: a line is drawn at zero."""


def plot_comparison(comparison: Comparison, path: Path) -> None:
    """Draws each figure of both rulesets with its interval, into an SVG or PNG file by the path's ending.

    Raises:
        ImportError: matplotlib is not installed.
        OSError: the file cannot be written.
    """
    from matplotlib import rc_context  # noqa: PLC0415  an extra, and slow to load
    from matplotlib.figure import Figure as Canvas  # noqa: PLC0415

    measures = [one for one in comparison.measures if one.first is not None and one.second is not None]
    columns = 3
    rows = -(-len(measures) // columns)
    with rc_context({"svg.hashsalt": "meldref", "svg.fonttype": "none"}):
        canvas = Canvas(figsize=(3.4 * columns, 2.6 * rows), layout="constrained")
        plots = canvas.subplots(rows, columns, squeeze=False)
        for place, axes in enumerate(plots.flat):
            if place >= len(measures):
                axes.set_visible(False)
                continue
            _draw(axes, measures[place])
        players = ", ".join(comparison.players)
        first, second = ["\n".join(wrap(name, WIDTH)) for name in comparison.names]
        played = f"{many(comparison.hands, 'hand')} each by {players}, seed {comparison.seed}"
        canvas.suptitle(f"A  {first}\nB  {second}\n{played}; bars are 95 % intervals", fontsize="medium")
        metadata = {"Date": None} if path.suffix.lower() == ".svg" else {}
        canvas.savefig(path, metadata=metadata)


def _draw(axes: Axes, measure: Measure) -> None:
    """One figure of both rulesets."""
    for place, figure in enumerate((measure.first, measure.second)):
        assert figure is not None
        factor = 100 if measure.share else 1
        axes.errorbar([place], [factor * figure.value], yerr=_reach(figure, factor), fmt="o", capsize=6)
    if measure.key in SIGNED:
        axes.axhline(0, color="lightgrey", linewidth=1, zorder=0)
    axes.set_xticks([0, 1], ["A", "B"])
    axes.set_xlim(-0.6, 1.6)
    axes.set_title(f"{measure.name}, %" if measure.share else measure.name)


def _reach(figure: Figure, factor: int) -> list[list[float]] | None:
    if figure.low is None or figure.high is None:
        return None
    below, above = max(0.0, figure.value - figure.low), max(0.0, figure.high - figure.value)
    return [[factor * below], [factor * above]]
