"""A program that is asked, over its standard input and output, one line of JSON each way."""

from __future__ import annotations

import json
import queue
import subprocess
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, Final, Self

from meldref.core.text import one_line
from meldref_authoring.conformance.kit import KEYS, VERSION, Question

_LONGEST: Final = 1 << 20
"""The most bytes of an answer that are read."""
_GRACE: Final = 2.0
"""Seconds that a program has to end after it was told to."""


class Silence(Exception):
    """A program gave no answer that can be understood; it is over with it. The message says why."""


class Program:
    """A program that is running; it ends with the `with` block.

    Raises:
        OSError: the command cannot be started.
        Silence: it did not introduce itself within `limit` seconds.
    """

    def __init__(self, command: Sequence[str], limit: float) -> None:
        self._limit = limit
        self._process = subprocess.Popen(  # noqa: S603  what the user asks for, and no shell
            list(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self._lines: queue.Queue[bytes] = queue.Queue()
        self._rulesets: dict[str, int] = {}
        self._seq = 0
        threading.Thread(target=self._read, daemon=True).start()
        try:
            self._introduce()
        except Silence:
            self.kill()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def ask(self, question: Question) -> Mapping[str, Any]:
        """What the program answers; raises `Silence` if that cannot be understood."""
        self._seq += 1
        asked = {
            "cmd": "ask",
            "seq": self._seq,
            "ruleset": self._introduced(question.ruleset),
            "case": question.case,
            "tell": [key for key in KEYS if key in question.expected],
        }
        answer = self._exchange(asked)
        if answer.get("seq") != self._seq:
            raise Silence(f"it answered {json.dumps(answer.get('seq'))} to question {self._seq}")
        return answer

    def stop(self) -> None:
        """Tells the program to end, and ends it if it does not."""
        self._say({"cmd": "stop"})
        assert self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.close()
        try:
            self._process.wait(_GRACE)
        except subprocess.TimeoutExpired:
            self.kill()

    def kill(self) -> None:
        """Ends the program."""
        self._process.kill()
        assert self._process.stdin is not None
        with suppress(OSError):  # what was not written yet goes nowhere
            self._process.stdin.close()
        self._process.wait()

    def _introduce(self) -> None:
        introduction = self._exchange({"cmd": "start", "version": VERSION})
        if introduction.get("version") != VERSION:
            said = json.dumps(introduction.get("version"))
            raise Silence(f"it speaks version {said} of the protocol, not {VERSION}")

    def _introduced(self, ruleset: Mapping[str, object] | None) -> int | None:
        """The number of a ruleset, which the program is told the first time."""
        if ruleset is None:
            return None
        text = json.dumps(ruleset)
        if text not in self._rulesets:
            self._rulesets[text] = len(self._rulesets) + 1
            self._say({"cmd": "ruleset", "id": self._rulesets[text], **ruleset})
        return self._rulesets[text]

    def _say(self, message: Mapping[str, object]) -> None:
        assert self._process.stdin is not None
        with suppress(OSError):  # a program that has ended is noticed where its answer is missing
            self._process.stdin.write(json.dumps(message).encode() + b"\n")
            self._process.stdin.flush()

    def _exchange(self, message: Mapping[str, object]) -> dict[str, Any]:
        """Says something and returns the next line, which has to be an object."""
        self._say(message)
        try:
            line = self._lines.get(timeout=self._limit)
        except queue.Empty:
            raise Silence(f"it did not answer within {self._limit:g} seconds") from None
        if not line.strip():
            raise Silence(self._ended() if not line else "it answered with an empty line")
        try:
            answer = json.loads(line)
        except ValueError:  # of UTF-8 as of JSON
            shown = one_line(line[:80].decode("utf-8", "replace").strip())
            raise Silence(f"what it answered is no JSON: {shown}") from None
        if not isinstance(answer, dict):
            raise Silence("it answered with something that is no object")
        return answer

    def _ended(self) -> str:
        try:
            return f"it ended, with status {self._process.wait(_GRACE)}"
        except subprocess.TimeoutExpired:
            return "it closed its output"

    def _read(self) -> None:
        """Lines as they come, and an empty one behind the last."""
        assert self._process.stdout is not None
        with self._process.stdout as lines:
            while line := lines.readline(_LONGEST):
                self._lines.put(line)
        self._lines.put(b"")
