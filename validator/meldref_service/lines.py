"""Questions as lines of JSON: one in, one out, whatever stands in it (`meldref serve`)."""

from __future__ import annotations

import json
import sys
import traceback
from collections.abc import Callable
from typing import Any, BinaryIO, Final

from meldref.report.json import dump
from meldref_service.described import SCHEMA, BadQuestion, sentence
from meldref_service.service import Service

LONGEST: Final = 64 << 20
"""How long a message may be, in bytes; of a longer one nothing is read."""


class Lines:
    """Answers messages, each a line of JSON."""

    def __init__(self) -> None:
        self._service = Service()

    def reply(self, line: str | bytes) -> str:
        """The reply to a message, as a line of JSON without its end: an answer, or an error."""
        name: Any = None
        try:
            message = _read(line)
            name = message.get("id")
            _check(message)
            answer = self._service.answer(
                message["question"], message.get("arguments", {}), message.get("session", "")
            )
            return dump({"id": name, "answer": answer})
        except BadQuestion as wrong:
            return _error(name, str(wrong), wrong.path)
        except Exception as fault:  # noqa: BLE001  whoever serves others goes on after a fault of its own
            traceback.print_exc(file=sys.stderr)
            return _error(name, f"this is a fault of meldref's own: {type(fault).__name__}")


def _read(line: str | bytes) -> dict[str, Any]:
    """A message as data."""
    try:
        message = json.loads(line)
    except (ValueError, RecursionError) as wrong:
        raise BadQuestion(f"this line is no JSON: {wrong}") from None
    if not isinstance(message, dict):
        raise BadQuestion("a message is an object with id, question and arguments")
    return message


def _check(message: dict[str, Any]) -> None:
    """Raises `BadQuestion` for what is no message; its arguments are looked at when it is asked."""
    wrong = next(SCHEMA.mismatches(message, SCHEMA.root["$defs"]["message"]), None)
    if wrong is not None:
        raise BadQuestion(sentence(wrong), wrong.path)


def _error(name: Any, message: str, path: tuple[str | int, ...] = ()) -> str:
    known = (
        name if SCHEMA.is_valid(name, SCHEMA.root["$defs"]["message"]["properties"]["id"]) else None
    )
    return dump({"id": known, "error": {"message": message, "at": list(path)}})


def serve(stream: BinaryIO, write: Callable[[str], None]) -> None:
    """Answers each line of a stream, in its order, until that ends; empty lines are nothing."""
    lines = Lines()
    while line := stream.readline(LONGEST + 1):
        if len(line) > LONGEST:
            while line and not line.endswith(b"\n"):
                line = stream.readline(LONGEST)
            write(_error(None, f"a message of more than {LONGEST >> 20} MiB is not read"))
        elif line.strip():
            write(lines.reply(line))
