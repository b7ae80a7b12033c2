"""`meldref serve`: answers questions of other programs, a line of JSON each."""

from __future__ import annotations

import json
import sys
from typing import Annotated

import typer

from meldref_cli import output
from meldref_cli.errors import CLEAN

_Schema = Annotated[
    bool,
    typer.Option(
        "--schema", help="Print the JSON Schema of all questions and answers, and ask for none."
    ),
]
_Quiet = Annotated[
    bool, typer.Option("--quiet", "-q", help="Do not say what to type where somebody is typing.")
]


def serve(schema: _Schema = False, quiet: _Quiet = False) -> int:
    """Answers questions from standard input, a line of JSON each, on standard output.

    A question is an object with an id of your choice, the name of the question and its arguments;
    the reply is one with that id, and an answer or an error. One process keeps rules, positions
    and logs ready, so that an answer takes milliseconds; it ends with its input. It opens no port,
    and reads no file outside the folder that a question names.

    Examples:
      meldref serve < questions.jsonl > answers.jsonl
      meldref serve --schema
    """
    if schema:
        from meldref_service.described import whole_schema

        output.write(json.dumps(whole_schema(), indent=2))
        return CLEAN
    from meldref_service.lines import serve as answer

    if sys.stdin.isatty() and not quiet:
        output.notice(
            'meldref: type questions, such as {"id": 1, "question": "shelf"}; Ctrl-D ends'
        )
    answer(sys.stdin.buffer, _reply)
    return CLEAN


def _reply(line: str) -> None:
    """Writes a reply at once: who asked waits for it."""
    output.write(line)
    sys.stdout.flush()
