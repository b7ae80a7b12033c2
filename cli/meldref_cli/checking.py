"""`meldref rules check`: is a rules file well-formed, and does it make sense."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from meldref_cli import options, output
from meldref_cli.errors import CLEAN, UNUSABLE, WRONG, Unusable, status

if TYPE_CHECKING:
    from meldref.diagnostics import Finding
    from meldref_cli.rulings import Asked


def check_rules(
    files: Annotated[
        list[str],
        typer.Argument(metavar="FILE...", help="Rules files: games or options; ids of shipped ones, too."),
    ],
    rules: Annotated[
        str | None,
        typer.Option("--rules", metavar="ID|FILE", help="The game over which an option is laid to check it."),
    ] = None,
    with_: options.With = None,
    set_: options.Set = None,
    format_: options.AsFormat = options.Format.TEXT,
    quiet: options.Quiet = False,
    exit_zero: options.ExitZero = False,
) -> int:
    """Checks rules files, and all that they build on: keys, values, and whether they go together.

    Exit status: 0 every file can be played by, warnings or not; 1 errors; 2 a file that cannot be read.
    """
    from meldref_cli.rulings import asked

    wanted = asked(rules, with_, set_)
    worst, checked = CLEAN, []
    for file in files:
        try:
            findings = _check(file, wanted)
        except Unusable as reason:
            output.error(str(reason))
            worst = UNUSABLE
            continue
        errors = sum(finding.severity.value == "error" for finding in findings)
        worst = max(worst, WRONG if errors else CLEAN)
        if format_ is options.Format.JSON:
            checked.append((file, findings))
        else:
            _print(file, findings, errors, quiet=quiet)
    if format_ is options.Format.JSON:
        from meldref.report.json import finding_data

        data = [{"path": file, "findings": [finding_data(one) for one in findings]} for file, findings in checked]
        output.write(json.dumps({"files": data}))
    return status(worst, exit_zero=exit_zero)


def _check(file: str, wanted: Asked) -> tuple[Finding, ...]:
    """All findings about one file, laid over a game where it is an option."""
    from meldref.ruleset.files import find, is_path, missing
    from meldref.source import read_in_part
    from meldref_cli.files import read_bytes
    from meldref_cli.rulings import load

    if is_path(file):
        data, shown = read_bytes(file), file
    else:
        found = find(file)
        if found is None:
            raise Unusable(missing(file))
        data, shown = found.path.read_bytes(), found.shown
    document, unread = read_in_part(data, shown)
    if document is None:
        return unread
    value = document.value
    if isinstance(value, dict) and value.get("type") == "option":
        return load(wanted._replace(options=(*wanted.options, file)))[1]
    return load(wanted._replace(rules=file))[1]


def _print(file: str, findings: tuple[Finding, ...], errors: int, *, quiet: bool) -> None:
    from meldref.report.tally import counted
    from meldref.report.text import heading
    from meldref_cli.findings import tell

    style = output.style_for()
    if quiet:
        output.write_all(heading(finding, style=style) for finding in findings)
        return
    if tell(findings, file):
        output.write("")
    warnings = len(findings) - errors
    parts = [counted(number, noun) for number, noun in ((errors, "error"), (warnings, "warning")) if number]
    verdict = style.red(", ".join(parts)) if errors else style.green("ok")
    output.write(f"{file}: {verdict}" + (f" ({', '.join(parts)})" if parts and not errors else ""))
