"""`meldref rules`: everything for authors of rulesets."""

from __future__ import annotations

from typing import Final

import typer

from meldref_cli import output
from meldref_cli.errors import CLEAN, UNUSABLE
from meldref_cli.groups import Entry, group

COMMANDS: Final = {
    "list": Entry("meldref_cli.listing", "list_rules", "Lists the rulesets and options that ship."),
    "show": Entry("meldref_cli.showing", "show_rules", "Shows a merged ruleset, each key with who set it."),
    "explain": Entry("meldref_cli.explaining", "explain_key", "Explains a key: what it means, who set it here."),
    "new": Entry("meldref_cli.new_rules", "new_rules", "Asks ten questions and writes a rules file."),
    "check": Entry(
        "meldref_cli.checking", "check_rules", "Checks rulesets and options, and fixes mistakes in them."
    ),
    "test": Entry("meldref_cli.cases", "run_cases", "Runs the cases of case files and rulesets."),
    "diff": Entry("meldref_cli.differing", "diff", "Shows how two rulesets differ in meaning."),
    "compare": Entry("meldref_cli.comparing", "compare", "Plays by two rulesets and shows what changes."),
    "rulebook": Entry("meldref_cli.rulebook", "write_rulebook", "Writes the rules as a book to play from."),
    "schema": Entry("meldref_cli.schema", "write_schema", "Prints the JSON Schema of rules files."),
}

app = group(COMMANDS)


@app.callback(invoke_without_command=True)
def rules(context: typer.Context) -> int:
    """Lists, shows, checks, tests and compares rulesets."""
    if context.invoked_subcommand is None:
        output.notice_lines(context.get_help())
        raise typer.Exit(UNUSABLE)
    return CLEAN
