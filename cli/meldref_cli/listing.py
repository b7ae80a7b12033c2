"""What ships: `meldref rules list`, and `meldref rules schema`, for editors and other programs."""

from __future__ import annotations

from meldref_cli import options, output
from meldref_cli.errors import CLEAN


def list_rules(format_: options.Format = options.Format.TEXT, quiet: bool = False, verbose: bool = False) -> int:
    """Lists the rulesets and options that ship."""
    from meldref.report.shipped import shipped_data, shipped_text
    from meldref.rulefiles.files import list_rulesets

    shipped = list_rulesets()
    output.show(
        format_,
        lambda: shipped_data(shipped),
        lambda: shipped_text(shipped, quiet=quiet, verbose=verbose, width=output.width()),
    )
    return CLEAN


def write_schema(out: str | None = None, force: bool = False, quiet: bool = False) -> int:
    """Prints the JSON Schema of rules files, which tells editors the keys, their words and what each means."""
    from meldref_cli.writing import deliver_data

    return deliver_data("rulesets/ruleset.schema.json", out, force=force, quiet=quiet)
