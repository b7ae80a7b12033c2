"""The list of moves has no meld after which house rules keep a first laying from being completed."""

import pytest

from meldref.answers.listing import legal_moves
from meldref.core.diagnostics import Span
from meldref.positions.build import build_position
from written import loaded

SPLIT = "Th Jh Qh Kh 3c 4c 5c 6c 7c 8c 9c Tc 9s 9s 9d 2s"
"""Three sequences and a group; of the long sequence of clubs, two halves adjoin."""


def melds(hand, cards, turn="draw 2d"):
    """The melds that are listed for a player of Contract Rummy in the middle of a turn."""
    value = {"players": ["A", "B", "C"], "hand": hand, "hands": {"A": cards}, "turn": turn}
    built, findings = build_position(value, loaded("contract-rummy"), lambda _: Span(1))
    assert built is not None, findings
    return {one.move for one in legal_moves(built) if one.move.startswith("meld")}


@pytest.mark.sweep
def test_a_meld_that_is_no_part_of_the_contract_is_not_listed():
    listed = melds(3, SPLIT)
    assert "meld Th Jh Qh Kh" in listed
    assert "meld 9d 9s 9s" not in listed


def test_no_further_meld_is_listed_once_the_contract_lies():
    assert melds(3, SPLIT, "draw 2d; meld Th Jh Qh Kh; meld 3c 4c 5c 6c") == set()


@pytest.mark.parametrize(
    ("cards", "listed"),
    [
        ("3c 4c 5c 6c 7c 8c 9c Tc 2s", set()),
        ("3c 4c 5c 6c 8c 9c Tc Jc 2s", {"meld 3c 4c 5c 6c", "meld 8c 9c Tc Jc"}),
    ],
)
def test_two_sequences_that_adjoin_do_not_complete_a_contract(cards, listed):
    assert melds(3, cards) == listed
