"""The best way to lay down a hand, against CP-SAT: `python -m benchmarks.best [--cards 20] [--jokers 2]`.

Ours starts with the cards. CP-SAT is handed every meld of the hand with its points, so that its
time is that of stating and solving the choice alone, on one thread. Both go round hand by hand, and
every answer is compared before its time counts. Other hands come first, so that what both remember
of melds is there. As a program of the benchmarks, `ours` or `cp-sat` runs one of them and reports
its own time.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import json
import random
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from statistics import median, quantiles

from benchmarks.cases import Case, Size, Skipped
from benchmarks.measure import PYTHON, Program
from meldref.core.cards import JOKER, Cards, counted, each
from meldref.melds import Reading
from meldref.rulefiles.load import load_ruleset
from meldref_table.best import Terms, best_lay_down, terms_for

SEED = "best"
RULESET = "500-rummy"
WARMING = 100


def main() -> int:
    """Checks, measures, prints."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "which", nargs="?", choices=["ours", "cp-sat"], help="run one, and report its time"
    )
    parser.add_argument("--cards", type=int, default=20)
    parser.add_argument("--jokers", type=int, default=2)
    parser.add_argument("--hands", type=int, default=200)
    arguments = parser.parse_args()
    terms = _terms(arguments.jokers)
    every = _hands(terms, arguments.cards, arguments.jokers, WARMING + arguments.hands)
    hands = every[WARMING:]
    for hand in every[:WARMING]:
        _ours(terms, hand)
    ways: dict[str, Callable[[], list[tuple[int, float]]]] = {
        "ours": lambda: [_ours(terms, hand) for hand in hands],
        "cp-sat": lambda: [_by_cp_sat(terms, hand) for hand in hands],
    }
    if arguments.which is not None:
        taken = ways[arguments.which]()
        seconds = sum(one for _, one in taken)
        print(
            json.dumps({"gains": sum(gain for gain, _ in taken), "wall": seconds, "cpu": seconds})
        )
        return 0
    pairs = []
    peer = importlib.util.find_spec("ortools") is not None
    for hand in hands:
        mine = _ours(terms, hand)
        other = _by_cp_sat(terms, hand) if peer else mine
        assert mine[0] == other[0], (mine, other, list(each(hand)))
        pairs.append((mine[1], other[1]))
    title = f"{arguments.cards} cards, {arguments.jokers} of them jokers, {len(hands)} hands"
    print(f"{title}: ours {_spread([mine for mine, _ in pairs])}")
    if peer:
        print(f"{title}: CP-SAT {_spread([other for _, other in pairs])}")
        print(f"{title}: {median(other / mine for mine, other in pairs):.0f} times CP-SAT's speed")
    else:
        print("CP-SAT is not measured: OR-Tools is not installed")
    return 0


def g6(_: Size) -> list[Case]:
    """The best melds of twenty cards, against CP-SAT."""
    if importlib.util.find_spec("ortools") is None:
        raise Skipped("OR-Tools is not installed (pip install ortools)")
    hands = 100
    command = (PYTHON, "-m", "benchmarks.best", "--hands", str(hands))
    ours = Program("meldref_table.best", (*command, "ours"), '"gains": [1-9]', hands, inside=True)
    gains = json.loads(ours.run().output.splitlines()[-1])["gains"]
    ours = replace(ours, says=f'"gains": {gains},')
    peer = Program("CP-SAT", (*command, "cp-sat"), ours.says, hands, inside=True)
    peer.run()
    return [
        Case(
            "G6",
            "best melds of 20 cards, two jokers, speed over CP-SAT's",
            ("≥ 10", "≥ 20"),
            ours,
            peer,
            faster=True,
        )
    ]


def _terms(jokers: int) -> Terms:
    """The terms of the smallest table whose deck has this number of jokers."""
    ruleset, findings = load_ruleset(RULESET)
    assert ruleset is not None, findings
    numbers = range(ruleset.players.min, ruleset.players.max + 1)
    return terms_for(
        ruleset, next(number for number in numbers if ruleset.copies(JOKER, number) >= jokers)
    )


def _hands(terms: Terms, cards: int, jokers: int, hands: int) -> Sequence[Cards]:
    rng = random.Random(SEED)
    deck = [card for card in range(JOKER) for _ in range(terms.packs)]
    return [counted([*rng.sample(deck, cards - jokers), *[JOKER] * jokers]) for _ in range(hands)]


def _ours(terms: Terms, hand: Cards) -> tuple[int, float]:
    started = time.process_time()
    found = best_lay_down(terms, hand)
    return found.gain, time.process_time() - started


def _by_cp_sat(terms: Terms, hand: Cards) -> tuple[int, float]:
    """The best hand by CP-SAT, which chooses among all melds of the hand."""
    cp_model = importlib.import_module("ortools.sat.python.cp_model")
    melds = []
    for cards in terms.book.melds_in(hand):
        reading = terms.book.read(cards)
        assert isinstance(reading, Reading)
        gain = terms.worth.new_meld(reading.laid) + sum(terms.relief[one.card] for one in cards)
        melds.append(([one.card for one in cards], gain))
    started = time.process_time()
    model = cp_model.CpModel()
    chosen = [model.new_int_var(0, terms.packs, "") for _ in melds]
    for card in set(each(hand)):
        copies = sum(one == card for one in each(hand))
        uses = [
            cards.count(card) * one
            for (cards, _), one in zip(melds, chosen, strict=True)
            if card in cards
        ]
        if uses:
            model.add(sum(uses) <= copies)
    model.maximize(sum(gain * one for (_, gain), one in zip(melds, chosen, strict=True)))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    status = solver.solve(model)
    assert status == cp_model.OPTIMAL, status
    return round(solver.objective_value), time.process_time() - started


def _spread(seconds: Sequence[float]) -> str:
    return f"{median(seconds) * 1000:.2f} ms in the median, 95% within {quantiles(seconds, n=20)[-1] * 1000:.2f} ms"


if __name__ == "__main__":
    sys.exit(main())
