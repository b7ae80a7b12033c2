"""Rules are looked for with an effort that is bounded, in logs that were written to take long as well."""

from __future__ import annotations

import json
from itertools import count, islice, takewhile
from random import Random

import pytest

from meldref.core.cards import NATURALS, card_text
from meldref.core.events import HandStart
from meldref.notation.reader import read_lines
from meldref.replay.log import Replay
from meldref_authoring import otherwise
from meldref_cli.main import main
from meldref_evidence.inferring import budget
from meldref_evidence.inferring.budget import Budget
from meldref_evidence.inferring.corpus import Corpus, log_of
from meldref_evidence.inferring.draft import Draft
from meldref_evidence.inferring.evidence import evidence_for
from meldref_evidence.inferring.facts import Facts
from meldref_evidence.inferring.infer import infer_rules
from meldref_evidence.inferring.judging import Bench
from meldref_evidence.inferring.writing import data_of, text_of

CARDS = [card_text(card) for card in NATURALS]
SIZE = 500_000
MOST_FED = 70_000
"""How many lines are judged at most to find the rules of a hostile log."""


def tiny_games(_):
    for _ in count():
        yield '[Players "Ann, Bob"]\nhand 1\n1. Ann: draw; discard 5h\n'


def jokers(dice):
    yield '[Players "Ann, Bob"]\nhand 1\n'
    for turn in count(1):
        player, meld = ("Ann", "Bob")[turn % 2], dice.randint(1, 40)
        yield f"{turn}. {player}: draw Jk; meld Jk Jk 4h; meld Jk Jk Jk Jk; lay Jk m{meld}; discard Jk\n"


def findings_everywhere(dice):
    yield '[Players "Ann, Bob, Cy"]\n'
    for hand in count(1):
        yield f"hand {hand}\n"
        for turn in range(1, 40):
            taken, *meld, left = dice.sample(CARDS, 5)
            player = dice.choice(("Ann", "Bob", "Cy"))
            yield f"{turn}. {player}: take {taken}; meld {' '.join(meld)}; discard {left}\n"
        yield f"score Ann {dice.randint(-50, 90)}, Bob 5, Cy 7\ntotal Ann 3, Bob 99, Cy 0\n"


def deep_piles(dice):
    yield '[Players "Ann, Bob"]\nhand 1\n'
    for turn in count(1):
        player = ("Ann", "Bob")[turn % 2]
        yield f"{turn}. {player}: draw {dice.choice(CARDS)}; discard {dice.choice(CARDS)}\n"


def many_hands(_):
    yield '[Players "Ann, Bob"]\n'
    for hand in count(1):
        yield f"hand {hand}\ndeal Ann: 2c 3c 4c 5c 6c 7c 8c\ndeal Bob: 2d 3d 4d 5d 6d 7d 8d\nup Ks\n"
        yield "1. Ann: draw 9c; meld 2c 3c 4c 5c 6c 7c 8c; discard 9c\n"


def scores_only(dice):
    yield '[Players "Ann, Bob"]\nhand 1\n1. Ann: draw; discard 5h\n'
    for _ in count():
        yield f"score Ann {dice.randint(-90, 900)}, Bob {dice.randint(-90, 900)}\ntotal Ann 4, Bob 4\n"


def long_turns(dice):
    yield '[Players "Ann, Bob"]\nhand 1\n'
    for turn in count(1):
        cards = dice.sample(CARDS, 40)
        melds = "; ".join(f"meld {' '.join(cards[at : at + 3])}" for at in range(1, 39, 3))
        yield f"{turn}. {('Ann', 'Bob')[turn % 2]}: take {cards[0]}; {melds}; discard {cards[39]}\n"


HOSTILE = (
    jokers,
    scores_only,
    *(
        pytest.param(kind, marks=pytest.mark.sweep)
        for kind in (tiny_games, findings_everywhere, deep_piles, many_hands, long_turns)
    ),
)


def written(kind, size=SIZE):
    """A log of that kind, of that many characters and a little more."""
    parts = kind(Random(kind.__name__))
    so_far = 0

    def short(part):
        nonlocal so_far
        so_far += len(part)
        return so_far <= size

    return "".join(takewhile(short, parts))


@pytest.mark.parametrize("kind", HOSTILE, ids=lambda kind: kind.__name__)
def test_the_rules_of_a_hostile_log_are_looked_for_in_few_lines(kind, monkeypatch):
    fed = 0

    class Counting(Replay):
        def feed(self, lines):
            nonlocal fed
            lines = tuple(lines)
            fed += len(lines)
            super().feed(lines)

    monkeypatch.setattr(otherwise, "Replay", Counting)
    text = written(kind)
    log = log_of("hostile.rgn", read_lines(text))
    inferred = infer_rules(Corpus((log,)))
    assert fed < MOST_FED
    left_out = inferred.left_out
    assert left_out.lines == len(log.lines) - (left_out.first.line - 1)
    assert f"from hostile.rgn:{left_out.first.line} on" in text_of(inferred, "found")
    assert data_of(inferred, "")["left_out"]["rules"] == left_out.rules


def test_a_long_log_is_cut_where_a_hand_or_game_begins():
    for kind in (tiny_games, findings_everywhere, many_hands):
        log = log_of("", read_lines(written(kind, 40_000)))
        part = log.beginning(2_000)
        rest = log.lines[len(part.lines)]
        assert part.lines == log.lines[: len(part.lines)]
        assert type(rest[0].event) is HandStart or rest[0].event.key == "Players"
        assert 1_700 < part.effort <= 2_000
    log = log_of("", read_lines(written(deep_piles, 40_000)))
    assert 1_990 < log.beginning(2_000).effort <= 2_000, "its one hand is cut in two"
    assert log.beginning(log.effort) is log


def test_where_no_work_is_left_no_other_rules_are_tried_and_that_is_said(
    monkeypatch, tmp_path, capsys
):
    monkeypatch.setattr(budget, "_WORK", 1)
    log = tmp_path / "a.rgn"
    log.write_text("".join(islice(findings_everywhere(Random(1)), 41)), encoding="utf-8")
    assert main(["rules", "infer", "--format", "json", str(log)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["left_out"]["rules"] > 5
    assert (found["left_out"]["lines"], found["left_out"]["first"]) == (0, None)
    assert "other rulesets that might fit better: they were not tried." in found["file"]
    assert (found["leeway"], found["questions"]) == (None, [])


def test_the_hands_that_need_a_part_are_not_counted_where_no_work_is_left():
    log = log_of("a.rgn", read_lines(written(many_hands, 2_000)))
    draft = Draft("500-rum", ("low-cards-5",))
    for work, counted in ((Budget(), True), (Budget(0), False)):
        (part,) = evidence_for(draft, Bench([log], work), {}, Facts())
        assert (part.text != "how many hands need this was not counted") == counted
