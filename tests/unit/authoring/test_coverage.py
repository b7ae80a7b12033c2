"""What cases exercise of a ruleset: its settings, by trying others, and the codes they expect."""

from __future__ import annotations

import pytest

from meldref.cases.run import read_cases
from meldref.core.diagnostics import Severity
from meldref.rulefiles.load import load_ruleset
from meldref.rules.declare import CODES
from meldref.rules.pages import PAGES
from meldref_authoring.coverage import codes_under, measure
from meldref_authoring.mutations import variants
from meldref_authoring.rulefiles.show import merged_values
from meldref_evidence.explaining import RecordExplainer

HOUSE = """\
id: our-house
extends: [500-rummy]
melds: {kinds: {sequence: {size: 4-13}}}
layoff: {counts_for: melder}
game: {target: 1000}
settlement: {ratio: 3}
cases:
  - name: three in a row are not enough
    given: {hands: {A: "5h 6h 7h 2s 3d"}}
    moves: ["A: draw; meld 5h 6h 7h; discard 2s"]
    expect: {verdict: illegal, because: meld.size}
"""
LAID = """\
  - id: laid
    name: a card laid off counts for who made the meld
    given: {hands: {A: "8h 2s 3d"}, table: {m1: {B: "4h 5h 6h 7h"}}}
    moves: ["A: draw; lay 8h m1; discard 2s"]
    expect: {verdict: legal, points: {A: 0, B: 8}}
"""


def covered(tmp_path, text, name="our-house.yaml", **others):
    """The coverage of a file of cases, by the file names of the rulesets."""
    for other, content in others.items():
        (tmp_path / f"{other}.yaml").write_text(content, encoding="utf-8")
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    file, findings = read_cases(path, explainer=RecordExplainer())
    assert findings == ()
    found = measure([(file, [file.run(index) for index in range(len(file.cases))])])
    return {one.file.removeprefix(f"{tmp_path}/"): one for one in found}


def settings(coverage):
    return {setting.key: setting.case for setting in coverage.settings}


def codes(coverage):
    return {code.code: code.case for code in coverage.codes}


def test_a_ruleset_answers_for_its_own_settings_and_what_rests_on_them(tmp_path):
    house = covered(tmp_path, HOUSE)["our-house.yaml"]
    assert settings(house) == {
        "melds.kinds.sequence.size": "three in a row are not enough",
        "layoff.counts_for": None,
        "game.target": None,
    }
    assert {setting.line for setting in house.settings} == {3, 4, 5}
    assert codes(house)["meld.size"] == "three in a row are not enough"
    assert codes(house)["game.over"] is None
    assert "draw.deep.unused" not in codes(house)


def test_a_code_rests_on_every_setting_without_which_there_is_none(tmp_path):
    text = HOUSE.replace("layoff: {counts_for: melder}", "layoff: {before_melding: forbidden}")
    assert "layoff.target" in codes(covered(tmp_path, text)["our-house.yaml"])
    assert "layoff.target" not in codes(covered(tmp_path, HOUSE)["our-house.yaml"])


def test_a_setting_at_rest_does_not_count_until_a_case_wakes_it(tmp_path):
    assert "settlement.ratio" not in settings(covered(tmp_path, HOUSE)["our-house.yaml"])
    paid = """\
  - name: chips
    set: {settlement.pays: chips, game.target: 10}
    log: |
      [Players "A, B"]
      hand 1
      score A 10, B 5
      result A
      chips A 15, B -15
    expect: {verdict: legal}
"""
    house = covered(tmp_path, HOUSE + paid)["our-house.yaml"]
    assert settings(house)["settlement.ratio"] == "chips"


def test_a_setting_is_exercised_where_another_value_fails_a_case(tmp_path):
    house = covered(tmp_path, HOUSE + LAID)["our-house.yaml"]
    assert settings(house)["layoff.counts_for"] == "laid"


def test_a_case_that_fails_exercises_nothing(tmp_path):
    house = covered(
        tmp_path, HOUSE + LAID.replace("B: 8}", "B: 9}").replace("because: meld.size", "")
    )
    assert set(settings(house["our-house.yaml"]).values()) == {
        "three in a row are not enough",
        None,
    }
    assert settings(house["our-house.yaml"])["layoff.counts_for"] is None


def test_a_setting_that_a_case_sets_otherwise_is_not_exercised_by_it(tmp_path):
    text = HOUSE + LAID.replace(
        "    given:", "    set: {layoff.counts_for: layer}\n    given:"
    ).replace("A: 0, B: 8", "A: 8, B: 0")
    assert settings(covered(tmp_path, text)["our-house.yaml"])["layoff.counts_for"] is None


def test_a_code_counts_only_where_a_case_names_it_as_the_reason(tmp_path):
    house = covered(tmp_path, HOUSE.replace(", because: meld.size", ""))["our-house.yaml"]
    assert codes(house)["meld.size"] is None
    family = covered(tmp_path, HOUSE.replace("because: meld.size", "because: meld"))[
        "our-house.yaml"
    ]
    assert codes(family)["meld.size"] == "three in a row are not enough"
    assert codes(family)["meld.shape"] is None


def test_cases_beside_the_rules_count_for_every_ruleset_and_option_they_name(tmp_path):
    text = """\
cases:
  - name: floats
    rules: ./house.yaml
    with: [floating]
    given: {hands: {A: "8c 8d", B: "3c Kd"}, pile: "8s"}
    moves: ["A: take 8s; meld 8s 8c 8d"]
    expect: {verdict: legal, then: floats}
"""
    found = covered(tmp_path, text, "cases.yaml", house=HOUSE.partition("cases:")[0])
    assert set(found) == {"house.yaml", "floating.yaml"}
    assert settings(found["floating.yaml"]) == {"out.melding_all": "floats"}
    assert set(settings(found["house.yaml"]).values()) == {None}


def test_a_setting_of_one_hand_is_exercised_by_a_position_of_that_hand(tmp_path):
    text = """\
id: threes
extends: [500-rummy]
hands:
  2: {melds: {wild: {cards: [3]}}}
  3: {melds: {wild: {cards: [4]}}}
cases:
  - name: a three is wild in the second hand
    given: {hand: 2, hands: {A: "8c 8d 3h 9s"}}
    moves: ["A: draw; meld 8c 8d 3h=8; discard 9s"]
    expect: {verdict: legal}
"""
    found = settings(covered(tmp_path, text)["our-house.yaml"])
    assert found["hands.2.melds.wild.cards"] == "a three is wild in the second hand"
    assert found["hands.3.melds.wild.cards"] is None


@pytest.mark.sweep
def test_a_game_that_stands_alone_answers_for_everything_there_can_be_under_it(tmp_path):
    text = """\
cases:
  - name: out
    rules: 500-rummy
    given: {hands: {A: "8c 8d", B: "3c Kd"}, pile: "8s"}
    moves: ["A: take 8s; meld 8s 8c 8d"]
    expect: {verdict: legal, then: over, score: {A: 24, B: -13}}
"""
    game = covered(tmp_path, text, "cases.yaml")["500-rummy.yaml"]
    assert len(game.settings) > 70
    assert {"out.melding_all", "scoring.hands", "scoring.values.2-9"} <= {
        key for key, case in settings(game).items() if case
    }
    assert "hand.missing" in codes(game)
    assert not {"call.off", "float.kept", "log.syntax", "rules.key"} & set(codes(game))


def test_percent_counts_settings_and_codes_alike(tmp_path):
    house = covered(tmp_path, HOUSE)["our-house.yaml"]
    assert house.percent == pytest.approx(100 * 2 / (len(house.settings) + len(house.codes)))


def test_a_ruleset_with_no_case_that_passes_is_covered_by_nothing(tmp_path):
    house = covered(tmp_path, HOUSE.replace("because: meld.size", "because: draw"))[
        "our-house.yaml"
    ]
    assert house.percent == 0


BANNED = """\
id: our-house
extends: [500-rummy]
house_rules:
  no-aces: {forbid: discard, when: card.rank is A, says: You may not discard an ace.}
cases:
"""
APPLIES = """\
  - name: an ace may not be discarded
    given: {hands: {A: "Ah 9s"}}
    moves: ["A: draw; discard Ah"]
    expect: {verdict: illegal, because: house.no-aces}
"""
DOES_NOT = """\
  - name: another card may
    given: {hands: {A: "Ah 9s"}}
    moves: ["A: draw; discard 9s"]
    expect: {verdict: legal}
"""


@pytest.mark.parametrize(
    ("cases", "exercised", "shown"),
    [
        (APPLIES, None, "applying"),
        (DOES_NOT, None, "not applying"),
        (APPLIES + DOES_NOT, "an ace may not be discarded", None),
        (DOES_NOT + APPLIES, "an ace may not be discarded", None),
    ],
)
def test_a_house_rule_with_one_of_its_two_cases_says_which_it_has(
    tmp_path, cases, exercised, shown
):
    (rule,) = covered(tmp_path, BANNED + cases)["our-house.yaml"].settings
    assert (rule.case, rule.shown) == (exercised, shown)


# --- variants -------------------------------------------------------------------------------------


@pytest.mark.sweep
@pytest.mark.parametrize("game", ["500-rummy", "persian-rummy"])
def test_a_variant_differs_in_its_key_alone(game):
    ruleset, _ = load_ruleset(game)
    before = {key: value for key, value, _ in merged_values(ruleset)}
    varied = 0
    for key in before:
        table = key.startswith(("deck.packs", "deal.cards", "scoring.values")) or key.endswith(
            "require"
        )
        about = key.rpartition(".")[0] if table else key
        for variant in variants(ruleset, key):
            after = {key: value for key, value, _ in merged_values(variant)}
            unlike = {
                name for name in before.keys() | after.keys() if before.get(name) != after.get(name)
            }
            assert variant != ruleset, key
            if key == "players.max":  # more players have to be dealt cards too
                unlike = {
                    name for name in unlike if not name.startswith(("deck.packs", "deal.cards"))
                }
            assert all(name.startswith(about) for name in unlike), (key, unlike)
            varied += 1
    assert varied > 140


def test_a_variant_that_makes_no_sense_is_left_out():
    ruleset, _ = load_ruleset("500-rummy")
    assert list(variants(ruleset, "scoring.divide_by")) == []
    assert {variant.players.max for variant in variants(ruleset, "players.max")} == {2, 7, 9, 20}


# --- codes ----------------------------------------------------------------------------------------

PLAYED = [
    code
    for code in PAGES
    if not code.startswith("rules.") and (PAGES[code].keys or code[:4] != "log.")
    # No case can expect what is only pointed out.
    if CODES[code].severity is Severity.ERROR
]


@pytest.mark.parametrize("code", PLAYED)
def test_a_code_can_be_found_under_the_rules_of_its_own_example(code):
    example = PAGES[code].illegal
    ruleset, findings = load_ruleset(example.rules, example.options, example.settings)
    assert findings == ()
    assert code in codes_under(ruleset)


def test_most_codes_of_one_rule_alone_are_missing_where_its_key_says_otherwise():
    somewhere = set()
    for code in PLAYED:
        example = PAGES[code].illegal
        ruleset, _ = load_ruleset(example.rules, example.options, example.settings)
        keys = [key for key, _, _ in merged_values(ruleset) if key in PAGES[code].keys]
        if any(
            code not in codes_under(varied) for key in keys for varied in variants(ruleset, key)
        ):
            somewhere.add(code)
    assert somewhere >= {
        "draw.deep.unused", "draw.deep.late", "draw.deep.lay-off", "draw.top.unused", "meld.first-points",
        "wild.naturals", "layoff.target", "layoff.unnamed", "swap.forbidden", "swap.fit", "swap.kept",
        "discard.taken-top", "discard.taken-deep", "out.discard-required", "out.playable", "out.stuck",
        "float.kept", "call.off", "call.scope", "call.nothing", "call.hand",
    }  # fmt: skip
    assert "hand.missing" not in somewhere
