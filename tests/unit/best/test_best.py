"""The best way to lay down a hand: cases in which the first choice that comes to mind is not the best one."""

import pytest

import best_oracle as oracle
from meldref.core.cards import JOKER, card_text, counted, each
from meldref.core.events import LayOff, Meld
from meldref.notation.reader import read_card_row
from meldref.notation.writer import write_action
from meldref.rulefiles.load import load_ruleset
from meldref_table.best import best_at, best_lay_down, every_way, terms_for


def rules(name="500-rummy", *settings):
    found, findings = load_ruleset(name, (), settings)
    assert found is not None, findings
    return found


def best(hand, table=(), ruleset=None, goal="score", players="AB"):
    """The answer for a hand, after its plays were played on a table."""
    found = oracle.built(ruleset or rules(), read_card_row(hand), table, players)
    answer = best_at(found.judge, found.position, goal)
    position = oracle.played(found, answer)
    assert position.hands[0] == answer.left
    return answer


def plays(answer):
    return [write_action(play) for play in answer.plays]


def left(answer):
    return " ".join(map(card_text, each(answer.left)))


def test_nothing_is_laid_where_nothing_fits():
    answer = best("2c 9h Kd")
    assert (answer.plays, answer.points, answer.gain, answer.bound) == ((), 0, 0, 0)
    assert sorted(left(answer).split()) == ["2c", "9h", "Kd"]


def test_a_card_that_fits_two_melds_goes_where_more_is_laid():
    assert plays(best("7h 8h 9h 9c 9d Tc 2s")) == ["meld 9c 9d 9h"]
    assert plays(best("9h Th Jh 9c 9d 2s")) == ["meld 9h Th Jh"]
    assert sorted(plays(best("6h 7h 8h 9h 9c 9d"))) == ["meld 6h 7h 8h", "meld 9c 9d 9h"]


def test_a_run_is_split_where_its_middle_makes_a_group():
    answer = best("3h 4h 5h 6h 7h 8h 9h 6c 6d")
    assert sorted(plays(answer)) == ["meld 3h 4h 5h", "meld 6c 6d 6h", "meld 7h 8h 9h"]


def test_runs_that_follow_each_other_are_laid_as_one():
    assert plays(best("4h 5h 6h 7h 8h 9h Th")) == ["meld 4h 5h 6h 7h 8h 9h Th"]


def test_a_full_run_is_laid_from_end_to_end():
    answer = best("As 2s 3s 4s 5s 6s 7s 8s 9s Ts Js Qs Ks")
    assert plays(answer) == ["meld 2s 3s 4s 5s 6s 7s 8s 9s Ts Js Qs Ks As"]
    low = best(
        "As 2s 3s 4s 5s 6s 7s 8s 9s Ts Js Qs Ks", ruleset=rules("500-rummy", "scoring.low_ace=30")
    )
    assert plays(low) == ["meld As 2s 3s 4s 5s 6s 7s 8s 9s Ts Js Qs Ks"]


def test_a_joker_goes_where_it_saves_most():
    answer = best("2c 3c Kd Ks Jk")
    assert plays(answer) == ["meld Kd Ks Jk=K"]
    assert sorted(left(answer).split()) == ["2c", "3c"]


def test_a_joker_takes_the_place_of_a_card_that_is_better_elsewhere():
    answer = best("5h 6h 7h 6c 6d Jk")
    assert answer.left == 0
    assert answer.points == 5 + 6 + 7 + 6 + 6 + 15


def test_an_ace_is_high_where_that_is_worth_more():
    answer = best("Ah 2h 3h Qh Kh")
    assert plays(answer) == ["meld Qh Kh Ah"]
    both = best("Ah 2h 3h 4h Kh", goal="points")
    assert plays(both) == ["meld Ah 2h 3h 4h"]
    assert both.points == 1 + 2 + 3 + 4


def test_a_low_ace_that_is_held_no_longer_is_worth_more_than_it_brings():
    answer = best("Ah 2h 3h 4h")
    assert plays(answer) == ["meld Ah 2h 3h 4h"]
    assert (answer.points, answer.gain) == (1 + 2 + 3 + 4, 1 + 2 + 3 + 4 + 15 + 2 + 3 + 4)


def test_the_goals_may_want_different_melds():
    ruleset = rules("500-rummy", "scoring.held={2: 50}")
    assert plays(best("2c 2d 2h 3h 4h", ruleset=ruleset)) == ["meld 2c 2d 2h"]
    assert plays(best("2c 2d 2h 3h 4h", ruleset=ruleset, goal="points")) == ["meld 2h 3h 4h"]


def test_cards_are_laid_off_at_both_ends_in_an_order_that_can_be_played():
    answer = best("3h 4h 8h Jk", [{"B": "5h 6h 7h"}])
    assert answer.left == 0
    assert answer.lay_offs[0][0] == 1
    assert {card.card for _, card in answer.lay_offs} == set(
        each(counted(read_card_row("3h 4h 8h Jk")))
    )


def test_a_meld_of_four_at_once_is_laid_first_and_then_built_on():
    persian = rules("persian-rummy")
    answer = best("8h 9h Th Jh Qh", ruleset=persian, players="ABCD")
    assert plays(answer) == ["meld 9h Th Jh Qh", "lay 8h m1"]
    assert answer.brings == (2 * (9 + 10 + 10 + 10), 8)


def test_four_aces_of_one_player_count_otherwise():
    ruleset = rules("500-rummy", "scoring.four_aces=100")
    assert best("Ac Ad Ah As", ruleset=ruleset).points == 100
    assert best("As 2c", [{"A": "Ac Ad Ah"}], ruleset=ruleset).points == 100 - 45
    assert best("As 2c", [{"B": "Ac Ad Ah"}], ruleset=ruleset).points == 15


def test_a_card_is_kept_where_the_rules_want_a_last_discard():
    ruleset = rules("500-rummy", "out.melding_all=forbidden")
    assert best("5h 6h 7h", ruleset=ruleset).plays == ()
    assert left(best("5h 6h 7h 8h", ruleset=ruleset)) == "5h"
    assert plays(best("5h 6h 7h 2c", ruleset=ruleset)) == ["meld 5h 6h 7h"]


def test_the_first_meld_is_worth_what_the_rules_want():
    ruleset = rules("500-rummy", "melds.first_points=30")
    assert best("2c 2d 2h 5h 6h 7h", ruleset=ruleset).plays == ()
    answer = best("2c 2d 2h Kc Kd Kh", ruleset=ruleset)
    assert plays(answer) == ["meld Kc Kd Kh", "meld 2c 2d 2h"]
    assert plays(best("2c 2d 2h 5h", [{"A": "7h 8h 9h"}], ruleset=ruleset)) == ["meld 2c 2d 2h"]
    long = best("4h 5h 6h 7h 8h 9h", ruleset=ruleset)
    assert plays(long) == ["meld 4h 5h 6h 7h 8h 9h"]


def test_nothing_is_laid_off_before_a_meld_where_that_is_forbidden():
    ruleset = rules("500-rummy", "layoff.before_melding=forbidden")
    table = [{"B": "5h 6h 7h"}]
    assert best("8h 9h", table, ruleset=ruleset).plays == ()
    answer = best("8h 9h 2c 2d 2s", table, ruleset=ruleset)
    assert [type(play) for play in answer.plays] == [Meld, LayOff]
    assert answer.left == 0


@pytest.mark.parametrize("onto", ["own", "own_side", "nothing"])
def test_only_melds_that_may_be_built_on_are(onto):
    ruleset = rules("500-rummy", f"layoff.onto={onto}")
    assert best("8h", [{"B": "5h 6h 7h"}], ruleset=ruleset).plays == ()
    assert bool(best("8h", [{"A": "5h 6h 7h"}], ruleset=ruleset).plays) == (onto != "nothing")


def test_what_counts_for_the_melder_is_laid_off_to_be_rid_of_it():
    ruleset = rules("500-rummy", "layoff.counts_for=melder")
    answer = best("8h", [{"B": "5h 6h 7h"}], ruleset=ruleset)
    assert (answer.points, answer.gain) == (0, 8)
    assert best("8h", [{"B": "5h 6h 7h"}], ruleset=ruleset, goal="points").gain == 0


def test_wild_cards_come_before_the_cards_they_stand_for_where_twins_are_forbidden():
    ruleset = rules("500-rummy", "melds.wild.twins=forbidden", "deck.packs=2")
    answer = best("7c 9c Tc 8c 8d 8h Jk", ruleset=ruleset)
    assert answer.left == 0


@pytest.mark.parametrize(
    "hand",
    [
        "7c 7c 9c 9c Jk Jk",
        "7c 7c 9c 9c Jk Jk 8d 8h",
        "7c 7c 9c 9c 7h 7h 9h 9h Jk Jk",
        "6c 8c 6c 8c Tc Jk Jk",
    ],
)
def test_every_order_is_searched_where_the_bound_cannot_be_reached(hand):
    ruleset = rules("500-rummy", "melds.wild.twins=forbidden", "deck.packs=2")
    found = oracle.built(ruleset, read_card_row(hand))
    assert best(hand, ruleset=ruleset).gain == oracle.most(found, "score")[0]


@pytest.mark.parametrize(
    ("swapped", "hand", "wanted"),
    [
        ("to_hand", "8c 2d 5h", ["swap 8c m1"]),
        ("laid_this_turn", "8c 2d 5h", []),
        ("laid_this_turn", "8c 2d 5h 5d", ["swap 8c m1", "meld 5d 5h Jk=5"]),
    ],
)
def test_a_wild_card_is_exchanged_only_if_it_can_be_laid_where_it_has_to_be(swapped, hand, wanted):
    ruleset = rules("online-rummy-500", f"melds.wild.swapped={swapped}")
    found = oracle.built(ruleset, read_card_row(hand), [{"B": "8d 8h 8s Jk=8"}])
    answer = every_way.best_lay_down(found.judge, found.position, "points")
    assert plays(answer) == wanted
    assert answer.bound == answer.gain


def test_large_hands_are_searched_in_no_time():
    terms = terms_for(rules(), 5)
    hand = counted([*range(0, 52, 2), JOKER, JOKER, JOKER, JOKER])
    answer = best_lay_down(terms, hand)
    assert answer.searched < 20_000
    assert answer.bound == answer.gain
    every = best_lay_down(terms, counted(range(52)))
    assert every.left == 0


def test_the_terms_of_a_ruleset_are_made_once():
    ruleset = rules()
    assert terms_for(ruleset, 2) is terms_for(ruleset, 2)
    assert terms_for(ruleset, 2, goal="points") is not terms_for(ruleset, 2)
