"""Games that are copied, pickled, saved, and gone on with from positions and logs."""

from __future__ import annotations

import contextlib
import copy
import json
import pickle
import random

import pytest

from meldref import (
    Game,
    audit_text,
    game_from_log,
    game_from_position,
    judge_move,
    load_game,
    load_position,
    load_ruleset,
    write_position,
)
from meldref.notation import write_action
from meldref.notation.writer import write_event
from meldref.report.position_file import NotWritable
from meldref_table.simulate import WrongChoice

GAMES = ["500-rummy", "500-rum", "contract-rummy", "partnership-500-rum", "persian-rummy"]


def rules(name="500-rummy", *options, settings=()):
    ruleset, findings = load_ruleset(name, options, settings)
    assert ruleset is not None, findings
    return ruleset


def stepped(game, steps, seed=1):
    """The game after some steps of any play."""
    chance = random.Random(seed)
    for _ in range(steps):
        if not game.over:
            game.step(chance.choice(game.actions))
    return game


def played(game, seed=1, hands=2):
    """The game after some hands of any play."""
    chance = random.Random(seed)
    while not game.over and len(game.hands) < hands:
        game.step(chance.choice(game.actions))
    return game


def through_json(game, **more):
    return load_game(json.loads(json.dumps(game.save())), **more)


def pickled(game):
    return pickle.loads(pickle.dumps(game))  # noqa: S301  it was ours a moment ago


class Careful:
    """A bot that would choose otherwise when it is asked again."""

    def __init__(self):
        self.chance = random.Random(3)

    def choose(self, seen, actions):
        return self.chance.choice(actions)


def same(game, other):
    """Whether two games stand alike, and go on alike."""
    assert other.chosen == game.chosen
    assert other.lines == game.lines
    assert other.actions == game.actions
    assert other.over or other.observation() == game.observation()
    return other.log() == game.log()


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("again", [Game.copy, copy.copy, copy.deepcopy, pickled, through_json])
def test_a_game_is_the_same_again_at_any_step(name, again):
    game = Game(rules(name), seed=5)
    for steps in (0, 1, 7, 60):
        other = again(stepped(game, steps, steps))
        assert same(game, other)
        stepped(other, 3)
        assert len(game.chosen) < len(other.chosen) or other.over
    other = again(game)
    assert played(game).log() == played(other).log()


def test_options_and_settings_are_saved_with_a_game():
    ruleset = rules("500-rummy", "floating", settings=["game.target=150", "deal.cards.2=7"])
    saved = Game(ruleset, seed=2).save()
    assert saved["rules"] == {
        "rules": "500-rummy",
        "with": ["floating"],
        "set": {"game.target": "150", "deal.cards.2": "7"},
    }
    again = load_game(saved).ruleset
    assert again == ruleset


def test_settings_in_the_headers_of_a_log_are_saved_with_its_game():
    game = played(Game(rules(settings=["game.target=700"]), seed=9), hands=1)
    log = game.log()
    assert '[Set "game.target=700"]' in log
    turn = next(at for at, line in enumerate(log.splitlines(), 1) if line.startswith("3. "))
    other = game_from_log(log, turn)
    assert other.save()["rules"]["set"] == {"game.target": "700"}
    assert same(other, through_json(other))


def test_a_seat_is_not_told_what_only_the_writer_of_a_log_knew():
    log = """\
[Rules "500-rummy"]
[Players "Ann, Bob"]
hand 1 dealer Bob
deal Ann 2c 3c 4c 9h 9d Ts Js Qd Kd 5h 6s 7d 8c
up 6c
note "Bob has two jokers"
= hand Bob Jk Jk ?*11
1. Ann: draw 5c; discard Kd
"""
    game = game_from_log(log)
    assert game.players[game.seat] == "Bob"
    seen = game.observation(1).lines
    assert [type(line).__name__ for line in seen] == ["Deal", "UpCard", "Turn"]
    assert "5c" not in " ".join(map(write_event, seen))


def test_rules_of_ones_own_are_given_again(tmp_path):
    (tmp_path / "lake.yaml").write_text("id: lake\nextends: [500-rummy]\n", encoding="utf-8")
    ruleset, _ = load_ruleset(str(tmp_path / "lake.yaml"))
    game = stepped(Game(ruleset), 4)
    with pytest.raises(ValueError, match="give its ruleset"):
        through_json(game)
    assert same(game, through_json(game, ruleset=ruleset))


def test_persons_kinds_and_bots_sit_at_one_table():
    seats = ["person", "greedy", Careful()]
    game = Game(rules(), ["Ann", "Bob", "Cy"], 4, seats)
    chance = random.Random(1)
    while len(game.hands) < 2:
        assert game.seat == 0
        game.step(chance.choice(game.actions))
    report = audit_text(game.log())
    assert report.verdict == "clean", report.findings
    assert '[X-Seats "person, greedy, Careful"]' in game.log()
    again = through_json(game, bots={"Careful": Careful()})
    assert same(game, again)
    assert same(game, pickled(game))
    with pytest.raises(ValueError, match="Careful"):
        through_json(game)


def test_a_table_without_persons_plays_to_the_end():
    game = Game(rules(settings=["game.target=100"]), 2, 1, ["greedy", "random"])
    assert game.over
    assert game.winners


def test_a_step_is_an_action_or_its_text_and_what_is_not_offered_is_refused():
    game, other = Game(rules(), seed=7), Game(rules(), seed=7)
    assert write_action(game.actions[0]) == "draw ?"
    game.step("draw ?")
    other.step(other.actions[0])
    assert game.lines == other.lines
    with pytest.raises(WrongChoice, match="juggle"):
        game.step("juggle")


def known(**more):
    hands = {"Ann": "4d 4h 9h Ks", "Bob": "5c 6c 7c 2h"}
    given = {"players": ["Ann", "Bob"], "hands": hands, "pile": "6s 4c", "stock": "?*42", **more}
    built, findings = load_position(given)
    assert built is not None, findings
    return built


def test_a_game_goes_on_from_a_position_and_keeps_what_is_known():
    game = game_from_position(known(), seed=3, totals={"Ann": 490, "Bob": 20})
    assert game.totals == (490, 20)
    assert game.observation(0).hand != game.observation(1).hand
    assert [str(one) for one in game.players] == ["Ann", "Bob"]
    assert same(game, through_json(game))
    played(game, hands=2)
    first = game.hands[0]
    assert [one - two for one, two in zip(first.totals, first.scores, strict=True)] == [490, 20]
    if len(game.hands) > 1:
        assert audit_text(game.log()).hands == len(game.hands) - 1


def test_a_game_goes_on_in_the_middle_of_a_turn():
    answer = judge_move(known(), "draw 9c")
    game = game_from_position(answer.after, seed=3)
    assert game.seat == 0
    assert len(game.observation().hand) == 5
    other = through_json(game)
    assert same(stepped(game, 3), stepped(other, 3))


def test_nobody_goes_on_where_a_hand_is_over():
    with pytest.raises(ValueError, match="the hand is over"):
        game_from_position(over())


@pytest.mark.parametrize("name", GAMES)
def test_a_game_goes_on_from_any_line_of_its_log_with_the_same_score(name):
    whole = played(Game(rules(name), seed=9), hands=3)
    log = whole.log()
    lines = log.splitlines()
    turns = [number for number, line in enumerate(lines, 1) if line[:1].isdigit()]
    for number in (turns[1], turns[len(turns) // 2], turns[-1]):
        game = game_from_log(log, number, seed=4)
        assert log.startswith(game.beginning.before)
        assert same(game, through_json(game))
        played(game, hands=2)
        report = audit_text(game.log())
        assert report.verdict == "clean", (number, report.findings)
        assert report.hands >= len(game.hands)
        score = dict(zip(names(game), game.totals, strict=True))
        sums = dict.fromkeys(score, 0)
        for one in report.scores:
            for side, points in one.computed.items():
                sums[side] += points or 0
        if name == "500-rummy":
            assert sums == score


def names(game):
    return ["+".join(game.players[seat] for seat in side) for side in game.sides]


def test_the_end_of_a_log_is_where_it_goes_on_without_a_line():
    log = Game(rules(), seed=2)
    stepped(log, 1)
    text = log.log(under_way=True).rsplit("\n1. ", 1)[0] + "\n"
    game = game_from_log(text)
    assert game.actions
    with pytest.raises(ValueError, match="no hand is being played"):
        game_from_log(text, 2)


def test_the_hand_under_way_can_be_written_into_the_log():
    game = stepped(Game(rules(), seed=11), 40)
    text = game.log(under_way=True)
    assert audit_text(text).verdict != "unreadable"
    assert text.startswith(game.log())
    assert text.count("\nhand ") == len(game.hands) + 1


ELSEWHERE = {"rules": {"rules": "./x.yaml"}, "players": ["A"], "seats": [], "seed": 1}


@pytest.mark.parametrize("saved", [{}, {"rules": 3}, {**ELSEWHERE, "from": None, "chosen": []}, []])
def test_what_is_no_saved_game_is_refused(saved):
    with pytest.raises(ValueError):
        load_game(saved)


@pytest.mark.parametrize("key", ["players", "seats", "seed", "from", "chosen", "rules"])
@pytest.mark.parametrize("value", [None, 3, "x", [], [3], {"x": 3}, {"log": 3}, ["draw"]])
def test_a_saved_game_that_was_changed_is_played_or_refused(key, value):
    saved = json.loads(json.dumps(stepped(Game(rules(), seed=1), 3).save()))
    with contextlib.suppress(ValueError):
        load_game({**saved, key: value})


def test_the_position_after_a_move_can_be_written_and_read_again():
    built = known()
    for move in ("take 4c", "meld 4c 4d 4h", "discard Ks", "draw ?; discard 2h"):
        answer = judge_move(built, move)
        data = json.loads(json.dumps(write_position(answer.after)))
        built, findings = load_position(data)
        assert built is not None, findings
    with pytest.raises(NotWritable, match="the hand is over"):
        write_position(over())


def over():
    """A position in which somebody has gone out."""
    given = {"players": ["A", "B"], "hands": {"A": "7h 8h 9h"}, "pile": "2c"}
    answer = judge_move(load_position(given)[0], "draw Th; meld 7h 8h 9h Th")
    assert answer.then == "over"
    return answer.after
