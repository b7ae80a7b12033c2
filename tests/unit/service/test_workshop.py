"""What those who write rules by touch ask: what each key says, the file changed, the booklet, points of cards."""

from __future__ import annotations

import json

import pytest

from meldref.rulefiles.files import list_rulesets
from meldref_authoring.cookbook import read_recipes
from meldref_service import Service
from paths import ROOT

LAKE = (ROOT / "examples" / "our-house.yaml").read_text("utf-8")
BARE = "id: ours\nname: Ours\nextends: [500-rummy]\n"
SERVICE = Service()


def ask(question, **arguments):
    return json.loads(json.dumps(SERVICE.ask(question, **arguments)))


def settings(text):
    """Every setting of some rules, by its key."""
    sections = ask("settings", text=text)["sections"]
    return {one["key"]: one for section in sections for one in section["settings"]}


def change(text, **changes):
    answer = ask("change_rules", text=text, **changes)
    assert answer["wrong"] == []
    return answer["text"]


def test_a_setting_says_what_it_means_and_whether_it_differs():
    size = settings(LAKE)["melds.kinds.sequence.size"]
    assert (size["written"], size["before"], size["differs"]) == ("4-13", "3-13", True)
    depth = settings(LAKE)["draw.depth"]
    assert not depth["differs"]
    assert [word["value"] for word in depth["words"]] == ["any", "top"]
    assert all(word["text"].endswith(".") for word in depth["words"])


def test_a_file_that_says_nothing_differs_in_nothing():
    assert not any(one["differs"] for one in settings(BARE).values())


def test_what_has_no_effect_says_on_what_it_rests():
    assert settings(BARE)["floating.playable"]["rests"] == "out.melding_all"
    assert settings(LAKE)["floating.playable"]["rests"] is None


@pytest.mark.parametrize("game", [one.id for one in list_rulesets() if one.type == "game"])
def test_each_setting_of_each_game_can_be_written_as_it_is(game):
    text = f"extends: [{game}]\n"
    for one in settings(text).values():
        assert one["kind"] in {"word", "words", "number", "text"}
        assert change(text, settings={one["key"]: one["written"]}) == text


def test_a_number_of_any_size_within_its_bounds_can_be_set():
    text = change(BARE, settings={"game.target": "735"})
    assert settings(text)["game.target"]["value"] == 735
    assert change(text, settings={"game.target": "500"}) == BARE


def test_a_value_that_is_no_yaml_is_refused_with_its_key():
    answer = ask("change_rules", text=BARE, settings={"melds.wild.cards": "[joker"})
    assert answer["text"] is None
    assert answer["wrong"][0].startswith("melds.wild.cards: ")


def test_what_an_option_says_is_written_out_when_it_is_set_otherwise():
    text = change(BARE, options={"floating": True})
    assert settings(text)["out.melding_all"]["written"] == "floats"
    text = change(text, settings={"out.melding_all": "ends_hand"})
    assert "melding_all: ends_hand" in text
    assert change(text, settings={"out.melding_all": None}, options={"floating": False}) == BARE


def test_a_recipe_is_known_once_it_is_written_and_goes_without_a_trace():
    for recipe in read_recipes():
        text = change(BARE, recipes={recipe.id: True})
        assert recipe.id in ask("settings", text=text).get("recipes", [recipe.id])
        assert change(text, recipes={recipe.id: False}) == BARE


def test_a_house_rule_is_a_difference_of_its_own():
    text = change(BARE, recipes={"no-early-aces": True})
    assert ask("settings", text=text)["house_rules"] == ["no-early-aces"]
    assert ask("settings", text=BARE)["house_rules"] == []


def test_another_game_is_extended_with_the_same_options():
    text = change("extends: [500-rummy, floating]\n", game="persian-rummy")
    assert text == "extends: [persian-rummy, floating]\n"


def test_a_file_that_cannot_be_read_is_not_changed():
    answer = ask("change_rules", text="game: [", settings={"game.target": "300"})
    assert answer["text"] is None
    assert answer["wrong"]
    assert ask("settings", text="game: [")["verdict"] == "unusable"


def new_sentences(text):
    answer = ask("rulebook", rules={"text": text})
    return [
        sentence
        for section in answer["sections"]
        for block in section["blocks"]
        for sentence in block["new"]
    ]


def test_the_rulebook_names_the_sentences_that_the_game_does_not_say():
    assert new_sentences(BARE) == []
    four = change(BARE, settings={"melds.kinds.sequence.size": "4-13"})
    assert new_sentences(four) == [
        "Four or more cards of one suit, whose ranks follow one another."
    ]


def test_cards_count_as_the_rules_say_on_the_table_and_in_the_hand():
    cards = {one["card"]: one for one in ask("card_values")["cards"]}
    assert cards["As"] == {"card": "As", "copies": 1, "laid": [15, 1], "held": -15}
    assert cards["Kd"] == {"card": "Kd", "copies": 1, "laid": [10], "held": -10}
    assert (cards["Jk"]["copies"], cards["Jk"]["held"]) == (2, -15)
    five = {one["card"]: one for one in ask("card_values", players=5)["cards"]}
    assert (five["As"]["copies"], five["Jk"]["copies"]) == (2, 4)
    lake = ask("card_values", rules={"text": change(LAKE, settings={"scoring.values.A": "25"})})
    assert {one["card"]: one for one in lake["cards"]}["Ah"]["laid"] == [25, 1]


def test_a_game_without_jokers_counts_none():
    answer = ask("card_values", rules={"name": "500-rummy", "options": ["no-jokers"]})
    assert "Jk" not in [one["card"] for one in answer["cards"]]


def test_where_scores_are_divided_cards_count_their_share():
    answer = ask(
        "card_values", rules={"name": "500-rummy", "options": ["values-5-10-15", "divide-by-five"]}
    )
    cards = {one["card"]: one for one in answer["cards"]}
    assert cards["Kd"]["laid"] == [2]
