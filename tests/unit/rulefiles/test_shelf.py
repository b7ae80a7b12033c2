"""Rulesets are made once for all logs that come to the same rules, each with its own places."""

from __future__ import annotations

from pathlib import Path

import pytest

from meldref.engine.judge import judge_for
from meldref.notation import read_lines
from meldref.replay.log import Overrides, Replay
from meldref.rulefiles import compose
from meldref.rulefiles.files import LogName, Setting
from meldref.rulefiles.shelf import RulesetCache
from meldref_evidence.explaining import RecordExplainer

HOUSE = "id: house\nextends: [500-rummy, below.yaml]\ngame: {target: 400}\n"
BELOW = "type: option\nid: below\ndeck: {jokers: 4}\n"


@pytest.fixture
def folders(tmp_path):
    """Three folders with the same house rules."""
    for name in "abc":
        (tmp_path / name).mkdir()
        (tmp_path / name / "house.yaml").write_text(HOUSE, encoding="utf-8")
        (tmp_path / name / "below.yaml").write_text(BELOW, encoding="utf-8")
    return [tmp_path / name for name in "abc"]


@pytest.fixture
def made(monkeypatch):
    """What was asked for each time that files were laid over one another."""
    asked = []
    whole = compose.compose

    def counting(*arguments):
        asked.append(arguments)
        return whole(*arguments)

    monkeypatch.setattr(compose, "compose", counting)
    return asked


def _load(shelf, folder, settings=(), name="house.yaml"):
    ruleset, findings = shelf.load(LogName(name, folder), (), settings, folder)
    assert findings == ()
    return ruleset


def test_the_same_text_in_other_folders_is_one_ruleset(folders, made):
    shelf = RulesetCache()
    assert len({id(_load(shelf, folder)) for folder in folders}) == 1
    assert len(made) == 1


@pytest.mark.parametrize("changed", ["house.yaml", "below.yaml"])
def test_another_text_anywhere_is_another_ruleset(folders, changed):
    shelf = RulesetCache()
    one = _load(shelf, folders[0])
    place = folders[1] / changed
    place.write_text(
        place.read_text(encoding="utf-8").replace("400", "300").replace("4}", "1}"),
        encoding="utf-8",
    )
    other = _load(shelf, folders[1])
    assert (other.game.target, other.deck.jokers) != (one.game.target, one.deck.jokers)
    assert _load(shelf, folders[2]) is one


def test_a_file_that_is_missing_in_one_folder_is_missed_there(folders):
    shelf = RulesetCache()
    _load(shelf, folders[0])
    (folders[1] / "below.yaml").unlink()
    ruleset, findings = shelf.load(LogName("house.yaml", folders[1]), (), (), folders[1])
    assert ruleset is None
    assert [finding.code for finding in findings] == ["rules.extends"]


def test_one_file_twice_is_not_two_files_that_say_the_same(tmp_path):
    """What is laid over first and what last depends on which files are one."""
    for name, second in (("one", "x.yaml"), ("two", "y.yaml")):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "x.yaml").write_text("type: option\nid: x\ndeck: {jokers: 4}\n", encoding="utf-8")
        (folder / "y.yaml").write_text("type: option\nid: x\ndeck: {jokers: 4}\n", encoding="utf-8")
        (folder / "z.yaml").write_text("type: option\nid: z\ndeck: {jokers: 3}\n", encoding="utf-8")
        (folder / "house.yaml").write_text(
            f"id: house\nextends: [500-rummy, x.yaml, z.yaml, {second}]\n", encoding="utf-8"
        )
    shelf = RulesetCache()
    assert [_load(shelf, tmp_path / name).deck.jokers for name in ("one", "two")] == [3, 4]


def test_settings_stand_where_each_log_has_them(folders):
    shelf = RulesetCache()
    first = _load(shelf, folders[0], (Setting("game.target", "250", "one.rgn", 3),))
    other = _load(shelf, folders[1], (Setting("game.target", "250", "two.rgn", 7),))
    assert [
        (one.origin("game.target").file, one.origin("game.target").line) for one in (first, other)
    ] == [
        ("one.rgn", 3),
        ("two.rgn", 7),
    ]
    assert first == other
    assert first.origin("deck.jokers") == other.origin("deck.jokers")
    judges = judge_for(first, 3), judge_for(other, 3)
    assert judges[0].steps is judges[1].steps
    assert judges[1].ruleset is other


def test_a_log_called_as_its_rules_file_keeps_the_places_of_both(folders):
    shelf = RulesetCache()
    for line in (1, 5):
        ruleset = _load(shelf, folders[0], (Setting("out.bonus", "5", "house.yaml", line),))
        assert (ruleset.origin("game.target").line, ruleset.origin("out.bonus").line) == (3, line)


def test_each_game_of_a_log_names_its_own_line():
    game = '[Rules "500-rummy"]\n[Players "A, B"]\n'
    game += '[Set "players.direction=clockwise"]\n[Set "game.target={}"]\n\nhand 1\n\n'
    run = Replay("log.rgn", Overrides(), explainer=RecordExplainer())
    lines = []
    for line in read_lines("".join(game.format(target) for target in (300, 400, 300))):
        run.feed([line])
        if run.game is not None and line[0].text.startswith("hand"):
            lines.append(
                [run.game.ruleset.origin(key).line for key in ("players.direction", "game.target")]
            )
    assert lines == [[3, 4], [10, 11], [17, 18]]


def test_what_is_wrong_is_told_to_every_log_that_asks(folders):
    shelf = RulesetCache()
    for folder in folders:
        (folder / "house.yaml").write_text(
            "id: house\nextends: [500-rummy]\ngame: {targt: 4}\n", encoding="utf-8"
        )
        for _ in range(2):
            ruleset, findings = shelf.load(LogName("house.yaml", folder), (), (), folder)
            assert ruleset is None
            assert [finding.code for finding in findings] == ["rules.key"]


def test_more_rulesets_than_are_remembered_are_made_again(folders, monkeypatch):
    monkeypatch.setattr("meldref.rulefiles.shelf.MOST_RULESETS", 3)
    shelf = RulesetCache()
    for target in (*range(100, 110), *range(100, 110)):
        assert (
            _load(shelf, folders[0], (Setting("game.target", str(target), "a.rgn", 1),)).game.target
            == target
        )


def test_a_path_of_the_command_line_starts_beside_each_log(tmp_path):
    shelf = RulesetCache()
    for name, target in (("a", 300), ("b", 400)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "h.yaml").write_text(
            f"id: h\nextends: [500-rummy]\ngame: {{target: {target}}}\n", encoding="utf-8"
        )
        ruleset, _ = shelf.load("./h.yaml", (), (), Path(tmp_path / name))
        assert ruleset.game.target == target
