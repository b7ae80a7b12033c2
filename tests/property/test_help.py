"""Each move that help names is legal where it is named, in logs spoilt at random, under many rules."""

from __future__ import annotations

import os
from itertools import islice
from random import Random

import pytest

from audits import found
from meldref.answers.legal import judge_move
from meldref.core.events import Call, Take, Turn
from meldref.moves import suggestions as helping
from meldref.moves.exhaustive import before_draw
from meldref.notation.reader import read_lines
from meldref.positions.build import Built
from meldref.replay.log import Overrides, stand_before
from model.mutate import mutations
from property.test_replay import TABLES, game, rules_of

SPOILT = 6 * int(os.environ.get("MELDREF_POSITIONS", "1"))


class Watch:
    """Stands in for the referee's help, and keeps what it named and the position in which that has to be legal."""

    def __init__(self) -> None:
        self.wanted = helping.help_for
        self.named: list[tuple[str, Built | None, int, tuple[str, ...]]] = []

    def __call__(self, judge, position, violation, place):
        state = position.copy()
        help_ = self.wanted(judge, position, violation, place)
        assert len(help_) <= 3
        call = state.turn.call
        begun = place is not None and isinstance(place.action, Call) and violation.place is None
        if violation.code.startswith("call.") and begun and call is not None:
            assert call.resume is not None
            state.turn, state.begins = call.resume, call.resume_begins
        there = violation.place or place
        before = violation.before is not None or violation.code == "out.stuck"
        where = None if before else Built(judge, state)
        self.named.append((violation.code, where, 0 if there is None else there.line, help_))
        return help_


def at_the_line(text: str, number: int, *, taken: bool) -> Built | None:
    """Where the hand stands before a line, or after the take that the line begins with."""
    lines = list(read_lines(text))
    built, _ = stand_before(iter(lines[: number - 1]), number, "test.rgn", Overrides())
    event = lines[number - 1][0].event
    if built is None or not isinstance(event, Turn) or not isinstance(event.actions[0], Take):
        return None
    position = built.position
    if position.players[position.turn.seat] != event.player or not position.begins:
        return None
    if taken:
        built.judge.play.begin_turn(position, position.turn.seat)
        built.judge.play.actions[Take](position, event.actions[0])
    return built


@pytest.mark.parametrize(
    ("rules", "options"),
    TABLES,
    ids=lambda value: value if isinstance(value, str) else "+".join(value) or "plain",
)
def test_what_help_names_is_legal_there(rules, options, monkeypatch):
    chosen = rules_of(rules, options)
    log = game(rules, options, 5, hands=1)
    named = 0
    for text, *_ in islice(mutations(log, Random(7), chosen), SPOILT):
        watch = Watch()
        monkeypatch.setattr(helping, "help_for", watch)
        found(text)
        for code, where, line, moves in watch.named:
            named += len(moves)
            for move in moves:
                anew = where is None or (
                    not before_draw(where.position) and move.startswith(("draw", "take"))
                )
                taken = move.startswith(("meld", "lay", "swap"))
                there = at_the_line(text, line, taken=taken) if anew else where
                if there is None:
                    continue
                judged = judge_move(Built(there.judge, there.position.copy()), move)
                assert judged.verdict != "illegal", (code, line, move, judged.findings, text)
        monkeypatch.undo()
    assert named > 5
