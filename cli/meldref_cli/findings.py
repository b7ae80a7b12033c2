"""Prints findings outside of reports, and says of a file of another kind which command reads it."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence
from shlex import quote
from typing import Final

from meldref.core.diagnostics import ENOUGH, Finding
from meldref.core.safe_files import read_file
from meldref.core.text import many
from meldref_cli import output
from meldref_cli.errors import CLEAN, UNUSABLE
from meldref_cli.files import STANDARD_INPUT

LOG: Final = "a log"
RULES: Final = "a rules file"
CASES: Final = "a case file"
POSITION: Final = "a position"
LINES: Final = "a log as JSON Lines"

_BEGINNING: Final = 1 << 14
"""How many bytes are read to tell what a file is."""
_KINDS: Final = {
    LINES: (r'^\s*\{\s*"event"\s*:', "meldref convert --to rgn"),
    LOG: (r'^\[(Rules|Players|Options|Dealer|Date)\s+"', "meldref audit"),
    RULES: (r"^(id|extends|type)\s*:", "meldref rules check"),
    CASES: (r"^cases\s*:", "meldref rules test"),
    POSITION: (r"^(hands|to_move|table|pile)\s*:", "meldref legal --position"),
}
"""How each kind of file is recognized, and what reads it; the first that fits is meant."""


def tell(
    findings: Iterable[Finding],
    file: str | None = None,
    *,
    to_errors: bool = False,
    quiet: bool = False,
) -> None:
    """Prints findings, a blank line between them, and where to read more once for each code.

    `file` names the file of those that have none; `to_errors`: to standard error, where standard
    output is for something else; `quiet`: only the first line of each, without blank lines.
    """
    to_show = list(findings)
    if not to_show:
        return
    from meldref.report.text import finding_texts, heading

    style = output.style_for(sys.stderr if to_errors else sys.stdout)
    say = output.notice_lines if to_errors else output.write
    if quiet:
        for finding in to_show:
            say(heading(finding, file=finding.file or file, style=style))
        return
    in_files = [finding for finding in to_show if _is_in_file(finding, file)]
    texts = finding_texts(in_files, lambda finding: finding.file or file, style=style)
    for number, finding in enumerate(to_show):
        if number:
            say("")
        if _is_in_file(finding, file):
            say(next(texts))
        else:
            output.error(finding.message)


def tell_troubles(troubles: Sequence[str]) -> int:
    """Says what is wrong with names that stand for no file; returns what that makes of the status."""
    for trouble in troubles:
        output.error(trouble)
    return UNUSABLE if troubles else CLEAN


class FirstFindings(list[Finding]):
    """The first findings about the lines of a file; of the others, only the number, `hidden`."""

    hidden = 0

    def add(self, findings: Sequence[Finding]) -> None:
        """Takes in more findings."""
        room = max(0, ENOUGH - len(self))
        self += findings[:room]
        self.hidden += len(findings[room:])

    def shorten(self, most: int) -> None:
        """Drops all but a few findings."""
        self.hidden += len(self[most:])
        del self[most:]


def tell_of_lines(
    path: str,
    findings: Sequence[Finding],
    hidden: int,
    gave_up: int,
    *,
    to_errors: bool,
    quiet: bool,
    kind: str = "",
) -> None:
    """Prints findings about the lines of a file, and how many lines and findings are left out.

    `kind`: what the file should have been, where it may be something else.
    """
    from meldref.notation.hopeful import not_tried

    tell(findings, path, to_errors=to_errors, quiet=quiet)
    if kind and not quiet:
        say_what_it_is(path, kind)
    if hidden:
        output.notice(f"{path}: {many(hidden, 'more finding')} not shown")
    if gave_up:
        output.notice(f"{path}: {not_tried(gave_up, some=not kind)}")


def _is_in_file(finding: Finding, file: str | None) -> bool:
    """Whether there is a place to show."""
    return bool(finding.file or finding.excerpt) or file is not None


def say_what_it_is(path: str, *wanted: str) -> None:
    """Says that a file that could not be used looks like another kind, and what reads those."""
    kind = None if path == STANDARD_INPUT else looks_like(path)
    if kind is None or kind in wanted:
        return
    output.notice(f"meldref: {path} looks like {kind}: `{_KINDS[kind][1]} {quote(path)}` reads it")


def looks_like(path: str) -> str | None:
    """The kind of file that a file looks like.

    None if nothing shows it, or the file cannot be read.
    """
    try:
        text = read_file(path, _BEGINNING).decode("utf-8-sig", "replace")
    except OSError:
        return None
    return next(
        (kind for kind, (sign, _) in _KINDS.items() if re.search(sign, text, re.MULTILINE)), None
    )
