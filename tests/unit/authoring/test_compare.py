"""`meldref rules compare`: the same deals by two rulesets, side by side."""

from __future__ import annotations

import importlib.util

import pytest

from meldref_authoring import compare
from meldref_authoring.compare import compare_rules
from meldref_cli import differing
from meldref_table.simulate import Seats
from simulated import ruleset

GREEDY = Seats.of(["greedy"] * 3)


def by_key(comparison):
    return {measure.key: measure for measure in comparison.measures}


def test_every_hand_ends_in_one_way():
    random = Seats.of(["random"] * 3)
    found = compare_rules(("a", ruleset("500-rum")), ("b", ruleset("500-rummy")), random, 30, 1)
    for ends in found.ends:
        assert sum(ends.values()) == 30
    shares = [one for one in found.measures if one.share]
    assert sum(one.first.value for one in shares) == pytest.approx(1)
    assert sum(one.second.value for one in shares) == pytest.approx(1)


def test_intervals_of_means_are_wide_where_little_was_played():
    assert compare._student(1) == pytest.approx(12.706, abs=1e-3)
    assert compare._student(7) == pytest.approx(2.365, abs=0.01)
    assert compare._student(29) == pytest.approx(2.045, abs=1e-3)
    assert compare._student(100_000) == pytest.approx(1.960, abs=1e-3)


def test_long_names_stand_above_the_table(meldref):
    long = "500-rummy+floating+no-calls+no-jokers"
    lines = meldref("rules", "compare", "500-rummy", long, "--hands", 2).out.splitlines()
    assert lines[1:4] == ["A: 500-rummy", f"B: {long}", ""]
    assert lines[4].split() == ["A", "B", "difference"]


def test_a_ruleset_does_not_differ_from_itself():
    rules = ruleset()
    found = compare_rules(("a", rules), ("b", rules), GREEDY, 12, 4)
    for measure in found.measures:
        assert measure.first == measure.second
        if measure.difference is not None:
            assert (measure.difference.value, measure.difference.low, measure.difference.high) == (
                0,
                0,
                0,
            )


def test_figures_lie_in_their_intervals_and_differ_by_the_difference():
    found = compare_rules(
        ("a", ruleset()), ("b", ruleset("500-rummy", ["no-calls"])), GREEDY, 25, 2
    )
    for measure in found.measures:
        for figure in (measure.first, measure.second, measure.difference):
            assert figure is None or figure.low <= figure.value <= figure.high
        if measure.difference is not None:
            assert measure.difference.value == pytest.approx(
                measure.second.value - measure.first.value
            )
    assert by_key(found)["calls"].second.value == 0


@pytest.mark.sweep
def test_more_hands_make_figures_surer():
    rules = ruleset()
    few, many = (
        by_key(compare_rules(("a", rules), ("b", rules), GREEDY, n, 1))["turns"].first
        for n in (10, 60)
    )
    assert many.high - many.low < few.high - few.low


def test_shares_have_intervals_within_bounds():
    nothing, everything = compare._share(0, 20), compare._share(20, 20)
    assert (nothing.low, everything.high) == (0, 1)
    assert 0 < nothing.high < 0.2
    assert compare._share(50, 100).low == pytest.approx(0.4038, abs=1e-4)


def test_a_single_hand_has_no_interval():
    found = by_key(compare_rules(("a", ruleset()), ("b", ruleset("500-rum")), GREEDY, 1, 1))
    assert found["turns"].first.low is None
    assert found["turns"].first.count == 1


def test_each_hand_ticks():
    ticks = []
    compare_rules(("a", ruleset()), ("b", ruleset()), GREEDY, 3, 1, ticks.append)
    assert ticks == [1] * 6


# --- the command ----------------------------------------------------------------------------------


def test_two_rulesets_stand_side_by_side(meldref):
    ran = meldref("rules", "compare", "500-rummy", "500-rummy+floating+no-calls", "--hands", 8)
    assert (ran.code, ran.err) == (0, "")
    assert ran.lines[0] == "8 hands each by greedy, greedy; seed 1"
    assert ran.lines[2].split() == ["500-rummy", "500-rummy+floating+no-calls", "difference"]
    assert any(line.startswith("points a hand  ") for line in ran.lines)
    assert len({len(line) for line in ran.lines[3:9]}) == 1


def test_json_has_the_same_figures(meldref):
    data = meldref(
        "rules",
        "compare",
        "500-rum",
        "500-rummy",
        "--hands",
        6,
        "--seats",
        "random,greedy",
        "--format",
        "json",
    ).data
    assert (data["rulesets"], data["hands"], data["seats"]) == (
        ["500-rum", "500-rummy"],
        6,
        ["random", "greedy"],
    )
    assert [sum(ends.values()) for ends in data["ends"]] == [6, 6]
    turns = next(one for one in data["measures"] if one["key"] == "turns")
    assert turns["second"]["value"] - turns["first"]["value"] == pytest.approx(
        turns["difference"]["value"]
    )


def test_as_many_play_as_both_rulesets_allow(meldref):
    ran = meldref("rules", "compare", "500-rummy", "persian-rummy", "--hands", 1)
    assert ran.lines[0] == "1 hand each by greedy, greedy, greedy, greedy; seed 1"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("500-rummy", "chess"), "chess"),
        (("500-rummy", "500-rummy+"), "options come after a plus"),
        (("500-rummy", "500-rummy+flotaing"), "flotaing"),
        (("persian-rummy", "online-rummy-500"), "online-rummy-500: 4 players: this game is for 2"),
        (
            ("500-rummy", "500-rum", "--plot", "x.pdf"),
            "--plot x.pdf: the file ends in .svg or .png",
        ),
        (("500-rummy", "500-rum", "--plot", "there.svg"), "there.svg: the file already exists"),
    ],
    ids=str,
)
def test_what_cannot_be_compared_is_said(meldref, tmp_path, monkeypatch, arguments, said):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "there.svg").write_text("")
    ran = meldref("rules", "compare", *arguments, "--hands", 1)
    assert ran.code == 2
    assert said in ran.err


def test_a_plot_needs_matplotlib(meldref, tmp_path, monkeypatch):
    monkeypatch.setattr(differing, "find_spec", lambda name: None)
    ran = meldref("rules", "compare", "500-rummy", "500-rum", "--plot", tmp_path / "x.svg")
    assert ran.code == 2
    assert "pip install 'meldref[plot]'" in ran.err


@pytest.mark.skipif(
    importlib.util.find_spec("matplotlib") is None, reason="the extra `plot` is not installed"
)
@pytest.mark.parametrize(("name", "begins"), [("x.svg", b"<?xml"), ("x.png", b"\x89PNG")])
def test_a_plot_is_the_same_each_time(meldref, tmp_path, name, begins):
    arguments = (
        "rules",
        "compare",
        "500-rummy",
        "500-rum",
        "--hands",
        5,
        "--plot",
        tmp_path / name,
        "--force",
    )
    drawn = []
    for _ in range(2):
        assert meldref(*arguments).code == 0
        drawn.append((tmp_path / name).read_bytes())
    assert drawn[0] == drawn[1]
    assert drawn[0].startswith(begins)
