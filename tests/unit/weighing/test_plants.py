"""The impossibilities that the benchmark puts into masked logs are there, and found."""

from collections import Counter

from benchmarks.unseen.__main__ import TABLES, tried
from benchmarks.unseen.plants import PLANTS


def test_impossibilities_of_many_kinds_are_found_in_the_views_of_a_game():
    came = Counter((kind, what) for seed in range(len(TABLES)) for kind, _, what, _ in tried(seed))
    assert len({kind for kind, _ in came}) >= 12
    assert {kind for kind, _ in came} <= {*PLANTS}
    assert not [kind for kind, what in came if what == "missed"]
