"""Moves are listed exactly when the referee finds nothing against them."""

from __future__ import annotations

from itertools import combinations, product
from random import Random

import pytest

from audits import built
from meldref.answers.legal import judge_move, require_legal
from meldref.answers.listing import legal_moves
from meldref.core.cards import RANKS, SUITS
from meldref.core.diagnostics import AmbiguousMove, IllegalMove, InvalidNotation
from meldref.position.model import Position
from meldref.positions.build import Built
from meldref_table.best_plays import legal_turns

TABLES = [
    ("500-rummy", ()),
    ("500-rummy", ("floating", "unplayable-last-discard")),
    ("500-rummy", ("discard-to-go-out", "meld-taken-card")),
    ("500-rummy", ("out.last_discard=unplayable",)),
    ("500-rummy", ("out.last_turns=one",)),
    ("500-rummy", ("new-meld-for-taken-card",)),
    ("500-rum", ()),
    ("gilfoy-500-rummy", ()),
    ("gilfoy-500-rummy", ("chosen-wild-rank",)),
    ("persian-rummy", ()),
    ("online-rummy-500", ()),
]
TABLE = {
    "500-rummy": [{"B": "5h 6h 7h"}, {"A": "9c 9d Jk=9"}],
    "500-rum": [{"B": "5h 6h 7h"}, {"A": "9c 9d 9s"}],
    "gilfoy-500-rummy": [{"B": "5h 6h 7h"}, {"A": "9c 9d 9s"}],
    "persian-rummy": [{"B": "5h 6h 7h"}, {"A": "Jk Jk Jk"}],
    "online-rummy-500": [{"B": "5h 6h Jk=7h"}, {"A": "9c 9d Jk=9"}],
}


def lies_as(position: Position) -> object:
    """The table, the mover's hand and what is owed: what tells one move from another."""
    melds = tuple(
        tuple(sorted((one.card, one.role, one.seat) for one in meld.cards))
        for meld in position.melds
    )
    turn = position.turn
    return (
        melds,
        tuple(position.hands),
        tuple(position.pile),
        position.stock_size,
        turn.seat,
        turn.duty is None,
    )


def random_position(rng: Random, rules: str, options: tuple[str, ...], **more) -> Built:
    """A small position: a hand of cards that are near each other, two melds, a short pile."""
    table = rng.sample(TABLE[rules], rng.randrange(3))
    on_table = " ".join(text for meld in table for text in meld.values()).split()
    jokers = {"500-rummy": 2, "online-rummy-500": 2, "persian-rummy": 4}.get(rules, 0)
    pack = [rank + suit for rank in "A23456789" for suit in "chd"] + ["Qh", "Kh", "9s", "Ks"]
    rest = [card for card in pack if card not in on_table]
    jokers_left = jokers - sum(word.startswith("Jk") for word in on_table)
    rest += ["Jk"] * min(1, jokers_left)
    rng.shuffle(rest)
    near = sorted(rest[:12], key=lambda card: (card[-1] == "k" or card[0] in "3456789", card))
    hand = near[-rng.randrange(1, 7) :]
    pile = [card for card in rest[12:] if card != "Jk"][: rng.randrange(1, 4)]
    if "chosen-wild-rank" in options:
        more["wild"] = "3"
    players = ["A", "B", "C", "D"] if rules == "persian-rummy" else ["A", "B"]
    melds = {f"m{number}": meld for number, meld in enumerate(table, 1)}
    settings = dict(option.split("=") for option in options if "=" in option)
    return built(
        rules,
        tuple(option for option in options if "=" not in option),
        settings,
        players=players,
        hands={"A": " ".join(hand), "B": "2s 4s"},
        table=melds,
        pile=" ".join(pile),
        stock="8s ?*9",
        **more,
    )


def as_meant(card: str, wild: str | None) -> list[str]:
    """Every way to write a card that is laid: as itself, and where it is wild with each thing it may stand for."""
    if card != "Jk" and (wild is None or card[0] != wild):
        return [card]
    ranks, suits = RANKS[:10] + "QK", SUITS[:3]
    return [
        card,
        *(f"{card}={rank}" for rank in ranks),
        *(f"{card}={rank}{suit}" for rank in ranks for suit in suits),
    ]


def every_play(state: Position, wild: str | None) -> list[str]:
    """Every meld of three to five cards, lay-off, exchange and discard that could be written."""
    hand = [RANKS[card % 13] + SUITS[card // 13] if card < 52 else "Jk" for card in _hand(state)]
    written = [f"discard {card}" for card in set(hand)]
    for number in range(1, len(state.melds) + 1):
        for card in set(hand):
            written += [f"lay {word} m{number}" for word in as_meant(card, wild)]
            written.append(f"swap {card} m{number}")
    for size in (3, 4, 5):
        for cards in combinations(hand, size):
            if sum(len(as_meant(card, wild)) > 1 for card in cards) < 2:
                words = [as_meant(card, wild) for card in cards]
                written += [f"meld {' '.join(way)}" for way in product(*words)]
    return written


def _hand(state: Position) -> list[int]:
    return [
        card for card in range(53) for _ in range(state.hands[state.turn.seat] >> 5 * card & 31)
    ]


def outcome(position: Built, move: str) -> object | None:
    """What a move leads to where it is legal; None where it is not."""
    trial = Built(position.judge, position.position.copy())
    judged = judge_move(trial, move)
    return lies_as(trial.position) if judged.verdict == "legal" else None


@pytest.mark.parametrize(
    ("rules", "options"),
    TABLES,
    ids=lambda value: value if isinstance(value, str) else "+".join(value) or "plain",
)
@pytest.mark.sweep
def test_after_the_draw_the_list_is_what_trying_everything_finds(rules, options):
    """Each listed move is legal; each legal play leads to where a listed one leads."""
    wild = "3" if "chosen-wild-rank" in options else None
    for seed in range(6):
        start = random_position(Random(seed), rules, options)
        deepest = start.position.pile[0]
        drawn = "draw 8s" if seed % 2 else f"take {RANKS[deepest % 13]}{SUITS[deepest // 13]}"
        position = random_position(Random(seed), rules, options, turn=drawn)
        listed = {outcome(position, one.move): one.move for one in legal_moves(position)}
        assert None not in listed, (seed, [one.move for one in legal_moves(position)])
        for move in every_play(position.position, wild):
            leads_to = outcome(position, move)
            assert leads_to is None or leads_to in listed, (seed, move, list(listed.values()))


@pytest.mark.parametrize(
    ("rules", "options"),
    TABLES,
    ids=lambda value: value if isinstance(value, str) else "+".join(value) or "plain",
)
def test_before_the_draw_every_listed_move_is_legal_and_every_draw_that_is_legal_is_there(
    rules, options
):
    """A card of the pile is missing from the list exactly where no way of taking it can be finished."""
    for seed in range(6):
        position = random_position(Random(seed + 100), rules, options)
        listed = [one.move for one in legal_moves(position)]
        for move in listed:
            assert outcome(position, move) is not None, (seed, move)
        taken = {move.split("; ")[0] for move in listed}
        assert "draw ?" in taken
        for card in position.position.pile:
            text = f"take {RANKS[card % 13]}{SUITS[card // 13]}"
            assert (outcome(position, text) is not None) == (text in taken), (seed, text, listed)


def moves(**given) -> list[str]:
    return [one.move for one in legal_moves(built(**given))]


def test_a_card_that_must_be_used_is_listed_with_its_use():
    listed = moves(hands={"A": "4d 4h Kc 2s", "B": "3c"}, pile="4c 9s", stock="8s ?*9")
    assert listed == ["take 4c; meld 4c 4d 4h", "draw ?", "take 9s"]


def test_points_are_those_the_move_brings_and_the_best_stand_first():
    position = built(hands={"A": "4d 4h 4c Kc Kd Kh 2s", "B": "3c"}, turn="draw 9s", stock="?*9")
    found = legal_moves(position)
    assert [one.points for one in found] == sorted((one.points for one in found), reverse=True)
    assert (found[0].move, found[0].points) == ("meld Kc Kd Kh", 30)


def test_a_call_is_listed_for_which_other_cards_of_the_pile_have_to_be_melded_first():
    """A first meld of thirty points makes way for a called one that is worth less."""
    listed = moves(
        settings={"melds.first_points": 30},
        players=["A", "B", "C"],
        discarded_by="A",
        to_move="B",
        hands={"A": "7c 9c", "B": "Ac 8c 8d", "C": "3d 5h 6s"},
        pile="2d Qh 2c Th 2s Kh Jh",
        table={"m1": {"A": "9s Ts Js"}},
    )
    for caller in ("B", "C"):
        assert f"{caller}: rummy 2d; meld Th Jh Qh Kh; meld 2c 2d 2s" in listed
    assert all(": rummy 2d; meld 2" not in move for move in listed)


@pytest.mark.parametrize(
    ("ask", "name"), [(legal_moves, "limit"), (legal_moves, "most"), (legal_turns, "most")]
)
def test_fewer_moves_than_none_cannot_be_asked_for(ask, name):
    position = built(hands={"A": "9c 9d", "B": "3c"}, stock="9s ?*9")
    with pytest.raises(ValueError, match=f"{name} is a number from 0, not -1"):
        ask(position, **{name: -1})
    ask(position, **{name: 0})


def test_a_hand_that_is_over_has_no_moves():
    position = built(hands={"A": "9c 9d", "B": "3c"}, stock="9s ?*9")
    judged = judge_move(position, "draw 9s; meld 9c 9d 9s")
    assert judged.then == "over"
    assert legal_moves(judged.after) == []
    assert legal_moves(position)


@pytest.mark.parametrize("rules", ["500-rummy", "gilfoy-500-rummy", "500-rum", "online-rummy-500"])
def test_a_hand_that_nobody_can_go_on_with_has_no_moves(rules):
    """P-END-03, G-END-04: nothing is left to draw or to take; a pass may be written, but nothing depends on it."""
    position = built(rules, hands={"A": "9c 9d 9h", "B": "3c"}, pile="", stock=0)
    assert (legal_moves(position), legal_turns(position)[0]) == ([], [])
    judged = judge_move(position, "pass")
    assert (judged.verdict, judged.then) == ("legal", "over")
    assert judge_move(judged.after, "B: pass").verdict == "illegal"


def test_a_caller_may_pass_where_the_call_leaves_nothing_to_draw():
    position = built(
        "gilfoy-500-rummy",
        hands={"A": "9c", "B": "3c", "C": "Kd"},
        players=["A", "B", "C"],
        table={"m1": {"B": "5h 6h 7h"}},
        pile="8h",
        stock=0,
    )
    over = judge_move(position, "A: rummy 8h; lay 8h m1")
    assert (over.verdict, over.then, legal_moves(over.after)) == ("legal", "over", [])
    assert judge_move(position, "A: rummy 8h; lay 8h m1; pass").verdict == "legal"
    assert judge_move(position, "B: rummy 8h; lay 8h m1; pass").verdict == "illegal"
    assert "take 8h" not in [one.move for one in legal_moves(position)], (
        "it cannot go into a new meld"
    )
    assert "pass" in [one.move for one in legal_moves(position)]


def test_only_the_top_card_is_left_so_melding_down_to_it_is_not_listed():
    """P-DISC-06: the card just taken may not be thrown, so nothing else may be melded away."""
    position = built(hands={"A": "5h 6h 7h", "B": "3c"}, pile="2s Kc", turn="take Kc")
    listed = [one.move for one in legal_moves(position)]
    assert listed == ["discard 5h", "discard 6h", "discard 7h"]
    judged = judge_move(position, "meld 5h 6h 7h")
    assert (judged.verdict, [one.code for one in judged.findings]) == ("illegal", ["out.stuck"])


@pytest.mark.parametrize(
    ("done", "move", "marked", "instead"),
    [
        (None, "take Kc; meld 5h 6h 7h", "meld 5h 6h 7h", "take Kc; discard 5h"),
        ("take Kc", "meld 5h 6h 7h", "meld 5h 6h 7h", "discard 5h"),
        (None, "take 2s", "take 2s", "take Kc"),
    ],
)
def test_a_turn_without_an_end_is_marked_at_the_play_since_which_it_has_none(
    done, move, marked, instead
):
    begun = {} if done is None else {"turn": done}
    position = built(hands={"A": "5h 6h 7h", "B": "3c"}, pile="2s Kc", **begun)
    (stuck,) = judge_move(position, move).findings
    at = stuck.span
    assert (stuck.code, stuck.excerpt[at.column - 1 : at.end_column - 1]) == ("out.stuck", marked)
    assert stuck.help[0] == instead


def test_melding_down_to_the_top_card_is_fine_where_it_can_be_laid_off():
    position = built(hands={"A": "5h 6h 7h", "B": "3c"}, pile="2s 8h", turn="take 8h")
    assert "meld 5h 6h 7h" in [one.move for one in legal_moves(position)]


def test_a_deep_draw_that_uses_up_the_last_card_is_not_listed_where_a_discard_is_required():
    """P-VDIS-02: the turn could not be ended."""
    given = {"options": ("discard-to-go-out",), "pile": "8s 8h", "stock": "2d ?*9"}
    assert moves(hands={"A": "8c", "B": "3c"}, **given) == ["draw ?", "take 8h"]
    assert "take 8s; meld 8c 8h 8s" in moves(hands={"A": "8c 2c", "B": "3c"}, **given)
    judged = judge_move(built(hands={"A": "8c", "B": "3c"}, **given), "take 8s")
    assert (judged.verdict, [one.code for one in judged.findings]) == ("illegal", ["out.stuck"])


def test_that_a_house_rule_lets_one_card_be_thrown_says_nothing_about_another():
    """The card taken has to be melded with those that may be thrown, and only one is left that may not be."""
    suits = {
        "forbid": "discard",
        "when": "any(pile, .suit is card.suit)",
        "says": "Each card thrown is of another suit.",
    }
    given = {
        "settings": {"draw.top.must": "be_used", "house_rules": {"suits": suits}},
        "stock": "?*9",
    }
    stuck = built(hands={"A": "3c 3d Kd", "B": "4c"}, pile="9d 3h", **given)
    assert [one.code for one in judge_move(stuck, "take 3h").findings] == ["out.stuck"]
    assert (
        judge_move(
            built(hands={"A": "3c 3d Kc", "B": "4c"}, pile="9d 3h", **given), "take 3h"
        ).verdict
        == "legal"
    )


@pytest.mark.parametrize(
    "asked",
    [
        {"melds.first_points": 30, "melds.first_points_of": "turn"},
        {"melds.contract": ["sequence 4"]},
    ],
)
def test_a_first_laying_can_be_completed_by_lay_offs_on_its_melds(asked):
    pile = "9h Qs 9d Th"
    position = built(settings=asked, hands={"A": "7h 7s Qh Jh", "B": "?*3"}, pile=pile)
    assert judge_move(position, "take 9h; meld 9h Th Jh; lay Qh m1; discard 7h").verdict == "legal"
    assert judge_move(position, "take 9h; meld 9h Th Jh").verdict == "legal"
    assert "take 9h; meld 9h Th Jh" in [one.move for one in legal_moves(position)]
    without = built(settings=asked, hands={"A": "7h 7s 2h Jh", "B": "?*3"}, pile=pile)
    assert judge_move(without, "take 9h; meld 9h Th Jh").verdict == "illegal"


def forbidding(action, when):
    return {"house_rules": {"it": {"forbid": action, "when": when, "says": "It is not done."}}}


def test_whether_cards_that_nobody_saw_complete_a_first_laying_is_open():
    by_setting = {"melds.first_points": 30, "melds.first_points_of": "turn"}
    by_ban = forbidding("end", "player.has_melded and not player.had_melded and turn.points < 30")
    for rules in (by_setting, by_ban):
        position = built(settings=rules, hands={"A": "5s ?*4", "B": "?*3"}, pile="4s 6s")
        assert judge_move(position, "take 4s; meld 4s 5s 6s").verdict == "open"
        assert judge_move(position, "take 6s").verdict == "legal"


def test_cards_that_may_not_be_laid_off_alone_are_listed_together():
    rules = forbidding("lay", "count(cards) < 2")
    position = built(
        settings=rules,
        hands={"A": "8h 2d", "B": "?*3"},
        table={"m1": {"B": "5h 6h 7h"}},
        pile="9h 4s",
    )
    assert judge_move(position, "take 9h").verdict == "legal"
    assert "take 9h; lay 8h 9h m1" in [one.move for one in legal_moves(position)]
    assert "take 9h; lay 8h 9h m1; discard 2d" in [one.move for one in legal_turns(position)[0]]


def test_cards_that_may_not_be_laid_off_together_are_listed_one_by_one():
    rules = forbidding("lay", "count(cards) > 1")
    position = built(
        settings=rules,
        hands={"A": "8h 2d", "B": "?*3"},
        table={"m1": {"B": "5h 6h 7h"}},
        pile="9h 4s",
    )
    assert "take 9h; lay 8h m1; lay 9h m1; discard 2d" in [
        one.move for one in legal_turns(position)[0]
    ]
    for turn in legal_turns(position)[0]:
        assert judge_move(position, turn.move).verdict == "legal"


def test_a_turn_that_has_laid_too_many_points_can_still_end_where_more_cards_cost_points():
    few = {
        "forbid": "end",
        "when": "turn.points > 28",
        "says": "Nobody lays more than 28 points in a turn.",
    }
    given = {"hands": {"A": "Ts Td 2c 2d 2h Kd 4c", "B": "3c"}, "pile": "Th", "stock": "?*9"}
    dear = built(settings={"scoring.values": {"2": -1}, "house_rules": {"few": few}}, **given)
    assert judge_move(dear, "take Th; meld Ts Td Th").verdict == "legal"
    plain = built(settings={"house_rules": {"few": few}}, **given)
    assert judge_move(plain, "take Th; meld Ts Td Th").verdict == "illegal"


@pytest.mark.parametrize(
    ("move", "verdict", "then"),
    [
        ("draw", "legal", "open"),
        ("take 9s", "legal", "open"),
        ("take 4c", "legal", "open"),
        ("take 4c; meld 4c 4d 4h", "legal", "open"),
        ("take 4c; meld 4c 4d 4h; discard Kc", "legal", "plays B"),
        ("take 4c; discard Kc", "illegal", None),
        ("meld 4c 4d 4h", "illegal", None),
        ("B: draw", "illegal", None),
        ("A: draw; discard Kc", "legal", "plays B"),
        ("nonsense", "unreadable", None),
        ("", "unreadable", None),
        ("# a comment", "unreadable", None),
    ],
)
def test_the_beginning_of_a_turn_is_legal_where_it_can_be_finished(move, verdict, then):
    position = built(hands={"A": "4d 4h Kc 2s", "B": "3c Kd"}, pile="4c 9s", stock="8s ?*9")
    judged = judge_move(position, move)
    assert (judged.verdict, judged.then) == (verdict, then)


def test_what_hangs_on_unknown_cards_is_open():
    position = built(hands={"A": "Kc ?*3", "B": "3c Kd"}, pile="4c 9s")
    assert judge_move(position, "take 4c").verdict == "open"


def test_a_turn_that_only_an_unseen_card_could_end_is_open():
    """Nobody discards the queen of spades while another card is held, nor the card just taken."""
    ban = {
        "forbid": "discard",
        "when": "card.rank is Q and card.suit is spades and player.cards > 1",
        "says": "The queen of spades is discarded only as a last card.",
    }
    settings = {"house_rules": {"black-queen": ban}}

    def verdict(hand):
        position = built(settings=settings, hands={"A": hand}, pile="6c 4c 8c")
        return judge_move(position, "take 8c").verdict

    assert [verdict(hand) for hand in ("9h", "Qs", "?")] == ["legal", "illegal", "open"]
    assert [verdict(hand) for hand in ("? ?", "2c ?")] == ["legal", "legal"]


def test_a_turn_that_cannot_be_ended_in_one_hand_of_the_game_is_open_where_nobody_said_which_it_is():
    """In the last hand of Contract Rummy, the last card is not discarded."""
    position = {
        "players": ["A", "B", "C"],
        "hands": {"A": "Kc"},
        "table": {"m1": {"A": "Tc Td Td"}, "m2": {"A": "Jc Jd Jd"}},
        "stock": "Jc ?*8",
    }

    def verdict(**hand):
        return judge_move(built("contract-rummy", **position, **hand), "draw Jc; lay Jc m2").verdict

    assert [verdict(hand=4), verdict(hand=7), verdict()] == ["legal", "illegal", "open"]


def test_points_and_what_follows_are_told():
    position = built(hands={"A": "4d 4h 4c", "B": "3c Kd"}, pile="9s")
    judged = judge_move(position, "draw 2s; meld 4c 4d 4h; discard 2s")
    assert (judged.points, judged.then) == ({"A": 12}, "over")


def test_a_floater_is_told_to_float_on():
    position = built(
        options=("floating",),
        hands={"A": "", "B": "3c"},
        table={"m1": {"B": "5h 6h 7h"}},
        floating=["A"],
    )
    assert judge_move(position, "draw 8h; lay 8h m1").then == "floats"


def test_a_legal_move_comes_back_judged():
    given = built(hands={"A": "4c 4d 4h 9h"}, stock="Kc ?*20")
    assert require_legal(given, "draw; meld 4c 4d 4h; discard 9h").verdict == "legal"


@pytest.mark.parametrize(
    ("move", "error", "code"),
    [
        ("draw; meld 4c 4d 9h", IllegalMove, "meld.shape"),
        ("draw; juggle 4c", InvalidNotation, "log.syntax"),
        ("draw; meld 9h Jk Jk", AmbiguousMove, "wild.unbound"),
    ],
)
def test_an_exception_of_a_single_move_carries_its_finding(move, error, code):
    given = built(hands={"A": "4c 4d 9h Jk Jk"}, stock="Kc ?*20")
    with pytest.raises(error) as raised:
        require_legal(given, move)
    assert raised.value.finding.code == code


def test_a_rule_made_of_several_kinds_of_meld_is_told_by_their_names():
    judged = judge_move(
        built(hands={"A": "4c 4d 9h Kc"}, stock="?*9"), "draw; meld 4c 4d 9h; discard Kc"
    )
    rule = judged.findings[0].rule
    assert rule is not None
    assert (rule.key, rule.value) == ("melds.kinds", "group, sequence")


@pytest.mark.sweep(every=12)
@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"layoff.onto": "own"},
        {"layoff.before_melding": "forbidden"},
        {"layoff.onto": "own", "layoff.before_melding": "forbidden"},
        {"melds.wild.twins": "forbidden"},
        {"melds.wild.twins": "forbidden", "layoff.onto": "own"},
    ],
    ids=lambda settings: "-".join(settings.values()) or "plain",
)
@pytest.mark.parametrize("owner", ["A", "C"])
def test_settings_of_lay_offs_and_wild_cards_leave_what_is_legal_in_the_list(settings, owner):
    """`owner`: whose the second meld is; where it is not the mover's, they have laid none."""
    position = built(
        settings=settings,
        players=["A", "B", "C"],
        hands={"A": "Jh 4h Jk", "B": "3c", "C": "3d"},
        table={"m1": {"B": "5h 6h 7h"}, "m2": {owner: "Kh Kd Ks"}, "m3": {"C": "8h 9h Th"}},
        turn="draw Qh",
        stock="?*9",
    )
    listed = {outcome(position, one.move): one.move for one in legal_moves(position)}
    assert None not in listed
    legal = {outcome(position, move) for move in every_play(position.position, None)} - {None}
    assert legal <= listed.keys()


@pytest.mark.parametrize(
    ("settings", "card"),
    [
        ({"layoff.before_melding": "forbidden"}, "8h"),
        ({"melds.first_points": 1, "scoring.values.5": 0}, "5s"),
    ],
)
def test_a_meld_is_listed_that_must_come_before_the_card_taken(settings, card):
    """An eight that may be laid off only then, fives that are worth nothing."""
    position = built(
        settings=settings,
        hands={"A": "Kc Kd Kh Ks 5c 5d 2c 9s", "B": "3c"},
        table={"m1": {"B": "5h 6h 7h"}},
        pile=f"{card} 4c",
        turn=f"take {card}",
    )
    assert "meld Kc Kd Kh Ks" in [one.move for one in legal_moves(position)]


@pytest.mark.parametrize(
    ("card", "rule"),
    [
        ("Kd", {"forbid": "discard", "when": "card.rank is K"}),
        ("Ac", {"forbid": "discard", "when": "card.rank is A"}),
        ("Kd", {"forbid": "end", "when": "any(pile, .rank is K)"}),
        ("2c", {"forbid": "discard", "when": "player.cards < 4"}),
    ],
)
def test_no_meld_is_listed_that_leaves_a_card_which_a_house_rule_keeps(card, rule):
    rules = {"it": {**rule, "says": "It is not done."}}
    position = built(
        settings={"house_rules": rules},
        hands={"A": "5h 6h 7h", "B": "3c"},
        pile="9c",
        turn=f"draw {card}",
    )
    kept = {card} if "card.rank" in rule["when"] or "pile" in rule["when"] else set()
    throws = {f"discard {one}" for one in ("5h", "6h", "7h", card) if one not in kept}
    assert {one.move for one in legal_moves(position)} == throws


@pytest.mark.parametrize("when", ["not any(table, .is_new)", "not any(table, .size > 3)"])
def test_a_draw_is_listed_after_which_a_meld_lets_the_turn_end(when):
    rules = {"it": {"forbid": "end", "when": when, "says": "It is not done."}}
    position = built(
        settings={"house_rules": rules}, hands={"A": "5h 6h 7h 8h 2c", "B": "3c"}, pile="9c"
    )
    assert "take 9c" in [one.move for one in legal_moves(position)]
