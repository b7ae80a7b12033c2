"""Score sheets at the door of the commands: what each does with one, and with what is doubtful."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

SHEET = "Round,Ann,Bob\n1,45,-20\n2,60,115\nTotal,105,95\n"
WRONG = SHEET.replace("105,95", "105,96")
DOUBTFUL = SHEET.replace("-20", "4S")


@pytest.fixture
def sheet(log):
    return lambda text=SHEET, name="evening.csv": log(text, name)


@pytest.mark.parametrize(("text", "code"), [(SHEET, 0), (DOUBTFUL, 1), ("Dear Ann\n", 2)])
def test_the_status_says_whether_a_sheet_was_read_and_without_doubt(meldref, sheet, text, code):
    assert meldref("import", sheet(text)).code == code


def test_a_sheet_comes_from_standard_input(meldref):
    ran = meldref("import", "-", stdin=SHEET)
    assert "score Ann 45, Bob -20" in ran.out


LOG = """\
[Rules "500-rummy"]
[Players "Ann, Bob"]
hand 1 dealer Bob
up 7c
Ann: draw ?; discard 9s
"""
EVENTS = """\
{"who": "Ann", "do": "draw"}
{"who": "Ann", "do": "throw", "card": "9s"}
{"who": "Bob", "do": "draw"}
"""
MAP = """\
map: mine
records: {at: .}
rules: {game: 500-rummy}
player: who
lines:
  - {when: {do: draw}, line: draw}
  - {when: {do: throw}, line: discard, card: card}
"""


@pytest.fixture
def pipe():
    """The name of a pipe with a text in it, which can be read once."""
    if not Path("/dev/fd").exists():
        pytest.skip("pipes have no names here")
    ends = []

    def piped(text):
        reading, writing = os.pipe()
        os.write(writing, text.encode())
        os.close(writing)
        ends.append(reading)
        return f"/dev/fd/{reading}"

    yield piped
    for end in ends:
        os.close(end)


@pytest.mark.parametrize(
    ("command", "text", "said"),
    [
        (("import",), SHEET, "score Ann 45, Bob -20"),
        (("score",), SHEET, "105   95"),
        (("audit",), SHEET, "clean (2 hands, 0 turns)"),
        (("audit",), LOG, "clean (1 hand, 1 turn)"),
        (("replay",), LOG, "Ann: draw"),
        (("import", "--map", "map.yaml"), EVENTS, "Ann: draw ?; discard 9s"),
        (("audit", "--map", "map.yaml"), EVENTS, "(1 hand, 2 turns)"),
        (("convert", "--to", "rgn", "--map", "map.yaml"), EVENTS, "Bob: draw ?"),
    ],
)
def test_a_pipe_is_read_as_a_file_is(meldref, log, pipe, command, text, said):
    log(MAP, "map.yaml")
    ran = meldref(*command, pipe(text))
    assert said in ran.out, ran.err


def test_an_existing_file_is_overwritten_only_by_force(meldref, sheet, tmp_path):
    (tmp_path / "evening.rgn").write_text("mine\n", encoding="utf-8")
    assert meldref("import", sheet(), "-o", "evening.rgn").code == 2
    assert meldref("import", sheet(), "-o", "evening.rgn", "--force").code == 0
    assert meldref("audit", "evening.rgn").code == 0


@pytest.mark.parametrize(
    ("format_", "place"),
    [
        ("text", "evening.csv:4:11: wrong"),
        ("json", '"line": 4, "column": 11'),
        ("jsonl", '"line": 4, "column": 11'),
        ("sarif", '"startLine": 4, "startColumn": 11'),
        ("github", "line=4,col=11"),
        ("junit", "evening.csv:4:11"),
    ],
)
def test_findings_point_into_the_sheet_in_every_format(meldref, sheet, format_, place):
    ran = meldref("audit", sheet(WRONG), "--format", format_)
    assert ran.code == 1
    assert place in ran.out


def test_doubts_change_no_status_of_an_audit(meldref, sheet):
    ran = meldref("audit", sheet(DOUBTFUL))
    assert ran.code == 0
    assert "evening.csv:2:6: `4S` cannot be read as a score" in ran.err
    assert meldref("report", sheet(DOUBTFUL), "-o", "evening.html").code == 0


def test_what_score_writes_as_csv_or_text_it_reads_as_the_same(meldref, sheet):
    first = meldref("score", sheet("Hand,Ann,Bob,Kit\n1,45,-20,\n2,5,x,10\n3,5,?,7\n"))
    for options in ((), ("--format", "csv")):
        written = meldref("score", "evening.csv", *options).out
        again = meldref("score", sheet(written, "again.csv"))
        assert again.out == first.out


def test_commands_that_write_a_log_in_place_name_import(meldref, sheet):
    for command in ("fmt", "table"):
        ran = meldref(command, sheet())
        assert ran.code == 2
        assert "`meldref import` makes a log of it" in ran.err


KITCHEN = Path(__file__).parents[3] / "examples" / "events"
MAPPED = (KITCHEN / "kitchen.jsonl", "--map", KITCHEN / "kitchen.yaml")


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        (("replay",), "evening.csv:3: score Ann 60, Bob 115"),
        (("view", "--for", "Ann"), '[View "Ann"]'),
        (("convert", "--to", "json"), '{"event": "hand", "number": 2}'),
        (("score",), "total  105   95"),
    ],
)
def test_every_command_that_reads_a_log_takes_a_sheet(meldref, sheet, arguments, shown):
    ran = meldref(arguments[0], sheet(), *arguments[1:])
    assert ran.code == 0
    assert shown in ran.out


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        (("replay", "--at", "7"), "kitchen.jsonl:6: Bob: take Ks x1; lay 8h m1; discard Td"),
        (("view", "--for", "public"), "Ann: draw ?; meld 5h 6h 7h; discard Ks"),
        (("convert", "--to", "json"), '"card": "Ks"'),
        (("convert", "--to", "rgn"), "Ann: draw ?; meld 5h 6h 7h; discard Ks"),
        (("legal", "--at", "10", "--log"), "take Td"),
        (("rules", "infer"), "Found by meldref from 1 log with 1 hand"),
        (("rules", "diff", "500-rummy", "500-rum", "--logs"), "kitchen.jsonl:3"),
    ],
)
def test_every_command_that_reads_a_log_takes_events_with_their_map(meldref, arguments, shown):
    ran = meldref(*arguments, *MAPPED)
    assert ran.code < 2, ran.err
    assert shown in ran.out


@pytest.mark.parametrize(
    ("at", "move", "said"),
    [
        ("3", "draw", "legal: Ann: draw"),
        ("4", "meld 5h 6h 7h", "Ann: meld 5h 6h 7h"),
        ("5", "discard Ks", "Ann: discard Ks"),
        ("9", "draw", "legal: Ann: draw"),
        ("10", "draw", "legal: Ann: draw"),
        ("12", "discard 2c", "draw.deep.unused"),
        ("13", "draw", "legal: Bob: draw"),
    ],
)
def test_a_move_is_judged_where_its_record_stands_also_within_a_turn(meldref, at, move, said):
    ran = meldref("legal", move, "--at", at, "--log", *MAPPED)
    assert "turn.draw" not in ran.out
    assert said in ran.out


def test_rules_that_do_not_explain_events_name_the_lines_of_their_file(meldref, log):
    log(MAP + "  - {when: {do: win}, line: result, player: who}\n", "map.yaml")
    events = EVENTS + '{"do": "throw", "who": "Bob", "card": "3d"}\n{"do": "win", "who": "Ann"}\n'
    ran = meldref("rules", "infer", log(events, "e.jsonl"), "--map", "map.yaml")
    assert "game.winner, in 1 hand (first e.jsonl:5)" in ran.out


def test_no_rules_are_found_from_a_sheet_which_tells_nothing_of_the_play(meldref, sheet):
    ran = meldref("rules", "infer", sheet())
    assert (ran.code, "this is a score sheet" in ran.err) == (2, True)


def test_standard_input_is_recognized_as_well(meldref):
    assert "-:4:11: wrong: Bob's total is 95" in meldref("audit", "-", stdin=WRONG).out
    assert "total  105   95" in meldref("score", "-", stdin=SHEET).out
    events = (KITCHEN / "kitchen.jsonl").read_bytes()
    ran = meldref("audit", "-", *MAPPED[1:], stdin=events)
    assert "-:10: illegal: the card taken" in ran.out


def test_a_log_in_standard_input_stays_one_whatever_its_beginning_is(meldref):
    text = (
        "# our evening\n" * 2000
        + '[Players "Ann, Bob"]\n'
        + "hand 1\nscore Ann 45, Bob 5\ntotal Ann 45, Bob 5\n"
    )
    assert "-: clean" in meldref("audit", "-", "--rules", "500-rummy", stdin=text).out


def test_the_page_of_a_sheet_names_places_in_the_sheet(meldref, sheet):
    page = meldref("report", sheet(WRONG)).out
    assert "evening.csv, line 4, game 1, hand 2" in page
    assert "Total,105,<mark>96</mark>" in page


def test_the_page_of_events_names_their_records(meldref):
    page = meldref("report", *MAPPED).out
    assert "kitchen.jsonl, line 10, game 1, hand 1, turn 3" in page
    assert "the record became `take 6c x2`" in page


def test_a_folder_is_searched_for_logs_alone(meldref, sheet, tmp_path):
    sheet()
    ran = meldref("audit", str(tmp_path))
    assert ran.code == 2
    assert "no *.rgn" in ran.err


def test_an_unknown_reading_is_refused(meldref, sheet):
    ran = meldref("audit", sheet(), "--sheet", "upwards")
    assert ran.code == 2
    assert "the readings are scores, totals" in ran.err


def test_a_hand_may_be_one_that_somebody_did_not_play(meldref):
    ran = meldref("score", "--hand", "Ann 45, Bob -20, Kit -", "--hand", "Ann 5, Bob 5, Kit 5")
    assert ran.out.splitlines()[:4] == [
        "hand   Ann  Bob  Kit",
        "1       45  -20    -",
        "2        5    5    5",
        "total   50  -15    5",
    ]
