"""`meldref rules test`: runs cases."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from meldref_cli import options, output
from meldref_cli.errors import CLEAN, UNUSABLE, WRONG, Unusable, status

if TYPE_CHECKING:
    from meldref.cases import CaseResult
    from meldref.diagnostics import Finding
    from meldref.source import Value

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
    format_: options.AsFormat = options.Format.TEXT,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
    exit_zero: options.ExitZero = False,
) -> int:
    """Runs the cases of case files; a ruleset's own file tests that ruleset.

    Exit status: 0 all passed, 1 cases failed, 2 a file that cannot be used.
    """
    from meldref_cli.rulings import asked

    ruleset = asked(rules, None, None).rules
    worst, results = CLEAN, []
    text = format_ is options.Format.TEXT
    for path in _files(files):
        try:
            found, wrong = _run(path, ruleset)
        except Unusable as reason:
            output.error(str(reason))
            worst = UNUSABLE
            continue
        if wrong:
            worst = UNUSABLE
            _say(wrong, path, text=text)
        results += [(path, result) for result in found]
        if text:
            output.write_all(_lines(path, found, quiet=quiet, verbose=verbose))
    failed = sum(not result.passed for _, result in results)
    worst = max(worst, WRONG if failed else CLEAN)
    if not text:
        output.write(json.dumps(_data(results)))
    elif not quiet:
        output.write(f"{len(results) - failed} passed, {failed} failed")
    return status(worst, exit_zero=exit_zero)


def _files(names: Sequence[str]) -> Iterator[str]:
    from meldref_cli.files import expand

    yield from dict.fromkeys(expand(names, _ENDINGS))


def _run(path: str, ruleset: str | None) -> tuple[list[CaseResult], tuple[Finding, ...]]:
    """The results of a file's cases, and what makes the file unusable."""
    from meldref.cases import run_file
    from meldref.diagnostics import Severity
    from meldref_cli.files import why_not

    try:
        with Path(path).open("rb"):
            pass
    except OSError as error:
        raise Unusable(f"{path}: {why_not(error)}") from error
    results, findings = run_file(Path(path), rules=ruleset)
    return results, tuple(one for one in findings if one.severity is Severity.ERROR)


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
        if result.got.get("verdict") == "unusable":
            yield f"  = the case cannot be used: {result.got.get('because')}"
        else:
            yield f"  = expected: {_words(result.expected, result.failed, result.got)}"
            yield f"  = got:      {_words(result.got, result.failed, result.got)}"
            for finding in result.findings:
                yield f"  = line {finding.span.line}: {finding.message} [{finding.code}]"
        yield ""


def _words(facts: Mapping[str, Value], failed: Sequence[str], got: Mapping[str, Value]) -> str:
    """The facts that differ, with the verdict, as a case file writes them."""
    keys = dict.fromkeys(("verdict", *(("at", "because") if got.get("verdict") == "illegal" else ()), *failed))
    shown = [f"{key}: {_flow(facts[key])}" for key in keys if key in facts]
    return ", ".join(shown) or "nothing"


def _flow(value: Value) -> str:
    """A value in the flow style of YAML, plain where it can be."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_flow(one)}" for key, one in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_flow, value)) + "]"
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) and " " in value else str(value)


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
