"""`meldref simulate`: games from a seed, as logs or JSON, and no file written over unasked."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.fixture
def here(tmp_path, monkeypatch):
    """An empty current folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_game_is_written_to_standard_output_and_audits_clean(meldref):
    ran = meldref("simulate", "--seats", "greedy,greedy", "--set", "game.target=50")
    assert ran.code == 0
    assert ran.lines[0] == '[Rules "500-rummy"]'
    assert ran.lines[-1].startswith("result ")
    assert meldref("audit", "-", stdin=ran.out).code == 0


def test_so_many_hands_and_players_are_played(meldref):
    ran = meldref("simulate", "--players", 5, "--hands", 4, "--seed", 3)
    assert sum(line.startswith("hand ") for line in ran.lines) == 4
    assert '[Players "Ann, Bob, Cy, Dee, Eve"]' in ran.lines


def test_the_fewest_who_may_play_do_so_unless_it_is_said(meldref):
    assert (
        '[Players "Ann, Bob, Cy, Dee"]'
        in meldref("simulate", "--hands", 1, "--rules", "persian-rummy").lines
    )


def test_the_same_seed_plays_the_same_game(meldref):
    first, again, other = (
        meldref("simulate", "--hands", 2, "--seed", seed).out for seed in (5, 5, 6)
    )
    assert first == again != other


def test_json_has_a_line_for_each_event(meldref):
    ran = meldref("simulate", "--hands", 1, "--to", "json")
    events = [json.loads(line) for line in ran.lines]
    log = [line for line in meldref("simulate", "--hands", 1).lines if line]
    assert len(events) == len(log)
    assert events[0] == {"event": "header", "key": "Rules", "value": "500-rummy"}
    assert events[-1]["event"] in {"total", "result"}


def test_a_file_is_written_and_not_written_over_unasked(meldref, here):
    ran = meldref("simulate", "--hands", 3, "-o", "out.rgn")
    assert (ran.code, ran.out) == (0, "")
    assert ran.err.startswith("out.rgn: 3 hands in ")
    text = (here / "out.rgn").read_bytes()
    ran = meldref("simulate", "--hands", 4, "-o", "out.rgn")
    assert ran.code == 2
    assert "out.rgn: the file already exists" in ran.err
    assert (here / "out.rgn").read_bytes() == text
    assert meldref("simulate", "--hands", 4, "-o", "out.rgn", "--force", "--quiet").err == ""
    assert (here / "out.rgn").read_bytes() != text
    assert [path.name for path in here.iterdir()] == ["out.rgn"]


def test_the_ending_of_the_file_tells_the_format_unless_it_is_said(meldref, here):
    for name, more, first in (
        ("a.jsonl", (), "{"),
        ("b.rgn", (), "["),
        ("c.jsonl", ("--to", "rgn"), "["),
        ("d.rgn", ("--to", "json"), "{"),
    ):
        assert meldref("simulate", "--hands", "1", "-o", name, *more).code == 0
        assert (here / name).read_text()[0] == first


def test_house_rules_are_named_from_where_the_log_lies(meldref, here):
    (here / "rules").mkdir()
    (here / "logs").mkdir()
    (here / "rules" / "lake.yaml").write_text(
        "id: lake\nname: Lake\nextends: [500-rummy]\ngame: {target: 80}\n"
    )
    ran = meldref("simulate", "--rules", "rules/lake.yaml", "--hands", 2, "-o", "logs/lake.rgn")
    assert ran.code == 0
    assert "logs/lake.rgn names ../rules/lake.yaml, " in ran.err
    assert "--trust-paths" in ran.err
    assert (here / "logs" / "lake.rgn").read_text().startswith('[Rules "../rules/lake.yaml"]\n')
    assert meldref("audit", "logs/lake.rgn").code == 2
    assert meldref("audit", "--trust-paths", "logs/lake.rgn").code == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--hands", 1, "--games", 1), "--hands and --games: give one of them"),
        (("--players", 9), "500-rummy: 9 players: this game is for 2 to 8"),
        (("--players", 1), "500-rummy: 1 player: this game is for 2 to 8"),
        (
            ("--seats", "random,clever"),
            "clever is not a kind of player; there are random and greedy, or MODULE:NAME",
        ),
        (("--seats", "clever"), "clever is not a kind of player"),
        (("--seats", "random,"), "nothing is not a kind of player"),
        (("--seats", "random,random", "--players", 3), "--players 3, and --seats names 2"),
        (("--rules", "chess"), "--rules chess"),
        (("-o", "."), ".: this is a folder"),
        (("--hands", 1, "-o", "nowhere/x.rgn"), "nowhere/x.rgn: there is no folder nowhere"),
        (("--hands", 0), "--hands"),
    ],
    ids=str,
)
def test_what_cannot_be_played_or_written_is_said(meldref, here, arguments, said):
    ran = meldref("simulate", *arguments)
    assert ran.code == 2
    assert said in ran.err
    assert ran.out == ""


def test_a_log_is_not_written_into_another_kind_of_file(meldref, log, tmp_path):
    log()
    ran = meldref("simulate", "-o", "games.csv")
    assert (ran.code, ran.out) == (2, "")
    assert "games.csv: the name of the file has to end in .rgn, " in ran.err
    assert meldref("simulate", "-o", "games.csv", "--to", "rgn", "-q").code == 0
    assert (tmp_path / "games.csv").read_text().startswith("[Rules ")


PLAYER = """
class Mine:
    def choose(self, seen, actions):
        return actions[0]
"""


@pytest.mark.parametrize("form", ["file", "package"])
@pytest.mark.sweep(every=2)
def test_of_the_folder_only_the_player_that_was_named_is_loaded(here, form):
    """Not what happens to have the name of a module that the program needs."""
    for name in ("constraint", "json", "meldref", "lark", "yaml", "random"):
        (here / f"{name}.py").write_text("open('planted', 'w').close()\n")
    file = here / ("mine.py" if form == "file" else "mine/__init__.py")
    file.parent.mkdir(exist_ok=True)
    file.write_text(PLAYER if form == "file" else "from .players import Mine\n")
    if form == "package":
        (file.parent / "players.py").write_text(PLAYER)
    run = subprocess.run(
        [
            Path(sys.executable).with_name("meldref"),
            "simulate",
            "--seats",
            "mine:Mine,random",
            "--hands",
            "1",
        ],
        cwd=here,
        env={**os.environ, "MELDREF_CACHE": "off"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert "result" in run.stdout or "score" in run.stdout
    assert not (here / "planted").exists()


def test_a_player_whose_file_needs_another_one_of_the_folder_is_told_of(meldref, here):
    (here / "helper.py").write_text("")
    (here / "needy.py").write_text("import helper\n")
    ran = meldref("simulate", "--seats", "needy:Mine,random", "--hands", 1)
    assert ran.code == 2
    assert (
        "--seats needy:Mine: needy.py:1: ModuleNotFoundError: No module named 'helper'" in ran.err
    )


def test_a_player_that_fails_in_the_middle_of_a_game_is_told_of_with_the_line(meldref, here):
    (here / "strategy.py").write_text(
        "class Mine:\n    def choose(self, seen, actions):\n        return seen.nothing\n"
    )
    ran = meldref("simulate", "--seats", "strategy:Mine,random", "--hands", 1)
    assert ran.code == 2
    assert "--seats strategy:Mine: strategy.py:3: AttributeError: " in ran.err


def test_who_won_and_scored_how_much_is_told_beside_the_log(meldref):
    ran = meldref("simulate", "--games", "2", "--seats", "greedy,random")
    table = [line.split() for line in ran.err.splitlines()]
    rows = {row[0]: row[1:] for row in table if row and row[0] in {"Ann", "Bob"}}
    assert rows["Ann"][0] == "greedy"
    assert sum(int(wins) for _, wins, _ in rows.values()) == 2
    assert "wins" not in meldref("simulate", "--games", "1", "--quiet").err


def test_a_hand_is_played_out_from_a_position_as_often_as_asked(meldref, here):
    (here / "at.yaml").write_text(
        'players: [Ann, Bob]\nhands: {Ann: "4d 4h 9h Ks", Bob: "?*5"}\npile: "6s 4c"\nstock: 17\n'
    )
    ran = meldref("simulate", "--from", "at.yaml", "--hands", 3, "--seats", "greedy,random")
    assert ran.code == 0
    assert [line for line in ran.lines if line.startswith("#")] == [
        f"# {number} of 3" for number in (1, 2, 3)
    ]
    assert sum(line.startswith("score Ann ") for line in ran.lines) == 3
    table = [line.split() for line in ran.err.splitlines()]
    assert [row[:2] for row in table[1:]] == [["Ann", "greedy"], ["Bob", "random"]]
    events = meldref("simulate", "--from", "at.yaml", "--to", "json", "--quiet")
    assert [json.loads(line)["event"] for line in events.lines][-2:] == ["end", "score"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--from", "at.yaml", "--games", 2), "goes with --hands"),
        (("--from", "at.yaml", "--players", 2), "goes with --hands"),
        (("--from", "at.yaml", "--seats", "greedy"), "has 2 players, and --seats names 1"),
        (("--from", "none.yaml"), "none.yaml"),
        (("--from", "odd.yaml"), "odd.yaml:1"),
    ],
)
def test_what_cannot_be_played_on_from_a_position_is_said(meldref, here, arguments, said):
    (here / "at.yaml").write_text('hands: {A: "4d 4h 9h Ks", B: "5c 5d"}\nstock: 9\n')
    (here / "odd.yaml").write_text('hands: {A: "4d 4z"}\n')
    ran = meldref("simulate", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err
