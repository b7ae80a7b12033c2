"""Files of one kind that are given where another is meant: what they look like, and which command reads them."""

from __future__ import annotations

import re
from typing import Final

from meldref.core.safe_files import read_file
from meldref_cli import output
from meldref_cli.files import STANDARD_INPUT

LOG: Final = "a log"
RULES: Final = "a rules file"
CASES: Final = "a case file"
POSITION: Final = "a position"
LINES: Final = "a log as JSON Lines"

_BEGINNING: Final = 1 << 14
"""How many bytes are read to tell what a file is."""
_SIGNS: Final = (
    (LINES, r'^\s*\{\s*"event"\s*:'),
    (LOG, r'^\[(Rules|Players|Options|Dealer|Date)\s+"'),
    (RULES, r"^(id|extends|type)\s*:"),
    (CASES, r"^cases\s*:"),
    (POSITION, r"^(hands|to_move|table|pile)\s*:"),
)
_READ_BY: Final = {
    LOG: "meldref audit {}",
    RULES: "meldref rules check {}",
    CASES: "meldref rules test {}",
    POSITION: "meldref legal --position {}",
    LINES: "meldref convert --to rgn {}",
}


def say_what_it_is(path: str, *wanted: str) -> None:
    """Of a file that could not be used: that it looks like one of another kind, and which command reads those."""
    kind = None if path == STANDARD_INPUT else looks_like(path)
    if kind is None or kind in wanted:
        return
    from shlex import quote

    command = _READ_BY[kind].format(quote(path))
    output.notice(f"meldref: {path} looks like {kind}: `{command}` reads it")


def looks_like(path: str) -> str | None:
    """The kind of file that a file looks like; None if nothing shows it, or the file cannot be read."""
    try:
        text = read_file(path, _BEGINNING).decode("utf-8-sig", "replace")
    except OSError:
        return None
    return next((kind for kind, sign in _SIGNS if re.search(sign, text, re.MULTILINE)), None)
