"""Settings that differ from hand to hand: what is laid over what, shown, compared, and refused."""

import pytest

from meldref.core.diagnostics import Severity
from meldref.rulefiles.load import load_ruleset
from meldref.ruleset.changes import hand_rules, in_hand
from meldref_authoring.difference import compare_meaning
from meldref_authoring.explaining import explain_key, find_key
from meldref_authoring.rulefiles.show import show_merged
from meldref_authoring.rulefiles.trace import trace

LAKE = """\
id: lake
extends: [500-rummy]
game: {ends: after_hands, hands: 4}
hands:
  2-3: {deal: {cards: 9}, melds: {contract: [group, sequence 4]}}
  4: {scoring: {values: {A: 20}}}
"""


def load(folder, text):
    file = folder / "lake.yaml"
    file.write_text(text, encoding="utf-8")
    return load_ruleset("lake.yaml", beside=folder)


def of_hand(ruleset, number):
    rules = hand_rules(ruleset, number)
    return ruleset if rules is None else in_hand(ruleset, rules)


@pytest.fixture
def lake(tmp_path):
    ruleset, findings = load(tmp_path, LAKE)
    assert findings == ()
    return ruleset


def test_a_hand_has_what_differs_there_and_all_else_as_the_others(lake):
    assert [of_hand(lake, number).deal.cards[3] for number in (1, 2, 3, 4)] == [7, 9, 9, 7]
    assert [of_hand(lake, number).scoring.values[0] for number in (3, 4)] == [15, 20]
    assert of_hand(lake, 4).melds.contract is None
    assert of_hand(lake, 2).origin("melds.contract").line == 5


def test_a_key_that_is_set_over_the_file_holds_in_hands_that_say_nothing_of_it(tmp_path):
    (tmp_path / "lake.yaml").write_text(LAKE, encoding="utf-8")
    ruleset, (finding,) = load_ruleset("lake.yaml", settings=("deal.cards=5",), beside=tmp_path)
    assert [of_hand(ruleset, number).deal.cards[3] for number in (1, 2, 4)] == [5, 9, 5]
    assert finding.severity is Severity.WARNING
    assert finding.message.startswith("deal.cards = 5 does not hold in hands 2-3")


@pytest.mark.parametrize(
    ("game", "options", "settings", "hands"),
    [
        ("three-thirteen", ["chosen-wild-rank"], [], "hands 2-11"),
        ("contract-rummy", [], ["deal.cards.3=9"], "hands 5-7"),
        ("contract-rummy", [], ["deal.cards.3=12"], None),
        ("contract-rummy", [], ["deal.cards=9", "hands.5-6.deal.cards=9"], "hand 7"),
        ("three-thirteen", [], ["hands.1.melds.wild.cards=[A]"], None),
        ("shanghai-rummy", ["low-aces"], ["scoring.values.A=20"], None),
    ],
)
def test_what_is_set_over_hands_that_say_their_own_is_a_warning(game, options, settings, hands):
    ruleset, findings = load_ruleset(game, options, settings)
    assert ruleset is not None
    said = [one.message for one in findings if "does not hold in" in one.message]
    assert len(said) == (hands is not None)
    assert all(f"in {hands}, " in one for one in said)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("melds: {wild: {cards: [A]}}\nhands: {2-10: {melds: {wild: {cards: [A]}}}}", [3]),
        ("melds: {wild: {cards: [A]}}\nhands: {2-11: {melds: {wild: {cards: [A, 2]}}}}", []),
        ("extends: [three-thirteen, chosen-wild-rank]", [12]),
    ],
)
def test_a_file_over_such_a_game_is_told_of_hands_that_it_leaves(text, lines, tmp_path):
    extends = "" if "extends" in text else "extends: [three-thirteen]\n"
    _, findings = load(tmp_path, f"id: lake\n{extends}{text}\n")
    assert [one.span.line for one in findings if "does not hold in" in one.message] == lines


def test_what_is_shown_says_the_same_again(lake, tmp_path):
    again, findings = load(tmp_path, show_merged(lake, origins=False))
    assert findings == ()
    assert again.hands == lake.hands
    assert compare_meaning(lake, again).same


def test_a_difference_is_told_by_its_hand(lake):
    plain, _ = load_ruleset("500-rummy", settings=("game={ends: after_hands, hands: 4}",))
    keys = {one.key for one in compare_meaning(lake, plain).in_meaning}
    assert {
        "hands.2.deal.cards.2-8",
        "hands.2.melds.contract",
    } <= keys or "hands.2.melds.contract" in keys
    assert not any(key.startswith("hands.1.") for key in keys)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("hands: {0: {deal: {cards: 5}}}", "0 is not the number of a hand"),
        ("hands: {5-3: {deal: {cards: 5}}}", "runs backwards"),
        ("hands: {1-3: {deal: {cards: 5}}, 2: {deal: {cards: 6}}}", "hand 2 is set twice"),
        ("hands: {1: {melds: {contract: [grop]}}}", "in hand 1: the contract asks for a grop"),
        ("hands: {1: {game: {target: 5}}}", "game does not belong under hands.1"),
        ("hands: {1: {deal: {card: 5}}}", "there is no key hands.1.deal.card"),
        ("melds: {contract: [group 3-4]}", "a kind of meld, with a smallest size"),
        ("melds: {contract: [sequence 20]}", "it has at most 13"),
        ("melds: {contract: group}", "a list of kinds of meld"),
        ("game: {out_at: 150}", "a high total puts a player out"),
        ("deck: {jokers_in_all: two}", "a table by players"),
        ("scoring: {values: {wild: face}}", "no single number"),
    ],
)
def test_what_cannot_be_is_refused_at_its_place(text, said, tmp_path):
    _, findings = load(tmp_path, f"id: lake\nextends: [500-rummy]\n{text}\n")
    assert [finding.message for finding in findings if said in finding.message]
    assert {finding.span.line for finding in findings} == {3}


@pytest.mark.parametrize(
    ("text", "places"),
    [
        (
            "melds: {contract: [grup, sequence 7, sequnce 3]}",
            {(3, 20, "grup"), (3, 38, "sequnce 3")},
        ),
        (
            "hands:\n  2-3:\n    melds:\n      contract:\n        - group 5\n        - run",
            {(7, 11, "group 5"), (8, 11, "run")},
        ),
    ],
)
def test_a_fault_of_a_contract_is_told_at_the_meld_that_has_it(text, places, tmp_path):
    _, findings = load(tmp_path, f"id: lake\nextends: [500-rummy]\n{text}\n")
    found = {
        (one.span.line, one.span.column, one.excerpt[one.span.column - 1 : one.span.end_column - 1])
        for one in findings
    }
    assert found == places
    assert {one.rule.key.split(".")[-1] for one in findings} == {"contract"}


@pytest.mark.parametrize(
    "text",
    [
        "buys: {of: last_discard, extra: 3}\nhands: {2-3: {buys: {of: none}}}",
        (
            "melds: {wild: {cards: []}}\ndeck: {jokers: 0}\nscoring: {held: {wild: 20}}\n"
            "hands: {1: {melds: {wild: {cards: [3]}}}}"
        ),
    ],
)
def test_what_has_an_effect_in_some_hand_is_not_without_one(text, tmp_path):
    _, findings = load(tmp_path, f"id: lake\nextends: [500-rummy]\n{text}\n")
    assert not findings


def test_what_a_hand_sets_in_vain_is_said_of_it(tmp_path):
    text = "id: lake\nextends: [500-rummy]\nhands: {2-3: {buys: {of: none, extra: 3}}}\n"
    (finding,) = load(tmp_path, text)[1]
    assert finding.message.startswith("in hands 2-3: hands.2-3.buys.extra = 3 has no effect")


@pytest.mark.parametrize(
    ("tie", "said"),
    [("sharing", ["there is no hand 5: the game is over after 4"]), ("more_hands", [])],
)
def test_rules_for_a_hand_that_never_comes_are_said_to_be_idle(tie, said, tmp_path):
    text = LAKE.replace("hands: 4}", f"hands: 4, tie: {{by: {tie}}}}}").replace(
        "  4: {", "  4-5: {"
    )
    assert [finding.message for finding in load(tmp_path, text)[1]] == said


def test_a_key_is_explained_with_what_hands_have_of_it():
    ruleset, _ = load_ruleset("contract-rummy")
    explained = explain_key(find_key("melds.contract"), ruleset, trace("contract-rummy"))
    assert [(part.key, part.value) for part in explained.parts][:2] == [
        ("melds.contract", "none"),
        ("hands.1.melds.contract", ["group", "group"]),
    ]


def test_equal_entries_of_a_table_of_a_hand_are_one_difference():
    rulesets = [load_ruleset(name)[0] for name in ("500-rummy", "contract-rummy")]
    keys = [one.key for one in compare_meaning(*rulesets).in_meaning]
    assert [key for key in keys if key.startswith("hands.5.deal")] == ["hands.5.deal.cards.3-8"]
