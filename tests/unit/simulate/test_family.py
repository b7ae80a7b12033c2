"""Games of the wider family are played to their end, by either kind of player, and their logs audit clean."""

import pytest

from meldref.notation.reader import read_lines
from meldref.rulefiles.load import load_ruleset
from meldref_evidence.audit import replay
from meldref_table.simulate import LogSource, Seats, log_lines, play_games, play_hands

CALLED = ("calls.by=anybody", "calls.penalty=draws_two", "calls.takes=called_cards")
BUYS = ("buys={of: last_discard, extra: 2}", "draw.depth=top")
OPENS = (
    "melds={first_points: 30, first_points_of: turn}",
    "scoring.values.wild=40",
    "melds.wild.cards=[joker, 2]",
)
PILE = ("draw.takes=whole_pile", "melds.contract=[group]", "deck.jokers_in_all=3")


def log_of(rules, kinds, *, settings=(), hands=None):
    ruleset, findings = load_ruleset(rules, settings=settings)
    assert ruleset is not None, findings
    seats = Seats.of(kinds)
    played = list(
        play_games(ruleset, seats, 4, 1) if hands is None else play_hands(ruleset, seats, 4, hands)
    )
    return "".join(log_lines(played, LogSource(rules, (), settings, 4), seats)), played


def assert_clean(text):
    report = replay(read_lines(text))
    assert report.findings == []
    assert report.open == []


@pytest.mark.sweep
@pytest.mark.parametrize("game", ["kalooki-40", "michigan-rum", "5000-rummy"])
def test_a_game_comes_to_its_end(game):
    text, played = log_of(game, ["greedy", "random", "random"])
    assert played[-1].winners
    assert_clean(text)


def test_hands_with_contracts_are_played():
    text, played = log_of("contract-rummy", ["greedy", "random", "greedy"], hands=2)
    assert ": buy " in text
    assert {one.reason for one in played} <= {"out", "stock"}
    assert_clean(text)


@pytest.mark.sweep
@pytest.mark.parametrize(
    "settings", [BUYS, OPENS, PILE, CALLED], ids=["buys", "opens", "pile", "called"]
)
@pytest.mark.parametrize("kind", ["greedy", "random"])
def test_settings_are_obeyed_in_other_games(settings, kind):
    assert_clean(log_of("500-rummy", [kind] * 3, settings=settings, hands=4)[0])


@pytest.mark.sweep(every=2)
@pytest.mark.parametrize(
    ("rules", "kinds", "hands"),
    [
        ("basic-rummy", ["greedy", "random"], 6),
        ("shanghai-rummy", ["greedy", "greedy", "greedy"], 2),
        ("may-i", ["greedy", "greedy", "greedy"], 2),
        ("three-thirteen", ["greedy", "random", "greedy"], 5),
    ],
)
def test_games_that_are_data_alone_are_played(rules, kinds, hands):
    text, played = log_of(rules, kinds, hands=hands)
    assert {one.reason for one in played} == {"out"}
    assert_clean(text)
