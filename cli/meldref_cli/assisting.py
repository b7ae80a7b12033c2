"""`meldref mcp`: tools for assistants, by the Model Context Protocol."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from typing import Annotated

import typer

from meldref_cli import output
from meldref_cli.errors import CLEAN, Unusable

_Quiet = Annotated[
    bool, typer.Option("--quiet", "-q", help="Do not say who is waited for where somebody types.")
]


def mcp(quiet: _Quiet = False) -> int:
    """Gives assistants tools, by the Model Context Protocol, on standard input and output.

    The tools are is_legal, legal_moves, why_not, audit_log, explain_rule, check_house_rules and
    count_hand. An assistant starts this program itself, and gets short answers that it can quote:
    the verdict, the sentence, the line of the rules. It opens no port and reads no file. It needs
    the extra `mcp`: pip install 'meldref[mcp]'.

    Examples:
      meldref mcp
    """
    if find_spec("mcp") is None:
        raise Unusable("mcp needs the package mcp: pip install 'meldref[mcp]'")
    from meldref_service.assistant import serve

    if sys.stdin.isatty() and not quiet:
        output.notice("meldref: an assistant starts this program and talks to it; Ctrl-D ends")
    serve()
    return CLEAN
