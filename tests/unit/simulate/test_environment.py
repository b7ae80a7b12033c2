"""The environment for learning agents: PettingZoo's own tests, and what agents may know and do."""

from __future__ import annotations

from random import Random

import pytest

pytest.importorskip("pettingzoo", reason="the extra `pettingzoo` is not installed")
np = pytest.importorskip("numpy")

from pettingzoo.test import api_test, seed_test  # noqa: E402

from meldref import audit_text, game_from_log, game_from_position, load_position, load_ruleset  # noqa: E402
from meldref.core.cards import each  # noqa: E402
from meldref.core.events import Draw, LayOff, Played  # noqa: E402
from meldref_table import environment  # noqa: E402
from meldref_table.environment import ACTIONS, DISCARD, PLAY, PLAYS, TAKE, numbered  # noqa: E402

GAMES = [
    *("500-rummy", "persian-rummy", "kalooki-40", "contract-rummy", "partnership-500-rum"),
    *("5000-rummy", "online-rummy-500"),
]


def play(env, seed, dice, most=100_000):
    """Plays an episode with any legal actions, and yields the agent at each decision."""
    env.reset(seed=seed)
    for agent in env.agent_iter(most):
        seen, _, ended, cut, _ = env.last()
        if ended or cut:
            env.step(None)
            continue
        yield agent, seen
        env.step(dice.choice([int(one) for one in np.flatnonzero(seen["action_mask"])]))


@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array")
@pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be")
@pytest.mark.parametrize("whole_game", [False, True])
@pytest.mark.parametrize("game", GAMES)
def test_pettingzoo_finds_nothing_wrong(game, whole_game):
    api_test(environment.env(game, whole_game=whole_game), num_cycles=150)
    seed_test(lambda: environment.env(game, whole_game=whole_game), num_cycles=60)


@pytest.mark.parametrize("game", GAMES)
def test_an_episode_is_a_hand_that_the_referee_finds_clean(game):
    env = environment.raw_env(game)
    for agent, seen in play(env, 5, Random(5)):
        assert agent == env.agent_selection
        assert {*np.flatnonzero(seen["action_mask"])} == {*env.moves()}
        assert env.observation_space(agent).contains(seen)
    report = audit_text(env.log())
    assert (report.verdict, report.hands) == ("clean", 1)


def test_rewards_are_what_the_hands_score():
    env = environment.raw_env(settings=["game.target=200"], whole_game=True)
    rewards = dict.fromkeys(env.possible_agents, 0)
    env.reset(seed=3)
    dice = Random(3)
    while not any(env.terminations.values()):
        env.step(dice.choice([*env.moves()]))
        for agent in env.agents:
            rewards[agent] += env.rewards[agent]
    scores = audit_text(env.log()).scores
    assert len(scores) > 1
    assert [*rewards.values()] == [
        sum(hand.computed[name] for hand in scores) for name in ("Ann", "Bob")
    ]
    totals = env.layout.part(env.observe("player_1")["observation"], "totals")
    assert [*totals] == [rewards["player_1"], rewards["player_0"]]


def test_partners_get_the_same_reward():
    env = environment.raw_env("partnership-500-rum")
    for _ in play(env, 2, Random(1)):
        rewards = env.rewards
        assert rewards["player_0"] == rewards["player_2"]
    assert len(env.possible_agents) == 4


COVERED = """\
[Rules "500-rummy"]
[Players "Ann, Bob"]
hand 1 dealer Bob
deal Ann 4d 9h 2h 2c Ks Qs 7d 8d Tc Ac 3h 6h 5s
deal Bob ?*13
up 7h
"""


def test_an_agent_sees_the_same_whatever_cards_it_cannot_see():
    env = environment.raw_env()
    sights, hands = [], []
    for seed in range(4):
        env.reset(options={"game": game_from_log(COVERED, seed=seed)})
        assert env.agent_selection == "player_0"
        sights.append(env.observe("player_0"))
        hands.append(env.seen("player_1").hand)
    assert len({*hands}) == 4
    for sight in sights[1:]:
        assert (sight["observation"] == sights[0]["observation"]).all()
        assert (sight["action_mask"] == sights[0]["action_mask"]).all()


def test_an_observation_says_what_lies_where():
    built, _ = load_position(
        {
            "players": ["A", "B"],
            "to_move": "B",
            "hands": {"A": "4d 9h", "B": "7s 8s 2h 2c 2d"},
            "table": {"m1": {"A": "4h 5h 6h"}},
            "pile": "6s 4c",
        }
    )
    env = environment.raw_env()
    env.reset(options={"game": game_from_position(built, 1, totals={"A": 40, "B": -5})})
    assert env.agent_selection == "player_1"

    def part(name):
        return env.layout.part(env.observe("player_1")["observation"], name)

    assert part("hand").sum() == 5
    assert {*np.flatnonzero(part("hand"))} == {*each(built.position.hands[1])}
    six, four = built.position.pile
    assert (part("depth")[four], part("depth")[six], part("pile").sum()) == (1, 2, 2)
    assert part("melds")[0].sum() == 3
    assert not part("melds")[1:].any()
    assert [*part("held")] == [5, 2]
    assert [*part("points")] == [0, 15]
    assert [*part("totals")] == [-5, 40]
    assert [*part("to_move")] == [1, 0]
    assert env.moves() == {1: "draw ?", TAKE + four: "take 4c", TAKE + six: "take 6s"}
    env.step(TAKE + six)
    melds = {number - PLAY: text for number, text in env.moves().items() if number >= PLAY}
    assert melds
    for place, text in melds.items():
        cards = text.split()[1:]
        play = part("plays")[place]
        assert play[:53].sum() == sum(not card.startswith("m") for card in cards)
        assert play[54] == (1 if cards[-1] == "m1" else 0)
    waiting = env.observe("player_0")
    assert not waiting["action_mask"].any()
    assert not env.layout.part(waiting["observation"], "plays").any()


def test_an_action_has_one_number_and_what_is_too_much_is_left_out():
    melds = [LayOff((Played(card % 52),), card) for card in range(PLAYS + 20)]
    by_number = numbered([Draw(-1), *melds, None])
    assert by_number[1] == Draw(-1)
    assert by_number[0] is None
    assert [by_number[PLAY + place] for place in range(PLAYS)] == melds[:PLAYS]
    assert len(by_number) == PLAYS + 2
    assert max(by_number) < ACTIONS
    twice = numbered([Draw(-1), Draw(3), LayOff((), 1)])
    assert [*twice.values()] == [Draw(-1), Draw(3), LayOff((), 1)]


def test_an_illegal_action_is_refused_and_costs_who_wraps_the_table():
    raw = environment.raw_env()
    raw.reset(seed=1)
    with pytest.raises(ValueError, match="action 60 is not legal now"):
        raw.step(DISCARD + 2)
    wrapped = environment.env()
    wrapped.reset(seed=1)
    agent = wrapped.agent_selection
    wrapped.step(DISCARD + 2)
    assert wrapped.rewards[agent] == -1
    assert all(wrapped.terminations.values())


def test_without_a_seed_the_next_episode_is_another_and_with_it_the_same():
    env = environment.raw_env()

    def hand():
        return env.seen("player_0").hand

    env.reset(seed=8)
    first = hand()
    env.reset()
    second = hand()
    env.reset(seed=8)
    assert (hand() == first, second == first) == (True, False)
    env.reset(seed=9)
    assert hand() == second


def test_bots_can_sit_at_the_table():
    env = environment.raw_env(seats=["greedy", "person", "random"])
    assert env.possible_agents == ["player_1"]
    assert all(agent == "player_1" for agent, _ in play(env, 3, Random(0)))


def test_wrong_words_are_told():
    for given, message in (
        ({"rules": "500-rumy"}, "500-rumy"),
        ({"players": 40}, "players"),
        ({"seats": ["greedy", "random"]}, "no seat is an agent's"),
        ({"render_mode": "human"}, "render_mode is ansi"),
        ({"rules": load_ruleset("500-rummy")[0], "options": ["floating"]}, "go with the id"),
    ):
        with pytest.raises(ValueError, match=message):
            environment.raw_env(**given)
    env = environment.raw_env("kalooki-40")
    built, _ = load_position({"players": ["A", "B"], "hands": {"A": "4d 9h"}})
    with pytest.raises(ValueError, match="has these rules and seats"):
        env.reset(options={"game": game_from_position(built)})
