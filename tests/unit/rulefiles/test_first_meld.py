"""Rules by which nobody can ever meld are found, and those by which somebody can are not."""

from __future__ import annotations

import pytest

from audits import built
from meldref.replay.play_moves import play_moves
from meldref.rulefiles.load import load_ruleset

NO_POINTS = {"scoring.values": {"2-K": 0, "A": 0, "joker": 0}}
TOP_ALONE = {"draw.depth": "top", "calls.of": "none"}
ONE_CARD = {"draw.takes": "that_card", "calls.of": "none"}
NO_SEQUENCES = {"melds.kinds.sequence": "none"}


def found(settings, rules="500-rummy", options=()):
    """The severity of each finding that nobody can meld, and whether the rules can be used."""
    ruleset, findings = load_ruleset(rules, options, settings)
    return [
        one.severity.value for one in findings if "can ever meld" in one.message
    ], ruleset is not None


@pytest.mark.parametrize(
    ("options", "settings"),
    [
        ((), {"melds.first_points": 1000}),
        ((), {"melds.first_points": 40, **NO_POINTS, "scoring.low_ace": 0}),
        ((), {"melds.first_points": 1, **NO_POINTS, "scoring.low_ace": "same"}),
        (("no-jokers",), {"melds.first_points": 61, **NO_SEQUENCES}),
        (("no-jokers",), {"melds.first_points": 46, **NO_SEQUENCES, "melds.kinds.group.size": 3}),
        ((), {"deal.cards": 1, **TOP_ALONE}),
        ((), {"deal.cards": 1, **ONE_CARD}),
        ((), {"deal.cards": 2, **TOP_ALONE, "out.melding_all": "forbidden"}),
        (
            (),
            {
                "deal.cards": 3,
                **TOP_ALONE,
                "melds.kinds.group": "none",
                "melds.kinds.sequence.size": "5-13",
            },
        ),
        (("no-jokers",), {"deal.cards": 2, **TOP_ALONE, "melds.first_points": 46}),
        (("no-jokers",), {"melds.first_points": 61, **NO_SEQUENCES, "scoring.four_at_once": 1}),
        (
            (),
            {
                "melds.first_points": 700,
                "melds.kinds.colours": {"size": "3-13", "require": ["same_colour"]},
            },
        ),
    ],
)
def test_rules_by_which_nobody_can_ever_meld_cannot_be_used(options, settings):
    assert found(settings, options=options) == (["error"], False)


@pytest.mark.parametrize(
    ("options", "settings"),
    [
        ((), {"melds.first_points": 0, **NO_POINTS}),
        ((), {"melds.first_points": 124}),
        ((), {"melds.first_points": 15, **NO_POINTS, "scoring.values.joker": 15}),
        (("no-jokers",), {"melds.first_points": 60, **NO_SEQUENCES}),
        (("no-jokers",), {"melds.first_points": 61, **NO_SEQUENCES, "scoring.four_at_once": 2}),
        (("no-jokers",), {"melds.first_points": 120, **NO_SEQUENCES, "scoring.four_at_once": 2}),
        (("no-jokers",), {"melds.first_points": 45, **NO_SEQUENCES, "melds.kinds.group.size": 3}),
        ((), {"deal.cards": 2, **TOP_ALONE}),
        ((), {"deal.cards": 1}),
        ((), {"deal.cards": 1, "draw.depth": "top", "calls.of": "last_discard"}),
        ((), {"deal.cards": 1, **TOP_ALONE, "deal.extra_card": "first_player"}),
        (("no-jokers",), {"deal.cards": 2, **TOP_ALONE, "melds.first_points": 45}),
    ],
)
def test_rules_by_which_somebody_can_meld_are_left_alone(options, settings):
    assert found(settings, options=options) == ([], True)


@pytest.mark.parametrize(
    ("settings", "tables"),
    [
        ({"melds.first_points": 130}, "2, 3 or 4"),
        ({"deal.cards": {"2-6": 7, "7-8": 1}, **TOP_ALONE}, "7 or 8"),
    ],
)
def test_where_only_some_tables_can_meld_the_others_are_warned_of(settings, tables):
    assert found(settings) == (["warning"], True)
    _, findings = load_ruleset("500-rummy", (), settings)
    assert any(f"at a table of {tables} nobody" in one.message for one in findings)


@pytest.mark.parametrize(
    ("settings", "cards", "most"),
    [
        ({"players.max": 4}, "Jk Jk=3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh Ah", 124),
        (
            {"players.max": 4, "scoring.wild": "represented"},
            "2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh Ah",
            99,
        ),
        ({"deck.jokers": 0, "melds.wild.cards": [], **NO_SEQUENCES}, "Ac Ad Ah As", 60),
        (
            {"players.max": 4, "scoring.four_at_once": 3, "scoring.low_ace": "same"},
            "Ac Ad Ah As",
            180,
        ),
        (
            {"players.max": 4, "scoring.values.Qs": 100, "melds.kinds.sequence": "none"},
            "Qs Qh Jk Jk",
            140,
        ),
    ],
)
def test_the_most_a_first_meld_can_count_is_what_the_judge_gives_it(settings, cards, most):
    assert found({**settings, "melds.first_points": most}) == ([], True)
    assert found({**settings, "melds.first_points": most + 1}) == (["error"], False)
    hand = " ".join(card.partition("=")[0] for card in cards.split())
    cards = cards.replace("Jk Jk=3h", "Jk=2h Jk=3h")
    position = built(
        settings={**settings, "melds.first_points": most}, hands={"A": f"{hand} 2c", "B": "3c"}
    )
    outcome = play_moves(position, [f"A: draw 4c; meld {cards}; discard 2c"])
    assert outcome.findings == []
    assert outcome.position.points[0] == most
