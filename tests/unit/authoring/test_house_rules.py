"""What helps the authors of house rules: search, differences, the rulebook, warnings; what nobody sees is open."""

from __future__ import annotations

from itertools import pairwise
from time import process_time

import pytest

from meldref import judge_move, load_position
from meldref.core.cards import cards_text
from meldref.core.records import changed
from meldref.rulefiles.files import find
from meldref.rulefiles.load import load_ruleset
from meldref.ruleset.model import HouseRule
from meldref_authoring.cookbook import search
from meldref_authoring.difference import compare_meaning
from meldref_authoring.lint import Basis, review
from meldref_authoring.rulebook.book import make_rulebook
from meldref_authoring.rulebook.model import CardExample, Items
from simulated import ruleset

ACES = HouseRule("aces", "No ace is discarded.", forbid=("discard",), when="card.rank is A")


KINGS = (
    "own: {forbid: discard, when: 'card.rank is K and any(player.hand, .is_joker)', says: No king.}"
)


def with_rule(rule):
    return changed(ruleset(), house_rules=(rule,))


def test_recipes_are_found_by_the_words_of_players():
    assert {hit.name for hit in search("whole pile")} >= {"whole-pile", "all-or-one"}
    assert search("going rummy")[0].name == "going-rummy"
    assert search("wild twos")[0].name == "wild-twos"
    assert "player.buys" in {hit.name for hit in search("buy")}
    assert "out-by-discard" in {hit.name for hit in search("Boathouse")}
    assert search("may I")[0].name == "buys"
    assert "partnership.sides" in {hit.name for hit in search("teams")}
    for words in ("elimination", "eliminated", "knocked out"):
        assert search(words)[0].name == "game.out_at"
    assert search("lowest wins")[0].name == "game.winner"
    assert search("rounds")[0].name == "hands"
    assert "draw.takes" in {hit.name for hit in search("whole pile")}
    assert "own-meld-first" in {hit.name for hit in search("tack on")}


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("target score", "game.target"),
        ("win at 500", "game.target"),
        ("shuffle the pile", "stock.reshuffle"),
        ("how many points to open", "forty-to-open"),
        ("take the joker back", "swap-jokers"),
        ("replace joker", "swap-jokers"),
        ("round the corner", "round-the-corner"),
        ("pick up the whole deck", "all-or-one"),
        ("minus points", "scoring.below_zero"),
        ("stock runs out", "stock.empty"),
        ("two decks", "deck.packs"),
        ("jocker swapped", "swap-jokers"),
        ("seqence", "clean-sequence"),
        ("hitting", "own-meld-first"),
    ],
)
def test_a_search_finds_what_is_meant_among_its_first_three(words, name):
    assert name in {hit.name for hit in search(words)[:3]}


@pytest.mark.parametrize(
    "words", ["knock", "undercutting", "penalty for a wrong call", "gin", "buying back in"]
)
def test_a_search_finds_what_no_rule_can_say(words):
    assert [hit.sort for hit in search(words)].count("limit")


def test_a_word_that_resembles_none_finds_nothing():
    assert search("oklahoma") == search("knickknack") == []


def test_a_house_rule_differs_by_what_it_forbids_and_apart_by_its_words():
    other = changed(ACES, says="Aces are kept.")
    kings = changed(ACES, when="card.rank is K")
    assert compare_meaning(with_rule(ACES), with_rule(ACES)).same
    assert [one.key for one in compare_meaning(with_rule(ACES), with_rule(other)).apart] == [
        "house_rules.aces"
    ]
    assert [one.key for one in compare_meaning(with_rule(ACES), with_rule(kings)).in_meaning] == [
        "house_rules.aces"
    ]


def test_a_rulebook_says_a_house_rule_in_its_chapter_with_an_example():
    book = make_rulebook(with_rule(ACES))
    (chapter,) = [one for one in book.sections if one.title == "The discard"]
    told = [block for block in chapter.blocks if isinstance(block, CardExample)]
    assert any(written(line).startswith("discard A") for one in told for line in one.forbidden)


def written(line):
    """A line of a book with its cards as the notation has them."""
    return "".join(
        part if isinstance(part, str) else cards_text(one.card for one in part.cards)
        for part in line
    )


def house_examples(*rules):
    """By name, the example that a book has below what each of these rules says."""
    shown = {}
    for chapter in make_rulebook(changed(ruleset(), house_rules=rules)).sections:
        for block, below in pairwise((*chapter.blocks, None)):
            named = block.items[0].keys[:1] if isinstance(block, Items) else ()
            for key in named:
                if key.startswith("house_rules.") and isinstance(below, CardExample):
                    shown[key.removeprefix("house_rules.")] = below
    return shown


@pytest.mark.parametrize(
    "key", ["draw: {max: 5}", "layoff: {max: 2}", "buys: {max: 3}", "game: {time: 60}"]
)
def test_a_key_that_is_none_is_not_taken_for_one_of_another_thing(tmp_path, key):
    _, findings = rules_of(tmp_path, f"{key}\n")
    assert "players" not in findings[0].message
    assert "house_rules" in findings[0].message
    assert "customs" in findings[0].message


@pytest.mark.parametrize(
    ("action", "when", "says"),
    [
        ("discard", "player.hand_size > 3", "write player.cards"),
        ("discard", "turn.number is 1", "write player.turns"),
        ("discard", "round is 1", "write hand.number"),
        ("discard", "card.is_ace", "write card.rank is A"),
        ("discard", "any(player.hand, .is_red)", "write .suit in [hearts, diamonds]"),
        ("discard", "aces > 1", "write count(player.hand, .rank is A)"),
        ("meld", "jokers > 1", "write count(meld.cards, .is_joker)"),
        ("meld", "meld.jokers > 1", "write count(meld.cards, .is_joker)"),
        ("end", "can_meld", "write player.can_meld or partner.can_meld"),
    ],
)
def test_what_is_asked_by_another_word_is_answered_with_the_fact(action, when, says, tmp_path):
    rule = f"own: {{forbid: {action}, when: '{when}', says: No.}}"
    _, findings = rules_of(tmp_path, f"house_rules: {{{rule}}}\n")
    assert says in findings[0].message
    assert "customs" not in findings[0].message


@pytest.mark.parametrize(
    ("action", "when"),
    [
        ("discard", "player.is_out"),
        ("discard", "winner.cards > 1"),
        ("discard", "next_player.cards > 1"),
        ("discard", "can_meld"),
        ("discard", "discarder.cards > 1"),
    ],
)
def test_no_fact_of_another_meaning_or_place_is_offered(action, when, tmp_path):
    rule = f"own: {{forbid: {action}, when: '{when}', says: No.}}"
    _, findings = rules_of(tmp_path, f"house_rules: {{{rule}}}\n")
    assert "did you mean" not in findings[0].message
    assert findings[0].edits == ()


@pytest.mark.parametrize(
    ("when", "says"),
    [
        ("caller.is_dealer", "did you mean player.is_dealer?"),
        ("opponent.has_melded", "did you mean any(players, .has_melded)?"),
        ("any(opponents, .has_melded)", "did you mean players?"),
    ],
)
def test_other_words_for_players_are_understood(when, says, tmp_path):
    _, findings = rules_of(
        tmp_path, f'house_rules: {{own: {{forbid: rummy, when: "{when}", says: No.}}}}\n'
    )
    assert says in findings[0].message


def test_an_example_says_all_that_its_rule_asks_about():
    shown = house_examples(
        HouseRule("closed", "Closed.", forbid=("take",), when="player.turns < 3"),
        HouseRule("first", "First.", forbid=("meld",), when="hand.number is 1 and meld.size is 3"),
        HouseRule(
            "leader", "Leader.", forbid=("take",), when="player.total >= 300 and count(cards) > 1"
        ),
        HouseRule(
            "greed", "Greed.", forbid=("end",), when="count(turn.taken) > 3 and turn.points < 15"
        ),
    )
    assert "It is your turn number" in written(shown["closed"].scene)
    assert "It is hand number 1 of the game" in written(shown["first"].scene)
    assert "Your total is" in written(shown["leader"].scene)
    assert "You took " in written(shown["greed"].scene)


def test_where_all_of_an_action_is_forbidden_another_is_shown_as_allowed():
    (example,) = house_examples(
        HouseRule("closed", "Closed.", forbid=("take",), when="player.turns < 3")
    ).values()
    assert written(example.allowed) == "draw from the stock"
    assert [written(line)[:5] for line in example.forbidden] == ["take "]


@pytest.mark.sweep
def test_a_hundred_rules_are_looked_for_in_the_same_hands():
    rules = [
        HouseRule(f"r{n}", "So.", forbid=("meld",), when=f"meld.points is {n} and meld.size is 3")
        for n in range(100)
    ]
    started = process_time()
    assert house_examples(*rules)
    assert process_time() - started < 10


def rules_of(folder, text):
    """The ruleset of a file with this text, on 500-rummy, and what was found wrong with it."""
    path = folder / "own.yaml"
    path.write_text(f"id: own\nextends: [500-rummy]\n{text}", encoding="utf-8")
    found, findings = load_ruleset(str(path))
    return found, findings


def test_a_rulebook_has_examples_where_hands_are_dealt_different_numbers_of_cards(tmp_path):
    four = "{forbid: meld, when: meld.size is 3, says: A meld has four cards.}"
    rules, findings = rules_of(
        tmp_path, f"hands: {{1: {{deal: {{cards: 5}}}}}}\nhouse_rules: {{four: {four}}}\n"
    )
    assert findings == ()
    book = make_rulebook(rules)
    shown = [
        block
        for chapter in book.sections
        for block in chapter.blocks
        if isinstance(block, CardExample)
    ]
    assert any("meld" in str(line) for example in shown for line in example.forbidden)


@pytest.mark.parametrize(
    ("action", "when", "shown"),
    [
        ("meld", "count(turn.melds) > 0", "Done in this turn"),
        ("take", "stock.size < 9", "The stock has "),
        ("take", "", "draw"),
    ],
)
def test_where_nothing_of_its_kind_is_allowed_the_example_of_a_ban_allows_something_else(
    action, when, shown, tmp_path
):
    rule = f"own: {{forbid: {action}, {when and f'when: {when}, '}says: It is so.}}"
    rules, findings = rules_of(tmp_path, f"house_rules: {{{rule}}}\n")
    assert findings == ()
    blocks = [block for chapter in make_rulebook(rules).sections for block in chapter.blocks]
    own = next(number for number, one in enumerate(blocks) if "It is so." in str(one))
    one = blocks[own + 1]
    assert str(one.forbidden[0][0]).startswith(f"{action} ")
    assert not str(one.allowed[0]).startswith((action, "?"))
    assert shown in f"{one.scene}{one.allowed}"


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


def test_an_open_answer_names_the_house_rule_that_it_hangs_on(tmp_path):
    path = tmp_path / "kings.yaml"
    path.write_text(
        f"id: kings\nextends: [500-rummy]\nhouse_rules: {{{KINGS}}}\n", encoding="utf-8"
    )
    built, _ = load_position({"rules": str(path), "hands": {"A": "Kd ?*3"}})
    answer = judge_move(built, "draw; discard Kd")
    assert answer.verdict == "open"
    assert [("house rule own" in one, "can be ended" in one) for one in answer.open] == [
        (True, False)
    ]
    sure = judge_move(built, "draw; discard ?")
    assert (sure.verdict == "open") is bool(sure.open)


def test_a_house_rule_without_keys_and_one_too_many_are_found_with_the_others(tmp_path):
    _, findings = rules_of(
        tmp_path, "house_rules:\n  own: {}\n  kings: {forbid: throws, says: No.}\n"
    )
    assert {one.span.line for one in findings} == {4, 5}
    many = "".join(
        f"  r{number}: {{forbid: discard, when: card.rnk is A, says: No.}}\n"
        for number in range(150)
    )
    _, findings = rules_of(tmp_path, f"house_rules:\n{many}")
    assert [one.span.line for one in findings if "more than 100 house rules" in one.message] == [
        104
    ]


def test_a_wrong_name_hides_nothing_else_that_is_wrong_with_a_house_rule(tmp_path):
    rule = "{forbid: discard, when: card.rnk is A and player.turn < 3}"
    _, findings = rules_of(tmp_path, f"house_rules:\n  No Early: {rule}\n")
    assert sorted(one.span.column for one in findings) == [3, 31, 37, 55]
    assert findings[0].code == "rules.key"


def warned(folder, text):
    """What a review of a file with this text, on 500-rummy, says of house rules."""
    path = folder / "own.yaml"
    path.write_text(f"id: own\nextends: [500-rummy]\n{text}", encoding="utf-8")
    return [
        one.message
        for one in review(find(str(path)), path.read_bytes(), Basis())
        if "house_rules" in one.message
    ]


NO_WILD_CARDS = "deck: {jokers: 0}\nmelds: {wild: {cards: []}}"


PARTNERS = "players: {min: 4, max: 4}\npartnership: {sides: opposite}"


def ban(action, when, name="own"):
    return f'{name}: {{forbid: {action}, when: "{when}", says: It is so.}}'


@pytest.mark.parametrize(
    ("settings", "rule", "never"),
    [
        ("calls: {of: none}", ban("rummy", "player.cards > 3"), True),
        (
            "calls: {of: none}\nhands: {2: {calls: {of: pile}}}",
            ban("rummy", "player.cards > 3"),
            False,
        ),
        ("melds: {wild: {swap: never}}", ban("swap", "player.cards > 3"), True),
        ("", ban("meld", "meld.kind is group and meld.size > 4"), False),
        (NO_WILD_CARDS, ban("meld", "meld.wilds_together > 1"), True),
        (NO_WILD_CARDS, ban("meld", "meld.wilds > 0 and meld.size > 3"), True),
        (NO_WILD_CARDS, ban("discard", "card.is_wild"), True),
        (NO_WILD_CARDS, ban("discard", "any(player.hand, .is_wild)"), True),
        (NO_WILD_CARDS, ban("discard", "not card.is_wild and player.cards > 40"), False),
        (NO_WILD_CARDS, ban("meld", "meld.wilds < 1 and meld.size > 9"), False),
        (NO_WILD_CARDS, ban("meld", "meld.wilds > 0 or meld.size > 9"), False),
        (
            "deck: {jokers: 0}\nmelds: {wild: {cards: [2]}}",
            ban("meld", "meld.wilds > 1"),
            False,
        ),
        (
            f"{NO_WILD_CARDS}\nhands: {{2: {{melds: {{wild: {{cards: [3]}}}}}}}}",
            ban("meld", "meld.wilds > 1"),
            False,
        ),
        ("", ban("take", "card.discarded_by is partner"), True),
        ("", ban("lay", "meld.owner is partner and meld.size > 3"), True),
        ("", ban("meld", "partner.has_melded"), True),
        ("", ban("meld", "partner.cards > 3"), True),
        ("", ban("meld", "not partner.has_melded"), False),
        ("", ban("lay", "meld.owner is not partner and meld.size > 9"), False),
        (PARTNERS, ban("take", "card.discarded_by is partner"), False),
        (PARTNERS, ban("meld", "partner.has_melded"), False),
        ("", ban("rummy", "hand.is_last"), True),
        ("game: {ends: after_hands, hands: 4}", ban("rummy", "hand.is_last"), False),
        ("", ban("end", "player.floats"), True),
        ("out: {melding_all: floats}", ban("end", "player.floats"), False),
        ("", ban("meld", "hand.contract > 1"), True),
        ("hands: {2: {melds: {contract: [group]}}}", ban("lay", "hand.contract > 0"), False),
        ("hands: {2: {melds: {contract: [group]}}}", ban("meld", "hand.contract > 1"), True),
        ("melds: {first_points: 30}", ban("meld", "hand.first_points > 30"), True),
        ("game: {ends: after_hands, hands: 4}", ban("meld", "hand.number > 4"), False),
        (
            "game: {ends: after_hands, hands: 4, tie: {by: sharing}}",
            ban("meld", "hand.number > 4"),
            True,
        ),
        ("", ban("discard", "player.buys > 1"), True),
        ("calls: {of: none}", ban("discard", "turn.is_call"), True),
        ("layoff: {onto: nothing}", ban("end", "turn.lay_offs > 2"), True),
        (
            "deck: {jokers: 0}\nmelds: {wild: {cards: [2]}}",
            ban("discard", "any(player.hand, .is_joker)"),
            True,
        ),
        ("", ban("discard", "card.rank is A and card.rank is K"), True),
        ("", ban("discard", "card.rank in [A, K] and card.rank is K"), False),
        ("", ban("take", "card.rank is not A and card.suit is not spades"), False),
        ("", ban("discard", "any(player.hand, .rank is A and .rank is K)"), True),
        (
            "",
            ban("discard", "any(player.hand, .rank is A) and any(player.hand, .rank is K)"),
            False,
        ),
        ("", ban("discard", "count(player.hand, .rank is A and .rank is K) > 0"), True),
        ("", ban("discard", "all(player.hand, .rank is A and .rank is K)"), False),
        ("", ban("take", "player.turns < 0"), True),
        ("", ban("take", "player.turns < 2 and player.turns > 5"), True),
        ("", ban("take", "player.turns < 5 and player.turns > 2"), False),
        ("", ban("take", "player.turns < 0 or player.buys < 0"), True),
        ("", ban("take", "player.total < 0"), False),
        ("", ban("take", "not top.number > 0"), False),
        ("", ban("take", "not 9 >= count(partner.hand, 3 > 4)"), False),
        ("", ban("take", "not 9 > partner.buys"), False),
        (PARTNERS, ban("take", "not 9 > partner.buys"), False),
        ("", ban("take", "any(partner.hand, .is_joker)"), True),
        ("", ban("discard", "card.number > 13"), True),
        ("", ban("meld", "meld.kind is group and meld.kind is sequence"), True),
        ("", ban("meld", "player.has_melded and not player.has_melded"), True),
        ("", "own: {award: 0, says: It is so.}", True),
        ("", "own: {award: 0 * player.cards, says: It is so.}", True),
    ],
)
def test_a_rule_without_effect_is_a_warning_if_that_is_sure(settings, rule, never, tmp_path):
    said = warned(tmp_path, f"{settings}\nhouse_rules: {{{rule}}}\n")
    assert [" never applies" in one or "changes no score" in one for one in said] == [True] * never


@pytest.mark.parametrize(
    ("rules", "stuck"),
    [
        ([ban("end", "not player.has_melded")], "house_rules.own"),
        (
            [
                ban("discard", "card.rank is A"),
                "b: {forbid: discard, unless: card.rank is A, says: So.}",
            ],
            "house_rules.own and house_rules.b",
        ),
        ([ban("[draw, take]", "player.turns > 2")], "house_rules.own"),
        ([ban("discard", "card.rank is A")], ""),
        ([ban("take", "player.has_melded")], ""),
    ],
)
def test_bans_that_left_players_stuck_in_a_hand_are_a_warning_with_a_position(
    rules, stuck, tmp_path
):
    said = warned(tmp_path, f"house_rules: {{{', '.join(rules)}}}\n")
    assert [one.partition(" can leave a player stuck")[0] for one in said] == [stuck] * bool(stuck)


@pytest.mark.parametrize(
    "other",
    [
        "buys: {forbid: buy, says: So.}",
        "game: {award: 10, for: game, says: So.}",
        "again: {forbid: discard, says: So.}",
    ],
)
def test_a_rule_without_effect_hides_no_ban_that_leaves_players_stuck(other, tmp_path):
    bans = f"own: {{forbid: discard, says: So.}}, {other}"
    said = warned(tmp_path, f"house_rules: {{{bans}}}\n")
    at_fault = [one for one in said if "can leave a player stuck" in one]
    assert (len(said), len(at_fault)) == (2, 1)
    assert "house_rules.own" in at_fault[0]
    assert "house_rules.buys" not in at_fault[0]


def test_only_bans_that_together_leave_players_stuck_are_named(tmp_path):
    bans = [
        ban("discard", "card.rank is A"),
        ban("take", "player.cards > 40", "b"),
        "c: {forbid: discard, unless: card.rank is A, says: So.}",
    ]
    (said,) = warned(tmp_path, f"house_rules: {{{', '.join(bans)}}}\n")
    assert said.startswith("house_rules.own and house_rules.c can leave a player stuck")


def test_a_hand_without_an_end_in_sight_leaves_nobody_stuck(tmp_path):
    """Those who are down draw from the stock, which is made new again and again."""
    rule = ban("take", "player.has_melded")
    path = tmp_path / "own.yaml"
    path.write_text(
        f"id: own\nextends: [contract-rummy]\nplayers: {{min: 2, max: 2}}\n"
        f"house_rules: {{{rule}}}\n"
    )
    assert review(find(str(path)), path.read_bytes(), Basis()) == ()


@pytest.mark.parametrize(("most", "is_said"), [(2, True), (1, False)])
def test_a_ban_with_which_no_hand_ends_is_a_warning_if_all_end_without_it(most, is_said, tmp_path):
    """Of three cards and a discard, nobody goes out with two melds."""
    rule = ban("end", f"player.goes_out and count(player.melds) < {most}")
    path = tmp_path / "own.yaml"
    path.write_text(f"id: own\nextends: [three-thirteen]\nhouse_rules: {{{rule}}}\n")
    found = review(find(str(path)), path.read_bytes(), Basis())
    said = [
        (one.rule, one.span.line) for one in found if "can keep hands from ending" in one.message
    ]
    assert said == [(None, 3)] * is_said
    assert len(found) == is_said


@pytest.mark.parametrize(
    ("first", "second", "idle"),
    [
        ("own: {forbid: [meld, lay], says: So.}", ban("meld", "meld.size > 6", "b"), True),
        ("own: {forbid: meld, says: So.}", ban("[meld, lay]", "meld.wilds > 1", "b"), False),
        (ban("take", "count(cards) > 3"), ban("take", "count(cards)  > 3", "b"), True),
        (ban("meld", "meld.size > 4"), ban("meld", "meld.size > 6", "b"), False),
        (
            "own: {forbid: take, says: So.}",
            "b: {award: 5, for: take, when: count(cards) > 4, says: So.}",
            True,
        ),
        (
            ban("take", "count(cards) > 3"),
            "b: {award: 5, for: take, when: count(cards) > 3, says: So.}",
            False,
        ),
    ],
)
def test_a_rule_that_repeats_a_ban_before_it_is_a_warning(first, second, idle, tmp_path):
    said = warned(tmp_path, f"house_rules: {{{first}, {second}}}\n")
    words = ("house_rules.b has no effect", "house_rules.b says the same")
    assert any(one.startswith(words) for one in said) is idle


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


def test_a_rule_that_was_taken_away_below_cannot_be_taken_away_again(tmp_path):
    rule = "{forbid: discard, says: So.}"
    (tmp_path / "one.yaml").write_text(
        f"id: one\nextends: [500-rummy]\nhouse_rules: {{a: {rule}, b: {rule}}}\n"
    )
    (tmp_path / "two.yaml").write_text("id: two\nextends: [one.yaml]\nhouse_rules: {a: none}\n")
    path = tmp_path / "three.yaml"
    path.write_text("id: three\nextends: [two.yaml]\nhouse_rules: {a: none}\n")
    (finding,) = review(find(str(path)), path.read_bytes(), Basis())
    assert "no house rule a to take away: there are b" in finding.message
