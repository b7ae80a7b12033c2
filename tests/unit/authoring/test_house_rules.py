"""What helps the authors of house rules: search, differences, the rulebook, and what cannot be seen is open."""

from __future__ import annotations

from meldref import judge_move, load_position
from meldref.authoring.cookbook import search
from meldref.authoring.difference import compare_meaning
from meldref.authoring.rulebook.book import make_rulebook
from meldref.authoring.rulebook.model import CardExample
from meldref.core.records import changed
from meldref.rulefiles.load import load_ruleset
from meldref.ruleset.model import HouseRule
from simulated import ruleset

ACES = HouseRule("aces", "No ace is discarded.", forbid=("discard",), when="card.rank is A")


def with_rule(rule):
    return changed(ruleset(), house_rules=(rule,))


def test_recipes_are_found_by_the_words_of_players():
    assert {hit.name for hit in search("whole pile")} >= {"whole-pile", "all-or-one"}
    assert search("going rummy")[0].name == "going-rummy"
    assert search("wild twos")[0].name == "wild-twos"
    assert "player.buys" in {hit.name for hit in search("buy")}
    assert "discard-to-go-out" in {hit.name for hit in search("Boathouse")}
    assert search("may I")[0].name == "buys"
    assert "partnership.sides" in {hit.name for hit in search("teams")}
    assert search("elimination")[0].name == "game.out_at"
    assert "own-meld-first" in {hit.name for hit in search("tack on")}


def test_a_house_rule_differs_by_what_it_forbids_and_apart_by_its_words():
    other = changed(ACES, says="Aces are kept.")
    kings = changed(ACES, when="card.rank is K")
    assert compare_meaning(with_rule(ACES), with_rule(ACES)).same
    assert [one.key for one in compare_meaning(with_rule(ACES), with_rule(other)).apart] == ["house_rules.aces"]
    assert [one.key for one in compare_meaning(with_rule(ACES), with_rule(kings)).in_meaning] == [
        "house_rules.aces"
    ]


def test_a_rulebook_says_a_house_rule_in_its_chapter_with_an_example():
    book = make_rulebook(with_rule(ACES))
    (chapter,) = [one for one in book.sections if one.title == "The discard"]
    told = [block for block in chapter.blocks if isinstance(block, CardExample)]
    assert any("discard A" in str(line) for example in told for line in example.forbidden)


def rules_of(folder, text):
    """The ruleset of a file with this text, on 500-rummy, and what was found wrong with it."""
    path = folder / "own.yaml"
    path.write_text(f"id: own\nextends: [500-rummy]\n{text}", encoding="utf-8")
    found, findings = load_ruleset(str(path))
    return found, findings


def test_a_rulebook_has_examples_where_hands_are_dealt_different_numbers_of_cards(tmp_path):
    four = "{forbid: meld, when: meld.size is 3, says: A meld has four cards.}"
    rules, findings = rules_of(tmp_path, f"hands: {{1: {{deal: {{cards: 5}}}}}}\nhouse_rules: {{four: {four}}}\n")
    assert findings == ()
    book = make_rulebook(rules)
    shown = [block for chapter in book.sections for block in chapter.blocks if isinstance(block, CardExample)]
    assert any("meld" in str(line) for example in shown for line in example.forbidden)


def test_a_ban_that_hangs_on_turns_nobody_saw_is_no_violation(tmp_path):
    path = tmp_path / "late.yaml"
    path.write_text(
        "id: late\nextends: [500-rummy]\nhouse_rules:\n  late-aces:\n    forbid: discard\n"
        "    when: card.rank is A and player.turns < 3\n    says: No ace is discarded early.\n",
        encoding="utf-8",
    )
    given = {"rules": str(path), "hands": {"A": "Ac 5c 6c"}}
    verdicts = []
    for more in ({}, {"turns": {"A": 1}}, {"turns": {"A": 2}}, {"opening": "first_turn"}):
        built, findings = load_position({**given, **more})
        assert findings == ()
        verdicts.append([one.code for one in judge_move(built, "draw 4h; discard Ac").findings])
    assert verdicts == [[], ["house.late-aces"], [], ["house.late-aces"]]
