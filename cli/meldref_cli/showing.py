"""`meldref rules list`, `show`, `rulebook` and `schema`: what ships, and what merged rules say."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Final

import typer

from meldref.core.allowance import Allowance
from meldref.core.effort import ALL_THE_WORK, EFFORT
from meldref.core.text import visible, without_commands
from meldref.rulefiles.files import list_rulesets
from meldref_cli import completing, options, output
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


_Verbose = Annotated[
    bool, typer.Option("--verbose", "-v", help="Also show the name and the file of each.")
]


def list_rules(
    format_: options.FormatOption = options.Format.TEXT,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Show only the ids.")] = False,
    verbose: _Verbose = False,
) -> int:
    """Lists the rulesets and options that ship."""
    from meldref_authoring.report.shipped import shipped_data, shipped_text

    shipped = list_rulesets()
    output.show(
        format_,
        lambda: shipped_data(shipped),
        lambda: shipped_text(shipped, quiet=quiet, verbose=verbose, width=output.width()),
    )
    return CLEAN


def write_schema(
    out: options.Output = None,
    force: options.Force = False,
    quiet: options.QuietErrors = False,
) -> int:
    """Prints the JSON Schema of rules files, which tells editors what each key means and takes.

    A rules file names it in its first line, `# yaml-language-server:
    $schema=ruleset.schema.json`.

    Exit status: 0 done, 2 a file that already exists or cannot be written.

    Examples:
      meldref rules schema -o ruleset.schema.json
    """
    return deliver_data("rulesets/ruleset.schema.json", out, force=force, quiet=quiet)


_ShowRulesRuleset = Annotated[
    str,
    typer.Argument(
        metavar="ID|FILE",
        autocompletion=completing.rules_files,
        help="A shipped ruleset's id, or a file; - for standard input.",
    ),
]
_Quiet = Annotated[
    bool, typer.Option("--quiet", "-q", help="Show only the rules, not what set them.")
]


def show_rules(
    ruleset: _ShowRulesRuleset,
    with_: options.With = None,
    set_: options.Set = None,
    format_: options.FormatOption = options.Format.TEXT,
    quiet: _Quiet = False,
) -> int:
    """Shows a ruleset merged with everything it builds on, and what set each key.

    The output is a complete rules file.

    Examples:
      meldref rules show 500-rummy
      meldref rules show 500-rummy --with floating --set game.target=1000
    """
    from meldref_authoring.report.explained import merged_data
    from meldref_authoring.rulefiles.show import show_merged
    from meldref_authoring.rulefiles.trace import trace

    named = asked_for_one(ruleset, with_, set_)
    merged, findings = load(named)
    tell(findings, to_errors=True)
    if merged is None:
        say_what_it_is(ruleset, RULES, CASES)
        return UNUSABLE
    who = trace(named.rules or ruleset, named.options, named.settings)
    output.show(
        format_,
        lambda: merged_data(merged, who),
        lambda: [show_merged(merged, who.below, origins=not quiet).rstrip("\n")],
    )
    return CLEAN


_WriteRulebookRuleset = Annotated[
    str,
    typer.Argument(
        metavar="ID|FILE",
        autocompletion=completing.rulesets,
        help="A shipped ruleset's id, or a file; - for standard input.",
    ),
]
_Format = Annotated[
    Page | None,
    typer.Option(
        "--format",
        help="The format; if left out, it follows from the file name, or is markdown.",
    ),
]
_Keys = Annotated[
    bool,
    typer.Option(
        "--keys", help="Show the keys of each paragraph, with the file and line that set them."
    ),
]
_Examples = Annotated[
    bool,
    typer.Option(
        "--examples/--no-examples", help="Show each rule with cards, or only the sentences."
    ),
]


def write_rulebook(
    ruleset: _WriteRulebookRuleset,
    with_: options.With = None,
    set_: options.Set = None,
    format_: _Format = None,
    keys: _Keys = False,
    examples: _Examples = True,
    out: options.Output = None,
    force: options.Force = False,
    quiet: options.QuietErrors = False,
) -> int:
    """Writes the rules as a rulebook to play from, in Markdown or as one HTML page.

    Every sentence comes from a key of the merged rules. The examples are made for these rules,
    and checked: one is legal, the other is not.

    Exit status: 0 done, 2 unusable rules or arguments, or a file that already exists.

    Examples:
      meldref rules rulebook house.yaml -o house.html
      meldref rules rulebook 500-rum --keys
    """
    page = format_ or by_ending(out, _ENDINGS, Page.MARKDOWN, "--format markdown or html")
    check_may_write(out, force=force)
    from meldref_authoring.rulebook import as_html, as_markdown, make_rulebook, origins_in

    merged = usable(asked_for_one(ruleset, with_, set_))
    write = as_html if page is Page.HTML else as_markdown
    house = Allowance()
    with EFFORT.spending(house):
        text = write(make_rulebook(merged, examples=examples), origins_in(merged) if keys else None)
    if house.over:
        output.notice(f"{ALL_THE_WORK} one rulebook: examples are missing")
    deliver([without_commands(visible(text, keep="\n"), "&#{};")], out, quiet=quiet)
    return CLEAN
