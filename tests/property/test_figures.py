"""What is known of a game in part: sheets of legal games, totals alone, and hands recorded from their middle on.

`MELDREF_FIGURES` is how many games are played of each ruleset and option (a few by default).
"""

import os
import re
from random import Random

import pytest

from meldref.notation.parts import write_name
from meldref.notation.reader import read_lines
from meldref.replay.log import Replay
from meldref_evidence.audit import replay
from meldref_evidence.explaining import RecordExplainer
from property.test_options import GAMES, OPTIONS
from property.test_unseen import played

FIGURES = int(os.environ.get("MELDREF_FIGURES", "2"))
CHOICES = [*[(game, [game], ()) for game in GAMES], *[(one, GAMES, [one]) for one in OPTIONS]]
each_choice = pytest.mark.parametrize(
    ("name", "games", "options"), CHOICES, ids=[name for name, _, _ in CHOICES]
)


def sheet(text, *words):
    """The lines of a log that begin with some words, and its headers."""
    kept = re.compile(rf"\[|(?:hand|{'|'.join(words)})\b")
    return "".join(line for line in text.splitlines(keepends=True) if kept.match(line))


def from_the_middle(text, rng):
    """A log that begins in the middle of its hand, with what lies where."""
    lines = list(read_lines(text))
    run = Replay("test.rgn", explainer=RecordExplainer())
    places = []
    for at, read in enumerate(lines):
        run.feed([read])
        hand = run.game and run.game.hand
        position = hand and hand.position
        if position is not None and position.begins and not position.ending:
            places.append((at, position.copy()))
    if not places:
        return None
    at, position = rng.choice(places)
    texts = [read[0].text for read in lines]
    before = [one for one in texts[: at + 1] if re.match(r"\[|(?:hand|wild)\b", one)]
    asserted = [
        f"= hand {write_name(player)} {position.hand_text(seat)}"
        for seat, player in enumerate(position.players)
        if seat in position.order
    ]
    asserted.append(f"= pile {' '.join(map(card_name, position.pile))}".strip())
    for number, meld in enumerate(position.melds, 1):
        layers = position.layers(meld).items()
        asserted.append(f"= table m{number} {', '.join(f'{who} {row}' for who, row in layers)}")
    asserted.append(f"= stock {position.stock_size}")
    asserted += [
        f"= score {write_name(player)} {position.points[seat]}"
        for seat, player in enumerate(position.players)
    ]
    return "\n".join([*before, "gap", *asserted, *texts[at + 1 :]]) + "\n"


def card_name(card):
    return "Jk" if card == 52 else f"{'A23456789TJQK'[card % 13]}{'cdhs'[card // 13]}"


def errors(report):
    return [one for one in report.findings if one.severity.value == "error"]


@each_choice
def test_no_score_of_a_legal_hand_is_pointed_out(name, games, options):
    for number in range(FIGURES):
        text = played(f"figures {name} {number}", games, options)
        assert replay(read_lines(sheet(text, "end", "score", "total"))).findings == [], text


@each_choice
def test_totals_alone_say_what_the_hands_brought(name, games, options):
    for number in range(FIGURES):
        text = played(f"totals {name} {number}", games, options)
        by_scores = replay(read_lines(sheet(text, "score", "total")))
        by_totals = replay(read_lines(sheet(text, "total")))
        assert errors(by_totals) == errors(by_scores) == []
        for played_hand, summed in zip(by_scores.scores, by_totals.scores, strict=True):
            assert summed.totals == played_hand.totals


@each_choice
def test_a_hand_recorded_from_its_middle_on_has_no_finding(name, games, options):
    for number in range(FIGURES):
        text = played(f"middle {name} {number}", games, options)
        part = from_the_middle(text, Random(f"{name} {number}"))
        if part is not None:
            assert replay(read_lines(part)).findings == [], part
