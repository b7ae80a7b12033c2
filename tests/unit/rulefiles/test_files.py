"""The rulesets and options that ship: their shape, their keys, and how they combine."""

import json

import jsonschema
import pytest

from meldref.core.diagnostics import Severity
from meldref.core.resources import data_path
from meldref.documents.reader import read_yaml
from meldref.rulefiles.files import BASE, list_rulesets
from meldref.rulefiles.load import load_ruleset
from meldref.rulefiles.vocabulary import is_valid, key_paths, schema
from meldref_authoring.rulefiles.show import merged_values, show_merged
from together import each

SHIPPED = {shipped.id: shipped for shipped in list_rulesets()}
GAMES = [shipped.id for shipped in SHIPPED.values() if shipped.type == "game"]
OPTIONS = [shipped.id for shipped in SHIPPED.values() if shipped.type == "option"]
NEEDS_OTHERS = {"unplayable-last-discard": ["floating"], "claimable-last-discard": ["floating"]}
IN_FIVES = {"gilfoy-500-rummy", "shanghai-rummy"}
"""Games in which every card counts a multiple of five."""
PENALTIES = {"contract-rummy", "kalooki-40", "may-i", "shanghai-rummy", "three-thirteen"}
"""Games in which cards held are added as penalty points."""
REFUSED = {
    *((game, "out-blind-bonus") for game in GAMES if game not in PENALTIES),
    *((game, option) for game in GAMES if game != "gilfoy-500-rummy" for option in NEEDS_OTHERS),
    *((game, "divide-by-five") for game in GAMES if game not in IN_FIVES),
    ("gilfoy-500-rummy", "discard-to-go-out"),
    *(
        (game, option)
        for game in ("partnership-500-rum", "persian-rummy")
        for option in ("multi-table", "two-packs")
    ),
    ("persian-rummy", "no-jokers"),
    ("contract-rummy", "go-out-to-win"),
    *(
        ("kalooki-40", option)
        for option in ("go-out-to-win", "multi-table", "quick-game", "ring-game")
    ),
}
"""Options that are refused for what a game deals or counts."""


def value_of(shipped):
    document, findings = read_yaml(shipped.file.read_bytes(), shipped.file.name)
    assert findings == ()
    return document.value


def settings(game, options=(), **more):
    """The merged values of a ruleset that must load."""
    ruleset, _ = load_ruleset(game, options, **more)
    assert ruleset is not None
    return {key: value for key, value, _ in merged_values(ruleset)}


@pytest.mark.parametrize("shipped", SHIPPED.values(), ids=SHIPPED)
def test_every_shipped_file_has_the_shape_of_the_schema(shipped):
    jsonschema.Draft202012Validator(schema()).validate(value_of(shipped))
    assert is_valid(value_of(shipped), schema())


@pytest.mark.parametrize("shipped", SHIPPED.values(), ids=SHIPPED)
def test_every_shipped_file_says_what_it_is_and_where_it_is_from(shipped):
    value = value_of(shipped)
    assert value["id"] == shipped.file.stem
    assert all(value[key] for key in ("name", "about", "source"))
    assert shipped.file.parent.name == ("options" if shipped.type == "option" else "rulesets")


def test_the_schema_is_a_schema_in_which_every_key_is_explained():
    jsonschema.Draft202012Validator.check_schema(schema())

    def walk(node, path):
        for key, part in node.get("properties", {}).items():
            if "$comment" in part:
                continue
            assert part.get("description"), (*path, key)
            if "properties" in part:
                assert part["additionalProperties"] is False
            elif "$ref" not in part:
                assert "examples" in part, (*path, key)
            walk(part, (*path, key))

    walk(schema(), ())


def test_the_schemas_examples_and_defaults_fit_it():
    whole = jsonschema.Draft202012Validator(schema())

    def walk(node):
        if not isinstance(node, dict):
            return
        if "description" in node:
            for example in [
                *node.get("examples", ()),
                *([node["default"]] if "default" in node else []),
            ]:
                assert is_valid(example, node), (node["description"], example)
                whole.evolve(schema=node).validate(example)
        for part in node.values():
            walk(part)

    walk(schema())


def test_the_base_file_sets_every_key_to_the_schemas_default():
    ruleset, _ = load_ruleset(BASE)
    own = {
        "id",
        "name",
        "type",
        "aliases",
        "about",
        "source",
        "extends",
        "needs",
        "excludes",
        "customs",
        "cases",
    }
    own |= {"house_rules"}
    value = value_of(SHIPPED[BASE])
    for key in key_paths():
        if key in own:
            continue
        node, part, origin = schema(), value, ruleset.origin(key)
        for name in key.split("."):
            node = node["properties"][name]
            if key != "melds.kinds":
                part = part[name]
        if key != "melds.kinds":
            assert part == node["default"], key
            assert origin.file == f"{BASE}.yaml", key


def test_every_played_key_has_a_line_of_its_own():
    ruleset, _ = load_ruleset(BASE)
    lines = [origin.line for _, _, origin in merged_values(ruleset)]
    assert len(lines) == len(set(lines))
    assert all(lines)


@pytest.mark.parametrize("game", GAMES)
def test_every_game_loads_without_a_word(game):
    ruleset, findings = load_ruleset(game)
    assert findings == ()
    assert ruleset.id == game
    assert ruleset.options == ()
    assert all(origin.line > 0 for _, _, origin in merged_values(ruleset))


def is_won_otherwise(game, option):
    """Whether an option says who wins in a way that goes against how a game ends, or whom it puts out."""
    played, value = settings(game), value_of(SHIPPED[option])
    says = value.get("game", {})
    if "winner" not in says:
        return False
    ends = played["game.ends"]
    puts_out = played["game.out_at"] != "none"
    return value.get("needs", {}).get("game.ends", ends) != ends or (
        puts_out and says["winner"] != "lowest"
    )


@pytest.mark.sweep(every=5)
@pytest.mark.parametrize("game", GAMES)
def test_every_option_goes_with_every_game_or_is_refused_with_a_reason(game):
    def check(option):
        ruleset, findings = load_ruleset(game, [option])
        if (game, option) in REFUSED or is_won_otherwise(game, option):
            assert ruleset is None
            assert {finding.code for finding in findings} == {"rules.sense"}
            assert all(finding.message for finding in findings)
        else:
            assert ruleset is not None
            assert ruleset.options == (option,)
            assert all(finding.severity is Severity.WARNING for finding in findings)

    each(check, {option: (option,) for option in OPTIONS})


@pytest.mark.parametrize("option", OPTIONS)
def test_every_option_changes_a_game(option):
    before = NEEDS_OTHERS.get(option, [])

    def changes(game):
        ruleset, _ = load_ruleset(game, [*before, option])
        return ruleset is not None and settings(game, before) != settings(game, [*before, option])

    assert any(map(changes, GAMES)) or option == "divide-by-five", (
        f"{option} changes nothing in any game: is its key in `ruleset/model.py`?"
    )


@pytest.mark.parametrize(
    ("game", "option", "changes"),
    [
        ("500-rummy", "meld-taken-card", {"draw.top.must": "be_used"}),
        ("500-rummy", "new-meld-for-taken-card", {"draw.use": ["meld"]}),
        ("500-rummy", "floating", {"out.melding_all": "floats"}),
        ("500-rummy", "no-calls", {"calls.of": "none"}),
        (
            "500-rummy",
            "go-out-to-win",
            {"game.winner": "player_out", "game.reached_by": "player_out"},
        ),
        ("500-rummy", "sequences-of-four", {"melds.kinds.sequence.size": "4-13"}),
        ("500-rummy", "no-jokers", {"deck.jokers": 0, "melds.wild.cards": []}),
        ("500-rummy", "tied-players-only", {"game.tie.who": "tied"}),
        ("500-rum", "four-aces-100", {"scoring.low_ace": 5, "scoring.four_aces": 100}),
        ("500-rum", "reshuffle-stock", {"stock.reshuffle": "but_top"}),
        ("500-rum", "end-by-agreement", {"game.stop": "agreed"}),
        ("gilfoy-500-rummy", "chosen-wild-rank", {"melds.wild.cards": ["named"]}),
        (
            "gilfoy-500-rummy",
            "keep-taken-card",
            {"draw.top.must": "nothing", "draw.deep.must": "nothing"},
        ),
        (
            "500-rum",
            "add-opponents-hand",
            {"scoring.hands": "to_player_out", "scoring.nobody_out": "two_exchange"},
        ),
        (
            "500-rummy",
            "call-last-discard-only",
            {
                "calls.of": "last_discard",
                "calls.takes": "called_cards",
                "calls.more_melds": "forbidden",
                "calls.discard": "none",
                "calls.then": "unchanged",
            },
        ),
    ],
)
def test_an_option_changes_what_it_says_and_nothing_else(game, option, changes):
    before, after = settings(game), settings(game, [option])
    assert {key: value for key, value in after.items() if before.get(key) != value} == changes


def test_two_packs_are_shuffled_from_six_players_on():
    ruleset, _ = load_ruleset("gilfoy-500-rummy", ["two-packs"])
    assert [ruleset.deck.packs[number] for number in range(2, 9)] == [1, 1, 1, 1, 2, 2, 2]


def test_scores_are_divided_where_every_value_divides():
    ruleset, findings = load_ruleset("500-rum", ["low-cards-5", "divide-by-five"])
    assert findings == ()
    assert (ruleset.scoring.divide_by, ruleset.game.target) == (5, 100)


def test_options_that_exclude_one_another_are_refused_in_any_order():
    for options in (["aces-25", "four-aces-100"], ["four-aces-100", "aces-25"]):
        ruleset, findings = load_ruleset("500-rum", options)
        assert ruleset is None
        errors = [finding for finding in findings if finding.severity is Severity.ERROR]
        assert [finding.code for finding in errors] == ["rules.sense"]
        assert all(option in errors[0].message for option in options)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.sweep(every=4)
def test_what_is_shown_of_a_merged_ruleset_is_the_same_ruleset(game, tmp_path):
    ruleset, _ = load_ruleset(game, ["aces-25"], ["scoring.values.Qs=40", "deal.cards.2=9"])
    path = tmp_path / "shown.yaml"
    path.write_text(show_merged(ruleset))
    again, findings = load_ruleset(path)
    assert [finding for finding in findings if finding.severity is Severity.ERROR] == []
    for section in ("players", "deck", "deal", "melds", "draw", "scoring", "game", "settlement"):
        assert getattr(again, section) == getattr(ruleset, section)


def test_aliases_are_names_too():
    ruleset, _ = load_ruleset("Joker Rummy")
    assert ruleset.id == "500-rummy"


@pytest.mark.sweep
def test_the_cases_that_ship_have_the_shape_of_the_schema():
    case = {"$defs": schema()["$defs"], **schema()["$defs"]["case"]}
    validator = jsonschema.Draft202012Validator(case)
    for path in sorted((data_path("rulesets").parent / "tests" / "cases").glob("*.yaml")):
        document, findings = read_yaml(path.read_bytes(), path.name)
        assert findings == ()
        for item in document.value["cases"]:
            assert is_valid(item, case), (path.name, item)
            validator.validate(item)


def test_the_schema_is_written_as_its_own_file_is():
    text = data_path("rulesets", "ruleset.schema.json").read_text(encoding="utf-8")
    assert text == json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"
