"""What an edit can change of what a finding rests on: asked before a hand is refereed again."""

import pytest

from meldref.core.cards import UNKNOWN
from meldref.notation.reader import read_line
from meldref_evidence.repair.reach import OfCall, OfMeld, actions_of, is_touched
from melds_hand import cards

CALLED = OfCall(frozenset((UNKNOWN, *[king.card for king in cards("Kd Kh Ks")])))


def line(text: str):
    read, wrong = read_line(text, 1)
    assert not wrong
    return read


@pytest.mark.parametrize(
    "other",
    [
        "Ann: draw 2c; discard Ks",
        "Ann: draw 2c; discard ?",
        "Ann: take 2c; discard 3c",
        "Ann: draw 2c; meld Kc Kd Ks; discard 3c",
    ],
)
def test_a_call_may_rest_on_cards_that_lie_with_it_and_on_what_is_taken(other: str):
    assert is_touched(CALLED, [line("Ann: draw 2c; discard 3c")], [line(other)])


@pytest.mark.parametrize(
    "other", ["Ann: draw 5c; discard 3c", "Ann: draw 2c; discard 4c", "Bob: draw 2c; discard 3c"]
)
def test_a_call_rests_on_no_card_that_cannot_lie_with_it(other: str):
    assert not is_touched(CALLED, [line("Ann: draw 2c; discard 3c")], [line(other)])


def test_a_meld_that_is_none_stays_wrong_until_its_cards_are_others():
    written = line("Ann: draw 2c; meld 3c 4d 9h; discard Kh")
    none = OfMeld(actions_of(written)[1])
    moved = line("Bob: draw 5c; meld 3c 4d 9h; discard Kh")
    mended = line("Ann: draw 2c; meld 3c 4c 5c; discard Kh")
    assert not is_touched(none, [written], [moved])
    assert is_touched(none, [written], [mended])
