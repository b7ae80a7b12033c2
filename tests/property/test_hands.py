"""The melds of a hand that are kept up as its cards change are those that the book of melds lists."""

import random

import pytest

from meldref.core.cards import counted, mask_of
from meldref.core.effort import EFFORT
from meldref_table.simulate.games import careful_judge
from meldref_table.simulate.quick_moves.bounds import naturals
from meldref_table.simulate.quick_moves.hands import HandMelds, Parts
from simulated import ruleset

RULES = [
    ("500-rummy", (), (), 2),
    ("500-rummy", ("chosen-wild-rank",), (), 3),
    ("500-rummy", (), ("deck.jokers=4",), 5),
    ("500-rummy", (), ("melds.kinds.group.require=[same_rank]",), 6),
    ("500-rummy", (), ("melds.kinds.group.size=1-4",), 2),
    ("500-rummy", (), ("melds.kinds.sequence.require=[same_colour, consecutive_ranks]",), 2),
    ("500-rummy", (), ("melds.wild.suit_in_group=stated",), 2),
    ("500-rum", ("two-packs",), (), 6),
    ("persian-rummy", (), (), 4),
]


@pytest.mark.parametrize(("name", "options", "settings", "players"), RULES, ids=str)
def test_a_hand_that_changes_has_the_melds_of_the_cards_it_holds(name, options, settings, players):
    judge = careful_judge(ruleset(name, options, settings), players)
    rank = 4 if "named" in judge.ruleset.melds.wild.cards else None
    book = judge.book(rank)
    rng = random.Random(11)
    for _ in range(12):
        hand, cards = HandMelds(book, naturals(judge)), []
        deck = [card for card, copies in enumerate(judge.copies) for _ in range(copies)]
        rng.shuffle(deck)
        for _ in range(30):
            if cards and rng.random() < 0.4:
                for card in rng.sample(cards, min(len(cards), rng.choice((1, 1, 3)))):
                    cards.remove(card)
            else:
                cards += [deck.pop() for _ in range(min(len(deck), rng.choice((1, 1, 2, 5))))]
            del cards[9:]
            held = counted(cards)
            assert hand.look(held).mask == mask_of(held)
            assert hand.wilds == sum(card in book.wilds.cards for card in cards)
            if rng.random() < 0.7:
                listed = [meld.cards for meld in hand.melds()]
                assert sorted(map(str, listed)) == sorted(map(str, book.melds_in(held)))


def test_melds_left_out_by_a_search_that_was_given_up_are_listed_by_the_next_question():
    judge = careful_judge(ruleset(), 2)
    hand = counted((*range(3, 9), *range(16, 22), 52))
    every = Parts(judge.book()).melds(hand)
    parts = Parts(judge.book())
    with EFFORT.at_most(3):
        assert len(parts.melds(hand)) < len(every)
    assert parts.melds(hand) == every
