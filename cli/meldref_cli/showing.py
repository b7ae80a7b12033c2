"""`meldref rules show`: a merged ruleset."""

from __future__ import annotations

from meldref_cli import options, output
from meldref_cli.errors import CLEAN, UNUSABLE


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
    output.show(
        format_, lambda: merged_data(found, who), lambda: [show_merged(found, who, origins=not quiet).rstrip("\n")]
    )
    return CLEAN
