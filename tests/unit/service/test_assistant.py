"""`meldref mcp`: an assistant's tools, asked by the protocol's own client."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from threading import Thread

import pytest

from messages import mutated
from paths import ROOT

mcp = pytest.importorskip("mcp", reason="the extra `mcp` is not installed")
anyio = pytest.importorskip("anyio")
assistant = pytest.importorskip("meldref_service.assistant")

from meldref_cli import assisting  # noqa: E402
from meldref_service.quoted import TOOLS  # noqa: E402
from meldref_service.service import Service  # noqa: E402

START = "from meldref_cli.start import run\nif __name__ == '__main__':\n    run()\n"
POSITION = {"hands": {"A": "4d 9h 2h"}, "pile": "6s 4c Qs 4s 7h"}
HOUSE = (ROOT / "examples" / "our-house.yaml").read_text(encoding="utf-8")
MANY = 5_000 if int(os.environ.get("MELDREF_FUZZ", "0")) > 4 else 400


def asked(where, *calls):
    """What the tools of a server tell, and whether each is an error."""

    async def ask():
        async with mcp.Client(where) as client:
            replies = [await client.call_tool(name, given) for name, given in calls]
            return [(reply.content[0].text, reply.is_error) for reply in replies]

    return anyio.run(ask)


def told(name, **given):
    ((text, is_error),) = asked(assistant.make_server(), (name, given))
    assert not is_error, text
    return text


def test_the_tools_are_listed_each_with_a_schema_of_its_own():
    async def listed():
        async with mcp.Client(assistant.make_server()) as client:
            return (await client.list_tools()).tools

    tools = {tool.name: tool for tool in anyio.run(listed)}
    assert [*tools] == [
        *("is_legal", "legal_moves", "why_not", "audit_log"),
        *("explain_rule", "check_house_rules", "count_hand"),
    ]
    for tool in tools.values():
        assert tool.description
        assert tool.annotations.read_only_hint
        assert "$ref" not in json.dumps(tool.input_schema)
        assert "folder" not in tool.input_schema["properties"]
    assert tools["is_legal"].input_schema["required"] == ["position", "move"]


def test_a_verdict_has_its_sentence_and_the_line_of_the_rules():
    first, second = told("is_legal", position=POSITION, move="take 4c; discard 2h").splitlines()
    assert first == (
        "illegal: the card taken from inside the pile was neither melded nor laid off"
        " [draw.deep.unused]"
    )
    assert second.startswith("  rule: draw.deep.must = be_used   (500-rummy.yaml:")


@pytest.mark.parametrize(
    ("move", "verdict"),
    [
        ("take 4c; meld 4c 4d 4s; discard 2h", "legal"),
        ("draw; discard Ks", "undecided"),
        ("take 7h; discard 7h", "illegal"),
        ("tke 7h", "unreadable"),
    ],
)
@pytest.mark.parametrize("tool", ["is_legal", "why_not"])
def test_what_is_told_of_a_move_begins_with_its_verdict(tool, move, verdict):
    assert told(tool, position=POSITION, move=move).startswith(verdict)


def test_why_not_says_what_the_rule_is_for_and_what_is_legal_instead():
    text = told("why_not", position=POSITION, move="take 4c; discard 2h")
    assert "\n  legal here: meld 4c 4d 4s\n" in text
    assert "\nMeans: A player who reaches below the top of the pile" in text
    assert "\nWhy: Many cards for one draw" in text


def test_rules_that_are_named_decide():
    rules = {"name": "500-rummy", "settings": ["discard.taken_top=allowed"]}
    move = "take 7h; discard 7h"
    assert told("is_legal", position=POSITION, move=move, rules=rules).startswith("legal")


def test_legal_moves_are_listed_and_more_is_said_to_be_there():
    assert told("legal_moves", position=POSITION).splitlines() == [
        *("A is to move; legal:", "  take 4c; meld 4c 4d 4s  +12", "  draw", "  take 7h")
    ]
    assert told("legal_moves", position=POSITION, most=1).splitlines()[2].startswith("there are")


def test_a_log_is_audited_with_the_place_of_each_finding():
    log = (ROOT / "examples" / "disputed.rgn").read_text(encoding="utf-8")
    lines = told("audit_log", log=log).splitlines()
    assert lines[0] == "violations: 1 hand, 5 turns, 4 errors"
    assert "log.rgn:19:1: wrong: Cy scores -65, not -55 [score.hand]" in lines


@pytest.mark.parametrize(
    ("about", "says"),
    [
        ("discard.taken-top", "Why: Taking a card and putting it back"),
        ("draw.deep.must", "draw.deep.must = be_used   (500-rummy.yaml:"),
        ("game.target", "game.target = 500"),
        ("meld", "meld.size: "),
        ("corner", "recipe round-the-corner: "),
        ("xyzzy", "nothing is known"),
    ],
)
def test_a_rule_is_explained_by_code_key_or_words(about, says):
    assert says in told("explain_rule", about=about)


def test_a_group_of_keys_is_explained_with_what_they_are():
    lines = told("explain_rule", about="draw.deep").splitlines()
    assert lines[0] == "draw.deep"
    assert lines[2:] == [
        "  draw.deep.must = be_used   (500-rummy.yaml:74)",
        "  draw.deep.when = at_once   (500-rummy.yaml:75)",
    ]
    assert "null" not in told("explain_rule", about="hands")


def test_a_house_rule_is_explained_by_its_name():
    rules = {
        "text": "id: x\nextends: [500-rummy]\nhouse_rules:\n  no-aces: {forbid: discard, "
        "when: card.rank is A, says: aces are kept}\n"
    }
    assert "aces are kept" in told("explain_rule", about="house.no-aces", rules=rules)


def test_house_rules_are_checked_and_their_cases_run():
    wrong = told("check_house_rules", text="id: x\nextends: [500-rummy]\ngame: {taget: 3}\n")
    assert wrong.startswith(
        "errors\nrules.yaml:3:8: error: there is no key game.taget; did you mean"
    )
    assert told("check_house_rules", text=HOUSE).splitlines()[1:] == [
        "case passed: three in a row are not enough",
        "case passed: a two makes the fourth card",
    ]
    failed = HOUSE.replace("verdict: illegal, because: meld.size", "verdict: legal")
    assert "case failed: three in a row" in told("check_house_rules", text=failed)


def test_a_hand_is_counted():
    laid = [{"player": "A", "play": "meld 4c 4d 4h"}]
    text = told("count_hand", players=["A", "B"], laid=laid, held={"B": "Ks"}, out="A")
    assert "\nA: 12 laid - 0 held = 12\n" in text
    assert "\nB: 0 laid - 10 held = -10\n" in text
    assert told("count_hand", players=["A", "B"], held={"C": "Ks"}).splitlines() == [
        *("this cannot be counted", "C is not one of the players")
    ]


def test_what_cannot_be_asked_is_an_error_in_a_sentence():
    assert asked(
        assistant.make_server(),
        ("is_legl", {}),
        ("is_legal", {"position": {}, "move": "draw", "folder": "/etc"}),
        ("is_legal", {}),
        ("legal_moves", {"position": POSITION, "most": "all"}),
    ) == [
        ("there is no tool 'is_legl'; did you mean is_legal?", True),
        ("there is no argument folder", True),
        ("position and move must be given", True),
        ("most is a whole number", True),
    ]


def test_no_file_of_the_user_is_read(tmp_path, monkeypatch):
    (tmp_path / "secret.yaml").write_text("id: secret\nname: FOUND IT\nextends: [500-rummy]\n")
    monkeypatch.chdir(tmp_path)
    for name in ("./secret.yaml", str(tmp_path / "secret.yaml")):
        text = f"id: x\nextends: ['{name}']\n"
        log = f'[Rules "{name}"]\n[Players "A, B"]\nhand 1\n'
        for tool, given in (
            ("check_house_rules", {"text": text}),
            ("audit_log", {"log": log}),
            ("explain_rule", {"about": "game.target", "rules": name}),
        ):
            assert "FOUND IT" not in told(tool, **given)


@pytest.mark.parametrize("part", range(4))
def test_a_mutated_call_is_answered_and_is_no_fault_of_ours(part):
    service = Service()
    names = {tool.question: name for name, tool in TOOLS.items()}
    for seed in range(part * MANY // 4, (part + 1) * MANY // 4):
        try:
            message = json.loads(mutated(seed))
        except (ValueError, RecursionError):
            continue
        if not isinstance(message, dict):
            continue
        name = names.get(str(message.get("question")), [*TOOLS][seed % len(TOOLS)])
        text, _ = assistant.reply(service, name, message.get("arguments"))
        assert "fault of meldref" not in text, seed
        text.encode()


def lines_of_calls(messages):
    """The lines with which a client begins, and calls."""
    about = {"protocolVersion": "2025-06-18", "capabilities": {}}
    about["clientInfo"] = {"name": "test", "version": "1"}
    yield json.dumps({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": about})
    yield json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"})
    yield from messages


def call_of(number, name, given):
    params = {"name": name, "arguments": given}
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}


def mutated_line(seed):
    """A line to the server in which something is wrong: cut, of other types, or no JSON at all."""
    text = mutated(seed)
    if seed % 3 == 0:
        return text.replace("\n", " ")
    line = json.dumps(call_of(seed + 10, [*TOOLS][seed % len(TOOLS)], text))
    return line if seed % 3 == 1 else line[: seed % len(line)] + line[seed % len(line) + 1 :]


def test_whatever_lines_come_in_the_process_goes_on():
    hostile = [mutated_line(seed) for seed in range(MANY)]
    last = json.dumps(call_of(9, "is_legal", {"position": POSITION, "move": "draw"}))
    text = "\n".join(lines_of_calls([*hostile, "[" * 100_000, "\x00", last])) + "\n"
    with (
        tempfile.TemporaryFile() as said,
        subprocess.Popen(
            [sys.executable, "-c", START, "mcp"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=said,
        ) as process,
    ):
        lines = b"\xff\xfe\n" + text.encode("utf-8", "surrogatepass")
        writing = Thread(target=lambda: (process.stdin.write(lines), process.stdin.flush()))
        writing.start()
        reply = {}
        while reply.get("id") != 9:
            reply = json.loads(process.stdout.readline())
        writing.join()
        process.stdin.close()
        said.seek(0)
        assert b"Traceback" not in said.read()
    assert reply["result"]["content"][0]["text"].startswith("legal: A: draw")
    assert process.returncode == 0


def test_the_program_answers_a_client_over_stdio():
    where = mcp.StdioServerParameters(command=sys.executable, args=["-c", START, "mcp"])
    ((text, is_error),) = asked(where, ("is_legal", {"position": POSITION, "move": "take 7h"}))
    assert (text.splitlines()[0], is_error) == ("legal: A: take 7h", False)


def test_without_the_package_the_program_says_what_to_install(meldref, monkeypatch):
    monkeypatch.setattr(assisting, "find_spec", lambda name: None)
    ran = meldref("mcp")
    assert ran.code == 2
    assert "pip install 'meldref[mcp]'" in ran.err
