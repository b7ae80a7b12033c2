"""What cards and going out count, worked out from the score lines as equations over whole numbers.

Each recorded score is one equation: how far it is from the score by the present rules is the sum,
over what counts in it (cards on the table by rank, low aces, cards held, going out), of how often
it occurs times how far its value is from that of the present rules. The values with the least sum
of absolute errors are found by least squares that are weighted again and again: they leave wrong
scores alone, where plain least squares would split the difference. Then the values are rounded,
and each is kept only if the equations that it solves pay for it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from meldref.core.cards import ACE, JOKER, RANKS, each, rank_of
from meldref.core.events import Points
from meldref.core.records import record
from meldref.melds import AROUND, HIGH
from meldref.position.model import Position
from meldref.replay.hand import HandPlay
from meldref.replay.log import Replay
from meldref.rulefiles.shelf import OneRuleset
from meldref.rules.points import (
    KEYS_OF_ACES,
    aces_in_runs,
    card_of,
    hand_scores,
    hands_behind,
    side_out,
)
from meldref.ruleset.model import Ruleset
from meldref_authoring.otherwise import replayed
from meldref_evidence.explaining import WEIGHING
from meldref_evidence.inferring.budget import Budget
from meldref_evidence.inferring.corpus import PlayedLog
from meldref_evidence.inferring.draft import Draft
from meldref_evidence.inferring.measure import A_KEY, A_NUMBER, A_SCORE, bits_of_mistakes
from meldref_evidence.inferring.scales import HELD, LAID, row_of, scales

BONUS: Final = "out.bonus"
_NAMES: Final = (*RANKS, "joker")
_LOW: Final = RANKS[1:9]
_TENS: Final = RANKS[9:]
_MOST: Final = 400
"""So many equations are enough."""
_ROUNDS: Final = 25
_BARELY: Final = 1e-4
"""How much it weighs that a value is 0: next to nothing, beside an equation."""
_NEAR: Final = 1e-3
"""Equations that are off by less weigh no more."""


@record
class Equation:
    """A recorded `score`: by how much it is off, and how often what counts in it occurs.

    `terms` are by the key of the value that counts. Cards held are negative if they are subtracted.
    """

    off: int
    terms: Mapping[str, int]
    score: int = 0


def equations(
    ruleset: Ruleset, logs: Sequence[PlayedLog], budget: Budget | None = None, most: int = _MOST
) -> list[Equation]:
    """At most `most` equations: score lines of logs in which all cards that count are known."""
    scores: list[Equation] = []
    for log in logs:
        run = replayed((), OneRuleset(ruleset), suggestions=0, explainer=WEIGHING)
        for read in log.lines:
            run.feed([read])
            event = read[0].event
            if type(event) is Points and event.kind == "score" and run.game is not None:
                hand = run.game.hand
                if hand is not None and hand.position is not None:
                    scores += _of_hand(run, hand, hand.position, event)
        if budget is not None:
            budget.spend(log.effort, len(run.so_far.findings))
        if len(scores) >= most:
            break
    return scores[:most]


def _of_hand(run: Replay, hand: HandPlay, position: Position, score: Points) -> Iterator[Equation]:
    assert run.game is not None
    keeper, rules = run.game.scores, hand.judge.ruleset
    sides = keeper.standing.sides
    due = hand_scores(rules, hand.judge.play.worth, position, sides)
    for name, points in score.amounts:
        side = keeper.sides.get(name)
        if side is None or points is None:
            continue
        computed = due[side]
        if computed is not None:  # else some of its cards are unknown
            off = (points - computed) * rules.scoring.divide_by
            yield Equation(off, _terms(rules, position, sides, side), points)


def _terms(
    rules: Ruleset, position: Position, sides: Sequence[Sequence[int]], side: int
) -> Counter[str]:
    """What counts in a side's score, how often."""
    terms: Counter[str] = Counter()
    scoring, out = rules.scoring, side_out(position, sides)
    by_distance = _told_by_distance(rules)
    melds = position.melds if scoring.melds == "count" else ()
    for meld in melds:
        for laid in meld.cards:
            if laid.seat not in sides[side]:
                continue
            card = laid.card
            if laid.role != card and scoring.wild == "represented":
                card = card_of(laid.role)
            if card == JOKER or rank_of(card) != ACE:
                terms[LAID + _name(card)] += 1
                continue
            key = KEYS_OF_ACES.get(laid.ace_place)
            if key is None or key in by_distance:
                terms[LAID + _name(card)] += 1
            if key is not None:
                terms[key] += 1
    sign = -1 if scoring.hands == "subtract" else 1
    for other in hands_behind(rules, position, sides, side):
        for seat in sides[other]:
            for card in each(position.hands[seat]):
                terms[HELD + _name(card)] += sign
    if out == side:
        terms[BONUS] += 1
    return terms


def _told_by_distance(rules: Ruleset) -> frozenset[str]:
    """The keys of aces whose unknown is how far they are from what any ace counts.

    Else a new value of all aces would need a setting for each place that counts as any other. A low
    ace has a value of its own in nearly all games.
    """
    own = aces_in_runs(rules.scoring)
    return frozenset([KEYS_OF_ACES[place] for place in (HIGH, AROUND) if own[place] is None])


def _name(card: int) -> str:
    return "joker" if card == JOKER else RANKS[rank_of(card)]


# --- solving --------------------------------------------------------------------------------------


@record
class Unknown:
    """A value that is looked for, shared by all its settings.

    `shifts` are the present values if all keys get one value (`{2: 2, …, 9: 9}`): the unknown is
    then the value itself. They are zeros if the unknown is the distance from the present value.
    """

    settings: tuple[str, ...]
    shifts: Mapping[str, int]


def _unknowns(ruleset: Ruleset, *, constant: bool, apart: bool) -> list[Unknown]:
    """The values that are looked for: ranks that count alike together, or each rank `apart`.

    `constant`: two to nine count one value, rather than each its own.
    """
    groups = [*_LOW, *_TENS] if apart else ["".join(_TENS)]
    unknowns = []
    for group in [*groups, "A", "joker"]:
        ranks = ["joker"] if group == "joker" else [*group]
        unknowns.append(_together(ranks, {}))
    if constant and not apart:
        values = {rank: ruleset.scoring.values[RANKS.index(rank)] for rank in _LOW}
        unknowns.append(_together(_LOW, values))
    alone = (*KEYS_OF_ACES.values(), BONUS, f"{HELD}A", f"{HELD}joker")
    return [*unknowns, *[Unknown((key,), {key: 0}) for key in alone]]


def _together(ranks: Sequence[str], values: Mapping[str, int]) -> Unknown:
    """Ranks that have one value, laid and held alike."""
    keys = [table + rank for rank in ranks for table in (LAID, HELD)]
    shifts = {key: values.get(key.rpartition(".")[2], 0) for key in keys}
    return Unknown(tuple(f"{LAID}{rank}" for rank in ranks), shifts)


def solve(
    draft: Draft,
    logs: Sequence[PlayedLog],
    turns: int,
    budget: Budget | None = None,
    most: int = _MOST,
) -> dict[str, int]:
    """The values, by key, that differ from a draft's and explain enough scores to pay for it.

    A key is one of `out.bonus`, `scoring.low_ace` and its like, `scoring.values.RANK` and
    `scoring.held.RANK`; neighbours with one value are one key, as in `scoring.values.2-9`.
    """
    ruleset = draft.ruleset
    assert ruleset is not None
    scores = equations(ruleset, logs, budget, most)
    wrong = sum(equation.off != 0 for equation in scores)
    if not wrong:
        return {}
    least = bits_of_mistakes(wrong, turns, A_SCORE)
    best: dict[str, int] = {}
    for constant, apart in ((False, False), (True, False), (False, True)):
        unknowns = _unknowns(ruleset, constant=constant, apart=apart)
        rows = [_row(equation, unknowns) for equation in scores]
        values = _least_absolute(rows, len(unknowns))
        values = _only_what_pays(rows, values, turns)
        bits = _bits(rows, values, turns)
        if bits < least:
            least = bits
            best = _settings(ruleset, unknowns, values)
    return _by_scale(ruleset, scores, turns, least) or best


def _by_scale(
    ruleset: Ruleset, scores: Sequence[Equation], turns: int, least: float
) -> dict[str, int]:
    """The settings of a scale that tables play by, if it takes fewer bits than `least`."""
    keys = {key for equation in scores for key in equation.terms} - {BONUS}
    present = {key: _present(ruleset, key) for key in keys}
    rows = [row_of(equation.off, equation.terms, present) for equation in scores]
    best: dict[str, int] = {}
    for scale in scales(rows, [equation.score for equation in scores]):
        settings = scale.settings()
        bits = bits_of_mistakes(scale.wrong(rows), turns, A_SCORE)
        bits += len(settings) * (A_KEY + A_NUMBER)
        if bits < least:
            least, best = bits, settings
    return best


_Row = tuple[float, dict[int, int]]


def _row(equation: Equation, unknowns: Sequence[Unknown]) -> _Row:
    """An equation in these unknowns: its right side, and the factors by place."""
    off, factors = float(equation.off), {}
    for place, unknown in enumerate(unknowns):
        factor = 0
        for key, shift in unknown.shifts.items():
            times = equation.terms.get(key, 0)
            factor += times
            off += times * shift
        if factor:
            factors[place] = factor
    return off, factors


def _least_absolute(rows: Sequence[_Row], size: int) -> list[int]:
    """The whole numbers nearest to the values with the least sum of absolute errors."""
    values = [0.0] * size
    weights = [1.0] * len(rows)
    for _ in range(_ROUNDS):
        matrix = [[0.0] * (size + 1) for _ in range(size)]
        for place in range(size):  # so that a value which no equation has stays 0
            matrix[place][place] = _BARELY
        for (off, factors), weight in zip(rows, weights, strict=True):
            for place, factor in factors.items():
                line = matrix[place]
                for other, times in factors.items():
                    line[other] += weight * factor * times
                line[size] += weight * factor * off
        values = _solved(matrix)
        errors = [off - _sum_of(factors, values) for off, factors in rows]
        before, weights = weights, [1 / max(abs(error), _NEAR) for error in errors]
        if weights == before:
            break
    return [round(value) for value in values]


def _sum_of(factors: Mapping[int, int], values: Sequence[float]) -> float:
    """The left side of an equation."""
    return sum(values[place] * factor for place, factor in factors.items())


def _solved(matrix: list[list[float]]) -> list[float]:
    """The solution of linear equations, by elimination; the last column is the right side."""
    size = len(matrix)
    for column in range(size):
        pivot = max(range(column, size), key=lambda row: abs(matrix[row][column]))
        matrix[column], matrix[pivot] = matrix[pivot], matrix[column]
        lead = matrix[column]
        for row, line in enumerate(matrix):
            factor = line[column] / lead[column]
            if row != column and factor:
                pairs = zip(line, lead, strict=True)
                matrix[row] = [value - factor * above for value, above in pairs]
    return [line[size] / line[place] for place, line in enumerate(matrix)]


def _bits(rows: Sequence[_Row], values: Sequence[int], turns: int) -> float:
    """The bits of the equations that these values leave wrong, and of the values."""
    wrong = sum(off != _sum_of(factors, values) for off, factors in rows)
    bits_of_values = sum(A_KEY + A_NUMBER for value in values if value)
    return bits_of_mistakes(wrong, turns, A_SCORE) + bits_of_values


def _only_what_pays(rows: Sequence[_Row], values: list[int], turns: int) -> list[int]:
    """The values without those that explain less than they cost, the worst first."""
    while True:
        tries = [values]
        for place, value in enumerate(values):
            if value:
                tries.append([*values[:place], 0, *values[place + 1 :]])
        better = min(tries, key=lambda less: _bits(rows, less, turns))
        if better is values:
            return values
        values = better


def _settings(
    ruleset: Ruleset, unknowns: Sequence[Unknown], values: Sequence[int]
) -> dict[str, int]:
    """The settings that solved values make."""
    settings: dict[str, int] = {}
    for unknown, value in zip(unknowns, values, strict=True):
        if not value:
            continue
        first = unknown.settings[0]
        absolute = any(unknown.shifts.values())
        number = value if absolute else value + _present(ruleset, first)
        if first in _told_by_distance(ruleset):
            number = value + settings.get(f"{LAID}A", ruleset.scoring.values[ACE])
        if first.startswith(LAID) and len(unknown.settings) > 1:
            last = unknown.settings[-1].rpartition(".")[2]
            first = f"{first}-{last}"
        settings[first] = number
    return settings


def _present(ruleset: Ruleset, key: str) -> int:
    """The value that a key has at present."""
    scoring = ruleset.scoring
    if key == BONUS:
        return ruleset.out.bonus
    for place, of_place in KEYS_OF_ACES.items():
        if key == of_place:
            own = aces_in_runs(scoring)[place]
            return scoring.values[ACE] if own is None else own
    table = scoring.held if key.startswith(HELD) else scoring.values
    name = key.rpartition(".")[2]
    return table[JOKER if name == "joker" else RANKS.index(name)]
