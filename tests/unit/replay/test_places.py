"""Where the findings of a log stand: game and hand; and sentences that name several players or cards."""

from __future__ import annotations

import pytest

from audits import audit, built
from meldref.replay.play_moves import play_moves

GAMES = """[Rules "500-rummy"]
[Players "Ann, Bob"]
{0}
hand 1
{1}
score Ann 5, Bob 5
{2}
hand 2
{3}
score Ann 5, Bob 5

[Rules "500-rummy"]
{4}
[Players "Cy, Dee"]
{5}
hand 1
{6}
score Cy 5, Dee 5
"""
PLACES = [(0, 0), (1, 1), (1, 1), (1, 2), (0, 0), (0, 0), (2, 1)]


@pytest.mark.parametrize("spoiled", range(len(PLACES)))
@pytest.mark.parametrize(
    "line", ["hannd", "1. Ann; draw", "score Ann", "\x01", "x" * 70_000], ids=len
)
def test_a_line_that_cannot_be_read_is_in_the_game_and_hand_in_which_it_stands(spoiled, line):
    """Among its headers a game has not begun."""
    texts = ["# nothing"] * len(PLACES)
    texts[spoiled] = line
    (finding,) = [one for one in audit(GAMES.format(*texts)).findings if one.code == "log.syntax"]
    assert (finding.game, finding.hand) == PLACES[spoiled]


def test_a_game_that_cannot_be_played_is_named_by_its_number():
    text = '[Rules "500-rummy"]\n[Players "A, B"]\nhand 1\n\n[Rules "500-rummy"]\nhand 1\n'
    (finding,) = audit(text).findings
    assert (finding.code, finding.game, finding.hand) == ("log.syntax", 2, 0)


RUM = '[Rules "500-rum"]\n[Players "A, B, C"]\n'


@pytest.mark.parametrize(
    ("log", "said"),
    [
        (f"{RUM}cut A 3c, B 3d, C Kh\nhand 1 dealer C\n", "C deals, but A or B should deal"),
        (f"{RUM}cut A 3c, B 4d, C Kh\nhand 1 dealer C\n", "C deals, but A should deal"),
        (
            f"{RUM}cut A 3c, B 3c, C Kh\nhand 1 dealer C\n",
            "this is one 3c too many: the deck has only 1, and it is elsewhere",
        ),
        (
            f"{RUM}hand 1\nscore A 9, B 9, C 9\nresult A, B\n",
            "the game is not over, so A and B have not won yet",
        ),
        (
            f"{RUM}hand 1\nscore A 9, B 9, C 9\nresult A\n",
            "the game is not over, so A has not won yet",
        ),
        (
            f"{RUM.replace('500-rum', 'contract-rummy')}hand 4\nA: draw 2c; meld 4c 4d 4h; discard 5c\n",
            "this hand's contract also requires two groups of 3 or more cards",
        ),
    ],
)
def test_what_is_said_of_players_agrees_with_their_number(log, said):
    assert [finding.message for finding in audit(log).findings] == [said]


def test_where_a_wrong_total_ends_the_game_it_is_said_that_it_is_not_over():
    scores = "score A 345, B 335, C 0\ntotal A 425, B 515, C 0\nresult B\n"
    total, winner = audit(f"{RUM}hand 1\nscore A 80, B 80, C 0\nhand 2\n{scores}").findings
    assert (total.code, winner.code) == ("score.total", "game.winner")
    assert winner.message == "B has not won: the game is not over, and A is ahead"


TABLE = {"m1": {"B": "5h 6h 7h"}, "m2": {"B": "8c 8d 8s"}, "m3": {"B": "Td Jd Qd"}}


@pytest.mark.parametrize(
    ("hand", "pile", "move", "said"),
    [
        ("2c Kc", "9h", "A: draw; lay 2c; discard Kc", "2c extends no meld on the table"),
        (
            "2c Kc 3c",
            "9h",
            "A: draw; lay 2c 3c; discard Kc",
            "2c and 3c extend no meld on the table",
        ),
        ("8h Kc", "9h", "A: draw; lay 8h; discard Kc", "8h fits m1 and m2: say which one"),
        ("2c Kc", "9h", "B: rummy 9s", "9s is not in the pile"),
        ("2c Kc", "9h 3c", "B: rummy 9s Ts", "9s and Ts are not in the pile"),
        ("2c Kc", "9s 3s", "B: rummy 3s", "3s fits nothing on the table or in the pile"),
        (
            "3c Kc",
            "2s 3d 4d 5d",
            "B: rummy 3d 4d 5d; meld 3d 4d 5d 6d",
            "6d comes from the caller's hand, but the called cards must form a meld without cards from a hand",
        ),
        (
            "3c Kc",
            "2s 3d 4d 5d",
            "B: rummy 3d 4d 5d; meld 3d 4d 5d 6d 7d",
            "6d and 7d come from the caller's hand, but the called cards must form a meld without cards from a hand",
        ),
        ("3c Kc", "3d 4d 5d", "B: rummy 3d 4d 5d", "3d, 4d and 5d were called and not melded"),
    ],
)
def test_what_is_said_of_cards_agrees_with_their_number(hand, pile, move, said):
    hands = {"A": hand, "B": "?*7"}
    outcome = play_moves(
        built("500-rum", hands=hands, table=TABLE, pile=pile, discarded_by="A"), [move]
    )
    assert said in [finding.message for finding in outcome.findings]


@pytest.mark.parametrize(
    ("how", "pile", "missing"),
    [
        ("but_top", "5s 9s", True),
        ("whole_pile", "5s 9s", True),
        ("but_top", "9s", False),
        ("never", "5s 9s", False),
    ],
)
def test_a_draw_from_an_empty_stock_names_the_line_that_is_missing(how, pile, missing):
    hands = {"A": "2c 3d", "B": "4d 5d"}
    position = built(settings={"stock.reshuffle": how}, hands=hands, pile=pile, stock=0)
    (finding,) = play_moves(position, ["A: draw; discard 2c"]).findings
    assert finding.code == "draw.stock"
    assert ("reshuffle" in finding.message) is missing
    assert finding.rule is not None
    assert finding.rule.key == ("stock.reshuffle" if missing else "stock.empty")


def test_a_name_in_a_move_that_is_nearly_a_player_s_is_found_with_the_one_meant():
    hands = {"Ann": "2c 3d", "Bob": "4d 5d"}
    position = built(players=["Ann", "Bob"], hands=hands, pile="9s", stock=20, to_move="Ann")
    outcome = play_moves(position, ["Anne: draw; discard 2c", "Bob: take 2c; discard 4d"])
    messages = [finding.message for finding in outcome.findings]
    assert messages == ["Anne is not one of the players; did you mean Ann?"]


def test_a_wrong_score_of_several_on_a_line_is_marked_by_itself():
    log = """[Rules "500-rummy"]
[Players "Ann, Oma Lotte"]
hand 1
Ann: draw ?; meld Th Td Tc; discard 9c
= scores: Ann 30; Oma Lotte = 5 # so far
= score "Oma Lotte" 10, Ann 35
"""
    findings = audit(log).findings
    marked = [
        finding.excerpt[finding.span.column - 1 : finding.span.end_column - 1]
        for finding in findings
    ]
    assert [finding.code for finding in findings] == ["log.assert"] * 3
    assert marked == ["Oma Lotte = 5", '"Oma Lotte" 10', "Ann 35"]
    assert findings[2].message == "Ann's points are not as asserted"


@pytest.mark.parametrize(
    ("score", "message"),
    [
        ("score N 5, E 5, N 5", "N is on this line twice: N+S score together"),
        ("score N 5, E 5, S 5", "S is on this line twice: N+S score together"),
        ("score N+S 5, E+W 5, N+S 5", "N+S is on this line twice"),
    ],
)
def test_partners_on_one_line_are_one_side(score, message):
    log = f'[Rules "partnership-500-rum"]\n[Players "N, E, S, W"]\nhand 1\n{score}\n'
    assert [finding.message for finding in audit(log).findings] == [message]


def test_a_hand_is_shown_as_it_is_asserted():
    log = """[Rules "500-rummy"]
[Players "Ann, Bob"]
hand 1
deal Ann 5h ?*12
up 6c
= hand Ann 6h 7h
= hand Bob 5h ?*12
"""
    short, elsewhere = audit(log).findings
    assert short.notes[:2] == ("asserted: 2 cards", "computed: 13 cards")
    assert elsewhere.notes == ("asserted: 5h ?*12", "computed: ?*13")


def test_a_house_rule_in_a_header_that_cannot_be_read_is_told_of_at_that_header():
    rule = "{forbid: discard, when: card.pts > 3, says: No.}"
    text = f'[Rules "500-rummy"]\n[Players "Ann, Bob"]\n[Set "house_rules.x={rule}"]\nhand 1\n'
    (finding,) = audit(text).findings
    assert finding.message.startswith("house_rules.x.when: card has no fact pts")
    assert (finding.span.line, finding.span.column) == (3, 1)
