"""Games and hands of a log: headers, names, the deal, the dealer, numbers, the end, and lines that are lost."""

from __future__ import annotations

import pytest

from audits import audit, found
from meldref.core.diagnostics import errors_in
from meldref.notation.reader import read_lines
from meldref.replay.log import Overrides, as_expected, stand_before
from meldref_evidence.audit import replay

HEAD = """[Rules "500-rummy"]
[Players "Ann, Bob"]
"""
DEAL = f"""{HEAD}hand 1 dealer Bob
deal Ann 5h 6h 7h 8h 9c Tc Jc 2s 3s 4s Kd Qd Ad
deal Bob 2c 3c 4c 5c 6d 7d 8d 9s Ts Js Kh Qh Ah
up 6c
"""
RUM = """[Rules "500-rum"]
[Players "Ann, Bob, Cy"]
"""


def lines_from(start: int, text: str) -> list[tuple[int, str]]:
    return [(line - start + 1, code) for line, code in found(text)]


def after_deal(*lines: str) -> list[tuple[int, str]]:
    """Findings of a dealt hand with these lines, the first of them counted as 1."""
    return lines_from(7, DEAL + "\n".join(lines) + "\n")


# --- games and headers ----------------------------------------------------------------------------


def test_a_log_may_hold_several_games_by_several_rules():
    """Headers begin a game: totals, hand numbers, players and rules are its own."""
    text = f"""{HEAD}hand 1
score Ann 510, Bob 0
total Ann 510, Bob 0
result Ann

[Rules "500-rum"]
[Players "Cy, Dee"]
hand 1
score Cy 10, Dee 0
total Cy 10, Dee 0
hand 2
score Ann 10, Dee 1
"""
    report = audit(text)
    assert (report.games, report.hands) == (2, 3)
    assert [
        (one.game, one.hand, one.span.line, one.code) for one in errors_in(report.findings)
    ] == [(2, 2, 14, "log.name")]


def test_a_game_without_players_is_unreadable():
    report = audit('[Rules "500-rummy"]\nhand 1\nscore Ann 5\n')
    assert (report.verdict, [one.code for one in report.findings]) == ("unreadable", ["log.syntax"])


@pytest.mark.parametrize(
    ("head", "line", "code"),
    [
        ('[Players "Ann, Bob"]\n', 2, "log.name"),
        ('[Rules "no-such-game"]\n[Players "Ann, Bob"]\n', 1, "log.name"),
        ('[Rules "500-rummy"]\n[Options "floatin"]\n[Players "Ann, Bob"]\n', 2, "log.name"),
        ('[Rules "500-rummy"]\n[Players "Ann, Bob"]\n[Set "game.tarket=3"]\n', 3, "rules.key"),
        ('[Rules "500-rummy"]\n[Players "Ann, Bob"]\n[Set "game.target=many"]\n', 3, "rules.value"),
    ],
)
def test_what_the_headers_ask_for_has_to_be_there(head, line, code):
    report = audit(f"{head}hand 1\nscore Ann 5, Bob 5\n")
    assert report.verdict == "unreadable"
    assert (line, code) in [(one.span.line, one.code) for one in report.findings]


def test_the_caller_may_name_the_rules_and_add_to_them():
    text = '[Players "Ann, Bob"]\nhand 1\nscore Ann 60, Bob 5\nresult Ann\n'
    over = Overrides("500-rummy", (), ("game.target=50",))
    assert found(text, over) == []
    assert found(f'[Rules "no-such-game"]\n{text}', over) == []
    assert found(text, Overrides("500-rummy")) == [(4, "game.winner")]


def test_a_header_of_ones_own_begins_with_x_and_others_are_a_warning():
    report = audit('[X-Table "4"]\n[Tabel "4"]\n[Date "2026-11-20"]\n' + DEAL)
    assert [(one.span.line, one.code, one.severity.value) for one in report.findings] == [
        (2, "log.name", "warning")
    ]
    assert report.verdict == "clean"


def test_names_that_need_it_are_quoted():
    text = """[Rules "500-rummy"]
[Players "Ann Lee, hand, Øystein"]
hand 1 dealer "Ann Lee"
deal "Ann Lee" ?*7
deal "hand" ?*7
deal Øystein ?*7
up 5c
1. "hand": draw; discard 5h
2. Øystein: draw; discard 6h
3. "Ann Lee": draw; discard 7h
gap
end out "Ann Lee"
score "Ann Lee" 5, "hand" -5, Øystein -6
"""
    assert found(text) == []


@pytest.mark.parametrize("players", ["Ann, Ann", "Ann", "Ann, Bob, Ann"])
def test_players_are_enough_and_each_named_once(players):
    assert found(f'[Rules "500-rummy"]\n[Players "{players}"]\nhand 1\nscore Ann 5\n') == [
        (2, "setup.players")
    ]


@pytest.mark.parametrize(
    "line",
    [
        "deal Zed 5h",
        "Zed: draw; discard 5h",
        "hand 2 dealer Zed",
        "show Zed 5h",
        "score Zed 5",
        "total Zed 5",
        "result Zed",
        "adjust Zed 5",
        "end out Zed",
        "cut Zed 5h",
    ],
)
def test_who_is_named_has_to_be_at_the_table(line):
    assert (4, "log.name") in found(f"{HEAD}hand 1\n{line}\n")


# --- the deal -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("deals", "expected"),
    [
        ("deal Ann ?*13\ndeal Bob ?*13\nup 6c", []),
        ("deal Ann ?*12\ndeal Bob ?*13\nup 6c", [(4, "setup.deal")]),
        ("deal Ann ?*13\ndeal Bob 5h ?*13\nup 6c", [(5, "setup.deal")]),
        ("deal Ann ?*13\ndeal Bob ?*13\ndeal Ann ?*13\nup 6c", [(6, "setup.deal")]),
        ("deal Ann ?*13\nup 6c", []),
        ("deal Ann ?*13\ndeal Bob ?*13", [(3, "setup.deal")]),
        ("deal Ann 6c ?*12\ndeal Bob ?*13\nup 6c", [(6, "log.copies")]),
        ("deal Ann 6c ?*12\ndeal Bob 6c ?*12\nup 7c", [(5, "log.copies")]),
        ("deal Ann 6c 6c ?*11\ndeal Bob ?*13\nup 7c", [(4, "log.copies")]),
        ("deal Ann Jk Jk ?*11\ndeal Bob Jk ?*12\nup 7c", [(5, "log.copies")]),
        ("deal Ann ?*13\ndeal Bob ?*13\nup 7c\nstock 7c", [(7, "log.copies")]),
        ("deal Ann ?*13\ndeal Bob ?*13\nup 7c\nstock ?*27", []),
        ("deal Ann ?*13\ndeal Bob ?*13\nup 7c\nstock ?*28", [(7, "setup.deck")]),
    ],
)
def test_the_deal_is_as_large_as_the_rules_say_and_has_no_card_twice(deals, expected):
    assert found(f"{HEAD}hand 1\n{deals}\n1. Ann: draw; discard ?\n") == expected


@pytest.mark.parametrize(
    ("view", "expected"),
    [
        ("", []),
        ('[View "Ann"]\n', []),
        ('[View "public"]\n', []),
        ('[View "full"]\n', [(4, "setup.deal")]),
    ],
)
def test_a_log_with_ones_own_cards_alone_is_no_fault(view, expected):
    """Only a log that says it has all the cards owes the others' too."""
    text = f"{HEAD}{view}hand 1 dealer Bob\ndeal Ann ?*13\nup 6c\n1. Ann: draw; discard ?\n2. Bob: draw; discard 2c\n"
    assert found(text) == expected
    assert found(text.replace("deal Ann ?*13\n", "")) == []


def test_who_begins_without_a_deal_line_has_the_card_more_that_is_due():
    for deal in ("", "deal Bob ?*10\n"):
        assert (
            found(f"{RUM}hand 1\n{deal}up 5h\n1. Ann: discard 9s\n= hand Ann 10\n= stock 20\n")
            == []
        )
    assert found(f"{RUM}hand 1\ndeal Bob ?*11\nup 5h\n1. Ann: discard 9s\n") == [(6, "turn.order")]


def test_a_joker_is_not_dealt_where_the_deck_has_none():
    text = f"{RUM}hand 1 dealer Cy\ndeal Ann Jk ?*10\ndeal Bob ?*10\ndeal Cy ?*10\nup 6c\nAnn: discard ?\n"
    assert found(text) == [(4, "setup.deck")]


def test_cards_are_not_dealt_in_the_middle_of_a_hand():
    assert after_deal("1. Ann: draw; discard 2s", "deal Ann 5d", "up 9h") == [
        (2, "setup.deal"),
        (3, "setup.deal"),
    ]


def test_the_first_player_of_some_games_has_a_card_more():
    deal = "deal Ann ?*{}\ndeal Bob ?*{}\ndeal Cy ?*{}\nup 5h\n"
    turns = "1. {}: discard 9s\n"
    hand = f"{RUM}hand 1 dealer Cy\n"
    assert found(hand + deal.format(11, 10, 10) + turns.format("Ann")) == []
    [of_another] = audit(hand + deal.format(10, 11, 10) + turns.format("Ann")).findings
    assert (of_another.span.line, of_another.code) == (4, "setup.deal")
    assert (of_another.repair.edit, of_another.repair.follows[0].line) == ("deals-swapped", 5)
    assert found(hand + deal.format(10, 10, 10) + turns.format("Ann")) == [(4, "setup.deal")]
    no_dealer = f"{RUM}hand 1\n"
    assert found(no_dealer + deal.format(10, 11, 10) + turns.format("Bob")) == []
    assert found(no_dealer + deal.format(10, 11, 10) + turns.format("Cy")) == [(8, "turn.order")]


def test_a_hand_without_deal_is_played_from_unknown_cards_of_the_dealt_number():
    assert (
        found(
            f"{HEAD}hand 1\n= hand Ann 13\n1. Ann: draw; discard 5h\n2. Bob: take 5h; discard 5d\n"
        )
        == []
    )


def test_a_hand_line_may_be_missing():
    text = f"{HEAD}deal Ann ?*13\ndeal Bob ?*13\nup 5c\nAnn: draw; discard 5h\n"
    assert (found(text), audit(text).hands) == ([], 1)


def test_the_first_turn_fixes_the_order_where_nobody_is_named_dealer():
    text = f"{HEAD}hand 1\nBob: draw; discard 5h\n"
    assert found(f"{text}Ann: draw; discard 6h\nBob: draw; discard 7h\n") == []
    assert found(f"{text}Bob: draw; discard 6h\n") == [(5, "turn.order")]


# --- who deals ------------------------------------------------------------------------------------


def sheets(*hands: str, head: str = RUM) -> list[tuple[int, str]]:
    return found(head + "".join(f"{hand}\nscore Ann 1, Bob 2, Cy 3\n" for hand in hands))


@pytest.mark.parametrize(
    ("hands", "expected"),
    [
        (("hand 1 dealer Ann", "hand 2 dealer Bob", "hand 3 dealer Cy", "hand 4 dealer Ann"), []),
        (("hand 1 dealer Ann", "hand 2", "hand 3 dealer Cy"), []),
        (("hand 1 dealer Ann", "hand 2 dealer Ann"), [(5, "setup.dealer")]),
        (("hand 1 dealer Ann", "hand 2 dealer Cy", "hand 3 dealer Ann"), [(5, "setup.dealer")]),
        (("hand 1", "hand 2 dealer Cy", "hand 3 dealer Ann"), []),
    ],
)
def test_the_deal_passes_to_the_left(hands, expected):
    """After a wrong dealer it goes on from who really dealt."""
    assert sheets(*hands) == expected


@pytest.mark.parametrize(
    ("cuts", "dealer", "expected"),
    [
        (["cut Ann 3c, Bob 9d, Cy Kh"], "Ann", []),
        (["cut Ann 3c, Bob 9d, Cy Kh"], "Cy", [(4, "setup.dealer")]),
        (["cut Ann 3c, Bob As, Cy Kh"], "Bob", []),
        (["cut Ann 3c, Bob 3d, Cy Kh"], "Ann", []),
        (["cut Ann 3c, Bob 3d, Cy Kh"], "Bob", []),
        (["cut Ann 3c, Bob 3d, Cy Kh"], "Cy", [(4, "setup.dealer")]),
        (["cut Ann 3c, Bob 3d, Cy Kh", "cut Ann 7c, Bob 5d"], "Bob", []),
        (["cut Ann 3c, Bob 3d, Cy Kh", "cut Ann 7c, Bob 5d"], "Ann", [(5, "setup.dealer")]),
    ],
)
def test_the_lowest_card_of_the_cut_deals_and_ties_draw_again(cuts, dealer, expected):
    assert (
        sheets(f"hand 1 dealer {dealer}", head=RUM + "".join(f"{cut}\n" for cut in cuts))
        == expected
    )


def test_the_dealer_of_the_headers_deals_first():
    assert sheets("hand 1 dealer Cy", head=f'{RUM}[Dealer "Cy"]\n') == []
    assert sheets("hand 1 dealer Ann", head=f'{RUM}[Dealer "Cy"]\n') == [(4, "setup.dealer")]
    assert sheets("hand 1", "hand 2 dealer Cy", head=f'{RUM}[Dealer "Cy"]\n') == [
        (6, "setup.dealer")
    ]


# --- numbers --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("numbers", "expected"),
    [
        (("1. ", "2. ", "3. "), []),
        (("", "", ""), []),
        (("1. ", "", "3. "), []),
        (("1. ", "3. ", "4. "), [(2, "log.number")]),
        (("1. ", "1. ", "2. "), [(2, "log.number")]),
        (("2. ", "3. ", "4. "), [(1, "log.number")]),
        (("", "5. ", "6. "), [(2, "log.number")]),
    ],
)
def test_written_turn_numbers_count_the_turns(numbers, expected):
    """A wrong one is found once; the count goes on from there."""
    turns = ("Ann: draw 2h; discard 2s", "Bob: draw 3h; discard 2c", "Ann: draw 4h; discard 3s")
    assert (
        after_deal(*(number + turn for number, turn in zip(numbers, turns, strict=True)))
        == expected
    )


def test_lines_that_go_on_with_a_turn_and_calls_have_no_number():
    assert (
        after_deal(
            "1. Ann: draw 2h; meld 5h 6h 7h",
            "Ann: lay 8h m1",
            "Ann: discard 2s",
            "2. Bob: draw 4h",
            "Bob: lay 4h m1",
            "Bob: discard 2c",
        )
        == []
    )


def test_hand_numbers_count_too():
    text = f"{HEAD}hand 1\nscore Ann 1, Bob 1\nhand {{}}\nscore Ann 1, Bob 1\nhand {{}}\n"
    assert found(text.format(2, 3)) == []
    assert found(text.format(3, 4)) == [(5, "log.number")]
    assert found(text.format("", 3)) == []


def test_written_meld_numbers_count_the_melds():
    assert after_deal("1. Ann: draw 2h; meld 5h 6h 7h m1; meld 9c Tc Jc m2; discard 2s") == []
    assert after_deal("1. Ann: draw 2h; meld 5h 6h 7h m2; discard 2s") == [(1, "log.number")]
    assert after_deal("1. Ann: draw 2h; meld 5h 6h 8h; meld 9c Tc Jc m2; discard 2s") == [
        (1, "meld.shape")
    ]


# --- how hands end --------------------------------------------------------------------------------

OUT = "1. Ann: draw 2h; meld 5h 6h 7h 8h; meld 9c Tc Jc; meld 2s 3s 4s; meld Qd Kd Ad; discard 2h"


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ((OUT, "end out Ann"), []),
        ((OUT, "end out Bob"), [(2, "end.reason")]),
        ((OUT, "end stock"), [(2, "end.reason")]),
        ((OUT, "end agreed"), [(2, "end.reason")]),
        (("1. Ann: draw 2h; discard 2h", "end out Ann"), [(2, "end.early")]),
        (("1. Ann: draw 2h; discard 2h", "end stock"), [(2, "end.early")]),
        (("1. Ann: draw 2h; discard 2h", "end agreed"), [(2, "end.early")]),
        (("1. Ann: draw 2h", "end out Ann"), [(1, "turn.unfinished"), (2, "end.early")]),
        ((OUT, "2. Bob: draw 3h; discard 2c"), [(2, "turn.over")]),
        ((OUT, "Bob: rummy 2h; lay 2h m3"), [(2, "turn.over")]),
        ((OUT, "score Ann 99, Bob -99", "total Ann 99, Bob -99"), []),
        ((OUT, "score Ann 98, Bob -99"), [(2, "score.hand")]),
        ((OUT, "score Ann 98, Bob -98"), [(2, "score.hand"), (2, "score.hand")]),
        ((OUT, "hand 2 dealer Ann"), []),
        (("1. Ann: draw 2h; discard 2h", "hand 2 dealer Ann"), [(2, "end.early")]),
        (("1. Ann: draw 2h; discard 2h", "score Ann -99, Bob -99"), [(2, "end.early")]),
    ],
)
def test_a_hand_ends_as_it_is_said_to(lines, expected):
    assert after_deal(*lines) == expected


def test_an_empty_stock_ends_the_hand_when_the_pile_is_declined():
    text = f"""{HEAD}hand 1 dealer Bob
deal Ann ?*13
deal Bob ?*13
up 6c
"""
    turns = [f"{('Ann', 'Bob')[number % 2]}: draw; discard ?" for number in range(27)]
    played = text + "\n".join(turns) + "\n"
    assert found(f"{played}Bob: pass\nend stock\n") == []
    assert found(f"{played}end stock\n") == []
    assert found(f"{played}Bob: draw; discard ?\n") == [(34, "draw.stock")]
    assert found(f"{played}Bob: pass\nAnn: take 6c; discard ?\n") == [(35, "turn.over")]
    early = text + "\n".join(turns[:-1]) + "\n"
    assert found(f"{early}end stock\n") == [(33, "end.early")]
    assert found(f"{early}Ann: pass\n") == [(33, "stock.pass")]


def test_nothing_is_done_after_passing():
    """P-END-03: who declines the pile ends the hand, on the same line too."""
    text = (
        f"{HEAD}hand 1\n"
        + "\n".join(f"{('Ann', 'Bob')[n % 2]}: draw; discard ?" for n in range(27))
        + "\n"
    )
    assert found(f"{text}Bob: pass; take 6c; discard ?\n") == [(31, "turn.over")]
    assert found(f"{text}Bob: pass; discard ?\n") == [(31, "turn.over")]


def test_a_log_that_merely_stops_is_no_fault_and_half_a_turn_is():
    assert after_deal("1. Ann: draw 2h; discard 2s") == []
    assert after_deal("1. Ann: draw 2h; meld 5h 6h 7h") == [(1, "turn.unfinished")]
    assert after_deal("1. Ann: draw 2h; disc") == [(1, "log.syntax")]
    assert found(DEAL) == []


# --- tie-breaks -----------------------------------------------------------------------------------

TIED = '[Rules "gilfoy-500-rummy"]\n[Options "tied-players-only"]\n[Players "Ann, Bob, Cy"]\nhand 1 dealer Cy\n'
TIED += "score Ann 510, Bob 510, Cy 300\nhand 2 dealer Ann\n"


def test_those_who_are_level_play_a_tie_break_alone():
    deal = "deal Ann ?*7\ndeal Bob ?*7\nup 5h\n"
    assert (
        found(
            f"{TIED}{deal}1. Bob: draw; discard 9s\n2. Ann: draw; discard 8s\n3. Bob: draw; discard 4s\n"
        )
        == []
    )
    assert found(f"{TIED}{deal}1. Bob: draw; discard 9s\n2. Cy: draw; discard 8s\n") == [
        (11, "game.tie")
    ]
    assert found(f"{TIED}{deal}deal Cy ?*7\n1. Bob: draw; discard 9s\n") == [(10, "game.tie")]
    assert found(f"{TIED}score Ann 5, Bob 10\nresult Bob\n") == []
    assert found(f"{TIED}score Ann 5, Bob 10, Cy 500\nresult Bob\n") == [(7, "game.tie")]


# --- lines that cannot be read, and what is expected ----------------------------------------------


def test_a_turn_that_cannot_be_read_leads_to_no_flood_of_findings():
    """Nothing that may follow from it is found as play; what is found all the same says so."""
    lines = (
        "1. Ann: draw 2h; discard 2s",
        "2. Bob: 3h and then the 2c",
        "3. Ann: take 2c; discard 4h",
        "= hand Ann 5",
        "= stock 3",
        "4. Bob: draw 3d; meld Kc Kh Ks; discard 9h",
        "5. Ann: draw 5d; meld 9d Td Jd; discard 9c",
        "end out Ann",
    )
    assert after_deal(*lines) == [(2, "log.syntax")]
    report = audit(DEAL + "\n".join([*lines, "score Ann 10, Bob 5"]) + "\n")
    assert all("line 8" in " ".join(one.notes) for one in report.findings if one.span.line > 8)


def test_a_turn_of_somebody_unknown_leads_to_no_flood_either():
    lines = (
        "1. Ann: draw 2h; discard 2s",
        "2. Zed: draw 3h; discard 2c",
        "3. Ann: take 2c; discard 4h",
    )
    assert after_deal(*lines) == [(2, "log.name")]


def test_a_line_that_is_no_turn_costs_nothing_else():
    lines = (
        "1. Ann: draw 2h; discard 2s",
        "what a hand",
        "2. Bob: draw 3h; discard 2c",
        "= hand Bob 13",
    )
    assert after_deal(*lines) == [(2, "log.syntax")]


def test_a_move_that_could_not_be_carried_out_marks_what_may_follow():
    report = audit(f"{DEAL}1. Ann: draw 2h; meld Ts Js Qs; discard 2s\n= hand Ann 12\n")
    assert [one.code for one in report.findings] == ["hand.missing", "log.assert"]
    assert report.findings[0].notes == ()
    assert "line 7" in report.findings[1].notes[-1]


def test_what_is_said_of_a_hand_afterwards_shows_that_a_meld_was_not_laid():
    report = audit(f"{DEAL}1. Ann: draw 2h; meld Ts Js Qs; discard 2s\n= hand Ann 13\n")
    assert [one.code for one in report.findings] == ["hand.missing"]
    repair = report.findings[0].repair
    assert repair is not None
    assert (repair.edit, repair.line) == ("not-done", 7)
    assert [(one.line, one.code) for one in repair.follows] == [(8, "log.assert")]


def expected(text: str) -> list[tuple[int, str]]:
    lines = list(read_lines(text))
    wanted = [line for line, _ in lines if line.expected]
    return [(one.span.line, one.code) for one in as_expected(replay(lines, "test.rgn"), wanted)]


@pytest.mark.parametrize(
    ("line", "rest"),
    [
        ("1. Ann: draw 2h; discard 5d ?! hand.missing", []),
        ("1. Ann: draw 2h; discard 5d ?! hand", []),
        ("1. Ann: draw 2h; discard 5d ?! hand.missing, turn.order", [(7, "log.assert")]),
        ("1. Ann: draw 2h; discard 5d ?! turn.order", [(7, "hand.missing"), (7, "log.assert")]),
        ("1. Ann: draw 2h; discard 5d ?! han", [(7, "hand.missing"), (7, "log.assert")]),
        ("1. Ann: draw 2h; discard 2s ?! hand.missing", [(7, "log.assert")]),
        ("1. Ann: draw 2h; discard 5d", [(7, "hand.missing")]),
        ("1. Ann: draw 2h; meld 5h 6h 8h; discard 5d ?! meld.shape, hand.missing", []),
    ],
)
def test_exactly_the_violations_a_log_expects_are_no_findings(line, rest):
    assert sorted(expected(f"{DEAL}{line}\n")) == rest


def test_one_can_stand_before_any_line_of_play():
    text = f"{DEAL}1. Ann: draw 2h; discard 2s\n2. Bob: draw 3h; discard 2c\n"
    for number, pile, mover in ((7, 1, 0), (8, 2, 1), (9, 3, 0), (99, 3, 0)):
        built, findings = stand_before(read_lines(text), number)
        assert findings == ()
        assert built is not None
        assert (len(built.position.pile), built.position.turn.seat) == (pile, mover)


@pytest.mark.parametrize("number", [0, 1, 3])
def test_before_the_deal_nothing_stands(number):
    built, findings = stand_before(read_lines(DEAL), number)
    assert built is None
    assert findings
