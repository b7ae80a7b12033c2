"""`meldref serve`: lines of JSON in and out, for a program in any language."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys

import pytest

from meldref.rulefiles import files
from meldref_service.described import whole_schema
from meldref_service.lines import Lines
from paths import ROOT

START = "from meldref_cli.start import run\nif __name__ == '__main__':\n    run()\n"
SERVE = [sys.executable, "-c", START, "serve"]
POSITION = {"hands": {"A": "4d 9h 2h"}, "pile": "6s 4c Qs 4s 7h"}


def asked(text, cwd=None):
    """The replies to some lines, and what the process said besides."""
    ran = subprocess.run(
        SERVE, input=text.encode(), capture_output=True, cwd=cwd, check=True, timeout=60
    )
    return [json.loads(line) for line in ran.stdout.decode("ascii").splitlines()], ran.stderr


def line(number, question, **arguments):
    return json.dumps({"id": number, "question": question, "arguments": arguments}) + "\n"


def test_each_line_has_a_reply_with_its_id_and_the_process_goes_on_after_errors():
    text = (
        line(1, "legal", position=POSITION, move="take 4c; discard 2h")
        + "\n{\n"
        + line("two", "legl")
        + '{"id": 3}\n{"id": null, "question": "shelf"}\n[]\n'
        + line(4, "fmt", log="1. Ann:draw;discard ks")
    )
    replies, said = asked(text)
    assert said == b""
    assert [reply["id"] for reply in replies] == [1, None, "two", 3, None, None, 4]
    assert replies[0]["answer"]["findings"][0]["code"] == "draw.deep.unused"
    messages = [reply["error"]["message"] for reply in replies[1:6]]
    assert messages[1:] == [
        "there is no question 'legl'; did you mean legal?",
        "question must be given",
        "id is a text or a whole number",
        "a message is an object with id, question and arguments",
    ]
    assert messages[0].startswith("this line is no JSON: ")
    assert replies[-1]["answer"]["text"] == "1. Ann: draw ?; discard Ks\n"


def test_a_session_keeps_its_own_draft():
    log = '[Rules "500-rummy"]\n[Players "Ann, Bob"]\nhand 1 dealer Bob\nup 6c\n'
    messages = [
        {"id": 1, "session": "a", "question": "draft", "arguments": {"log": log}},
        {"id": 2, "session": "b", "question": "position"},
        {"id": 3, "session": "a", "question": "position"},
    ]
    replies, _ = asked("".join(json.dumps(message) + "\n" for message in messages))
    assert [reply["answer"]["verdict"] for reply in replies] == ["clean", "unusable", "position"]
    assert replies[2]["answer"]["to_move"] == "Ann"


def test_numbers_with_a_point_or_an_exponent_are_whole_where_they_are():
    text = (
        '{"id": 1.0, "question": "moves", "arguments": {"position": {}, "most": 1e0}}\n'
        '{"id": 2.0, "question": "moves", "arguments": {"position": {}, "most": 1.5}}\n'
    )
    (listed, refused), said = asked(text)
    assert said == b""
    assert (listed["id"], len(listed["answer"]["moves"])) == (1, 1)
    assert (refused["id"], refused["error"]["at"]) == (2, ["arguments", "most"])


def test_half_a_character_and_a_last_line_without_an_end_are_answered():
    text = '{"id": 1, "question": "fmt", "arguments": {"log": "# \\ud800"}}'
    (reply,), _ = asked(text)
    assert reply["answer"]["text"] is not None or reply["answer"]["findings"]


@pytest.mark.parametrize(
    ("question", "given"),
    [
        ("audit", {"log": '[Rules "{file}"]\n[Players "A, B"]\nhand 1\n'}),
        ("position", {"position": 'rules: "{file}"\n'}),
        ("position", {"position": {"rules": "{file}"}}),
        ("position", {"position": {}, "rules": "{file}"}),
        ("position", {"position": {}, "rules": {"options": ["{file}"]}}),
        ("position", {"position": {"with": ["{file}"]}}),
        ("rulebook", {"rules": {"text": "id: x\nextends: ['{file}']\n"}}),
        ("check_rules", {"text": "id: x\nextends: ['{file}']\n"}),
        ("new_rules", {"game": "{file}"}),
        ("diff", {"rules": "500-rummy", "other": "{file}"}),
    ],
)
@pytest.mark.parametrize("spelled", ["./secret.yaml", "{folder}/secret.yaml", "../in/secret.yaml"])
def test_no_file_is_read_that_is_not_in_the_folder_of_the_question(
    tmp_path, monkeypatch, question, given, spelled
):
    here = tmp_path / "in"
    here.mkdir()
    secret = here / "secret.yaml"
    secret.write_text("id: secret\nname: FOUND IT\nextends: [500-rummy]\ngame: {target: 77}\n")
    monkeypatch.chdir(here)
    read = []
    real = files.read_file

    def noted(path, *rest, **more):
        read.append(path)
        return real(path, *rest, **more)

    monkeypatch.setattr(files, "read_file", noted)
    name = spelled.replace("{folder}", str(here))
    for path in (name, "/dev/zero.yaml"):
        text = json.dumps(given).replace("{file}", path)
        reply = json.loads(Lines().reply(line(1, question, **json.loads(text))))
        assert "FOUND IT" not in json.dumps(reply)
        refused = reply["answer"].get("wrong") or reply["answer"]["findings"]
        assert refused
    assert not [path for path in read if str(path).endswith("secret.yaml")]


def test_with_a_folder_the_files_in_it_are_rules_also_once_they_change(tmp_path):
    file = tmp_path / "lake.yaml"
    log = '[Rules "./lake.yaml"]\n[Players "Ann, Bob"]\nhand 1 dealer Bob\nup 6c\n1. Ann: take 6c; discard 6c\n'
    with subprocess.Popen(SERVE, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:

        def ask(question, **given):
            process.stdin.write(line(1, question, folder=str(tmp_path), **given).encode())
            process.stdin.flush()
            return json.loads(process.stdout.readline())["answer"]

        file.write_text("id: lake\nextends: [500-rummy]\n", encoding="utf-8")
        assert ask("audit", log=log)["verdict"] == "violations"
        file.write_text(
            "id: lake\nextends: [500-rummy]\ndiscard: {taken_top: allowed}\n", encoding="utf-8"
        )
        assert ask("audit", log=log)["verdict"] == "clean"
        assert (
            ask("legal", position=POSITION, move="draw", rules="./lake.yaml")["verdict"] == "legal"
        )
        process.stdin.close()


def test_the_schema_is_printed_whole(meldref):
    assert json.loads(meldref("serve", "--schema").out) == whole_schema()


NODE = shutil.which("node")


@pytest.mark.skipif(NODE is None, reason="node is not here")
def test_the_client_in_javascript_plays_a_turn():
    client = ROOT / "examples" / "client.mjs"
    ran = subprocess.run(
        [NODE, str(client), *SERVE[:-1]], capture_output=True, text=True, check=True, timeout=60
    )
    assert ran.stderr == ""
    assert ran.stdout.splitlines() == [
        "take 4c; discard 2h: illegal",
        "  the card taken from inside the pile was neither melded nor laid off",
        "take 4c; meld 4c 4d 4s: legal",
        "discard 2h: legal",
        "draw ?; discard 5h: open",
        "[ 'draw', 'take 5h' ]",
        "there is no question 'legl'; did you mean legal?",
    ]


def test_the_page_for_programs_shows_that_client():
    page = (ROOT / "docs" / "programs.md").read_text(encoding="utf-8")
    assert (ROOT / "examples" / "client.mjs").read_text(encoding="utf-8") in page
