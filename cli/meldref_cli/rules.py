"""`meldref rules`: everything for authors of rulesets."""

from __future__ import annotations

import typer

from meldref_cli.groups import RULES_COMMANDS, group, help_without_command

app = group(RULES_COMMANDS)


@app.callback(invoke_without_command=True)
def rules(context: typer.Context) -> int:
    """Lists, shows, checks, tests and compares rulesets."""
    return help_without_command(context)
