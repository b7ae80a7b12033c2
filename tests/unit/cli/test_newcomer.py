"""Somebody new writes their table's rules down in a dozen lines, and the referee plays by them."""

import pytest

from case_checks import run_file
from meldref.rulefiles.load import load_ruleset

HOUSE = """\
id: our-table
name: 500 Rum as we play it
extends: [500-rum, no-calls]
deck: {jokers: 2}
melds:
  wild: {cards: [joker]}
  kinds:
    sequence: {size: 4-13}
out: {melding_all: forbidden}
game: {target: 1000}
"""
CASES = """\
cases:
  - name: a run of three is too short
    given: {hands: {A: "5h 6h 7h 2s"}}
    moves: ["A: draw; meld 5h 6h 7h; discard 2s"]
    expect: {verdict: illegal, at: 1, because: meld.size}
  - name: a run of four is a meld, and an ace counts 15 low or high
    given: {hands: {A: "Ah 2h 3h 4h 2s 9c"}}
    moves: ["A: draw; meld Ah 2h 3h 4h; discard 2s"]
    expect: {verdict: legal, points: {A: 24}}
  - name: a joker is wild
    given: {hands: {A: "8c 8d Jk 2s 9c"}}
    moves: ["A: draw; meld 8c 8d Jk; discard 2s"]
    expect: {verdict: legal, points: {A: 31}}
  - name: there are two jokers and no third
    given: {hands: {A: "8c 8d Jk 2s 9c", B: "Jk Kd"}}
    moves: ["A: draw Jk; discard 2s"]
    expect: {verdict: illegal, at: 1, because: log.copies}
  - name: three of a kind are still a meld
    given: {hands: {A: "8c 8d 8h 2s 9c"}}
    moves: ["A: draw; meld 8c 8d 8h; discard 2s"]
    expect: {verdict: legal, points: {A: 24}, then: plays B}
  - name: nobody calls
    given: {to_move: B, hands: {B: "2s 9c"}, table: {m1: {A: "8c 8d 8h"}}, pile: "4d 8s"}
    moves: ["B: rummy 8s; lay 8s m1"]
    expect: {verdict: illegal, at: 1, because: call.off}
  - name: melding everything leaves no last discard
    given: {hands: {A: "8c 8d"}, pile: "8s"}
    moves: ["A: take 8s; meld 8s 8c 8d"]
    expect: {verdict: illegal, at: 1, because: out.discard-required}
  - name: a last discard ends the hand
    given: {hands: {A: "8c 8d 2s", B: "3c Kd"}, pile: "8s"}
    moves: ["A: take 8s; meld 8s 8c 8d; discard 2s"]
    expect: {verdict: legal, then: over, score: {A: 24, B: -13}}
  - name: a last discard cannot be claimed
    given: {hands: {A: "8c 8d 9s", B: "3c Kd"}, table: {m1: {B: "5s 6s 7s 8s"}}, pile: "8h"}
    moves: ["A: take 8h; meld 8h 8c 8d; discard 9s", "B: rummy 9s; lay 9s m1"]
    expect: {verdict: illegal, at: 2}
  - name: ten cards each, and an eleventh for the first player, who has no draw
    log: |
      [Players "A, B"]
      hand 1 dealer B
      deal A 2c 3c 4c 5c 6d 7d 8d 9d Th Jh Qs
      deal B 2d 3d 4d 5d 6h 7h 8h 9h Ts Js
      up Kd
      A: meld 2c 3c 4c 5c; discard Qs
      B: take Qs; discard 2d
    expect: {verdict: legal}
  - name: 500 points do not end the game
    log: |
      [Players "A, B"]
      hand 1
      score A 640, B 20
      total A 640, B 20
      result A
    expect: {verdict: illegal, at: 5, because: game.winner}
  - name: 1000 points do
    log: |
      [Players "A, B"]
      hand 1
      score A 640, B 20
      hand 2
      score A 360, B 20
      total A 1000, B 40
      result A
    expect: {verdict: legal}
"""


def test_the_rules_fit_on_twelve_lines():
    assert len(HOUSE.splitlines()) <= 12


def test_the_rules_load_without_a_word(tmp_path):
    path = tmp_path / "our-table.yaml"
    path.write_text(HOUSE, encoding="utf-8")
    ruleset, findings = load_ruleset(path)
    assert findings == ()
    assert ruleset.deck_size(4) == 54
    assert ruleset.game.target == 1000


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """What comes of the cases in the house rules' own file."""
    path = tmp_path_factory.mktemp("house") / "our-table.yaml"
    path.write_text(HOUSE + CASES, encoding="utf-8")
    ran, findings = run_file(path)
    assert findings == ()
    return {result.name: result for result in ran}


@pytest.mark.parametrize(
    "name", [line[10:] for line in CASES.splitlines() if line.startswith("  - name: ")]
)
def test_the_referee_plays_by_them(name, results):
    result = results[name]
    assert result.passed, (result.failed, result.got)
