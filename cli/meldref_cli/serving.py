"""`meldref serve` and `meldref lsp`: answer questions of other programs, and of editors."""

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


def serve_editor(quiet: _Quiet = False) -> int:
    """Answers an editor: a language server for logs and rules files, on standard input and output.

    Findings while you type, with the line of the rules behind each; what may follow, what a card,
    a code or a key is, fixes, the canonical form, an outline, scores. Your editor starts it; how
    it is told to is in docs/editors.md. It needs the extra `lsp`: pip install 'meldref[lsp]'.

    Examples:
      meldref lsp
    """
    from meldref_archive.sources import needed

    needed("pygls", "lsp", "meldref lsp")
    from meldref_service.language_server import serve as answer_editor

    if sys.stdin.isatty() and not quiet:
        output.notice("meldref: an editor starts this, and asks in its protocol; Ctrl-D ends")
    answer_editor(sys.stdin.buffer)
    return CLEAN
