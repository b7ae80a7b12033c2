"""A rule that is registered is obeyed everywhere, from that moment."""

from __future__ import annotations

import random

import pytest

import best_oracle
import listed
from meldref import best_plays, judge_move, legal_moves, legal_turns, load_position
from meldref.core.cards import RANKS, count, rank_of
from meldref.core.events import Discard, Draw, LayOff, Meld
from meldref.melds import Reading
from meldref.position.turn import FROM_STOCK
from meldref.rules.base import Violation
from meldref_authoring.compare import compare_rules
from meldref_table.simulate import LogSource, Seats, log_lines, play_hands
from property.test_moves import small_position
from registered import registered
from simulated import findings, ruleset


def no_king_is_melded(binding):
    def check(position, action):
        kings = [one for one in action.cards if one.card < 52 and RANKS[rank_of(one.card)] == "K"]
        return Violation("meld.shape", "a king is not melded") if kings else None

    return check


def no_discard_of_a_card_drawn(binding):
    def check(position, action):
        turn = position.turn
        drawn = turn.source is FROM_STOCK and not count(turn.held_before, action.card)
        return Violation("discard.taken-top", "a card drawn is not thrown back") if drawn else None

    return check


def runs_have_an_even_number_of_cards(binding):
    def check(position, action):
        if isinstance(action, Meld):
            read = position.book.read(action.cards)
            shape = read.shape if isinstance(read, Reading) else None
        else:
            shape = None if action.target is None else position.melds[action.target - 1].shape
        if shape is None or shape.kind != "sequence":
            return None
        cards = len(shape.roles) + (len(action.cards) if isinstance(action, LayOff) else 0)
        return (
            Violation("meld.size", "a sequence has an even number of cards") if cards % 2 else None
        )

    return check


RULES = {
    "kings": (no_king_is_melded, Meld, LayOff),
    "drawn": (no_discard_of_a_card_drawn, Discard),
    "even": (runs_have_an_even_number_of_cards, Meld, LayOff),
}
GAMES = ("500-rummy", "500-rum", "gilfoy-500-rummy", "online-rummy-500", "persian-rummy")


RULES = {
    "no king is melded": (no_king_is_melded, Meld, LayOff),
    "no card drawn is thrown back": (no_discard_of_a_card_drawn, Discard),
    "runs are even": (runs_have_an_even_number_of_cards, Meld, LayOff),
}
GAMES = ("500-rummy", "500-rum", "gilfoy-500-rummy", "online-rummy-500", "persian-rummy")
each_rule = pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
each_game = pytest.mark.parametrize("game", GAMES)
KINGS = RULES["no king is melded"]
GIVEN = {
    "hands": {"A": "Kc Kd Kh 9c 9d 9h Ks 2c"},
    "table": {"m1": {"B": "Td Jd Qd"}},
    "turn": "draw 2c",
}


def game_of(rules, kind, hands=8):
    seats = Seats.of([kind] * max(2, rules.players.min))
    played = list(play_hands(rules, seats, 3, hands))
    return "".join(log_lines(played, LogSource(rules.id, (), (), 3), seats))


@pytest.mark.sweep(every=6)
@each_rule
@each_game
@pytest.mark.parametrize("kind", ["greedy", "random"])
def test_simulated_games_keep_a_rule_from_the_minute_it_is_registered(rule, game, kind):
    with registered(*rule):
        assert findings(game_of(ruleset(game), kind))[0] == []


@pytest.mark.sweep
@each_rule
def test_an_audit_finds_what_breaks_a_registered_rule(rule):
    text = "".join(game_of(ruleset(game), "random", 6) for game in GAMES)
    assert findings(text)[0] == []
    with registered(*rule):
        assert findings(text)[0] != []


def assert_alike(judge, position):
    slow = sorted(text for text, _ in listed.turn_moves(judge, position))
    assert sorted(text for text, _ in listed.choices(judge, position)) == slow


@each_rule
@each_game
def test_both_lists_of_moves_keep_a_registered_rule_alike(rule, game):
    rules = ruleset(game)
    rng = random.Random(game)
    with registered(*rule):
        looked = 0
        while looked < 6:
            built = small_position(rng, rules, max(2, rules.players.min), 6)
            if built is None:
                continue
            looked += 1
            judge, position = built.judge, built.position
            assert_alike(judge, position)
            drawn = position.copy()
            judge.play.begin_turn(drawn, 0)
            judge.play.actions[Draw](
                drawn, Draw(rng.choice([card for card in range(52) if position.left(card)]))
            )
            assert_alike(judge, drawn)


@each_rule
def test_every_listed_move_and_turn_keeps_a_registered_rule(rule):
    with registered(*rule):
        built, _ = load_position({**GIVEN, "rules": "500-rummy"})
        for one in legal_moves(built):
            assert judge_move(built, one.move).verdict == "legal", one.move
        for turn in legal_turns(built, 30)[0]:
            assert judge_move(built, turn.move).verdict == "legal", turn.move


@each_rule
@pytest.mark.parametrize("goal", ["score", "points"])
def test_the_best_way_to_lay_a_hand_keeps_a_registered_rule(rule, goal):
    cards = [
        card for card in range(52) if card % 13 in {2, 3, 4, 11, 12} and card not in {22, 23, 24}
    ]
    rng = random.Random(goal)
    with registered(*rule):
        for _ in range(8):
            found = best_oracle.built(ruleset(), rng.sample(cards, 8), [[("B", "Td Jd Qd")]])
            best = best_plays(found, goal)
            best_oracle.played(found, best)
            if rule is not RULES["runs are even"]:  # the oracle lays cards off one by one
                assert best.gain == best_oracle.most(found, goal)[0]


def test_what_a_registered_rule_forbids_is_not_suggested():
    with registered(*KINGS):
        built, _ = load_position({**GIVEN, "rules": "500-rummy"})
        found = judge_move(built, "meld Kc Kd Kh; discard 2c").findings
        assert [one.code for one in found] == ["meld.shape"]
        assert not any("K" in move and not move.startswith("discard") for move in found[0].help)


def test_a_comparison_plays_by_a_registered_rule():
    seats = Seats.of(["random", "random"])
    rules = ruleset()
    plain = compare_rules(("one", rules), ("other", rules), seats, 4, 1)
    with registered(*KINGS):
        compared = compare_rules(("one", rules), ("other", rules), seats, 4, 1)
    assert compared.measures != plain.measures
