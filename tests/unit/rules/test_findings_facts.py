"""A finding names the facts behind it, and the key that makes it one: numbers, names, cards; not its wording."""

import pytest

from audits import audit, built
from meldref.core.diagnostics import Severity
from meldref.replay.play_moves import play_moves

SHORT = """[Rules "500-rummy"]
[Set "players.max=2"]
[Set "deal.cards=25"]
[Players "A, B"]
hand 1 dealer B
deal A ?*25
deal B ?*25
up 3h
"""
RUN = {"m1": {"B": "5h 6h 7h"}}


def said(findings):
    """Code, message with its notes, and key of the first error."""
    first = next(one for one in findings if one.severity is Severity.ERROR)
    return (
        first.code,
        "; ".join([first.message, *first.notes]),
        first.rule.key if first.rule is not None else "",
    )


def of_log(text):
    return said(audit(text).findings)


def of_moves(*moves, rules="500-rummy", options=(), settings=None, **given):
    return said(play_moves(built(rules, options, settings, **given), list(moves)).findings)


@pytest.mark.parametrize(
    ("turns", "facts"),
    [
        ("", "3 cards are"),
        ("1. A: draw ?; discard Kd\n", "2 cards are"),
        ("1. A: draw ?; discard Kd\n2. B: draw ?; discard Qd\n", "1 card is"),
    ],
)
def test_an_end_that_comes_too_early_says_what_is_left(turns, facts):
    code, message, key = of_log(f"{SHORT}{turns}end stock\n")
    assert (code, key) == ("end.early", "stock.empty")
    assert message.startswith(facts)


def test_an_end_by_a_player_who_holds_cards_says_how_many():
    code, message, _ = of_log(f"{SHORT}1. A: draw ?; discard Kd\nend out B\n")
    assert code == "end.early"
    assert "25 cards" in message


def test_an_end_by_a_player_who_floats_names_the_key_of_floating():
    text = f"""{SHORT.replace("500-rummy", "gilfoy-500-rummy").replace("=25", "=3").replace("*25", "*3")}
1. A: draw ?; meld 5h 6h 7h 8h
end out A
"""
    code, message, key = of_log(text)
    assert (code, key) == ("end.early", "out.melding_all")
    assert "is floating" in message


@pytest.mark.parametrize(
    ("end", "fact", "key"),
    [
        ("end stock", "A went out", ""),
        ("end out B", "A went out", ""),
        ("end agreed", "A went out", ""),
    ],
)
def test_an_end_for_another_reason_names_the_true_one(end, fact, key):
    text = SHORT.replace("=25", "=3").replace("*25", "*3")
    code, message, found = of_log(f"{text}1. A: draw ?; meld 5h 6h 7h; discard 9d\n{end}\n")
    assert (code, found) == ("end.reason", key)
    assert fact in message


def test_a_hand_that_ended_with_the_stock_says_so():
    text = """[Rules "online-rummy-500"]
[Set "deal.cards=26"]
[Players "A, B"]
hand 1 dealer B
deal A ?*26
deal B ?*26
up 3h
1. A: draw ?; discard Kd
end out A
"""
    code, message, key = of_log(text)
    assert (code, key) == ("end.reason", "stock.empty")
    assert "stock" in message


@pytest.mark.parametrize(
    ("packs", "hands", "moves", "fact"),
    [
        (
            ["A", "B"],
            {"A": "8h Kd"},
            "A: draw 8h; discard Kd",
            "the deck has only 1, and it is elsewhere",
        ),
        (
            list("ABCDE"),
            {"A": "8h 8h"},
            "A: draw 8h; discard 8h",
            "the deck has only 2, and all are elsewhere",
        ),
    ],
)
def test_a_card_too_many_says_how_many_there_are(packs, hands, moves, fact):
    code, message, key = of_moves(moves, players=packs, hands=hands)
    assert (code, key) == ("log.copies", "deck.packs")
    assert fact in message


def test_a_joker_too_many_names_the_key_of_jokers():
    code, message, key = of_moves("A: draw Jk; discard Kd", hands={"A": "Kd Jk", "B": "Jk"})
    assert (code, key) == ("log.copies", "deck.jokers")
    assert "Jk" in message


@pytest.mark.parametrize(
    ("rules", "players", "key"),
    [
        ("contract-rummy", 3, "deck.jokers_in_all.3-4"),
        ("contract-rummy", 5, "deck.jokers_in_all.5-8"),
        ("500-rummy", 3, "deck.jokers"),
    ],
)
def test_a_joker_too_many_cites_the_line_that_says_how_many_there_are_at_this_table(
    rules, players, key
):
    names = "ABCDEFGH"[:players]
    jokers = "Jk Jk Jk" + " Jk Jk" * (rules == "500-rummy")
    log = f"""[Rules "{rules}"]\n[Players "{", ".join(names)}"]\nhand 1 dealer {names[-1]}
deal A {jokers}\nup 4h\n1. A: draw ?; discard ?\n"""
    rule = next(one.rule for one in audit(log).findings if one.code == "log.copies")
    assert rule is not None
    assert rule.key == key


def test_a_joker_where_there_is_none_is_called_a_joker():
    code, message, key = of_moves("A: draw Jk; discard Kd", rules="500-rum", hands={"A": "Kd 2c"})
    assert (code, key) == ("setup.deck", "deck.jokers")
    assert "no joker" in message


@pytest.mark.parametrize(
    ("players", "key", "fact"),
    [("A", "players.min", "1 player:"), (", ".join("ABCDEFGHI"), "players.max", "9 players:")],
)
def test_a_table_of_the_wrong_size_names_the_bound_it_breaks(players, key, fact):
    code, message, found = of_log(
        f'[Rules "500-rummy"]\n[Players "{players}"]\nhand 1\nend out A\n'
    )
    assert (code, found) == ("setup.players", key)
    assert message.startswith(fact)
    assert "2 to 8" in message


def test_a_table_for_just_so_many_names_one_number():
    assert "is for 4" in of_log('[Rules "persian-rummy"]\n[Players "A, B"]\nhand 1\nend out A\n')[1]


@pytest.mark.parametrize(
    ("dealt", "key"),
    [(9, "deal.extra_card"), (11, "deal.extra_card"), (8, "deal.cards"), (12, "deal.cards")],
)
def test_a_deal_that_is_off_by_one_may_be_the_extra_card(dealt, key):
    deals = f"deal A ?*10\ndeal B ?*11\ndeal C ?*{dealt}\n"
    code, message, found = of_log(
        f'[Rules "500-rum"]\n[Players "A, B, C"]\nhand 1 dealer A\n{deals}up 4h\n1. B: discard Kd\n'
    )
    assert (code, found) == ("setup.deal", key)
    assert f"dealt {dealt} cards instead of 10" in message


@pytest.mark.parametrize(("pile", "fact"), [("", "empty"), ("2c", "8h is not in")])
def test_a_card_that_is_not_there_to_take(pile, fact):
    code, message, _ = of_moves("A: take 8h; discard Kd", hands={"A": "Kd 5s"}, pile=pile)
    assert code == "draw.pile"
    assert fact in message


def test_the_number_of_cards_taken_names_both():
    code, message, key = of_moves(
        "A: take 8h x3; lay 8h m1; discard Kd", hands={"A": "Kd 5s"}, pile="8h 2c", table=RUN
    )
    assert (code, key) == ("log.number", "draw.takes")
    assert "2 cards, not 3" in message


def test_of_cards_just_taken_the_former_top_one_is_named():
    code, message, _ = of_moves(
        "A: take 8h; lay 8h m1; discard 3c",
        settings={"discard.taken_deep": "top_only"},
        hands={"A": "Kd 5s"},
        pile="8h 3c 2c",
        table=RUN,
    )
    assert code == "discard.taken-deep"
    assert "2c" in message


def test_the_first_play_that_the_taken_card_did_not_need_is_named():
    """The queen is exchanged for the joker that is laid off: without it no joker would come back for the meld."""
    code, message, _ = of_moves(
        "A: take Th; swap Qs m2; lay Jk=8h m1; swap 8h m1; meld Th Jh Jk; discard Kd",
        settings={"melds.wild.swap": "for_natural"},
        hands={"A": "Qs 8h Jh Kd"},
        pile="Th 3c",
        table={**RUN, "m2": {"B": "Ts Js Jk=Qs"}},
    )
    assert code == "draw.deep.late"
    assert "`lay Jk=8h m1` came before it" in message


def test_cards_that_cannot_be_among_the_unknown_ones_say_how_many_are():
    code, message, _ = of_moves("A: draw; meld 5h 6h 7h; discard Kd", hands={"A": "Kd ?"})
    assert code == "hand.missing"
    assert "only 2" in message
    assert "only" not in of_moves("A: draw 2c; discard 3c", hands={"A": "Kd 5s"})[1]


def test_of_what_wild_cards_could_stand_for_six_ways_are_named():
    report = play_moves(
        built(settings={"deck.jokers": 4, "deck.packs": 2}, hands={"A": "7h Jk Jk Jk Jk Jk Jk Kd"}),
        ["A: draw 2c; meld Jk 7h Jk Jk Jk Jk Jk; discard Kd"],
    )
    assert [one.code for one in report.findings] == ["wild.unbound"]
    assert [note.partition("be ")[0] for note in report.findings[0].notes] == ["it could "] * 6


def test_a_last_discard_that_is_called_and_fits_nothing_is_named():
    code, message, key = of_moves(
        "A: draw Kd; lay 8h m1; discard Kd",
        "B: rummy Kd; meld Kd Kh Ks; discard 2c",
        settings={"out.last_discard": "claimable"},
        hands={"A": "8h", "B": "Kh Ks 2c 3c"},
        pile="4c",
        table=RUN,
    )
    assert (code, key) == ("call.scope", "out.playable")
    assert message.startswith("Kd, the last discard")


@pytest.mark.parametrize(("target", "fact"), [("m2", "no meld m2"), ("m9", "no meld m9")])
def test_a_meld_that_is_not_there_is_named(target, fact):
    code, message, _ = of_moves(
        f"A: draw 2c; lay 8h {target}; discard Kd", hands={"A": "8h Kd 5s"}, table=RUN
    )
    assert code == "log.name"
    assert fact in message


def test_what_is_laid_off_on_a_meld_that_could_not_be_laid_is_open():
    report = play_moves(
        built(hands={"A": "8h", "B": "3c"}, table=RUN),
        ["A: draw 2c; meld 9c 9d 9h; lay 8h m2; discard 2c"],
    )
    assert [one.code for one in report.findings] == ["hand.missing"]
    assert report.undecided == ["whether 8h can be laid on m2: that meld was found wrong"]


def test_a_wrong_number_of_a_meld_names_the_right_one():
    code, message, _ = of_moves(
        "A: draw 2c; meld 8h 8d 8s m3; discard Kd", hands={"A": "8h 8d 8s Kd 5s"}, table=RUN
    )
    assert code == "log.number"
    assert "m2 of the hand, not m3" in message


@pytest.mark.parametrize(
    ("cards", "fact"),
    [
        ("5h 6h 7h 9c", "the card at fault: 9c"),
        ("5h 6h 7c 8c", "the cards at fault: 5h 6h or 7c 8c"),
    ],
)
def test_cards_that_are_no_meld_name_those_at_fault(cards, fact):
    code, message, _ = of_moves(
        f"A: draw 2c; meld {cards}; discard Kd", hands={"A": f"{cards} Kd 5s"}
    )
    assert code == "meld.shape"
    assert fact in message


@pytest.mark.parametrize(
    ("cards", "fact"),
    [
        ("8h 8d 2c", "counts as itself unless it says what it stands for: 2c"),
        ("2h 3h 4h 2c", "it says what it stands for: 2c"),
        ("8h 8d 2c 2d", "it says what it stands for: 2c and 2d"),
    ],
)
def test_a_wild_card_that_does_not_say_what_it_stands_for_is_not_a_wrong_card(cards, fact):
    code, message, _ = of_moves(
        f"A: draw 2s; meld {cards}; discard Kd",
        hands={"A": f"{cards} Kd 5s"},
        settings={"melds.wild.cards": ["joker", 2]},
    )
    assert code == "meld.shape"
    assert fact in message
    assert "it could be" in message
    assert "at fault" not in message


def test_a_wild_card_laid_off_without_saying_what_it_stands_for_is_told_so():
    code, message, _ = of_moves(
        "A: draw 2s; lay 2c m1; discard Kd",
        hands={"A": "2c Kd 5s"},
        table=RUN,
        settings={"melds.wild.cards": ["joker", 2]},
    )
    assert code == "layoff.fit"
    assert "counts as itself unless it says what it stands for: 2c" in message


def hands(*scores):
    return "".join(
        f"hand {number}\nend out A\nscore A {a}, B {b}, C {c}\n"
        for number, (a, b, c) in enumerate(scores, 1)
    )


@pytest.mark.parametrize(
    ("header", "scores", "result", "expected"),
    [
        ("", [(300, 100, 0)], "result A", ("game.winner", "game.target", "not over")),
        (
            '[Options "go-out-to-win"]\n',
            [(300, 100, 0)],
            "result A",
            ("game.winner", "game.winner", "not over"),
        ),
        ('[Options "quick-game"]\n', [], "result A", ("game.winner", "game.hands", "not over")),
        ("", [(510, 100, 0)], "result B", ("game.winner", "game.winner", "A won, not B")),
        ("", [(510, 520, 0)], "result A", ("game.winner", "game.winner", "B won, not A")),
        ("", [(510, 510, 0)], "result A", ("game.tie", "game.tie.by", "A and B are tied")),
        (
            '[Options "ring-game"]\n',
            [(510, 510, 0)],
            "result A",
            ("game.tie", "game.tie.by", "not A alone"),
        ),
        (
            '[Options "ring-game"]\n',
            [(510, 400, 0)],
            "result A, B",
            ("game.tie", "game.tie.by", "A won, not A and B"),
        ),
        ("", [(510, 100, 0)], "hand 2", ("game.over", "game.target", "A won with 510")),
    ],
)
def test_who_won_is_said_with_the_key_that_says_so(header, scores, result, expected):
    code, message, key = of_log(
        f'[Rules "500-rummy"]\n{header}[Players "A, B, C"]\n{hands(*scores)}{result}\n'
    )
    assert (code, key) == expected[:2]
    assert expected[2] in message


@pytest.mark.parametrize(("recorded", "key"), [(-5, "scoring.below_zero.total"), (5, "")])
def test_a_total_below_nothing_names_the_key_where_there_is_none(recorded, key):
    scores = f"hand 1\nend out A\nscore A 20, B -5, C 0\ntotal A 20, B {recorded}, C 0\n"
    header = (
        '[Rules "500-rummy"]\n[Set "scoring.below_zero.total=forbidden"]\n[Players "A, B, C"]\n'
    )
    code, message, found = of_log(header + scores)
    assert (code, found) == ("score.total", key)
    assert f"recorded {recorded}, computed 0, difference {recorded:+d}" in message


def test_a_deal_that_is_off_by_one_names_no_extra_card_where_there_is_none():
    code, _, key = of_log(
        '[Rules "500-rummy"]\n[Players "A, B, C"]\nhand 1\ndeal A ?*8\ndeal B ?*7\ndeal C ?*7\nup 4h\n'
    )
    assert (code, key) == ("setup.deal", "deal.cards")


@pytest.mark.parametrize(("table", "number"), [({}, "m1"), (RUN, "m2")])
def test_a_wrong_number_of_a_meld_says_which_it_is(table, number):
    moves = "A: draw; meld 8c 8d 8s m5; discard Kd"
    code, message, _ = of_moves(moves, hands={"A": "8c 8d 8s Kd", "B": "2c"}, table=table)
    assert code == "log.number"
    assert f"meld {number} " in message


def test_a_lay_off_on_a_meld_after_one_that_could_not_be_laid_names_what_is_not_there():
    moves = ["A: draw; meld 8c 8d 8s; discard Kd", "B: draw; lay 8h m2; discard 2c"]
    found = play_moves(built(hands={"A": "Kd", "B": "2c 8h"}), moves).findings
    assert [one.code for one in found] == ["hand.missing", "log.name"]
    assert "no meld m2" in found[1].message
