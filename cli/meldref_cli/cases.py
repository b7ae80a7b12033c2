"""`meldref rules test`: runs cases."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from meldref_cli import options, output
from meldref_cli.errors import CLEAN, UNUSABLE, WRONG, Unusable, status

if TYPE_CHECKING:
    from meldref.cases import CaseFile, CaseResult
    from meldref.diagnostics import Finding

_ENDINGS = (".yaml", ".yml", ".json")


def run_cases(
    files: Annotated[
        list[str],
        typer.Argument(metavar="FILE...", help="Case files, rulesets with cases, or folders of them."),
    ],
    rules: Annotated[
        str | None,
        typer.Option("--rules", metavar="ID|FILE", help="The ruleset of cases that name none."),
    ] = None,
    coverage: Annotated[
        bool, typer.Option("--coverage", help="Show which settings and codes of the rulesets the cases exercise.")
    ] = False,
    threshold: Annotated[
        float | None,
        typer.Option(
            "--threshold",
            metavar="PERCENT",
            min=0,
            max=100,
            help="Exit with 1 where less of a ruleset is exercised; shows the coverage too.",
        ),
    ] = None,
    format_: options.AsFormat = options.Format.TEXT,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
    exit_zero: options.ExitZero = False,
) -> int:
    """Runs the cases of case files; a ruleset's own file tests that ruleset.

    A setting is exercised when a passing case would fail if its key said something else, a code when a passing
    case expects it as the reason.

    Exit status: 0 all passed, 1 cases failed or too little is exercised, 2 a file that cannot be used.
    """
    from meldref_cli.rulings import asked

    ruleset = asked(rules, None, None).rules
    worst, ran = CLEAN, []
    text = format_ is options.Format.TEXT
    for path in _files(files):
        try:
            file, found, wrong = _run(path, ruleset)
        except Unusable as reason:
            output.error(str(reason))
            worst = UNUSABLE
            continue
        if wrong:
            worst = UNUSABLE
            _say(wrong, path, text=text)
        if file is not None:
            ran.append((path, file, found))
        if text:
            output.write_all(_lines(path, found, quiet=quiet, verbose=verbose))
    results = [(path, result) for path, _, found in ran for result in found]
    failed = sum(not result.passed for _, result in results)
    worst = max(worst, WRONG if failed else CLEAN)
    covered = None
    if coverage or threshold is not None:
        from meldref_cli import covering

        covered = covering.measure_files([(file, found) for _, file, found in ran], wanted=not quiet)
        worst = max(worst, WRONG if covering.below(covered, threshold) else CLEAN)
    if not text:
        more = {} if covered is None else {"coverage": covering.coverage_data(covered)}
        output.write(json.dumps({**_data(results), **more}))
    else:
        if covered is not None:
            output.write_all(covering.coverage_lines(covered, threshold, quiet=quiet, verbose=verbose))
        if not quiet:
            output.write(f"{len(results) - failed} passed, {failed} failed")
    return status(worst, exit_zero=exit_zero)


def _files(names: Sequence[str]) -> Iterator[str]:
    from meldref_cli.files import expand

    yield from dict.fromkeys(expand(names, _ENDINGS))


def _run(path: str, ruleset: str | None) -> tuple[CaseFile | None, list[CaseResult], tuple[Finding, ...]]:
    """A file of cases and how they came out, and what makes the file unusable."""
    from meldref.cases import read_cases
    from meldref.diagnostics import Severity
    from meldref_cli.files import why_not

    try:
        with Path(path).open("rb"):
            pass
    except OSError as error:
        raise Unusable(f"{path}: {why_not(error)}") from error
    file, findings = read_cases(Path(path), rules=ruleset)
    results = [] if file is None else [file.run(case) for case in range(len(file.cases))]
    return file, results, tuple(one for one in findings if one.severity is Severity.ERROR)


def _say(findings: Sequence[Finding], path: str, *, text: bool) -> None:
    """What is wrong with a file itself."""
    from meldref.report.text import finding_text

    style = output.style_for()
    for finding in findings:
        file = path if finding.file == Path(path).name else None
        said = finding_text(finding, file=file, style=style)
        (output.write if text else output.notice)(said)
    if text and findings:
        output.write("")


def _lines(path: str, results: Sequence[CaseResult], *, quiet: bool, verbose: bool) -> Iterator[str]:
    """The failing cases of a file; with `verbose` the others too."""
    from meldref.report.verdicts import verdict_lines

    style = output.style_for()
    for result in results:
        name = f"{result.id}: {result.name}" if result.id and result.id != result.name else result.name
        place = style.bold(f"{path}:{result.line}:")
        if result.passed:
            if verbose:
                yield f"{place} {style.green('passed')}: {name}"
            continue
        yield f"{place} {style.red('failed')}: {name}"
        if quiet:
            continue
        yield from verdict_lines(result, style)
        yield ""


def _data(results: Sequence[tuple[str, CaseResult]]) -> dict[str, object]:
    cases = [
        {
            "file": path,
            "line": result.line,
            "id": result.id,
            "name": result.name,
            "passed": result.passed,
            "expected": result.expected,
            "got": result.got,
        }
        for path, result in results
    ]
    passed = sum(result.passed for _, result in results)
    return {"cases": cases, "passed": passed, "failed": len(results) - passed}
