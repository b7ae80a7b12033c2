"""A client of a language server, over its standard input and output: what an editor asks and is told."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Self

PATIENCE = 60
"""Seconds after which a server that says nothing is given up."""

SETTINGS = {
    "yaml": {
        "schemaStore": {
            "enable": False
        },  # what is known of a file comes from its own line, nothing from elsewhere
        "validate": True,
        "hover": True,
        "completion": True,
    },
}


class LanguageServer:
    """A running server, to be used in a `with` statement."""

    def __init__(self, command: list[str], folder: Path) -> None:
        self._process = subprocess.Popen(
            command,
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self._messages: SimpleQueue[dict | None] = SimpleQueue()
        self._errors: list[bytes] = []
        self._asked = 0
        self._versions: dict[str, int] = {}
        self._found: dict[str, list[dict]] = {}
        self._folder = folder
        self._readers = [
            Thread(target=self._read),
            Thread(target=lambda: self._errors.extend(self._process.stderr)),
        ]
        for reader in self._readers:
            reader.start()

    def __enter__(self) -> Self:
        try:
            self._begin()
        except BaseException:
            self._close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self._ask("shutdown")
            self._tell("exit")
            self._process.wait(PATIENCE)
        finally:
            self._close()

    def _begin(self) -> None:
        folder = self._folder.as_uri()
        documents = {
            "hover": {"contentFormat": ["markdown"]},
            "completion": {
                "completionItem": {"snippetSupport": True, "documentationFormat": ["markdown"]}
            },
            "publishDiagnostics": {},
        }
        self._ask(
            "initialize",
            processId=None,
            rootUri=folder,
            workspaceFolders=[{"uri": folder, "name": "rules"}],
            capabilities={"workspace": {"configuration": True}, "textDocument": documents},
        )
        self._tell("initialized")
        self._tell("workspace/didChangeConfiguration", settings=SETTINGS)

    def _close(self) -> None:
        self._process.kill()  # one that has ended by itself stays as it is
        self._process.wait()
        for reader in self._readers:
            reader.join()
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            with suppress(BrokenPipeError):
                pipe.close()

    def write(self, file: Path, text: str) -> None:
        """Give a file this text, as an author who types it."""
        uri = file.as_uri()
        version = self._versions[uri] = self._versions.get(uri, 0) + 1
        self._found.pop(uri, None)
        if version == 1:
            document = {"uri": uri, "languageId": "yaml", "version": version, "text": text}
            self._tell("textDocument/didOpen", textDocument=document)
        else:
            document = {"uri": uri, "version": version}
            self._tell(
                "textDocument/didChange", textDocument=document, contentChanges=[{"text": text}]
            )

    def faults(self, file: Path) -> list[dict]:
        """What the server finds wrong with a file since it was last written."""
        uri = file.as_uri()
        while uri not in self._found:
            self._next()
        return self._found[uri]

    def hover(self, file: Path, line: int, character: int) -> str:
        """What is shown where the pointer rests, as Markdown; both counted from 0."""
        shown = self._ask("textDocument/hover", **_place(file, line, character))
        return shown["contents"]["value"] if shown else ""

    def complete(self, file: Path, line: int, character: int) -> dict[str, dict]:
        """What can be written there, by its label."""
        offered = self._ask("textDocument/completion", **_place(file, line, character))
        items = offered["items"] if isinstance(offered, dict) else offered
        return {item["label"]: item for item in items}

    def _ask(self, method: str, **params: object) -> object:
        self._asked += 1
        number = self._asked
        self._send({"id": number, "method": method, "params": params or None})
        while True:
            message = self._next()
            if message.get("id") == number and "method" not in message:
                assert "error" not in message, message["error"]
                return message["result"]

    def _tell(self, method: str, **params: object) -> None:
        self._send({"method": method, "params": params})

    def _next(self) -> dict:
        """The next message from the server, whose own questions are answered on the way."""
        try:
            message = self._messages.get(timeout=PATIENCE)
        except Empty:
            message = None
        if message is None:
            raise ConnectionError(b"".join(self._errors).decode() or "the server says nothing")
        if message.get("method") == "textDocument/publishDiagnostics":
            self._found[message["params"]["uri"]] = message["params"]["diagnostics"]
        if "id" in message and "method" in message:
            result = None
            if message["method"] == "workspace/configuration":
                result = [SETTINGS.get(item.get("section")) for item in message["params"]["items"]]
            self._send({"id": message["id"], "result": result})
        return message

    def _send(self, message: dict) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        self._process.stdin.flush()

    def _read(self) -> None:
        for message in _messages(self._process.stdout):
            self._messages.put(message)
        self._messages.put(None)


def _messages(stream) -> Iterator[dict]:
    """Every message that comes: headers, an empty line, and as many bytes as the headers say."""
    length = 0
    while line := stream.readline():
        name, _, value = line.decode("ascii").partition(":")
        if name.lower() == "content-length":
            length = int(value)
        elif not line.strip():
            yield json.loads(stream.read(length))


def _place(file: Path, line: int, character: int) -> dict[str, object]:
    return {
        "textDocument": {"uri": file.as_uri()},
        "position": {"line": line, "character": character},
    }
