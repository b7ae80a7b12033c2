"""`meldref convert`: logs to JSON Lines and back; what cannot be converted is told, all of it, at its place."""

from __future__ import annotations

import json
import re

import pytest

from cli_logs import LOG
from meldref.core.resources import data_path

HAND = '{"event": "hand", "number": 1}'


def test_a_log_becomes_an_object_a_line(meldref, log):
    ran = meldref("convert", log(), "--to", "json")
    assert (ran.code, ran.err) == (0, "")
    data = [json.loads(line) for line in ran.lines]
    assert data[0] == {"event": "header", "key": "Rules", "value": "500-rummy"}
    assert data[2] == {"event": "blank"}
    assert data[8] == {
        "event": "turn",
        "number": 1,
        "player": "Ann",
        "actions": [{"action": "draw", "card": "8s"}, {"action": "discard", "card": "Ks"}],
    }


def test_the_way_back_gives_the_canonical_form(meldref, log):
    text = (
        LOG.replace("draw 8s; discard Ks", "DRAW 8♠ ;discard ks  # late ")
        + "\n\nscore Ann 5,Ann 6 ?! score\n"
    )
    written = meldref("convert", log(text), "--to", "json").out
    ran = meldref("convert", "-", "--to", "rgn", stdin=written)
    assert (ran.code, ran.err) == (0, "")
    assert meldref("fmt", "-", stdin=text).out == ran.out
    assert "1. Ann: draw 8s; discard Ks # late\n" in ran.out


def test_the_ending_tells_the_format_and_a_file_is_not_written_over_unasked(meldref, log, tmp_path):
    ran = meldref("convert", log(), "-o", "friday.jsonl")
    assert (ran.code, ran.out, ran.err) == (0, "", "friday.jsonl: 11 lines\n")
    assert meldref("convert", "friday.jsonl").out == LOG
    assert "the file already exists" in meldref("convert", "friday.rgn", "-o", "friday.jsonl").err
    assert meldref("convert", "friday.rgn", "-o", "friday.jsonl", "--force", "-q").err == ""
    assert sorted(path.name for path in tmp_path.iterdir()) == ["friday.jsonl", "friday.rgn"]


def test_lines_that_cannot_be_read_are_kept_and_told(meldref, log):
    text = LOG + "4. Bob: drwa\n\tnonsense\x01 {\n"
    ran = meldref("convert", log(text), "--to", "json")
    assert ran.code == 1
    assert re.findall(r"^friday.rgn:(\d+):\d+: error: ", ran.err, re.MULTILINE) == ["12", "13"]
    assert ran.err.endswith("friday.rgn: 2 lines cannot be read, and are kept as they are\n")
    assert ran.err.count("meldref explain log.syntax") == 1
    assert [json.loads(line) for line in ran.lines[-2:]] == [
        {"event": "unreadable", "text": "4. Bob: drwa"},
        {"event": "unreadable", "text": "\tnonsense\x01 {"},
    ]
    assert meldref("convert", "-", "--to", "rgn", stdin=ran.out).out == text
    assert meldref("convert", "friday.rgn", "--to", "json", "--exit-zero").code == 0
    assert len(meldref("convert", "friday.rgn", "--to", "json", "-q").err.splitlines()) == 2


def test_cards_in_json_are_read_in_any_spelling_of_a_log(meldref):
    cards = '{"event": "deal", "player": "Ann", "cards": ["5H", "10♠", "JOKER", "?*4"]}'
    take = '{"event": "turn", "player": "Ann", "actions": [{"action": "take", "card": "?"%s}]}'
    counted = take % ', "count": 2'
    ran = meldref("convert", "-", "--to", "rgn", stdin=f"{cards}\n{counted}\n")
    assert (ran.code, ran.lines) == (0, ["deal Ann 5h Ts Jk ?*4", "Ann: take ? x2"])
    ran = meldref("convert", "-", "--to", "rgn", stdin=take % "")
    assert (ran.code, ran.out) == (2, "")
    assert "`take ?` needs the number of cards" in ran.err


@pytest.mark.parametrize("line", [b"# caf\xe9", b"# " + b"x" * 8_200])
def test_what_no_json_can_keep_is_refused(meldref, log, tmp_path, line):
    ran = meldref("convert", log(LOG.encode() + line + b"\n"), "-o", "out.jsonl")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("friday.rgn:12:")
    assert "1 line cannot be converted; nothing is written" in ran.err
    assert not (tmp_path / "out.jsonl").exists()


FAULTS = [
    (
        '{"event": "hand", "number": "1"}',
        29,
        'expected a whole number from 0 to 999,999,999, found `"1"`',
    ),
    ('{"event": "hand", "number": true}', 29, "found `true`"),
    ('{"event": "hand", "number": 1e999}', 29, "found `1e999`"),
    (
        '{"event": "hand", "number": ' + "9" * 5_000 + "}",
        29,
        "a whole number from 0 to 999,999,999",
    ),
    ('{"event": "hand", "number": NaN}', 29, "found `NaN`"),
    ('{"event": "handd"}', 11, "did you mean `hand`?"),
    ('{"event": "nothing of it"}', 11, "one of header, cut, hand"),
    ('{"event": null}', 11, "found `null`"),
    ('{"evnt": "hand"}', 1, "the key `event` is missing; is `evnt` a typo?"),
    ('{"event": "hand", "deler": "Ann"}', 19, "`hand` has no key `deler`; did you mean `dealer`?"),
    ('{"event": "deal", "player": "Ann"}', 11, "`deal` needs `cards`"),
    ('{"event": "deal", "player": "Ann", "cards": ["5h", "11d"]}', 52, 'found `"11d"`'),
    ('{"event": "deal", "player": "Ann", "cards": "5h"}', 45, "expected a list"),
    ('{"event": "deal", "player": "Ann", "cards": []}', 45, "the list is empty"),
    (
        '{"event": "turn", "player": "Ann", "actions": [{"action": "drw"}]}',
        59,
        "did you mean `draw`?",
    ),
    ('{"event": "turn", "player": "Ann", "actions": [7]}', 48, "expected an object, found `7`"),
    (
        '{"event": "turn", "player": "A", "actions": [{"action": "meld", "cards": ["?"]}]}',
        75,
        "as it is laid",
    ),
    ('{"event": "undo", "event": "gap"}', 19, "the key `event` appears twice"),
    ('{"event": "score", "points": {"Ann": 1, "Ann": 2}}', 41, "the key `Ann` appears twice"),
    ('{"event": "score", "points": {"A\\"": 1}}', 31, 'the notation has no way to write `"`'),
    ('{"event": "note", "text": "a\\nb"}', 27, "no way to write U+000A"),
    ('{"event": "gap", "comment": "\\ud83d"}', 30, "half a character"),
    ('{"event": "gap", "annotation": "}"}', 32, "no way to write `}`"),
    ('{"event": "gap", "expected": ["a b"]}', 31, "the code of a violation"),
    (
        '{"event": "end", "reason": "stock", "player": "Ann"}',
        37,
        "a player is named only with `out`",
    ),
    ('{"event": "assert", "what": "hand", "player": "Ann"}', 29, "has either `count` or `cards`"),
    ('{"event": "comment", "text": "gap"}', 30, "only a comment"),
    ('{"event": "unreadable", "text": "a\\nhand 2"}', 33, "one line of a log"),
    ('{"event": "note", "text": "' + "x" * 9_000 + '"}', 1, "at most 8,192 fit"),
    ("[1, 2]", 1, "expected an object, found a list"),
    ('{"event": "gap"', 16, "not JSON: expecting ',' delimiter"),
    ("nonsense", 1, "not JSON: expecting value"),
    ("[" * 90_000, 1, "far too deep"),
    ('{"a":' * 20_000, 1, "far too deep"),
    ('"' + "x" * 140_000, 1, "a line of JSON has at most 131,072 characters"),
]


@pytest.mark.parametrize(("line", "column", "said"), FAULTS, ids=[said for _, _, said in FAULTS])
def test_a_fault_in_json_is_told_at_its_place(meldref, line, column, said):
    ran = meldref("convert", "-", "--to", "rgn", stdin=f"{HAND}\n\n{line}\n")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"-:3:{column}: error: ")
    assert said in ran.err.splitlines()[0]


def test_all_faults_are_told_in_one_run(meldref):
    ran = meldref(
        "convert",
        "-",
        "--to",
        "rgn",
        "-q",
        stdin="\n".join([HAND, *(line for line, _, _ in FAULTS)]),
    )
    places = [line.partition(" error: ")[0] for line in ran.err.splitlines()[:-1]]
    assert places == [f"-:{number}:{column}:" for number, (_, column, _) in enumerate(FAULTS, 2)]
    assert ran.err.endswith(f"-: {len(FAULTS)} lines cannot be converted; nothing is written\n")


def test_bytes_that_are_no_text_are_told(meldref):
    ran = meldref("convert", "-", "--to", "rgn", stdin=b'{"event": "note", "text": "\xff"}')
    assert ran.err.startswith(
        "-:1:28: error: not UTF-8; looks like Windows-1252 (byte 0xFF is \u00ff there)"
    )


@pytest.mark.parametrize(
    ("arguments", "stdin", "said"),
    [
        (("-",), LOG, "-: say what to convert it to, --to json or --to rgn"),
        ((), "", "give the log to convert, or --schema"),
        (("nowhere.rgn",), "", "nowhere.rgn: no such file"),
        (("-", "--to", "json"), HAND, "this is JSON Lines already; --to rgn makes a log of it"),
        (
            ("-", "--to", "rgn"),
            LOG,
            "this is a log in the notation already; --to json makes JSON Lines of it",
        ),
        (("-", "--to", "xml"), LOG, "--to"),
        (("-", "--to", "json", "-o", "no/x.jsonl"), LOG, "no"),
    ],
)
def test_what_cannot_be_done_is_said(meldref, log, arguments, stdin, said):
    ran = meldref("convert", *arguments, stdin=stdin)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err


@pytest.mark.parametrize("to", ["json", "rgn"])
def test_nothing_becomes_nothing(meldref, to):
    ran = meldref("convert", "-", "--to", to, stdin="\n \n")
    assert (ran.code, ran.out, ran.err) == (0, "", "")


def test_the_schema_is_printed(meldref):
    ran = meldref("convert", "--schema")
    assert ran.out == data_path("grammar", "events.schema.json").read_text(encoding="utf-8")


def test_what_simulate_writes_as_json_becomes_its_log(meldref):
    arguments = ("simulate", "--hands", 2, "--seed", 7)
    said = meldref(*arguments, "--to", "json").out
    log = [line for line in meldref(*arguments).lines if line]
    assert meldref("convert", "-", "--to", "rgn", stdin=said).lines == log


def test_the_ending_of_the_file_to_write_tells_where_that_to_read_has_none(meldref, log, tmp_path):
    log()
    assert (
        meldref("convert", "-", "-o", "a.jsonl", stdin=(tmp_path / "friday.rgn").read_bytes()).code
        == 0
    )
    assert (tmp_path / "a.jsonl").read_text().startswith('{"event"')
    assert (
        meldref("convert", "-", "-o", "b.rgn", stdin=(tmp_path / "a.jsonl").read_bytes()).code == 0
    )
    assert (tmp_path / "b.rgn").read_text().startswith("[")


def test_a_file_that_is_not_there_is_told_before_its_format_is_asked(meldref, log):
    log()
    ran = meldref("convert", "nowhere")
    assert (ran.code, ran.err) == (2, "meldref: error: nowhere: no such file\n")


@pytest.mark.parametrize(
    "command",
    [
        ("convert", "friday.rgn"),
        ("simulate", "--hands", "1"),
        ("rules", "schema"),
        ("rules", "rulebook", "500-rummy", "--no-examples"),
        ("rules", "new", "--no-ask"),
    ],
    ids=" ".join,
)
def test_a_hyphen_is_standard_output_for_every_command_that_writes(meldref, log, tmp_path, command):
    log()
    behind = ("-",) if "new" in command else ("-o", "-")
    assert meldref(*command, *behind).out == meldref(*command).out != ""
    assert [path.name for path in tmp_path.iterdir()] == ["friday.rgn"]


def test_a_converted_file_is_not_written_into_another_kind(meldref, log, tmp_path):
    name = log()
    for out in ("friday.pdf", "saturday.rgn"):
        ran = meldref("convert", name, "-o", out)
        assert (ran.code, ran.out) == (2, "")
        assert (
            f"{out}: {name} becomes JSON Lines, for a file that ends in .json, .jsonl or .ndjson"
            in ran.err
        )
        assert not (tmp_path / out).exists()
    assert meldref("convert", name, "-o", "friday.txt").code == 0
    assert meldref("convert", name, "-o", "friday.pdf", "--to", "json").code == 0


def test_the_schema_is_written_into_a_file_and_stands_alone(meldref, log, tmp_path):
    name = log()
    assert meldref("convert", "--schema", "-o", "events.json", "-q").out == ""
    assert json.loads((tmp_path / "events.json").read_text())["$schema"]
    ran = meldref("convert", name, "--schema")
    assert (ran.code, ran.out) == (2, "")
