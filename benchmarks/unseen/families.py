"""The hardest questions about unseen cards, put to ours, SciPy's matching and OR-Tools' CP-SAT.

`python -m benchmarks.unseen.families [--page PAGE]`. Each question is a pool of cards and hands of
known sizes, with what each is worth or which cards it may hold. All answers are compared; CP-SAT
runs on one thread. Matching knows nothing of sums, so it is asked only where there are none.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from statistics import median
from typing import Any, Final

from benchmarks.measure import put
from meldref.core.cards import JOKER, Cards, count, counted, each
from meldref.core.records import NamedTuple
from meldref_evidence.weighing.deals import Unseen, deal

QUESTIONS: Final = 12
WORTH: Final = (*[15, *range(2, 10), 10, 10, 10, 10] * 4, 15)
"""What cards cost in 500 Rummy."""
LONGEST: Final = 10.0
"""How many seconds CP-SAT gets for a question."""


class Question(NamedTuple):
    """A pool, what its cards are worth, and the hands."""

    pool: Cards
    worth: tuple[int, ...]
    hands: list[Unseen]


Family = Callable[[Random], Question]


def _pack(rng: Random, packs: int, left_out: int) -> list[int]:
    """Packs of 52 cards and two jokers in any order, without some that were seen."""
    cards = [card for card in [*range(JOKER), JOKER, JOKER] for _ in range(packs)]
    rng.shuffle(cards)
    return cards[left_out:]


def equal_needs(rng: Random) -> Question:
    """Eight hands of seven cost the same, nearly as much as the dearest cards do."""
    cards = _pack(rng, 2, 30)
    dearest = sorted([WORTH[card] for card in cards], reverse=True)[:56]
    each_costs = sum(dearest) // 8 - rng.choice((0, 0, 1))
    return Question(counted(cards), WORTH, [Unseen(7, frozenset({each_costs}))] * 8)


def one_short(rng: Random) -> Question:
    """Each of six hands needs an ace or a joker, of which there is one too few."""
    dear = rng.choice((5, 6))
    cards = [card for card in _pack(rng, 2, 0) if WORTH[card] != 15][:45]
    cards += [0, 13, 26, 39, 0, 13][:dear]
    return Question(counted(cards), WORTH, [Unseen(3, frozenset({35}))] * 6)


def almost_fits(rng: Random) -> Question:
    """All unseen cards are in hands, which cost what they do but for a point in two of them."""
    cards = _pack(rng, 1, 6)
    sums = [sum([WORTH[card] for card in cards[at : at + 8]]) for at in range(0, 48, 8)]
    first, second = rng.sample(range(6), 2)
    sums[first] += 1
    sums[second] -= rng.choice((0, 1))
    return Question(counted(cards), WORTH, [Unseen(8, frozenset({one})) for one in sums])


def uncommon_values(rng: Random) -> Question:
    """Every card has a value of its own, and eight hands of three share all of them evenly."""
    worth = [0] * (JOKER + 1)
    cards = rng.sample(range(JOKER), 24)
    for card in cards:
        worth[card] = rng.randrange(25, 50)
    worth[cards[0]] += -sum(worth) % 8
    hands = [Unseen(3, frozenset({sum(worth) // 8}))] * 8
    return Question(counted(cards), tuple(worth), hands)


def some_cards_only(rng: Random) -> Question:
    """Four hands hold only old cards, of which there are just enough, or one too few."""
    cards = rng.sample(range(JOKER), 40)
    old, hands = set(cards[: rng.choice((27, 28))]), []
    for number in range(4):
        taken = {*cards[number * 7 : number * 7 + 7]}
        extra = set(rng.sample(sorted(old), 6))
        among = (taken | extra) & old
        hands.append(Unseen(7, None, sum([1 << card for card in among])))
    return Question(counted(cards), WORTH, hands)


FAMILIES: Final[dict[str, Family]] = {
    "many equal needs": equal_needs,
    "one card short": one_short,
    "sums that almost fit": almost_fits,
    "every card its own value": uncommon_values,
    "hands of some cards only": some_cards_only,
}


def by_ours(question: Question) -> bool | None:
    """Ours; None: beyond its steps."""
    return deal(question.pool, question.worth, question.hands).possible


def by_cp_sat(question: Question) -> bool | None:
    """A model with a number for each kind of card and hand; None: not within the time."""
    cp_model = importlib.import_module("ortools.sat.python.cp_model")
    model = cp_model.CpModel()
    kinds = sorted(set(each(question.pool)))
    dealt: list[list[Any]] = []
    for hand in question.hands:
        row = []
        for card in kinds:
            fits = hand.may_be is None or hand.may_be >> card & 1
            row.append(model.new_int_var(0, count(question.pool, card) if fits else 0, ""))
        model.add(sum(row) == hand.size)
        if hand.sums is not None:
            worth = [question.worth[card] * one for card, one in zip(kinds, row, strict=True)]
            model.add_linear_expression_in_domain(
                sum(worth), cp_model.Domain.from_values(sorted(hand.sums))
            )
        dealt.append(row)
    for card, column in zip(kinds, zip(*dealt, strict=True), strict=True):
        model.add(sum(column) <= count(question.pool, card))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.max_time_in_seconds = LONGEST
    status = solver.solve(model)
    if status in {cp_model.OPTIMAL, cp_model.FEASIBLE}:
        return True
    return False if status == cp_model.INFEASIBLE else None


def by_matching(question: Question) -> bool | None:
    """The largest matching of places in hands and cards; only where no hand has a sum."""
    sparse = importlib.import_module("scipy.sparse")
    graphs = importlib.import_module("scipy.sparse.csgraph")
    cards = list(each(question.pool))
    rows = [
        [hand.may_be is None or bool(hand.may_be >> card & 1) for card in cards]
        for hand in question.hands
        for _ in range(hand.size)
    ]
    found = graphs.maximum_bipartite_matching(sparse.csr_matrix(rows), perm_type="column")
    return bool((found >= 0).all())


class Asked(NamedTuple):
    """What came of a family: yes, no or open by ours, and the seconds each took for a question."""

    answers: list[bool | None]
    seconds: dict[str, list[float]]


def asked(family: Family, name: str, questions: int = QUESTIONS) -> Asked:
    """Puts the questions of a family to all that can answer them, and compares the answers."""
    ways: dict[str, Callable[[Question], bool | None]] = {"ours": by_ours}
    if importlib.util.find_spec("ortools") is not None:
        ways["CP-SAT"] = by_cp_sat
    answers: list[bool | None] = []
    seconds: dict[str, list[float]] = {}
    for number in range(questions):
        question = family(Random(f"{name} {number}"))
        those = {**ways}
        has_sums = any(hand.sums is not None for hand in question.hands)
        if not has_sums and importlib.util.find_spec("scipy") is not None:
            those["matching"] = by_matching
        said = {}
        for who, answer in those.items():
            before = time.process_time()
            said[who] = answer(question)
            seconds.setdefault(who, []).append(time.process_time() - before)
        known = {one for one in said.values() if one is not None}
        assert len(known) <= 1, (name, number, said)
        answers.append(said["ours"])
    return Asked(answers, seconds)


def table(questions: int = QUESTIONS) -> Iterator[str]:
    """A row for each family."""
    yield "| questions | yes | no | open | ours | CP-SAT | SciPy's matching |"
    yield "|---|---|---|---|---|---|---|"
    for name, family in FAMILIES.items():
        came = asked(family, name, questions)
        numbers = [came.answers.count(one) for one in (True, False, None)]
        times = [_times(came.seconds.get(who)) for who in ("ours", "CP-SAT", "matching")]
        yield f"| {' | '.join([name, *map(str, numbers), *times])} |"


def _times(seconds: list[float] | None) -> str:
    if seconds is None:
        return "–"
    return f"{median(seconds) * 1000:.1f} ms (at most {max(seconds) * 1000:.0f})"


def main() -> int:
    """Ask, compare, write."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--questions", type=int, default=QUESTIONS, help="of each family")
    parser.add_argument("--page", type=Path, help="the page whose table is replaced")
    arguments = parser.parse_args()
    text = "\n".join(table(arguments.questions))
    print(text)
    if arguments.page:
        put(arguments.page, "families", text)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
