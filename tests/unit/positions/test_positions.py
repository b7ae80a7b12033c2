"""Positions as people write them: every form that can be used, and what is wrong with the others."""

from __future__ import annotations

import pytest

from audits import built, cards_in_all, check_position, unusable
from meldref.answers.legal import judge_move
from meldref.core.cards import UNKNOWN, cards_text, each
from meldref.core.diagnostics import Span
from meldref.position.turn import FROM_PILE
from meldref.positions.build import build_position
from meldref.rulefiles.load import load_ruleset

HANDS = {"A": "8c 8d 2s", "B": "?*6"}


def hand(position, seat: int) -> tuple[str, int]:
    return cards_text(each(position.hands[seat])), position.unknown[seat]


def test_nothing_written_is_the_start_of_a_game_for_two():
    """Hands left out are unknown cards of the dealt number; the rest of the deck is the stock."""
    position = built().position
    assert position.players == ("A", "B")
    assert [hand(position, seat) for seat in (0, 1)] == [("", 13), ("", 13)]
    assert (position.pile, position.stock_size, position.turn.seat) == ([], 28, 0)
    check_position(position)


def test_a_hand_left_out_has_the_dealt_number_of_cards():
    position = built(players=["A", "B", "C"], hands={"A": "5h"}).position
    assert [hand(position, seat) for seat in (0, 1, 2)] == [("5h", 0), ("", 7), ("", 7)]


def test_a_hand_may_be_known_in_part():
    position = built(hands={"A": "8c ?*3 2s ?", "B": ""}).position
    assert [hand(position, seat) for seat in (0, 1)] == [("8c 2s", 4), ("", 0)]


def test_the_table_is_written_by_who_laid_what_in_order():
    position = built(
        players=["A", "B", "C"],
        hands=HANDS,
        table={"m1": {"B": "5h 6h 7h", "A": "8h"}, "m2": {"C": "6c 7c Jk=8c"}},
    ).position
    laid = [[(one.seat, one.points) for one in meld.cards] for meld in position.melds]
    assert laid == [[(1, 5), (1, 6), (1, 7), (0, 8)], [(2, 6), (2, 7), (2, 15)]]
    assert position.points == [8, 18, 28]
    check_position(position)


def test_a_meld_may_be_laid_by_several_from_the_start():
    """What the first laid need not be a meld by itself if all together are one."""
    position = built(hands=HANDS, table={"m1": {"B": "5h 6h", "A": "7h"}}).position
    assert position.points == [7, 11]


def test_the_pile_is_written_from_its_bottom():
    position = built(hands=HANDS, pile="6s 4c Qs").position
    assert cards_text(position.pile) == "6s 4c Qs"
    assert position.fresh


@pytest.mark.parametrize(
    ("stock", "size", "known"),
    [
        ("9c 4d", 2, "9c 4d"),
        ("9c ?*20", 21, "9c"),
        (20, 20, ""),
        (0, 0, ""),
        ("", 0, ""),
        ("? 9c", 2, "? 9c"),
    ],
)
def test_the_stock_is_its_cards_or_a_number(stock, size, known):
    position = built(hands=HANDS, stock=stock).position
    row = [*reversed(position.stock)]
    while row and row[-1] == UNKNOWN:
        row.pop()
    assert (position.stock_size, cards_text(row)) == (size, known)


def test_an_unwritten_stock_is_what_the_deck_leaves():
    position = built(hands=HANDS, table={"m1": {"B": "5h 6h 7h"}}, pile="6s 4c").position
    assert cards_in_all(position) == 54
    assert position.stock_size == 54 - 9 - 3 - 2


def test_the_card_a_draw_names_counts_as_the_top_of_an_unknown_stock():
    position = built(hands=HANDS)
    assert judge_move(position, "draw 9c; discard 2s").verdict == "legal"
    assert (
        judge_move(built(hands=HANDS, stock="9d ?*9"), "draw 9c; discard 2s").verdict == "illegal"
    )


@pytest.mark.parametrize(("by", "seat"), [("A", 0), ("B", 1), ("nobody", None)])
def test_who_discarded_the_top_card_may_be_written(by, seat):
    assert built(hands=HANDS, pile="6s", discarded_by=by).position.discarder == seat


def test_the_player_before_the_mover_discarded_unless_it_is_written():
    assert built(players=["A", "B", "C"], to_move="B", pile="6s").position.discarder == 0
    assert built(players=["A", "B", "C"], pile="6s").position.discarder == 2


def test_what_the_mover_has_done_already_is_played():
    """The cards may lie as before it, such as those taken in the pile."""
    position = built(hands={"A": "8c 8d 2s", "B": "9c"}, pile="8s Kd", turn="take 8s").position
    assert hand(position, 0) == ("8c 8d Kd 2s 8s", 0)
    assert position.turn.source is FROM_PILE
    assert position.turn.duty is not None
    assert position.pile == []


@pytest.mark.parametrize(
    ("given", "turn", "move", "code"),
    [
        ({"hands": {"A": "8h 2c Kd"}}, "take 8h x2", "discard 2c", "draw.deep.unused"),
        ({"hands": {"A": "8h 2c Kd"}}, "take 8h", "discard 8h", "discard.taken-top"),
        ({"hands": {"A": "8h 2c Kd"}}, "take 8h", "discard 2c", None),
        ({"hands": {"A": "8h ?*2"}}, "take 8h x2", "discard 2c", "draw.deep.unused"),
        ({"hands": {"A": "2c ?*2"}}, "take 8h", "discard 8h", "discard.taken-top"),
        ({"hands": {"A": "8h 2c Kd"}}, "draw 8h", "draw 5c", "turn.draw"),
        ({"hands": {"A": "8h 2c Kd"}, "stock": "9c ?*9"}, "draw 8h", "discard 8h", None),
        (
            {"hands": {"A": "2c Kd"}, "table": {"m1": {"A": "8h 8c 8d"}}},
            "take 8h x2; meld 8h 8c 8d",
            "discard 2c",
            None,
        ),
        (
            {"hands": {"A": "2c"}, "table": {"m1": {"B": "5h 6h 7h", "A": "8h"}}},
            "take 8h; lay 8h m1",
            "discard 2c",
            None,
        ),
        (
            {"hands": {"A": "2c"}, "table": {"m1": {"A": "5h 6h 7h 8h"}}},
            "draw 8h; lay 8h m1",
            "discard 2c",
            None,
        ),
        (
            {"hands": {"A": "2c"}, "table": {"m1": {"A": "5h 6h 7h 8h"}, "m2": {"B": "9c 9d 9s"}}},
            "draw 8h; lay 8h",
            "discard 2c",
            None,
        ),
    ],
)
def test_the_cards_may_lie_as_after_what_the_mover_has_done(given, turn, move, code):
    """Hand, table, pile and stock say how it stands now, and the turn what was done to come there."""
    position = built(**given, pile="6s", turn=turn)
    verdict = judge_move(position, move)
    assert [one.code for one in verdict.findings] == ([code] if code else [])
    if "table" in given:
        assert position.position.points[0] == {"8h 8c 8d": 24, "8h": 8}.get(
            given["table"]["m1"]["A"], 26
        )


@pytest.mark.parametrize(
    ("given", "turn"),
    [
        ({"hands": {"A": "2c"}}, "take 8h"),
        ({"hands": {"A": "8h"}}, "take 8h x2"),
        ({"hands": {"A": "2c"}, "table": {"m1": {"A": "5h 6h 7h"}}}, "draw 8h; meld 6h 7h 8h"),
        (
            {"hands": {"A": "2c"}, "table": {"m1": {"B": "5h 6h 7h"}}},
            "draw 8h; lay 8h m1; meld 5h 6h 7h",
        ),
        (
            {"hands": {"A": "8c"}, "table": {"m1": {"A": "5h 6h 7h"}}, "points": {"A": 18}},
            "draw 8c; meld 5h 6h 7h",
        ),
    ],
)
def test_a_turn_after_which_the_cards_cannot_lie_so_makes_a_position_unusable(given, turn):
    assert unusable(**given, turn=turn) != []


def test_the_first_turn_of_a_hand_has_no_draw_where_the_rules_say_so():
    given = {"rules": "500-rum", "hands": {"A": "8c 2s", "B": "9c"}, "pile": "Kd"}
    assert judge_move(built(**given, opening="first_turn"), "discard 2s").verdict == "legal"
    assert judge_move(built(**given), "discard 2s").verdict == "illegal"


def test_floaters_the_wild_rank_and_points_may_be_written():
    position = built(
        "gilfoy-500-rummy",
        ("chosen-wild-rank",),
        hands={"A": "", "B": "5c 5d 3h"},
        floating=["A"],
        wild="3",
        to_move="B",
        points={"A": 48},
    )
    assert position.position.floating == {0}
    assert position.position.points == [48, 0]
    assert judge_move(position, "draw 9s; meld 5c 5d 3h=5; discard 9s").verdict == "legal"


@pytest.mark.parametrize("rank", ["T", "10", 10, "3", 3, "a", "K"])
def test_a_wild_rank_is_read_as_people_write_it(rank):
    assert (
        built("gilfoy-500-rummy", ("chosen-wild-rank",), wild=rank).position.wild_rank is not None
    )


def test_a_position_need_not_account_for_the_whole_deck():
    assert built(hands={"A": "8c", "B": "9c"}, pile="2d", stock="3d").position.stock_size == 1


@pytest.mark.parametrize(
    ("given", "code", "path"),
    [
        ({"hans": {}}, "log.syntax", ("hans",)),
        ({"players": "A, B"}, "log.syntax", ("players",)),
        ({"players": ["A", "A"]}, "log.syntax", ("players",)),
        ({"players": ["A", 3]}, "log.syntax", ("players",)),
        ({"players": ["A", ""]}, "log.syntax", ("players",)),
        ({"players": ["A"]}, "setup.players", ("players",)),
        ({"players": list("ABCDEFGHI")}, "setup.players", ("players",)),
        ({"to_move": "C"}, "log.name", ("to_move",)),
        ({"hands": "5h"}, "log.syntax", ("hands",)),
        ({"hands": {"C": "5h"}}, "log.name", ("hands", "C")),
        ({"hands": {"A": 5}}, "log.syntax", ("hands", "A")),
        ({"hands": {"A": ["5h"]}}, "log.syntax", ("hands", "A")),
        ({"hands": {"A": "5x"}}, "log.syntax", ("hands", "A")),
        ({"hands": {"A": "5h Jk=6h"}}, "log.syntax", ("hands", "A")),
        ({"table": {"m2": {"A": "5h 6h 7h"}}}, "log.syntax", ("table", "m2")),
        (
            {"table": {"m1": {"A": "5h 6h 7h"}, "m3": {"A": "9c 9d 9h"}}},
            "log.syntax",
            ("table", "m3"),
        ),
        ({"table": {"m1": "5h 6h 7h"}}, "log.syntax", ("table", "m1")),
        ({"table": {"m1": {}}}, "log.syntax", ("table", "m1")),
        ({"table": {"m1": {"C": "5h 6h 7h"}}}, "log.name", ("table", "m1", "C")),
        ({"table": {"m1": {"A": "5h 6h"}}}, "meld.size", ("table", "m1")),
        ({"table": {"m1": {"A": "5h 6h 8h"}}}, "meld.shape", ("table", "m1")),
        ({"table": {"m1": {"A": "9d Jk Jk"}}}, "wild.unbound", ("table", "m1")),
        ({"table": {"m1": {"A": "5h 6h 7h", "B": "9h"}}}, "layoff.fit", ("table", "m1")),
        ({"pile": ["5h"]}, "log.syntax", ("pile",)),
        ({"pile": "5h 5hh"}, "log.syntax", ("pile",)),
        ({"stock": -1}, "log.syntax", ("stock",)),
        ({"stock": True}, "log.syntax", ("stock",)),
        ({"stock": 1.5}, "log.syntax", ("stock",)),
        ({"stock": "nine"}, "log.syntax", ("stock",)),
        ({"discarded_by": "C"}, "log.name", ("discarded_by",)),
        ({"opening": "yes"}, "log.syntax", ("opening",)),
        ({"floating": "A"}, "log.syntax", ("floating",)),
        ({"floating": ["C"]}, "log.name", ("floating", 0)),
        ({"wild": "x"}, "log.syntax", ("wild",)),
        ({"wild": ["3"]}, "log.syntax", ("wild",)),
        ({"points": {"C": 3}}, "log.name", ("points", "C")),
        ({"points": {"A": "3"}}, "log.syntax", ("points", "A")),
        ({"points": [3]}, "log.syntax", ("points",)),
        ({"turn": ["draw"]}, "log.syntax", ("turn",)),
        ({"turn": "drow"}, "log.syntax", ("turn",)),
        ({"turn": "take 5h"}, "draw.pile", ("turn",)),
        ({"pile": "5h 6h 7h", "turn": "take 6h x3"}, "log.number", ("turn",)),
        ({"hands": {"A": "5h 6h 7h"}, "turn": "draw; meld 5h 6h 7h m2"}, "log.number", ("turn",)),
        ({"hands": {"A": "5h"}, "turn": "draw 6h; discard 7h"}, "hand.missing", ("turn",)),
        ({"hands": {"A": "5h", "B": "5h"}}, "log.copies", ()),
        ({"hands": {"A": "5h"}, "pile": "5h"}, "log.copies", ()),
        ({"hands": {"A": "5h"}, "stock": "5h"}, "log.copies", ()),
        ({"hands": {"A": "5h"}, "table": {"m1": {"B": "5h 6h 7h"}}}, "log.copies", ()),
        ({"hands": {"A": "Jk Jk Jk"}}, "log.copies", ()),
    ],
)
def test_what_is_wrong_with_a_position_is_found_at_its_place(given, code, path):
    assert unusable(**given) == [(code, path)]


def test_what_is_wrong_in_a_turn_is_found_at_its_columns():
    ruleset, _ = load_ruleset("500-rummy")
    given = {"hands": {"A": "4d 9h"}, "pile": "4c 7h", "turn": "take 4c x3; discard 9h"}
    written = Span(3, 7, 7 + len('"take 4c x3; discard 9h"'))
    _, wrong = build_position(
        given, ruleset, lambda path: written if path == ("turn",) else Span(1)
    )
    assert [(one.code, one.span) for one in wrong] == [("log.number", Span(3, 8, 18))]


def test_a_player_s_lay_offs_are_a_set_of_cards():
    position = built(table={"m1": {"A": "5h 6h 7h", "B": "9h 4h 8h"}}).position
    assert len(position.melds[0].shape.roles) == 6


def test_a_position_that_is_no_mapping_cannot_be_used():
    ruleset, _ = load_ruleset("500-rummy")
    position, wrong = build_position(["A"], ruleset, lambda path: Span(1))
    assert position is None
    assert [one.code for one in wrong] == ["log.syntax"]


def test_a_joker_where_the_deck_has_none_is_found():
    assert unusable("500-rum", hands={"A": "Jk"}) == [("setup.deck", ())]


def test_several_mistakes_are_found_at_once():
    assert len(unusable(hands={"A": "5x", "C": "5h"}, pile=3, wild="z")) == 4
