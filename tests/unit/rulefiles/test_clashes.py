"""Rules that clash are told apart: what clashes, where each part was set, and what to do about it."""

import pytest

from meldref.core.diagnostics import Severity
from meldref.rulefiles.load import load_ruleset


def clash(game, options=(), settings=()):
    """What is said of a combination: errors first, then warnings, as whole texts."""
    ruleset, findings = load_ruleset(game, options, settings)
    errors = [finding for finding in findings if finding.severity is Severity.ERROR]
    assert (ruleset is None) == bool(errors)
    return [" | ".join([one.message, *one.notes, *one.help]) for one in (*errors, *findings)]


@pytest.mark.parametrize(
    ("game", "options", "settings", "words"),
    [
        pytest.param(
            "500-rummy",
            ["unplayable-last-discard"],
            [],
            [
                "unplayable-last-discard",
                "out.melding_all",
                "floats",
                "ends_hand",
                "500-rummy.yaml:",
            ],
            id="an unplayable last discard without floating",
        ),
        pytest.param(
            "500-rummy",
            ["claimable-last-discard"],
            [],
            ["claimable-last-discard", "out.melding_all", "floats", "500-rummy.yaml:"],
            id="a claimable last discard without floating",
        ),
        pytest.param(
            "gilfoy-500-rummy",
            ["discard-to-go-out"],
            [],
            [
                "gilfoy-500-rummy.yaml:",
                "discard-to-go-out.yaml:",
                "may be neither laid",
            ],
            id="a required discard in a game that floats",
        ),
        pytest.param(
            "500-rummy",
            [],
            ["players.min=8", "deck.packs=1", "deal.cards=13"],
            ["8 players", "105", "54", "deal.cards = 13", "deck.packs = 1", "deal at most 6 cards"],
            id="thirteen cards to eight players from one pack",
        ),
        pytest.param(
            "500-rummy",
            [],
            ["deck.packs=1", "deal.cards=13"],
            ["5 to 8 players", "for 5", "players.max: 4"],
            id="thirteen cards where only small tables have enough",
        ),
        pytest.param(
            "500-rummy",
            [],
            ["deck.jokers=0"],
            ["jokers are wild", "deck.jokers = 0", "melds.wild.cards = [joker]", "no-jokers"],
            id="wild jokers without jokers",
        ),
        pytest.param(
            "500-rummy",
            ["no-jokers"],
            ["melds.wild.cards=[joker]"],
            ["no-jokers.yaml:", "--set", "the deck has none"],
            id="jokers made wild again where an option took them out",
        ),
        pytest.param(
            "500-rummy",
            ["aces-25", "four-aces-100"],
            [],
            ["aces-25", "four-aces-100"],
            id="two options that exclude each other",
        ),
        pytest.param(
            "500-rummy",
            ["four-aces-100", "aces-25"],
            [],
            ["aces-25", "four-aces-100"],
            id="the same two the other way round",
        ),
        pytest.param(
            "500-rummy",
            ["divide-by-five"],
            [],
            [
                "divided by 5",
                "scoring.values.2 is 2",
                "divide-by-five.yaml:",
                "500-rummy.yaml:",
                "low-cards-5",
            ],
            id="scores divided that do not divide",
        ),
        pytest.param(
            "partnership-500-rum",
            ["two-packs"],
            [],
            ["two-packs", "partnership.sides", "opposite", "partnership-500-rum.yaml:"],
            id="more players in a game of two sides",
        ),
        pytest.param(
            "persian-rummy",
            ["go-out-to-win"],
            [],
            ["go-out-to-win", "game.ends", "after_hands", "persian-rummy.yaml:"],
            id="going out at a target in a game without one",
        ),
        pytest.param(
            "500-rummy",
            [],
            ["game.ends=after_hands", "game.winner=player_out"],
            ["no target", "game.winner = player_out", "game.ends = after_hands", "at_target"],
            id="the same by single settings",
        ),
        pytest.param(
            "persian-rummy",
            ["no-jokers"],
            [],
            [
                "kind of meld jokers",
                "persian-rummy.yaml:",
                "no-jokers.yaml:",
                "melds.kinds.jokers: none",
            ],
            id="a kind of meld of jokers without jokers",
        ),
        pytest.param(
            "500-rummy",
            [],
            ["layoff.onto=nothing", "draw.use=[lay_off]"],
            ["no way to use it", "draw.use", "layoff.onto = nothing", "set draw.use"],
            id="a taken card that can only be laid off where nothing is",
        ),
        pytest.param(
            "500-rummy",
            ["floating"],
            ["floating.draws=[]"],
            ["nowhere to draw from", "floating.draws", "floating.yaml:"],
            id="a floating player who can draw nowhere",
        ),
        pytest.param(
            "500-rummy",
            [],
            ["players.min=6", "players.max=4"],
            ["at least 6", "at most 4", "players.min = 6", "players.max = 4"],
            id="a least number of players above the greatest",
        ),
        pytest.param(
            "500-rummy",
            [],
            ["players.max=3", "partnership.sides=opposite"],
            ["sit opposite", "partnership.sides", "players: {min: 4, max: 4}"],
            id="partners at a table of three",
        ),
        pytest.param(
            "500-rummy",
            ["500-rum"],
            [],
            ["500-rum", "not an option"],
            id="a game where an option is wanted",
        ),
        pytest.param(
            "floating",
            [],
            [],
            ["floating is an option", "--with"],
            id="an option where a game is wanted",
        ),
        pytest.param(
            "500-rummy",
            ["floatin"],
            [],
            ["floatin", "did you mean floating"],
            id="an option misspelt",
        ),
    ],
)
def test_what_cannot_stand_together_is_refused(game, options, settings, words):
    ruleset, _ = load_ruleset(game, options, settings)
    assert ruleset is None
    said = clash(game, options, settings)[0]
    assert all(word in said for word in words), said


@pytest.mark.parametrize(
    ("options", "settings", "words"),
    [
        pytest.param(
            ["floating", "discard-to-go-out"],
            [],
            [
                "out.melding_all",
                "floats",
                "floating.yaml:",
                "forbidden",
                "discard-to-go-out.yaml:",
                "later wins",
            ],
            id="two options that set one key",
        ),
        pytest.param(
            ["low-cards-5", "face-values"],
            [],
            ["scoring.values.2-9", "low-cards-5.yaml:", "face-values.yaml:", "later wins"],
            id="two options that set one table",
        ),
        pytest.param(
            ["quick-game", "ring-game"],
            [],
            ["game.tie.by", "quick-game.yaml:", "ring-game.yaml:"],
            id="two options about ties",
        ),
        pytest.param(
            ["floating", "claimable-last-discard", "no-calls"],
            [],
            ["claimable-last-discard.yaml:", "no-calls.yaml:", "there are no calls"],
            id="a last discard that is claimed by calls, without calls",
        ),
        pytest.param(
            [],
            ["scoring.nobody_out=two_exchange", "scoring.hands=ignore"],
            ["scoring.nobody_out", "no effect", "scoring.hands = ignore"],
            id="a setting that another one switches off",
        ),
        pytest.param(
            [],
            ["melds.wild.cards=[]"],
            ["jokers that fit no meld", "deck.jokers = 2", "deck.jokers: 0"],
            id="jokers that can do nothing",
        ),
    ],
)
def test_what_can_be_played_all_the_same_is_a_warning(options, settings, words):
    ruleset, findings = load_ruleset("500-rummy", options, settings)
    assert ruleset is not None
    assert findings
    assert {finding.severity for finding in findings} == {Severity.WARNING}
    said = clash("500-rummy", options, settings)
    assert any(all(word in one for word in words) for one in said), said


@pytest.mark.parametrize(
    ("game", "option", "words"),
    [
        pytest.param(
            "contract-rummy",
            "discard-to-go-out",
            ["in hand 7: nobody can go out", "last-hand-whole", "out.melding_all = forbidden"],
            id="a last card that may be neither discarded, by a house rule, nor laid",
        ),
        pytest.param(
            "may-i",
            "single-melds",
            ["in hands 1-7: nobody can lay the contract", "one-meld-a-turn", "[group, group]"],
            id="a contract of several melds where a house rule allows one a turn",
        ),
        pytest.param(
            "kalooki-40",
            "add-opponents-hand",
            ["scoring.hands = to_player_out", "game.winner = lowest"],
            id="points for going out where the fewest win",
        ),
    ],
)
def test_an_option_that_spoils_a_game_is_a_warning(game, option, words):
    assert load_ruleset(game)[1] == ()
    ruleset, findings = load_ruleset(game, [option])
    assert ruleset is not None
    assert [finding.severity for finding in findings] == [Severity.WARNING]
    (said,) = clash(game, [option])
    assert all(word in said for word in words), said


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("500-rummy", ["floating", "unplayable-last-discard"]),
        ("500-rummy", ["unplayable-last-discard", "floating"]),
        ("500-rummy", ["no-jokers", "low-cards-5", "divide-by-five"]),
        ("500-rum", ["no-calls"]),
        ("500-rum", ["floating", "two-packs"]),
        ("gilfoy-500-rummy", ["chosen-wild-rank", "go-out-to-win"]),
        ("online-rummy-500", ["quick-game"]),
        ("partnership-500-rum", ["add-opponents-hand"]),
        ("500-rummy", ["single-melds", "discard-to-go-out"]),
        ("basic-rummy", ["discard-to-go-out"]),
    ],
)
def test_what_goes_together_is_let_alone(game, options):
    ruleset, findings = load_ruleset(game, options)
    assert ruleset is not None
    assert findings == ()


@pytest.mark.parametrize(
    ("more", "is_said"),
    [
        ([], True),
        (["out.bonus=25"], False),
        (["scoring.held={2-9: -1}"], False),
        (["scoring.hands=to_player_out"], False),
        (["game.ends=after_hands", "game.hands=5"], False),
        (["hands.2={scoring: {melds: count}}"], False),
    ],
)
def test_a_target_that_nobody_can_reach_since_totals_only_fall_is_a_warning(more, is_said):
    said = clash("500-rummy", [], ["scoring.melds=ignore", *more])
    assert any("nobody can reach 500 points" in one for one in said) == is_said
