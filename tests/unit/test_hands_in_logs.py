"""Where a log is asked about, a hand has its own rules (`hands`), through whatever door the question comes."""

from __future__ import annotations

import pytest

from meldref import Service, audit_text, game_from_log
from meldref.answers.legal import judge_move
from meldref.notation.reader import read_lines
from meldref.notation.writer import write_action
from meldref.replay.log import Overrides, stand_before
from meldref_table.sitting import Sitting

CONTRACT = """\
[Rules "contract-rummy"]
[Players "Ann, Bob, Cy"]
hand 1 dealer Cy
deal Ann 5h 5d 5c 6s 7s 8s 9s Kc 5s Jh
deal Bob ?*10
deal Cy ?*10
up 4h
"""
BEGUN = CONTRACT.replace("Jh\n", "Kh\n") + "1. Ann: draw Ks; meld 5h 5d 5c\n"
GROUP_AND_SEQUENCE = "draw Ks; meld 5h 5d 5c; meld 6s 7s 8s 9s; discard Jh"
PURCHASES = """\
[Rules "shanghai-rummy"]
[Players "Ann, Bob, Cy"]
hand 9 dealer Cy
up 4h
Cy: buy 4h
1. Ann: draw; discard Jh
Cy: buy Jh
2. Bob: draw; discard 3c
3. Cy: draw; discard 4h
4. Ann: draw; discard 7h
Cy: buy 7h
5. Bob: draw; discard 3c
6. Cy: draw; discard 4c
7. Ann: draw; discard 8h
"""
FIFTH = """\
Cy: buy 8h
8. Bob: draw; discard 3d
9. Cy: draw; discard 4c
10. Ann: draw; discard 8s
"""
WILD_SIXES = """\
[Rules "three-thirteen"]
[Players "Ann, Bob"]
hand 4 dealer Bob
deal Ann 7c 7d 7h 3s 5c 2c
deal Bob ?*6
up 4d
"""
SHOWN = """\
[Rules "500-rummy"]
[Set "deal.cards_by = first_card"]
[Set "melds.wild.cards = [named]"]
[Set "melds.wild.named_by = first_card"]
[Set "scoring.values.wild = 100"]
[Set "deck.jokers = 0"]
[Players "Ann, Bob"]
hand 1 dealer Bob
deal Ann 5h 3c 4h 9s 9d 2s
deal Bob 3d 8d 9h Qs
up 6c
"""
ASKED = [
    (CONTRACT, GROUP_AND_SEQUENCE, ["meld.contract"]),
    (PURCHASES, "Cy: buy 8h", []),
    (PURCHASES + FIFTH, "Cy: buy 8s", ["buy.often"]),
    (WILD_SIXES, "draw Kc; meld 7c 7d 7h; meld 3s=3c 5c 2c; discard Kc", ["wild.role"]),
]


@pytest.mark.parametrize(("log", "move", "codes"), ASKED)
def test_the_library_judges_a_move_by_the_rules_of_the_hand(log, move, codes):
    built, _ = stand_before(read_lines(log), log.count("\n") + 1)
    assert [finding.code for finding in judge_move(built, move).findings] == codes


@pytest.mark.parametrize(("log", "move", "codes"), ASKED)
def test_the_command_judges_a_move_by_the_rules_of_the_hand(meldref, tmp_path, log, move, codes):
    path = tmp_path / "hand.rgn"
    path.write_text(log + "note here\n", encoding="utf-8")
    asked = ("legal", move, "--log", path, "--at", log.count("\n") + 1, "--format", "json")
    assert [finding["code"] for finding in meldref(*asked).data["findings"]] == codes


def test_the_command_offers_no_turns_that_the_hand_forbids(meldref, tmp_path):
    path = tmp_path / "hand.rgn"
    drawn = CONTRACT.replace("up 4h\n", "up 4h\nstock Ks\n") + "note here\n"
    path.write_text(drawn, encoding="utf-8")
    asked = ("legal", "--turns", "--most", 400, "--log", path, "--at", drawn.count("\n"))
    assert not [line for line in meldref(*asked).lines if "6s 7s 8s 9s" in line]


@pytest.mark.parametrize(("log", "move", "codes"), ASKED)
def test_a_sitting_judges_a_move_by_the_rules_of_the_hand(log, move, codes):
    sitting = Sitting("hand.rgn", log.splitlines(), Overrides(), 1)
    assert [finding.code for finding in judge_move(sitting.built(), move).findings] == codes


def test_a_sitting_values_the_wild_cards_that_its_deal_shows():
    sitting = Sitting("hand.rgn", SHOWN.splitlines(), Overrides(), 1)
    assert judge_move(sitting.built(), "draw 8s; meld 9s 9d 3c=9; discard 2s").points["Ann"] == 118


def test_the_service_offers_no_moves_that_the_hand_forbids():
    told = Service().ask("position", log=BEGUN, line=BEGUN.count("\n") + 1)
    melds = [one["move"] for one in told["moves"] if one["move"].startswith("meld")]
    assert melds
    assert "meld 6s 7s 8s 9s" not in melds


def test_a_game_goes_on_from_a_log_by_the_rules_of_the_hand():
    offered = [*map(write_action, game_from_log(BEGUN, seed=3).actions)]
    assert offered
    assert "meld 6s 7s 8s 9s" not in offered


@pytest.mark.parametrize(("number", "verdict"), [(1, "undecided"), (2, "clean")])
def test_whether_the_last_card_may_lie_face_down_is_asked_of_the_hand(number, verdict):
    melds = "meld 5h 6h 7h 8h; meld 9c 9d 9h; meld Jc Jd Jh; meld 2c 2d 2h"
    log = f"""\
[Rules "500-rummy"]
[Set "hands.2.out.face = either"]
[Players "Ann, Bob"]
hand {number} dealer Bob
1. Ann: draw; {melds}; discard ?
end out Ann
"""
    assert audit_text(log).verdict == verdict
