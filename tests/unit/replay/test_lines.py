"""Lines between the turns: taking back, gaps, misdeals, agreements, cards shown, notes and assertions."""

from __future__ import annotations

import pytest

from audits import audit, found, positions

HEAD = """[Rules "500-rummy"]
[Players "Ann, Bob"]
"""
DEAL = f"""{HEAD}hand 1 dealer Bob
deal Ann 5h 6h 7h 8h 9c Tc Jc 2s 3s 4s Kd Qd Ad
deal Bob 2c 3c 4c 5c 6d 7d 8d 9s Ts Js Kh Qh Ah
up 6c
"""
FIRST = len(DEAL.splitlines()) + 1
SHEET = f"{HEAD}hand 1\nscore Ann 100, Bob 20\n"


def after_deal(*lines: str) -> list[tuple[int, str]]:
    """Findings of a dealt hand with these lines, the first of them counted as 1."""
    return [(line - FIRST + 1, code) for line, code in found(DEAL + "\n".join(lines) + "\n")]


def on_sheet(*lines: str) -> list[tuple[int, str]]:
    """Findings of a score sheet with these lines, the first of them counted as 1."""
    return [(line - 4, code) for line, code in found(SHEET + "\n".join(lines) + "\n")]


# --- undo -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "lines",
    [
        ("1. Ann: draw 2h; discard 2s", "undo", "1. Ann: draw 2h; discard 3s", "= pile 6c 3s"),
        (
            "1. Ann: draw 2h; discard 2s",
            "2. Bob: draw 3h; discard 2c",
            "undo",
            "undo",
            "1. Ann: take 6c; discard 2s",
        ),
        (
            *("1. Ann: draw 2h; discard 2s", "undo", "1. Ann: draw 2h; discard 3s", "undo", "undo"),
            *("up 7c", "1. Ann: take 7c; discard 2s"),
        ),
        ("1. Ann: draw 2h; discard 2d", "undo", "1. Ann: draw 2h; discard 2s"),
        ("1. Ann: draw 2h; discard 2s", "= stock 99", "undo", "2. Bob: draw 3h; discard 2c"),
        ("1. Ann: draw 2h; discard 2s", "end out Ann", "undo", "2. Bob: draw 3h; discard 2c"),
        ("1. Ann: draw 2h; discard 2s", "gap", "undo", "= stock 26", "2. Bob: draw 3h; discard 2c"),
        ("1. Ann: draw 2h; discard 2s", "# a slip", "", "undo", "1. Ann: draw 3h; discard 2s"),
        (
            "1. Ann: draw 2h; meld 5h 6h 7h; discard 8h",
            "Bob: rummy 8h; lay 8h m1; discard Kh",
            "undo",
            "2. Bob: draw 3h; discard 2c",
        ),
        ("1. Ann: draw 2h; meld 5h 6h 7h", "undo", "1. Ann: draw 2h; meld 5h 6h 7h 8h; discard 2s"),
    ],
)
def test_undo_takes_the_line_before_it_back(lines):
    """A turn, half a turn, a call, an assertion, an end or a gap is as if it had not been written."""
    assert after_deal(*lines) == []


def test_an_undo_without_which_everything_fits_is_named():
    (finding,) = audit(
        f"{DEAL}1. Ann: draw 2h; discard 2s\nundo\n2. Bob: draw 3h; discard 9s\n"
        "3. Ann: take 2s x2; meld 2s 3s 4s; discard Kd\n"
    ).findings
    assert finding.repair
    assert finding.repair.text == f"“undo” in line {FIRST + 1} did not happen"


def test_undo_of_an_up_card_turns_another_one_up():
    assert found(f"{DEAL}undo\nup 7c\n1. Ann: take 7c; discard 2s\n") == []


def test_what_was_found_on_a_line_that_is_taken_back_is_forgotten_and_nothing_else():
    assert after_deal("1. Ann: draw 2h; discard 2d", "undo") == []
    assert after_deal("no line at all", "1. Ann: draw 2h; discard 2d", "undo") == [
        (1, "log.syntax")
    ]


def test_undo_takes_back_a_line_that_could_not_be_read():
    """The line before counts even where it says nothing; it is still found that it cannot be read."""
    lines = (
        "1. Ann: draw 2h; discard 2s",
        "2. Bob: draw 3h; discrad 2c",
        "undo",
        "2. Bob: draw 3h; discard 2c",
    )
    assert after_deal(*lines) == [(2, "log.syntax")]


@pytest.mark.parametrize(
    "lines",
    [
        ("undo", "score Ann 90, Bob 20", "total Ann 90, Bob 20"),
        ("total Ann 99, Bob 20", "undo", "total Ann 100, Bob 20"),
        ("adjust Ann 5", "undo", "total Ann 100, Bob 20"),
        ("result Bob", "undo", "hand 2", "score Ann 400, Bob 1", "result Ann"),
        ("chips Ann 5, Bob -5", "undo", "total Ann 100, Bob 20"),
    ],
)
def test_undo_takes_back_lines_of_the_score(lines):
    assert on_sheet(*lines) == []


@pytest.mark.parametrize(
    "lines", [("undo",), ("hand 1", "undo"), ("hand 1", "score Ann 1", "undo", "undo")]
)
def test_there_must_be_a_line_to_take_back(lines):
    assert found(HEAD + "\n".join(lines) + "\n") == [(2 + len(lines), "log.assert")]


def test_undo_does_not_count_a_turn_twice():
    assert (
        audit(f"{DEAL}1. Ann: draw 2h; discard 2s\nundo\n1. Ann: draw 2h; discard 3s\n").turns == 1
    )


# --- gap ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "lines",
    [
        ("gap", "9. Bob: draw; discard 4d", "10. Ann: take 4d; discard 3h", "end out Ann"),
        ("gap", "Ann: draw; discard 4d"),
        ("gap", "Bob: draw; discard 4d"),
        ("gap", "Bob: take 4d; discard 8s"),
        ("gap", "Bob: take 4d x3; discard 8s"),
        ("gap", "Bob: draw; discard 4d", "= stock 12", "= hand Ann 3"),
        ("gap", "Bob: draw; discard 4d", "end stock"),
        ("gap", "Bob: pass", "end stock"),
        ("gap", "Bob: draw; discard 4d", "Ann: pass", "end stock"),
        ("gap", "Bob: draw; meld 2h 2c 2d", "end out Bob"),
        ("gap", "Bob: draw; meld 2h 2c 2d; discard 9s", "end out Bob", "score Ann -5, Bob 6"),
        ("gap", "end stock", "score Ann -5, Bob 6"),
        ("gap", "= pile 4d 4c", "= hand Bob 3c 4s ?*3"),
        ("gap", "gap", "end out Ann"),
    ],
)
def test_after_a_gap_what_may_have_been_is_no_finding(lines):
    assert after_deal("1. Ann: draw 2h; discard 2s", *lines) == []


def test_whoever_goes_out_took_the_last_turn_however_much_is_unknown():
    lines = "gap", "9. Bob: draw; discard 4d", "10. Ann: take 4d; discard 3h"
    wrong = after_deal("1. Ann: draw 2h; discard 2s", *lines, "end out Bob")
    assert wrong == [(5, "end.reason")]
    gone_on = after_deal("1. Ann: draw 2h; discard 2s", *lines, "gap", "end out Bob")
    assert gone_on == []


def test_going_out_without_a_discard_that_is_required_is_found_however_much_is_unknown():
    turns = "1. Ann: draw 2h; discard 2s", "gap", "Bob: draw; meld 2h 2c 2d", "end out Bob"
    assert after_deal(*turns) == []
    text = DEAL.replace("[Players", '[Options "discard-to-go-out"]\n[Players') + "\n".join(turns)
    assert [code for _, code in found(text + "\n")] == ["out.discard-required"]


def test_a_wrong_end_is_told_beside_a_move_that_could_not_be_carried_out():
    deal = "deal Ann 2c 2d 2h 3c 3d 3h 3s\ndeal Bob ?*7\ndeal Cy ?*7\nup 5h\nstock 4c\n"
    out = "1. Ann: draw 9h; meld 2c 2d 2h; meld 3c 3d 3h 3s; discard 9h\nend out Bob\n"
    wrong = found(f"{HEAD.replace('Bob', 'Bob, Cy')}hand 1 dealer Cy\n{deal}{out}")
    assert [code for _, code in wrong] == ["draw.stock", "end.reason"]


def test_a_turn_under_a_misspelled_name_is_played_by_whom_it_was_meant():
    first = "1. Anne: draw 2h; meld 5h 6h 7h; discard 2s"
    assert after_deal(first, "2. Bob: draw 4h; lay 4h m1; discard 9s") == [(1, "log.name")]
    assert after_deal(first, "2. Bob: take 3s; discard 9s") == [(1, "log.name"), (2, "draw.pile")]
    elsewhere = "2. Anne: draw 3c; discard 9s"
    assert after_deal(first.replace("Anne", "Ann"), elsewhere) == [(2, "log.name")]


def test_after_a_gap_the_table_and_what_was_melded_stay():
    first = "1. Ann: draw 2h; meld 5h 6h 7h; discard 2s"
    assert after_deal(first, "gap", "= table m1 5h 6h 7h", "= score Ann 18") == []
    assert after_deal(first, "gap", "Bob: draw; lay 8h m1; discard 9s", "= score Bob 8") == []
    assert after_deal(first, "gap", "Bob: draw 5h; discard 9s") == [(3, "log.copies")]
    assert after_deal(first, "gap", "Bob: draw; lay 9d m1; discard 9s") == [(3, "layoff.fit")]


def test_after_a_gap_play_is_in_order_again():
    assert after_deal("gap", "Bob: draw; discard 4d", "Bob: draw; discard 5d") == [
        (3, "turn.order")
    ]


def test_after_a_gap_a_call_is_not_judged_by_the_unknown_pile():
    first = "1. Ann: draw 2h; meld 5h 6h 7h; discard 2s"
    assert after_deal(first, "gap", "Bob: rummy 8h; lay 8h m1; discard 9s") == []


def test_a_stock_that_may_be_empty_may_be_made_new_after_a_gap():
    head = '[Rules "500-rum"]\n[Options "reshuffle-stock"]\n[Players "Ann, Bob"]\nhand 1\n'
    assert found(f"{head}Ann: discard 5h\ngap\nreshuffle\nBob: draw; discard 6h\n") == []


def test_an_asserted_hand_is_known_again_after_a_gap():
    lines = (
        "gap",
        "= hand Bob 3c 4c ?",
        "Bob: draw; discard 3c",
        "Ann: draw; discard 9c",
        "= hand Bob 3",
    )
    assert after_deal(*lines) == []
    assert after_deal(*lines, "= hand Bob 4") == [(6, "log.assert")]


def test_a_gap_leaves_the_score_open():
    report = audit(f"{DEAL}1. Ann: draw 2h; discard 2s\ngap\nend out Ann\nscore Ann 5, Bob -20\n")
    assert (report.verdict, report.findings) == ("undecided", [])
    assert {one.line for one in report.open} == {FIRST + 2, FIRST + 3}


def test_no_turns_are_missing_once_the_hand_is_over():
    hand = (
        "1. Ann: draw 2h; meld 5h 6h 7h 8h; meld 9c Tc Jc; meld 2s 3s 4s; meld Kd Qd Ad; discard 2h"
    )
    assert after_deal(hand, "end out Ann", "gap") == [(3, "end.late")]


# --- void, adjust, show, note ---------------------------------------------------------------------


def test_a_hand_that_is_annulled_does_not_count():
    """Neither its score nor its number; who deals next is a matter of agreement."""
    text = f"{HEAD}hand 1 dealer Ann\nscore Ann 100, Bob 0\nvoid misdeal\n"
    for again in ("hand 1 dealer Ann", "hand 2 dealer Bob", "hand 2 dealer Ann", "hand"):
        assert found(f"{text}{again}\nscore Ann 5, Bob 10\ntotal Ann 5, Bob 10\n") == []
    assert found(f"{text}total Ann 0, Bob 0\n") == []
    assert found(f"{text}hand 3\n") == [(6, "log.number")]


def test_a_hand_that_is_annulled_keeps_the_totals_before_it():
    text = f"{SHEET}hand 2\nscore Ann 5, Bob 5\nvoid misdeal\ntotal Ann 100, Bob 20\n"
    assert found(text) == []
    assert found(text.replace("total Ann 100", "total Ann 105")) == [(8, "score.total")]


def test_a_misdealt_hand_may_be_unfinished_and_wrongly_dealt():
    assert (
        found(
            f"{HEAD}hand 1 dealer Ann\ndeal Ann 5h 6h\nvoid misdeal\nhand 1 dealer Ann\nscore Ann 5, Bob 1\n"
        )
        == []
    )


@pytest.mark.parametrize(
    "lines",
    [
        ('adjust Ann -10 "late call"', "total Ann 90, Bob 20"),
        ("adjust Ann -10", "hand 2", "score Ann 5, Bob 5", "total Ann 95, Bob 25"),
        (
            "total Ann 100, Bob 20",
            "adjust Ann -10",
            "hand 2",
            "score Ann 5, Bob 5",
            "total Ann 95, Bob 25",
        ),
        ("adjust Ann 400", "result Ann"),
        ("adjust Ann 3", "adjust Ann 4", "adjust Bob -7", "total Ann 107, Bob 13"),
    ],
)
def test_points_by_agreement_count_in_the_totals(lines):
    assert on_sheet(*lines) == []


def test_points_by_agreement_may_not_be_forgotten_and_are_somebodys():
    assert on_sheet("adjust Ann -10", "total Ann 100, Bob 20") == [(2, "score.total")]
    assert on_sheet("adjust Zed -10") == [(1, "log.name")]


PUBLIC = f"""{HEAD}hand 1 dealer Bob
deal Ann 5h 6h 7h 8h 9c Tc Jc 2s 3s 4s Kd Qd Ad
deal Bob ?*13
up 6c
1. Ann: draw 2h; meld 5h 6h 7h 8h; meld 9c Tc Jc; meld 2s 3s 4s; meld Qd Kd Ad; discard 2h
end out Ann
"""
BOBS = "2c 3c 4c 5c 6d 7d 8d 9s Ts Js Kh Qh Ah"  # 99 points


def test_cards_shown_make_a_score_known():
    assert audit(f"{PUBLIC}score Ann 99, Bob -99\n").verdict == "undecided"
    report = audit(f"{PUBLIC}show Bob {BOBS}\nscore Ann 99, Bob -99\n")
    assert report.scores[0].computed == {"Ann": 26 + 29 + 9 + 35, "Bob": -99}
    assert (report.verdict, report.findings) == ("clean", [])


def test_a_score_that_follows_from_cards_shown_is_checked():
    assert found(f"{PUBLIC}show Bob {BOBS}\nscore Ann 99, Bob -98\n") == [(10, "score.hand")]


@pytest.mark.parametrize(
    ("shown", "code"),
    [
        ("Bob 5h", "log.copies"),
        ("Bob 6c", "log.copies"),
        ("Bob 2h", "log.copies"),
        ("Ann 3h", "hand.missing"),
        (f"Bob {BOBS} 4h", "hand.missing"),
        ("Bob 3c 3c", "log.copies"),
        ("Zed 3h", "log.name"),
    ],
)
def test_a_card_that_cannot_be_there_is_not_shown(shown, code):
    assert found(f"{PUBLIC}show {shown}\n") == [(9, code)]


def test_cards_may_be_shown_one_after_the_other():
    shown = "\n".join(f"show Bob {card}" for card in BOBS.split())
    assert audit(f"{PUBLIC}{shown}\nscore Bob -99\n").verdict == "clean"


def test_notes_and_annotations_are_never_judged():
    lines = (
        'note "Bob was late"',
        "1. Ann: draw 2h; discard 2s {clock=12.3} # quick",
        "# 2. Bob: nonsense",
        '{x="y"}',
    )
    assert after_deal(*lines) == []


# --- assertions -----------------------------------------------------------------------------------

MELDED = "1. Ann: draw Jk; meld 5h 6h Jk=7h; discard 2s"


@pytest.mark.parametrize(
    "line",
    [
        "= hand Ann 10",
        "= hand Ann 7h 8h 9c Tc Jc 3s 4s Kd Qd Ad",
        "= hand Ann Ad ?*9",
        "= hand Bob 13",
        "= pile 6c 2s",
        "= table m1 5h 6h Jk=7h",
        "= table m1 Jk 6h 5h",
        "= stock 26",
        "= score Ann 26",
        "= score Bob 0",
    ],
)
def test_what_is_so_may_be_asserted(line):
    assert after_deal(MELDED, line) == []


@pytest.mark.parametrize(
    "line",
    [
        "= hand Ann 9",
        "= hand Ann 7h 8h 9c Tc Jc 3s 4s Kd Qd",
        "= hand Ann 7h 8h 9c Tc Jc 3s 4s Kd Qd 2s",
        "= hand Ann 2s ?*9",
        "= hand Ann ?*9",
        "= hand Bob 6h ?*12",
        "= pile 6c",
        "= pile 2s 6c",
        "= table m1 5h 6h Jk=4h",
        "= table m1 5h 6h",
        "= table m1 5h 6h 7h",
        "= stock 27",
        "= score Ann 18",
        "= score Bob 1",
    ],
)
def test_what_is_not_so_is_found(line):
    assert after_deal(MELDED, line) == [(2, "log.assert")]


@pytest.mark.parametrize("line", ["= hand Zed 5", "= score Zed 5", "= table m2 5h 6h 7h"])
def test_an_assertion_is_about_somebody_or_something_that_is_there(line):
    assert after_deal(MELDED, line) == [(2, "log.name")]


def test_a_failed_assertion_says_what_was_asserted_what_is_so_and_the_difference():
    finding = audit(f"{DEAL}{MELDED}\n= stock 30\n").findings[0]
    assert finding.notes == ("asserted: 30", "computed: 26", "difference: +4")


def test_an_assertion_may_stand_before_the_first_turn():
    assert after_deal("= stock 27", "= hand Ann 13", "= pile 6c") == []


def test_an_assertion_tells_cards_that_were_unknown():
    """They count as known from then on."""
    head = f"{HEAD}hand 1\ndeal Ann ?*13\ndeal Bob ?*13\nup 6c\n= hand Ann 5h ?*12\n"
    assert found(f"{head}1. Ann: draw; discard 9s\n2. Bob: draw 5h; discard 9d\n") == [
        (9, "log.copies")
    ]
    for _, position in positions(head):
        assert position is None or position.held == [13, 13]


# --- lines that cannot be read --------------------------------------------------------------------


def test_what_follows_a_first_turn_that_cannot_be_read_is_not_held_against_anybody():
    """As after any other turn that nobody can read; a spoilt deal is no turn."""
    assert after_deal("1. Ann: draw 2h; discard 5x", "2. Bob: draw 3h; discard 2c") == [
        (1, "log.syntax")
    ]
    assert after_deal("Ann: got 2h", "2. Bob: draw 3h; discard 2c") == [(1, "log.syntax")]
    assert after_deal("note: x", "1. Ann: draw 2h; discard 2d") == [
        (1, "log.syntax"),
        (2, "hand.missing"),
    ]


@pytest.mark.parametrize(("date", "warned"), [("11.9.2026", True), ("2026-09-11", False)])
def test_a_date_that_is_not_read_is_a_warning_and_changes_no_verdict(date, warned):
    report = audit(f'[Rules "500-rummy"]\n[Players "Ann, Bob"]\n[Date "{date}"]\nhand 1\ngap\n')
    assert [finding.severity.value for finding in report.findings] == ["warning"] * warned
    assert report.verdict == "clean"
