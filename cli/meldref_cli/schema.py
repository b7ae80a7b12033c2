"""`meldref rules schema`: the JSON Schema of rules files, for editors and other programs."""

from __future__ import annotations

from meldref_cli.errors import CLEAN
from meldref_cli.writing import check_may_write, deliver


def write_schema(
    out: str | None = None,
    force: bool = False,
    quiet: bool = False,
) -> int:
    """Prints the JSON Schema of rules files, which tells editors the keys, their words and what each means.

    A rules file names it in its first line, `# yaml-language-server: $schema=ruleset.schema.json`.

    Exit status: 0 done, 2 a file that is there already or cannot be written.
    """
    if out is not None:
        check_may_write(out, force=force)
    from meldref.core.resources import data_path

    text = data_path("rulesets", "ruleset.schema.json").read_text(encoding="utf-8")
    deliver(text, out, quiet=quiet)
    return CLEAN
