"""Which cards a free text names."""

import pytest

from meldref.core.cards import card_text
from meldref.views.naming import cards_named

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
    assert set(map(card_text, cards_named(part * (8_192 // len(part))))) == named
