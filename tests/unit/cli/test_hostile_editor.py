"""Whatever an editor sends, `meldref lsp` answers it, or says what is wrong with it, and goes on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from copy import deepcopy
from random import Random
from threading import Thread

import pytest

from hostile import ODD_WORDS, torn
from paths import ROOT
from processes import START

pytest.importorskip("pygls", reason="the extra `lsp` is not installed")

DISPUTED = (ROOT / "examples" / "disputed.rgn").read_text(encoding="utf-8")
HOUSE = (ROOT / "examples" / "our-house.yaml").read_text(encoding="utf-8")
LOG_URI, RULES_URI = "file:///nowhere/a.rgn", "file:///nowhere/house.yaml"
ODD = (None, True, -1, 2**31, 10**400, 1.5, [], {}, [[]], "file:///etc/passwd", *ODD_WORDS)
MESSAGES = int(os.environ.get("MELDREF_EDITOR_MESSAGES", "5000"))
BEGIN = {"processId": None, "rootUri": None, "capabilities": {}}


def asked(uri):
    """One message of each sort about a document."""
    document, place = {"uri": uri}, {"line": 13, "character": 12}
    there = {"textDocument": document, "position": place}
    where = {"start": place, "end": {"line": 18, "character": 3}}
    context = {"diagnostics": []}
    yield "textDocument/hover", there
    yield "textDocument/completion", there
    yield "textDocument/definition", there
    yield "textDocument/codeAction", {"textDocument": document, "range": where, "context": context}
    yield "codeAction/resolve", {"title": "x", "data": uri}
    yield (
        "textDocument/formatting",
        {"textDocument": document, "options": {"tabSize": 4, "insertSpaces": True}},
    )
    yield "textDocument/documentSymbol", {"textDocument": document}
    yield "textDocument/codeLens", {"textDocument": document}


def written(uri, text, version):
    """What an editor says when a document is opened, changed, saved."""
    known = {"uri": uri, "version": version}
    language = "rgn" if uri == LOG_URI else "yaml"
    yield "textDocument/didOpen", {"textDocument": {**known, "languageId": language, "text": text}}
    yield "textDocument/didChange", {"textDocument": known, "contentChanges": [{"text": text}]}
    yield "textDocument/didSave", {"textDocument": {"uri": uri}}


def mutated(message, dice):
    """A message with one to three of its parts odd, left out, or under another key."""
    message = deepcopy(message)
    for _ in range(dice.randrange(1, 4)):
        places, todo = [], [message]
        while todo:
            part = todo.pop()
            inner = part.items() if isinstance(part, dict) else enumerate(part)
            for key, value in [*inner]:
                places.append((part, key))
                if isinstance(value, (dict, list)):
                    todo.append(value)
        part, key = dice.choice(places)
        if isinstance(part, dict) and dice.random() < 0.3:
            value = part.pop(key)
            if dice.random() < 0.5:
                part[dice.choice(("id", "method", "params", "uri", "x"))] = value
        else:
            part[key] = dice.choice(ODD)
        if not message:
            break
    return message


def framed(body, length=None):
    return b"Content-Length: %b\r\n\r\n%b" % (
        str(len(body) if length is None else length).encode(),
        body,
    )


def hostile(dice, number):
    """A message that no editor sends, as bytes."""
    uri = dice.choice((LOG_URI, RULES_URI))
    text = torn(DISPUTED, dice) if uri == LOG_URI else torn(HOUSE, dice)
    method, params = dice.choice([*asked(uri), *written(uri, text, number)])
    message = {"jsonrpc": "2.0", "id": f"m{number}", "method": method, "params": params}
    if "/did" in method:
        del message["id"]
    body = json.dumps(mutated(message, dice)).encode()
    if dice.random() < 0.1:
        at = dice.randrange(len(body))
        body = body[:at] + dice.randbytes(3) + body[at:]
    if dice.random() < 0.02:
        return framed(b"", dice.choice(("9" * 30, "9" * 5000, "-3", "0", "x"))) + framed(body)
    return framed(body)


def replies(stream):
    """Every message that comes back."""
    length = 0
    while line := stream.readline():
        if line.lower().startswith(b"content-length:"):
            length = int(line.split(b":")[1])
        elif not line.strip():
            yield json.loads(stream.read(length))


@pytest.mark.sweep
def test_five_thousand_mutated_messages_do_not_end_the_server():
    command = [sys.executable, "-c", START, "lsp"]
    dice = Random(11)
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL) as server:

        def send(method, params, name=None):
            message = {"jsonrpc": "2.0", "method": method, "params": params}
            message |= {} if name is None else {"id": name}
            server.stdin.write(framed(json.dumps(message).encode()))

        def talk():
            send("initialize", BEGIN, "begin")
            for number in range(MESSAGES):
                if number % 50 == 0:
                    uri, text = ((LOG_URI, DISPUTED), (RULES_URI, HOUSE))[number // 50 % 2]
                    send(*next(iter(written(uri, text, number))))
                    send("textDocument/hover", dict(asked(uri))["textDocument/hover"], number)
                server.stdin.write(hostile(dice, number))
            send("shutdown", None, "end")
            send("exit", None)
            server.stdin.close()

        writer = Thread(target=talk)
        writer.start()
        answers = {
            reply["id"]: reply
            for reply in replies(server.stdout)
            if isinstance(reply.get("id"), (str, int)) and "method" not in reply
        }
        writer.join()
        assert server.wait(60) == 0
    assert "result" in answers["begin"]
    assert "end" in answers
    sane = [answers[number] for number in range(0, MESSAGES, 50)]
    assert all("result" in one for one in sane)
    assert any(one["result"] for one in sane)
    assert sum(str(name).startswith("m") for name in answers) > MESSAGES / 5
    errors = {
        one["error"]["message"]
        for one in answers.values()
        if "meldref_service" in json.dumps(one.get("error"))
    }
    assert errors == set()
