"""The list of moves is bounded by what is looked at: it is shorter then, never wrong, and says so."""

from itertools import combinations
from random import Random

import pytest

from audits import built
from meldref.answers import listing
from meldref.answers.legal import judge_without_help
from meldref.answers.listing import legal_moves, turn_moves
from meldref.core.cards import RANKS, SUITS, Played, counted, holds
from meldref.core.effort import EFFORT
from meldref.moves.exhaustive import MOST_STATES, finishes
from meldref.positions.build import Built
from meldref.rules.calls import _parts_alone

BOUNDS = (1, 50, 300, 1_000, 3_000, 10_000)


def before_a_pile(seed: int, cards: int, *, held: int = 13, jokers: int = 2, **given) -> Built:
    """A hand with jokers before a pile that is face up."""
    pack = [rank + suit for rank in RANKS for suit in SUITS]
    Random(seed).shuffle(pack)
    hand = ["Jk"] * jokers + pack[: held - jokers]
    pile = pack[held - jokers : held - jokers + cards]
    return built(to_move="A", hands={"A": " ".join(hand), "B": "?*1"}, pile=" ".join(pile), **given)


@pytest.mark.parametrize("seed", range(4))
def test_a_bounded_list_has_moves_of_the_full_one_and_says_that_it_is_complete_only_if_it_is(
    seed, monkeypatch
):
    """Before the draw, and after it; the longer it may take, the more are listed."""
    for here in (before_a_pile(seed, 12), before_a_pile(seed, 5, turn="draw ?")):
        full = legal_moves(here)
        assert full.complete
        assert full.searched
        before = 0
        for bound in (*BOUNDS, 100_000):
            monkeypatch.setattr(listing, "MOST_EFFORT", bound)
            bounded = legal_moves(here)
            assert set(bounded) <= set(full)
            assert bounded.complete == bounded.searched
            assert (bounded == full) if bounded.complete else (before <= len(bounded))
            before = len(bounded)
        assert bounded == full
        assert bounded.complete
        monkeypatch.undo()


@pytest.mark.parametrize("seed", range(4))
def test_the_most_that_are_listed_are_the_first_of_all(seed):
    """Whether there are others is said rightly, and calls are not looked for where they are not listed."""
    here = before_a_pile(seed, 20)
    full = legal_moves(here)
    own = len(turn_moves(here))
    assert own < len(full)
    for most in (1, 2, own - 1, own, own + 1, len(full) - 1, len(full), len(full) + 1):
        spent = EFFORT.spent
        listed = legal_moves(here, most=most)
        assert listed == full[:most]
        assert listed.complete == (most >= len(full))
        assert listed.searched
        if most < own:
            least = EFFORT.spent - spent
        elif most > own:
            assert EFFORT.spent - spent > least


def test_before_a_deep_pile_the_search_is_given_up_and_what_it_lists_is_legal_all_the_same():
    here = before_a_pile(1, 39)
    spent = EFFORT.spent
    listed = legal_moves(here)
    assert EFFORT.spent - spent < 1.1 * listing.MOST_EFFORT
    assert not listed.complete
    assert not listed.searched
    for one in listed[:: len(listed) // 40]:
        assert judge_without_help(here, one.move).verdict == "legal", one.move


def test_the_command_says_in_one_sentence_that_its_list_is_not_complete(meldref):
    hand, pile = (
        "Jk Jk 2c 4c 6c 8c Tc Qc 3d 5d 7d 9d Jd",
        "3c 5c 7c 9c Jc Kc 2d 4d 6d 8d Td Qd Kd 2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh 2s 3s 4s 5s",
    )
    asked = ("legal", "--hand", hand, "--pile", pile)
    ran = meldref(*asked)
    assert ran.code == 0
    assert ran.err == (
        "meldref: there are too many moves to look at all of them: a better one may be missing\n"
    )
    assert meldref(*asked, "--format", "json").data["complete"] is False
    assert meldref(*asked, "--quiet").err == ""


def test_what_lies_alone_of_a_called_meld_is_each_part_with_the_called_cards_and_none_from_the_hand():
    """Two packs: a card may be called while another copy of it comes from the hand."""
    rng = Random(7)
    for _ in range(300):
        laid = [Played(card) for card in rng.choices(range(7), k=rng.randrange(3, 8))]
        own = [played.card for played in rng.sample(laid, rng.randrange(1, 3))]
        wanted = counted({played.card for played in rng.sample(laid, 1)})
        places = range(len(laid))
        due = [place for place in places if holds(wanted, counted([laid[place].card]))]
        by_trying = [
            left
            for number in range(len(laid), 0, -1)
            for left in combinations(places, number)
            if set(due) <= set(left)
            and holds(
                counted([laid[place].card for place in set(places) - set(left)]), counted(own)
            )
        ]
        parts = list(_parts_alone(laid, own, wanted))
        assert parts == [tuple([laid[place] for place in left]) for left in by_trying]


def test_whether_a_turn_can_be_ended_is_left_open_wherever_the_search_has_to_stop():
    """A card taken from the pile is owed, and a house rule forbids its only meld."""
    no_twos = {"forbid": "meld", "when": "any(cards, .rank is 2)", "says": "Twos are not melded."}
    here = built(
        settings={"house_rules": {"no-twos": no_twos}},
        to_move="A",
        hands={"A": "2h 2d 5h Kd", "B": "?*3"},
        pile="2c 7s",
        turn="take 2c",
    )
    answers = []
    for bound in range(50):
        with EFFORT.at_most(bound):
            answers.append(finishes(here.judge, here.position, MOST_STATES))
    first = answers.index(False)
    assert first > 3
    assert answers == [None] * first + [False] * (50 - first)
