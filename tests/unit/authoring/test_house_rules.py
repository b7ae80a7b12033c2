"""What helps the authors of house rules: search, differences, the rulebook, warnings; what nobody sees is open."""

from __future__ import annotations

import pytest

from meldref import judge_move, load_position
from meldref.authoring.cookbook import search
from meldref.authoring.difference import compare_meaning
from meldref.authoring.lint import Basis, review
from meldref.authoring.rulebook.book import make_rulebook
from meldref.authoring.rulebook.model import CardExample
from meldref.core.records import changed
from meldref.rulefiles.files import find
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
    for words in ("elimination", "eliminated", "knocked out"):
        assert search(words)[0].name == "game.out_at"
    assert search("lowest wins")[0].name == "game.winner"
    assert search("rounds")[0].name == "hands"
    assert "draw.takes" in {hit.name for hit in search("whole pile")}
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


def warned(folder, text):
    """What a review of a file with this text, on 500-rummy, says of house rules."""
    path = folder / "own.yaml"
    path.write_text(f"id: own\nextends: [500-rummy]\n{text}", encoding="utf-8")
    return [
        one.message for one in review(find(str(path)), path.read_bytes(), Basis()) if "house_rules" in one.message
    ]


def ban(action, when, name="own"):
    return f'{name}: {{forbid: {action}, when: "{when}", says: It is so.}}'


@pytest.mark.parametrize(
    ("settings", "rule"),
    [
        ("", ban("meld", "meld.wilds > meld.size")),
        ("", ban("meld", "meld.kind is group and meld.size > 4")),
        ("", ban("meld", "meld.kind is sequence and meld.rank is K")),
        ("", ban("meld", "meld.size > 3 and meld.size < 3")),
        ("", ban("meld", "meld.owner is opponent")),
        ("", ban("discard", "card.rank is A and card.is_joker")),
        ("", ban("discard", "player.cards is 0")),
        ("", ban("take", "count(cards) > count(pile)")),
        ("", ban("draw", "turn.lay_offs > 0 or any(turn.melds, .size > 3)")),
        ("", ban("end", "turn.swaps > 0")),
        ("draw: {depth: top}", ban("take", "count(cards) > 1")),
        ("layoff: {before_melding: forbidden}", ban("lay", "not player.has_melded")),
        ("melds: {first_points: 40}", ban("meld", "not player.has_melded and meld.points < 30")),
        ("", "own: {award: 5, when: player.went_out and player.cards > 0, says: It is so.}"),
    ],
)
def test_a_rule_that_can_never_apply_is_a_warning(settings, rule, tmp_path):
    (message,) = warned(tmp_path, f"{settings}\nhouse_rules: {{{rule}}}\n")
    assert "never applies" in message


@pytest.mark.parametrize(
    ("settings", "rule"),
    [
        ("", ban("meld", "meld.kind is group and meld.size > 3")),
        ("", ban("meld", "meld.rank is K")),
        ("", ban("meld", "meld.naturals < meld.size")),
        ("", ban("discard", "card.points > 10 and card.rank is A")),
        ("", ban("take", "count(cards) is count(pile)")),
        ("draw: {depth: top, takes: whole_pile}", ban("take", "count(cards) > 1")),
        (
            "hands: {2: {melds: {kinds: {group: {size: 3-5}}}}}",
            ban("meld", "meld.kind is group and meld.size > 4"),
        ),
        ("melds: {first_points: 40}", ban("meld", "not player.has_melded and meld.points < 50")),
        ("melds: {first_points: 40, first_points_of: turn}", ban("meld", "meld.points < 30")),
        ("out: {melding_all: floats}", ban("draw", "player.floats")),
        ("", "own: {award: 5, when: player.went_out and player.turns > 3, says: It is so.}"),
        ("", ban("meld", "any(player.hand, .rank is meld.rank)")),
        ("players: {min: 4, max: 4}\npartnership: {sides: opposite}", ban("lay", "partner.cards > 1")),
    ],
)
def test_a_rule_that_may_apply_is_left_alone(settings, rule, tmp_path):
    assert not [one for one in warned(tmp_path, f"{settings}\nhouse_rules: {{{rule}}}\n") if " applies" in one]


@pytest.mark.parametrize(
    ("first", "second", "idle"),
    [
        (ban("meld", "meld.size > 4"), ban("meld", "meld.size > 6", "b"), True),
        (ban("meld", "meld.size > 6"), ban("meld", "meld.size > 4", "b"), False),
        (ban("[meld, lay]", "meld.wilds > 1"), ban("lay", "meld.wilds > 1 and meld.kind is group", "b"), True),
        (ban("lay", "meld.wilds > 1"), ban("[meld, lay]", "meld.wilds > 2", "b"), False),
        (ban("discard", "card.rank in [A, K]"), ban("discard", "card.rank is K and player.cards > 3", "b"), True),
        (ban("discard", "card.rank in [A, K]"), ban("discard", "card.rank in [K, Q]", "b"), False),
        (ban("discard", "player.turns < 3"), ban("discard", "player.turns is 2", "b"), True),
        (ban("discard", "player.turns < 3"), ban("discard", "partner.turns is 2", "b"), False),
    ],
)
def test_a_ban_that_another_one_makes_idle_is_a_warning(first, second, idle, tmp_path):
    said = warned(tmp_path, f"house_rules: {{{first}, {second}}}\n")
    assert any("house_rules.b has no effect" in one for one in said) is idle


@pytest.mark.parametrize(
    ("award", "says"),
    [
        ("3 * player.cards", "need not be a multiple"),
        ("5 * player.cards - 3", "is no multiple"),
        ("5 * player.cards", ""),
        ("player.score", ""),
        ("min(player.points, 20)", ""),
        ("sum(player.laid, .points) - player.turns", "need not be a multiple"),
    ],
)
def test_awards_that_scores_are_not_divided_by_are_a_warning(award, says, tmp_path):
    rule = f"own: {{award: '{award}', says: It is so.}}"
    divided = "scoring: {divide_by: 5, values: {2-9: 5}, low_ace: 5}"
    said = warned(tmp_path, f"{divided}\nhouse_rules: {{{rule}}}\n")
    assert [one for one in said if says and says in one] == said
    assert bool(said) is bool(says)
