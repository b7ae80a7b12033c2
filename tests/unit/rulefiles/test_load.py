"""House rules: what they build on, how they merge, and what is said about their mistakes."""

import subprocess
import sys
from pathlib import Path

import pytest

from meldref.core.diagnostics import Origin, Severity
from meldref.rulefiles.files import Setting
from meldref.rulefiles.load import load_ruleset
from meldref_authoring.rulefiles.show import merged_values


@pytest.fixture
def write(tmp_path):
    """Write a rules file and give its path."""

    def file(text, name="house.yaml"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return file


def load(path, *options, **more):
    """A ruleset that must load without a word."""
    ruleset, findings = load_ruleset(path, options, **more)
    assert findings == ()
    assert ruleset is not None
    return ruleset


def errors(path, *options, **more):
    """Code, line and column of the findings of a ruleset that must not load."""
    ruleset, findings = load_ruleset(path, options, **more)
    assert ruleset is None
    return [(finding.code, finding.span.line, finding.span.column) for finding in findings]


def message(path, *options, **more):
    """The one message about a ruleset that must not load."""
    ruleset, findings = load_ruleset(path, options, **more)
    assert ruleset is None
    (finding,) = findings
    return finding.message


LAKE = """\
id: our-house
name: How we play at the lake
extends: [500-rummy, floating]
melds:
  kinds:
    sequence: {size: 4-13}
  wild: {cards: [joker, 2]}
game: {target: 1000}
cases:
  - name: three in a row is not enough
    given: {hands: {A: "5h 6h 7h 2s"}}
    moves: ["A: draw; meld 5h 6h 7h; discard 2s"]
    expect: {verdict: illegal, because: meld}
"""


def test_a_house_rule_changes_what_it_says_and_keeps_the_rest(write):
    ruleset = load(write(LAKE))
    assert (ruleset.id, ruleset.name) == ("our-house", "How we play at the lake")
    group, sequence = ruleset.melds.kinds
    assert (group.min_size, sequence.min_size, sequence.max_size) == (3, 4, 13)
    assert sequence.require == ("same_suit", "consecutive_ranks")
    assert ruleset.melds.wild.cards == ("joker", "2")
    assert ruleset.out.melding_all == "floats"
    assert ruleset.game.target == 1000
    assert ruleset.draw.deep.must == "be_used"


def test_every_value_knows_the_file_and_line_that_set_it(write):
    path = write(LAKE)
    ruleset = load(path)
    assert ruleset.origin("game.target") == Origin("game.target", "1000", str(path), 8)
    assert ruleset.origin("melds.wild.cards") == Origin(
        "melds.wild.cards", "[joker, 2]", str(path), 7
    )
    assert ruleset.origin("melds.kinds.sequence.size").line == 6
    assert ruleset.origin("melds.kinds.group.size").file == "500-rummy.yaml"
    assert ruleset.origin("out.melding_all").file == "floating.yaml"
    assert ruleset.origin("draw.deep.must").file == "500-rummy.yaml"


def test_tables_know_who_set_each_entry(write):
    ruleset = load(write("deal:\n  cards:\n    2: 10\n"))
    assert [ruleset.deal.cards[number] for number in (2, 3, 8)] == [10, 7, 7]
    assert ruleset.origin("deal.cards.2").value == "10"
    assert ruleset.origin("deal.cards.5").key == "deal.cards.3-8"
    assert ruleset.origin("scoring.values.5").key == "scoring.values.2-9"


def test_a_file_without_anything_below_it_has_the_values_of_500_rummy(write):
    ruleset = load(write("game: {target: 300}"))
    assert ruleset.id == "house"
    assert ruleset.calls.of == "pile"


def test_a_number_in_place_of_a_table_replaces_it_and_a_table_changes_what_it_names(write):
    base = write("deal: {cards: 9}", "base.yaml")
    assert set(load(base).deal.cards.numbers.values()) == {9}
    above = load(write("extends: [base.yaml]\ndeal: {cards: {3-4: 5}}"))
    assert [above.deal.cards[number] for number in range(2, 9)] == [9, 5, 5, 9, 9, 9, 9]


def test_values_merge_by_rank_and_a_single_card_goes_before_its_rank(write):
    ruleset = load(write("scoring:\n  values: {Q: 20, Qs: 40, 10: 5}\n  held: {A: 25, 3: face}\n"))
    queens = [ruleset.scoring.values[11 + 13 * suit] for suit in range(4)]
    assert queens == [20, 20, 20, 40]
    assert ruleset.scoring.values[9] == 5
    assert (ruleset.scoring.held[0], ruleset.scoring.values[0], ruleset.scoring.held[2]) == (
        25,
        15,
        3,
    )
    assert ruleset.scoring.held[11] == 20


def test_ranks_may_be_written_as_10_or_in_small_letters(write):
    ruleset = load(
        write("melds: {wild: {cards: [joker, 10]}}\nscoring: {values: {2-10: 5, qS: 1}}")
    )
    assert ruleset.melds.wild.cards == ("joker", "T")
    assert ruleset.scoring.values[9] == 5
    assert ruleset.scoring.values[11 + 39] == 1


def test_a_kind_of_meld_can_be_taken_away_and_another_added(write):
    ruleset = load(
        write(
            "melds:\n  kinds:\n    group: none\n    rainbow:\n      size: 4\n"
            "      require: [distinct_suits, consecutive_ranks]\n"
        )
    )
    assert [kind.name for kind in ruleset.melds.kinds] == ["sequence", "rainbow"]
    assert (ruleset.melds.kinds[1].min_size, ruleset.melds.kinds[1].max_size) == (4, 4)


def test_lists_replace(write):
    assert load(write("draw: {use: [meld]}")).draw.use == ("meld",)
    assert load(write("melds: {kinds: {sequence: {ace: [high]}}}")).melds.kinds[1].ace == ("high",)


def test_the_later_of_several_files_wins_and_none_is_laid_down_twice(write):
    write("extends: [500-rummy]\ngame: {target: 300}\nout: {bonus: 5}", "one.yaml")
    write("extends: [500-rummy]\ngame: {bonus: 7}", "two.yaml")
    ruleset = load(write("extends: [one.yaml, two.yaml]"))
    assert (ruleset.game.target, ruleset.out.bonus, ruleset.game.bonus) == (300, 5, 7)


def test_two_files_of_one_standing_that_differ_are_a_warning_naming_both(write):
    write("extends: [500-rummy]\ngame:\n  target: 300", "one.yaml")
    write("extends: [500-rummy]\ngame: {target: 400}", "two.yaml")
    ruleset, findings = load_ruleset(write("extends: [one.yaml, two.yaml]"))
    assert ruleset.game.target == 400
    assert [(finding.code, finding.severity, finding.span.line) for finding in findings] == [
        ("rules.conflict", Severity.WARNING, 2)
    ]
    assert "one.yaml:3" in findings[0].message
    assert "two.yaml:2" in findings[0].message


def test_a_file_that_decides_between_two_is_no_conflict(write):
    write("game: {target: 300}", "one.yaml")
    write("game: {target: 400}", "two.yaml")
    assert load(write("extends: [one.yaml, two.yaml]\ngame: {target: 350}")).game.target == 350


def test_options_that_set_a_key_differently_are_a_warning_and_the_later_wins():
    for options, value in (
        (["floating", "discard-to-go-out"], "forbidden"),
        (["discard-to-go-out", "floating"], "floats"),
    ):
        ruleset, findings = load_ruleset("500-rummy", options)
        assert ruleset.out.melding_all == value
        assert [finding.code for finding in findings] == ["rules.conflict"]


def test_an_option_over_a_house_rule_changes_it_on_purpose(write):
    assert load(write(LAKE), "discard-to-go-out").out.melding_all == "forbidden"


def test_customs_and_cases_are_kept_out_of_the_play(write):
    ruleset = load(write('customs: ["Whoever deals brings the biscuits."]'))
    assert ruleset.customs == ("Whoever deals brings the biscuits.",)


def test_json_is_a_rules_file_too(write):
    assert load(write('{"id": "ours", "game": {"target": 700}}', "ours.json")).game.target == 700


def test_paths_are_taken_from_beside_the_log(write):
    path = write(LAKE)
    ruleset, findings = load_ruleset("house.yaml", beside=path.parent)
    assert findings == ()
    assert ruleset.origin("game.target").file == "house.yaml"


# Single settings


@pytest.mark.parametrize(
    "settings", [["game.target=1000"], {"game.target": 1000}, ["game={target: 1000}"]]
)
def test_single_settings_go_over_everything(settings, write):
    ruleset = load(write("game: {target: 300}"), settings=settings)
    assert ruleset.game.target == 1000
    assert ruleset.origin("game.target").file == "--set"


def test_a_setting_knows_where_it_was_written():
    ruleset = load("500-rummy", settings=[Setting("game.target", "1000", "friday.rgn", 3)])
    assert ruleset.origin("game.target") == Origin("game.target", "1000", "friday.rgn", 3)


def test_settings_reach_into_tables():
    ruleset = load(
        "500-rummy",
        settings=["scoring.values.2-9=5", "deal.cards.2=9", "melds.kinds.sequence=none"],
    )
    assert (ruleset.scoring.values[1], ruleset.deal.cards[2]) == (5, 9)
    assert [kind.name for kind in ruleset.melds.kinds] == ["group"]


@pytest.mark.parametrize(
    ("setting", "code", "said"),
    [
        ("game.targt=1", "rules.key", "did you mean game.target?"),
        ("target=1", "rules.key", "did you mean game.target?"),
        ("melds.wild.card=2", "rules.key", "did you mean melds.wild.cards?"),
        ("meld.wild.cards=[2]", "rules.key", "did you mean melds.wild.cards?"),
        ("wild.cards=[2]", "rules.key", "did you mean melds.wild.cards?"),
        ("scoring.value.A=20", "rules.key", "did you mean scoring.values.A?"),
        ("hands.2.deal.card=5", "rules.key", "did you mean hands.2.deal.cards?"),
        ("draw.max=5", "rules.key", "draw has depth"),
        ("game={targt: 1}", "rules.key", "did you mean target?"),
        ("id=x", "rules.key", "id"),
        ("=x", "rules.key", ""),
        ("draw.deep.must=be_usd", "rules.value", "write be_used"),
        ("game.target=0x10", "rules.value", "0x10"),
        ("game.target", "rules.value", "no value"),
        ("game.target=[", "rules.value", "cannot be read"),
        ("game.hands=3-1", "rules.value", "backwards"),
        ("scoring.values={2-9: 5, 4: 1}", "rules.value", "2-9"),
    ],
)
def test_a_setting_that_is_wrong_is_reported_where_it_was_made(setting, code, said):
    key, _, value = setting.partition("=")
    ruleset, findings = load_ruleset("500-rummy", (), [Setting(key, value, "friday.rgn", 3)])
    assert ruleset is None
    assert [(finding.code, finding.file, finding.span.line) for finding in findings] == [
        (code, "friday.rgn", 3)
    ]
    assert said in findings[0].message


# Mistakes


def test_all_mistakes_of_a_file_come_in_one_run_each_at_its_place(write):
    path = write(
        """\
id: Our House
extends: 500-rummy
deck:
  packs: {2 to 4: 1}
  joker: 2
deal:
  cards: [7]
melds:
  kinds:
    sequence:
      size: 3 - 4
      require: [same_color]
draw:
  depht: any
  deep: {must: be_usd}
scoring:
  values: {h: 5, 2-9: fce}
game: {target: 012}
"""
    )
    assert errors(path) == [
        ("rules.value", 1, 5),
        ("rules.value", 2, 10),
        ("rules.key", 4, 11),
        ("rules.key", 5, 3),
        ("rules.value", 7, 10),
        ("rules.value", 11, 13),
        ("rules.value", 12, 17),
        ("rules.key", 14, 3),
        ("rules.value", 15, 16),
        ("rules.key", 17, 12),
        ("rules.value", 17, 23),
        ("rules.value", 18, 16),
    ]


def test_mistakes_in_the_yaml_do_not_hide_the_others(write):
    path = write(
        "draw: {depth: top}\nout: {bonus: &x 5}\ndraw: {takes: all_above}\ngame: {targt: 5}\n"
    )
    assert errors(path) == [("rules.yaml", 2, 14), ("rules.yaml", 3, 1), ("rules.key", 4, 8)]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("draw: {depht: any}", "did you mean depth?"),
        ("draw: {top: {most: nothing}}", "did you mean must?"),
        ("out: {melding: floats}", "did you mean melding_all?"),
        ("target: 500", "did you mean game.target?"),
        ("extends: [500-rumy]", "did you mean 500-rummy?"),
        ("draw: {depth: tpo}", "did you mean top?"),
        ("melds: {kinds: {x: {size: 3, require: [same_color]}}}", "write same_colour"),
        ("deck:\n  jokers 2", "a colon is missing after jokers; write {jokers: 2}"),
        ("extends: 500-rummy", "[500-rummy]"),
        ("deal:\n", "deal has no value"),
        ("needs: {out.bonus: 5}", "option"),
        ("deck: {packs: 2}\nplayers: {max: 9}", "9 players"),
        ("melds: {kinds: {x: {require: [same_rank]}}}", "size"),
        ("game: {hands: 3-1}", "backwards"),
        ("deal: {cards: {8-3: 7}}", "backwards"),
        ("scoring: {values: {T-2: 7}}", "backwards"),
        ("scoring: {values: {joker: face}}", "joker"),
        ("- 500-rummy", "keys and values"),
        ("cases:\n  - name: x\n", "expect"),
        ("deck: {jokers: 9}", "0 to 4"),
        ("draw: {use: [meld, meld]}", "has a duplicate"),
    ],
)
def test_a_mistake_is_named_with_what_may_have_been_meant(text, said, write):
    assert said in message(write(text))


@pytest.mark.parametrize("text", ["calls: {off: none}", "melds: {wild: {card: [2]}}"])
def test_a_key_that_may_have_been_meant_is_all_that_is_said_of_another(text, write):
    assert message(write(text)).endswith("?")


def test_a_rules_file_that_is_not_there_is_named():
    assert errors("nowhere.yaml") == [("rules.extends", 1, 1)]
    assert "nowhere.yaml" in message("nowhere.yaml")
    assert "did you mean 500-rummy?" in message("500-rumy")
    assert errors("500-rummy", "flaoting") == [("rules.extends", 1, 1)]
    assert errors("x" * 5000 + ".yaml") == [("rules.extends", 1, 1)]


def test_a_file_called_by_its_bare_name_is_pointed_out(write):
    path = write("game: {target: 1}", "ours.yaml")
    assert "ours.yaml" in message("ours", beside=path.parent)


def test_a_path_to_nowhere_is_reported_at_its_name(write):
    assert errors(write("id: x\nextends: [500-rummy, beside.yaml]")) == [("rules.extends", 2, 22)]


def test_a_mistake_below_is_reported_there_and_at_its_name(write):
    write("id: x\ngame: {targt: 5}", "below.yaml")
    ruleset, findings = load_ruleset(write("extends: [below.yaml]"))
    assert ruleset is None
    assert [(finding.code, Path(finding.file).name, finding.span.line) for finding in findings] == [
        ("rules.key", "below.yaml", 2),
        ("rules.extends", "house.yaml", 1),
    ]


@pytest.mark.parametrize("files", [1, 2, 3])
def test_files_that_build_on_one_another_in_a_circle_are_reported(files, write):
    names = [f"f{number}.yaml" for number in range(files)]
    for place, name in enumerate(names):
        write(f"extends: [{names[place - 1]}]", name)
    ruleset, findings = load_ruleset(write("id: x\nextends: [f0.yaml]"))
    assert ruleset is None
    circles = [finding for finding in findings if "circle" in finding.message]
    assert [finding.code for finding in circles] == ["rules.extends"]
    assert all(name in circles[0].message for name in names)


def test_games_and_options_are_told_apart(write):
    assert "option" in message("floating")
    assert "game" in message("500-rummy", "500-rum")
    assert errors(write("type: option\nextends: [500-rum]"), "floating")[0] == (
        "rules.extends",
        2,
        11,
    )


def test_an_option_of_ones_own_works_as_the_shipped_ones_do(write):
    write(
        "type: option\nid: lake\nneeds: {out.melding_all: floats}\nexcludes: [no-calls]\nout: {bonus: 5}",
        "lake.yaml",
    )
    path = write("game: {target: 300}")
    assert load(path, "floating", str(path.parent / "lake.yaml")).out.bonus == 5
    assert "out.melding_all" in message(path, str(path.parent / "lake.yaml"))
    assert "no-calls" in message(path, "floating", "no-calls", str(path.parent / "lake.yaml"))


def test_what_an_option_needs_is_asked_of_the_rules_without_it(write):
    write("type: option\nneeds: {calls.of: pile}\ncalls: {of: last_discard}", "narrow.yaml")
    path = write("extends: [narrow.yaml]", "wide.yaml")
    assert load(path).calls.of == "last_discard"
    assert errors(write("extends: [no-calls, narrow.yaml]"))[-1] == ("rules.sense", 1, 21)


def test_a_need_that_is_not_met_names_who_set_the_key(write):
    said = message(write("extends: [500-rummy, unplayable-last-discard]"))
    assert "out.melding_all = floats" in said
    assert "500-rummy.yaml:" in said


def test_findings_quote_the_line_they_are_about(write):
    _, findings = load_ruleset(write("id: x\ngame: {targt: 5}   # a slip"))
    assert [finding.excerpt for finding in findings] == ["game: {targt: 5}   # a slip"]


def test_options_are_recorded_in_their_order():
    ruleset, _ = load_ruleset("500-rummy", ["no-calls", "floating", "no-calls"])
    assert ruleset.options == ("no-calls", "floating")


def test_merged_values_cover_every_section(write):
    keys = {key.split(".")[0] for key, _, _ in merged_values(load(write(LAKE)))}
    assert len(keys) == 16


def test_a_shipped_game_is_loaded_without_any_validator_or_solver():
    code = "import sys; from meldref import load_ruleset; load_ruleset('500-rummy'); print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"jsonschema", "constraint", "lark", "hashlib"} & set(run.stdout.split())


def test_a_house_rule_without_mistakes_needs_no_validator_either(write):
    path = str(write(LAKE))
    code = "import sys; from meldref import load_ruleset; load_ruleset(sys.argv[1]); print(*sys.modules)"
    run = subprocess.run(
        [sys.executable, "-c", code, path], capture_output=True, text=True, check=True
    )
    assert not {"jsonschema", "constraint", "lark"} & set(run.stdout.split())
