"""`meldref rules`: lists, shows, checks and tests rulesets."""

from __future__ import annotations

import json
import os

import pytest

from shipped import place_of

HOUSE = """\
id: our-house
name: Ours
extends: [500-rummy]
game: {target: 1000}
cases:
  - name: a taken top card may not be thrown back
    given: {hands: {A: "2c 3d"}, pile: "Kh"}
    moves: ["A: take Kh; discard Kh"]
    expect: {verdict: illegal, because: discard}
"""
CASES = """\
cases:
  - id: ok
    name: a draw and a discard
    rules: 500-rummy
    given: {hands: {A: "2c 3d"}, stock: "Kh"}
    moves: ["A: draw Kh; discard Kh"]
    expect: {verdict: legal, then: plays B}
  - name: wrongly expected
    rules: 500-rummy
    given: {hands: {A: "2c 3d"}, stock: "Kh"}
    moves: ["A: draw Kh; discard Kh"]
    expect: {verdict: legal, then: plays A}
  - name: wrongly expected, too
    rules: 500-rummy
    given: {hands: {A: "2c 3d"}, pile: "Kh"}
    moves: ["A: take Kh; discard Kh"]
    expect: {verdict: legal}
  - name: not a case
    rules: 500-rumy
    given: {hands: {A: "2c 3d"}}
    moves: ["A: draw Kh; discard Kh"]
    expect: {verdict: legal}
"""


def test_everything_that_ships_is_listed(meldref):
    ran = meldref("rules", "list")
    assert ran.code == 0
    assert ran.lines[0] == "Games"
    assert any(line.startswith("  500-rummy ") for line in ran.lines)
    assert any(line.startswith("  floating ") for line in ran.lines)
    ids = meldref("rules", "list", "--quiet").lines
    data = meldref("rules", "list", "--format", "json").data["rulesets"]
    assert [one["id"] for one in data] == ids
    assert set(data[0]) == {"id", "type", "name", "about", "aliases", "file"}


def test_a_merged_ruleset_says_who_set_what(meldref, log):
    ran = meldref(
        "rules", "show", log(HOUSE, "house.yaml"), "--with", "floating", "--set", "deck.jokers=1"
    )
    assert ran.code == 0
    lines = [" ".join(line.split()) for line in ran.lines]
    assert (
        f"target: 1000 # house.yaml:4, over 500 ({place_of('500-rummy', 'game.target')})" in lines
    )
    assert f"jokers: 1 # --set, over 2 ({place_of('500-rummy', 'deck.jokers')})" in lines
    assert any(line.startswith("melding_all: floats # floating.yaml:") for line in lines)


def test_what_is_shown_can_be_played_by(meldref, log):
    log(
        meldref("rules", "show", log(HOUSE, "house.yaml")).out.replace(
            "id: our-house", "id: whole"
        ),
        "whole.yaml",
    )
    ran = meldref("rules", "check", "whole.yaml")
    assert ran.code == 0


def test_a_merged_ruleset_in_json_has_every_key(meldref):
    data = meldref("rules", "show", "500-rum", "--format", "json").data
    assert data["id"] == "500-rum"
    assert data["keys"]["draw.deep.must"]["value"] == "be_used"
    assert data["keys"]["deck.jokers"]["file"] == "500-rum.yaml"


def test_an_unknown_ruleset_cannot_be_shown(meldref):
    ran = meldref("rules", "show", "500-rumy")
    assert (ran.code, ran.out) == (2, "")
    assert "did you mean 500-rummy?" in ran.err


def test_a_sound_file_is_ok(meldref, log):
    ran = meldref("rules", "check", log(HOUSE, "house.yaml"), "500-rummy", "floating")
    assert (ran.code, ran.out) == (0, "house.yaml: ok\n500-rummy: ok\nfloating: ok\n")


def test_what_is_wrong_with_a_file_is_shown_at_its_place(meldref, log):
    ran = meldref("rules", "check", log(HOUSE.replace("target", "tarjet"), "house.yaml"))
    assert ran.code == 1
    assert ran.lines[0].startswith("house.yaml:4:8: error: ")
    assert "did you mean" in ran.out
    assert ran.lines[-1] == "house.yaml: 1 error; fixable with --fix"
    assert meldref("rules", "check", "house.yaml", "--exit-zero").code == 0
    assert len(meldref("rules", "check", "house.yaml", "--quiet").lines) == 1
    data = meldref("rules", "check", "house.yaml", "--format", "json").data
    assert [one["code"] for one in data["files"][0]["findings"]] == ["rules.key"]


def test_an_option_is_checked_over_a_game(meldref, log):
    assert meldref("rules", "check", "claimable-last-discard").code == 1
    assert meldref("rules", "check", "claimable-last-discard", "--with", "floating").code == 0


def test_yaml_that_cannot_be_read_is_an_error_at_its_place(meldref, log):
    ran = meldref("rules", "check", log("id: [\n", "house.yaml"))
    assert ran.code == 1
    assert ran.lines[0].startswith("house.yaml:")


@pytest.mark.parametrize(
    ("file", "said"), [("nowhere.yaml", "no such file"), ("nowhere", "there is no ruleset")]
)
def test_a_file_that_is_not_there_costs_the_others_nothing(meldref, file, said):
    ran = meldref("rules", "check", file, "500-rummy")
    assert ran.code == 2
    assert said in ran.err
    assert ran.out == "500-rummy: ok\n"


def test_cases_that_pass_are_counted(meldref, log):
    ran = meldref("rules", "test", log(HOUSE, "house.yaml"))
    assert (ran.code, ran.out) == (0, "1 passed, 0 failed\n")
    assert (
        "house.yaml:6: passed: a taken top card" in meldref("rules", "test", "-v", "house.yaml").out
    )


def test_a_case_that_fails_is_shown_as_two_verdicts(meldref, log):
    ran = meldref("rules", "test", log(CASES, "cases.yaml"))
    assert ran.code == 1
    assert ran.lines == [
        "cases.yaml:8: failed: wrongly expected",
        "             expected  got",
        "    verdict  legal     legal",
        "  ≠ then     plays A   plays B",
        "                   ^         ^",
        "",
        "cases.yaml:13: failed: wrongly expected, too",
        "             expected  got",
        "  ≠ verdict  legal     illegal",
        "             ^^^^^     ^^^^^^^",
        "    at       -         1",
        "    because  -         discard.taken-top",
        "  = line 1: Kh may not be discarded: it was just taken from the top of the pile [discard.taken-top]",
        "",
        "cases.yaml:18: failed: not a case",
        "  = the case cannot be used: no ruleset: there is no ruleset or option 500-rumy; did you mean 500-rummy?",
        "",
        "1 passed, 3 failed",
    ]
    assert meldref("rules", "test", "--exit-zero", "cases.yaml").code == 0
    assert len(meldref("rules", "test", "--quiet", "cases.yaml").lines) == 3


def test_a_wrong_reason_fails_a_case_and_is_marked_where_it_differs(meldref, log):
    ran = meldref(
        "rules",
        "test",
        log(HOUSE.replace("because: discard", "because: discard.taken-deep"), "house.yaml"),
    )
    assert ran.code == 1
    assert ran.lines[:6] == [
        "house.yaml:6: failed: a taken top card may not be thrown back",
        "             expected            got",
        "    verdict  illegal             illegal",
        "    at       -                   1",
        "  ≠ because  discard.taken-deep  discard.taken-top",
        "                     ^^^^^^^^^^          ^^^^^^^^^",
    ]


def test_what_is_too_wide_stands_one_below_the_other(meldref, log):
    pile = "5c 6c 7c 9c Tc Jc Qc Kc Ac 2c 2d 2h"
    text = f"""\
cases:
  - name: long
    rules: 500-rummy
    given: {{hands: {{A: "8c 8d 2s 3s"}}, pile: "{pile} 8s"}}
    moves: ["A: take 8s; meld 8s 8c 8d; discard 2s"]
    expect: {{verdict: legal, pile: "{pile} 3s", hands: {{A: "3s"}}}}
"""
    assert meldref("rules", "test", log(text, "cases.yaml")).lines[1:9] == [
        "    verdict  expected  legal",
        "             got       legal",
        f"  ≠ pile     expected  {pile} 3s",
        "                       " + " " * len(pile) + " ^^",
        f"             got       {pile} 2s",
        "                       " + " " * len(pile) + " ^^",
        "    hands A  expected  3s",
        "             got       3s",
    ]


def test_a_ruleset_that_cannot_be_loaded_is_said_once_at_its_place(meldref, log):
    ran = meldref(
        "rules", "test", log(HOUSE.replace("hands:", "hads:"), "house.yaml"), "--coverage"
    )
    assert ran.code == 2
    assert ran.lines[0].startswith("house.yaml:7:13: error: ")
    assert "did you mean hands?" in ran.lines[0]
    assert ran.lines[-1] == "0 passed, 0 failed"


def test_the_cases_of_an_option_are_about_the_option_over_a_ruleset(meldref, log):
    text = """\
id: no-sequences
type: option
melds: {kinds: {sequence: none}}
cases:
  - name: no sequence in 500 Rummy
    given: {hands: {A: "5h 6h 7h 9s"}}
    moves: ["A: draw; meld 5h 6h 7h; discard 9s"]
    expect: {verdict: illegal, because: meld.kind}
  - name: nor in 500 Rum
    rules: 500-rum
    log: |
      [Players "A, B"]
      hand 1
      A: meld 5h 6h 7h; discard 9s
    expect: {verdict: illegal, at: 3, because: meld.kind}
  - name: nor where the log names the game
    log: |
      [Rules "gilfoy-500-rummy"]
      [Players "A, B"]
      hand 1
      A: draw; meld 5h 6h 7h; discard 9s
    expect: {verdict: illegal, at: 4, because: meld.kind}
"""
    assert meldref("rules", "test", log(text, "option.yaml")).out == "3 passed, 0 failed\n"
    covered = meldref("rules", "test", "option.yaml", "--coverage", "--format", "json").data[
        "coverage"
    ]
    assert [one["file"] for one in covered] == ["option.yaml"]
    assert {code["code"]: code["case"] for code in covered[0]["codes"]}[
        "meld.kind"
    ] == "no sequence in 500 Rummy"


def test_a_key_that_a_case_does_not_have_is_named_with_the_one_that_was_meant(meldref, log):
    text = CASES.replace("    moves:", "    move:", 1).replace("then: plays A", "them: plays A")
    lines = meldref("rules", "test", log(text, "cases.yaml")).lines
    assert "  = the case cannot be used: a case has no `move`; did you mean `moves`?" in lines
    assert "  = the case cannot be used: `expect` has no `them`; did you mean `then`?" in lines


@pytest.mark.parametrize(
    "expect",
    [
        "{verdict: legal, because: draw}",
        "{verdict: legal, at: 1}",
        "{verdict: illegal, because: draw.dep}",
        "{verdict: illegal, at: 1, points: {Z: 3}}",
        "{verdict: legal, then: plays Z}",
    ],
)
def test_what_no_case_can_expect_makes_the_file_unusable_and_the_others_run(meldref, log, expect):
    text = f"""\
cases:
  - name: odd
    rules: 500-rummy
    given: {{hands: {{A: "2c 3d"}}}}
    moves: ["A: draw; discard 2c"]
    expect: {expect}
  - name: plain
    rules: 500-rummy
    given: {{hands: {{A: "2c 3d"}}}}
    moves: ["A: draw; discard 2c"]
    expect: {{verdict: legal}}
"""
    ran = meldref("rules", "test", log(text, "cases.yaml"))
    assert ran.code == 2
    assert ran.lines[0] == "cases.yaml:2: failed: odd"
    assert ran.lines[1].startswith("  = the case cannot be used: `")
    assert ran.lines[-1] == "1 passed, 1 failed"
    data = meldref("rules", "test", "cases.yaml", "--format", "json")
    assert (data.code, data.data["cases"][0]["got"]["verdict"]) == (2, "unusable")
    assert meldref("rules", "test", "cases.yaml", "--exit-zero").code == 2


def test_of_players_only_those_who_differ_are_marked(meldref, log):
    text = """\
cases:
  - name: out
    rules: 500-rummy
    given: {hands: {A: "8c 8d", B: "3c Kd"}, pile: "8s"}
    moves: ["A: take 8s; meld 8s 8c 8d"]
    expect: {verdict: legal, score: {A: 24, B: -12}, table: {m1: {A: "8c 8d 8s 8h"}}}
"""
    lines = meldref("rules", "test", log(text, "cases.yaml")).lines
    assert "    score A   24             24" in lines
    assert "  ≠ score B   -12            -13" in lines
    at = lines.index("  ≠ table m1  A 8c 8d 8s 8h  A 8s 8c 8d")
    assert lines[at + 1] == "                         ^^"


def test_coverage_shows_what_no_case_depends_on(meldref, log):
    ran = meldref("rules", "test", log(HOUSE, "house.yaml"), "--coverage")
    assert (ran.code, ran.lines) == (
        0,
        [
            "house.yaml: 0 % exercised: 0 of 1 setting, 0 of 1 code",
            "  no case depends on",
            "    house.yaml:4: game.target: 1000",
            "  no case expects",
            "    game.over",
            "",
            "1 passed, 0 failed",
        ],
    )
    laid = HOUSE.replace("game: {target: 1000}", "discard: {taken_top: forbidden}")
    shown = meldref("rules", "test", log(laid, "house.yaml"), "--coverage", "-v").lines
    assert "house.yaml: 100 % exercised: 1 of 1 setting, 1 of 1 code" in shown
    assert (
        "  house.yaml:4: discard.taken_top: forbidden (a taken top card may not be thrown back)"
        in shown
    )
    assert "  discard.taken-top (a taken top card may not be thrown back)" in shown


def test_coverage_says_which_case_a_house_rule_lacks(meldref, log):
    text = """\
id: our-house
extends: [500-rummy]
house_rules:
  no-aces: {forbid: discard, when: card.rank is A, says: You may not discard an ace.}
cases:
  - name: an ace may not be discarded
    given: {hands: {A: "Ah 9s"}}
    moves: ["A: draw; discard Ah"]
    expect: {verdict: illegal, because: house.no-aces}
"""
    lines = meldref("rules", "test", log(text, "house.yaml"), "--coverage").lines
    assert not any("no case depends on" in line for line in lines)
    (at,) = [
        place for place, line in enumerate(lines) if "in which the rule does not apply" in line
    ]
    assert lines[at + 1].startswith("    house.yaml:4: house_rules.no-aces:")


def test_less_than_the_threshold_is_one(meldref, log):
    name = log(HOUSE, "rules/house.yaml")
    ran = meldref("rules", "test", name, "--threshold", "50", "--quiet")
    assert (ran.code, ran.out) == (1, "rules/house.yaml: 0 % is below the 50 % asked for\n")
    assert meldref("rules", "test", name, "--threshold", "50", "--exit-zero").code == 0
    assert meldref("rules", "test", name, "--threshold", "0").code == 0
    assert meldref("rules", "test", name, "--threshold", "101").code == 2


def test_coverage_in_json_names_the_case_that_exercises(meldref, log):
    name = log(
        HOUSE.replace("game: {target: 1000}", "discard: {taken_top: forbidden}"), "house.yaml"
    )
    assert "coverage" not in meldref("rules", "test", name, "--format", "json").data
    data = meldref("rules", "test", name, "--coverage", "--format", "json").data
    case = "a taken top card may not be thrown back"
    assert data["coverage"] == [
        {
            "ruleset": "our-house",
            "file": "house.yaml",
            "percent": 100.0,
            "settings": [
                {"key": "discard.taken_top", "value": "forbidden", "line": 4, "case": case}
            ],
            "codes": [{"code": "discard.taken-top", "case": case}],
        }
    ]


def test_results_in_json_have_the_documented_keys(meldref, log):
    data = meldref("rules", "test", log(CASES, "cases.yaml"), "--format", "json").data
    assert (data["passed"], data["failed"]) == (1, 3)
    first, second, third, _ = data["cases"]
    assert {"file", "id", "name", "passed", "expected", "got"} <= set(first)
    assert (first["id"], first["passed"], second["id"]) == ("ok", True, None)
    assert second["expected"] == {"verdict": "legal", "then": "plays A"}
    assert second["got"]["then"] == "plays B"
    assert third["got"]["because"] == {"1": ["discard.taken-top"]}


def test_a_ruleset_for_cases_that_name_none_is_given(meldref, log):
    text = CASES.partition("  - name: wrongly")[0].replace("    rules: 500-rummy\n", "")
    assert meldref("rules", "test", log(text, "cases.yaml")).code == 1
    assert meldref("rules", "test", "cases.yaml", "--rules", "500-rummy").code == 0


def test_a_folder_stands_for_the_case_files_below_it(meldref, log):
    log(HOUSE, "cases/a.yaml")
    log(HOUSE, "cases/b/b.yaml")
    assert meldref("rules", "test", "cases").out == "2 passed, 0 failed\n"


@pytest.mark.parametrize("text", ["id: [\n", "[1, 2]\n", "name: no cases\n"])
def test_a_file_that_is_no_case_file_is_unusable(meldref, log, text):
    ran = meldref("rules", "test", log(text, "cases.yaml"), log(HOUSE, "house.yaml"))
    assert ran.code == 2
    assert ran.lines[0].startswith("cases.yaml:")
    assert ran.lines[-1] == "1 passed, 0 failed"
    shown = meldref("rules", "test", "cases.yaml", "--format", "json")
    assert shown.code == 2
    assert json.loads(shown.out)["cases"] == []


def test_a_missing_case_file_is_unusable(meldref, log):
    ran = meldref("rules", "test", "nowhere.yaml")
    assert ran.code == 2
    assert "nowhere.yaml: no such file" in ran.err


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("", "the ruleset is empty: give an id, as `meldref rules list` shows them, or a file"),
        ("folder", "./folder is a folder: name a file in it"),
        (
            "500-rummy+floating",
            "options are added to a game with --with: 500-rummy --with floating",
        ),
        ("500-rummy+nothing", "there is no ruleset or option 500-rummy+nothing"),
    ],
)
@pytest.mark.parametrize("command", [("rules", "show"), ("rules", "rulebook")])
def test_what_is_no_ruleset_is_told_with_what_to_do(meldref, log, tmp_path, command, written, said):
    log()
    (tmp_path / "folder").mkdir()
    ran = meldref(*command, written)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"meldref: error: {said}")


def test_an_option_without_a_value_does_not_fall_back_to_another_game(meldref, log):
    """As a shell leaves it where a variable is not set."""
    ran = meldref("audit", log(), "--rules", "", "--with", "")
    assert ran.code == 2
    assert [line.split(" is empty")[0] for line in ran.err.splitlines()] == [
        "meldref: error: --rules",
        "meldref: error: --with",
    ]


@pytest.mark.parametrize("command", ["diff", "compare"])
def test_all_that_two_rulesets_lack_is_told_in_one_run(meldref, command):
    ran = meldref("rules", command, "nope", "zip+zap", "--with", "odd")
    assert ran.code == 2
    lines = ran.err.splitlines()
    assert [line.partition(";")[0].split()[-1] for line in lines] == ["nope", "odd", "zip", "zap"]
    assert all(line.endswith("; `meldref rules list` lists them") for line in lines)


@pytest.mark.skipif(not os.path.exists("/dev/fd"), reason="no files for streams")  # noqa: PTH110
def test_rules_can_come_through_a_pipe(meldref, log):
    read, write = os.pipe()
    os.write(write, b"extends: [500-rummy]\ngame: {target: 750}\n")
    os.close(write)
    ran = meldref("audit", log(), "--rules", f"/dev/fd/{read}")
    os.close(read)
    assert (ran.code, ran.err) == (0, "")


def test_a_file_that_cannot_be_checked_is_in_the_object_too(meldref, log):
    log(HOUSE, "house.yaml")
    ran = meldref("rules", "check", "house.yaml", "nowhere.yaml", "--format", "json")
    assert ran.code == 2
    assert [file["path"] for file in ran.data["files"]] == ["house.yaml"]
    assert ran.data["unusable"] == ["nowhere.yaml: no such file"]
    assert "unusable" not in meldref("rules", "check", "house.yaml", "--format", "json").data


@pytest.mark.parametrize(
    "command",
    [["show"], ["show", "--format", "json"], ["rulebook", "--keys", "--no-examples"]],
    ids=" ".join,
)
def test_an_option_in_a_file_is_named_as_it_was_written(meldref, log, tmp_path, command):
    log("id: gold\nname: Gold\ntype: option\ngame: {target: 700}\n", "gold.yaml")
    ran = meldref("rules", command[0], "500-rummy", "--with", "gold.yaml", *command[1:])
    assert ran.code == 0
    assert "gold.yaml" in ran.out
    assert str(tmp_path) not in ran.out


def house_rules(tmp_path, *rules):
    file = tmp_path / "lake.yaml"
    named = "".join(f"  r{number}: {rule}\n" for number, rule in enumerate(rules))
    file.write_text("id: lake\nname: Lake\nextends: [500-rummy]\nhouse_rules:\n" + named)
    return file


@pytest.mark.sweep
def test_a_thousand_house_rules_are_one_error_at_the_first_too_many(meldref, tmp_path):
    rules = [
        f"{{forbid: take, when: player.turns is {number}, says: No.}}" for number in range(1, 1001)
    ]
    data = meldref("rules", "check", str(house_rules(tmp_path, *rules)), "--format", "json").data
    (error,) = [one for one in data["files"][0]["findings"] if one["severity"] == "error"]
    assert (error["code"], error["line"]) == ("rules.value", 105)
    assert "1000" in error["message"]
    assert "at most 100" in error["message"]
    few = meldref("rules", "check", str(house_rules(tmp_path, *rules[:100])))
    assert few.code == 0


def test_a_list_that_is_far_too_long_is_one_error_at_its_place_and_is_not_gone_through(
    meldref, log
):
    wild = ", ".join(["joker", "2", "3"] * 4_000)
    file = log(f"id: own\nextends: [500-rummy]\nmelds:\n  wild: {{cards: [{wild}]}}\n", "own.yaml")
    ran = meldref("rules", "check", file)
    assert ran.code == 1
    assert (ran.out + ran.err).count("error:") == 1
    assert "own.yaml:4:17: error: this list has 12,000 entries" in ran.out + ran.err


def test_a_condition_of_a_megabyte_is_one_error_at_its_place(meldref, tmp_path):
    condition = "card.rank is A or " * 50_000 + "card.rank is K"
    file = house_rules(tmp_path, f"{{forbid: discard, when: {condition}, says: No.}}")
    ran = meldref("rules", "check", str(file))
    assert ran.code == 1
    assert (ran.out + ran.err).count("error:") == 1
    assert "at most 4,000 characters" in (ran.out + ran.err)


def test_house_rules_that_contradict_each_other_are_named_once_at_the_second(meldref, tmp_path):
    rules = [
        "{forbid: discard, when: card.rank is A, says: No.}",
        "{forbid: discard, unless: card.rank is A, says: No.}",
    ]
    ran = meldref("rules", "check", str(house_rules(tmp_path, *rules)))
    assert (ran.out + ran.err).count("can leave a player stuck") == 1
    assert ":6:3: warning: house_rules.r0 and house_rules.r1" in (ran.out + ran.err)


def test_an_example_of_a_house_rule_that_awards_points_names_it(meldref, log):
    rule = "{award: 30, when: player.went_out, says: Thirty for going out.}"
    log(f"id: own\nextends: [500-rummy]\nhouse_rules: {{out: {rule}}}\n", "own.yaml")
    ran = meldref("rules", "diff", "500-rummy", "own.yaml", "--example", "--quiet")
    assert "= rule: house_rules.out = {award: 30" in ran.out


def test_a_key_with_a_line_break_is_one_error_at_its_place(meldref, tmp_path):
    file = tmp_path / "house.yaml"
    file.write_text(
        'id: house\nextends: [500-rummy]\nscoring:\n  values: {"A\\n": 5}\n', encoding="utf-8"
    )
    data = meldref("rules", "check", str(file), "--format", "json").data
    (error,) = [one for one in data["files"][0]["findings"] if one["severity"] == "error"]
    assert error["line"] == 4
    assert "one line" in error["message"]
