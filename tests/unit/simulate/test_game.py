"""A game played step by step: what a seat sees, the same game from the same seed, and players from outside."""

from __future__ import annotations

import random

import pytest

from meldref import Game, audit_text, load_ruleset
from meldref.core.cards import UNKNOWN
from meldref.core.events import Deal, Draw, StockOrder, Turn
from meldref_table.simulate import LogSource, Seats, WrongChoice, log_lines, play_games

GAMES = [
    "500-rummy",
    "500-rum",
    "gilfoy-500-rummy",
    "online-rummy-500",
    "partnership-500-rum",
    "persian-rummy",
]


def rules(name, *options):
    ruleset, findings = load_ruleset(name, options)
    assert ruleset is not None, findings
    return ruleset


def played(game, seed=1, hands=2, look=lambda game: None):
    """The game after some hands of any play."""
    chance = random.Random(seed)
    while not game.over and len(game.hands) < hands:
        look(game)
        game.step(chance.choice(game.actions))
    return game


class Picky:
    """Does anything that it is offered, and notes what it saw."""

    def __init__(self, seed=1):
        self.seen = []
        self.chance = random.Random(seed)

    def choose(self, seen, actions):
        self.seen.append(seen)
        return self.chance.choice(actions)


@pytest.mark.parametrize("name", GAMES)
def test_games_so_played_audit_clean_and_keep_the_score_that_the_audit_computes(name):
    game = played(Game(rules(name), seed=5))
    report = audit_text(game.log())
    assert report.verdict == "clean", report.findings
    assert [list(one.computed.values()) for one in report.scores] == [
        [score for score in hand.scores if score is not None] for hand in game.hands
    ]


@pytest.mark.parametrize("name", GAMES)
def test_a_seat_sees_its_own_cards_and_neither_other_hands_nor_the_stock(name):
    def look(game):
        position = game._run.run.hand.position
        for seat, player in enumerate(game.players):
            seen = game.observation(seat)
            assert seen.seat == seat
            for event in seen.lines:
                assert not isinstance(event, StockOrder)
                if isinstance(event, Deal) and event.player != player:
                    assert event.cards == ()
                    assert event.unknown > 0
                if isinstance(event, Turn) and event.player != player:
                    assert all(
                        one.card == UNKNOWN for one in event.actions if isinstance(one, Draw)
                    )
            if position is not None:
                assert len(seen.hand) == position.held[seat]
                assert seen.stock == position.stock_size

    played(Game(rules(name), seed=2), hands=1, look=look)


def test_what_others_hold_and_what_lies_in_the_stock_makes_no_difference_to_what_a_seat_sees():
    game = played(Game(rules("500-rummy"), seed=3), hands=1, look=lambda game: None)
    game.step(game.actions[0])
    before = game.observation(0)
    position = game._run.run.hand.position
    position.hands[1], position.stock[:] = position.hands[0], position.stock[::-1]
    assert game.observation(0) == before


def test_the_same_seed_and_the_same_steps_give_the_same_game():
    one, two = (
        played(Game(rules("500-rum"), ["Ann", "Bob", "Cy"], seed=9), seed=4) for _ in range(2)
    )
    assert one.log() == two.log()
    other = played(Game(rules("500-rum"), ["Ann", "Bob", "Cy"], seed=10), seed=4)
    assert other.log() != one.log()


def test_the_steps_are_those_that_the_library_plays_its_own_players_by():
    both = Picky(4)
    ruleset, table = rules("500-rummy"), Seats.of([both, both])
    game = played(Game(ruleset, seed=6), seed=4, hands=50)
    simulated = list(play_games(ruleset, table, 6, 1))
    assert [hand.lines for hand in simulated] == [hand.lines for hand in game.hands]
    assert game.winners == simulated[-1].winners
    assert game.totals == simulated[-1].totals


def test_a_game_that_is_over_has_winners_and_takes_no_step():
    game = played(Game(rules("500-rummy"), seed=6), hands=50)
    assert game.winners
    assert game.actions == ()
    with pytest.raises(ValueError, match="the game is over"):
        game.step(None)


def test_an_action_that_was_not_offered_is_refused_and_the_game_goes_on():
    game = Game(rules("500-rummy"), ["Ann", "Bob"], seed=1)
    before = game.actions
    with pytest.raises(
        WrongChoice, match="chose 'discard Ks', which is not among the actions offered: draw"
    ):
        game.step("discard Ks")
    assert game.actions == before


@pytest.mark.parametrize(
    ("players", "said"),
    [(12, "players"), (["Ann", "Ann"], "twice"), (["Ann", "B,b"], "'B,b'"), (["Ann", ""], "''")],
)
def test_a_table_that_cannot_play_is_told_why(players, said):
    with pytest.raises(ValueError, match=said):
        Game(rules("500-rummy"), players)


def test_a_player_from_outside_sits_with_the_librarys_own_and_its_log_is_clean():
    table = Seats.of(["greedy", Picky()])
    log = "".join(
        log_lines(
            play_games(rules("500-rummy"), table, 3, 1), LogSource("500-rummy", seed=3), table
        )
    )
    assert '[X-Seats "greedy, Picky"]' in log
    assert audit_text(log).verdict == "clean"
    assert {seen.seat for seen in table.bots[1].seen} == {1}


@pytest.mark.parametrize(
    ("player", "said"),
    [
        (object(), r"player 2: object has no method choose\(seen, actions\)"),
        (Picky, r"player 2: Picky is a class; give an object of it, as in Picky\(\)"),
        ("clever", "player 2: there is no kind 'clever'; there are random and greedy"),
    ],
)
def test_what_is_no_player_is_told_at_its_seat(player, said):
    with pytest.raises(TypeError, match=said):
        Seats.of(["greedy", player])


def test_a_player_that_chooses_what_was_not_offered_is_told_by_name():
    class Cheat:
        def choose(self, seen, actions):
            return Draw(3)

    with pytest.raises(WrongChoice, match="Ann chose draw 4"):
        list(play_games(rules("500-rummy"), Seats.of([Cheat(), "random"]), 1, 1))


def test_a_wild_rank_is_named_by_the_dealer_among_thirteen():
    game = Game(rules("500-rummy", "chosen-wild-rank"), seed=2)
    assert len(game.actions) == 13
    assert game.observation().hand == ()
    played(game)
    assert audit_text(game.log()).verdict == "clean"


def test_whoever_may_buy_decides_and_the_log_of_it_is_clean():
    game = Game(rules("contract-rummy"), 3, seed=2)
    words = ("Buy", "Meld", "Draw", "Discard", "NoneType")
    order = {word: place for place, word in enumerate(words)}
    while len(game.hands) < 1:
        game.step(min(game.actions, key=lambda one: order.get(type(one).__name__, len(order))))
    log = game.log("contract-rummy")
    assert log.count("buy ") > 3
    assert audit_text(log).verdict == "clean"
