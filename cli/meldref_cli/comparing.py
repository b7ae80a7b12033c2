"""`meldref rules compare`: how two rulesets play."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from meldref_cli import options, output
from meldref_cli.errors import CLEAN, UNUSABLE, Unusable
from meldref_cli.simulate import Players, Seats_
from meldref_cli.writing import check_may_write

if TYPE_CHECKING:
    from meldref.authoring.compare import Comparison, Figure, Measure

_PICTURES: Final = (".svg", ".png")
_LONG_NAME: Final = 32
"""Longer names of rulesets stand above the table, not over its columns."""


def compare(
    first: options.First,
    second: options.Second,
    hands: Annotated[
        int, typer.Option("--hands", metavar="N", min=1, help="So many hands are played by each.")
    ] = 200,
    seed: Annotated[int, typer.Option("--seed", metavar="S", help="The same seed deals the same cards.")] = 1,
    players: Players = None,
    seats: Seats_ = None,
    with_: options.With = None,
    set_: options.Set = None,
    format_: options.AsFormat = options.Format.TEXT,
    plot: Annotated[
        str | None, typer.Option("--plot", metavar="FILE", help="Draw it too: a file that ends in .svg or .png.")
    ] = None,
    force: options.Force = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress bar.")] = False,
    verbose: options.Traceback = False,
) -> int:
    """Plays the same deals by two rulesets and shows what differs: length, points, ends, takes and calls.

    The players are greedy unless --seats says otherwise. --with and --set go over both rulesets. The intervals
    say where the figure lies with 95 % certainty; the difference is taken hand by hand.

    Exit status: 0 done, 2 unusable arguments.
    """
    from meldref.authoring.compare import compare_rules
    from meldref_cli.playing import PlayBar, seats_for
    from meldref_cli.rulings import load_both, shown

    _can_draw(plot, force=force)
    pair = load_both((first, second), with_, set_)
    if pair is None:
        return UNUSABLE
    rulesets = ((shown(first), pair[0]), (shown(second), pair[1]))
    table = seats_for(players, seats, "greedy", rulesets)
    with PlayBar(2 * hands, wanted=not quiet) as bar:
        found = compare_rules(*rulesets, table, hands, seed, bar.tick)
    if plot is not None:
        _draw(found, plot)
    if format_ is options.Format.JSON:
        output.write(json.dumps(_data(found)))
    else:
        output.write_all(_text(found))
    return CLEAN


# --- text ------------------------------------------------------------------------------------------------------


def _text(found: Comparison) -> Iterator[str]:
    from meldref.wording import many

    yield f"{many(found.hands, 'hand')} each by {', '.join(found.players)}; seed {found.seed}"
    heads = found.names
    if max(map(len, heads)) > _LONG_NAME:
        heads = ("A", "B")
        yield from map(": ".join, zip(heads, found.names, strict=True))
    yield ""
    rows = [("", *heads, "difference"), *map(_row, found.measures)]
    rows.append(("games begun", f"{found.games[0]:,}", f"{found.games[1]:,}", ""))
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    for name, *figures in rows:
        cells = [f"{cell:>{width}}" for cell, width in zip(figures, widths[1:], strict=True)]
        yield "  ".join([f"{name:<{widths[0]}}", *cells]).rstrip()


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


# --- json ------------------------------------------------------------------------------------------------------


def _data(found: Comparison) -> dict[str, object]:
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
                "key": measure.key,
                "name": measure.name,
                "first": _figure_data(measure.first),
                "second": _figure_data(measure.second),
                "difference": _figure_data(measure.difference),
            }
            for measure in found.measures
        ],
    }


def _figure_data(figure: Figure | None) -> dict[str, float | int | None] | None:
    if figure is None:
        return None
    return {"value": figure.value, "low": figure.low, "high": figure.high, "count": figure.count}


# --- a picture -------------------------------------------------------------------------------------------------


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
    from meldref_cli.files import why_not

    try:
        plot_comparison(found, Path(plot))
    except OSError as error:
        raise Unusable(f"{plot}: {why_not(error)}") from error
