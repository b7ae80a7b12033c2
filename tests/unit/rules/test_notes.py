"""What is said of a card that had to be used, or was bought, is true under every value of the keys it speaks of."""

from __future__ import annotations

from itertools import chain, combinations, product

import pytest

from audits import audit, built
from meldref.replay.play_moves import play_moves

WAYS = {"meld": "melded", "lay_off": "laid off", "swap": "exchanged"}
USES = [
    list(ways) for ways in chain.from_iterable(combinations(WAYS, number) for number in (1, 2, 3))
]
TAKES = ("all_above", "that_card", "whole_pile")
PILES = {"4h": "top", "9h 4h": "top", "4h 9h": "inside", "2c 4h 9h": "inside"}


def finding(takes: str, use: list[str], pile: str, moves: str = "A: take 4h; discard Kd", **more):
    """The one thing that is wrong with taking the four of hearts and not using it."""
    settings = {
        "draw": {"takes": takes, "use": use, "deep": {"must": "be_used"}, **more},
        "discard": {"taken_top": "allowed", "taken_deep": "any"},
        "melds": {"wild": {"swap": "for_natural"}},
    }
    given = {
        "hands": {"A": "4c 4d Kd Qs", "B": "3c"},
        "table": {"m1": {"B": "5h 6h 7h"}},
        "pile": pile,
    }
    at = built(settings=settings, **given)
    (found,) = play_moves(at, [moves]).findings
    return found


@pytest.mark.parametrize(("takes", "use", "pile"), list(product(TAKES, USES, PILES)))
@pytest.mark.sweep(every=4)
def test_a_card_that_was_not_used_is_told_where_it_lay_and_how_it_could_have_been_used(
    takes, use, pile
):
    more = {} if takes == "whole_pile" else {"top": {"must": "be_used"}}
    found = finding(takes, use, pile, **more)
    inside = PILES[pile] == "inside"
    assert found.code == (
        "draw.deep.unused" if inside or takes == "whole_pile" else "draw.top.unused"
    )
    (note,) = found.notes
    assert ("the whole pile" in note) is (takes == "whole_pile")
    assert ("was taken with other cards" in note) is (inside and takes != "whole_pile")
    assert ("was taken by itself" in note) is (not inside and takes != "whole_pile")
    assert ("inside" in found.message) is (inside and takes != "whole_pile")
    for way, deed in WAYS.items():
        assert (deed in found.message) is (way in use)


@pytest.mark.parametrize("use", [use for use in USES if "lay_off" not in use])
def test_a_card_that_may_not_be_laid_off_is_told_how_it_is_used(use):
    found = finding("all_above", use, "4h 9h", "A: take 4h; lay 4h m1; discard Kd")
    assert found.code == "draw.deep.lay-off"
    assert ("new meld" in found.message) is ("meld" in use)
    assert ("exchanged" in found.message) is ("swap" in use)


@pytest.mark.parametrize(("dealt", "due"), [(14, 13), (12, 13)])
def test_a_wrong_deal_says_what_was_dealt_and_then_what_is_right(dealt, due):

    hand = " ".join(f"{rank}{suit}" for suit in "cd" for rank in "A23456789TJQK")[: 3 * dealt - 1]
    log = f'[Rules "500-rummy"]\n[Players "Ann, Bob"]\nhand 1 dealer Bob\ndeal Ann {hand}\n'
    (found,) = audit(log).findings
    assert (found.code, f"dealt {dealt} cards instead of {due}" in found.message) == (
        "setup.deal",
        True,
    )


@pytest.mark.parametrize(
    ("rules", "said", "key"),
    [
        ("500-rummy", "8s makes a meld only with cards that lie deeper in the pile", "calls.takes"),
        ("500-rum", "8s makes a meld only with cards of the pile that were not", "calls.takes"),
        ("gilfoy-500-rummy", "8s fits nothing on the table", "calls.of"),
    ],
)
def test_a_call_of_too_few_cards_says_what_it_has_to_name(rules, said, key):
    given = {
        "players": ["A", "B", "C"],
        "to_move": "B",
        "discarded_by": "A",
        "hands": {"C": "2c 9d"},
    }
    at = built(rules, pile="6s 7s 8s", **given)
    (found, *_) = play_moves(at, ["C: rummy 8s; meld 6s 7s 8s"]).findings
    assert (found.code, found.rule.key) == ("call.nothing", key)
    assert found.message.startswith(said)
    assert found.message == said or not said.endswith("table")


def test_an_ace_that_goes_only_low_is_told_so_where_it_is_laid_off_high():
    at = built("basic-rummy", hands={"A": "Ah 9c Kd"}, table={"m1": {"B": "Jh Qh Kh"}})
    (found,) = play_moves(at, ["A: draw; lay Ah m1; discard 9c"]).findings
    assert (found.code, found.rule.key) == ("layoff.fit", "melds.kinds.sequence.ace")
    assert found.message.endswith("in this game, an ace goes only below the two")


def test_cards_too_many_for_a_meld_are_told_how_many_it_takes():
    at = built(hands={"A": "9c 9h 2c"}, table={"m1": {"B": "9d Jk=9 9s"}})
    (found,) = play_moves(at, ["A: draw; lay 9c 9h m1; discard 2c"]).findings
    assert (found.code, found.rule.key) == ("layoff.fit", "melds.kinds.group.size")
    assert found.message == "this group has room for 1 more card, not for 2"


@pytest.mark.parametrize(
    ("mixed", "move", "key"),
    [
        ("forbidden", "take 9c; draw; discard 2d", "draw.mixed"),
        ("forbidden", "take 9c; take 8c; discard 2d", "draw.mixed"),
        ("forbidden", "draw; draw; draw; discard 2d", "draw.count"),
        ("allowed", "take 9c; draw; draw; discard 2d", "draw.count"),
    ],
)
def test_a_draw_too_many_is_told_the_rule_that_forbids_it(mixed, move, key):
    settings = {"draw": {"count": 2, "mixed": mixed}}
    at = built(settings=settings, hands={"A": "2d 3d"}, pile="8c 9c")
    found = play_moves(at, [f"A: {move}"]).findings[0]
    assert (found.code, found.rule.key) == ("turn.draw", key)


def test_of_two_callers_the_one_who_plays_sooner_is_told_so():
    given = {
        "players": ["A", "B", "C", "D"],
        "to_move": "B",
        "hands": dict.fromkeys("ABCD", "?*3"),
        "table": {"m1": {"D": "7c 8c 9c"}},
        "pile": "4d Tc",
        "discarded_by": "A",
    }
    at = built("500-rum", settings={"calls": {"several": "nearest"}}, **given)
    (found,) = play_moves(at, ["D: rummy Tc; lay Tc m1", "C: rummy Tc; lay Tc m1"]).findings
    assert (found.code, found.span.line) == ("call.late", 1)
    assert "C, who plays sooner than D" in found.message


@pytest.mark.parametrize(
    ("moves", "said"),
    [
        (["A: draw ?; discard 2c", "B: buy 2c"], "take the discard instead of buying it"),
        (["A: draw ?; discard 2c", "B: buy Kd"], "whoever is to draw buys nothing"),
        (["A: draw ?; discard 2c", "C: buy 2c", "B: buy 2c"], "whoever is to draw buys nothing"),
    ],
    ids=["it lies there", "another card lies there", "somebody bought it"],
)
def test_whoever_is_to_draw_is_told_to_take_a_discard_only_if_it_lies_there(moves, said):
    hands = {"A": "9d 2c", "B": "4c 4d", "C": "Kc Kd"}
    at = built("may-i", players=["A", "B", "C"], hand=1, hands=hands, pile="5s")
    (found,) = play_moves(at, moves).findings
    assert (found.code, found.message) == ("buy.own", f"it is B's turn: {said}")
