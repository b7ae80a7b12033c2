"""The manual page of the program, from what its help is made of: `man meldref` once a wheel is installed.

`python docs/generate.py meldref` writes it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

import typer.main

from meldref_cli.main import app

MADE: Final = '.\\" Written by docs/generate.py: change what it is made from, not this page.'
SEE: Final = "The pages of the project describe the notation, the format of rules files, and every violation."


def page() -> str:
    """The page, in the language of `man`: the program, then each command with its options and examples."""
    root: Any = typer.main.get_command(app)
    about = str(root.help).split("\n\n")
    parts = [
        MADE,
        '.TH MELDREF 1 "" meldref "User Commands"',
        ".SH NAME",
        _escaped(f"meldref - {about[0][:1].lower()}{about[0][1:].rstrip('.')}"),
        ".SH SYNOPSIS",
        ".B meldref",
        ".I COMMAND",
        "[OPTIONS] ...",
        ".SH COMMANDS",
    ]
    for name, command in _commands(root, "meldref"):
        parts += _command(name, command)
    parts += [".SH EXIT STATUS", *_paragraphs("\n\n".join(about[1:]).removeprefix("Exit status: "))]
    parts += [".SH SEE ALSO", *_paragraphs(SEE)]
    return "\n".join(parts) + "\n"


def _commands(group: Any, name: str) -> Iterator[tuple[str, Any]]:
    """Every command below a group, with the words that call it."""
    for word in group.list_commands(None):
        command = group.get_command(None, word)
        if hasattr(command, "list_commands"):
            yield from _commands(command, f"{name} {word}")
        else:
            yield f"{name} {word}", command


def _command(name: str, command: Any) -> Iterator[str]:
    """What a command is for, its options, and its examples."""
    context = command.make_context(name, [], resilient_parsing=True)
    usage = " ".join(command.collect_usage_pieces(context))
    yield f".SS {_escaped(f'{name} {usage}')}"
    yield from _paragraphs(command.help)
    for parameter in command.params:
        record = parameter.get_help_record(context)
        if record is not None:
            yield ".TP"
            yield f"\\fB{_escaped(record[0].strip())}\\fR"
            yield _escaped(" ".join(record[1].split()))
    if command.examples:
        yield from (".PP", "Examples:", ".PP", ".nf")
        yield from (_escaped(line) for line in command.examples.rstrip("\n").split("\n"))
        yield ".fi"


def _paragraphs(text: str) -> Iterator[str]:
    for paragraph in re.split(r"\n\s*\n", text.strip()):
        yield ".PP"
        yield _escaped(" ".join(paragraph.split()))


def _escaped(text: str) -> str:
    """Text as `man` prints it, letter by letter."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")
    return f"\\&{text}" if text.startswith(".") else text
