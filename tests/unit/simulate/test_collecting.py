"""What greedy players collect: a contract that is to be laid first, and melds that may not be laid yet."""

import pytest

from meldref.core.cards import cards_text, counted, each
from meldref.melds import meld_index
from meldref_table.simulate import Seats, play_hands
from meldref_table.simulate.collecting import Collecting
from meldref_table.simulate.games import careful_judge
from melds_hand import cards as read
from simulated import ruleset

CONTRACT, SHANGHAI = ruleset("contract-rummy"), ruleset("shanghai-rummy")


def plan_of(rules, hand, cards):
    """The plan for a hand of the game: how many cards are lacking, and those that are kept."""
    judged = careful_judge(rules, 3).for_hand(hand).ruleset
    plan = Collecting(judged, meld_index(judged, 3)).plan(
        counted(played.card for played in read(cards))
    )
    return plan.lacking, cards_text(each(plan.kept))


@pytest.mark.parametrize(
    ("hand", "cards", "lacking", "kept"),
    [
        (1, "9c 9d 9h Kd Ks 4c 7h", 1, "9c 9d Kd 9h Ks"),
        (1, "9c 9c 9d Kd Ks Jk 7h", 0, "9c 9c 9d Kd Ks Jk"),
        (2, "5h 6h 8h 9c 9d 9s Kd", 1, "9c 9d 5h 6h 8h 9s"),
        (3, "Ah 2h 3h 4h Jc Qc Kc Ac 9d", 0, "Ac Jc Qc Kc Ah 2h 3h 4h"),
        (2, "4h 5h 6h 7h 7c 7d Kd", 1, "7c 7d 4h 5h 6h 7h"),
    ],
)
def test_a_plan_keeps_what_comes_nearest_to_the_contract(hand, cards, lacking, kept):
    found, there = plan_of(CONTRACT, hand, cards)
    assert (found, sorted(there.split())) == (lacking, sorted(kept.split()))


def test_a_longer_sequence_of_a_contract_is_collected_whole():
    assert plan_of(SHANGHAI, 5, "2h 3h 4h 5h 7h 8h 9c 9d 9s Kd") == (
        1,
        "9c 9d 2h 3h 4h 5h 7h 8h 9s",
    )


@pytest.mark.sweep(every=2)
@pytest.mark.parametrize(
    ("name", "turns"),
    [("contract-rummy", 200), ("shanghai-rummy", 120), ("may-i", 120), ("three-thirteen", 60)],
)
def test_greedy_players_end_the_hands_that_they_collect_for(name, turns):
    hands = list(play_hands(ruleset(name), Seats.of(["greedy"] * 3), 3, 12))
    assert {hand.reason for hand in hands} == {"out"}
    assert sum(hand.tally.turns for hand in hands) < turns * len(hands)
