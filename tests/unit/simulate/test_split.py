"""Simulated games as files of their own: reproducible, whatever the number of processes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def files(folder):
    return {path.name: path.read_bytes() for path in Path(folder).iterdir()}


@pytest.mark.sweep
def test_a_game_a_file_and_the_same_files_for_any_number_of_jobs(meldref):
    ran = meldref("simulate", "--games", 12, "--seed", 5, "--into", "one", "--split")
    assert (ran.code, "12 games" in ran.err) == (0, True)
    assert (
        meldref("simulate", "--games", 12, "--seed", 5, "--into", "two", "--split", "-j", 2).code
        == 0
    )
    assert files("one") == files("two")
    assert sorted(files("one"))[::11] == ["game-0000001.rgn", "game-0000012.rgn"]
    assert len(set(files("one").values())) == 12
    assert meldref("audit", "one", "--quiet").code == 0


def test_the_seed_in_a_file_plays_that_game_alone(meldref):
    meldref("simulate", "--games", 3, "--into", "out", "--split", "--seats", "greedy,random")
    text = Path("out/game-0000003.rgn").read_text()
    seed = re.search(r'\[X-Seed "(\d+), game 1"\]', text)[1]
    assert meldref("simulate", "--games", 1, "--seed", seed, "--seats", "greedy,random").out == text


def test_more_games_from_a_seed_begin_with_the_same_ones_and_another_seed_with_others(meldref):
    for into, games, seed in (("few", 2, 1), ("more", 3, 1), ("other", 3, 2)):
        meldref("simulate", "--games", games, "--seed", seed, "--into", into, "--split")
    assert files("few").items() < files("more").items()
    assert not set(files("more").values()) & set(files("other").values())


@pytest.mark.sweep
@pytest.mark.parametrize("jobs", [1, 2])
def test_so_many_hands_are_as_many_games_as_they_take(meldref, jobs):
    ran = meldref("simulate", "--hands", 25, "--into", "out", "--split", "-j", jobs)
    assert "out: 25 hands in" in ran.err
    texts = [text.decode() for _, text in sorted(files("out").items())]
    assert sum(len(re.findall(r"^hand \d", text, re.MULTILINE)) for text in texts) == 25
    assert all("\nresult " in text for text in texts[:-1])
    assert f"{len(texts)} games" in ran.err


def test_a_folder_with_anything_in_it_is_left_alone_unless_it_is_forced(meldref):
    meldref("simulate", "--games", 3, "--into", "out", "--split")
    Path("out/mine.txt").write_text("mine")
    before = files("out")
    assert meldref("simulate", "--games", 1, "--seed", 2, "--into", "out", "--split").code == 2
    assert files("out") == before
    assert (
        meldref("simulate", "--games", 1, "--seed", 2, "--into", "out", "--split", "--force").code
        == 0
    )
    assert sorted(files("out")) == ["game-0000001.rgn", "mine.txt"]


@pytest.mark.parametrize(
    "options",
    [
        ["--split"],
        ["--into", "out"],
        ["--into", "out", "--split", "-o", "x"],
        ["--split", "-o", "x"],
        ["-j", "2"],
    ],
)
def test_a_file_a_game_needs_a_folder(meldref, options):
    assert meldref("simulate", *options).code == 2
    assert not Path("out").exists()


def test_house_rules_are_named_as_seen_from_the_folder(meldref):
    Path("ours.yaml").write_text("id: ours\nextends: [500-rummy]\n")
    ran = meldref("simulate", "--rules", "ours.yaml", "--into", "out", "--split", "--to", "json")
    assert ran.code == 0
    assert "--trust-paths" in ran.err
    assert '"../ours.yaml"' in Path("out/game-0000001.jsonl").read_text()


BOTS = """
class Last:
    def __init__(self, ruleset):
        self.best = max(ruleset.scoring.values)
        self.chosen = 0

    def choose(self, seen, actions):
        self.chosen += 1
        return actions[-self.chosen % len(actions)]


class Plain:
    def choose(self, seen, actions):
        return actions[0]


class Mute:
    pass


class Faulty:
    def choose(self, seen, actions):
        return {}["move"]


class Cheat:
    def choose(self, seen, actions):
        return "all the cards"


class Unmade:
    def __init__(self, one, two):
        pass


ready = Plain()
"""


@pytest.mark.sweep
def test_a_player_of_ones_own_is_imported_from_here_and_plays_the_same_in_any_process(meldref):
    Path("mybots.py").write_text(BOTS)
    seats = ("--seats", "mybots:Last, greedy,mybots:ready")
    ran = meldref("simulate", "--games", 4, *seats, "--seed", 3, "--into", "one", "--split")
    assert ran.code == 0, ran.err
    assert (
        meldref(
            "simulate", "--games", 4, *seats, "--seed", 3, "--into", "two", "--split", "-j", 2
        ).code
        == 0
    )
    assert files("one") == files("two")
    text = Path("one/game-0000002.rgn").read_text()
    assert '[X-Seats "mybots:Last, greedy, mybots:ready"]' in text
    seed = re.search(r'\[X-Seed "(\d+), game 1"\]', text)[1]
    assert meldref("simulate", *seats, "--seed", seed).out == text
    assert meldref("audit", "one", "--quiet").code == 0


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("nowhere:Bot", "ModuleNotFoundError: No module named 'nowhere'"),
        ("mybots:Nobody", "has no attribute 'Nobody'"),
        ("mybots:Mute", "Mute has no method choose(seen, actions)"),
        ("mybots:Unmade", "TypeError: "),
        ("mybots:Faulty", "KeyError: 'move'"),
        ("mybots:Cheat", "chose 'all the cards', which is not among the actions offered"),
        ("mybots:", "AttributeError: "),
        ("exits:Bot", "SystemExit: 3"),
    ],
)
def test_a_player_that_cannot_play_is_named_with_what_is_wrong(meldref, name, said):
    Path("mybots.py").write_text(BOTS)
    Path("exits.py").write_text("raise SystemExit(3)")
    for more in ([], ["--into", "out", "--split", "-j", 2, "--force"]):
        ran = meldref("simulate", "--seats", f"greedy,{name}", *more)
        assert ran.code == 2
        assert said in ran.err
        assert ran.err.count("\n") == 1
