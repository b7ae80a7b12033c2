"""`--quiet` and `--verbose`: every command has both, and they say less and more of the same."""

from __future__ import annotations

import pytest

from cli_logs import BAD
from meldref_cli.groups import COMMANDS, RULES_COMMANDS

EVERY = [(name,) for name in COMMANDS if name != "rules"] + [
    ("rules", name) for name in RULES_COMMANDS
]
HERE = ("--hand", "4d 9h 2h", "--pile", "6s 4c Qs 4s 7h")


@pytest.mark.parametrize("command", EVERY, ids=" ".join)
def test_every_command_can_say_less_and_more(meldref, command):
    help_ = meldref(*command, "-h").out
    assert "-q, --quiet" in " ".join(help_.split())
    assert "-v, --verbose" in " ".join(help_.split())


def test_legal_moves_alone(meldref):
    assert meldref("legal", *HERE, "--quiet").lines == [
        "take 4c; meld 4c 4d 4s",
        "draw ?",
        "take 7h",
    ]
    assert meldref("legal", *HERE, "--turns", "--most", 1, "-q").err == ""


def test_the_table_before_a_move_is_shown(meldref):
    ran = meldref("legal", "take 7h", *HERE, "--verbose")
    assert ran.lines[0] == "  > A  0  4d 2h 9h  (3 cards)"
    assert "    pile   6s 4c Qs 4s 7h" in ran.lines
    assert "legal: A: take 7h" in ran.lines
    assert (
        meldref("legal", "take 7h", *HERE, "--verbose", "--format", "json").data["verdict"]
        == "legal"
    )


def test_cards_alone(meldref):
    assert meldref("melds", "5h 6h 7h 8h", "-q").lines == ["5h 6h 7h 8h", "6h 7h 8h", "5h 6h 7h"]
    assert meldref("best", "5h 6h 7h 2c", "-q").lines == ["meld 5h 6h 7h"]
    assert meldref("melds", "5h", "-q").out == meldref("best", "5h", "-q").out == ""


def test_a_replay_of_what_is_wrong_alone_and_with_every_table(meldref, log):
    bad_log = log(BAD + 'note "late"\n', "bad.rgn")
    ran = meldref("replay", bad_log, "-q")
    assert ran.code == 1
    assert [line.partition(": ")[0] for line in ran.lines] == ["bad.rgn:13:18"]
    tables = [meldref("replay", bad_log, *more).out.count("    stock  ") for more in ([], ["-v"])]
    assert tables == [5, 6]


def test_what_became_of_each_log_is_said(meldref, log):
    log(name="good.rgn")
    log("hand 1\n\n\n", name="long.rgn")
    ran = meldref("fmt", "good.rgn", "long.rgn", "--verbose")
    assert ran.err.splitlines()[:2] == ["good.rgn: in canonical form", "long.rgn: formatted"]


def test_codes_and_keys_alone_and_in_full(meldref):
    assert meldref("explain", "draw.top", "-q").lines == ["draw.top.unused", "draw.top.lay-off"]
    assert meldref("explain", "draw.top.unused", "-q").out.startswith("draw.top.unused: ")
    assert meldref("explain", "draw.top", "-v").out.count("\nWhy: ") == 2
    assert meldref("rules", "explain", "draw.deep.must", "-q").lines == ["draw.deep.must: be_used"]
    assert "game.target: 500" in meldref("rules", "explain", "game", "-q").lines
    assert "game.target" in meldref("rules", "explain", "-q").lines


def test_rules_without_who_set_them_are_the_same_rules(meldref, log, tmp_path):
    shown = meldref("rules", "show", "500-rummy", "--with", "floating", "-q").out
    assert "#" not in shown
    log(shown.replace("id: 500-rummy", "id: ours"), "ours.yaml")
    assert meldref("rules", "diff", "500-rummy+floating", "ours.yaml").code == 0


def test_where_rulesets_lie_is_said(meldref):
    ran = meldref("rules", "list", "-v")
    assert any(
        line.strip().startswith("500 Rummy: ") and line.endswith("500-rummy.yaml")
        for line in ran.lines
    )


def test_files_are_written_without_a_word(meldref, log, tmp_path):
    log()
    for command in (["rules", "schema"], ["rules", "rulebook", "500-rummy", "--no-examples"]):
        ran = meldref(*command, "-o", "out.md", "--force", "-q")
        assert (ran.code, ran.out, ran.err) == (0, "", "")
        assert (tmp_path / "out.md").stat().st_size > 1000
