"""`meldref conformance`: what a program gets wrong is told, and meldref itself gets nothing wrong."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys

import pytest
from jsonschema import Draft202012Validator

from meldref.core.text import one_line
from paths import ROOT

SCHEMA = json.loads((ROOT / "docs" / "conformance.schema.json").read_text(encoding="utf-8"))
SERVE = [sys.executable, "-m", "meldref_cli.main", "conformance", "--serve"]
CASES = """\
cases:
  - id: one
    name: a card is kept
    rules: 500-rummy
    given: {hands: {A: "5h 6h 7h 9s", B: "3c"}, pile: "2c"}
    moves: ["A: draw Kc; meld 5h 6h 7h; discard 9s"]
    expect: {verdict: legal, then: plays B, points: {A: 18}, hands: {A: "Kc"}, pile: "2c 9s", table: {m1: {A: "7h 6h 5h"}}}
  - id: two
    name: the top card goes back
    rules: 500-rummy
    given: {hands: {A: "2c 9d", B: "3c"}, pile: "7h"}
    moves: ["A: take 7h; discard 7h"]
    expect: {verdict: illegal, at: 1, because: discard}
  - id: three
    name: nobody knows the hand
    rules: 500-rum
    log: |
      [Players "A, B"]
      hand 1
      total A 45, B 20
    expect: {verdict: legal}
"""
ALWAYS = """\
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["cmd"] == "start":
        print(json.dumps({"version": 1}), flush=True)
    if message["cmd"] == "ask":
        case = message["case"]["id"]
        print(json.dumps({"seq": message["seq"], **ANSWERS(case)}), flush=True)
"""
RIGHT = {
    "one": {
        "verdict": "legal",
        "then": "plays B",
        "points": {"A": 18, "B": 0},
        "hands": {"A": "Kc", "B": "3c"},
        "pile": "2c 9s",
        "table": {"m1": {"A": "5h 6h 7h"}},
    },
    "two": {"verdict": "illegal", "at": 1, "because": ["discard.taken-top"]},
    "three": {"verdict": "legal"},
}


def checked(name, message):
    Draft202012Validator({**SCHEMA, "$ref": f"#/$defs/{name}"}).validate(message)


@pytest.fixture
def cases(tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text(CASES, encoding="utf-8")
    return str(path)


@pytest.fixture
def asked(meldref, cases, tmp_path):
    """Asks a program that gives certain answers, the right ones where none is given."""

    def ask(answers=None, *options, program=None):
        path = tmp_path / "program.py"
        all_ = {**RIGHT, **(answers or {})}
        path.write_text(program or ALWAYS.replace("ANSWERS", f"{all_!r}.get"), encoding="utf-8")
        return meldref("conformance", "--cases", cases, *options, "--", sys.executable, str(path))

    return ask


def test_right_answers_are_counted_by_game(asked):
    ran = asked()
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.split("\n")[1:] == [
        "500-rum        1      0        0       0",
        "500-rummy      2      0        0       0",
        "all            3      0        0       0",
        "",
    ]


@pytest.mark.parametrize(
    ("case", "key", "value"),
    [
        ("one", "verdict", "illegal"),
        ("one", "verdict", "open"),
        ("one", "verdict", None),
        ("one", "then", "over"),
        ("one", "points", {"A": 15}),
        ("one", "points", [18]),
        ("one", "hands", {"A": "Kc 2c"}),
        ("one", "hands", {"B": "3c"}),
        ("one", "pile", "9s 2c"),
        ("one", "pile", "what"),
        ("one", "table", {"m1": {"B": "5h 6h 7h"}}),
        ("one", "table", {"m1": {"A": "5h 6h 8h"}}),
        ("one", "table", {}),
        ("two", "at", 2),
        ("two", "because", "draw.deep.unused"),
        ("two", "because", None),
    ],
)
def test_what_a_program_gets_wrong_is_told_with_the_place_of_the_case(asked, case, key, value):
    ran = asked({case: {**RIGHT[case], key: value}})
    line = {"one": 2, "two": 8}[case]
    assert ran.code == 1
    assert f"mine.yaml:{line}: failed: " in ran.out
    assert f"≠ {key}" in ran.out
    assert "all            2      1        0       0" in ran.out


def test_only_some_keys_can_be_compared(asked):
    wrong = {"one": {"verdict": "legal", "pile": "9s 2c"}, "two": {"verdict": "illegal"}}
    assert asked(wrong, "--only", "verdict").code == 0
    assert asked(wrong, "--only", "verdict, pile").code == 1
    assert "did you mean pile?" in asked(wrong, "--only", "pille").err


def test_what_is_skipped_is_no_mistake_unless_all_is_asked_for(asked):
    skipping = {"two": {"skipped": "no pile yet"}}
    assert asked(skipping).code == 0
    assert asked(skipping, "--strict").code == 1


def test_open_is_right_where_nothing_is_expected_to_be_wrong_but_something_is_open(asked, tmp_path):
    assert asked({"three": {"verdict": "open"}}).code == 1
    unscored = CASES.replace(
        "      total A 45, B 20\n", "      end out A\n      score A 510\n      result A\n"
    )
    (tmp_path / "mine.yaml").write_text(unscored, encoding="utf-8")
    assert asked({"three": {"verdict": "open"}}).code == 0


@pytest.mark.parametrize(
    ("program", "why"),
    [
        ("print('[')", "what it answered is no JSON: ["),
        ("print('[]')", "it answered with something that is no object"),
        ("print('{}')", "it speaks version null of the protocol, not 1"),
        ("print()", "it answered with an empty line"),
        ("raise SystemExit(7)", "it ended, with status 7"),
        ("import time; time.sleep(60)", "it did not answer within 0.5 seconds"),
        (
            "import sys; sys.stdout.buffer.write(b'\\xff\\x1b[2J\\n'); sys.stdout.flush()",
            "is no JSON: \ufffd\\x1b[2J",
        ),
    ],
)
def test_a_program_that_does_not_introduce_itself_cannot_be_asked(asked, program, why):
    ran = asked(None, "--limit-time", "0.5" if "sleep" in program else "10", program=program)
    assert (ran.code, ran.out) == (2, "")
    assert "cannot be asked" in ran.err
    assert why in ran.err


def test_a_program_that_falls_silent_is_started_anew_and_its_case_has_failed(asked):
    program = ALWAYS.replace(
        "ANSWERS(case)", f"({RIGHT!r}[case] if case != 'two' else sys.exit(3))"
    )
    ran = asked(program=program)
    assert ran.code == 1
    assert "no answer: the top card goes back\n  = it ended, with status 3" in ran.out
    assert "all            2      0        0       1" in ran.out


def test_an_answer_to_another_question_is_none(asked):
    ran = asked(program=ALWAYS.replace('message["seq"]', "7").replace("ANSWERS", f"{RIGHT!r}.get"))
    assert "it answered 7 to question 1" in ran.out


def test_a_program_that_is_not_there_is_named(meldref, cases):
    ran = meldref("conformance", "--cases", cases, "--", "no-such-program")
    assert (ran.code, ran.err) == (
        2,
        "meldref: error: no-such-program cannot be started: no such file or directory\n",
    )


@pytest.mark.parametrize("arguments", [(), ("--serve", "--schema"), ("--schema", "--", "x")])
def test_one_thing_is_asked_for_at_a_time(meldref, arguments):
    assert "give either the program to ask" in meldref("conformance", *arguments).err


def test_meldref_gets_nothing_wrong_that_ships(meldref):
    ran = meldref(
        "conformance", "--rules", "michigan-rum", "--rules", "persian-rummy", "--", *SERVE
    )
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.split()[-3:] == ["0", "0", "0"]


@pytest.mark.sweep
def test_meldref_gets_none_of_all_cases_wrong(meldref):
    ran = meldref("conformance", "--strict", "--", *SERVE)
    assert (ran.code, ran.err) == (0, "")


def test_each_message_is_as_the_schema_says(cases):
    asking = subprocess.run(
        [*SERVE[:-1], "--cases", cases, "--", sys.executable, "-c", TEE, *SERVE],
        capture_output=True,
        text=True,
        check=True,
    )
    seen = [json.loads(line) for line in asking.stderr.splitlines()]
    names = [message.get("cmd") for message in seen]
    assert [name for name in names if name] == [
        "start",
        "ruleset",
        "ask",
        "ask",
        "ruleset",
        "ask",
        "stop",
    ]
    for message, name in zip(seen, names, strict=True):
        checked(name or ("answer" if "seq" in message else "introduction"), message)


TEE = """\
import subprocess, sys
inner = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
for line in sys.stdin:
    sys.stderr.write(line)
    inner.stdin.write(line)
    inner.stdin.flush()
    if '"cmd": "start"' in line or '"cmd": "ask"' in line:
        answer = inner.stdout.readline()
        sys.stderr.write(answer)
        print(answer, end="", flush=True)
inner.wait()
"""


def test_the_kit_has_every_case_and_is_as_its_schema_says(meldref, tmp_path, cases):
    folder = tmp_path / "kit"
    assert meldref("conformance", "--cases", cases, "--export", str(folder)).code == 0
    kept = [json.loads(line) for line in (folder / "cases.jsonl").read_text().splitlines()]
    rulesets = [json.loads(line) for line in (folder / "rulesets.jsonl").read_text().splitlines()]
    assert [entry["case"]["id"] for entry in kept] == ["one", "two", "three"]
    assert [entry["ruleset"] for entry in kept] == [1, 1, 2]
    assert [entry["rules"] for entry in rulesets] == ["500-rummy", "500-rum"]
    assert rulesets[0]["keys"]["game.target"] == 500
    for entry in kept:
        checked("kit-case", entry)
        assert "expect" not in entry["case"]
    for entry in rulesets:
        checked("kit-ruleset", entry)
    assert json.loads((folder / "schema.json").read_text()) == SCHEMA
    again = meldref("conformance", "--cases", cases, "--export", str(folder))
    assert again.code == 2
    assert "--force" in again.err


def test_messages_that_are_none_are_answered_with_an_error():
    lines = ["[", '{"cmd": "sing"}', '{"cmd": "ask", "seq": 1, "case": 3}']
    lines += ['{"cmd": "ask", "seq": 2, "case": {"rules": "no-game", "moves": []}}']
    ran = subprocess.run(SERVE, input="\n".join(lines), capture_output=True, text=True, check=True)
    answers = [json.loads(line) for line in ran.stdout.splitlines()]
    assert [sorted(answer) for answer in answers] == [["error"], ["error"], *[["error", "seq"]] * 2]
    assert all(one_line(answer["error"]) for answer in answers)


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not here")
def test_the_example_in_javascript_gets_nothing_wrong_of_what_it_knows(meldref):
    keys = ("--rules", "500-rummy", "--only", "verdict,hands,pile")
    ran = meldref("conformance", *keys, "--", "node", str(ROOT / "examples" / "referee.js"))
    right, wrong, skipped, failed = (int(part.replace(",", "")) for part in ran.out.split()[-4:])
    assert (ran.code, wrong, failed) == (0, 0, 0)
    assert right >= 40
    assert skipped > 1500
