"""`meldref rules test`: runs cases."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from meldref_cli import options, output
from meldref_cli.errors import CLEAN, UNUSABLE, WRONG, Unusable, status

if TYPE_CHECKING:
    from meldref.authoring.coverage import Coverage
    from meldref.cases.run import CaseFile, CaseResult
    from meldref.core.diagnostics import Finding
    from meldref.rulefiles.files import Name
    from meldref_cli.machine_reports import MachineReport

_ENDINGS = (".yaml", ".yml", ".json")


def run_cases(
    files: list[str],
    rules: str | None = None,
    coverage: bool = False,
    threshold: float | None = None,
    format_: options.ReportFormat = options.ReportFormat.TEXT,
    quiet: bool = False,
    verbose: bool = False,
    exit_zero: bool = False,
) -> int:
    """Runs the cases of case files; the cases in a ruleset's own file test that ruleset.

    A setting is exercised if a passing case would fail with another value, and a code if a passing case expects
    it as the reason.

    Exit status: 0 all passed, 1 failed cases or too little exercised, 2 an unusable file, or a case with an
    error in it.
    """
    from meldref_cli.ruleset_args import asked

    text = format_ is options.ReportFormat.TEXT
    machine = _machine(format_, quiet=quiet)
    wanted = asked(rules, None, None, read=[("FILE", file) for file in dict.fromkeys(files)]).rules
    ran, worst = _run_all(files, wanted, machine, text=text, quiet=quiet, verbose=verbose)
    results = [(path, result) for path, _, found in ran for result in found]
    failed = sum(not result.passed for _, result in results)
    worst = max(worst, WRONG if failed else CLEAN, *(UNUSABLE for _, result in results if result.malformed))
    covered = None
    if coverage or threshold is not None:
        from meldref.authoring.coverage import below

        covered = _measure([(file, found) for _, file, found in ran], wanted=not quiet)
        worst = max(worst, WRONG if below(covered, threshold) else CLEAN)
    code = status(worst, exit_zero=exit_zero)
    counts = f"{len(results) - failed} passed, {failed} failed"
    if machine is not None:
        machine.end(code, counts)
    elif not text:
        _write_data(results, covered, by_line=format_ is options.ReportFormat.JSONL)
    else:
        if covered is not None:
            from meldref.report.coverage import coverage_text

            style = output.style_for()
            output.write_all(coverage_text(covered, threshold, style=style, quiet=quiet, verbose=verbose))
        if not quiet:
            output.write(counts)
    return code


def _run_all(
    files: Sequence[str],
    ruleset: Name | None,
    machine: MachineReport | None,
    *,
    text: bool,
    quiet: bool,
    verbose: bool,
) -> tuple[list[tuple[str, CaseFile, list[CaseResult]]], int]:
    """Runs the cases of all files, and tells of each as it is done; those that could be used, and the status."""
    from meldref.report.verdicts import cases_text
    from meldref_cli.files import expand_all
    from meldref_cli.ruleset_args import shown

    paths, troubles = expand_all(files, _ENDINGS)
    ran: list[tuple[str, CaseFile, list[CaseResult]]] = []
    worst = UNUSABLE if troubles else CLEAN
    for trouble in troubles:
        output.error(trouble)
        if machine is not None:
            machine.trouble(trouble)
    for path in paths:
        try:
            file, found, wrong = _run(path, ruleset)
        except Unusable as reason:
            output.error(str(reason))
            if machine is not None:
                machine.trouble(str(reason))
            worst = UNUSABLE
            continue
        if wrong:
            worst = UNUSABLE
            _say(wrong, path, text=text, quiet=quiet)
            if not quiet:
                from meldref_cli.wrong_file_kind import CASES, RULES, say_what_it_is

                say_what_it_is(path, CASES, RULES)
        if machine is not None:
            _report(machine, path, found, wrong)
        if file is not None:
            ran.append((path, file, found))
        if text:
            output.write_all(cases_text(shown(path), found, output.style_for(), quiet=quiet, verbose=verbose))
    return ran, worst


def _machine(format_: options.ReportFormat, *, quiet: bool) -> MachineReport | None:
    """The report in a format of other programs, where one is asked for."""
    from meldref_cli.machine_reports import is_for_machines, machine_report

    if not is_for_machines(format_):
        return None
    return machine_report(format_, "meldref rules test", noun="failure", quiet=quiet)


def _report(machine: MachineReport, path: str, found: Sequence[CaseResult], wrong: Sequence[Finding]) -> None:
    """The cases of a file, and what is wrong with the file itself."""
    from meldref.report.examined import Examined
    from meldref.report.verdicts import examined_case

    if wrong:
        machine.add(Examined(path, tuple(wrong), usable=False))
    for result in found:
        machine.add(examined_case(path, result))


def _run(path: str, ruleset: Name | None) -> tuple[CaseFile | None, list[CaseResult], tuple[Finding, ...]]:
    """A file of cases and how they came out, and what makes the file unusable."""
    from meldref.cases.run import read_cases
    from meldref.core.diagnostics import Severity
    from meldref.documents.reader import MAX_BYTES
    from meldref.rulefiles.files import Found
    from meldref_cli.files import STANDARD_INPUT, read_bytes
    from meldref_cli.ruleset_args import from_input

    if path == STANDARD_INPUT:
        found = from_input()
    else:
        found = Found(Path(path), Path(path).name, text=read_bytes(path, MAX_BYTES))
    file, findings = read_cases(found, rules=ruleset)
    results = [] if file is None else [file.run(case) for case in range(len(file.cases))]
    return file, results, tuple(one for one in findings if one.severity is Severity.ERROR)


def _say(findings: Sequence[Finding], path: str, *, text: bool, quiet: bool) -> None:
    """What is wrong with a file itself."""
    from meldref.report.text import finding_text, heading

    style = output.style_for()
    for finding in findings:
        file = path if finding.file == Path(path).name else None
        said = (heading if quiet else finding_text)(finding, file=file, style=style)
        (output.write if text else output.notice_lines)(said)
    if text and findings and not quiet:
        output.write("")


def _measure(ran: Sequence[tuple[CaseFile, Sequence[CaseResult]]], *, wanted: bool) -> list[Coverage]:
    """The coverage of each ruleset that the cases name; a progress bar where it takes long and is wanted."""
    from meldref.authoring.coverage import measure
    from meldref_cli.progress import Bar

    with Bar(0, wanted=wanted, doing="trying other settings") as bar:
        return measure(ran, bar.tick)


def _write_data(
    results: Sequence[tuple[str, CaseResult]], covered: Sequence[Coverage] | None, *, by_line: bool
) -> None:
    """The results as one object, or a line a case and the counts as the last."""
    from meldref.report.verdicts import case_data

    cases = [case_data(path, result) for path, result in results]
    passed = sum(result.passed for _, result in results)
    counts: dict[str, object] = {"passed": passed, "failed": len(results) - passed}
    if covered is not None:
        from meldref.report.coverage import coverage_data

        counts["coverage"] = coverage_data(covered)
    if by_line:
        output.write_all(json.dumps(case) for case in cases)
        output.write(json.dumps({"summary": counts}))
    else:
        output.write(json.dumps({"cases": cases, **counts}))
