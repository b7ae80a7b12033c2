"""`meldref rules list`, `show`, `rulebook` and `schema`: what ships, and what a ruleset says once it is merged."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from meldref.core.text import visible
from meldref.rulefiles.files import list_rulesets
from meldref_cli import options, output
from meldref_cli.errors import CLEAN, UNUSABLE
from meldref_cli.findings import CASES, RULES, say_what_it_is, tell
from meldref_cli.ruleset_args import asked_for_one, load, usable
from meldref_cli.writing import by_ending, check_may_write, deliver, deliver_data


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


def list_rules(format_: options.Format = options.Format.TEXT, quiet: bool = False, verbose: bool = False) -> int:
    """Lists the rulesets and options that ship."""
    from meldref.report.shipped import shipped_data, shipped_text

    shipped = list_rulesets()
    output.show(
        format_,
        lambda: shipped_data(shipped),
        lambda: shipped_text(shipped, quiet=quiet, verbose=verbose, width=output.width()),
    )
    return CLEAN


def write_schema(out: str | None = None, force: bool = False, quiet: bool = False) -> int:
    """Prints the JSON Schema of rules files, which tells editors the keys, their words and what each means."""
    return deliver_data("rulesets/ruleset.schema.json", out, force=force, quiet=quiet)


def show_rules(
    ruleset: str,
    with_: list[str] | None = None,
    set_: list[str] | None = None,
    format_: options.Format = options.Format.TEXT,
    quiet: bool = False,
) -> int:
    """Shows a ruleset merged with everything it builds on, and what set each key."""
    from meldref.report.explained import merged_data
    from meldref.rulefiles.show import show_merged
    from meldref.rulefiles.trace import trace

    named = asked_for_one(ruleset, with_, set_)
    found, findings = load(named)
    tell(findings, to_errors=True)
    if found is None:
        say_what_it_is(ruleset, RULES, CASES)
        return UNUSABLE
    who = trace(named.rules or ruleset, named.options, named.settings)
    output.show(
        format_, lambda: merged_data(found, who), lambda: [show_merged(found, who, origins=not quiet).rstrip("\n")]
    )
    return CLEAN


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

    found = usable(asked_for_one(ruleset, with_, set_))
    write = as_html if page is Page.HTML else as_markdown
    text = write(make_rulebook(found, examples=examples), origins_in(found) if keys else None)
    deliver([visible(text, keep="\n")], out, quiet=quiet)
    return CLEAN
