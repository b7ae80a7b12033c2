"""Totals over several hands, and winners, where no line says what each hand scored."""

from __future__ import annotations

from audits import audit, found

HEAD = """[Rules "500-rummy"]
[Options "no-jokers, end-by-agreement"]
[Set "deal.cards=3"]
[Players "Ann, Bob, Cy"]
"""


def hand(number: int, *turns: str) -> str:
    """A hand in which one throws what was drawn, and nobody sees the cards that are held."""
    first = ["Ann", "Bob", "Cy"][(number - 1) % 3 :] + ["Ann", "Bob", "Cy"][: (number - 1) % 3]
    rows = [f"hand {number} dealer {first[-1]}", "up 4c"]
    rows += [f"{at}. {name}: draw 2d; discard 2d" for at, name in enumerate(first[:1], 1)]
    return "\n".join([*rows, *turns, "end agreed"]) + "\n"


TWO = HEAD + hand(1) + hand(2)
"""Three cards cost 6 to 45 points: in two hands, a player has -12 to -90."""


def test_a_total_that_no_cards_make_in_several_hands_is_found():
    last = TWO.count("\n") + 1
    for total, wrong in ((-12, False), (-90, False), (-91, True), (-11, True), (0, True)):
        text = f"{TWO}total Ann {total}\n"
        assert found(text) == ([(last, "score.total")] if wrong else [])
        assert bool(audit(text).open) is not wrong


def test_a_total_after_one_that_a_line_states_is_weighed_from_there():
    text = TWO + "total Ann -20\n" + hand(3) + hand(4)
    last = text.count("\n") + 1
    assert found(f"{text}total Ann -110\n") == []
    (wrong,) = audit(f"{text}total Ann -111\n").findings
    assert (wrong.span.line, wrong.lines) == (last, (TWO.count("\n") + 1,))


def test_a_total_before_the_turns_of_a_hand_is_not_that_of_the_hand():
    begun = hand(2).replace("up 4c", "up 4c\ntotal Ann -6")
    assert found(HEAD + hand(1) + begun) == []


def test_an_adjustment_ends_what_is_weighed_over_several_hands():
    assert found(f'{HEAD}{hand(1)}adjust Ann -100 "late"\n{hand(2)}total Ann -120\n') == []


def test_a_winner_who_is_behind_another_in_any_case_is_found():
    """Ann lays three aces and goes out; the others cannot have a point."""
    log = HEAD + hand(3).replace("hand 3", "hand 1").replace(
        "end agreed", "2. Ann: draw As; meld As Ad Ac; discard Kd\nend out Ann"
    )
    log = log.replace("[Players", '[Set "game.target=40"]\n[Players')
    last = log.count("\n") + 1
    assert (last, "game.winner") in found(f"{log}result Bob\n")
    assert (last, "game.winner") not in found(f"{log}result Ann\n")


def test_a_player_who_may_be_out_of_the_game_need_not_deal():
    log = """[Rules "kalooki-40"]
[Players "Ann, Bob, Cy"]
hand 1 dealer Ann
up 4c
1. Bob: draw 2d; discard 2d
end out Bob
hand 2 dealer Cy
"""
    assert "setup.dealer" not in {code for _, code in found(log)}
    scored = log.replace("hand 2", "score Ann 5, Bob 5, Cy 0\nhand 2")
    assert "setup.dealer" in {code for _, code in found(scored)}


def test_a_score_that_no_cards_of_the_deck_make_is_told_with_what_they_may_cost():
    (wrong,) = audit(f"{HEAD}{hand(1)}score Ann -5\n").findings
    assert wrong.code == "score.hand"
    assert "-5" in wrong.message
    assert "cost 6 to 45" in wrong.message
