"""What benchmarks of unseen cards ask: impossibilities are found, hard questions answered."""

from collections import Counter
from random import Random

import pytest
from benchmarks.unseen.__main__ import TABLES, tried
from benchmarks.unseen.families import FAMILIES, by_ours
from benchmarks.unseen.plants import PLANTS

from meldref.core.effort import EFFORT
from meldref_evidence.weighing.deals import MOST_STEPS


@pytest.mark.sweep
def test_impossibilities_of_many_kinds_are_found_in_the_views_of_a_game():
    came = Counter((kind, what) for seed in range(len(TABLES)) for kind, _, what, _ in tried(seed))
    assert len({kind for kind, _ in came}) >= 12
    assert {kind for kind, _ in came} <= {*PLANTS}
    assert not [kind for kind, what in came if what == "missed"]


@pytest.mark.parametrize("name", FAMILIES)
def test_a_hard_question_is_answered_or_left_open_after_a_bounded_number_of_steps(name):
    before = EFFORT.spent
    answers = [by_ours(FAMILIES[name](Random(f"{name} {number}"))) for number in range(3)]
    assert not all(one is None for one in answers)
    assert EFFORT.spent - before <= 3 * (MOST_STEPS + 1)
