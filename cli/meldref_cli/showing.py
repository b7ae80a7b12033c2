"""`meldref rules show`: a merged ruleset."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from meldref_cli import completing, options, output
from meldref_cli.errors import CLEAN, UNUSABLE


def show_rules(
    ruleset: Annotated[
        str,
        typer.Argument(
            metavar="ID|FILE",
            help="A shipped ruleset's id, or a file; - for standard input.",
            autocompletion=completing.rules_files,
        ),
    ],
    with_: options.With = None,
    set_: options.Set = None,
    format_: options.AsFormat = options.Format.TEXT,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Show only the rules, not what set them.")] = False,
    verbose: options.Traceback = False,
) -> int:
    """Shows a ruleset merged with everything it builds on, and what set each key.

    The output is a complete rules file.
    """
    from meldref.rulefiles.show import show_merged
    from meldref.rulefiles.trace import trace
    from meldref_cli.findings import tell
    from meldref_cli.ruleset_args import asked_for_one, load

    named = asked_for_one(ruleset, with_, set_)
    found, findings = load(named)
    tell(findings, to_errors=True)
    if found is None:
        from meldref_cli.wrong_file_kind import CASES, RULES, say_what_it_is

        say_what_it_is(ruleset, RULES, CASES)
        return UNUSABLE
    who = trace(named.rules or ruleset, named.options, named.settings)
    if format_ is options.Format.JSON:
        from meldref.report.merged import merged_data

        output.write(json.dumps(merged_data(found, who)))
    else:
        output.write(show_merged(found, who, origins=not quiet).rstrip("\n"))
    return CLEAN
