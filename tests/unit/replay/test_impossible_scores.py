"""On a sheet, a score that nobody can have is a warning: by the deck, and by who went out."""

from __future__ import annotations

import pytest

from audits import audit


def warned(rules, *lines, settings=()):
    """Who is said to have a score that cannot be, in this hand of Ann, Bob and Cy."""
    header = "".join(f'[Set "{setting}"]\n' for setting in settings)
    text = "\n".join(("hand 1 dealer Bob", *lines))
    report = audit(f'[Rules "{rules}"]\n{header}[Players "Ann, Bob, Cy"]\n{text}\n')
    assert report.verdict == "clean"
    return [one.player for one in report.findings if one.code == "score.impossible"]


@pytest.mark.parametrize(
    ("rules", "score", "impossible"),
    [
        ("kalooki-40", "Ann 0, Bob 30, Cy 45", []),
        ("kalooki-40", "Ann 12, Bob 30, Cy 45", ["Ann"]),
        ("kalooki-40", "Ann 0, Bob 1, Cy 45", ["Bob"]),
        ("contract-rummy", "Ann 0, Bob 2, Cy 45", []),
        ("contract-rummy", "Ann 20, Bob 0, Cy 45", ["Ann", "Bob"]),
        ("contract-rummy", "Ann 0, Bob -, Cy 45", []),
        ("contract-rummy", "Ann ?, Bob ?, Cy ?", []),
        ("three-thirteen", "Ann 0, Bob 0, Cy 12", []),
        ("three-thirteen", "Ann 3, Bob 0, Cy 12", ["Ann"]),
    ],
)
def test_whoever_goes_out_holds_nothing_and_the_others_hold_a_card(rules, score, impossible):
    """In three thirteen the others have a turn yet, in which they may lay all that they hold."""
    assert warned(rules, "end out Ann", f"score {score}") == impossible


@pytest.mark.parametrize(
    ("score", "impossible"),
    [
        ("Ann 75, Bob 0, Cy 0", []),
        ("Ann 150, Bob 0, Cy 0", []),
        ("Ann 0, Bob 30, Cy 45", ["Bob", "Cy"]),
    ],
)
def test_where_the_player_out_collects_the_others_score_nothing(score, impossible):
    """The award for going rummy is for that player alone; what it brings is not known."""
    assert warned("basic-rummy", "end out Ann", f"score {score}") == impossible


def test_without_awards_whoever_collects_gets_what_a_card_counts_at_least():
    no_award = ["house_rules.going-rummy=none"]
    lines = "end out Ann", "score Ann 0, Bob 0, Cy 0"
    assert warned("basic-rummy", *lines, settings=no_award) == ["Ann"]


@pytest.mark.parametrize(
    "setting",
    [
        "out.bonus=25",
        "scoring.below_zero.hand=forbidden",
        "scoring.melds=count",
        "out.melding_all=floats",
        "house_rules.first-out={award: 5, for: meld, when: meld.size > 3, says: Long melds bring five.}",
        "house_rules.last={award: 10, when: player.melding_turns is 0, says: Who lays nothing gets ten.}",
    ],
)
def test_what_may_come_from_elsewhere_is_no_warning(setting):
    """Not where points are divided, either: little may be left of a card."""
    lines = "end out Ann", "score Ann 0, Bob 0, Cy 45"
    assert warned("contract-rummy", *lines) == ["Bob"]
    assert warned("contract-rummy", *lines, settings=[setting]) == []
    divided = ["scoring.values.2-9=5", "scoring.divide_by=5"]
    assert warned("contract-rummy", *lines, settings=divided) == []


@pytest.mark.parametrize(
    "lines",
    [
        ("end stock", "score Ann 12, Bob 0, Cy 45"),
        ("score Ann 12, Bob 0, Cy 45",),
        ("end out Ann", "total Ann 0, Bob 0, Cy 45"),
    ],
)
def test_where_nobody_is_said_to_have_gone_out_or_to_have_played_it_is_no_warning(lines):
    assert warned("contract-rummy", *lines) == []


def test_whoever_is_out_of_the_game_is_found_once():
    report = audit(
        '[Rules "kalooki-40"]\n[Players "Ann, Bob, Cy"]\nhand 1 dealer Bob\nend out Cy\n'
        "score Ann 160, Bob 30, Cy 0\nhand 2 dealer Cy\nend out Bob\nscore Ann 0, Bob 0, Cy 20\n"
    )
    assert [(one.span.line, one.code) for one in report.findings] == [(8, "game.out")]
