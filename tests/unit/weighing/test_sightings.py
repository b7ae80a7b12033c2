"""Which lines show a card, where the deck has several that look alike."""

from __future__ import annotations

from meldref.core.cards import card_text
from meldref.notation.reader import read_lines
from meldref.replay.log import Replay
from meldref_evidence.explaining import RecordExplainer
from meldref_evidence.weighing.sightings import PILE, sightings

HEAD = """\
[Rules "contract-rummy"]
[Players "Ann, Bob, Cy"]
hand 1 dealer Cy
deal Ann Kc Kc 3c 2h 6h 8h 9s Js Qs 4d
deal Bob ?*10
deal Cy ?*10
up Jh
"""
TURNS = """\
1. Ann: draw Jd; discard Kc
2. Bob: draw ?; discard 8d
3. Cy: draw ?; discard 9h
4. Ann: draw Ah; discard Kc
5. Bob: draw ?; discard 2c
6. Cy: draw ?; discard 2d
"""


def test_two_cards_that_look_alike_may_leave_a_hand_one_after_the_other():
    run = Replay("test.rgn", explainer=RecordExplainer())
    run.feed(read_lines(HEAD))
    assert run.game is not None
    lines = [line for line, _ in read_lines(HEAD + TURNS)][3:]
    shown = sightings(run.game.start, lines)
    kings = [sorted(one.lines) for one in shown.cards if card_text(one.card) == "Kc"]
    assert sorted(kings) == [[4, 8], [4, 11]]
    assert len(shown.at(PILE, shown.cards[-1].card)) == 1
