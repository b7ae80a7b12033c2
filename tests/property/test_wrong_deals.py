"""A deal of the wrong size is found once, and nothing else: it is played as dealt, or as the hand shows it was."""

from __future__ import annotations

import re
from random import Random

import pytest

from property.test_options import GAMES
from property.test_unseen import played
from simulated import findings

NUMBERS = range(6)
_DEAL = re.compile(r"^deal (\S+) (.*)$", re.MULTILINE)


def hand_of(game, number):
    """A simulated hand, and a source of chance."""
    return played(f"deals {game} {number}", [game]), Random(f"deals {game} {number}")


def found(text):
    """The lines and codes of what is found."""
    return [(finding.span.line, finding.code) for finding in findings(text)[0]]


def deals_in(text):
    """What has to be found where every deal is of the wrong size."""
    lines = enumerate(text.split("\n"), 1)
    return [(number, "setup.deal") for number, line in lines if line.startswith("deal ")]


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize("game", GAMES)
def test_hands_dealt_by_other_rules_are_played_as_they_were_dealt(game, number):
    text, dice = hand_of(game, number)
    sizes = [len(deal[2].split()) for deal in _DEAL.finditer(text)]
    dealt = min(sizes)
    other = dice.choice([size for size in range(dealt - 3, dealt) if size > 2] or [dealt + 1])
    text = text.replace("\n[Players", f'\n[Set "deal.cards={other}"]\n[Players', 1)
    by_first_cards = "deal.cards_by=first_card" in text
    assert found(text) == ([] if by_first_cards else deals_in(text)), text


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize("game", GAMES)
def test_a_card_left_out_of_a_deal_or_written_twice_in_it_is_told_once(game, number):
    text, dice = hand_of(game, number)
    deal = dice.choice(list(_DEAL.finditer(text)))
    cards = deal[2].split()
    place = dice.randrange(len(cards))
    cards[place : place + 1] = dice.choice(([], [cards[place], cards[place]]))
    spoilt = f"{text[: deal.start(2)]}{' '.join(cards)}{text[deal.end() :]}"
    line = text[: deal.start()].count("\n") + 1
    assert found(spoilt) == [(line, "setup.deal")], spoilt


SUITED = [f"{rank}{suit}" for rank in "A23456789TJQK" for suit in "cdhs"]
"""All cards of a deck but the jokers."""


def left_out(cards, dice):
    cards.pop(dice.randrange(len(cards)))


def written_twice(cards, dice):
    cards.append(dice.choice(cards))


def not_dealt(cards, dice):
    cards.append(dice.choice(SUITED))


MISTAKES = (left_out, written_twice, not_dealt)


def hide_each_other(one, other):
    """Whether as many cards are left for the stock as there should be, as if a card were in the wrong deal."""
    return (one is left_out) != (other is left_out)


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize("game", GAMES)
def test_two_hands_each_dealt_wrongly_in_a_way_of_its_own_are_told_once_each(game, number):
    text, dice = hand_of(game, f"two {number}")
    deals = sorted(dice.sample(list(_DEAL.finditer(text)), 2), key=re.Match.start)
    spoilt, expected, before = text, [], None
    for deal in reversed(deals):
        cards = deal[2].split()
        mistake = dice.choice(MISTAKES)
        if before is not None and hide_each_other(mistake, before):
            mistake = before
        both_lack_a_card = mistake is left_out and before is left_out
        if both_lack_a_card and "\nreshuffle" in text:
            pytest.skip("when the stock was used up shows only once both deals are mended")
        mistake(cards, dice)
        before = mistake
        spoilt = f"{spoilt[: deal.start(2)]}{' '.join(cards)}{spoilt[deal.end() :]}"
        expected.insert(0, (text[: deal.start()].count("\n") + 1, "setup.deal"))
    assert found(spoilt) == expected, spoilt


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize("game", GAMES)
def test_two_cards_left_out_of_a_deal_or_written_twice_in_it_are_told_once(game, number):
    text, dice = hand_of(game, f"cards {number}")
    deal = dice.choice(list(_DEAL.finditer(text)))
    cards = deal[2].split()
    mistake = dice.choice((left_out, written_twice))
    mistake(cards, dice)
    mistake(cards, dice)
    spoilt = f"{text[: deal.start(2)]}{' '.join(cards)}{text[deal.end() :]}"
    line = text[: deal.start()].count("\n") + 1
    assert found(spoilt) == [(line, "setup.deal")], spoilt
