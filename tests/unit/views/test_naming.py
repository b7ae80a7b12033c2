"""Which cards a free text names."""

import pytest

from meldref.core.cards import card_text
from meldref.views.naming import cards_named, is_vague

NAMED = {
    "Bob drew 4s": "4s",
    "Bob drew the four of spades": "4s",
    "the 10 of hearts, TEN OF HEARTS and 10h": "Th",
    "seven-of-clubs": "7c",
    "a spade ten": "Ts",
    "♥K, then 5♠ and Q♥\ufe0f": "5s Qh Kh",
    "4d4h": "4d 4h",
    "h5 and HK": "5h Kh",
    "both 5hs": "5h",
    "Bob's last 5h's gone": "5h",
    "_5h_ (6h)": "5h 6h",
    "K-h or 5 h": "5h Kh",
    "５ｈ": "5h",
    "5\u200bh": "5h",
    "K&diams;, 5&#9829; and 🂡": "Kd 5h As",
    "🂡 and 🃟": "As Jk",
    "Jk=8c": "8c Jk",
    "two Jokers": "Jk",
    "As usual": "As",
    "drew as": "As",
    "5h as well": "As 5h",
    "ah, 5h": "Ah 5h",
}
"""Texts and the cards that they name; in doubt, a word is a card."""
NAMES_NONE = [
    "",
    "as usual, a good hand",
    "ah! an ad",
    "two kings and a heart",
    "clock=12.3",
    "m1 x6 hand 1, 2026-11-20",
    "Anne's 5th meld",
    "Kcal ash 15hx",
]


VAGUE = [
    "Queen (clubs)",
    "two kings and a heart",
    "Herz König",
    "пиковая дама",
    "tr\u00e8fle",
    "Bob has the K, and q's",
    "an A",
    "N:AKQ.J32.T98.765",
    "three sevens",
    "seed 12345",
    "(reshuffled)",
    "12 4 33 50 7",
    "c0ffee0123456789",
    "\N{HEAVY BLACK HEART}",
]
"""Texts that hint at cards, or from which they follow."""
PLAIN = [
    "",
    "A good hand, as usual",
    "drew 5h and the ten of spades, laid three cards",
    "clock=12.3 m1 x6 hand 1, 2026-11-20",
    "Ann 103, Bob 94: misdeal, I think",
    "d\u00e9j\u00e0 vu",
]


@pytest.mark.parametrize("text", VAGUE)
def test_a_text_that_hints_at_cards_is_vague(text):
    assert is_vague(text)


@pytest.mark.parametrize("text", PLAIN)
def test_a_text_that_names_cards_or_none_is_not_vague(text):
    assert not is_vague(text)


def test_the_name_of_a_player_is_no_hint():
    assert is_vague("Jack thinks")
    assert not is_vague("Jack thinks", ["Jack"])


@pytest.mark.parametrize("text", NAMED)
def test_a_card_is_found_however_people_write_it(text):
    assert set(map(card_text, cards_named(text))) == set(NAMED[text].split())


@pytest.mark.parametrize("text", NAMES_NONE)
def test_words_that_only_look_like_cards_name_none(text):
    assert cards_named(text) == frozenset()


@pytest.mark.parametrize(
    ("part", "named"),
    [
        ("as ", set()),
        ("draw as ", {"As"}),
        ("2 ", set()),
        ("2   of   the   ", set()),
        ("♥", set()),
        ("5h", {"5h"}),
        ("heart - ", set()),
        ("king of the ", set()),
    ],
)
def test_the_longest_line_of_nearly_cards_is_looked_through(part, named):
    text = part * (8_192 // len(part))
    assert set(map(card_text, cards_named(text))) == named
    assert isinstance(is_vague(text), bool)
