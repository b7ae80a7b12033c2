"""How two rulesets play, counted: the same players play the same deals by each.

Hands with the same number since the start have the same deck in the same order wherever both
rulesets have the same cards, so that differences are taken hand by hand. Intervals are of 95 %, by
Student's distribution for means and by Wilson's for shares.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from math import sqrt
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Final

from meldref.core.records import record
from meldref.core.text import many
from meldref.ruleset.model import Ruleset
from meldref_table.simulate import Seats, SimulatedHand, play_hands

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NORMAL: Final = 1.959964
"""How many standard errors a 95 % interval reaches to either side."""
_FEW: Final = (12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469)
"""The number of standard errors where the spread is known from two hands only, from three, and so
on."""
ENDINGS: Final = {
    "out": "ended by going out",
    "stock": "ended with the stock",
    "void": "annulled, without an end",
}
"""How hands end."""

_Row = tuple[float | None, ...]
"""Values in their order, None if a hand has none."""


@record
class Figure:
    """A mean or a share, and its interval.

    `low` and `high` are None if too little was played for one.
    """

    value: float
    low: float | None
    high: float | None
    count: int


@record
class Measure:
    """One thing that is compared: its key, its name, and its figure by each ruleset.

    `difference` is the second less the first, hand by hand; None for shares, and where nothing can
    be paired.
    """

    key: str
    name: str
    share: bool
    first: Figure | None
    second: Figure | None
    difference: Figure | None


@record
class Comparison:
    """Two rulesets side by side. `ends` count how the hands of each ended, by `ENDINGS`."""

    names: tuple[str, str]
    players: tuple[str, ...]
    seed: int
    hands: int
    measures: tuple[Measure, ...]
    ends: tuple[dict[str, int], dict[str, int]]
    games: tuple[int, int]


def compare_rules(
    first: tuple[str, Ruleset],
    second: tuple[str, Ruleset],
    seats: Seats,
    hands: int,
    seed: int,
    tick: Callable[[int], None] = lambda step: None,
) -> Comparison:
    """Plays this number of hands by each of two rulesets, and compares them.

    `tick` is called for each hand.
    """
    runs = [_play(ruleset, seats, hands, seed, tick) for _, ruleset in (first, second)]
    rows, ends, games = zip(*runs, strict=True)
    columns = zip(*[zip(*run, strict=True) for run in rows], strict=True)
    measures = [
        _measure(key, name, *pair) for (key, name, _), pair in zip(MEASURES, columns, strict=True)
    ]
    for end, name in ENDINGS.items():
        if any(count[end] for count in ends):
            first_share, other = (_share(count[end], hands) for count in ends)
            measures.append(Measure(f"end_{end}", name, True, first_share, other, None))
    before, after = ({end: count[end] for end in ENDINGS} for count in ends)
    names = first[0], second[0]
    return Comparison(names, seats.kinds, seed, hands, tuple(measures), (before, after), games)


def _play(
    ruleset: Ruleset, seats: Seats, hands: int, seed: int, tick: Callable[[int], None]
) -> tuple[list[_Row], Counter[str], int]:
    """The measures of each hand played, how many ended in which way, and the games begun."""
    rows: list[_Row] = []
    ends: Counter[str] = Counter()
    for hand in play_hands(ruleset, seats, seed, hands):
        tick(1)
        rows.append(tuple([value(hand) for _, _, value in MEASURES]))
        ends[hand.reason] += 1
    return rows, ends, hand.game


def _points(hand: SimulatedHand) -> float | None:
    scores = [score for score in hand.scores if score is not None]
    return sum(scores) / len(scores) if scores else None


def _advantage(hand: SimulatedHand, seat: int) -> float | None:
    """How much more a seat's side scored than the others did on average."""
    side = next(index for index, seats in enumerate(hand.sides) if seat in seats)
    own = hand.scores[side]
    others = [
        score for index, score in enumerate(hand.scores) if index != side and score is not None
    ]
    return own - sum(others) / len(others) if own is not None and others else None


MEASURES: Final[tuple[tuple[str, str, Callable[[SimulatedHand], float | None]], ...]] = (
    ("turns", "turns a hand", lambda hand: float(hand.tally.turns)),
    ("points", "points a hand", _points),
    ("first_player", "first player's advantage", lambda hand: _advantage(hand, hand.first)),
    ("dealer", "dealer's advantage", lambda hand: _advantage(hand, hand.dealer)),
    ("takes", "pile taken a hand", lambda hand: float(sum(hand.tally.takes))),
    ("calls", '"Rummy!" a hand', lambda hand: float(sum(hand.tally.called))),
)
"""What is measured of each hand: key, name, and the number a hand gives."""


def _measure(key: str, name: str, *columns: _Row) -> Measure:
    """A measure whose values by each ruleset, hand by hand, are given."""
    figures = [_mean([value for value in column if value is not None]) for column in columns]
    pairs = zip(*columns, strict=True)
    differences = [
        after - before for before, after in pairs if before is not None and after is not None
    ]
    first, second = figures
    return Measure(key, name, False, first, second, _mean(differences))


def _mean(values: Sequence[float]) -> Figure | None:
    """The mean, and how sure it is."""
    count = len(values)
    if not count:
        return None
    mean = sum(values) / count
    if count < 2:
        return Figure(mean, None, None, count)
    variance = sum((value - mean) ** 2 for value in values) / (count - 1)
    reach = _student(count - 1) * sqrt(variance / count)
    return Figure(mean, mean - reach, mean + reach, count)


def _student(freedom: int) -> float:
    """The standard errors in a 95% interval if the spread is estimated from these hands too."""
    if freedom <= len(_FEW):
        return _FEW[freedom - 1]
    square = NORMAL * NORMAL
    first = (square + 1) / 4
    second = (5 * square * square + 16 * square + 3) / 96
    return NORMAL * (1 + first / freedom + second / freedom**2)


def _share(part: int, whole: int) -> Figure:
    """A share, and how sure it is; the interval stays within 0 and 1."""
    share = part / whole
    square = NORMAL * NORMAL / whole
    middle = (share + square / 2) / (1 + square)
    reach = NORMAL * sqrt(share * (1 - share) / whole + square / (4 * whole)) / (1 + square)
    return Figure(share, max(0.0, middle - reach), min(1.0, middle + reach), whole)


# --- as a picture ---------------------------------------------------------------------------------


_WIDTH: Final = 100
"""The most letters of a name on one line."""
_SIGNED: Final = frozenset({"first_player", "dealer"})
"""The measures that can be negative: a line is drawn at zero."""


def plot_comparison(comparison: Comparison, path: Path) -> None:
    """Draws each figure of both rulesets with its interval, as SVG or PNG by the path's ending.

    Raises:
        ImportError: matplotlib is not installed.
        OSError: the file cannot be written.
    """
    from matplotlib import figure, rc_context  # noqa: PLC0415  an extra, and slow to load

    measures = [
        measure
        for measure in comparison.measures
        if measure.first is not None and measure.second is not None
    ]
    columns = 3
    rows = -(-len(measures) // columns)
    with rc_context({"svg.hashsalt": "meldref", "svg.fonttype": "none"}):
        canvas = figure.Figure(figsize=(3.4 * columns, 2.6 * rows), layout="constrained")
        plots = canvas.subplots(rows, columns, squeeze=False)
        for place, axes in enumerate(plots.flat):
            if place >= len(measures):
                axes.set_visible(False)
                continue
            _draw(axes, measures[place])
        players = ", ".join(comparison.players)
        first, second = ["\n".join(wrap(name, _WIDTH)) for name in comparison.names]
        played = f"{many(comparison.hands, 'hand')} each by {players}, seed {comparison.seed}"
        canvas.suptitle(
            f"A  {first}\nB  {second}\n{played}; bars are 95 % intervals", fontsize="medium"
        )
        metadata = {"Date": None} if path.suffix.lower() == ".svg" else {}
        canvas.savefig(path, metadata=metadata)


def _draw(axes: Axes, measure: Measure) -> None:
    """One figure of both rulesets."""
    for place, figure in enumerate((measure.first, measure.second)):
        assert figure is not None
        factor = 100 if measure.share else 1
        axes.errorbar(
            [place], [factor * figure.value], yerr=_reach(figure, factor), fmt="o", capsize=6
        )
    if measure.key in _SIGNED:
        axes.axhline(0, color="lightgrey", linewidth=1, zorder=0)
    axes.set_xticks([0, 1], ["A", "B"])
    axes.set_xlim(-0.6, 1.6)
    axes.set_title(f"{measure.name}, %" if measure.share else measure.name)


def _reach(figure: Figure, factor: int) -> list[list[float]] | None:
    if figure.low is None or figure.high is None:
        return None
    below, above = max(0.0, figure.value - figure.low), max(0.0, figure.high - figure.value)
    return [[factor * below], [factor * above]]
