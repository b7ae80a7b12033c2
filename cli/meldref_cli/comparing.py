"""`meldref rules compare`: how two rulesets play."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

from meldref_cli import options, output
from meldref_cli.errors import CLEAN, Unusable, naming
from meldref_cli.writing import check_may_write

if TYPE_CHECKING:
    from meldref.authoring.compare import Comparison

_PICTURES: Final = (".svg", ".png")


def compare(
    first: str,
    second: str,
    hands: int = 200,
    seed: int = 1,
    players: int | None = None,
    seats: str | None = None,
    with_: list[str] | None = None,
    set_: list[str] | None = None,
    format_: options.Format = options.Format.TEXT,
    plot: str | None = None,
    force: bool = False,
    quiet: bool = False,
) -> int:
    """Plays the same deals by two rulesets and shows what changes: length, points, ends, takes and calls."""
    from meldref.authoring.compare import compare_rules
    from meldref.report.comparison import comparison_data, comparison_text
    from meldref_cli.ruleset_args import load_both, shown
    from meldref_cli.simulation_args import PlayBar, seats_for

    _can_draw(plot, force=force)
    pair = load_both((first, second), with_, set_)
    rulesets = ((shown(first), pair[0]), (shown(second), pair[1]))
    table = seats_for(players, seats, "greedy", rulesets)
    with PlayBar(2 * hands, wanted=not quiet) as bar:
        found = compare_rules(*rulesets, table, hands, seed, bar.tick)
    if plot is not None:
        _draw(found, plot)
    output.show(format_, lambda: comparison_data(found), lambda: comparison_text(found))
    return CLEAN


def _can_draw(plot: str | None, *, force: bool) -> None:
    """Whether the picture asked for can be drawn, before anything is played."""
    if plot is None:
        return
    if Path(plot).suffix.lower() not in _PICTURES:
        raise Unusable(f"--plot {plot}: the file ends in {' or '.join(_PICTURES)}")
    check_may_write(plot, force=force)
    if find_spec("matplotlib") is None:
        raise Unusable("--plot needs matplotlib: pip install 'meldref[plot]'")


def _draw(found: Comparison, plot: str) -> None:
    from meldref.authoring.plot import plot_comparison

    with naming(plot):
        plot_comparison(found, Path(plot))
