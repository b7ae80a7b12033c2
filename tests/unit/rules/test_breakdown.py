"""The sum behind a score or total that is wrong, and the settings that had a part in it."""

from __future__ import annotations

import json
import re

import pytest

from audits import audit, built
from meldref.replay.play_moves import play_moves
from meldref.rules.breakdown import hand_breakdown
from meldref.rules.points import hand_scores, units
from simulated import log_of

GIVEN = {"hands": {"A": "8c 8d 2s", "B": "3c Kd"}, "pile": "6s 8s"}
OUT = ["A: take 8s; meld 8s 8c 8d; discard 2s"]


def broken_down(rules="500-rummy", settings=None, given=None, moves=OUT, side=0):
    """How a side's score comes about after some moves."""
    position = built(rules, (), settings, **(given or GIVEN))
    outcome = play_moves(position, moves)
    assert outcome.findings == []
    ruleset, worth = position.judge.ruleset, position.judge.play.worth
    sides = units(ruleset, outcome.position.players)
    made = hand_breakdown(ruleset, worth, outcome.position, sides, side)
    due = hand_scores(ruleset, worth, outcome.position, sides)[side]
    assert made.text.endswith((f"= {due}", f": {due}")) or (
        due == 0 and "cannot be below 0" in made.text
    )
    return made.text, list(made.keys)


@pytest.mark.parametrize(
    ("settings", "side", "text", "more"),
    [
        ({}, 0, "24 laid - 0 held = 24", []),
        ({}, 1, "0 laid - 13 held = -13", ["scoring.values.K"]),
        ({"out.bonus": 50}, 0, "24 laid + 50 for going out - 0 held = 74", ["out.bonus"]),
        ({"out.bonus": 50}, 1, "0 laid - 13 held = -13", ["scoring.values.K"]),
        ({"scoring.hands": "ignore"}, 1, "0 laid = 0", []),
        (
            {"scoring.hands": "to_player_out"},
            0,
            "24 laid + 13 held by others = 37",
            ["scoring.values.K"],
        ),
        ({"scoring.hands": "to_player_out"}, 1, "0 laid = 0", []),
        (
            {"scoring.below_zero.hand": "forbidden"},
            1,
            "0 laid - 13 held = -13, but a hand's score cannot be below 0",
            ["scoring.values.K", "scoring.below_zero.hand"],
        ),
        (
            {
                "scoring.divide_by": 4,
                "scoring.values": {"2-K": 4, "A": 4, "joker": 4},
                "scoring.low_ace": 4,
            },
            0,
            None,
            ["scoring.divide_by"],
        ),
        ({"scoring.values.8s": 40}, 0, "56 laid - 0 held = 56", ["scoring.values.8s"]),
        ({"scoring.held.K": 25}, 1, "0 laid - 28 held = -28", ["scoring.held.K"]),
    ],
)
def test_the_sum_has_a_term_and_a_key_for_each_part(settings, side, text, more):
    said, keys = broken_down(settings=settings, side=side)
    assert text is None or said == text
    assert {"scoring.hands", *more} <= set(keys)
    others = {
        "out.bonus",
        "scoring.divide_by",
        "scoring.below_zero.hand",
        "scoring.held.K",
        "scoring.values.K",
    }
    assert not others & set(keys) - set(more)


@pytest.mark.parametrize(
    ("settings", "cards", "text", "key"),
    [
        ({}, "Ah 2h 3h", "6 laid - 2 held", "scoring.low_ace"),
        ({}, "Ah Kh Qh", "35 laid - 2 held", None),
        ({"scoring.high_ace": 10}, "Ah Kh Qh", "30 laid - 2 held", "scoring.high_ace"),
        ({"scoring.high_ace": 10}, "Ah 2h 3h", "6 laid - 2 held", "scoring.low_ace"),
        ({"scoring.high_ace": 10}, "Ah Ad As", "45 laid - 2 held", None),
        (
            {"scoring.around_ace": 7, "melds.kinds.sequence.ace": ["around"]},
            "Kh Ah 2h",
            "19 laid - 2 held",
            "scoring.around_ace",
        ),
        ({"scoring.wild": "represented"}, "Jk=4h 5h 6h", "15 laid - 2 held", "scoring.wild"),
        ({}, "Jk=4h 5h 6h", "26 laid - 2 held", None),
        ({"scoring.four_aces": 100}, "Ah As Ad Ac", "100 laid - 2 held", "scoring.four_aces"),
        ({"scoring.four_aces": 100}, "Ah As Ad", "45 laid - 2 held", None),
        ({"scoring.four_at_once": 2}, "8h 8s 8d 8c", "64 laid - 2 held", "scoring.four_at_once"),
        ({"scoring.four_at_once": 2}, "8h 8s 8d", "24 laid - 2 held", None),
    ],
)
def test_what_changes_the_points_of_cards_is_named(settings, cards, text, key):
    held = " ".join(card.partition("=")[0] for card in cards.split())
    given = {"hands": {"A": f"{held} 9c", "B": "3c"}, "pile": "6s"}
    said, keys = broken_down(
        settings=settings, given=given, moves=[f"A: draw 2c; meld {cards}; discard 9c"]
    )
    assert said.startswith(text)
    special = {
        "scoring.low_ace",
        "scoring.high_ace",
        "scoring.around_ace",
        "scoring.wild",
        "scoring.four_aces",
        "scoring.four_at_once",
    }
    assert special & set(keys) == ({key} if key else set())


def test_a_card_laid_off_on_the_meld_of_another_counts_by_its_own_key():
    given = {"hands": {"A": "8h 2c", "B": "3c"}, "table": {"m1": {"B": "5h 6h 7h"}}, "pile": "6s"}
    _, keys = broken_down(given=given, moves=["A: draw 2d; lay 8h m1; discard 2c"])
    assert "layoff.counts_for" in keys


def test_partners_count_together():
    hands = {"N": "8c 8d 2s", "E": "3c", "S": "Kd", "W": "5c"}
    given = {"players": ["N", "E", "S", "W"], "hands": hands, "pile": "6s 8s"}
    said, keys = broken_down(
        "partnership-500-rum", {}, given, ["N: take 8s; meld 8s 8c 8d; discard 2s"]
    )
    assert said == "24 laid - 10 held = 14"
    assert "partnership.score" in keys


@pytest.mark.parametrize(
    "settings", [(), ("out.bonus=25", "scoring.below_zero.hand=forbidden")], ids=str
)
@pytest.mark.parametrize(
    ("name", "options", "kinds"),
    [
        ("500-rummy", ("four-aces-100", "floating"), ["greedy", "random"]),
        ("500-rum", ("add-opponents-hand",), ["greedy", "random"]),
        ("gilfoy-500-rummy", (), ["greedy", "random", "greedy"]),
        ("online-rummy-500", (), ["greedy", "random"]),
        ("partnership-500-rum", (), ["greedy"] * 4),
        ("persian-rummy", (), ["greedy"] * 4),
        ("500-rummy", ("divide-by-five", "low-cards-5"), ["greedy", "greedy"]),
    ],
)
@pytest.mark.sweep(every=4)
def test_the_sum_of_every_wrong_score_comes_to_the_right_one(name, options, kinds, settings):
    """Each recorded score of some hands is made wrong by a point."""
    text, hands = log_of(name, options, settings, kinds, hands=4)

    def one_more(line: re.Match[str]) -> str:
        return re.sub(r"-?\d+(?=,|$)", lambda score: str(int(score[0]) + 1), line[0])

    found = audit(re.sub(r"^score .*$", one_more, text, flags=re.MULTILINE)).findings
    wrong = [one for one in found if one.code == "score.hand"]
    assert len(wrong) >= 2 * len(hands)
    for finding in wrong:
        due = re.search(r"scores (-?\d+), not", finding.message)[1]
        said = finding.notes[1]
        assert said.endswith((f"= {due}", f": {due}")) or (
            due == "0" and "cannot be below 0" in said
        )
        terms, _, reached = said.partition(",")[0].partition(" = ")
        numbers = re.sub(r" (laid|for going out|held by others|held by the other|held)", "", terms)
        assert sum(int(one) for one in re.findall(r"-?\d+", numbers.replace("- ", "-"))) == int(
            reached
        )
        assert all(rule.file and rule.line for rule in finding.rules)


@pytest.mark.parametrize(
    ("setting", "before", "lines", "said"),
    [
        (
            "game.target=500",
            -20,
            "score A 45, B 5\ntotal A 95, B -15",
            "40 before + 45 in this hand = 85",
        ),
        (
            "game.target=500",
            -20,
            "score A 45, B -5\ntotal A 85, B -15",
            "-20 before - 5 in this hand = -25",
        ),
        (
            "scoring.below_zero.total=forbidden",
            0,
            "score A 45, B -5\ntotal A 85, B -5",
            "0 before - 5 in this hand = -5, but a total cannot be below 0",
        ),
    ],
)
def test_a_wrong_total_shows_what_it_is_the_sum_of(setting, before, lines, said):
    head = f'[Rules "500-rummy"]\n[Set "{setting}"]\n[Players "A, B"]\nhand 1\n'
    text = f"{head}score A 40, B {min(before, -20)}\ntotal A 40, B {before}\nhand 2\n{lines}\n"
    (finding,) = audit(text).findings
    assert finding.code == "score.total"
    assert finding.notes[1:] == (said,)
    assert [rule.key for rule in finding.rules] == (
        ["scoring.below_zero.total"] if "cannot be below" in said else []
    )


def test_a_wrong_total_shows_the_sum_of_the_hand_too():
    text, _ = log_of("500-rummy", (), ("out.bonus=50",), ["greedy", "greedy"], hands=1)
    spoiled = re.sub(
        r"(total \w+) (-?\d+)", lambda one: f"{one[1]} {int(one[2]) + 1}", text, count=1
    )
    (finding,) = audit(spoiled).findings
    assert finding.code == "score.total"
    assert finding.notes[1].startswith("0 before ")
    assert finding.notes[2].startswith("this hand: ")
    assert "scoring.hands" in [rule.key for rule in finding.rules]


def test_programs_get_every_setting_of_a_sum(meldref, log):
    text, _ = log_of("500-rummy", (), ("out.bonus=50",), ["greedy", "greedy"], hands=1)
    spoiled = re.sub(
        r"(score \w+) (-?\d+)", lambda one: f"{one[1]} {int(one[2]) + 1}", text, count=1
    )
    name = log(spoiled)
    finding = json.loads(meldref("audit", name, "--format", "json").out)["logs"][0]["findings"][0]
    assert finding["code"] == "score.hand"
    assert "scoring.hands" in [rule["key"] for rule in finding["rules"]]
    assert all(set(rule) == {"key", "value", "file", "line"} for rule in finding["rules"])
    shown = meldref("audit", name).out
    names = [rule["key"].removeprefix("scoring.values.") for rule in finding["rules"]]
    assert all(
        f"{name} = {rule['value']}" in shown
        for name, rule in zip(names, finding["rules"], strict=True)
    )


@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        ("500-rummy", ["greedy", "greedy"]),
        ("500-rum", ["greedy", "greedy", "random"]),
        ("partnership-500-rum", ["greedy"] * 4),
    ],
)
def test_a_wrong_score_names_whose_it_is_and_which_cards_of_whom_count_what(name, kinds):
    text, _ = log_of(name, (), (), kinds, hands=2)
    spoiled = re.sub(
        r"^(score [\w+]+) (-?\d+)",
        lambda one: f"{one[1]} {int(one[2]) + 1}",
        text,
        flags=re.MULTILINE,
    )
    findings = [one for one in audit(spoiled).findings if one.code == "score.hand"]
    assert len(findings) == 2
    for finding in findings:
        _, total, *rows = finding.notes
        for word in ("laid", "held"):
            cards = [row.partition(": ")[2] for row in rows if row.startswith(f"{word} by ")]
            counted = sum(int(card.split()[-1]) for row in cards for card in row.split(", "))
            assert counted == int(re.search(rf"(\d+) {word}", total)[1])
        owners = {re.match(r"\w+ by (\w+):", row)[1] for row in rows}
        assert owners <= {*finding.player.split("+")}
        assert finding.message.startswith(f"{finding.player} scores ")
