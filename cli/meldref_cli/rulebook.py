"""`meldref rules rulebook`: a ruleset as prose that people can play from."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from meldref.core.text import visible
from meldref_cli.errors import CLEAN
from meldref_cli.writing import by_ending, check_may_write, deliver


class Page(StrEnum):
    """What a rulebook is written in."""

    MARKDOWN = "markdown"
    HTML = "html"


_ENDINGS: Final = {
    ".md": Page.MARKDOWN,
    ".markdown": Page.MARKDOWN,
    ".txt": Page.MARKDOWN,
    ".html": Page.HTML,
    ".htm": Page.HTML,
}


def write_rulebook(
    ruleset: str,
    with_: list[str] | None = None,
    set_: list[str] | None = None,
    format_: Page | None = None,
    keys: bool = False,
    examples: bool = True,
    out: str | None = None,
    force: bool = False,
    quiet: bool = False,
) -> int:
    """Writes the rules as a rulebook to play from, in Markdown or as one HTML page to read or print."""
    page = format_ or by_ending(out, _ENDINGS, Page.MARKDOWN, "--format markdown or html")
    check_may_write(out, force=force)
    from meldref.authoring.rulebook import as_html, as_markdown, make_rulebook, origins_in
    from meldref_cli.ruleset_args import asked_for_one, usable

    found = usable(asked_for_one(ruleset, with_, set_))
    write = as_html if page is Page.HTML else as_markdown
    text = write(make_rulebook(found, examples=examples), origins_in(found) if keys else None)
    deliver(visible(text, keep="\n"), out, quiet=quiet)
    return CLEAN
