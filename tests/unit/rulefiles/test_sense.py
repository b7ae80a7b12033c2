"""Rules that have the right shape and do not go together: what is said, where, and how much it weighs."""

import pytest

from meldref.core.diagnostics import Severity
from meldref.rulefiles.consistency import check_sense
from meldref.rulefiles.files import list_rulesets
from meldref.rulefiles.load import load_ruleset
from meldref.rulefiles.meld_kinds import longest


@pytest.fixture
def findings(tmp_path):
    """What is found in a house rule over 500 Rummy."""

    def of(text, *options):
        path = tmp_path / "house.yaml"
        path.write_text(text, encoding="utf-8")
        ruleset, found = load_ruleset(path, options)
        assert (ruleset is None) == any(finding.severity is Severity.ERROR for finding in found)
        assert {finding.code for finding in found} <= {"rules.sense"}
        return [(finding.severity.value, finding.span.line, finding.rule.key) for finding in found]

    return of


@pytest.mark.parametrize(
    "game", [shipped.id for shipped in list_rulesets() if shipped.type == "game"]
)
def test_every_shipped_game_makes_sense(game):
    ruleset, _ = load_ruleset(game)
    assert check_sense(ruleset) == ()


@pytest.mark.parametrize(
    ("text", "line", "key"),
    [
        ("deal: {cards: 30}", 1, "deal.cards"),
        ("deck: {packs: 1}\ndeal:\n  cards: 13", 3, "deal.cards"),
        ("deck: {packs: 1}\ndeal: {cards: 7}\nplayers: {max: 8}", 2, "deal.cards"),
        ("players: {min: 5, max: 4}", 1, "players.min"),
        ("players: {max: 3}\npartnership: {sides: opposite}", 2, "partnership.sides"),
        ("deck: {packs: 8, jokers: 3}", 1, "deck.packs"),
        ("\ndeck: {jokers: 0}", 2, "deck.jokers"),
        ("melds: {kinds: {sequence: {size: 3-14}}}", 1, "melds.kinds.sequence.size"),
        (
            "melds: {kinds: {x: {size: 3-4, require: [same_rank, consecutive_ranks]}}}",
            1,
            "melds.kinds.x.size",
        ),
        ("melds: {kinds: {x: {size: 5, require: [distinct_suits]}}}", 1, "melds.kinds.x.size"),
        ("melds: {kinds: {x: {size: 3, require: [only: [joker]]}}}", 1, "melds.kinds.x.size"),
        ("melds:\n  wild: {naturals: 5}\n", 2, "melds.wild.naturals"),
        (
            "melds: {kinds: {x: {size: 4-5, require: [distinct_suits, same_rank]}}}\ndeck: {packs: 2}",
            1,
            "x",
        ),
        ("melds: {kinds: {sequence: none, group: none}}", 1, "melds.kinds"),
        ("out: {last_discard: unplayable, melding_all: forbidden}", 1, "out.last_discard"),
        ("scoring: {divide_by: 5}", 1, "scoring.divide_by"),
        ("game: {target: 0}", 1, "game.target"),
        ("draw: {use: []}", 1, "draw.use"),
        ("layoff: {onto: nothing}\ndraw: {use: [lay_off]}", 2, "draw.use"),
        ("out: {melding_all: floats}\nfloating: {draws: []}", 2, "floating.draws"),
    ],
)
def test_rules_that_cannot_be_played_are_refused_where_they_are_set(text, line, key, findings):
    found = [finding for finding in findings(text) if finding[0] == "error"]
    assert found
    assert all(place == line for _, place, _ in found)
    assert any(key in said for _, _, said in found) or key == "melds.kinds"


@pytest.mark.parametrize(
    ("text", "line", "key"),
    [
        ("deck: {packs: 1}", 1, "deck.packs"),
        ("partnership: {sides: opposite}", 1, "partnership.sides"),
        ("melds: {kinds: {group: {size: 3-5}}}", 1, "melds.kinds.group.size"),
        ("melds: {wild: {cards: [2]}}", 1, "melds.wild.cards"),
        ("calls: {of: none, takes: called_cards}", 1, "calls.takes"),
        ("out:\n  last_discard: any\n  claimed: takes_pile", 3, "out.claimed"),
        ("game: {ends: after_hands, reached: above}", 1, "game.reached"),
        ("settlement: {pays: nothing, ratio: 3}", 1, "settlement.ratio"),
    ],
)
def test_rules_that_can_be_played_all_the_same_are_a_warning(text, line, key, findings):
    assert findings(text) == [("warning", line, key)]


def test_a_rank_that_is_wild_in_every_hand_has_its_points_in_vain(findings):
    text = (
        "melds: {wild: {cards: [joker, 2]}}\nscoring: {values: {2: 5, wild: 20}}\n"
        "hands: {1: {melds: {wild: {cards: [joker, 2, A]}}}}"
    )
    assert findings(text) == [("warning", 2, "scoring.values.2")]


@pytest.mark.parametrize(
    "text",
    [
        "calls: {of: none}",
        "calls: {takes: called_cards}",
        "extends: [no-calls]\ncalls: {takes: called_cards}",
        "deck: {packs: 1}\nplayers: {max: 7}",
        "extends: [500-rum]\nscoring: {divide_by: 5, values: {2-9: 5}}",
        "players: {min: 4, max: 4}\npartnership: {sides: opposite}",
        "extends: [floating]\nout: {last_discard: unplayable}",
        "melds: {kinds: {pairs: {size: 6, require: [same_colour, consecutive_ranks]}}}",
        "melds: {kinds: {aces: {size: 3-4, require: [same_rank, only: [A]]}}}",
        "melds: {kinds: {sequence: {ace: [low, high, around]}}}",
        "extends: [persian-rummy, no-jokers]\nmelds: {kinds: {jokers: none}}",
        "game: {ends: after_hands, hands: 3}\n",
        (
            "melds: {wild: {cards: [joker, 2]}}\nscoring: {values: {2: 5, wild: 20}}\n"
            "hands: {1: {melds: {wild: {cards: [joker, A]}}}}"
        ),
        ("scoring: {values: {A: 15, wild: 20}}\nhands: {1: {melds: {wild: {cards: [joker, A]}}}}"),
    ],
)
def test_rules_that_go_together_are_left_alone(text, findings):
    assert findings(text) == []


def test_two_kinds_that_no_cards_tell_apart_are_refused(findings):
    text = "melds: {kinds: {trio: {size: 3, require: [distinct_suits, same_rank]}}}"
    assert findings(text) == [("error", 1, "melds.kinds.trio.require")]
    assert (
        findings(text.replace("size: 3", "size: 3-4") + "\nextends: [no-jokers]")[0][0] == "error"
    )


def test_kinds_that_differ_in_their_sizes_are_told_apart(findings):
    assert (
        findings(
            "melds: {kinds: {group: {size: 3}, four: {size: 4, require: [same_rank, distinct_suits]}}}"
        )
        == []
    )


def test_a_clash_names_who_set_each_part_and_what_to_do(tmp_path):
    path = tmp_path / "house.yaml"
    path.write_text("deal: {cards: 30}\n")
    _, (finding,) = load_ruleset(path)
    assert finding.file == str(path)
    assert finding.excerpt == "deal: {cards: 30}"
    assert any(
        "500-rummy.yaml:" in note and note.startswith("deck.packs") for note in finding.notes
    )
    assert finding.help


def test_settings_are_checked_for_sense_too():
    ruleset, (finding,) = load_ruleset("500-rummy", (), ["deal.cards=30"])
    assert ruleset is None
    assert (finding.code, finding.file) == ("rules.sense", "--set")


@pytest.mark.parametrize(("kind", "most"), [("group", 4), ("sequence", 13), ("jokers", 4)])
def test_the_longest_meld_of_a_kind(kind, most):
    ruleset, _ = load_ruleset("persian-rummy")
    (named,) = [other for other in ruleset.melds.kinds if other.name == kind]
    assert longest(named, ruleset)[0] == most


@pytest.mark.parametrize(
    ("text", "line", "key"),
    [
        ("extends: [partnership-500-rum]\nplayers: {min: 2, max: 5}", 2, "players.min"),
        ("extends: [500-rummy, no-jokers]\ndeck: {jokers: 2}", 2, "deck.jokers"),
    ],
)
def test_a_clash_with_a_shipped_file_is_reported_at_the_line_of_the_house(
    findings, tmp_path, text, line, key
):
    assert [(at, set_by) for _, at, set_by in findings(text)] == [(line, key)]
    _, found = load_ruleset(tmp_path / "house.yaml")
    assert {finding.file for finding in found} == {str(tmp_path / "house.yaml")}


def ban(word, when, extra=""):
    return f"{extra}\nhouse_rules: {{mine: {{forbid: {word}, when: {when!r}, says: So.}}}}"


@pytest.mark.parametrize(
    ("text", "is_said"),
    [
        (ban("discard", "player.cards < 2", "out: {melding_all: forbidden}"), True),
        (ban("end", "player.goes_out", "out: {melding_all: forbidden}"), True),
        (ban("end", "player.goes_out and turn.points < 9", "out: {melding_all: forbidden}"), False),
        (
            ban("discard", "player.cards < 2 and not card.fits", "out: {melding_all: forbidden}"),
            False,
        ),
        (ban("discard", "player.cards < 2"), False),
        (ban("meld", "count(player.melds) >= 1", "melds: {contract: [group, group]}"), True),
        (ban("meld", "count(player.melds) >= 2", "melds: {contract: [group, group]}"), False),
        (ban("meld", "player.had_melded", "melds: {contract: [group, group]}"), False),
        (ban("meld", "count(turn.melds) > 0", "melds: {contract: [group]}"), False),
        (
            ban("meld", "count(turn.melds, .wilds > 0) > 0", "melds: {contract: [group, group]}"),
            False,
        ),
    ],
)
def test_a_house_rule_that_always_bars_the_contract_or_going_out_is_a_warning(
    text, is_said, findings
):
    found = findings(f"id: lake\nextends: [500-rummy]\n{text}")
    assert [severity for severity, _, _ in found] == ["warning"] * is_said


@pytest.mark.parametrize(("hands", "is_said"), [("4", True), ("3", False)])
def test_a_ban_that_depends_on_the_number_of_the_hand_is_weighed_for_each(hands, is_said, tmp_path):
    path = tmp_path / "lake.yaml"
    extra = f"hands: {{{hands}: {{out: {{melding_all: forbidden}}}}}}"
    path.write_text(ban("discard", "hand.number > 3 and player.cards is 1", extra))
    _, found = load_ruleset(path)
    assert [one.message.partition(":")[0] for one in found] == ["in hand 4"] * is_said


@pytest.mark.parametrize(
    ("last", "is_said"), [("hands: {6: {deal: {cards: 9}}}", True), ("", False)]
)
def test_a_game_that_ships_is_shortened_without_a_word(last, is_said, tmp_path):
    path = tmp_path / "lake.yaml"
    path.write_text(f"extends: [contract-rummy]\ngame: {{hands: 4}}\n{last}")
    assert bool(load_ruleset(path)[1]) is is_said
