"""Deals with sums, against going through every deal of a small deck."""

from itertools import combinations
from random import Random

import pytest

from meldref.core.cards import EMPTY, count, counted, each, holds, size
from meldref_evidence.weighing.deals import Unseen, deal, sums_of


def every_deal(cards, hands):
    """Every way to give each hand its number of cards, as lists of places in a row of cards."""
    if not hands:
        yield []
        return
    for places in combinations(cards, hands[0].size):
        for rest in every_deal([one for one in cards if one not in places], hands[1:]):
            yield [places, *rest]


def fits(dealt, row, worth, hands):
    """Whether a deal is as the hands ask."""
    for places, hand in zip(dealt, hands, strict=True):
        cards = [row[place] for place in places]
        if hand.sums is not None and sum(worth[card] for card in cards) not in hand.sums:
            return False
        if hand.may_be is not None and not all(hand.may_be >> card & 1 for card in cards):
            return False
    return True


def question(rng):
    """A small deck with copies and values of its own, and two or three hands."""
    kinds = rng.randint(2, 6)
    worth = [rng.choice((-5, 0, 1, 5, 5, 10, 15)) for _ in range(kinds)]
    row = [rng.randrange(kinds) for _ in range(rng.randint(4, 8))]
    hands, left = [], len(row)
    for _ in range(rng.randint(1, 3)):
        number = rng.randint(0, min(3, left))
        left -= number
        near = [worth[card] for card in rng.sample(row, number)]
        sums = frozenset({sum(near) + rng.choice((0, 0, 0, 1, 5)), rng.choice((sum(near), 99))})
        may_be = rng.choice((None, None, rng.randrange(1 << kinds)))
        hands.append(Unseen(number, rng.choice((None, sums, sums)), may_be))
    return row, worth, hands


@pytest.mark.parametrize("start", range(0, 600, 100))
def test_a_deal_is_possible_where_going_through_all_of_them_says_so(start):
    for seed in range(start, start + 100):
        row, worth, hands = question(Random(f"deals {seed}"))
        possible = any(fits(one, row, worth, hands) for one in every_deal(range(len(row)), hands))
        answer = deal(counted(row), worth, hands)
        assert answer.possible is possible, (row, worth, hands)
        if possible:
            assert holds(counted(row), sum(answer.hands))
            for cards, hand in zip(answer.hands, hands, strict=True):
                dealt = list(each(cards))
                assert size(cards) == hand.size
                assert hand.sums is None or sum(worth[card] for card in dealt) in hand.sums
                assert hand.may_be is None or all(hand.may_be >> card & 1 for card in dealt)


def test_the_sums_of_some_cards_are_those_of_every_choice():
    for seed in range(60):
        rng = Random(f"sums {seed}")
        row, worth, _ = question(rng)
        number = rng.randint(0, 4)
        sums = {sum(worth[card] for card in cards) for cards in combinations(row, number)}
        assert sums_of(counted(row), worth, Unseen(number)) == sums


def test_any_of_the_ways_to_deal_may_be_the_first():
    pool, worth = counted([0, 1, 2, 3]), [5, 5, 10, 10]
    dealt = {
        deal(pool, worth, [Unseen(2, frozenset({15}))], Random(seed)).hands for seed in range(40)
    }
    assert len(dealt) == 4
    assert all(count(hand, 0) + count(hand, 1) == 1 for (hand,) in dealt)


def test_no_cards_are_worth_nothing():
    assert deal(EMPTY, [5], [Unseen(0, frozenset({0}))]).possible is True
    assert deal(EMPTY, [5], [Unseen(0, frozenset({5}))]).possible is False
    assert deal(counted([0]), [5], [Unseen(0, frozenset({5}))]).possible is False


def test_a_question_beyond_its_steps_is_left_open():
    pool, worth = counted([0, 0, 0, 1, 1, 1]), [15, 10]
    hands = [Unseen(2, frozenset({30, 99}))] * 2
    assert deal(pool, worth, hands, steps=0).possible is None
    assert deal(pool, worth, hands).possible is False
