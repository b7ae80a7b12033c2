"""`meldref rules list`: what ships."""

from __future__ import annotations

from meldref_cli import options, output
from meldref_cli.errors import CLEAN


def list_rules(
    format_: options.Format = options.Format.TEXT,
    quiet: bool = False,
    verbose: bool = False,
) -> int:
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
