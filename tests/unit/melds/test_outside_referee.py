"""Gin rummy's melds and lay-offs, by a ruleset of ours, are what OpenSpiel says they are.

It needs the extra `outside`. `MELDREF_HANDS` is the number of random hands: a few hundred by
default, ten thousand in the gate.

OpenSpiel does some things its own way. It lists runs of up to five cards: longer ones are two of
those, or one with cards laid off. It does not say on which meld a card was laid off, and looks one
card beyond a run on either side for it; so what is laid off here fits one meld alone, and is one
card a side. And it goes on naming a card that was laid off on a group.
"""

from __future__ import annotations

import os
from itertools import combinations
from random import Random

import pytest

from meldref.core.cards import Played, counted, rank_of, suit_of
from meldref.melds import Fault, Reading
from meldref.rulefiles.load import load_ruleset
from meldref_table.best import best_lay_down, terms_for
from paths import TESTS

pyspiel = pytest.importorskip(
    "pyspiel",
    reason="OpenSpiel is not installed (pip install 'meldref[outside]'): gin rummy is not compared",
)

HANDS = int(os.environ.get("MELDREF_HANDS", "400"))
CHUNK = 200
LONGEST = 5
GIN = TESTS / "outside" / "gin-rummy.yaml"
SUITS = {0: 1, 1: 2, 2: 3, 3: 0}
"""Our clubs, diamonds, hearts and spades, as OpenSpiel numbers them."""


@pytest.fixture(scope="module")
def terms():
    ruleset, findings = load_ruleset(str(GIN))
    assert ruleset is not None, findings
    return terms_for(ruleset, 2)


@pytest.fixture(scope="module")
def outside():
    return pyspiel.gin_rummy.GinRummyUtils(13, 4, 10)


def theirs(card):
    """A card of ours as OpenSpiel numbers it."""
    return 13 * SUITS[suit_of(card)] + rank_of(card)


OURS = {theirs(card): card for card in range(52)}


def hands(start):
    """Random hands of ten or eleven cards, half of them of few ranks, so that there are melds."""
    for number in range(start, min(start + CHUNK, HANDS)):
        rng = Random(f"gin {number}")
        near = rng.randrange(13)
        deck = [card for card in range(52) if number % 2 or (rank_of(card) - near) % 13 < 6]
        yield rng, rng.sample(deck, rng.choice((10, 11)))


def melds_of(terms, hand):
    """Every meld of some of the cards, each as a set."""
    return [frozenset(one.card for one in cards) for cards in terms.book.melds_in(counted(hand))]


def value(terms, cards):
    return sum(terms.ruleset.scoring.values[card] for card in cards)


def least_deadwood(terms, hand):
    """What is left in a hand when it is laid down as well as it can be: a card laid gains its value twice."""
    return value(terms, hand) - best_lay_down(terms, counted(hand)).gain // 2


def shape_of(terms, cards):
    reading = terms.book.read(tuple(Played(card) for card in sorted(cards)))
    assert isinstance(reading, Reading)
    return reading.shape


@pytest.mark.parametrize("start", range(0, HANDS, CHUNK))
def test_melds_and_the_best_of_them_are_those_of_openspiel(terms, outside, start):
    for _, hand in hands(start):
        cards = [theirs(card) for card in hand]
        found = melds_of(terms, hand)
        listed = {frozenset(OURS[card] for card in meld) for meld in outside.all_melds(cards)}
        assert {meld for meld in found if len(meld) <= LONGEST} == listed
        best = [[OURS[card] for card in meld] for meld in outside.best_meld_group(cards)]
        ours = least_deadwood(terms, hand)
        assert ours == value(terms, hand) - sum(value(terms, meld) for meld in best)
        assert all(frozenset(meld) in found for meld in best)
        assert sum(map(len, best)) == len({card for meld in best for card in meld})
        if len(hand) == 10:
            assert ours == outside.min_deadwood(cards)


@pytest.mark.parametrize("start", range(0, HANDS, CHUNK))
def test_melds_with_which_a_player_may_knock_are_those_of_openspiel(terms, outside, start):
    for rng, hand in hands(start):
        knock = rng.choice((0, 5, 10, 20))
        listed = {
            frozenset(OURS[card] for card in outside.int_to_meld[number])
            for number in outside.legal_melds([theirs(card) for card in hand], knock)
        }
        ours = {
            meld
            for meld in melds_of(terms, hand)
            if len(meld) <= LONGEST
            and least_deadwood(terms, [card for card in hand if card not in meld]) <= knock
        }
        assert ours == listed


@pytest.mark.parametrize("start", range(0, HANDS, CHUNK))
def test_cards_that_can_be_laid_off_are_those_of_openspiel(terms, outside, start):
    for rng, hand in hands(start):
        table = [
            [OURS[card] for card in meld]
            for meld in outside.best_meld_group([theirs(card) for card in hand])
        ]
        table = [sorted(meld) for meld in table if len(meld) <= LONGEST]
        numbers = [outside.meld_to_int([theirs(card) for card in meld]) for meld in table]
        shapes = [shape_of(terms, meld) for meld in table]
        laid, grown = [], list(shapes)
        for place, shape in enumerate(shapes):
            ends = [
                card
                for card in range(52)
                if shape.accepts >> card & 1 and card not in {*hand, *laid}
            ]
            ends = [
                card for card in ends if sum(other.accepts >> card & 1 for other in shapes) == 1
            ]
            for card in rng.sample(ends, rng.randrange(len(ends) + 1)):
                extended = terms.book.extend(grown[place], Played(card))
                assert not isinstance(extended, Fault)
                grown[place] = extended[0]
                laid.append(card)
        ours = {card for shape in grown for card in range(52) if shape.accepts >> card & 1} - set(
            laid
        )
        listed = {
            OURS[card] for card in outside.all_layoffs(numbers, [theirs(card) for card in laid])
        } - set(laid)
        assert ours == listed, (table, laid)


@pytest.mark.parametrize("start", range(0, HANDS, CHUNK))
def test_any_three_to_five_cards_are_a_meld_where_openspiel_says_so(terms, outside, start):
    for rng, hand in hands(start):
        cards = rng.sample(hand, rng.choice((3, 4, 5)))
        some = [*combinations(cards, 3), tuple(cards)]
        for meld in some:
            said = [theirs(card) for card in meld]
            is_meld = outside.is_rank_meld(said) or (outside.is_suit_meld(said) and len(said) <= 13)
            assert (
                isinstance(terms.book.read(tuple(Played(card) for card in meld)), Reading)
                == is_meld
            )
