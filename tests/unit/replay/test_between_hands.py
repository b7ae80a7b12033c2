"""Between hands a mistake is found once: the cases of `between.yaml`, with all that is found and open."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from audits import audit, found
from meldref.core.diagnostics import errors_in
from meldref.replay.log import Overrides
from meldref_evidence.repair.course import found_at
from paths import TESTS
from written import read_yaml_file

CASES = read_yaml_file(TESTS / "cases" / "between.yaml")["cases"]

FOLLOWS = {"BETW-c": [(14, "game.winner")], "BETW-ai": [(18, "settle.chips")]}
"""What is found besides, by case: lines and codes. All of it says from which line it follows."""

ALSO = {
    "BETW-e": [(22, "score.total")],
    "BETW-f": [(14, "score.total")],
    "BETW-dn": [(14, "game.winner")],
}
"""A second mistake."""

OPEN = {
    "BETW-i": [5],
    "BETW-k": [5],
    "BETW-m": [5],
    "BETW-o": [4],
    "BETW-p": [7, 8],
    "BETW-bd": [5],
    "BETW-bl": [5],
    "BETW-bn": [5],
    "BETW-dd": [6],
    "BETW-df": [7],
    "BETW-dg": [6],
    "BETW-di": [8],
}
"""What is left open, by case: lines."""


@pytest.mark.sweep
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_one_mistake_is_one_finding_and_what_depends_on_the_unknown_is_open(case):
    report = audit(case["log"], Overrides(case["rules"]))
    expect, name = case["expect"], case["id"]
    first = [] if expect["verdict"] == "legal" else [(expect["at"], expect["because"])]
    told = [(one.span.line, one.code) for one in errors_in(report.findings)]
    assert list(dict.fromkeys(told)) == [*first, *FOLLOWS.get(name, ()), *ALSO.get(name, ())]
    assert [one.line for one in report.open] == OPEN.get(name, [])


@pytest.mark.parametrize("name", FOLLOWS)
def test_what_follows_from_a_wrong_score_says_so(name):
    (case,) = [case for case in CASES if case["id"] == name]
    report = audit(case["log"], Overrides(case["rules"]))
    cause, *others = report.findings
    assert others
    assert all(f"line {cause.span.line}" in one.notes[-1] for one in others)


def test_a_wrong_total_says_how_the_score_of_the_hand_comes_about():
    (case,) = [case for case in CASES if case["id"] == "BETW-dl"]
    (found,) = audit(case["log"], Overrides(case["rules"])).findings
    assert any(note.startswith("this hand: ") for note in found.notes)


DEALT_BY_ANOTHER = """[Rules "500-rummy"]
[Players "Ann, Bob, Cy"]
hand 1 dealer Bob
up 6c
{first}. Ann: draw ?; discard 5s
{second}. Bob: draw ?; discard 4s
{third}. Cy: draw ?; discard 3s
"""


@pytest.mark.parametrize(
    ("numbers", "edit"), [((1, 2, 3), "other-dealer"), ((2, 3, 4), "turns-missing")]
)
def test_who_begins_shows_who_dealt_unless_the_numbers_show_a_missing_turn(numbers, edit):
    first, second, third = numbers
    log = DEALT_BY_ANOTHER.format(first=first, second=second, third=third)
    repairs = [finding.repair and finding.repair.edit for finding in audit(log).findings]
    assert repairs == [edit]


def test_an_undo_keeps_what_it_does_not_take_back():
    log = """[Rules "500-rummy"]
[Players "Ann, Bob, Cy"]
hand 1 dealer Cy
score Ann 10, Bob 20, Cy 30
hand 2 dealer Cy
up 6c
1. Ann: draw ?; discard 5s
undo
1. Ann: draw ?; discard 4s
"""
    assert found(log) == [(5, "setup.dealer")]


def test_a_rank_that_is_named_wild_begins_a_hand_whose_line_is_missing():
    log = """[Rules "5000-rummy"]
[Players "Ann, Bob, Cy"]
hand 1 dealer Ann
end agreed
score Ann 10, Bob 20, Cy 30
wild A
deal Ann ?*9
deal Bob ?*9
deal Cy ?*9
"""
    assert [finding for finding in found(log) if finding[0] > 5] == [(6, "setup.deal")]


CONTRACTS = """[Rules "contract-rummy"]
[Players "Ann, Bob, Cy"]
hand 1 dealer Cy
score Ann 0, Bob 10, Cy 20
hand {number} dealer Ann
up 2h
1. Bob: draw ?; meld 7c 7d 7h; meld 3s 4s 5s 6s; discard Kc
2. Cy: draw ?; meld 8c 8d 8h; meld 9s Ts Js Qs; discard Kd
"""


def test_a_wrong_number_of_a_hand_is_no_wrong_contract():
    assert found(CONTRACTS.format(number=3)) == [(5, "log.number")]
    assert found(CONTRACTS.format(number=2)) == []


FIRST = """[Rules "contract-rummy"]
[Players "Ann, Bob, Cy"]
hand {first} dealer Ann
up 2h
1. Bob: draw ?; meld 7c 7d 7h; meld 3s 3c 3d; discard Kc
2. Cy: draw ?; meld 8c 8d 8h; meld {second}; discard Kd
gap
end out Ann
score Ann 0, Bob 10, Cy 20
{total}
hand {number} dealer Bob
score Ann 5, Bob 0, Cy 20
"""
TOTAL_OF_ONE, TOTAL_OF_MORE = "total Ann 0, Bob 10, Cy 20", "total Ann 8, Bob 15, Cy 40"


@pytest.mark.parametrize("number", [2, 4])
def test_contracts_of_another_hand_show_a_wrong_number_of_the_first_hand(number):
    log = FIRST.format(first=3, second="9s 9c 9d", total=TOTAL_OF_ONE, number=number)
    (finding,) = audit(log).findings
    assert (finding.span.line, finding.code) == (5, "meld.contract")
    repair = finding.repair
    assert repair
    assert (repair.edit, repair.line, repair.text) == ("hand-number", 3, "line 3 begins hand 1")
    assert [edit.text for edit in repair.edits] == ["hand 1 dealer Ann"]
    assert [(one.line, one.code) for one in repair.follows] == [(6, "meld.contract")]
    assert (
        found(log.replace("hand 3 dealer Ann", "hand 1 dealer Ann").replace("hand 4", "hand 2"))
        == []
    )


def test_a_hand_without_a_line_of_its_own_has_no_number_that_may_be_wrong():
    log = FIRST.format(first=3, second="9s 9c 9d", total=TOTAL_OF_ONE, number=2)
    findings = audit(log.replace("hand 3 dealer Ann\nup 2h\n", "")).findings
    assert [(one.code, one.repair) for one in findings if one.code == "meld.contract"] == []
    later = log.replace("3s 3c 3d", "3s 4s 5s 6s").replace("9s 9c 9d", "9s Ts Js Qs")
    findings = audit(later.replace("hand 3 dealer Ann\nup 2h\n", "")).findings
    assert [(one.code, one.repair) for one in findings[:2]] == [("meld.contract", None)] * 2


def test_one_player_who_melds_another_contract_shows_no_wrong_number():
    log = FIRST.format(first=2, second="9s Ts Js Qs", total=TOTAL_OF_MORE, number=3)
    (finding,) = audit(log).findings
    assert (finding.span.line, finding.code, finding.repair) == (5, "meld.contract", None)


def test_a_log_may_begin_with_any_hand():
    log = FIRST.format(first=1, second="9s 9c 9d", total=TOTAL_OF_MORE, number=2)
    later = log.replace("3s 3c 3d", "3s 4s 5s 6s").replace("9s 9c 9d", "9s Ts Js Qs")
    assert found(later.replace("hand 1", "hand 2").replace("hand 2 dealer Bob", "hand 3")) == []


DRAWN = """[Rules "500-rum"]
[Players "Ann, Bob, Cy"]
{header}{draw}
hand 1 dealer {dealer}
end out Ann
score Ann 60, Bob 10, Cy 20
"""


@pytest.mark.parametrize(
    ("named", "draw", "dealer", "lines"),
    [
        ("Bob", "cut Ann 6h, Bob As, Cy Qh", "Bob", []),
        ("Ann", "cut Ann 6h, Bob As, Cy Qh", "Bob", [4]),
        ("Ann", "cut Ann 6h, Bob As, Cy Qh", "Ann", [4]),
        ("Ann", "cut Ann 6h, Bob As, Cy Qh", "Cy", [4, 5]),
        ("Ann", "cut Ann Ah, Bob As, Cy Qh", "Ann", []),
        ("Ann", "cut Ann Ah, Bob As, Cy Qh\ncut Ann 2h, Bob 3h", "Ann", []),
    ],
)
def test_a_draw_that_the_header_contradicts_is_found_once_and_either_may_deal(
    named, draw, dealer, lines
):
    header = f'[Dealer "{named}"]\n'
    assert found(DRAWN.format(header=header, draw=draw, dealer=dealer)) == [
        (line, "setup.dealer") for line in lines
    ]


SHEET = """[Rules "500-rummy"]
[Players "Ann, Bob, Cy"]
hand 1
end out Ann
score Ann 60, Bob 10, Cy 20
total Ann 60, Bob 10, Cy 20
hand 2
end out Bob
{score}
{total}
hand 3
end out Cy
score Ann 1, Bob 2, Cy 30
total {after}
"""
SCORE, TOTAL, AFTER = (
    "score Ann 5, Bob 70, Cy 15",
    "total Ann 65, Bob 80, Cy 35",
    "Ann 66, Bob 82, Cy 65",
)


@pytest.mark.parametrize(
    ("score", "total", "edit"),
    [
        (SCORE, "total Ann 80, Bob 65, Cy 35", "scores-swapped"),
        (SCORE, "total Ann 35, Bob 65, Cy 80", "scores-swapped"),
        (SCORE, "total Ann 60, Bob 10, Cy 20", "line-copied"),
        (SCORE, "total Ann 5, Bob 70, Cy 15", "line-copied"),
        ("score Ann 65, Bob 80, Cy 35", "total Ann 5, Bob 70, Cy 15", "words-swapped"),
    ],
)
def test_figures_in_the_wrong_place_are_one_mistake_and_no_missing_hand(score, total, edit):
    report = audit(SHEET.format(score=score, total=total, after=AFTER))
    assert [finding.repair and finding.repair.edit for finding in report.findings] == [edit]


def test_the_log_may_go_on_from_totals_as_they_are_written():
    log = SHEET.format(
        score=SCORE, total="total Ann 80, Bob 65, Cy 35", after="Ann 81, Bob 67, Cy 65"
    )
    assert found(log) == [(10, "score.total")]


def test_totals_that_no_other_figures_explain_show_a_missing_hand():
    report = audit(
        SHEET.format(
            score=SCORE, total="total Ann 95, Bob 90, Cy 57", after="Ann 96, Bob 92, Cy 87"
        )
    )
    assert [finding.repair and finding.repair.edit for finding in report.findings] == [
        "hand-missing"
    ]


def test_after_a_hand_is_presumed_missing_the_totals_may_go_on_without_it():
    log = SHEET.format(score=SCORE, total="total Ann 95, Bob 90, Cy 57", after=AFTER)
    assert found(log) == [(10, "score.total")]


def test_a_figure_is_the_same_one_whatever_else_its_line_says():
    totals = ("total Ann 64, Bob 80, Cy 35", "total Ann 64, Bob 80")
    logs = [SHEET.format(score=SCORE, total=total, after="Cy 65") for total in totals]
    first, second = [found_at(0, finding) for log in logs for finding in audit(log).findings]
    assert first.figure == second.figure
    assert first.key != second.key


def contracts(*hands: int, numbers: Iterable[int]) -> str:
    """The score sheet of a game of contract rummy in which everybody scores more in each hand."""
    lines = ['[Rules "contract-rummy"]', '[Players "Ann, Bob, Cy"]']
    for hand, number in zip(hands, numbers, strict=False):
        lines += [
            f"hand {number} dealer {('Cy', 'Ann', 'Bob')[hand % 3]}",
            f"score Ann {2 * hand}, Bob {4 * hand}, Cy {6 * hand}",
            f"total Ann {hand * (hand + 1)}, Bob {2 * hand * (hand + 1)}, Cy {3 * hand * (hand + 1)}",
        ]
    return "\n".join([*lines, "result Ann", ""])


def test_a_missing_hand_counts_in_a_game_of_so_many_hands():
    log = contracts(1, 2, 4, 5, 6, 7, numbers=range(1, 7))
    assert found(log) == [(9, "setup.dealer")]
    assert found(contracts(*range(1, 8), numbers=range(1, 8))) == []
    assert found(contracts(*range(1, 7), numbers=range(1, 7))) == [(21, "game.winner")]


def test_the_first_hand_of_a_game_may_be_missing():
    (finding,) = audit(contracts(*range(2, 8), numbers=range(1, 7))).findings
    assert (finding.span.line, finding.code) == (5, "score.total")
    assert finding.repair
    assert finding.repair.edit == "hand-missing"


@pytest.mark.parametrize(
    ("hands", "text"),
    [
        ((1, 2, 4, 5, 6, 7), "a hand is missing before this one"),
        ((1, 2, 5, 6, 7), "2 hands are missing before this one"),
    ],
)
def test_the_number_tells_how_many_hands_are_missing(hands, text):
    (finding,) = audit(contracts(*hands, numbers=hands)).findings
    assert (finding.code, finding.span.line) == ("log.number", 9)
    assert finding.repair
    assert finding.repair.text == text


@pytest.mark.parametrize(
    ("hands", "found_at", "text"),
    [
        ((2, 1, 3, 4, 5, 6, 7), 6, "hand 1 of line 6 belongs before line 3"),
        ((3, 2, 4, 5, 6, 7), 6, "hand 2 of line 6 belongs before line 3"),
        ((1, 3, 2, 4, 5, 6, 7), 6, "hand 2 of line 9 belongs before line 6"),
        ((1, 2, 3, 4, 5, 7, 6), 18, "hand 6 of line 21 belongs before line 18"),
    ],
)
def test_two_hands_in_the_wrong_order_are_one_mistake(hands, found_at, text):
    (finding,) = audit(contracts(*hands, numbers=hands)).findings
    assert (finding.span.line, finding.code) == (found_at, "log.number")
    assert finding.repair
    assert (finding.repair.edit, finding.repair.text) == ("hands-swapped", text)


def test_dealers_and_totals_show_that_only_the_numbers_of_two_hands_are_swapped():
    for numbers in ((2, 1, *range(3, 8)), (1, 3, 2, *range(4, 8))):
        report = audit(contracts(*range(1, 8), numbers=numbers))
        assert {one.repair.edit for one in report.findings if one.repair} <= {"hand-number"}


def test_hand_1_after_the_end_of_a_game_begins_another_one():
    header, hands = contracts(*range(1, 8), numbers=range(1, 8)).split("hand", 1)
    log, again = f"{header}hand{hands}", f"hand{hands}"
    report = audit(log + again)
    (finding,) = report.findings
    assert (finding.span.line, finding.code, report.games) == (25, "game.over", 2)
    assert finding.repair
    assert finding.repair.edit == "headers-missing"
    assert {(one.game, one.totals["Ann"]) for one in report.scores if one.hand == 7} == {
        (1, 56),
        (2, 56),
    }


def test_hand_1_of_a_game_that_goes_on_is_a_wrong_number_and_hand_8_is_one_too_many():
    log = contracts(*range(1, 8), numbers=range(1, 8))
    goes_on = log.replace("hand 3", "hand 1")
    assert found(goes_on) == [(9, "log.number")]
    assert ("game.over", None) in [
        (one.code, one.repair) for one in audit(log + "hand 8 dealer Ann\n").findings
    ]


def test_a_wrong_number_of_the_first_hand_does_not_end_the_game_too_early():
    hands = range(1, 8)
    assert found(contracts(*hands, numbers=(2, *range(2, 8)))) == [(6, "log.number")]
    assert found(contracts(*hands[1:], numbers=range(2, 8))) == []


@pytest.mark.parametrize("numbers", [(2, 2, 3, 4), (3, 2, 3, 4)])
def test_totals_show_that_the_number_of_the_first_hand_is_wrong(numbers):
    log = contracts(1, 2, 3, 4, numbers=numbers).replace("result Ann\n", "")
    (finding,) = audit(log).findings
    assert (finding.span.line, finding.code) == (6, "log.number")
    repair = finding.repair
    assert repair
    assert (repair.edit, repair.line, repair.text) == ("hand-number", 3, "line 3 begins hand 1")
    assert [edit.text for edit in repair.edits] == ["hand 1 dealer Ann"]


def test_totals_of_more_hands_leave_open_which_number_is_wrong():
    (finding,) = audit(contracts(2, 3, numbers=(2, 2)).replace("result Ann\n", "")).findings
    assert (finding.span.line, finding.code, finding.repair) == (6, "log.number", None)


VOID = """[Rules "500-rummy"]
[Players "Ann, Bob, Cy"]
hand 1 dealer Ann
up 5h
void misdeal
{line}up 5h
1. {first}: draw ?; discard 4s
gap
end out Ann
score Ann 50, Bob 3, Cy 7
hand {number} dealer {dealer}
"""


@pytest.mark.parametrize(("first", "dealer"), [("Bob", "Bob"), ("Cy", "Cy")])
@pytest.mark.parametrize("number", [2, 3])
def test_a_new_deal_after_a_void_hand_needs_a_line_and_anybody_may_deal_it(first, dealer, number):
    log = VOID.format(line="", first=first, number=number, dealer=dealer)
    assert found(log) == [(6, "setup.deal")]
    assert found(VOID.format(line="hand 1 dealer Ann\n", first="Bob", number=2, dealer="Bob")) == []


def test_the_line_of_a_void_hand_may_be_written_again_behind_its_new_deal():
    line = "hand 1 dealer Ann\n"
    log = VOID.format(line="", first="Bob", number=2, dealer="Bob")
    behind = log.replace("up 5h\n1. Bob", f"up 5h\n{line}1. Bob")
    assert found(behind) == [(6, "setup.deal")]


MISNAMED = """[Rules "500-rummy"]
[Players "{names}"]
hand 1 dealer Bob
deal Ann ?*13
deal Bob ?*13
up 6c
1. Ann: draw ?; discard 5s
2. Bob: draw ?; discard 4s
3. Ann: draw ?; discard 3s
score Ann 5, Bob 6
hand 2 dealer Ann
score Ann 7, Bob 8
total Ann 12, Bob 14
"""


@pytest.mark.parametrize("names", ["Anne, Bob", "Annabel, Bob", "Xen, Bob"])
def test_a_name_that_nobody_has_is_found_once(names):
    log = MISNAMED.format(names=names)
    assert [code for _, code in found(log) if code == "log.name"] == ["log.name"]


PLAYED = """[Rules "500-rummy"]
[Players "{names}"]
hand 1 dealer Cy
deal Ann ?*7
deal Bob ?*7
deal Cy ?*7
up 6c
1. Ann: draw ?; discard 5s
2. Bob: draw ?; discard 4s
3. Cy: draw ?; discard 3s
4. Ann: draw ?; discard 2s
"""


@pytest.mark.parametrize(
    ("names", "line"),
    [
        *[("Xen, Bob, Cy", 4), ("Bob, Cy", 4), ("Anne, Bob, Cy", 4), ("Ann, Bob, Di", 3)],
        *[("Ann, Bob Cy", 3), ("Ann Bob, Cy", 4), ("Ann, Bob, Cy, Di", 8), ("Ann, Di, Bob, Cy", 9)],
    ],
)
def test_who_takes_turns_shows_whom_the_header_should_name(names, line):
    (finding,) = audit(PLAYED.format(names=names)).findings
    assert (finding.code, finding.span.line) == ("log.name" if line < 8 else "turn.order", line)
    assert finding.repair
    assert (finding.repair.edit, finding.repair.line) == ("players-named", 2)
    assert [edit.text for edit in finding.repair.edits] == ['[Players "Ann, Bob, Cy"]']
    assert found(PLAYED.format(names="Ann, Bob, Cy")) == []


@pytest.mark.parametrize(("before", "after"), [("deal Cy", "deal Di ?*7\ndeal Cy"), ("deal", "#")])
def test_a_player_who_is_dealt_cards_or_sits_where_none_are_written_may_have_missed_a_turn(
    before, after
):
    log = PLAYED.format(names="Ann, Di, Bob, Cy").replace(before, after)
    (finding,) = audit(log.replace("4. Ann: draw ?; discard 2s\n", "")).findings
    assert (finding.code, finding.repair and finding.repair.edit) == ("turn.order", "turns-missing")


def test_a_player_of_a_similar_name_is_followed_in_all_lines():
    log = MISNAMED.format(names="Anne, Bob")
    assert "log.name" in {code for _, code in found(log)}
    assert found(log)[1:] == found(MISNAMED.format(names="Ann, Bob"))


DEALERS = """[Rules "500-rummy"]
[Players "Ann, Bob, Cy"]
hand 1 dealer Ann
score Ann 1, Bob 2, Cy 3
hand 2 dealer Cy
up 6c
1. Cy: draw ?; discard 5s
end agreed
score Ann 1, Bob 2, Cy 3
hand 3 dealer Ann
up 6c
1. {first}: draw ?; discard 5s
"""


@pytest.mark.parametrize("first", ["Ann", "Bob"])
def test_after_a_wrong_dealer_the_hands_go_on_with_either(first):
    codes = [code for _, code in found(DEALERS.format(first=first))]
    assert [code for code in codes if code != "end.early"] == ["setup.dealer"]


def test_a_deal_copied_from_the_hand_before_is_one_mistake():
    log = """[Rules "500-rummy"]
[Players "Ann, Bob, Cy"]
hand 1 dealer Cy
deal Ann 2c 3c 4c 5c 6c 7c 8c
deal Bob ?*7
deal Cy ?*7
score Ann 1, Bob 2, Cy 3
hand 2 dealer Ann
deal Ann 2c 3c 4c 5c 6c 7c 8c
deal Bob 2c 3c 4c 5c 6c 9d 9h
deal Cy ?*7
up 6h
1. Bob: draw Kd; discard 2c
2. Cy: draw ?; discard 4s
"""
    (finding,) = [one for one in audit(log).findings if one.span.line > 7]
    assert finding.repair
    assert (finding.repair.edit, finding.repair.line) == ("line-copied", 9)


TWICE = """hand 1 dealer Ann
up 6c
1. Bob: draw ?; discard 5s
2. Cy: draw ?; discard 4s
end agreed
score Ann 10, Bob 20, Cy 30
total Ann 10, Bob 20, Cy 30
"""


def test_a_hand_written_twice_is_one_mistake_after_which_the_game_stands_as_before():
    header, after = '[Rules "500-rummy"]\n[Players "Ann, Bob, Cy"]\n', "hand 2 dealer Bob\n"
    (finding,) = audit(header + TWICE + TWICE + after).findings[-1:]
    assert finding.repair
    assert (finding.span.line, finding.repair.edit) == (10, "hand-twice")
    assert found(header + TWICE + TWICE + after)[:-1] == found(header + TWICE + after)


def test_two_who_are_no_partners_are_found_once_in_a_game():
    hand = "hand {}\nend out Ann\nscore Ann+Bob 60, Cy+Dee 20\n"
    log = '[Rules "partnership-500-rum"]\n[Players "Ann, Bob, Cy, Dee"]\n'
    log += "".join(map(hand.format, range(1, 4)))
    assert found(log) == [(5, "log.name"), (5, "log.name")]
