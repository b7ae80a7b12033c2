"""How two rulesets play, counted: the same players play the same deals by each.

Hands with the same number since the start have the same deck in the same order wherever both
rulesets have the same cards, so that differences are taken hand by hand. Intervals are of 95 %, by
Student's distribution for means and by Wilson's for shares.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import sqrt
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Final, NamedTuple

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

_Values = Sequence[float | None]
"""The values of a measure, hand by hand; None if a hand has none."""


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
    names = first[0], second[0]
    before = _play(first[1], seats, hands, seed, tick)
    after = _play(second[1], seats, hands, seed, tick)
    measures = [
        _measure(key, name, before.values[key], after.values[key]) for key, name, _ in MEASURES
    ]
    for end, name in ENDINGS.items():
        if before.ends[end] or after.ends[end]:
            first_share = _share(before.ends[end], hands)
            second_share = _share(after.ends[end], hands)
            measures.append(Measure(f"end_{end}", name, True, first_share, second_share, None))
    ends = before.ends, after.ends
    games = before.games, after.games
    return Comparison(names, seats.kinds, seed, hands, tuple(measures), ends, games)


class _PlayedHands(NamedTuple):
    """What hands by one ruleset came to: each measure hand by hand, how they ended, the games."""

    values: dict[str, list[float | None]]
    ends: dict[str, int]
    games: int


def _play(
    ruleset: Ruleset, seats: Seats, hands: int, seed: int, tick: Callable[[int], None]
) -> _PlayedHands:
    """Plays hands by one ruleset, and counts what is measured of them."""
    values: dict[str, list[float | None]] = {key: [] for key, _, _ in MEASURES}
    ends = dict.fromkeys(ENDINGS, 0)
    for hand in play_hands(ruleset, seats, seed, hands):
        tick(1)
        for key, _, value in MEASURES:
            values[key].append(value(hand))
        ends[hand.reason] += 1
    return _PlayedHands(values, ends, hand.game)


def _points(hand: SimulatedHand) -> float | None:
    scores = [score for score in hand.scores if score is not None]
    return sum(scores) / len(scores) if scores else None


def _advantage(hand: SimulatedHand, seat: int) -> float | None:
    """How much more a seat's side scored than the others did on average."""
    own: int | None = None
    others: list[int] = []
    for seats, score in zip(hand.sides, hand.scores, strict=True):
        if seat in seats:
            own = score
        elif score is not None:
            others.append(score)
    if own is None or not others:
        return None
    return own - sum(others) / len(others)


MEASURES: Final[tuple[tuple[str, str, Callable[[SimulatedHand], float | None]], ...]] = (
    ("turns", "turns a hand", lambda hand: float(hand.tally.turns)),
    ("points", "points a hand", _points),
    ("first_player", "first player's advantage", lambda hand: _advantage(hand, hand.first)),
    ("dealer", "dealer's advantage", lambda hand: _advantage(hand, hand.dealer)),
    ("takes", "pile taken a hand", lambda hand: float(sum(hand.tally.takes))),
    ("calls", '"Rummy!" a hand', lambda hand: float(sum(hand.tally.called))),
)
"""What is measured of each hand: key, name, and the number a hand gives."""


def _measure(key: str, name: str, first: _Values, second: _Values) -> Measure:
    """A measure whose values by each ruleset, hand by hand, are given."""
    differences = [
        after - before
        for before, after in zip(first, second, strict=True)
        if before is not None and after is not None
    ]
    return Measure(key, name, False, _mean(first), _mean(second), _mean(differences))


def _mean(measured: _Values) -> Figure | None:
    """The mean, and how sure it is; None if no hand has a value."""
    values = [value for value in measured if value is not None]
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
    title = f"{measure.name}, %" if measure.share else measure.name
    axes.set_title(title)


def _reach(figure: Figure, factor: int) -> list[list[float]] | None:
    if figure.low is None or figure.high is None:
        return None
    below, above = max(0.0, figure.value - figure.low), max(0.0, figure.high - figure.value)
    return [[factor * below], [factor * above]]
