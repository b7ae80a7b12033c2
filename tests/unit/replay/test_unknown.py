"""Cards nobody saw: what some deal allows is no finding, and what no deal allows is."""

from __future__ import annotations

import pytest

from audits import audit, found

HEAD = """[Rules "500-rummy"]
[Players "Ann, Bob"]
hand 1 dealer Bob
deal Ann ?*13
deal Bob ?*13
up 8h
"""


def after_deal(*lines: str) -> list[tuple[int, str]]:
    """Findings of a hand of unknown cards with these lines, the first of them counted as 1."""
    return [(line - 6, code) for line, code in found(HEAD + "\n".join(lines) + "\n")]


@pytest.mark.parametrize(
    "lines",
    [
        ("1. Ann: draw; meld 5h 6h 7h; discard 2s",),
        ("1. Ann: draw 5h; meld 5h 6h 7h; lay 4h m1; discard 2s",),
        ("1. Ann: draw ?; meld 5h 6h 7h; discard ?", "2. Bob: take 2s; discard 3s"),
        ("1. Ann: draw; meld 5h 6h Jk=7h; discard 2s", "2. Bob: draw; meld 9c 9d Jk=9; discard 3s"),
        ("1. Ann: draw; discard ?", "2. Bob: take 2s; discard 3s"),
        ("1. Ann: draw; meld 5h 6h 7h; discard 2s", "Bob: rummy 8h; lay 8h m1; discard 3s"),
        ("1. Ann: draw; meld 2c 3c 4c", "Ann: meld 5c 5d 5s", "Ann: discard 9d"),
    ],
)
def test_what_some_deal_allows_is_no_finding(lines):
    assert after_deal(*lines) == []


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (("1. Ann: draw; meld 5h 6h 7h; discard 5h",), [(1, "log.copies")]),
        (("1. Ann: draw; meld 5h 6h 7h 8h; discard 2s",), [(1, "log.copies")]),
        (("1. Ann: draw 8h; discard 2s",), [(1, "log.copies")]),
        (("1. Ann: draw; discard 8h",), [(1, "log.copies")]),
        (("1. Ann: draw; discard 2s", "2. Bob: draw; discard 2s"), [(2, "log.copies")]),
        (
            ("1. Ann: draw; discard Jk", "2. Bob: draw; discard Jk", "3. Ann: draw; discard Jk"),
            [(3, "log.copies")],
        ),
        (("1. Ann: draw; meld 5h 6h 9h; discard 2s",), [(1, "meld.shape")]),
        (("1. Ann: take 8h; discard 8h",), [(1, "discard.taken-top")]),
    ],
)
def test_what_no_deal_allows_is_found(lines, expected):
    assert after_deal(*lines) == expected


@pytest.mark.parametrize(
    "lines",
    [
        ("1. Ann: draw 2h; discard ?", "2. Bob: take 2h; discard 3s"),
        ("1. Ann: draw 2h; discard ?", "2. Bob: draw; discard 3s", "3. Ann: draw; discard 2h"),
        ("1. Ann: draw; discard ?", "2. Bob: draw; discard ?", "3. Ann: take 5h; discard 3s"),
        ("1. Ann: draw; discard ?", "2. Bob: take 5h x1; discard 3s"),
    ],
)
def test_a_discard_that_nobody_saw_may_be_any_card_that_the_player_held(lines):
    """One that is known, too; and a card that is taken may lie in any unseen place."""
    assert after_deal(*lines) == []


def test_a_take_that_may_mean_either_of_two_cards_leaves_open_how_many_were_taken():
    head = HEAD.replace("[Players", '[Set "deck.packs=2"]\n[Players')
    lines = "1. Ann: draw; discard ?\n2. Bob: take 8h; discard 3s\n"
    assert found(head + lines) == []  # the 8h that was turned up, or one that Ann threw
    named = lines.replace("8h;", "8h x2;")
    assert found(head + named) == [(9, "draw.deep.unused")]


def test_unknown_cards_are_counted():
    """A hand of three unknown cards has three cards, whatever they are."""
    head = HEAD.replace("deal Ann ?*13", "deal Ann 2c 3d 4h 5s 6c 7d 9s Ts Jc Qd ?*3")
    assert found(f"{head}1. Ann: draw 2s; meld 5h 6h 7h; discard 2s\n") == []
    assert found(f"{head}1. Ann: draw 2s; meld 5h 6h 7h; meld Kc Kd Ks; discard 2s\n") == [
        (7, "hand.missing")
    ]
    assert found(f"{head}1. Ann: draw; meld 5h 6h 7h; discard Kc\n") == []
    assert found(f"{head}1. Ann: draw; meld 5h 6h 7h; meld Kc Kd Ks; discard 2s\n")[0] == (
        7,
        "hand.missing",
    )


def test_a_card_taken_from_the_pile_is_known_from_then_on():
    assert after_deal("1. Ann: take 8h; discard 2s", "2. Bob: draw; discard 8h") == [
        (2, "log.copies")
    ]


def test_a_card_nobody_saw_in_the_pile_may_be_the_one_that_is_taken_or_called():
    unseen = ("1. Ann: draw; meld 5h 6h 7h; discard 2s", "2. Bob: draw; discard ?")
    assert after_deal(*unseen, "3. Ann: take 4h; lay 4h m1; discard 9c") == []
    assert after_deal(*unseen, "Ann: rummy 4h; lay 4h m1; discard 9c") == []
    assert after_deal(*unseen, "3. Ann: take 5h; discard 9c")[0] == (3, "draw.pile")


def test_a_score_that_hangs_on_unknown_cards_is_open_and_the_others_are_judged():
    head = HEAD.replace("deal Ann ?*13", "deal Ann 5h 6h 7h Kc Kd Ks Kh 9c 9d 9s 2c 2d 2h")
    hand = "1. Ann: draw 3s; meld 5h 6h 7h; meld Kc Kd Ks Kh; meld 9c 9d 9s; meld 2c 2d 2h; discard 3s\nend out Ann\n"
    report = audit(f"{head}{hand}score Ann 91, Bob -100\n")
    assert (report.verdict, report.findings) == ("undecided", [])
    assert [one.line for one in report.open] == [9]
    assert found(f"{head}{hand}score Ann 90, Bob -100\n") == [(9, "score.hand")]


def test_a_turn_that_may_have_used_up_an_unknown_hand_is_unfinished_only_while_cards_are_left():
    assert after_deal("1. Ann: draw; meld 5h 6h 7h", "2. Bob: draw; discard 2s") == [
        (1, "turn.unfinished")
    ]


def test_a_discard_nobody_saw_ends_the_hand_where_it_is_the_last_card():
    head = '[Rules "gilfoy-500-rummy"]\n[Players "Ann, Bob"]\nhand 1 dealer Bob\n'
    deal = "deal Ann 4c 4d 4h 5c 5d 5h Ks\ndeal Bob ?*7\nup 3h\n"
    turn = "1. Ann: draw 6s; meld 4c 4d 4h; meld 5c 5d 5h; discard 6s\n2. Bob: draw; discard ?\n"
    assert found(f"{head}{deal}{turn}3. Ann: draw 2c; discard 2c\n") == []
    last = (
        "1. Ann: draw 4s; meld 4c 4d 4h 4s; meld 5c 5d 5h; discard ?\nend out Ann\nscore Ann 35\n"
    )
    assert found(head + deal + last) == []


@pytest.mark.parametrize(
    ("take", "left_open"),
    [
        ("take 9s; discard 2s", True),
        ("take 9s x1; discard 2s", False),
        ("take 9s; meld 9s 9d 9h; discard 2s", False),
        ("take 9s x2; discard 2s", True),
    ],
)
def test_whether_a_card_taken_after_a_gap_lay_on_top_is_open(take, left_open):
    """If it did, nothing is owed; if not, it has to be used."""
    report = audit(f"{HEAD}1. Ann: draw; discard 8c\ngap\nBob: {take}\n")
    assert report.findings == []
    assert [one.line for one in report.open] == [9] * left_open


@pytest.mark.parametrize(("target", "left_open"), [("", False), (" m1", False), (" m2", True)])
def test_an_exchange_that_fits_a_known_meld_after_a_gap_is_not_open(target, left_open):
    log = HEAD.replace("500-rummy", "online-rummy-500").replace("*13", "*7")
    first = "1. Ann: draw; meld 7s Jk=8s 9s; discard 8c"
    report = audit(f"{log}{first}\ngap\nBob: draw; swap 8s{target}; discard 2d\n")
    assert report.findings == []
    assert [one.line for one in report.open] == [9] * left_open


@pytest.mark.parametrize(
    ("lay", "left_open"), [("8h", False), ("9c", True), ("8h m1", False), ("9h m1", True)]
)
def test_after_a_gap_a_lay_off_that_fits_no_known_meld_is_open(lay, left_open):
    first = "1. Ann: draw; meld 5h 6h 7h; discard 2s"
    report = audit(
        f"{HEAD.replace('up 8h', 'up 8c')}{first}\ngap\nBob: draw; lay {lay}; discard 2d\n"
    )
    assert report.findings == []
    assert [one.line for one in report.open] == [9] * left_open


def test_a_last_discard_face_down_is_illegal_where_whatever_it_is_fits_a_meld():
    named = "5h 6h 7h 8h 2c 3c 4c 9s"
    deck = [f"{rank}{suit}" for rank in "A23456789TJQK" for suit in "cdhs"]
    stock = " ".join(card for card in deck if card not in named.split())
    head = (
        '[Rules "gilfoy-500-rummy"]\n'
        '[Set "deal.cards=3"]\n[Players "Ann, Bob"]\nhand 1 dealer Bob\n'
        "deal Ann ?*3\ndeal Bob 2c 3c 4c\nup 9s\n"
    )
    turn = "1. Ann: draw ?; meld 5h 6h 7h; discard ?\n"
    assert found(f"{head}stock ? {stock}\n{turn}") == [(9, "out.playable")]
    open_stock = stock.removesuffix(" Ks")  # which then may be thrown
    assert found(f"{head}stock ? {open_stock}\n{turn}") == []


def verdict(settings, lines, deals="deal Ann 5h 6h 7h 2c 9d\ndeal Bob 8h 8c 8s 2d 6s\n"):
    """What is found by line and code, and the lines that are open, after a card was taken that may be thrown again."""
    head = f'[Rules "500-rummy"]\n[Set "deal.cards=5"]\n{settings}[Players "Ann, Bob"]\n'
    report = audit(f"{head}hand 1 dealer Bob\n{deals}up 6c\n{lines}")
    first = len(head.splitlines()) + 3 + len(deals.splitlines())
    found = [(one.span.line - first, one.code) for one in report.findings]
    return found, [one.line - first for one in report.open]


THROWN = "1. Ann: take 6c; discard ?\n"
TAKEN_TOP = [(0, "discard.taken-top")]


@pytest.mark.parametrize(
    "later",
    ["2. Bob: take 6c; discard 2d", "= pile 6c", "2. Bob: draw ?; discard 6s\n= pile 6c 6s"],
)
def test_a_card_thrown_face_down_that_later_lines_show_is_judged_as_if_it_were_written(later):
    assert verdict("", f"{THROWN}{later}\n") == (TAKEN_TOP, [])


@pytest.mark.parametrize(
    ("settings", "later"), [("", ""), ('[Set "deck.packs=2"]\n', "2. Bob: take 6c; discard 2d\n")]
)
def test_a_card_thrown_face_down_that_may_be_another_is_open(settings, later):
    deals = "deal Bob 8h 8c 8s 2d 6s\n"
    assert verdict(settings, THROWN + later, deals)[0] == []
    assert 0 in verdict(settings, THROWN + later, deals)[1]


def test_a_card_thrown_face_down_that_was_not_the_one_taken_is_legal():
    assert verdict("", f"{THROWN}= hand Ann 6c 5h 6h 7h 2c\n") == ([], [])


def test_a_card_taken_from_unseen_discards_may_have_lain_inside():
    lines = "1. Ann: draw ?; discard ?\n2. Bob: draw ?; discard ?\n3. Ann: take 8d; discard 8d\n"
    found, left_open = verdict('[Options "keep-taken-card"]\n', lines, "")
    assert (found, left_open) == ([], [2])


def wrong_deal(cards: str, score: int) -> list[tuple[int, str]]:
    """Findings of a hand in which Bob is dealt these cards instead of three, and scores so much."""
    return found(
        f"""[Rules "500-rummy"]
[Set "deal.cards=3"]
[Players "Ann, Bob"]
hand 1 dealer Ann
deal Ann 5h 6h 7h
deal Bob {cards}
up 6c
stock 9h 4s
1. Bob: draw 9h; discard 9h
2. Ann: draw 4s; meld 5h 6h 7h; discard 4s
end out Ann
score Ann 18, Bob {score}
"""
    )


@pytest.mark.parametrize(
    ("cards", "score"),
    [("8h 8c", -16), ("8h 8c", -26), ("8h 8c 8s 2d", -26), ("8h 8c 8s 2d", -24)],
)
def test_a_score_may_be_that_of_a_wrong_deal_or_of_the_deal_as_it_was(cards, score):
    assert wrong_deal(cards, score) == [(6, "setup.deal")]


@pytest.mark.parametrize(
    ("cards", "score"),
    [("8h 8c", -99), ("8h 8c", 30), ("8h 8c 8s 2d", -99), ("8h 8c 8s 8s", -99)],
)
def test_a_score_that_no_deal_explains_is_found_beside_a_wrong_deal(cards, score):
    assert wrong_deal(cards, score) == [(6, "setup.deal"), (12, "score.hand")]
