"""How a game stands after a hand is what the table `games.yaml` says: over or not, who has won, who is level."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from meldref.position.game import HandRecord, Standing
from meldref.rules.game import GameVerdict, leaders, stands, total, winner
from simulated import ruleset
from written import read_yaml_file

TABLE = read_yaml_file(Path(__file__).with_name("games.yaml"))


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row["what"])
def test_a_game_stands_as_the_table_says(row):
    rules = ruleset(
        settings=[f"{key}={json.dumps(value)}" for key, value in row.get("set", {}).items()]
    )
    sides = range(len(row["totals"]))
    last = HandRecord(
        row.get("hands", 1),
        reason=row.get("reason", "out"),
        out=row.get("out"),
        table=row.get("table") and dict(enumerate(row["table"])),
        held=row.get("held") and dict(enumerate(row["held"])),
    )
    before = tuple(row.get("tied_before", ()))
    standing = Standing(
        tuple((side,) for side in sides),
        tuple("ABCD"[: len(sides)]),
        row["totals"],
        played=last.number,
        last=None if row.get("last") == "none" else last,
        tied=before,
        were_in=tuple(row.get("were_in", before)),
        agreed=row.get("agreed", False),
        skipped=row.get("skipped", 0),
    )
    winners, tied = tuple(row.get("winners", ())), tuple(row.get("tied", ()))
    due = GameVerdict(
        row.get("over", False),
        winners,
        tied,
        known=row.get("known", True),
        may_stop=row.get("may_stop", False),
    )
    assert stands(rules, standing) == due
    assert leaders(rules, standing) == tuple(row.get("ahead", winners or tied))


TWO = Standing(((0,), (1,)), ("Ann", "Bob"), [30, 30], played=1)


@pytest.mark.parametrize(("recorded", "key"), [(-1, "scoring.below_zero.total"), (0, ""), (40, "")])
def test_a_wrong_total_below_zero_names_the_rule_that_forbids_one(recorded, key):
    rules = ruleset(settings=["scoring.below_zero.total=forbidden"])
    found = total(rules, TWO, 0, recorded, (30, 25))
    assert (found.message, found.key) == (f"Ann's total is 30, not {recorded}", key)


@pytest.mark.parametrize(("sides", "code"), [((0, 1), None), ((0,), None), ((2,), "game.winner")])
def test_whoever_is_level_may_have_won_where_nobody_knows_what_breaks_the_tie(sides, code):
    rules = ruleset(settings=["game.tie.by=melds_then_hand"])
    last = HandRecord(1, reason="out", out=0)
    standing = Standing(
        ((0,), (1,), (2,)), ("Ann", "Bob", "Cy"), [510, 510, 505], played=1, last=last
    )
    assert getattr(winner(rules, standing, sides), "code", None) == code
