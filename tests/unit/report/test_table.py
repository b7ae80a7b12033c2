"""A position as it is shown, and as a position file has it."""

from __future__ import annotations

from meldref.core.diagnostics import Span
from meldref.position.model import UNCOUNTED, Ending, Position
from meldref.positions.build import build_position
from meldref.report.table import position_data, table_lines
from meldref.rulefiles.load import load_ruleset

GIVEN = {
    "players": ["Ann", "Bob", "Cy"],
    "to_move": "Bob",
    "hands": {"Ann": "2c 5s", "Bob": "?*6", "Cy": "9d ?*2"},
    "table": {"m1": {"Bob": "5h 6h 7h", "Ann": "8h"}, "m2": {"Cy": "6c 7c Jk=8c"}},
    "pile": "6s 4c Qs",
    "stock": "9c 4d ?*20",
    "discarded_by": "Ann",
}


def built(value: object) -> Position:
    ruleset, wrong = load_ruleset("500-rummy")
    assert ruleset is not None, wrong
    position, findings = build_position(value, ruleset, lambda _: Span(1))
    assert position is not None, findings
    return position.position


def test_a_position_comes_out_as_it_went_in():
    data = position_data(built(GIVEN))
    assert {key: data[key] for key in GIVEN} == GIVEN


def test_what_comes_out_can_go_in_again():
    data = position_data(built(GIVEN))
    assert position_data(built(data)) == data


def test_the_table_shows_players_melds_pile_and_stock():
    assert list(table_lines(built(GIVEN))) == [
        "    Ann   8  2c 5s  (2 cards)",
        "  > Bob  18  ?*6  (6 cards)",
        "    Cy   28  9d ?*2  (3 cards)",
        "    m1: Bob 5h 6h 7h, Ann 8h",
        "    m2: Cy 6c 7c Jk=8c",
        "    pile   6s 4c Qs",
        "    stock  22 cards, next 9c 4d",
    ]


def test_only_the_next_few_cards_of_a_known_stock_are_shown():
    text = "\n".join(table_lines(built({"stock": "2c 3c 4c 5c 6c 7c 8c"})))
    assert "stock  7 cards, next 2c 3c 4c 5c 6c …" in text


def test_what_nobody_knows_is_said_to_be_unknown_and_left_out():
    position = built(GIVEN)
    position.unknown[0] = position.held[0] = position.stock_size = UNCOUNTED
    position.stock = []
    position.mover_known = False
    position.unwritten = position.unwritten._replace(pile=True)
    data = position_data(position)
    assert "pile" not in data
    assert "stock" not in data
    assert "to_move" not in data
    assert "Ann" not in data["hands"]
    text = "\n".join(table_lines(position))
    assert text.count("unknown") == 3
    assert ">" not in text


def test_the_end_of_a_hand_is_said():
    position = built(GIVEN)
    position.ending = Ending.OVER
    assert list(table_lines(position))[-1] == "    the hand is over"
    position.ending = Ending.PROVISIONAL
    assert list(table_lines(position))[-1] == "    the hand is over, unless somebody calls"


def test_empty_hands_and_piles_are_said_to_be_so():
    text = list(table_lines(built({"hands": {"A": ""}, "pile": "", "floating": ["A"], "stock": 3})))
    assert text[0].endswith("no card, floating")
    assert "    pile   no card" in text
